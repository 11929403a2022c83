/**
 * MAT-file version 4 (MathWorks, "MAT-File Format", chapter 1, level 4): a run of matrices, each a 20-byte header, its
 * name and its numbers. Real and complex numeric and text matrices of either IEEE byte order; sparse ones are skipped
 * with a note, VAX and Cray numbers refused.
 */
import {
  charge,
  elementCount,
  interleave,
  type MatContext,
  matError,
  noteVariable,
  numbersAt,
  textOf,
  valueBytes,
  viewOf,
} from "./mat-context.ts";
import type { MatNumericClass, MatValue } from "./mat-types.ts";
import { type Storage, storageBytes } from "./numbers.ts";

const precisions: readonly (readonly [Storage, MatNumericClass])[] = [
  ["f64", "double"],
  ["f32", "single"],
  ["i32", "int32"],
  ["i16", "int16"],
  ["u16", "uint16"],
  ["u8", "uint8"],
];
const machines = ["IEEE little-endian", "IEEE big-endian", "VAX D-float", "VAX G-float", "Cray"];

/** Whether `bytes` start as a version 4 file: one of the first four bytes is zero, which no version 5 text header has. */
export const looksLikeMat4 = (bytes: Uint8Array): boolean => bytes.length >= 4 && bytes.subarray(0, 4).includes(0);

/** Every matrix of a version 4 file. Throws `input`. */
export function readMat4(file: string, bytes: Uint8Array, budget: MatContext["budget"], notes: string[]): Map<string, MatValue> {
  const variables = new Map<string, MatValue>();
  const view = viewOf(bytes);
  let at = 0;
  while (at < bytes.length) {
    const base: MatContext = { file, bytes, view, little: true, inflatedAt: undefined, budget, notes };
    if (bytes.length - at < 20) throw matError(base, at, "a version 4 matrix header of 20 bytes", `${bytes.length - at} bytes`);
    const isType = (type: number): boolean => type >= 0 && type < 5000;
    const little = isType(view.getInt32(at, true));
    const context: MatContext = { ...base, little };
    const type = view.getInt32(at, little);
    const [machine, zero, precision, kind] = [Math.floor(type / 1000), Math.floor(type / 100) % 10, Math.floor(type / 10) % 10, type % 10];
    if (!isType(type) || zero !== 0 || precision >= precisions.length || kind > 2) {
      throw matError(context, at, "a version 4 matrix type MOPT", type);
    }
    if (machine > 1 || (machine === 0) !== little) throw matError(context, at, "IEEE numbers", machines[machine]);
    const shape = [view.getInt32(at + 4, little), view.getInt32(at + 8, little)];
    const imaginary = view.getInt32(at + 12, little);
    const nameBytes = view.getInt32(at + 16, little);
    const count = elementCount(context, at + 4, shape);
    if (imaginary !== 0 && imaginary !== 1) throw matError(context, at + 12, "0 or 1 as the imaginary flag", imaginary);
    if (nameBytes < 1 || nameBytes > bytes.length - at - 20)
      throw matError(context, at + 16, "the length of a name inside the file", nameBytes);
    const nameEnd = at + 20 + nameBytes;
    const zeroAt = bytes.indexOf(0, at + 20);
    const name = textOf(bytes.subarray(at + 20, zeroAt === -1 || zeroAt > nameEnd ? nameEnd : zeroAt));
    if (name === "") throw matError(context, at + 20, "a variable name", "an empty one");

    const [storage, numericClass] = precisions[precision];
    const size = storageBytes[storage];
    const end = nameEnd + count * size * (1 + imaginary);
    if (end > bytes.length)
      throw matError(context, nameEnd, `${end - nameEnd} bytes of numbers of ${name}`, `${bytes.length - nameEnd} bytes`);
    charge(context, at, valueBytes);
    variables.set(name, readValue(context, nameEnd, shape, count, storage, numericClass, imaginary === 1, kind));
    if (kind === 2) noteVariable(context, name, "was skipped: sparse matrix");
    at = end;
  }
  return variables;
}

function readValue(
  context: MatContext,
  at: number,
  shape: readonly number[],
  count: number,
  storage: Storage,
  numericClass: MatNumericClass,
  complex: boolean,
  kind: number,
): MatValue {
  if (kind === 2) return { kind: "skipped", reason: "sparse matrix" };
  const size = storageBytes[storage];
  // No version 4 precision is 64-bit integer, so numbers are always exact.
  const part = (offset: number) => numbersAt(context, offset, count, storage, size) ?? new Float64Array(0);
  if (kind === 1) return { kind: "char", shape, text: textOf(part(at)) };
  const re = part(at);
  if (!complex) return { kind: "numeric", class: numericClass, shape, complex, data: re };
  return { kind: "numeric", class: numericClass, shape, complex, data: interleave(context, at, re, part(at + count * size)) };
}
