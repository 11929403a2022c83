/**
 * One WebAssembly memory as a heap: where arrays, plans' tables and scratch live, so that kernels of every worker can reach
 * them by address. First fit over address-ordered free blocks, neighbours merged. Addresses are bytes, multiples of 64.
 * Not an array: memory.ts makes arrays of blocks. Not thread-safe: the device's thread alone allocates.
 *
 * Blocks of a page or more are set apart by 2112 bytes beyond their size, so that arrays of equal power-of-two size do not
 * start at one address modulo 4096: two streams that do alias in the store buffer, which costs a third of a transform's
 * speed (measured on a Xeon, 2026-11).
 */
import { RadarError } from "@dechirp/core";

const pageBytes = 65_536;
const alignment = 64;
/** What keeps two streams from sharing an address modulo 4096. */
export const apartBytes = 2112;

export interface HeapOptions {
  /** Whether workers share the memory. */
  readonly shared: boolean;
  /** At most 4 GiB, what 32-bit addresses reach; less where the host has no room for so many addresses. */
  readonly maximumBytes: number;
  /** Bytes at the start that are left alone. */
  readonly reservedBytes?: number;
}

export interface Heap {
  readonly memory: WebAssembly.Memory;
  /**
   * Address of `bytes` bytes, zeroed unless they are `raw`: what is written before it is read need not be. Throws `limit` beyond the
   * maximum, `out-of-memory` where the host refuses.
   */
  allocate(bytes: number, label: string, raw?: "raw"): number;
  /** Gives a block back. Freeing what is not allocated is a defect and throws. */
  free(address: number): void;
  /** Bytes allocated, padding included. */
  readonly used: number;
}

interface Block {
  address: number;
  bytes: number;
}

const fewestPages = 1024;

/** The memory with the largest maximum, in pages, that the host grants. Throws `out-of-memory`. */
function createMemory(shared: boolean, most: number): { readonly memory: WebAssembly.Memory; readonly maximum: number } {
  for (let maximum = most; ; maximum >>>= 1) {
    try {
      return { memory: new WebAssembly.Memory({ initial: 16, maximum, shared }), maximum };
    } catch (error) {
      if (maximum < 2 * fewestPages) throw new RadarError("out-of-memory", "no memory for the CPU device", {}, error);
    }
  }
}

export function createHeap({ shared, maximumBytes, reservedBytes = alignment }: HeapOptions): Heap {
  const { memory, maximum } = createMemory(shared, Math.min(65_536, Math.floor(maximumBytes / pageBytes)));
  const start = Math.ceil(reservedBytes / alignment) * alignment;
  const free: Block[] = [{ address: start, bytes: memory.buffer.byteLength - start }];
  const allocated = new Map<number, number>();
  /** Up to here memory has been written: what lies beyond is still zero. */
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
