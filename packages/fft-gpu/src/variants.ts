/**
 * Variants: kernels for transforms beside the planner's own, for measurements. A backend gets them as a table (`variants` of `gpu`), and the
 * plan option `variant` names one. They compute between the same readers and writers as all transforms, so hooks, padding and axes work with
 * them. `@dechirp/fft-gpu/lab` has a table of them. Nothing here is loaded unless one is given.
 */
import type { Planned } from "./passes.ts";
import type { GroupLimits } from "./shape.ts";
import type { Transform } from "./transform.ts";

/** A product of matrices that subgroups compute: M×K times K×N. The types are those of WebGPU: f32, f16, i32, u32, i8, u8. */
export interface SubgroupMatrix {
  readonly componentType: string;
  readonly resultComponentType: string;
  /** Rows of the first factor and of the product. */
  readonly M: number;
  /** Columns of the second factor and of the product. */
  readonly N: number;
  /** Columns of the first factor, and rows of the second. */
  readonly K: number;
}

/** What variants can rely on. */
export interface VariantLimits extends GroupLimits {
  /** The smallest and largest size of subgroups, if the device has them. */
  readonly subgroups?: readonly [smallest: number, largest: number];
  readonly features: ReadonlySet<string>;
  /** Language features of WGSL (`wgslLanguageFeatures` of WebGPU), if they are known. */
  readonly language?: ReadonlySet<string>;
  readonly matrices: readonly SubgroupMatrix[];
  /** Whether the device was opened with features of Dawn that are not safe, if it is known. */
  readonly unsafe?: boolean;
}

/** Why a variant can't compute a transform. */
export interface Unmet {
  /** What it needs: "the feature subgroups", "lines of 256 to 16384 points". */
  readonly needs: string;
  /** The missing feature of WebGPU, if that is the reason. */
  readonly feature?: string;
  /** Whether the device lacks it for every transform. Default: whether there is a feature. */
  readonly always?: boolean;
}

/** A kernel for transforms. */
export interface Variant {
  /** Features of WebGPU that the device is opened with if its adapter has them. */
  readonly features?: readonly string[];
  /** Bound of the relative L2 error of random lines of n points. */
  error(n: number): number;
  /**
   * Compares transforms of n points with float64, for kernels that a driver may compile wrongly. `run` transforms lines on the device.
   * Planning is refused with what it returns. It is called once for a length and device. Default: no comparison.
   */
  prove?(run: (x: Float32Array, lines: number) => Promise<Float32Array>, n: number): Promise<Unmet | undefined>;
  /** Plans the transform of lines, or returns what it needs. */
  plan(transform: Transform, limits: VariantLimits): Planned | Unmet;
}

/** Variants by name. */
export type Variants = Readonly<Record<string, Variant>>;
