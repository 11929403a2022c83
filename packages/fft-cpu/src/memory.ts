/**
 * Arrays in the device's WASM memory. Writes and reads go through the device's queue, so that they keep their place among
 * the runs that use the array. Views are made anew at every use: memory that grows moves.
 */
import { ArrayView, byteLength, dtypes, type Layout, type Op, portsOf, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { Storage } from "@dechirp/core/backend";
import type { Heap } from "./heap.ts";
import { createResource, inUse, type Queue, type Resource, type Uses } from "./queue.ts";

/** Numbers that are copied in a piece of work. */
const pieceNumbers = 2 ** 18;

export interface HostArray extends Storage {
  readonly layout: Layout;
  /** In the device's memory. */
  readonly address: number;
  /** The numbers, as of now: not to be kept. */
  readonly data: TypedArrayOf;
  /** The same, element by element, for references. */
  readonly elements: ArrayView;
  /** What the queue knows it by. */
  readonly resource: Resource;
}

/**
 * What runs of one plan of `op` use: the arrays that are bound, and the plan itself, whose words and work arrays serve one run
 * at a time.
 */
export function usesOf(op: Op): (ports: Readonly<Record<string, HostArray>>) => Uses {
  const plan = createResource();
  const ports = Object.entries(portsOf(op));
  const read = ports.filter(([, { access }]) => access === "read").map(([name]) => name);
  const written = ports.filter(([, { access }]) => access !== "read").map(([name]) => name);
  return (bound) => ({
    reads: read.map((name) => bound[name].resource),
    writes: [plan, ...written.map((name) => bound[name].resource)],
  });
}

/** A zeroed array. Throws `limit` beyond what WASM can address, `out-of-memory` where the host refuses. */
export function allocateHostArray(layout: Layout, label: string, heap: Heap, queue: Queue): HostArray {
  const address = heap.allocate(byteLength(layout), label);
  const TypedArray = dtypes[layout.dtype].array;
  const length = scalarCount(layout);
  /** Writes that are queued: the block is theirs until they are done. */
  let writes = 0;
  let freed = false;
  const resource = createResource();
  const view = (): TypedArrayOf => new TypedArray(heap.memory.buffer, address, length) as TypedArrayOf;
  return {
    layout,
    address,
    resource,
    get data() {
      return view();
    },
    get elements() {
      return new ArrayView(layout, view());
    },
    write(source, offset) {
      if (!inUse(resource)) {
        view().set(source, offset);
        return undefined;
      }
      const copy = typedArray(layout.dtype, source.length);
      copy.set(source); // not slice(): that of a Node Buffer shares its memory
      const written = (): void => {
        writes--;
        if (freed && writes === 0) heap.free(address);
      };
      writes++;
      const uses = { reads: [], writes: [resource] };
      const run = (from: number, to: number): void =>
        view().set(copy.subarray(from * pieceNumbers, to * pieceNumbers), offset + from * pieceNumbers);
      const done = queue.push({ what: `write to ${label}`, uses, items: Math.ceil(copy.length / pieceNumbers), run });
      done.then(written, written);
      return done;
    },
    async read(offset, count) {
      const copy = typedArray(layout.dtype, count);
      const uses = { reads: [resource], writes: [] };
      // A gigabyte at once would keep the event loop waiting.
      const run = (from: number, to: number): void => {
        const [start, end] = [from * pieceNumbers, Math.min(to * pieceNumbers, count)];
        copy.set(view().subarray(offset + start, offset + end), start);
      };
      await queue.push({ what: `read of ${label}`, uses, items: Math.ceil(count / pieceNumbers), run });
      return copy;
    },
    view,
    free() {
      freed = true;
      if (writes === 0) heap.free(address);
    },
  };
}
