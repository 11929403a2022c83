/**
 * Kernels: operations that the caller writes. A kernel declares its ports and computes its items in float64 (`reference`). It may also
 * have the same computation as WGSL for GPUs and as WebAssembly for CPUs.
 */
import { checkFields, type FieldsOf } from "../fields.ts";
import {
  type Constants,
  checkNamed,
  fieldsOfCode,
  type Load,
  type Recipe,
  type Store,
  type Uniforms,
  type UniformTypes,
  type WasmFunction,
} from "../hooks.ts";
import { checkLayout, isWhole, layout } from "../layout.ts";
import type { ArrayView } from "../view.ts";
import { fail, type OpLowering, type OpRow, type Port, type Ports } from "./row.ts";

/** The device limits that the WGSL of a kernel must respect. */
export interface WgslLimits {
  /** Bytes of workgroup memory that a workgroup may use. */
  readonly workgroupBytes: number;
  /** Largest number of invocations of a workgroup. */
  readonly invocations: number;
  /**
   * The smallest and the largest size of a subgroup. Absent if the device has no subgroup functions. The backend writes `enable
   * subgroups`.
   */
  readonly subgroups?: readonly [smallest: number, largest: number];
  /**
   * The largest absolute error of the device's `sin(x)` and `cos(x)` for |x| ≤ π; infinite if results are no numbers. Only there if the kernel asks for it
   * (`Kernel.measured`). WGSL guarantees 2⁻¹¹.
   */
  readonly sineError?: number;
}

/** What a backend can measure on a device for a kernel, with the name that it has in `WgslLimits`. */
export type WgslMeasurement = "sineError";

const measurements: readonly WgslMeasurement[] = ["sineError"];

/**
 * A kernel as WGSL. The backend adds the bindings and these functions: `load_PORT(index: u32)` for every port with access `read` or
 * `update`, and `store_PORT(index: u32, value)` for every port with access `write` or `update`. Indices are flat. Values are vec2f for
 * complex ports, u32 for u32 ports and f32 for all others; integers are rounded and saturated. The code can also use `uniforms.NAME` for
 * every uniform, and the functions that hooks can use (`Load.wgsl`).
 */
export interface WgslKernel {
  /** Declarations and entry points, `@compute @workgroup_size(…) fn NAME(…)`. */
  readonly code: string;
  /** The dispatches in order. Each one sees what those before it wrote. */
  readonly dispatches: readonly WgslDispatch[];
}

/** One dispatch of a kernel on a GPU. */
export interface WgslDispatch {
  /** Name of the entry point. */
  readonly entry: string;
  /** Number of workgroups along x, y and z, at most 65,535 each. */
  readonly groups: readonly [x: number, y: number, z: number];
  /** Values of `uniforms.NAME` that only this dispatch sees, in addition to the run's. All are u32. */
  readonly uniforms?: Uniforms;
}

/** Functions that a backend offers for writing a kernel's WGSL. */
export interface WgslToolkit {
  /**
   * Makes a kernel that runs `body` once for every item, with the item's index as `item: u32`. There may be up to 2³² items.
   * `declarations` is code outside the entry point.
   */
  items(body: string, declarations?: string): WgslKernel;
  /**
   * The code of a function that runs a hook's WGSL for indices of `rank` axes: `dechirp_load(at)`, `dechirp_h(at)` for a computed filter,
   * or `dechirp_store(at, value)`. Undefined if the hook has no WGSL.
   */
  hook(end: "load" | "h" | "store", hook: Load | Store, rank: number): string | undefined;
  /**
   * The code of a transform for use inside a kernel. Undefined if the device has too few resources for it.
   *
   * The function `fn NAME(v: ptr<function, array<vec2f, VALUES>>, t: u32)` transforms one line that the invocations of a workgroup hold.
   * Before and after the call, invocation t of the first `threads` has element t + i·threads of the line in v[i]. The inverse divides by
   * n. Every invocation of the workgroup must call the function, because it has barriers if `exchange` > 0. Invocations with t ≥
   * `threads` transform nothing.
   *
   * The code declares the workgroup memory that it needs. Alternatively the kernel declares it: name an `array<f32, …>` of at least the
   * result's `exchange` numbers in the option `exchange`. Transforms that a workgroup calls one after the other may share it.
   */
  fft(options: WgslFftOptions): WgslFft | undefined;
}

/** Options of `WgslToolkit.fft`. */
export interface WgslFftOptions {
  /** Name of the function. */
  readonly name: string;
  /** Number of points. */
  readonly n: number;
  readonly inverse: boolean;
  /** Name of workgroup memory that the kernel declares. Default: the code declares its own. */
  readonly exchange?: string;
}

