/**
 * Hooks: steps of the caller that run inside a transform. A load computes the transform's input, or the filter of an op that filters; a
 * store maps the results to what is written. A hook is an expression, which is data and from which core makes the code for every device. Or it is a float64 `reference` in
 * TypeScript, to which the same computation can be added as WGSL for GPUs and as WebAssembly for CPUs.
 */
import { layoutError } from "./errors.ts";
import type { Expression } from "./expression/nodes.ts";
import type { DType, Layout } from "./layout.ts";
import type { ArrayView } from "./view.ts";

/** Values that are compiled into the code of a hook or kernel. Changing one means planning again. */
export type Constants = Readonly<Record<string, number | string | boolean>>;
/** Names and types of the parameters that every run passes. Changing their values costs nothing. */
export type UniformTypes = Readonly<Record<string, "f32" | "i32" | "u32">>;
/** Values of the uniforms by name. */
export type Uniforms = Readonly<Record<string, number>>;
/** Index of an element: one number for each axis. Valid only during the call that receives it. */
export type At = readonly number[];
/** A complex number. */
export type Complex = readonly [re: number, im: number];

/**
 * A hook or kernel as a WebAssembly function that works on a run of elements. The module imports `env.memory` and nothing else, has no
 * data segments and keeps no state. The backend instantiates it on its own memory in every worker.
 *
 * The parameters of the function are:
 *
 * - load: `entry(argument, start, count, out)` computes elements `start` to `start + count` of the hook's array and writes them to `out`,
 *   contiguously. They lie in one row of the array's last axis, counted by flat index.
 * - store: `entry(argument, start, count, in, out)` maps `count` results at `in` to what is written at `out`; both are contiguous.
 * - kernel: `entry(argument, start, end, unit)` computes items `start` to `end`.
 *
 * `argument` is the address of these 32-bit words: the address of every source (for a kernel: of every port) in the order of declaration,
 * every uniform (f32, i32 or u32 as declared), and every numeric constant as f32. If a kernel asks for work memory, two more follow: the
 * memory's address, and the distance in bytes from one unit's part to the next.
 */
export interface WasmFunction {
  /** The module for a memory that is not shared. */
  readonly plain: Uint8Array<ArrayBuffer>;
  /** The same module for a shared memory. */
  readonly shared: Uint8Array<ArrayBuffer>;
  /** Name of the exported function. */
  readonly entry: string;
  /** The precision that the function computes in. It is used if the hook's array is c64 or f32; otherwise the reference is. */
  readonly precision: "f32";
  /**
   * For kernels: whether each worker must do its share of the items in one call, however long it takes. Such a call can't be aborted.
   * Default: false.
   */
  readonly whole?: boolean;
  /**
   * For kernels: bytes of work memory that each unit has for itself during a call. Its contents at the start of a call are undefined.
   * Default: 0.
   */
  readonly workBytes?: number;
}

/**
 * How to make a kernel, hook or tuned code again on another machine: the name of a function of the receiver, and what to call it with.
 * `encodeProgram` of `@dechirp/core/json` sends it in place of code.
 */
