/**
 * Arrays in the device's WASM memory. Writes and reads go through the device's queue, so that they keep their place among
 * the runs. Views are made anew at every use: memory that grows moves.
 */
import { ArrayView, bytes, dtypes, type Layout, numbers, type Storage, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { Heap } from "./heap.ts";
import type { Queue } from "./queue.ts";

export interface HostArray extends Storage {
  readonly layout: Layout;
  /** In the device's memory. */
  readonly address: number;
  /** The numbers, as of now: not to be kept. */
  readonly data: TypedArrayOf;
  /** The same, element by element, for references. */
  readonly elements: ArrayView;
}

/** A zeroed array. Throws `limit` beyond what WASM can address, `out-of-memory` where the host refuses. */
export function allocateHostArray(layout: Layout, label: string, heap: Heap, queue: Queue): HostArray {
  const address = heap.allocate(bytes(layout), label);
  const TypedArray = dtypes[layout.dtype].array;
  const length = numbers(layout);
  /** Writes that are queued: the block is theirs until they are done. */
  let writes = 0;
  let freed = false;
  const view = (): TypedArrayOf => new TypedArray(heap.memory.buffer, address, length) as TypedArrayOf;
  return {
    layout,
    address,
    get data() {
      return view();
    },
    get elements() {
      return new ArrayView(layout, view());
    },
    write(source, offset) {
      if (queue.idle) {
        view().set(source, offset);
        return;
      }
      const copy = typedArray(layout.dtype, source.length);
      copy.set(source); // not slice(): that of a Node Buffer shares its memory
      const written = (): void => {
        writes--;
        if (freed && writes === 0) heap.free(address);
      };
      writes++;
      queue.push({ what: `write to ${label}`, items: 1, run: () => view().set(copy, offset) }).then(written, written);
    },
    async read(offset, count) {
      const copy = typedArray(layout.dtype, count);
      await queue.push({ what: `read of ${label}`, items: 1, run: () => copy.set(view().subarray(offset, offset + count)) });
      return copy;
    },
    view,
    free() {
      freed = true;
      if (writes === 0) heap.free(address);
    },
  };
}
