/** MAT-files from paths, for the readers of folders. Internal to this package. */
import { inputError } from "@dechirp/core";
import { readMat } from "./mat.ts";
import type { MatFile } from "./mat-types.ts";
import { defaultMaxBytes, type OnProgress, partOf, readBytes } from "./node-files.ts";

export interface ReadFilesOptions {
  /** The most bytes of one file, and of what one MAT-file inflates to; 4 GiB and 1 GiB where left out. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
  /** Of the bytes of all files; that they are parsed takes time of its own. */
  readonly onProgress?: OnProgress;
}

/** A reader of MAT-files within the bounds of `options`: of the file `i` of `count`. Throws `input` for a bound that is none. */
export function matFileReader({
  maxBytes,
  signal,
  onProgress,
}: ReadFilesOptions): (file: string, i: number, count: number) => Promise<MatFile> {
  if (maxBytes !== undefined && !(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  return async (file, i, count) =>
    readMat(
      await readBytes(file, { maxBytes: maxBytes ?? defaultMaxBytes, ...(signal ? { signal } : {}), ...partOf(onProgress, i, count) }),
      {
        file,
        ...(maxBytes === undefined ? {} : { maxBytes }),
      },
    );
}
