/**
 * Kernels: operations that a caller writes. A kernel states its ports, what it computes in float64 (`reference`), and optionally the same work
 * as WGSL for GPUs and as WebAssembly for CPUs.
 */
import { checkFields, type FieldsOf } from "../fields.ts";
import { type Constants, checkNamed, type Load, type Store, type Uniforms, type UniformTypes, type WasmFunction } from "../hooks.ts";
import { checkLayout, isWhole, layout } from "../layout.ts";
import type { ArrayView } from "../view.ts";
import { fail, type OpLowering, type OpRow, type Port, type Ports } from "./row.ts";

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
  /** Invocations that work on one line. */
  readonly threads: number;
  /** Complex numbers of the line that each invocation holds. */
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
  /** Floating-point operations of a run, for the predicted cost; 0 where left out. */
  readonly flops?: number;
  /** Values that are compiled into the kernel; none where left out. */
  readonly constants?: Constants;
  /** Names and types of the values that every run passes; none where left out. */
  readonly uniforms?: UniformTypes;
  readonly ports: Ports;
  /** Independent pieces of work: the reference may be called for any partition of 0 … items, in any order. */
  readonly items: number;
  /** Whether each element of `out` depends on no other element of `in` than its own, so that both may be one buffer. */
  readonly elementwise?: boolean;
  /** The kernel in WebAssembly, for devices that run it. */
  readonly wasm?: WasmFunction;
  /** The kernel in WGSL for a device of these limits, or nothing where it does not fit them. */
  wgsl?(constants: Constants, limits: WgslLimits, toolkit: WgslToolkit): WgslKernel | undefined;
  /** Computes items `start` (inclusive) to `end` (exclusive). */
  reference(ports: Readonly<Record<string, ArrayView>>, uniforms: Uniforms, start: number, end: number): void;
}

/** A kernel whose ports the compiler knows by name. */
export type KernelWith<P extends Ports> = Omit<Kernel, "ports"> & { readonly ports: P };

/** A kernel as an op: `kernel({ name, ports, items, reference })`. Names and element types of ports stay known to the compiler. */
export const kernel = <const P extends Ports>(options: Omit<KernelWith<P>, "op">): KernelWith<P> => ({ op: "kernel", ...options });

const fieldsOfPorts: FieldsOf<Port> = { access: true, layout: true };

export const kernelRow: OpRow<Kernel> = {
  fields: {
    op: true,
    name: true,
    flops: "number",
    constants: "object",
    uniforms: "object",
    ports: "object",
    items: true,
    elementwise: "boolean",
    wasm: "object",
    wgsl: "function",
    reference: true,
  },
  check(op) {
    checkNamed(op, "");
    if (!isWhole(op.items, 1)) fail("items", "a positive integer", op.items);
    const ports = Object.entries(op.ports ?? {});
    for (const [name, port] of ports) {
      checkLayout(port?.layout, `ports.${name}.layout`);
      checkFields(port, fieldsOfPorts, `port ${name} of a kernel`, "layout", `ports.${name}.`);
      if (!["read", "write", "update"].includes(port.access)) fail(`ports.${name}.access`, "read, write or update", port.access);
    }
    const names = ports.map(([name]) => name);
    if (!ports.some(([, port]) => port.access !== "read")) fail("ports", "such that at least one is written", names);
  },
  ports: (op) => op.ports,
  uniforms: (op) => op.uniforms ?? {},
  text: (op) => `kernel ${op.name}`,
  flops: (op) => op.flops ?? 0,
  canOverwrite: (op) => op.elementwise === true,
};

export const kernelLowering: OpLowering<Kernel> = () => undefined;

export const kernelSamples = (): readonly Kernel[] => [
  kernel({
    name: "scaled sum",
    uniforms: { scale: "f32" },
    ports: {
      x: { access: "read", layout: layout("c64", [3, 8]) },
      sum: { access: "update", layout: layout("c64", [3, 8]) },
    },
    items: 24,
    reference({ x, sum }, { scale }, start, end) {
      for (let i = start; i < end; i++) sum.set(i, sum.re(i) + scale * x.re(i), sum.im(i) + scale * x.im(i));
    },
  }),
];
