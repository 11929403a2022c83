/** Loops over big arrays that let the event loop have its turns, so that a signal is heard within some tens of milliseconds. */
import type { Pause } from "@dechirp/core";

/** Numbers of a slice, of which the slowest loop here does a few million in ten milliseconds. */
const sliceLength = 2 ** 16;

/** Calls `work` for `from` to `to` of `length` numbers, slice after slice, with pauses between. */
export async function inSlices(length: number, pause: Pause, work: (from: number, to: number) => void): Promise<void> {
  for (let from = 0; from < length; from += sliceLength) {
    work(from, Math.min(length, from + sliceLength));
    const waiting = pause();
    if (waiting) await waiting;
  }
}

/** Index of the first number that is not finite, −1 where there is none. `single`: as float32. */
export async function firstNotFinite(data: ArrayLike<number>, pause: Pause, single = false): Promise<number> {
  let found = -1;
  await inSlices(data.length, pause, (from, to) => {
    for (let i = from; i < to && found < 0; i++) if (!Number.isFinite(single ? Math.fround(data[i]) : data[i])) found = i;
  });
  return found;
}

interface Settable {
  readonly length: number;
  set(values: ArrayLike<number>, at: number): void;
  subarray(from: number, to: number): ArrayLike<number>;
}

/** Copies `from` to `to` from number `at` on, as `set` does. */
export async function copyInto(to: Settable, from: Settable, at: number, pause: Pause): Promise<void> {
  await inSlices(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));
}
