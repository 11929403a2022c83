/**
 * What the backend can be told. WebGPU's own objects are plain objects here: their types are globals of browsers, which a
 * program for Node does not have.
 */
import type { PassLimits } from "./transform.ts";

/** Options of `gpu`. */
export interface GpuOptions {
  /** A GPUDevice of the caller's: it is used as it is and never destroyed. */
  readonly device?: object;
  /** A GPUAdapter of the caller's. */
  readonly adapter?: object;
  /** Which GPU to take where the machine has several; the browser's or driver's choice where left out. */
  readonly powerPreference?: "low-power" | "high-performance";
  /** `adapter`: all that the adapter has (where left out). `default`: what WebGPU promises everywhere. */
  readonly limits?: "adapter" | "default";
  /** Most bytes of an array that are bound at once; larger arrays are split. The device's limit where left out. */
  readonly maxBindingBytes?: number;
  /** Flags for Dawn in Node, as `enable-dawn-features=…`. */
  readonly dawnFlags?: readonly string[];
  /**
   * How intermediate results of transforms in several passes lie in memory. `f16`: half the traffic between passes at 11 bits
   * a value, scaled line by line; plans that do so say `scratch=f16` and their SQNR. Arithmetic is f32 in any case. f32 where
   * left out.
   */
  readonly scratch?: "f32" | "f16";
  /** Preferences of the planner in place of its own, for measuring. */
  readonly planning?: Pick<PassLimits, "cacheBytes" | "prefer" | "longestPass" | "longestWideTile" | "longestFactor" | "backwards">;
}
