/**
 * The options of the backend. WebGPU's own objects have the type `object` here, as their types are globals of browsers that programs for
 * Node do not have.
 */
import type { PassLimits } from "./transform.ts";
import type { Variants } from "./variants.ts";

/** Options of `gpu`. */
export interface GpuOptions {
  /** A GPUDevice of the caller's. It is used as it is and never destroyed. */
  readonly device?: object;
  /** A GPUAdapter of the caller's. */
  readonly adapter?: object;
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
  /** Replaces preferences of the planner, for measurements. */
  readonly planning?: Pick<PassLimits, "cacheBytes" | "prefer" | "longestPass" | "longestWideTile" | "longestFactor" | "backwards">;
}
