/**
 * Layouts: the element type and the shape of an array. Arrays are dense and row-major. A complex element is two numbers: the real part,
 * then the imaginary part. A layout does not say where an array is or how a device stores it.
 */
import { layoutError } from "./errors.ts";

/** The facts about one element type. */
interface DTypeFacts {
  /** Bytes of one element. */
  readonly bytes: number;
  /** Scalars in one element: 2 if it is complex. */
  readonly components: 1 | 2;
  /** Whether the scalars are floating-point numbers. */
  readonly float: boolean;
  /** The typed array that holds the scalars on the host. */
  readonly array: TypedArrayConstructor;
}

/** The constructors of the typed arrays that hold elements on the host. */
export type TypedArrayConstructor =
  | Float32ArrayConstructor
  | Float64ArrayConstructor
  | Int8ArrayConstructor
  | Uint8ArrayConstructor
  | Int16ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor;

/**
 * Every element type and its facts. Names that begin with c are complex. Only CPU devices have f64 and c128. cf16 is for storage:
 * half-precision numbers as 16-bit words, on devices that have it.
 */
export const dtypes = {
  f32: { bytes: 4, components: 1, float: true, array: Float32Array },
  f64: { bytes: 8, components: 1, float: true, array: Float64Array },
  c64: { bytes: 8, components: 2, float: true, array: Float32Array },
  c128: { bytes: 16, components: 2, float: true, array: Float64Array },
  i8: { bytes: 1, components: 1, float: false, array: Int8Array },
  i16: { bytes: 2, components: 1, float: false, array: Int16Array },
  u8: { bytes: 1, components: 1, float: false, array: Uint8Array },
  u32: { bytes: 4, components: 1, float: false, array: Uint32Array },
  ci8: { bytes: 2, components: 2, float: false, array: Int8Array },
  ci16: { bytes: 4, components: 2, float: false, array: Int16Array },
  cf16: { bytes: 4, components: 2, float: true, array: Uint16Array },
} as const satisfies Record<string, DTypeFacts>;

/** Name of an element type, for example `c64`: two 32-bit floats. Names that begin with c are complex, interleaved re, im. */
export type DType = keyof typeof dtypes;
/** The complex element types that transforms read: c64 (single precision) and c128 (double precision). */
export type ComplexDType = "c64" | "c128";
/** The real element types that transforms read: f32 (single precision) and f64 (double precision). */
export type RealDType = "f32" | "f64";

interface TypedArrays {
  readonly f32: Float32Array;
  readonly f64: Float64Array;
  readonly c64: Float32Array;
  readonly c128: Float64Array;
  readonly i8: Int8Array;
  readonly i16: Int16Array;
  readonly u8: Uint8Array;
  readonly u32: Uint32Array;
  readonly ci8: Int8Array;
  readonly ci16: Int16Array;
  readonly cf16: Uint16Array;
}

/** The typed array that holds elements of type `D`: `Float32Array` for f32 and c64. Its memory may be a `SharedArrayBuffer`. */
export type TypedArrayOf<D extends DType = DType> = TypedArrays[D];

/** The element type and the shape of a dense, row-major array. */
export interface Layout<D extends DType = DType> {
  readonly dtype: D;
  /** Extent of every axis, outermost first. */
  readonly shape: readonly number[];
}

/** Largest number of elements of one array. Up to this size indices are exact and typed arrays can hold it. */
export const maxElements = 2 ** 32;

/**
 * Makes a layout: `layout("c64", [64, 1024])`. Throws `layout` if the element type is not known, if there is no axis, if an extent is not
 * a positive integer, or if there are more than 2³² elements.
 */
export function layout<D extends DType>(dtype: D, shape: readonly number[]): Layout<D> {
  checkLayout({ dtype, shape }, "layout");
  return { dtype, shape: [...shape] };
}

