/**
 * Reads and writes NumPy's .npy format (numpy.lib.format, versions 1.0, 2.0 and 3.0). NumPy has no complex int8 and int16; they are
 * stored as int8 and int16 with a last axis of 2 (real, imaginary). Such pairs of floating-point numbers are read too.
 */
import {
  checkLayout,
  createPause,
  type DType,
  dtypes,
  elementCount,
  inputError,
  type Layout,
  type Pause,
  RadarError,
  scalarCount,
  type TypedArrayOf,
} from "@dechirp/core";
import { fileError } from "./file-error.ts";
import { foreignBytes, foreignError } from "./foreign.ts";
import { copyBytes, hostIsLittleEndian, swapBytes } from "./numbers.ts";
import { type Access, accessTo, type ByteSource, checkOptions, type RandomAccess, type ReadOptions } from "./random-access.ts";
import { permuted } from "./transpose.ts";

/** An array with its layout. */
export interface NpyArray<D extends DType = DType> {
  readonly layout: Layout<D>;
  /** The elements in row-major order; complex ones interleaved, real part first. */
  readonly data: TypedArrayOf<D>;
}

/** Options of `readNpy`. */
export interface ReadNpyOptions extends ReadOptions {
  /** Read int8, int16, float32 and float64 arrays with a last axis of 2 (real, imaginary) as ci8, ci16, c64 and c128. Default: false. */
  readonly complexPairs?: boolean;
}

const magic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
/** NumPy's own limit on the number of axes. */
const maxAxes = 64;
/** The longest header that is read. A header with 64 axes is shorter. */
const maxHeaderBytes = 8192;

const dtypeOf: Readonly<Record<string, DType>> = { f4: "f32", f8: "f64", c8: "c64", c16: "c128", i1: "i8", i2: "i16", u1: "u8", u4: "u32" };
/** Complex type of an array of pairs, by the type of one part. */
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
 * Reads a .npy file of type `<f4 <f8 <c8 <c16 |i1 <i2 |u1 <u4`, or the same in big-endian order, with at least one axis. An array in
 * Fortran order is converted to row-major. The header is checked first, and the size that it states is compared with the size of the
 * file. If byte order and alignment allow, the data is a view of the bytes in memory. Rejects with `input`, fields `{ file, offset,
 * expected, actual }`, if this is not such a file; with `input`, fields `{ field }`, for wrong arguments; and with `aborted` if the
 * signal fires.
 */
export async function readNpy(source: ByteSource, options: ReadNpyOptions): Promise<NpyArray> {
  const { file, complexPairs, signal } = checkOptions(options, readNpyFields, "readNpy", ["file"]);
  const access = accessTo(source, "source", file);
  const reading = signal ? { signal } : {};
  const pause = createPause(`reading ${file}`, signal);
  await pause();
  const { dtype, shape, fortran, little, dataAt, size } = await beginNpy(access, file, signal);
  const stored = checkedLayout(file, dataAt, { dtype, shape });
  const bytes = await access.read(dataAt, size, reading);
  // Another process has cut the file short in the meantime.
  if (bytes.length !== size) throw sizeError(file, dataAt, size, bytes.length);
  let data = await numbersOf(bytes, access, stored.dtype, scalarCount(stored), little, pause);
  if (fortran && shape.length > 1) {
    const back = shape.map((_, axis) => shape.length - 1 - axis);
    // The parts of a pair are not adjacent, so the order is converted on the stored axes before pairs are joined.
    data = await permuted(
      data,
      back.map((axis) => shape[axis]),
      back,
      dtypes[dtype].components,
      pause,
    );
  }
  return { layout: complexPairs ? joinedPairs(stored) : stored, data };
}

export const readNpyFields = { file: true, complexPairs: true, signal: true } as const;

