/**
 * A heap in one WebAssembly memory. It holds arrays, tables of plans and scratch memory, so that the kernels of every worker can address
 * them. It allocates the first free block that is large enough; free blocks are ordered by address and merged with their neighbours.
 * Addresses are in bytes and multiples of 64. Only the device's thread may allocate.
 *
 * Blocks of 4096 bytes or more are made 2112 bytes longer. Otherwise arrays whose sizes are equal powers of two would start at the same
 * address modulo 4096. Two such streams alias in the processor's store buffer, which costs a third of a transform's speed (measured on a
 * Xeon, 2026-11).
 */
import { RadarError } from "@dechirp/core";

const pageBytes = 65_536;
const alignment = 64;
/** Extra bytes that keep two arrays from having the same address modulo 4096. */
export const apartBytes = 2112;

/** Options of `createHeap`. */
export interface HeapOptions {
  /** Whether workers share the memory. */
  readonly shared: boolean;
  /** Largest size of the memory: at most 4 GiB, the range of 32-bit addresses. Smaller if the host can't reserve so many addresses. */
  readonly maximumBytes: number;
  /** Bytes at the start that the heap does not use. Default: 64. */
  readonly reservedBytes?: number;
}

/** A WebAssembly memory and its allocator. */
export interface Heap {
  readonly memory: WebAssembly.Memory;
  /**
   * Allocates `bytes` bytes and returns their address. They are zeroed unless `raw` is given, for memory that is written before it is
   * read. Throws `limit` beyond the maximum, and `out-of-memory` if the host refuses.
   */
  allocate(bytes: number, label: string, raw?: "raw"): number;
  /** Frees a block. Throws an `Error` if no block is allocated there, because that is a bug. */
  free(address: number): void;
  /** Bytes allocated, padding included. */
  readonly used: number;
}

interface Block {
  address: number;
  bytes: number;
}

const fewestPages = 1024;

/** Creates the memory with the largest maximum, in pages, that the host grants. Throws `out-of-memory`. */
function createMemory(shared: boolean, most: number): { readonly memory: WebAssembly.Memory; readonly maximum: number } {
  for (let maximum = most; ; maximum >>>= 1) {
    try {
      return { memory: new WebAssembly.Memory({ initial: 16, maximum, shared }), maximum };
    } catch (error) {
      if (maximum < 2 * fewestPages) throw new RadarError("out-of-memory", "no memory for the CPU device", {}, error);
    }
  }
}

/** Creates a memory and a heap in it. Throws `out-of-memory`. */
export function createHeap({ shared, maximumBytes, reservedBytes = alignment }: HeapOptions): Heap {
  const { memory, maximum } = createMemory(shared, Math.min(65_536, Math.floor(maximumBytes / pageBytes)));
  const start = Math.ceil(reservedBytes / alignment) * alignment;
  const free: Block[] = [{ address: start, bytes: memory.buffer.byteLength - start }];
  const allocated = new Map<number, number>();
  /** Memory below this address may have been written; memory above it is still zero. */
  let touched = start;
  let used = 0;

  const grow = (bytes: number, label: string): void => {
    const last = free.at(-1);
    const end = memory.buffer.byteLength;
    const tail = last && last.address + last.bytes === end ? last : undefined;
    const missing = Math.ceil((bytes - (tail?.bytes ?? 0)) / pageBytes);
    if (end / pageBytes + missing > maximum) {
      throw new RadarError(
        "limit",
        `${label} needs ${bytes} bytes; ${used} of the ${maximum * pageBytes} that the CPU device may have are in use`,
        {
          label,
          bytes,
          used,
          limit: maximum * pageBytes,
        },
      );
    }
    try {
      memory.grow(missing);
    } catch (error) {
      throw new RadarError("out-of-memory", `no memory for ${label}: ${bytes} bytes`, { label, bytes }, error);
    }
    if (tail) tail.bytes += missing * pageBytes;
    else free.push({ address: end, bytes: missing * pageBytes });
  };

  const take = (bytes: number): number | undefined => {
    const i = free.findIndex((block) => block.bytes >= bytes);
    if (i < 0) return undefined;
    const block = free[i];
    const address = block.address;
    block.address += bytes;
    block.bytes -= bytes;
    if (block.bytes === 0) free.splice(i, 1);
    return address;
  };

  return {
    memory,
    get used() {
      return used;
    },
    allocate(bytes, label, raw) {
      const padded = bytes + (bytes >= 4096 ? apartBytes : 0);
      const size = Math.max(alignment, Math.ceil(padded / alignment) * alignment);
      let address = take(size);
      if (address === undefined) {
        grow(size, label);
        address = take(size) as number;
      }
      if (address < touched && !raw) new Uint8Array(memory.buffer, address, Math.min(size, touched - address)).fill(0);
      touched = Math.max(touched, address + size);
      allocated.set(address, size);
      used += size;
      return address;
    },
    free(address) {
      const bytes = allocated.get(address);
      if (bytes === undefined) throw new Error(`nothing is allocated at ${address}`);
      allocated.delete(address);
      used -= bytes;
      let i = free.findIndex((block) => block.address > address);
      if (i < 0) i = free.length;
      free.splice(i, 0, { address, bytes });
      for (const k of [i, i - 1]) {
        const [a, b] = [free[k], free[k + 1]];
        if (a && b && a.address + a.bytes === b.address) {
          a.bytes += b.bytes;
          free.splice(k + 1, 1);
        }
      }
    },
  };
}
