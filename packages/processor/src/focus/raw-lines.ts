/** The raw lines of a recording in an array of a device. Where the recording and the device allow it, lines are read into the array without a copy. */
import type { Buffer, Device, Layout, Pause } from "@dechirp/core";
import { type Echoes, linesOf, pulsesAtOnce, type StripmapRecording } from "../recording.ts";
import { writeInSlices } from "../run-stages.ts";

/** Bytes of lines that are read at once. They are checked and written while they are in the processor's caches. */
const readBytes = 2 ** 23;

/** The array. Dispose it when its lines are not needed any more. */
export interface RawLines extends Disposable {
  readonly buffer: Buffer;
  /** Reads all lines of a recording, which is named `where`. Rejects as `linesOf` does. */
  read(recording: StripmapRecording, where: string, pause: Pause, signal: AbortSignal | undefined): Promise<void>;
}

/** Makes the array. Throws what the device throws. */
export function createRawLines(device: Device, layout: Layout): RawLines {
  const buffer = device.alloc(layout, "raw");
  // The read that fills the array's memory. If it was cancelled, it may go on for a while, and no other array may get the memory until it has ended.
  let filling: PromiseLike<unknown> | undefined;
  const free = (): void => buffer[Symbol.dispose]();
  return {
    buffer,
    async read(recording, where, pause, signal) {
      const { shape, dtype } = recording;
      const [lines, samples] = shape;
      const memory = recording.readsInto ? memoryOf(buffer) : undefined;
      const pulses: StripmapRecording["pulses"] = (...given) => {
        const read = recording.pulses(...given);
        if (memory && "then" in read) {
          const ended = (): void => {
            filling = undefined;
          };
          filling = read.then(ended, ended);
        }
        return read;
      };
      const atOnce = pulsesAtOnce(samples, dtype, readBytes);
      for (let from = 0; from < lines; from += atOnce) {
        const count = Math.min(atOnce, lines - from);
        const place = memory?.subarray(2 * from * samples, 2 * (from + count) * samples) as Echoes | undefined;
        const block = await linesOf({ shape, dtype, pulses }, where, from, count, pause, signal, place);
        const isThere = block.buffer === place?.buffer && block.byteOffset === place.byteOffset;
        if (!isThere) await writeInSlices(buffer, block, from * samples, pause);
      }
    },
    [Symbol.dispose]: () => void (filling ? filling.then(free) : free()),
  };
}

/** The memory of an array of a CPU device, if threads share it: then it stays where it is while it grows. */
function memoryOf(buffer: Buffer): Echoes | undefined {
  const view = buffer.view?.();
  const isShared = typeof SharedArrayBuffer === "function" && (view?.buffer as ArrayBufferLike | undefined) instanceof SharedArrayBuffer;
  return isShared ? (view as Echoes) : undefined;
}