/** Reads and checks the header of a .npy file, and compares the size that it states with that of the file. Rejects with `input`. */
export async function beginNpy(access: RandomAccess, file: string, signal: AbortSignal | undefined) {
  const reading = signal ? { signal } : {};
  const head = await access.read(0, Math.min(access.size, 12 + maxHeaderBytes), reading);
  if (head.length < 10 || !magic.every((byte, i) => head[i] === byte)) {
    const actual = access.size < 10 ? `${access.size} bytes` : "something else";
    const more = await access.read(0, Math.min(access.size, foreignBytes), reading);
    throw foreignError(file, more, "npy") ?? fileError(file, 0, "a .npy file's magic string and version", actual);
  }
  const header = headerOf(file, head, access.size);
  const { dtype, shape, dataAt } = header;
  const size = shape.reduce((product, extent) => product * extent, dtypes[dtype].bytes);
  if (!(size > 0)) throw shapeError(file, dataAt, shape);
  if (access.size - dataAt !== size) throw sizeError(file, dataAt, size, access.size - dataAt);
  return { ...header, size };
}

/** Makes the error about a file with `found` bytes of data where `size` are expected. */
const sizeError = (file: string, dataAt: number, size: number, found: number): RadarError =>
  fileError(file, dataAt, `${size} bytes of data`, `${found}`);

/** The layout with a last axis of 2 (real, imaginary) as part of a complex type, if there is such an axis. */
export function joinedPairs(stored: Layout): Layout {
  const { dtype, shape } = stored;
  const pair = shape.length > 1 && shape.at(-1) === 2 ? pairOf[dtype] : undefined;
  return pair ? { dtype: pair, shape: shape.slice(0, -1) } : stored;
}

/** Reads the layout from the first bytes of a file of `size` bytes. Pairs count as complex. Throws `input`. */
export function npyLayout(file: string, head: Uint8Array, size: number): Layout {
  const { dtype, shape } = headerOf(file, head, size);
  return joinedPairs({ dtype, shape });
}

/** Parses the header in the first bytes of a file of `size` bytes. Throws `input`. */
function headerOf(file: string, head: Uint8Array, size: number) {
  const major = head[6];
  if (major < 1 || major > 3 || head[7] !== 0) throw fileError(file, 6, ".npy version 1.0, 2.0 or 3.0", `${major}.${head[7]}`);
  const headerAt = major === 1 ? 10 : 12;
  if (size < headerAt) throw fileError(file, 8, "the header's length", `${size} bytes`);
  const headerBytes = head[8] + head[9] * 256 + (major === 1 ? 0 : head[10] * 65536 + head[11] * 16777216);
  const dataAt = headerAt + headerBytes;
  if (headerBytes > maxHeaderBytes || dataAt > head.length)
    throw fileError(file, 8, `a header inside the file and of at most ${maxHeaderBytes} bytes`, `${headerBytes} bytes`);
  const { descr, fortran, shape } = parseHeader(file, headerAt, String.fromCharCode(...head.subarray(headerAt, dataAt)));
  const match = /^([<>|])([fciu]\d+)$/.exec(descr);
  const dtype = match && Object.hasOwn(dtypeOf, match[2]) ? dtypeOf[match[2]] : undefined;
  if (!match || dtype === undefined) throw fileError(file, headerAt, `a dtype like ${Object.keys(dtypeOf).join(", ")}`, descr);
  const wordBytes = dtypes[dtype].array.BYTES_PER_ELEMENT;
  if ((match[1] === "|") !== (wordBytes === 1)) throw fileError(file, headerAt, "a byte order that fits the dtype", descr);
  return { dtype, shape, fortran, little: match[1] !== ">", dataAt };
}

/** A copy of `layout`. Throws `input` if it is not valid. */
function checkedLayout(file: string, at: number, layout: Layout): Layout {
  try {
    checkLayout(layout, "shape");
  } catch (error) {
    throw shapeError(file, at, layout.shape, error);
  }
  return { dtype: layout.dtype, shape: [...layout.shape] };
}

const shapeError = (file: string, at: number, shape: readonly number[], cause?: unknown): RadarError =>
  fileError(file, at, "at least one axis, positive extents and at most 2^32 elements", shape, cause);

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
}

