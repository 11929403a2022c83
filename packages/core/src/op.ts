/**
 * Operations as data. An `Op` says what is to be computed on which layouts and nothing about how; a backend turns it into
 * a plan, or core lowers it to simpler ops (lower.ts). Shape and axis, never 1-D, 2-D or batched variants: every op works
 * along one axis of a dense array of any rank and treats all other axes as independent lines.
 *
 * Conventions: y[k] = Σ x[i]·exp(−j2πik/n) forward; the inverse has the opposite sign and divides by n. An axis shorter
 * than `n` is zero-padded at its end, a longer one cropped. `layout` is always the layout of what the op reads.
 */
import type { ComplexDType, DType, Layout, RealDType } from "./layout.ts";
import type { ArrayView } from "./view.ts";

/** An operation: plain data that any device may plan. */
export type Op = Fft | RealFft | SpectralFilter | FilterInverse | Multiply | Transpose | Convert | Kernel;

/** Which outputs along the axis are wanted: `count` from `start` on. All where left out. */
export type Keep = readonly [start: number, count: number];

/** What transforms have in common. */
interface Transform {
  readonly axis: number;
  /** Transform length; the axis' own extent where left out. */
  readonly n?: number;
  readonly keep?: Keep;
  /**
   * Whether the last two axes of what is written are exchanged, so that what follows along the other one finds its lines
   * contiguous. Hooks see indices before that. False where left out.
   */
  readonly cornerTurn?: boolean;
  /** Computes the input, in place of reading it from a port `in`. Its sources become ports. */
  readonly load?: Load;
  /** Maps each result to what is written. Its sources become ports. */
  readonly store?: Store;
}

/** y = DFT(x) along `axis`. Ports: in, out. */
export interface Fft extends Transform {
  readonly op: "fft";
  readonly layout: Layout<ComplexDType>;
  readonly inverse: boolean;
}

/**
 * Forward: the ⌊n/2⌋ + 1 non-negative frequencies of a real array. Inverse: the real array of length `n` of such a half
 * spectrum, where `layout` is the spectrum's and `n` is 2·(extent − 1) unless given; the imaginary parts of bin 0 and,
 * for even n, of bin n/2 do not count. Ports: in, out.
 */
export interface RealFft extends Transform {
  readonly op: "real-fft";
  readonly layout: Layout<RealDType> | Layout<ComplexDType>;
  readonly inverse: boolean;
}

/** Whether a filter is one line for all lines, or an array of the transformed shape. */
export type FilterShape = "line" | "all";

/**
 * y = IDFT(DFT(x)·h) along `axis`: matched filtering. h is given in natural frequency order; the order inside is private
 * to the plan. Ports: in, h, out.
 */
