/** Loops over big arrays that let the event loop have its turns: progress, and a signal that is heard within some tens of milliseconds. */
import { type Buffer, dtypes, type Pause, type TypedArrayOf } from "@dechirp/core";

const sliceLength = 2 ** 16;

/** Calls `work` for `from` to `to` of `length` items, slice after slice, with pauses between. */
export async function inSlices(length: number, pause: Pause, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += sliceLength) {
    work(from, Math.min(length, from + sliceLength));
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Index of the first number that is not finite, −1 where there is none. */
export async function firstNotFinite(data: ArrayLike<number>, pause: Pause): Promise<number> {
  let found = -1;
  await inSlices(data.length, pause, (from, to) => {
    for (let i = from; i < to && found < 0; i++) if (!Number.isFinite(data[i])) found = i;
  });
  return found;
}

/** Copies `from` into `to` from number `at` on; numbers become those of its type. */
export const setInSlices = (to: Float32Array | Float64Array, from: Float32Array, at: number, pause: Pause): Promise<void> =>
  inSlices(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));

/** Writes all of `data` into `buffer`: a gigabyte at once would keep the event loop waiting for a second. */
export async function writeInSlices(buffer: Buffer, data: TypedArrayOf, pause: Pause): Promise<void> {
  const { components } = dtypes[buffer.layout.dtype];
  await inSlices(data.length, pause, (from, to) => buffer.write(data.subarray(from, to) as TypedArrayOf, from / components));
}
