/**
 * NumPy's .npy format (numpy.lib.format, versions 1.0, 2.0 and 3.0) to and from layouts. Complex int8 and int16, which
 * NumPy lacks, are stored as int8 and int16 with a last axis of 2 (real, imaginary). Floating-point pairs of that kind are read too.
 */
import { checkLayout, count, type DType, dtypes, inputError, type Layout, numbers, RadarError, type TypedArrayOf } from "@dechirp/core";
import { fileError } from "./file-error.ts";
import { foreignError } from "./foreign.ts";
import { hostIsLittleEndian, swapBytes } from "./numbers.ts";

/** An array with what it is. */
export interface NpyArray<D extends DType = DType> {
  readonly layout: Layout<D>;
  readonly data: TypedArrayOf<D>;
}

export interface ReadNpyOptions {
  /** Name for messages. */
  readonly file: string;
  /** Read int8, int16, float32 and float64 with a last axis of 2 (real, imaginary) as ci8, ci16, c64 and c128. */
  readonly complexPairs?: boolean;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** NumPy's own limit on axes. */
const maxAxes = 64;
/** Headers of 64 axes are shorter. */
const maxHeaderBytes = 8192;

const dtypeOf: Readonly<Record<string, DType>> = { f4: "f32", f8: "f64", c8: "c64", c16: "c128", i1: "i8", i2: "i16", u1: "u8", u4: "u32" };
/** What an array of pairs is, by the type of one part. */
const pairOf: Partial<Record<DType, DType>> = { i8: "ci8", i16: "ci16", f32: "c64", f64: "c128" };
const storedAs: Partial<Record<DType, { readonly code: string; readonly pair: boolean }>> = {
  f32: { code: "<f4", pair: false },
  f64: { code: "<f8", pair: false },
  c64: { code: "<c8", pair: false },
  c128: { code: "<c16", pair: false },
  i8: { code: "|i1", pair: false },
  i16: { code: "<i2", pair: false },
  u8: { code: "|u1", pair: false },
  u32: { code: "<u4", pair: false },
  ci8: { code: "|i1", pair: true },
  ci16: { code: "<i2", pair: true },
};

/**
 * Reads a .npy file: `<f4 <f8 <c8 <c16 |i1 <i2 |u1 <u4`, or the same big-endian, of one axis or more. An array in
 * Fortran order is converted to row-major. The data may be a view of `bytes` where order and alignment allow.
 * Throws `input` with fields `{ file, offset, expected, actual }`.
 */
export function readNpy(bytes: Uint8Array, options: ReadNpyOptions): NpyArray {
  const { file } = options;
  if (bytes.length < 10 || !magic.every((byte, i) => bytes[i] === byte)) {
    const actual = bytes.length < 10 ? `${bytes.length} bytes` : "something else";
    throw foreignError(file, bytes, "npy") ?? fileError(file, 0, "a .npy file's magic string and version", actual);
  }
  const major = bytes[6];
  if (major < 1 || major > 3 || bytes[7] !== 0) throw fileError(file, 6, ".npy version 1.0, 2.0 or 3.0", `${major}.${bytes[7]}`);
  const headerAt = major === 1 ? 10 : 12;
  if (bytes.length < headerAt) throw fileError(file, 8, "the header's length", `${bytes.length} bytes`);
  const headerBytes = bytes[8] + bytes[9] * 256 + (major === 1 ? 0 : bytes[10] * 65536 + bytes[11] * 16777216);
  const dataAt = headerAt + headerBytes;
  if (headerBytes > maxHeaderBytes || dataAt > bytes.length)
    throw fileError(file, 8, `a header inside the file and of at most ${maxHeaderBytes} bytes`, `${headerBytes} bytes`);
  const { descr, fortran, shape } = parseHeader(file, headerAt, String.fromCharCode(...bytes.subarray(headerAt, dataAt)));

  const match = /^([<>|])([fciu]\d+)$/.exec(descr);
  let dtype = match && Object.hasOwn(dtypeOf, match[2]) ? dtypeOf[match[2]] : undefined;
  if (!match || dtype === undefined) throw fileError(file, headerAt, `a dtype like ${Object.keys(dtypeOf).join(", ")}`, descr);
  const wordBytes = dtypes[dtype].array.BYTES_PER_ELEMENT;
  if ((match[1] === "|") !== (wordBytes === 1)) throw fileError(file, headerAt, "a byte order that fits the dtype", descr);
  const elements = shape.reduce((product, extent) => product * extent, 1);
  const size = elements * dtypes[dtype].bytes;
  if (bytes.length - dataAt !== size) throw fileError(file, dataAt, `${size} bytes of data`, `${bytes.length - dataAt}`);
  const axes = [...shape];
  // Pairs are contiguous in row-major order only; Fortran order is undone on the axes as stored.
  const stored: Layout = checked(file, headerAt, { dtype, shape: axes });
  let data = numbersOf(bytes, dataAt, stored, match[1] !== ">");
  if (fortran && axes.length > 1) data = rowMajor(data, stored);
  const pair = options.complexPairs ? pairOf[dtype] : undefined;
  if (pair && axes.length > 1 && axes[axes.length - 1] === 2) {
    dtype = pair;
    axes.pop();
  }
  return { layout: { dtype, shape: axes }, data };
}

function checked(file: string, at: number, layout: Layout): Layout {
  try {
    checkLayout(layout, "shape");
  } catch (error) {
    throw fileError(file, at, "at least one axis, positive extents and at most 2^32 elements", layout.shape, error);
  }
  return layout;
}

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
}

