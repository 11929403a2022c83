/** Copies of big arrays that let the event loop have its turns, so that a signal is heard within some tens of milliseconds. */
import { inSlices, type Pause } from "@dechirp/core";

interface Settable {
  readonly length: number;
  set(values: ArrayLike<number>, at: number): void;
  subarray(from: number, to: number): ArrayLike<number>;
}

/** Copies `from` to `to` from number `at` on, as `set` does. */
export async function copyInto(to: Settable, from: Settable, at: number, pause: Pause): Promise<void> {
  await inSlices(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));
}
