/**
 * The options of the backend. WebGPU's own objects have the type `object` here, as their types are globals of browsers that programs for
 * Node do not have.
 */
import type { PassLimits } from "./transform.ts";
import type { Variants } from "./variants.ts";
import type { Wisdom } from "./wisdom.ts";

/**
 * What is known of an adapter. Equal cards are one adapter for WebGPU: a program that is to use several starts a process for each, from which
 * the others are hidden.
 */
export interface AdapterFacts {
  /** Such as `nvidia`, `amd`, `intel`, `apple`, `mesa`; empty if it is unknown. */
  readonly vendor: string;
  /** Such as `hopper` or `rdna-3`; empty if it is unknown. */
  readonly architecture: string;
  /** The vendor's name of the device as WebGPU states it; pages may not learn it. */
  readonly device: string;
  /** The driver's text; pages may not learn it. */
  readonly description: string;
  /** Place among the adapters that can be told apart, from 0. The first is what WebGPU offers by default. */
  readonly index: number;
  /** Whether it computes on the processor. */
  readonly software: boolean;
  /** The power preferences that WebGPU offers this adapter for. */
  readonly offeredFor: readonly ("low-power" | "high-performance")[];
}

/** Facts that an adapter must have; all that are given. */
export interface AdapterChoice extends Partial<Pick<AdapterFacts, "vendor" | "architecture" | "index" | "software">> {
  /** A part of the driver's text or of the device's name, in small or capital letters. */
  readonly description?: string;
  /** The adapter that WebGPU offers for this preference. */
  readonly powerPreference?: "low-power" | "high-performance";
}

/** Whether to open the adapter with these facts. */
export type AdapterTest = (facts: AdapterFacts) => boolean;

/** A GPUAdapter of the caller's. */
export interface CallersAdapter {
  readonly requestDevice: (...args: never[]) => Promise<object>;
}

/** Options of `gpu`. */
export interface GpuOptions {
  /** A GPUDevice of the caller's. It is used as it is and never destroyed. */
  readonly device?: object;
  /**
   * Which adapter to open: facts that it has, or a function that is called with the facts of each in order and returns whether to open it.
   * The first that suits is opened. A GPUAdapter of the caller's is opened as it is. Default: what WebGPU offers for `powerPreference`.
   */
  readonly adapter?: AdapterChoice | AdapterTest | CallersAdapter;
  /** Which GPU to use if the machine has several. Default: `high-performance`. */
  readonly powerPreference?: "low-power" | "high-performance";
  /** `adapter`: the largest limits that the adapter has. `default`: the limits that WebGPU guarantees everywhere. Default: `adapter`. */
  readonly limits?: "adapter" | "default";
  /** The most bytes of an array in one binding; larger arrays are split. Default: the device's limit. */
  readonly maxBindingBytes?: number;
  /** Flags for Dawn in Node, such as `enable-dawn-features=…`. */
  readonly dawnFlags?: readonly string[];
  /**
   * The format of intermediate results of transforms in several passes. `f16` halves the traffic between passes at 11 bits per value,
   * scaled line by line; the text of such plans has `scratch=f16` and their SQNR. Arithmetic is f32 in any case. Default: `f32`.
   */
  readonly scratch?: "f32" | "f16";
  /**
   * Features of Dawn that are not safe for pages, in Node: `allow_unsafe_apis` for experimental features such as subgroup matrices,
   * `vulkan_enable_f16_on_nvidia` for half precision there. They are added to those that `dawnFlags` enables. The device's notes list them.
   * Default: none.
   */
  readonly unsafe?: readonly string[];
  /** Kernels that plans may ask for by name (the plan option `variant`), such as `variants` of `@dechirp/fft-gpu/lab`. Default: none. */
  readonly variants?: Variants;
  /**
   * How plans of transforms are chosen. `estimate`: by rules, at once. `measure`: the plan by the rules and some ten to sixty others are timed on the
   * device, and the fastest is taken if it is at least 2 % faster. That takes seconds for each new transform, most of them in the driver's compiler;
   * no other plan is tried after 20 s. Meanwhile the device needs memory for another set of the transform's arrays. Hooks run on noise, with uniforms of 1
   * and sources of type u32 of 0, and must end with these. The rules decide if there is no memory for this, if the device lacks the feature
   * `timestamp-query`, and if an op writes neither c64 nor f32. Plans that `wisdom` has are not measured again. Results of different plans differ by
   * rounding. After M. Frigo and S. G. Johnson, "The Design and Implementation of FFTW3", Proc. IEEE 93, 2005, section III. Default: `estimate`.
   */
  readonly effort?: "estimate" | "measure";
  /**
   * What `wisdomOf` returned for a device before. Plans that were measured on the same card and driver are made by it, whatever `effort` is. Opening throws
   * `input` if it is not wisdom of this version.
   */
  readonly wisdom?: Wisdom;
  /** Replaces preferences of the planner, for measurements. */
  readonly planning?: Pick<PassLimits, "cacheBytes" | "prefer" | "longestPass" | "longestWideTile" | "longestFactor" | "backwards">;
}