/** A transform within a workgroup, as WGSL. */
export interface WgslFft {
  /** Declarations to add to the kernel's code. */
  readonly code: string;
  /** Invocations that work on one line. */
  readonly threads: number;
  /** Complex numbers of the line that each invocation holds. */
  readonly values: number;
  /** Numbers of workgroup memory that it needs, 4 bytes each. 0 if one invocation transforms the whole line in registers. */
  readonly exchange: number;
}

/** An operation that the caller writes. The float64 reference in TypeScript is required; forms in WGSL and WebAssembly are optional. */
export interface Kernel {
  readonly op: "kernel";
  /** Name for messages and plan texts. */
  readonly name: string;
  /** Floating-point operations of a run, for the predicted cost. Default: 0. */
  readonly flops?: number;
  /** Values compiled into the generated code. Default: none. */
  readonly constants?: Constants;
  /** Names and types of the values that every run must pass. Default: none. */
  readonly uniforms?: UniformTypes;
  /** The arrays that the kernel reads and writes. At least one must be written. */
  readonly ports: Ports;
  /**
   * Number of independent pieces of work. The device may divide the items 0 … `items` − 1 among calls of the reference in any way and
   * order.
   */
  readonly items: number;
  /**
   * Whether each element of `out` depends on no element of `in` but the one at the same index. `in` and `out` may then be one buffer.
   * Default: false.
   */
  readonly elementwise?: boolean;
  /** The kernel as WebAssembly, for devices that run it. */
  readonly wasm?: WasmFunction;
  /** What `wgsl` is to be told of the device in `limits` that takes a measurement, which is made once. Default: nothing. */
  readonly measured?: readonly WgslMeasurement[];
  /** How another machine makes this kernel again. Default: the kernel can't be sent as JSON. */
  readonly recipe?: Recipe;
  /**
   * The kernel as WGSL for a device with these limits. Returns undefined if the kernel does not fit the device, which then uses another
   * form.
   */
  wgsl?(constants: Constants, limits: WgslLimits, toolkit: WgslToolkit): WgslKernel | undefined;
  /**
   * Computes the items from `start` to `end` − 1 in float64. This is the definition of the kernel; the other forms must agree with it.
   */
  reference(ports: Readonly<Record<string, ArrayView>>, uniforms: Uniforms, start: number, end: number): void;
}

/** A kernel whose ports, with their element types, the compiler knows by name. */
export type KernelWith<P extends Ports> = Omit<Kernel, "ports"> & { readonly ports: P };

/**
 * Makes a kernel: `kernel({ name, ports, items, reference })`. The compiler infers the names and element types of the ports. Nothing is
 * checked here; `program` and `Device.plan` check ops.
 */
export const kernel = <const P extends Ports>(options: Omit<KernelWith<P>, "op">): KernelWith<P> => ({ op: "kernel", ...options });

const fieldsOfPorts: FieldsOf<Port> = { access: true, layout: true };

/** The row of kernels. */
export const kernelRow: OpRow<Kernel> = {
  fields: {
    ...fieldsOfCode,
    op: true,
    flops: "number",
    ports: "object",
    items: true,
    elementwise: "boolean",
    measured: true,
    reference: true,
  },
  check(op) {
    checkNamed(op, "");
    if (typeof op.reference !== "function") fail("reference", "a function", op.reference);
    if (!isWhole(op.items, 1)) fail("items", "a positive integer", op.items);
    const { measured = [] } = op;
    if (!Array.isArray(measured) || !measured.every((one) => measurements.includes(one)))
      fail("measured", `a list of ${measurements.join(", ")}`, measured);
    const ports = Object.entries(op.ports ?? {});
    for (const [name, port] of ports) {
      checkLayout(port?.layout, `ports.${name}.layout`);
      checkFields(port, fieldsOfPorts, `port ${name} of a kernel`, "layout", `ports.${name}.`);
      if (!["read", "write", "update"].includes(port.access)) fail(`ports.${name}.access`, "read, write or update", port.access);
    }
    if (ports.every(([, { access }]) => access === "read"))
      fail(
        "ports",
        "a list of at least one written",
        ports.map(([name]) => name),
      );
  },
  ports: (op) => op.ports,
  uniforms: (op) => op.uniforms ?? {},
  text: (op) => `kernel ${op.name}`,
  flops: (op) => op.flops ?? 0,
  canOverwrite: (op) => op.elementwise === true,
};

/** Kernels have no simpler form. */
export const kernelLowering: OpLowering<Kernel> = () => undefined;

/** Small samples of kernels. */
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