/** Throws `layout`, naming `field`, unless `value` is a valid layout. */
export function checkLayout(value: Layout, field: string): void {
  const fail = (what: string, expected: string, actual: unknown): never => {
    throw layoutError(what, expected, actual);
  };
  if (typeof value !== "object" || value === null) fail(field, "a layout", value);
  if (!isKeyOf(dtypes, value.dtype)) fail(`${field}.dtype`, `one of ${Object.keys(dtypes).join(", ")}`, value.dtype);
  if (!Array.isArray(value.shape) || value.shape.length === 0) fail(`${field}.shape`, "a list of at least one axis", value.shape);
  for (const [axis, extent] of value.shape.entries())
    if (!isWhole(extent, 1)) fail(`${field}.shape[${axis}]`, "a positive integer", extent);
  if (elementCount(value) > maxElements) fail(`${field}.shape`, `at most ${maxElements} elements`, value.shape);
}

/**
 * Whether `value` is a typed array of one of `types` whose memory can be read. It can't if the memory was transferred to another thread
 * or has become too short. Arrays of another realm, such as a frame, are accepted.
 */
export function isArrayOf<T extends readonly (abstract new (length: number) => ArrayBufferView)[]>(
  value: unknown,
  ...types: T
): value is InstanceType<T[number]> {
  try {
    const array = value as Float32Array;
    array.at(0);
    return ArrayBuffer.isView(value) && types.some(({ name }) => name === array[Symbol.toStringTag]);
  } catch {
    return false;
  }
}

/** Whether `key` is a string and the name of a field of `table`. */
export const isKeyOf = (table: object, key: unknown): boolean => typeof key === "string" && Object.hasOwn(table, key);

/** Whether `value` is an integer from `least` to `most`. */
export const isWhole = (value: unknown, least: number, most = Number.POSITIVE_INFINITY): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** A copy of `value` if it is a list of integers from `least` to `most`. Undefined if it isn't, has holes, or can't be read. */
export function wholesOf(value: unknown, least: number, most?: number): readonly number[] | undefined {
  try {
    const list = Array.isArray(value) ? Array.from(value) : undefined;
    return list?.every((item) => isWhole(item, least, most)) ? list : undefined;
  } catch {
    return undefined; // a proxy that throws
  }
}

/** Number of elements of an array. A complex element counts as one. */
export const elementCount = (l: Layout): number => l.shape.reduce((product, extent) => product * extent, 1);

/** Number of scalars of an array: twice its elements if it is complex. */
export const scalarCount = (l: Layout): number => elementCount(l) * dtypes[l.dtype].components;

/** Bytes of an array in host memory. */
export const byteLength = (l: Layout): number => elementCount(l) * dtypes[l.dtype].bytes;

/** Whether an element has a real and an imaginary part. */
export const isComplex = (dtype: DType): boolean => dtypes[dtype].components === 2;

/** Whether two layouts have the same element type and shape. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((extent, i) => extent === b.shape[i]);

/** A layout as text: `c64[1536, 2048]`. */
export const formatLayout = (l: Layout): string => `${l.dtype}[${l.shape.join(", ")}]`;

/** The layout with the extent of `axis` changed to `extent`. */
export const withAxis = <D extends DType>(l: Layout<D>, axis: number, extent: number): Layout<D> => ({
  dtype: l.dtype,
  shape: l.shape.map((e, i) => (i === axis ? extent : e)),
});

/** A typed array of `length` zeros that can hold elements of `dtype`. `length` counts scalars: two for each complex element. */
export function typedArray<D extends DType>(dtype: D, length: number): TypedArrayOf<D> {
  return new dtypes[dtype].array(length) as TypedArrayOf<D>;
}

/** The real element type of the same precision. */
export const realOf = (dtype: ComplexDType): RealDType => (dtype === "c64" ? "f32" : "f64");
/** The complex element type of the same precision. */
export const complexOf = (dtype: RealDType): ComplexDType => (dtype === "f32" ? "c64" : "c128");