/** Parses the three entries of the header's dictionary, a Python literal, token by token. */
function parseHeader(file: string, at: number, text: string): Header {
  const fail = (expected: string): RadarError => fileError(file, at, expected, text.trimEnd());
  const token = /\s*('[^']*'|"[^"]*"|\w+|[{}():,]|$)/y;
  const next = (): string => {
    const found = token.exec(text);
    if (!found) throw fail("a dictionary of 'descr' (a simple dtype), 'fortran_order' and 'shape'");
    return found[1];
  };
  /** Parses items up to `close`, separated by commas; a trailing comma is allowed. */
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
  if (next() !== "") throw fail("nothing after the dictionary");
  const { descr, fortran, shape } = header;
  if (descr === undefined || fortran === undefined || shape === undefined) throw fail("all of 'descr', 'fortran_order' and 'shape'");
  if (shape.length === 0 || shape.length > maxAxes) throw fail(`1 to ${maxAxes} axes`);
  return { descr, fortran, shape };
}

/**
 * Makes an array of `length` numbers of the bytes that `access` has read: a view if byte order, alignment and ownership allow. `given` says that the
 * bytes are in memory that the caller has provided.
 */
export async function numbersOf(
  bytes: Uint8Array,
  { owned, given = false }: Pick<Access, "owned"> & { readonly given?: boolean },
  dtype: DType,
  length: number,
  little: boolean,
  pause: Pause,
): Promise<TypedArrayOf> {
  const Ctor = dtypes[dtype].array;
  const word = Ctor.BYTES_PER_ELEMENT;
  const swapped = word > 1 && little !== hostIsLittleEndian;
  // A Uint8Array over a SharedArrayBuffer is copied too, because another thread could change it.
  const isOwn = given || bytes.buffer instanceof ArrayBuffer;
  const inPlace = bytes.byteOffset % word === 0 && isOwn && (owned || !swapped);
  if (!inPlace) return new Ctor(await copyBytes(bytes, 0, length * word, word, swapped, pause), 0, length);
  if (swapped) await swapBytes(bytes, word, pause);
  return new Ctor(bytes.buffer as ArrayBuffer, bytes.byteOffset, length);
}

/**
 * Makes the bytes that precede the data of an array in a .npy file. Together with `arrayBytes` this writes a big array as two chunks
 * without a copy. Throws `layout` if the layout is not valid, and `input` for cf16, which .npy does not have.
 */
export function npyHeader(layout: Layout): Uint8Array {
  checkLayout(layout, "layout");
  return npyHeaderOf(layout);
}

/** The types that .npy files have. */
export const npyTypes = Object.keys(storedAs) as readonly DType[];

/** `npyHeader` of a layout that has been checked. It may have any number of elements. */
export function npyHeaderOf(layout: Layout): Uint8Array {
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

/** The bytes of `data` in little-endian order; on little-endian hosts a view. Throws `input` if `data` is not a typed array. */
export function arrayBytes(data: TypedArrayOf): Uint8Array {
  if (!ArrayBuffer.isView(data) || data instanceof DataView) throw inputError("data", "a typed array", data);
  const view = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (hostIsLittleEndian) return view;
  const size = data.BYTES_PER_ELEMENT;
  return view.map((_, at) => view[at - (at % size) + size - 1 - (at % size)]);
}

/** Makes a whole .npy file. Throws `layout` if the type or the length of `data` does not match `layout`. */
export function writeNpy<D extends DType>(layout: Layout<D>, data: TypedArrayOf<D>): Uint8Array {
  const header = npyHeader(layout);
  checkData(layout, data);
  const body = arrayBytes(data);
  const out = new Uint8Array(header.length + body.length);
  out.set(header);
  out.set(body, header.length);
  return out;
}

/** Throws `layout` if the type or the length of `data` does not match `layout`. */
export function checkData(layout: Layout, data: TypedArrayOf, field = "data"): void {
  const { array } = dtypes[layout.dtype];
  // Compared by name, so that arrays of another realm (such as an iframe) pass.
  if (Object.prototype.toString.call(data) === `[object ${array.name}]` && data.length === scalarCount(layout)) return;
  const expected = `${array.name}(${scalarCount(layout)}), ${elementCount(layout)} elements of ${layout.dtype}`;
  throw new RadarError("layout", `${field} must be ${expected}, not ${data?.constructor?.name}(${data?.length})`, {
    field,
    expected,
    actual: data?.length,
  });
}
