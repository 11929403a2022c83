/** The worker of the task Focus: makes images on one device, writes files of them, and compares the images of two devices. */
import { expose } from "comlink";
import { remoteStore } from "../image/remote-store.ts";
import "../work/wire.ts";
import { compareImages } from "./compare.ts";
import type { FileFormat } from "./export.ts";
import { createMaker, type Job } from "./maker.ts";
import type { FocusEvent, ToldEvent } from "./messages.ts";

let tell: (event: FocusEvent) => void = () => {};
/** The number of the run that is at work. */
let run = 0;
const maker = createMaker((event) => tell(event));

/** Ends when the work before has ended, so that one image is made at a time. */
let before: Promise<unknown> = Promise.resolve();

function inTurn<T>(number: number, work: () => Promise<T>): Promise<T> {
  const result = before.then(() => {
    run = number;
    return work();
  });
  before = result.catch(() => {});
  return result;
}

/** The port to the image that was made last. */
let imagePort: MessagePort | undefined;

const api = {
  /** Names the port to which events (`ToldEvent`) are posted. */
  listen(port: MessagePort): void {
    tell = (event) => port.postMessage({ run, event } satisfies ToldEvent);
  },
  /** Opens the recording and plans its image, for the run of this number. */
  plan: (number: number, job: Job, signal: AbortSignal) => inTurn(number, () => maker.plan(job, signal)),
  /** Makes the planned image into the one at the other end of a port. */
  focus: (number: number, port: MessagePort, signal: AbortSignal) =>
    inTurn(number, () => {
      imagePort?.close();
      imagePort = port;
      return maker.focus(remoteStore(port), signal);
    }),
  /** Writes the image to a file. The share that is written goes to a port. */
  async save(format: FileFormat, name: string, port: MessagePort, signal: AbortSignal): Promise<Blob> {
    const { saveImage } = await import("./export.ts");
    return saveImage(maker.made(), format, name, { signal, onProgress: (share) => port.postMessage(share) });
  },
  /** Compares the images at the other ends of two ports. */
  async compare(size: { readonly rows: number; readonly columns: number }, first: MessagePort, second: MessagePort, signal: AbortSignal) {
    try {
      return await compareImages(size, remoteStore(first), remoteStore(second), signal);
    } finally {
      first.close();
      second.close();
    }
  },
};

/** What the worker can do. */
export type FocusApi = typeof api;

expose(api);
