/**
 * Layouts: what an array is (dtype and shape), never where or how it is stored. Arrays are dense and row-major; a
 * complex element is two numbers, real then imaginary. How a device stores an array (segments, padding) is its own
 * affair.
 */
import { layoutError } from "./errors.ts";

interface DTypeFacts {
  /** Bytes of one element. */
  readonly bytes: number;
  /** Numbers in one element: 2 where complex. */
  readonly components: 1 | 2;
  /** Whether elements are floating point. */
  readonly float: boolean;
  readonly array: TypedArrayConstructor;
}

/** Constructor of a typed array that holds one of the element types. */
export type TypedArrayConstructor =
  | Float32ArrayConstructor
  | Float64ArrayConstructor
  | Int8ArrayConstructor
  | Uint8ArrayConstructor
  | Int16ArrayConstructor
  | Uint16ArrayConstructor
  | Uint32ArrayConstructor;

/**
 * Every element type. `c…` are complex. f64 and c128 exist on CPU devices only; cf16 is storage (half-precision bits
 * in 16-bit words) on devices that have it.
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

/** Element types: those that begin with c are complex, interleaved re, im. */
export type DType = keyof typeof dtypes;
/** Element types with a real and an imaginary part. */
export type ComplexDType = "c64" | "c128";
/** Element types of one number. */
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

/** The typed array that holds elements of `D`: `Float32Array` for f32 and c64. Its memory may be shared. */
export type TypedArrayOf<D extends DType = DType> = TypedArrays[D];

/** An element type and a shape; arrays are dense and row-major. */
export interface Layout<D extends DType = DType> {
  readonly dtype: D;
  /** Outermost axis first. */
  readonly shape: readonly number[];
}

/** Elements one array may have: indices stay exact and typed arrays can hold it. */
export const maxElements = 2 ** 32;

/** A checked layout. Throws `layout` for an unknown dtype, no axis, or an axis that is not a positive integer. */
export function layout<D extends DType>(dtype: D, shape: readonly number[]): Layout<D> {
  checkLayout({ dtype, shape }, "layout");
  return { dtype, shape: [...shape] };
}

/** Throws `layout`, naming `field`, unless `value` is a layout. */
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
 * Whether `value` is a typed array of one of `types` whose memory is there: it may have been transferred to another thread, or have become too
 * short. Arrays of other realms pass, such as those of a frame, or of a sandbox that tests run in.
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

/** Whether `key` is a field's name of `table`: texts only, for others may look like one. */
export const isKeyOf = (table: object, key: unknown): boolean => typeof key === "string" && Object.hasOwn(table, key);

/** Whether `value` is an integer from `least` to `most`. */
export const isWhole = (value: unknown, least: number, most = Number.POSITIVE_INFINITY): value is number =>
  Number.isInteger(value) && (value as number) >= least && (value as number) <= most;

/** Elements of an array. */
export const elementCount = (l: Layout): number => l.shape.reduce((product, extent) => product * extent, 1);

/** Numbers of an array: twice the elements where complex. */
export const scalarCount = (l: Layout): number => elementCount(l) * dtypes[l.dtype].components;

/** Bytes of an array as host memory holds it. */
export const byteLength = (l: Layout): number => elementCount(l) * dtypes[l.dtype].bytes;

/** Whether an element has a real and an imaginary part. */
export const isComplex = (dtype: DType): boolean => dtypes[dtype].components === 2;

/** Whether element types and shapes are equal. */
export const sameLayout = (a: Layout, b: Layout): boolean =>
  a.dtype === b.dtype && a.shape.length === b.shape.length && a.shape.every((extent, i) => extent === b.shape[i]);

/** `c64[1536, 2048]` */
export const formatLayout = (l: Layout): string => `${l.dtype}[${l.shape.join(", ")}]`;

/** `l` with `axis` made `extent` long. */
export const withAxis = <D extends DType>(l: Layout<D>, axis: number, extent: number): Layout<D> => ({
  dtype: l.dtype,
  shape: l.shape.map((e, i) => (i === axis ? extent : e)),
});

/** A zeroed typed array of `length` numbers (not elements) of `dtype`. */
export function typedArray<D extends DType>(dtype: D, length: number): TypedArrayOf<D> {
  return new dtypes[dtype].array(length) as TypedArrayOf<D>;
}

/** The real element type of the same precision. */
export const realOf = (dtype: ComplexDType): RealDType => (dtype === "c64" ? "f32" : "f64");
/** The complex element type of the same precision. */
export const complexOf = (dtype: RealDType): ComplexDType => (dtype === "f32" ? "c64" : "c128");
