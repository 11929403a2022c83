/** An image that another worker keeps: what a worker that computes writes to, and reads from. */
import type { PartSink } from "@dechirp/processor";
import type { ImageWindow } from "@dechirp/radar";
import { transfer, wrap } from "comlink";
import "../work/wire.ts";

/** What the worker with the image exposes at a port. */
export interface RemoteStoreApi {
  write(window: ImageWindow, data: Float32Array): void;
  read(window: ImageWindow): Promise<Float32Array>;
}

/** A sink for parts of an image, which can be read back. */
export interface RemoteStore extends PartSink {
  write(window: ImageWindow, data: Float32Array): Promise<void>;
  /** Complex pixels, interleaved. */
  pixels(window: ImageWindow): Promise<Float32Array>;
}

/** The image at the other end of a port, which the page got from `StoredImage.connect`. */
export function remoteStore(port: MessagePort): RemoteStore {
  const api = wrap<RemoteStoreApi>(port);
  return {
    write(window, data) {
      const copy = data.slice();
      return api.write(window, transfer(copy, [copy.buffer]));
    },
    pixels: (window) => api.read(window),
  };
}
