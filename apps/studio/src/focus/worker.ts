/** The worker of the task Focus: makes an image on one device, answers the viewer, writes files, and compares its image with another worker's. */
import { expose, wrap } from "comlink";
import type { ImageWindow } from "@dechirp/radar";
import type { TileRequest } from "../image/facts.ts";
import "../work/wire.ts";
import { compareImages, type ImageReader } from "./compare.ts";
import { createMaker, type Job } from "./maker.ts";
import type { FocusEvent } from "./messages.ts";
import type { FileFormat } from "./export.ts";

let tell: (event: FocusEvent) => void = () => {};
const maker = createMaker((event) => tell(event));

/** Ends when the work before has ended, so that one image is made at a time. */
let before: Promise<unknown> = Promise.resolve();

const api = {
  /** Names the port to which events are posted. */
  listen(port: MessagePort): void {
    tell = (event) => port.postMessage(event);
  },
  /** Makes an image. */
  make(job: Job, signal: AbortSignal) {
    const made = before.then(() => maker.make(job, signal));
    before = made.catch(() => {});
    return made;
  },
  /** Draws a window of the image as far as it is there. */
  tile: (request: TileRequest) => maker.store().tile(request),
  /** Complex pixels of a window. */
  read: (window: ImageWindow) => maker.store().read(window),
  /** Ends of a scale of decibels for the image as far as it is there. */
  range: () => maker.store().range(),
  state: () => maker.store().state,
  /** Writes the image to a file. */
  async save(format: FileFormat, name: string, port: MessagePort, signal: AbortSignal): Promise<Blob> {
    const { saveImage } = await import("./export.ts");
    return saveImage(maker.made(), format, name, { signal, onProgress: (share) => port.postMessage(share) });
  },
  /** Lets another worker read the image over a port. */
  lend(port: MessagePort): void {
    expose({ read: (window: ImageWindow) => maker.store().read(window) }, port);
    port.start();
  },
  /** Compares the image with that of the worker at the other end of a port. */
  async compare(port: MessagePort, signal: AbortSignal) {
    const other = wrap<ImageReader>(port);
    try {
      const { store } = maker.made();
      return await compareImages(store.facts, { read: (window) => store.read(window) }, other as unknown as ImageReader, signal);
    } finally {
      port.close();
    }
  },
};

/** What the worker can do. */
export type FocusApi = typeof api;

expose(api);
