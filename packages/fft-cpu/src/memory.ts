/**
 * Arrays in the device's WASM memory. Writes and reads go through the device's queue and keep their order among runs that use the array.
 * Views are made anew for every use, because memory that grows moves.
 */
import { ArrayView, byteLength, dtypes, type Layout, type Op, portsOf, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import type { Storage } from "@dechirp/core/backend";
import type { Heap } from "./heap.ts";
import { createResource, inUse, type Queue, type Resource, type Uses } from "./queue.ts";

/** Scalars that are copied at a time. */
const pieceNumbers = 2 ** 18;

/** An array in the device's memory. */
export interface HostArray extends Required<Storage> {
  readonly layout: Layout;
  /** Its address in the device's memory. */
  readonly address: number;
  /** A view of the scalars. Don't keep it: memory may move. */
  readonly data: TypedArrayOf;
  /** A view of the elements, for references. Don't keep it. */
  readonly elements: ArrayView;
  /** The array as a resource of the queue. */
  readonly resource: Resource;
}

/**
 * What the runs of one plan of `op` use: the bound arrays, and the plan itself, because its words and work arrays serve one run at a
 * time.
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

/** Allocates a zeroed array. Throws `limit` beyond what WASM can address, and `out-of-memory` if the host refuses. */
export function allocateHostArray(layout: Layout, label: string, heap: Heap, queue: Queue): HostArray {
  const address = heap.allocate(byteLength(layout), label);
  const TypedArray = dtypes[layout.dtype].array;
  const length = scalarCount(layout);
  /** Number of queued writes. The block must not be freed before they are done. */
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
      copy.set(source); // not slice(), because that of a Node Buffer shares its memory
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
    async read(offset, target) {
      const count = target.length;
      const uses = { reads: [resource], writes: [] };
      // In pieces: copying a gigabyte at once would block the event loop.
      const run = (from: number, to: number): void => {
        const [start, end] = [from * pieceNumbers, Math.min(to * pieceNumbers, count)];
        target.set(view().subarray(offset + start, offset + end), start);
      };
      const items = Math.ceil(count / pieceNumbers);
      await queue.push({ what: `read of ${label}`, uses, items, run, quick: items <= 1 });
    },
    borrow(offset, count, use) {
      const { buffer } = heap.memory;
      // Memory that is not shared is detached when it grows.
      if (typeof SharedArrayBuffer === "undefined" || !(buffer instanceof SharedArrayBuffer)) return undefined;
      // After the work that writes the array.
      return queue
        .push({ what: `read of ${label}`, uses: { reads: [resource], writes: [] }, items: 1, run() {}, quick: true })
        .then(() => use(view().subarray(offset, offset + count) as TypedArrayOf));
    },
    view,
    free() {
      freed = true;
      if (writes === 0) heap.free(address);
    },
  };
}

/** The part of an array that has `layout` from scalar `start` on. To the queue it is the whole array. */
export function partOfHostArray(whole: HostArray, start: number, layout: Layout): HostArray {
  const count = scalarCount(layout);
  const view = (): TypedArrayOf => whole.data.subarray(start, start + count) as TypedArrayOf;
  return {
    layout,
    address: whole.address + start * dtypes[layout.dtype].array.BYTES_PER_ELEMENT,
    resource: whole.resource,
    get data() {
      return view();
    },
    get elements() {
      return new ArrayView(layout, view());
    },
    write: (source, offset) => whole.write(source, start + offset),
    read: (offset, target) => whole.read(start + offset, target),
    borrow: (offset, length, use) => whole.borrow(start + offset, length, use),
    view,
    free() {},
  };
}
