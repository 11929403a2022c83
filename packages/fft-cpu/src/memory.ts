/** Arrays in host memory. Writes and reads go through the device's queue, so that they keep their place among the runs. */
import { ArrayView, bytes, type Layout, layoutText, numbers, RadarError, type Storage, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { Queue } from "./queue.ts";

export interface HostArray extends Storage {
  readonly layout: Layout;
  readonly data: TypedArrayOf;
  /** The same array, element by element, for references. */
  readonly elements: ArrayView;
}

/** A zeroed array. Throws `out-of-memory` where the host refuses. */
export function allocateHostArray(layout: Layout, label: string, queue: Queue): HostArray {
  let data: TypedArrayOf;
  try {
    data = typedArray(layout.dtype, numbers(layout));
  } catch (error) {
    throw new RadarError(
      "out-of-memory",
      `no memory for ${label}: ${layoutText(layout)}, ${bytes(layout)} bytes`,
      { label, bytes: bytes(layout) },
      error,
    );
  }
  return {
    layout,
    data,
    elements: new ArrayView(layout, data),
    write(source, offset) {
      if (queue.idle) {
        data.set(source, offset);
        return;
      }
      const copy = typedArray(layout.dtype, source.length);
      copy.set(source); // not slice(): that of a Node Buffer shares its memory
      queue.push({ what: `write to ${label}`, items: 1, run: () => data.set(copy, offset) }).catch(() => {});
    },
    async read(offset, length) {
      let copy = data.subarray(0, 0) as TypedArrayOf;
      await queue.push({
        what: `read of ${label}`,
        items: 1,
        run: () => {
          copy = data.slice(offset, offset + length);
        },
      });
      return copy;
    },
    view: () => data,
    free() {},
  };
}