export interface Recipe {
  /** Name of the function in the table that the receiver passes to `decodeProgram`. */
  readonly name: string;
  /** What the function is called with: JSON values and typed arrays, by name. Default: none. */
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/**
 * Hand-written code for a hook that is an expression, as data. It is used in place of the code that core would make. It must compute the
 * same, which the tests of whoever writes it should show.
 */
export interface TunedHook {
  /** Numbers that follow the uniforms in the argument of the WebAssembly function. Default: none. */
  readonly constants?: Readonly<Record<string, number>>;
  /** The body of the hook's WGSL function: what `wgsl` of a hook without an expression returns. */
  readonly wgsl?: string;
  /** For loads: the WGSL of two neighbouring elements, as `Load.wgslPair` describes it. */
  readonly wgslPair?: { readonly axis: number; readonly text: string };
  /** The hook as a WebAssembly function. */
  readonly wasm?: WasmFunction;
  /** How another machine makes this hook again, with its tuned code. Default: the code can't be sent as JSON. */
  readonly recipe?: Recipe;
}

/** What loads and stores have in common. Exactly one of `expression` and `reference` is given. */
interface Hook {
  /** Name for messages and plan texts. */
  readonly name: string;
  /** Values compiled into the generated code. Default: none. */
  readonly constants?: Constants;
  /** Names and types of the values that every run must pass. Default: none. */
  readonly uniforms?: UniformTypes;
  /**
   * Layouts of the arrays that the hook reads. Each becomes a port of the op with this name. A source must not be the output's buffer,
   * except for the source `out` of a store.
   */
  readonly sources: Readonly<Record<string, Layout>>;
  /**
   * Extents of the indices that the hook is written for. If they are given, an op with other extents refuses the hook. Default: it fits
   * every op.
   */
  readonly shape?: readonly number[];
  /** What the hook computes, as data. It has one result. `load` and `store` of `@dechirp/core/expression` make such hooks. */
  readonly expression?: Expression;
  /** With an expression: hand-written code for it. Default: none. */
  readonly tuned?: TunedHook;
  /**
   * Without an expression: returns the body of a WGSL function, for devices that run WGSL. A load's function is `fn (at: array<u32, RANK>) -> vec2f`, a store's
   * is `fn (at: array<u32, RANK>, value: vec2f) -> vec2f`. The body ends with `return`. Integers are rounded and saturated afterwards.
   *
   * The body can use:
   *
   * - `load_NAME(index: u32)` for every source, by flat index. It returns vec2f if the source is complex, u32 if it is u32, and f32 for
   *   every other element type. It hides split bindings and packed integers.
   * - `uniforms.NAME` for every uniform.
   * - `cmul(a, b)`, the complex product, and `cmulc(a, b)`, the product of a and the conjugate of b.
   * - `cis(cycles: f32)`, which is (cos 2πx, sin 2πx), exact to 2⁻²² on every device.
   * - `round_u32(x: f32)`, the nearest u32, saturated, and `nearest_f32(x: u32)`, the nearest f32. (WGSL's own conversion may return
   *   another neighbour.)
   *
   * If the text does not compile, or if this function throws, planning rejects with `compile`. The message names the function, and the
   * line and column of the text. If the function does not return a string, planning rejects with `layout`.
   */
  wgsl?(constants: Constants): string;
  /** Without an expression: the hook as WebAssembly, for devices that run it. */
  readonly wasm?: WasmFunction;
  /** Without an expression: how another machine makes this hook again. Default: the hook can't be sent as JSON. */
  readonly recipe?: Recipe;
}

/**
 * A hook that computes a transform's input: one element at each index of the op's `layout`. As the `h` of a filter it computes the filter
 * instead, at each index of the spectrum. It reads named source arrays of any shape and element type.
 */
export interface Load extends Hook {
  /**
   * Computes two elements in one call, for devices that hold lines in pairs: the element at `at` and its neighbour along `axis`. `text`
   * is the body of `fn (at: array<u32, RANK>) -> vec4f`. It can use what `wgsl` can, and the function of `wgsl` as `dechirp_load(at)`.
   * `axis` must not be the transformed axis, and its extent must be even.
   */
  readonly wgslPair?: {
    readonly axis: number;
    /** The function's body. */
    text(constants: Constants): string;
  };
  /** Without an expression: computes the element in float64. This is the definition; the other forms must agree with it. */
  reference?(at: At, sources: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Complex;
}

/**
 * A hook that maps each result of a transform to the value that is written, as `dtype`.
 *
 * If it is an expression, it may have a source `out`: what the array at port `out` held before. The expression may read it at the own
 * index only. Its layout has the type `dtype` and the shape of the results before the corner turn, whose indices the hook is called with.
 */
export interface Store extends Hook {
  /** Element type of the array that is written. */
  readonly dtype: DType;
  /**
   * Without an expression: computes the value in float64. This is the definition; the other forms must agree with it. In every case the
   * device rounds and saturates integers, and takes the real part if `dtype` is real.
   */
  reference?(at: At, value: Complex, sources: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Complex;
}

/** The fields that hooks and kernels share. */
export const fieldsOfCode = {
  name: true,
  constants: "object",
  uniforms: "object",
  wasm: "object",
  recipe: "object",
  wgsl: "function",
} as const;

/** The definition of a load or store. Hooks that are expressions have one once they are planned (`expression/forms.ts`). */
export function referenceOf<T extends Load | Store>(hook: T): NonNullable<T["reference"]> {
  if (!hook.reference) throw layoutError("reference", "a function, or an expression that has been planned", undefined);
  return hook.reference.bind(hook) as NonNullable<T["reference"]>;
}

/** Checks what everything with a name and uniforms has in common. Throws `layout`, with `path` before the name of the field. */
export function checkNamed({ name, uniforms = {} }: { readonly name: string; readonly uniforms?: UniformTypes }, path: string): void {
  const fail = (field: string, expected: string, actual: unknown): never => {
    throw layoutError(`${path}${field}`, expected, actual);
  };
  if (typeof name !== "string") fail("name", "a string", name);
  for (const [uniform, type] of Object.entries(uniforms)) {
    if (!["f32", "i32", "u32"].includes(type)) fail(`uniforms.${uniform}`, "f32, i32 or u32", type);
  }
}
