/** The worker of the task Focus: makes images on one device, writes files of them, and compares the images of two devices. */
import { expose } from "comlink";
import { remoteStore } from "../image/remote-store.ts";
import "../work/wire.ts";
import { compareImages } from "./compare.ts";
import type { FileFormat } from "./export.ts";
import { createMaker, type Job } from "./maker.ts";
import type { FocusEvent } from "./messages.ts";

let tell: (event: FocusEvent) => void = () => {};
const maker = createMaker((event) => tell(event));

/** Ends when the work before has ended, so that one image is made at a time. */
let before: Promise<unknown> = Promise.resolve();

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const result = before.then(work);
  before = result.catch(() => {});
  return result;
}

const api = {
  /** Names the port to which events (`FocusEvent`) are posted. */
  listen(port: MessagePort): void {
    tell = (event) => port.postMessage(event);
  },
  /** Opens the recording and plans its image. */
  plan: (job: Job, signal: AbortSignal) => inTurn(() => maker.plan(job, signal)),
  /** Makes the planned image into the one at the other end of a port. */
  focus: (port: MessagePort, signal: AbortSignal) => inTurn(() => maker.focus(remoteStore(port), signal)),
  /** Writes the image to a file. The share that is written goes to a port. */
  async save(format: FileFormat, name: string, port: MessagePort, signal: AbortSignal): Promise<Blob> {
    const { saveImage } = await import("./export.ts");
    return saveImage(maker.made(), format, name, { signal, onProgress: (share) => port.postMessage(share) });
  },
  /** Compares the images at the other ends of two ports. */
  compare: (size: { readonly rows: number; readonly columns: number }, first: MessagePort, second: MessagePort, signal: AbortSignal) =>
    compareImages(size, remoteStore(first), remoteStore(second), signal),
};

/** What the worker can do. */
export type FocusApi = typeof api;

expose(api);
