/** What images are written to part by part. */
import type { ImageWindow } from "@dechirp/radar";

/** Where the parts of an image are written. The sinks of `@dechirp/io` are of this type. */
export interface PartSink {
  /** Writes a part: `data` [rows][columns] complex, interleaved. Resolves when `data` may be changed. */
  write(window: ImageWindow, data: Float32Array, options?: { readonly signal?: AbortSignal }): void | Promise<void>;
  /** Whether an earlier run has written a part. Default: no. */
  has?(window: ImageWindow): boolean;
  /** Reads a part that an earlier run has written. Needed if there is `has`. */
  read?(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<ArrayLike<number>>;
}
