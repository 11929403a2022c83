/** Copies of big arrays that let the event loop have its turns: progress, and a signal that is heard within some tens of milliseconds. */
import { type Buffer, dtypes, inSlices, type Pause, type TypedArrayOf } from "@dechirp/core";

/** Copies `from` into `to` from number `at` on; numbers become those of its type. */
export const setInSlices = (to: Float32Array | Float64Array, from: Float32Array, at: number, pause: Pause): Promise<void> =>
  inSlices(from.length, pause, (start, end) => to.set(from.subarray(start, end), at + start));

/** Writes all of `data` into `buffer`: a gigabyte at once would keep the event loop waiting for a second. */
export async function writeInSlices(buffer: Buffer, data: TypedArrayOf, pause: Pause): Promise<void> {
  const { components } = dtypes[buffer.layout.dtype];
  await inSlices(data.length, pause, (from, to) => buffer.write(data.subarray(from, to) as TypedArrayOf, from / components));
}
