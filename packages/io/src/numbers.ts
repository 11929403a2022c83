/**
 * Numbers of either byte order out of bytes. Callers have checked that the bytes are there; nothing here knows a file
 * format. 64-bit integers become float64 where every one of them is exact.
 */

export type NumericArray = Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array;

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

export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of every `size`-byte word of `bytes` in place. */
export function swapBytes(bytes: Uint8Array, size: number): void {
  if (size === 1) return;
  for (let at = 0; at + size <= bytes.length; at += size) bytes.subarray(at, at + size).reverse();
}

/**
 * `count` numbers of `bytes` from `offset`, copied into an array of their own. `undefined` where a 64-bit integer is
 * beyond ±2^53, so not exact as a JavaScript number.
 */
export function decodeNumbers(
  bytes: Uint8Array,
  offset: number,
  count: number,
  storage: Storage,
  little: boolean,
): NumericArray | undefined {
  const size = storageBytes[storage];
  // Not bytes.slice: on a Node Buffer it is a view.
  const copy = new Uint8Array(count * size);
  copy.set(bytes.subarray(offset, offset + count * size));
  if (little !== hostIsLittleEndian) swapBytes(copy, size);
  if (storage !== "i64" && storage !== "u64") return new arrays[storage](copy.buffer, 0, count);
  const wide = storage === "i64" ? new BigInt64Array(copy.buffer) : new BigUint64Array(copy.buffer);
  const exact = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    exact[i] = Number(wide[i]);
    if (Math.abs(exact[i]) > Number.MAX_SAFE_INTEGER) return undefined;
  }
  return exact;
}
