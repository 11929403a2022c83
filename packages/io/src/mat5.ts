/**
 * Decodes MAT-file version 5 (MathWorks, "MAT-File Format", chapter 1, level 5): tagged data elements of either byte order. Each
 * variable is one matrix element, plain or zlib-compressed. Every size is checked against the bytes that are there before anything is
 * allocated, nesting depth is limited, and every decoded value is charged to the budget.
 */
import type { Pause } from "@dechirp/core";
import { forEachSlice } from "@dechirp/core/internal";
import { inflateBounded, inflateHead, maxInflatedBytes } from "./inflate.ts";
import {
  charge,
  checkBudget,
  checkNameBytes,
  checkTextLength,
  contextAt,
  elementCount,
  headBytes,
  interleave,
  type MatContext,
  type MatInput,
  matError,
  noteVariable,
  numbersAt,
  textOf,
  valueBytes,
  viewOf,
} from "./mat-context.ts";
import type { MatHead, MatNumeric, MatNumericClass, MatValue } from "./mat-types.ts";
import { type Storage, storageBytes } from "./numbers.ts";

const headerBytes = 128;
const maxDepth = 64;
/** Budget for inflating a variable, however small. Thousands of variables of a few bytes each would otherwise take minutes. */
const inflateBytes = 2 ** 15;
const maxAxes = 32;

const typeInt8 = 1;
const typeUint8 = 2;
const typeInt32 = 5;
const typeUint32 = 6;
const typeMatrix = 14;
const typeCompressed = 15;
const typeUtf8 = 16;
const typeUtf16 = 17;
const typeUtf32 = 18;

const storages: Readonly<Record<number, Storage>> = {
  [typeInt8]: "i8",
  [typeUint8]: "u8",
  3: "i16",
  4: "u16",
  [typeInt32]: "i32",
  [typeUint32]: "u32",
  7: "f32",
  9: "f64",
  12: "i64",
  13: "u64",
};

const classCell = 1;
const classStruct = 2;
const classChar = 4;
const classOpaque = 17;
const numericClasses: Readonly<Record<number, MatNumericClass>> = {
  6: "double",
  7: "single",
  8: "int8",
  9: "uint8",
  10: "int16",
  11: "uint16",
  12: "int32",
  13: "uint32",
  14: "int64",
  15: "uint64",
};
const skippedClasses: Readonly<Record<number, string>> = {
  3: "object",
  5: "sparse matrix",
  16: "function handle",
  [classOpaque]: "object of a class",
};

/** A matrix element without bytes means the empty matrix []. */
const emptyMatrix: MatNumeric = { kind: "numeric", class: "double", shape: [0, 0], complex: false, data: new Float64Array(0) };

/** A data element: `size` bytes of `type` from `start`. The next element begins at `next`. */
interface Element {
  readonly at: number;
  readonly type: number;
  readonly size: number;
  readonly start: number;
  readonly next: number;
}

/** Reads every variable of a version 5 file. Throws `input`. */
export async function readMat5(input: MatInput, little: boolean): Promise<Map<string, MatValue>> {
  const variables = new Map<string, MatValue>();
  for (let at = headerBytes; at < input.size; ) {
    const left = input.size - at;
    const whole = await contextAt(input, at, Math.min(8, left), little);
    const element = elementAt(whole, 0, left);
    const { name, value } =
      element.type === typeCompressed ? await readCompressed(input, whole, element) : await readPlain(input, whole, element);
    if (name === "") {
      noteVariable(input, `at byte ${at}`, "has no name and was skipped");
    } else {
      if (variables.has(name)) noteVariable(input, name, "occurs twice; the later one counts");
      if (value.kind === "skipped") noteVariable(input, name, `was skipped: ${value.reason}`);
      variables.set(name, value);
    }
    at += element.next;
  }
  return variables;
}

