/** Big arrays go to a device with turns of the event loop in between: for progress, and a signal that is heard within some tens of milliseconds. */
import { type Buffer, dtypes, inSlices, type Pause, type TypedArrayOf } from "@dechirp/core";

/** Writes all of `data` into `buffer`: a gigabyte at once would keep the event loop waiting for a second. */
export async function writeInSlices(buffer: Buffer, data: TypedArrayOf, pause: Pause): Promise<void> {
  const { components } = dtypes[buffer.layout.dtype];
  await inSlices(data.length, pause, (from, to) => buffer.write(data.subarray(from, to) as TypedArrayOf, from / components));
}
