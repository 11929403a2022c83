/**
 * Decodes MAT-file version 4 (MathWorks, "MAT-File Format", chapter 1, level 4): a sequence of matrices, each with a 20-byte header, a
 * name and its numbers. It reads real and complex numeric and text matrices in either IEEE byte order, skips sparse matrices with a
 * note, and refuses VAX and Cray numbers.
 */
import {
  charge,
  checkBudget,
  checkNameBytes,
  checkTextLength,
  contextAt,
  elementCount,
  interleave,
  type MatContext,
  type MatInput,
  matError,
  noteVariable,
  numbersAt,
  textOf,
  valueBytes,
} from "./mat-context.ts";
import type { MatHead, MatNumericClass, MatValue } from "./mat-types.ts";
import { type Storage, storageBytes } from "./numbers.ts";

const headerBytes = 20;
const precisions: readonly (readonly [Storage, MatNumericClass])[] = [
  ["f64", "double"],
  ["f32", "single"],
  ["i32", "int32"],
  ["i16", "int16"],
  ["u16", "uint16"],
  ["u8", "uint8"],
];
const machines = ["IEEE little-endian", "IEEE big-endian", "VAX D-float", "VAX G-float", "Cray"];

/**
 * Whether `bytes` begin like a version 4 file: one of the first four bytes is zero, which never happens in the text header of version
 * 5.
 */
export const looksLikeMat4 = (bytes: Uint8Array): boolean => bytes.length >= 4 && bytes.subarray(0, 4).includes(0);

/** The header of a matrix. */
interface Head {
  readonly little: boolean;
  readonly shape: readonly number[];
  readonly count: number;
  readonly storage: Storage;
  readonly numericClass: MatNumericClass;
  readonly complex: boolean;
  /** 0: numbers, 1: text, 2: sparse. */
  readonly kind: number;
  readonly nameBytes: number;
}

/** A matrix whose numbers have not been read yet. */
interface Matrix {
  readonly name: string;
  readonly head: Head;
  readonly base: MatContext;
  /** The position of its numbers in the file, and their size in bytes. */
  readonly start: number;
  readonly size: number;
}

/** Yields every matrix of a version 4 file without reading its numbers. Throws `input`. */
async function* matrices(input: MatInput): AsyncGenerator<Matrix> {
  for (let at = 0; at < input.size; ) {
    const left = input.size - at;
    const base = await contextAt(input, at, Math.min(headerBytes, left), true);
    if (left < headerBytes) throw matError(base, 0, "a version 4 matrix header of 20 bytes", `${left} bytes`);
    const head = headOf(base);
    const { count, storage, complex, nameBytes, little } = head;
    if (nameBytes < 1 || nameBytes > left - headerBytes) throw matError(base, 16, "the length of a name inside the file", nameBytes);
    checkNameBytes(base, 16, nameBytes);
    const named = await contextAt(input, at + headerBytes, nameBytes, little);
    const zeroAt = named.bytes.indexOf(0);
    const name = await textOf(named.bytes.subarray(0, zeroAt === -1 ? nameBytes : zeroAt), input.pause);
    if (name === "") throw matError(named, 0, "a variable name", "an empty one");
    const start = at + headerBytes + nameBytes;
    const size = count * storageBytes[storage] * (complex ? 2 : 1);
    if (size > input.size - start) throw matError(named, nameBytes, `${size} bytes of numbers of ${name}`, `${input.size - start} bytes`);
    yield { name, head, base, start, size };
    at = start + size;
  }
}

/** Reads every matrix of a version 4 file. Throws `input`. */
export async function readMat4(input: MatInput): Promise<Map<string, MatValue>> {
  const variables = new Map<string, MatValue>();
  for await (const { name, head, base, start, size } of matrices(input)) {
    charge(base, 0, valueBytes);
    if (head.kind === 2) {
      variables.set(name, { kind: "skipped", reason: "sparse matrix" });
      noteVariable(input, name, "was skipped: sparse matrix");
    } else {
      checkBudget(base, 0, size);
      variables.set(name, await readValue(await contextAt(input, start, size, head.little), head));
    }
  }
  return variables;
}

/** Reads the headers of all matrices of a version 4 file, without their numbers. Throws `input`. */
export async function readMat4Heads(input: MatInput): Promise<MatHead[]> {
  const heads: MatHead[] = [];
  for await (const { name, head } of matrices(input))
    heads.push({ name, kind: head.kind === 0 ? "numeric" : "other", shape: head.shape, complex: head.complex });
  return heads;
}

/** Parses a matrix header. Throws `input` if it is not valid. */
function headOf(base: MatContext): Head {
  const { view } = base;
  const isType = (type: number): boolean => type >= 0 && type < 5000;
  const little = isType(view.getInt32(0, true));
  const context: MatContext = { ...base, little };
  const type = view.getInt32(0, little);
  const [machine, zero, precision, kind] = [Math.floor(type / 1000), Math.floor(type / 100) % 10, Math.floor(type / 10) % 10, type % 10];
  if (!isType(type) || zero !== 0 || precision >= precisions.length || kind > 2) {
    throw matError(context, 0, "a version 4 matrix type MOPT", type);
  }
  if (machine > 1 || (machine === 0) !== little) throw matError(context, 0, "IEEE numbers", machines[machine]);
  const shape = [view.getInt32(4, little), view.getInt32(8, little)];
  const imaginary = view.getInt32(12, little);
  const count = elementCount(context, 4, shape);
  if (imaginary !== 0 && imaginary !== 1) throw matError(context, 12, "0 or 1 as the imaginary flag", imaginary);
  const [storage, numericClass] = precisions[precision];
  return { little, shape, count, storage, numericClass, complex: imaginary === 1, kind, nameBytes: view.getInt32(16, little) };
}

async function readValue(context: MatContext, head: Head): Promise<MatValue> {
  const { shape, count, storage, numericClass, complex, kind } = head;
  const size = storageBytes[storage];
  // Version 4 has no 64-bit integers, so all its numbers are exact.
  const part = async (offset: number) => (await numbersAt(context, offset, count, storage, size)) ?? new Float64Array(0);
  if (kind === 1) {
    checkTextLength(context, 0, count);
    return { kind: "char", shape, text: await textOf(await part(0), context.pause) };
  }
  const re = await part(0);
  const data = complex ? await interleave(context, 0, re, await part(count * size)) : re;
  return { kind: "numeric", class: numericClass, shape, complex, data };
}