/** Reads the headers of all variables of a version 5 file, without their values. Throws `input`. */
export async function readMat5Heads(input: MatInput, little: boolean): Promise<MatHead[]> {
  const heads: MatHead[] = [];
  for (let at = headerBytes; at < input.size; ) {
    const left = input.size - at;
    const tag = await contextAt(input, at, Math.min(8, left), little);
    const outer = elementAt(tag, 0, left);
    at += outer.next;
    let context = await contextAt(input, tag.origin, Math.min(outer.next, headBytes), little);
    let element = outer;
    if (outer.type === typeCompressed) {
      const source = { length: outer.size, load: (from: number, n: number) => input.load(tag.origin + outer.start + from, n) };
      const bytes = await inflateHead(source, headBytes, input.pause);
      context = { ...context, bytes, view: viewOf(bytes), inflatedAt: tag.origin };
      if (bytes.length < 8) throw matError(tag, outer.start, "a zlib stream of a variable", `${bytes.length} inflated bytes`);
      element = elementAt(context, 0, maxInflatedBytes(outer.size));
    }
    if (element.type !== typeMatrix) throw matError(context, 0, "a matrix element (type 14)", `type ${element.type}`);
    if (element.size === 0) continue;
    // A stream that is cut short yields fewer bytes than the element states.
    const { name, shape, complex, numericClass, code } = headOf(context, {
      ...element,
      size: Math.min(element.size, context.bytes.length - element.start),
    });
    heads.push({ name, kind: numericClass !== undefined ? "numeric" : code === classStruct ? "struct" : "other", shape, complex });
  }
  return heads;
}

interface Named {
  readonly name: string;
  readonly value: MatValue;
}

/** Reads an uncompressed variable. Its header is checked before its numbers are read, and skipped variables are not read. */
async function readPlain(input: MatInput, whole: MatContext, element: Element): Promise<Named> {
  if (element.type !== typeMatrix) throw matError(whole, 0, "a matrix element (type 14)", `type ${element.type}`);
  let needed = element.next;
  if (needed > headBytes) {
    const head = await contextAt(input, whole.origin, headBytes, whole.little);
    const found = headOf(head, element);
    if (found.skipped !== undefined) return { name: found.name, value: { kind: "skipped", reason: found.skipped } };
    if (found.numericClass !== undefined) {
      const { next } = partAt(head, found.at, found.end, found.count, "real part").element;
      // Bytes after the numbers have no meaning. An imaginary part has a tag and at most 8 bytes per number.
      needed = Math.min(needed, found.complex ? next + 8 * (found.count + 1) : next);
    }
    // Decoded numbers take at least as much memory as in the file, and so do cells, structs and texts.
    checkBudget(whole, 0, needed - headBytes);
  }
  const context = await contextAt(input, whole.origin, needed, whole.little);
  return readMatrix(context, element, 0);
}

async function readCompressed(input: MatInput, whole: MatContext, element: Element): Promise<Named> {
  const [context, matrix] = await inflated(input, whole, element);
  return readMatrix(context, matrix, 0);
}

/** Parses the tag at `at`, of 8 bytes or in the small form, of an element that lies before `end`. */
function elementAt(context: MatContext, at: number, end: number): Element {
  if (end - at < 8) throw matError(context, at, "the 8 bytes of an element's tag", `${Math.max(0, end - at)} bytes`);
  const word = context.view.getUint32(at, context.little);
  const smallSize = word >>> 16;
  if (smallSize !== 0) {
    if (smallSize > 4) throw matError(context, at, "at most 4 bytes in a small element", smallSize);
    return { at, type: word & 0xffff, size: smallSize, start: at + 4, next: at + 8 };
  }
  const size = context.view.getUint32(at + 4, context.little);
  const start = at + 8;
  if (size > end - start) throw matError(context, at + 4, `an element of at most ${end - start} bytes`, size);
  // Elements are padded to 8 bytes, except compressed ones. Some writers leave out the padding at the end.
  const padded = word === typeCompressed ? size : Math.ceil(size / 8) * 8;
  return { at, type: word, size, start, next: Math.min(start + padded, end) };
}

async function inflated(input: MatInput, whole: MatContext, element: Element): Promise<[MatContext, Element]> {
  charge(whole, 0, inflateBytes);
  const { start, size: length } = element;
  const source = { length, load: (at: number, n: number) => input.load(whole.origin + start + at, n) };
  const limit = (head: Uint8Array): number => {
    const view = viewOf(head);
    const [type, size] = [view.getUint32(0, whole.little), view.getUint32(4, whole.little)];
    if (type !== typeMatrix) throw matError(whole, start, "a compressed matrix element (type 14)", `type ${type}`);
    const most = maxInflatedBytes(length);
    if (size + 8 > most) throw matError(whole, start, `a variable of at most ${most} bytes in ${length} compressed bytes`, size);
    charge(whole, start, size + 8);
    return size + 16;
  };
  const result = await inflateBounded(source, 8, limit, input.pause);
  if ("problem" in result) {
    const { expected, actual, cause } = result.problem;
    throw matError(whole, start, expected, actual, cause);
  }
  const bytes = result.output;
  const context: MatContext = { ...whole, bytes, view: viewOf(bytes), inflatedAt: whole.origin };
  return [context, elementAt(context, 0, bytes.length)];
}