/** The three entries of the header's dictionary, a Python literal, token by token. */
function parseHeader(file: string, at: number, text: string): Header {
  const fail = (expected: string): RadarError => fileError(file, at, expected, text.trimEnd());
  const token = /\s*('[^']*'|"[^"]*"|\w+|[{}():,]|$)/y;
  const next = (): string => {
    const found = token.exec(text);
    if (!found) throw fail("a dictionary of 'descr' (a simple dtype), 'fortran_order' and 'shape'");
    return found[1];
  };
  /** Items up to `close`, with commas between and perhaps after them. */
  const list = (close: string, item: (first: string) => void): { readonly trailing: boolean } => {
    for (let first = next(), trailing = false; ; ) {
      if (first === close) return { trailing };
      item(first);
      const after = next();
      if (after !== "," && after !== close) throw fail(`a comma or ${close}`);
      trailing = after === ",";
      first = after === "," ? next() : close;
    }
  };
  const header: { descr?: string; fortran?: boolean; shape?: number[] } = {};
  if (next() !== "{") throw fail("a dictionary");
  list("}", (quoted) => {
    if (next() !== ":") throw fail("a colon");
    const value = next();
    const key = /^['"]/.test(quoted) ? quoted.slice(1, -1) : undefined;
    if (key === "descr" && header.descr === undefined && /^['"]/.test(value)) {
      header.descr = value.slice(1, -1);
    } else if (key === "fortran_order" && header.fortran === undefined && (value === "True" || value === "False")) {
      header.fortran = value === "True";
    } else if (key === "shape" && header.shape === undefined && value === "(") {
      const shape: number[] = [];
      const { trailing } = list(")", (extent) => {
        if (!/^\d{1,16}$/.test(extent)) throw fail("a tuple of integers as 'shape'");
        shape.push(Number(extent));
      });
      if (shape.length === 1 && !trailing) throw fail("a tuple as 'shape'");
      header.shape = shape;
    } else {
      throw fail("'descr' (a simple dtype), 'fortran_order' (True or False) and 'shape' (a tuple), each once");
    }
  });
  if (next() !== "") throw fail("nothing behind the dictionary");
  const { descr, fortran, shape } = header;
  if (descr === undefined || fortran === undefined || shape === undefined) throw fail("all of 'descr', 'fortran_order' and 'shape'");
  if (shape.length === 0 || shape.length > maxAxes) throw fail(`1 to ${maxAxes} axes`);
  return { descr, fortran, shape };
}

function numbersOf(bytes: Uint8Array, at: number, layout: Layout, little: boolean): TypedArrayOf {
  const Ctor = dtypes[layout.dtype].array;
  const word = Ctor.BYTES_PER_ELEMENT;
  const length = numbers(layout);
  const start = bytes.byteOffset + at;
  const ordered = word === 1 || little === hostIsLittleEndian;
  // A Uint8Array over a SharedArrayBuffer is copied as well: what is read must not change underneath.
  if (ordered && start % word === 0 && bytes.buffer instanceof ArrayBuffer) return new Ctor(bytes.buffer, start, length);
  const copy = new Uint8Array(length * word);
  copy.set(bytes.subarray(at, at + length * word));
  if (!ordered) swapBytes(copy, word);
  return new Ctor(copy.buffer, 0, length);
}

/** `data`, in Fortran order of `layout`, in row-major order. */
function rowMajor(data: TypedArrayOf, layout: Layout): TypedArrayOf {
  const { components, array } = dtypes[layout.dtype];
  const { shape } = layout;
  const out = new array(data.length);
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, extent) => product * extent, components));
  const index = shape.map(() => 0);
  let from = 0;
  for (let to = 0; to < out.length; to += components) {
    for (let k = 0; k < components; k++) out[to + k] = data[from + k];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      from += strides[axis];
      if (++index[axis] < shape[axis]) break;
      from -= strides[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

/**
 * The bytes that come before the data of an array of `layout` in a .npy file: with `arrayBytes` a big array is written
 * as two chunks, without a copy. Throws `layout` for no layout, `input` for cf16, which .npy can't hold as such.
 */
export function npyHeader(layout: Layout): Uint8Array {
  checkLayout(layout, "layout");
  const stored = storedAs[layout.dtype];
  if (!stored) throw inputError("layout.dtype", `one of ${Object.keys(storedAs).join(", ")}`, layout.dtype);
  const shape = stored.pair ? [...layout.shape, 2] : layout.shape;
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const dictionary = `{'descr': '${stored.code}', 'fortran_order': False, 'shape': ${tuple}, }`;
  const length = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  if (length - 10 > 0xffff) throw inputError("layout.shape", "fewer axes", layout.shape);
  const header = new Uint8Array(length).fill(0x20);
  header.set([...magic, 1, 0, (length - 10) & 0xff, (length - 10) >> 8]);
  header.set(new TextEncoder().encode(dictionary), 10);
  header[length - 1] = 0x0a;
  return header;
}

/** The little-endian bytes of `data`, as a view wherever the host is little-endian. */
export function arrayBytes(data: TypedArrayOf): Uint8Array {
  const view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (hostIsLittleEndian) return view;
  const copy = Uint8Array.from(view);
  swapBytes(copy, data.BYTES_PER_ELEMENT);
  return copy;
}

/** A whole .npy file. Throws `layout` unless `data` has the numbers of `layout` and its array type. */
export function writeNpy<D extends DType>(layout: Layout<D>, data: TypedArrayOf<D>): Uint8Array {
  const header = npyHeader(layout);
  checkData(layout, data);
  const body = arrayBytes(data);
  const out = new Uint8Array(header.length + body.length);
  out.set(header);
  out.set(body, header.length);
  return out;
}

/** Throws `layout` unless `data` is the typed array of `layout`. */
export function checkData(layout: Layout, data: TypedArrayOf, field = "data"): void {
  const { array } = dtypes[layout.dtype];
  // By name, so that arrays of another realm pass.
  if (Object.prototype.toString.call(data) === `[object ${array.name}]` && data.length === numbers(layout)) return;
  const expected = `${array.name}(${numbers(layout)}), ${count(layout)} elements of ${layout.dtype}`;
  throw new RadarError("layout", `${field} must be ${expected}, not ${data?.constructor?.name}(${data?.length})`, {
    field,
    expected,
    actual: data?.length,
  });
}
