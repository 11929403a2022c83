/** Loops over big arrays that let the event loop have its turns: progress, and a signal that is heard within some tens of milliseconds. */
import type { Pause } from "@dechirp/core";

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