/** Parses the tag at `at` and checks that its type is one of `types`. */
function expectElement(context: MatContext, at: number, end: number, types: readonly number[], what: string): Element {
  const element = elementAt(context, at, end);
  if (!types.includes(element.type)) throw matError(context, at, `${what} (type ${types.join(" or ")})`, `type ${element.type}`);
  return element;
}

/** The header of a matrix. */
interface Head {
  readonly name: string;
  readonly shape: readonly number[];
  readonly count: number;
  /** MATLAB's code of the class. */
  readonly code: number;
  /** Why values of this class are not read. */
  readonly skipped: string | undefined;
  readonly numericClass: MatNumericClass | undefined;
  readonly complex: boolean;
  /** Where the values begin and end. */
  readonly at: number;
  readonly end: number;
}

/** Parses the header of a matrix. Throws `input` if its flags, dimensions or name are not valid or its class is unknown. */
function headOf(context: MatContext, element: Element): Head {
  const end = element.start + element.size;
  const flagsElement = expectElement(context, element.start, end, [typeUint32], "array flags");
  if (flagsElement.size !== 8) throw matError(context, flagsElement.at, "8 bytes of array flags", flagsElement.size);
  const flags = context.view.getUint32(flagsElement.start, context.little);
  const code = flags & 0xff;
  let at = flagsElement.next;

  let shape: readonly number[] = [];
  let count = 0;
  if (code !== classOpaque) {
    const dims = expectElement(context, at, end, [typeInt32, typeUint32], "dimensions");
    if (dims.size < 8 || dims.size > 4 * maxAxes || dims.size % 4 !== 0) {
      throw matError(context, dims.at, `2 to ${maxAxes} dimensions of 4 bytes`, `${dims.size} bytes`);
    }
    shape = Array.from({ length: dims.size / 4 }, (_, i) => context.view.getInt32(dims.start + 4 * i, context.little));
    count = elementCount(context, dims.start, shape);
    at = dims.next;
  }
  const named = expectElement(context, at, end, [typeInt8, typeUint8, typeUtf8], "the array's name");
  checkNameBytes(context, named.at, named.size);
  const name = nameOf(context.bytes.subarray(named.start, named.start + named.size));
  const skipped = skippedClasses[code];
  const known = numericClasses[code];
  const numericClass = known !== undefined && (flags & 0x200) !== 0 ? "logical" : known;
  if (skipped === undefined && numericClass === undefined && code !== classCell && code !== classStruct && code !== classChar)
    throw matError(context, flagsElement.start, "an array class from 1 to 17", code);
  return { name, shape, count, code, skipped, numericClass, complex: (flags & 0x800) !== 0, at: named.next, end };
}

/** Text up to the first zero byte. */
const nameOf = (bytes: Uint8Array): string => utf8(bytes.subarray(0, bytes.includes(0) ? bytes.indexOf(0) : bytes.length));

async function readMatrix(context: MatContext, element: Element, depth: number): Promise<Named> {
  if (element.type !== typeMatrix) throw matError(context, element.at, "a matrix element (type 14)", `type ${element.type}`);
  if (depth > maxDepth) throw matError(context, element.at, `at most ${maxDepth} nested arrays`, "more");
  // Charged for empty matrices too: a kilobyte of compressed bytes can hold a hundred thousand of them.
  charge(context, element.at, valueBytes);
  const waiting = context.pause();
  if (waiting) await waiting;
  if (element.size === 0) return { name: "", value: emptyMatrix };
  const head = headOf(context, element);
  const { name, shape, count, code, skipped, numericClass, at, end } = head;
  if (skipped !== undefined) return { name, value: { kind: "skipped", reason: skipped } };
  if (code === classCell) return { name, value: { kind: "cell", shape, cells: await readMatrices(context, at, end, count, depth) } };
  if (code === classStruct) return { name, value: await readStruct(context, at, end, shape, count, depth) };
  if (numericClass === undefined) return { name, value: await readChar(context, at, end, shape, count) };
  return { name, value: await readNumeric(context, at, end, shape, count, numericClass, head.complex) };
}

/** Reads `count` consecutive matrix elements. */
async function readMatrices(context: MatContext, from: number, end: number, count: number, depth: number): Promise<MatValue[]> {
  // Each takes at least a tag of 8 bytes.
  if (count > (end - from) / 8) throw matError(context, from, `${count} array elements`, `${end - from} bytes`);
  charge(context, from, 8 * count);
  const values: MatValue[] = [];
  let at = from;
  for (let i = 0; i < count; i++) {
    const element = elementAt(context, at, end);
    values.push((await readMatrix(context, element, depth + 1)).value);
    at = element.next;
  }
  return values;
}

