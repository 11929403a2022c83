/**
 * Decodes numbers of either byte order from bytes. Callers check beforehand that enough bytes are there. 64-bit integers become float64
 * if all of them are exact. Copies and joins bytes, too. This file knows no file format.
 */
import type { Pause } from "@dechirp/core";
import { copyInto, forEachSlice } from "@dechirp/core/internal";

/** Typed arrays that files decode to. */
export type NumericArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

/** How a number is stored in a file. */
export type Storage = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "f32" | "f64" | "i64" | "u64";

const arrays = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

/** Bytes per number of each storage type. */
export const storageBytes: Readonly<Record<Storage, number>> = {
  i8: 1,
  u8: 1,
  i16: 2,
  u16: 2,
  i32: 4,
  u32: 4,
  f32: 4,
  f64: 8,
  i64: 8,
  u64: 8,
};

/** Whether this machine is little-endian. */
export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the byte order of each word of `size` bytes in place. `bytes` must start at a multiple of `size` in its buffer. */
export async function swapBytes(bytes: Uint8Array, size: number, pause: Pause): Promise<void> {
  const { buffer, byteOffset, byteLength } = bytes;
  if (size === 2) {
    const words = new Uint16Array(buffer, byteOffset, byteLength / 2);
    await forEachSlice(words.length, pause, (from, to) => {
      for (let i = from; i < to; i++) words[i] = (words[i] >>> 8) | (words[i] << 8);
    });
  } else if (size > 2) {
    const words = new Uint32Array(buffer, byteOffset, byteLength / 4);
    // Words of 8 bytes also swap their two halves. Slices have an even length.
    const wide = size === 8;
    await forEachSlice(words.length, pause, (from, to) => {
      for (let i = from; i < to; i++) words[i] = reversed(words[i]);
      for (let i = from; wide && i < to; i += 2) {
        const first = words[i];
        words[i] = words[i + 1];
        words[i + 1] = first;
      }
    });
  }
}

const reversed = (word: number): number => (word << 24) | ((word & 0xff00) << 8) | ((word >>> 8) & 0xff00) | (word >>> 24);

/** Copies `length` bytes from `at` into a buffer of their own, and reverses the byte order of words of `size` bytes if `swapped`. */
export async function copyBytes(
  bytes: Uint8Array,
  at: number,
  length: number,
  size: number,
  swapped: boolean,
  pause: Pause,
): Promise<ArrayBuffer> {
  // bytes.slice would not do: on a Node Buffer it returns a view.
  const copy = new Uint8Array(length);
  await copyInto(copy, bytes.subarray(at, at + length), 0, pause);
  if (swapped) await swapBytes(copy, size, pause);
  return copy.buffer;
}

/**
 * Decodes `count` numbers of `bytes` from `offset` into a new array. Returns `undefined` if a 64-bit integer is beyond ±2^53 and so has
 * no exact JavaScript number.
 */
export async function decodeNumbers(
  bytes: Uint8Array,
  offset: number,
  count: number,
  storage: Storage,
  little: boolean,
  pause: Pause,
): Promise<NumericArray | undefined> {
  const size = storageBytes[storage];
  const copy = await copyBytes(bytes, offset, count * size, size, little !== hostIsLittleEndian, pause);
  if (storage !== "i64" && storage !== "u64") return new arrays[storage](copy, 0, count);
  const wide = storage === "i64" ? new BigInt64Array(copy) : new BigUint64Array(copy);
  const exact = new Float64Array(count);
  let inexact = false;
  await forEachSlice(count, pause, (from, to) => {
    for (let i = from; i < to && !inexact; i++) {
      exact[i] = Number(wide[i]);
      inexact = Math.abs(exact[i]) > Number.MAX_SAFE_INTEGER;
    }
  });
  return inexact ? undefined : exact;
}

/** The note for complex128 samples that are read as complex64. */
export const roundedNote = (file: string): string => `${file}: samples of 64 bits a part were rounded to 32 bits`;

/** Bytes one after the other in one array. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
