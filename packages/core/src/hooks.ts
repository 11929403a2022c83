/**
 * Hooks: a caller's own work fused into a transform. A load computes the transform's input, a store maps its results. Both state what they
 * compute in float64 (`reference`) and may bring the same work as WGSL and as WebAssembly.
 */
import { layoutError } from "./errors.ts";
import type { DType, Layout } from "./layout.ts";
import type { ArrayView } from "./view.ts";

/** Values baked into a hook's or kernel's generated code: a change means a new pipeline. */
export type Constants = Readonly<Record<string, number | string | boolean>>;
/** Parameters given at every run. A change costs nothing. */
export type UniformTypes = Readonly<Record<string, "f32" | "i32" | "u32">>;
/** Numbers by name that are given at every run. */
export type Uniforms = Readonly<Record<string, number>>;
/** Index of an element, one number an axis. Valid only during the call that it is passed to. */
export type At = readonly number[];
/** Real and imaginary part. */
export type Complex = readonly [re: number, im: number];

/**
 * A hook's or kernel's work as a WebAssembly function over a run of elements. The module imports `env.memory` and nothing
 * else, has no data segments and keeps no state: it is instantiated on a backend's memory, in every worker, beside others.
 *
 * A load's function is `entry(argument, start, count, out)`: computes the elements `start` … `start + count` of the hook's
 * array, flat index, all within one row of its last axis, into `out`, contiguous. A store's is
 * `entry(argument, start, count, in, out)`: maps `count` results at `in` to what is written at `out`, both contiguous. A
 * kernel's is `entry(argument, start, end, unit)`: computes items.
 *
 * `argument` is the address of 32-bit words: the address of every source (of every port, for a kernel) in order of
 * declaration, then every uniform (f32, i32 or u32 as declared), then every numeric constant as f32; then, where a kernel asks
 * for work memory, its address and the bytes from one unit's to the next one's.
 */
export interface WasmFunction {
  /** The module for a memory of its own … */
  readonly plain: Uint8Array<ArrayBuffer>;
  /** … and for a shared one. */
  readonly shared: Uint8Array<ArrayBuffer>;
  readonly entry: string;
  /** What it computes in: used where the hook's array is c64 or f32, as the reference is elsewhere. */
  readonly precision: "f32";
  /** A kernel's: workers shall do their share of items in one call, however long it takes; nothing is aborted within it. */
  readonly whole?: boolean;
  /** A kernel's: bytes of work memory that a unit is to have for itself during a call; nothing is in it that can be relied on. */
  readonly workBytes?: number;
}

interface Hook {
  readonly name: string;
  readonly constants?: Constants;
  readonly uniforms?: UniformTypes;
  /** Arrays the hook reads, by port name. A source may not alias the output. */
  readonly sources: Readonly<Record<string, Layout>>;
  /**
   * The hook as the body of a WGSL function, for devices that run it. A load's is the body of
   * `fn (at: array<u32, RANK>) -> vec2f`, a store's that of `fn (at: array<u32, RANK>, value: vec2f) -> vec2f`: it ends
   * with `return`, and integers are rounded and saturated after it. In scope: `load_NAME(index: u32)` for every source, by
   * flat index, which yields vec2f where the source is complex, u32 where it is u32, f32 for every other dtype, so that
   * split bindings and packed integers stay hidden; `uniforms.NAME` for every uniform; `cmul(a, b)`, the complex product, and
   * `cmulc(a, b)`, that of a and the conjugate of b; `cis(cycles: f32)` = (cos 2πx, sin 2πx), to 2⁻²² whatever the device's own
   * sine; `round_u32(x: f32)`, the nearest u32, saturated; `nearest_f32(x: u32)`, the nearest f32, which WGSL's own conversion
   * need not be. Where the text does not compile, planning throws `compile`, which names this function and the text's line and column; also
   * where this function throws, and `layout` where it returns no text.
   */
  wgsl?(constants: Constants): string;
  readonly wasm?: WasmFunction;
}

/** Computes a transform's input element at an index of `layout` from named sources of any shape and dtype. */
export interface Load extends Hook {
  /**
   * Two elements at once, that at `at` and the next along `axis`, for devices that hold lines in pairs: the body of
   * `fn (at: array<u32, RANK>) -> vec4f`. In scope is what `wgsl` has, and its function as `dechirp_load(at)`. The axis is not the
   * transformed one, and its extent even.
   */
  readonly wgslPair?: {
    readonly axis: number;
    /** The function's body. */
    text(constants: Constants): string;
  };
  /** In float64: what the paper says. */
  reference(at: At, sources: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Complex;
}

/** Maps a transform's result at an index of the output to what is written there, as `dtype`. */
export interface Store extends Hook {
  readonly dtype: DType;
  /** In float64: what the paper says. Integers round and saturate; a real dtype takes the real part. */
  reference(at: At, value: Complex, sources: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Complex;
}

/** Checks what hooks and kernels have in common: `name`, `reference` and the types of uniforms. Throws `layout`; `path` comes before the field's name. */
export function checkNamed(
  { name, reference, uniforms = {} }: { readonly name: string; readonly reference: unknown; readonly uniforms?: UniformTypes },
  path: string,
): void {
  const fail = (field: string, expected: string, actual: unknown): never => {
    throw layoutError(`${path}${field}`, expected, actual);
  };
  if (typeof name !== "string") fail("name", "a string", name);
  if (typeof reference !== "function") fail("reference", "a function", reference);
  for (const [uniform, type] of Object.entries(uniforms)) {
    if (!["f32", "i32", "u32"].includes(type)) fail(`uniforms.${uniform}`, "f32, i32 or u32", type);
  }
}