async function readStruct(
  context: MatContext,
  from: number,
  end: number,
  shape: readonly number[],
  count: number,
  depth: number,
): Promise<MatValue> {
  const length = expectElement(context, from, end, [typeInt32], "the length of field names");
  const nameBytes = length.size === 4 ? context.view.getInt32(length.start, context.little) : 0;
  if (nameBytes < 1) throw matError(context, length.at, "a positive length of field names", nameBytes);
  checkNameBytes(context, length.at, nameBytes);
  const names = expectElement(context, length.next, end, [typeInt8, typeUint8], "field names");
  if (names.size % nameBytes !== 0) throw matError(context, names.at, `field names of ${nameBytes} bytes each`, `${names.size} bytes`);
  const fieldCount = names.size / nameBytes;
  charge(context, names.at, valueBytes * fieldCount);
  const lists: MatValue[][] = [];
  const fields = new Map<string, MatValue[]>();
  for (let i = 0; i < fieldCount; i++) {
    const at = names.start + i * nameBytes;
    const name = nameOf(context.bytes.subarray(at, at + nameBytes));
    const waiting = context.pause();
    if (waiting) await waiting;
    if (name === "" || fields.has(name)) throw matError(context, at, "a non-empty field name that occurs once", name);
    const list: MatValue[] = [];
    lists.push(list);
    fields.set(name, list);
  }
  const values = await readMatrices(context, names.next, end, fieldCount === 0 ? 0 : count * fieldCount, depth);
  values.forEach((value, i) => {
    lists[i % fieldCount].push(value);
  });
  return { kind: "struct", shape, fields };
}

async function readNumeric(
  context: MatContext,
  from: number,
  end: number,
  shape: readonly number[],
  count: number,
  numericClass: MatNumericClass,
  complex: boolean,
): Promise<MatValue> {
  const re = await readPart(context, from, end, count, "real part");
  if (!complex) return re.data ? { kind: "numeric", class: numericClass, shape, complex, data: re.data } : inexact;
  const im = await readPart(context, re.next, end, count, "imaginary part");
  if (!re.data || !im.data) return inexact;
  return { kind: "numeric", class: numericClass, shape, complex, data: await interleave(context, from, re.data, im.data) };
}

const inexact: MatValue = { kind: "skipped", reason: "64-bit integers beyond 2^53" };

/** Parses the tag of `count` numbers at `at` and finds how they are stored. */
function partAt(context: MatContext, at: number, end: number, count: number, what: string) {
  const element = elementAt(context, at, end);
  const storage = storages[element.type];
  if (storage === undefined) throw matError(context, at, `a numeric element of the ${what}`, `type ${element.type}`);
  const size = storageBytes[storage];
  if (element.size !== count * size) throw matError(context, at, `${count * size} bytes of the ${what}`, element.size);
  return { element, storage, size };
}

async function readPart(context: MatContext, at: number, end: number, count: number, what: string) {
  const { element, storage, size } = partAt(context, at, end, count, what);
  return { data: await numbersAt(context, element.start, count, storage, size), next: element.next };
}

async function readChar(context: MatContext, from: number, end: number, shape: readonly number[], count: number): Promise<MatValue> {
  const element = elementAt(context, from, end);
  const { type, size, start } = element;
  charge(context, from, 2 * size);
  let text: string;
  if (type === typeUtf8) {
    checkTextLength(context, from, size);
    text = await longUtf8(context.bytes.subarray(start, start + size), context.pause);
  } else {
    const storage = type === typeUtf16 ? "u16" : type === typeUtf32 ? "u32" : storages[type];
    if (storage === undefined || storageBytes[storage] > 4) throw matError(context, from, "a text element", `type ${type}`);
    const width = storageBytes[storage];
    if (size % width !== 0) throw matError(context, from, `text in units of ${width} bytes`, `${size} bytes`);
    checkTextLength(context, from, size / width);
    text = await textOf((await numbersAt(context, start, size / width, storage, width)) ?? new Float64Array(0), context.pause);
  }
  if (text.length === count) return { kind: "char", shape, text };
  // Writers count a row of text in bytes, code units or code points.
  if (shape.length === 2 && shape[0] === 1 && size >= count) return { kind: "char", shape: [1, text.length], text };
  throw matError(context, from, `${count} characters`, text.length);
}

const utf8 = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

async function longUtf8(bytes: Uint8Array, pause: Pause): Promise<string> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const parts: string[] = [];
  await forEachSlice(bytes.length, pause, (from, to) => parts.push(decoder.decode(bytes.subarray(from, to), { stream: true })));
  return parts.join("") + decoder.decode();
}