export interface SpectralFilter extends Transform {
  readonly op: "spectral-filter";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

/** y = IDFT(x·h) along `axis`: what azimuth compression needs after the Doppler-domain steps. Ports: in, h, out. */
export interface FilterInverse extends Transform {
  readonly op: "filter-inverse";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

/** y = x·h, h a line along `axis` or an array of x's shape. Ports: in, h, out. */
export interface Multiply {
  readonly op: "multiply";
  readonly layout: Layout<ComplexDType>;
  readonly axis: number;
  readonly h: FilterShape;
}

/** Axis i of the output is axis `permutation[i]` of the input. Ports: in, out. */
export interface Transpose {
  readonly op: "transpose";
  readonly layout: Layout;
  readonly permutation: readonly number[];
}

/**
 * y = x·scale in another element type. Real stays real and complex complex; integers are rounded to nearest, ties away from
 * zero, and saturate; NaN becomes 0 there. Ports: in, out.
 */
export interface Convert {
  readonly op: "convert";
  readonly layout: Layout;
  readonly to: DType;
  /** 1 where left out. */
  readonly scale?: number;
}

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

/** What a kernel does with a port. */
export type Access = "read" | "write" | "update";
/** An array that an operation reads or writes. */
export interface Port {
  readonly access: Access;
  readonly layout: Layout;
}
/** The arrays of an operation by name. */
export type Ports = Readonly<Record<string, Port>>;

/** What a computation is expected to take: flops by convention, bytes to and from memory, passes over memory. */
export interface Cost {
  readonly flops: number;
  readonly bytes: number;
  readonly passes: number;
}

/** What a kernel's WGSL may use of a device. */
export interface WgslLimits {
  /** Bytes of workgroup memory of a workgroup. */
  readonly workgroupBytes: number;
  /** Invocations of a workgroup. */
  readonly invocations: number;
  /** Whether subgroup functions are there (`enable subgroups` is written by the backend), and the sizes a subgroup may have. */
  readonly subgroups?: readonly [smallest: number, largest: number];
}

/**
 * WGSL of a kernel. The backend writes bindings and accessors around it: `load_PORT(index: u32)` for every port that is read
 * or updated, `store_PORT(index: u32, value)` for every port that is written or updated, by flat index; the value is vec2f
 * where the port is complex, u32 where it is u32, f32 for every other dtype (integers are rounded and saturated). In scope
 * too: `uniforms.NAME` for every uniform, and the functions that hooks have.
 */
export interface WgslKernel {
  /** Declarations and entry points, `@compute @workgroup_size(…) fn NAME(…)`. */
  readonly code: string;
  /** Run in order; what one wrote the next may read. */
  readonly dispatches: readonly WgslDispatch[];
}

/** One dispatch of a kernel on a GPU. */
export interface WgslDispatch {
  readonly entry: string;
  /** Workgroups along x, y, z; at most 65,535 each. */
  readonly groups: readonly [x: number, y: number, z: number];
  /** Values of `uniforms.NAME` for this dispatch alone, beside the run's. All u32. */
  readonly uniforms?: Uniforms;
}

/** What a backend offers a kernel that writes WGSL. */
export interface WgslToolkit {
  /** The kernel whose `body` runs once for every item, with `item: u32`; any number of items up to 2³². */
  items(body: string, declarations?: string): WgslKernel;
  /**
   * The function `dechirp_load(at)` or `dechirp_store(at, value)` whose body is a hook's WGSL, for indices of `rank` axes, or nothing where the
   * hook has none.
   */
  hook(end: "load" | "store", hook: Load | Store, rank: number): string | undefined;
  /**
   * A transform for use inside a kernel, or nothing where it does not fit the device. The function
   * `fn NAME(v: ptr<function, array<vec2f, VALUES>>, t: u32)` transforms a line that the invocations of a workgroup hold:
   * invocation t of the first `threads` has element t + i·threads of the line in v[i], before and after. The inverse divides
   * by n. Every invocation of the workgroup has to call it (it has barriers where `exchange` > 0); those with t ≥ threads
   * transform nothing.
   *
   * It declares the workgroup memory that it needs, or uses `exchange`, an `array<f32, …>` of at least the result's `exchange`
   * numbers that the kernel declares: transforms of which a workgroup calls one after the other may share it.
   */
  fft(options: WgslFftOptions): WgslFft | undefined;
}

/** The transform that a kernel wants inside. */
export interface WgslFftOptions {
  readonly name: string;
  readonly n: number;
  readonly inverse: boolean;
  /** Name of workgroup memory that the kernel declares. */
  readonly exchange?: string;
}

/** A transform within a workgroup, as text for a kernel. */
export interface WgslFft {
  /** Declarations to put into the kernel's code. */
  readonly code: string;
  readonly threads: number;
  readonly values: number;
  /** Numbers of workgroup memory that it needs, 4 bytes each; 0 where one invocation does it all in its registers. */
  readonly exchange: number;
}

/**
 * A domain kernel. The reference is mandatory and in plain TypeScript with float64 inside; lowerings to WASM and WGSL are
 * optional and stand beside it.
 */
export interface Kernel {
  readonly op: "kernel";
  readonly name: string;
  readonly flops?: number;
  readonly constants?: Constants;
  readonly uniforms?: UniformTypes;
  readonly ports: Ports;
  /** Independent pieces of work: the reference may be called for any partition of 0 … items, in any order. */
  readonly items: number;
  /** Whether each element of `out` depends on no other element of `in` than its own, so that both may be one buffer. */
  readonly elementwise?: boolean;
  readonly wasm?: WasmFunction;
  /** The kernel in WGSL for a device of these limits, or nothing where it does not fit them. */
  wgsl?(constants: Constants, limits: WgslLimits, toolkit: WgslToolkit): WgslKernel | undefined;
  /** Computes items `start` (inclusive) to `end` (exclusive). */
  reference(ports: Readonly<Record<string, ArrayView>>, uniforms: Uniforms, start: number, end: number): void;
}
