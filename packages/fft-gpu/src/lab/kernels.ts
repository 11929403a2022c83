/**
 * The text of transforms, for models that count the work of kernels instead of measuring it: `kernelsOf` returns the dispatches that a
 * variant or the planner makes for a batch of lines, and `butterflyText` one butterfly. No device is needed.
 */

import type { Access } from "@dechirp/core";
import { byteLength, type DType, fft, inputError, layout } from "@dechirp/core";
import { planTransform } from "../passes.ts";
import type { PassLimits } from "../transform.ts";
import { complexTransform } from "../transform-body.ts";
import type { Unmet, Variant, VariantLimits } from "../variants.ts";
import { dft } from "../wgsl/codelets.ts";
import { Text } from "../wgsl/text.ts";

/** A dispatch as text. */
export interface LabKernel {
  /** WGSL without bindings. It accesses arrays by `load_NAME` and `store_NAME`. */
  readonly code: string;
  /** Name of the entry point. */
  readonly entry: string;
  /** Number of workgroups. */
  readonly groups: readonly [x: number, y: number, z: number];
  /** The arrays by name: their element type, size in bytes, and access. `table` says that the array is a constant table, which stays in cache. */
  readonly arrays: Readonly<
    Record<string, { readonly dtype: DType; readonly bytes: number; readonly access: Access; readonly table: boolean }>
  >;
}

/** The dispatches of a transform, in order, with the plan's text. */
export interface LabKernels {
  readonly text: string;
  readonly kernels: readonly LabKernel[];
}

/** What is transformed: `batch` rows of n complex float32 numbers. */
export interface LabKernelOptions {
  readonly n: number;
  readonly batch: number;
  /** The kernel. Default: what the planner chooses. */
  readonly variant?: Variant;
  readonly limits: PassLimits & VariantLimits;
}

/**
 * Returns the dispatches that transform `batch` rows of n points on a device with these limits, or what the variant needs. Throws `input`
 * if n or batch is not a positive integer.
 */
export function kernelsOf({ n, batch, variant, limits }: LabKernelOptions): LabKernels | Unmet {
  for (const [field, value] of Object.entries({ n, batch }))
    if (!(Number.isInteger(value) && value >= 1 && value <= 2 ** 26)) throw inputError(field, "an integer from 1 to 2^26", value);
  const transform = complexTransform(fft(layout("c64", [batch, n]), { axis: 1 }));
  const planned = transform && (variant ? variant.plan(transform, limits) : planTransform(transform, limits));
  if (!planned) return { needs: "a length whose prime factors are at most 13" };
  if (!("dispatches" in planned)) return planned;
  return {
    text: planned.text,
    kernels: planned.dispatches.map(({ code, entry, groups, arrays }) => ({
      code,
      entry,
      groups,
      arrays: Object.fromEntries(
        Object.entries(arrays).map(([name, use]) => [
          name,
          {
            dtype: use.layout.dtype,
            bytes: byteLength(use.layout),
            access: use.access,
            table: "table" in use.from,
          },
        ]),
      ),
    })),
  };
}

/** A function of WGSL, `fn butterfly(v: array<vec2f, r>)`, that computes the DFT of r values, as the stages of all transforms do. */
export function butterflyText(r: number): string {
  const text = new Text();
  const values = Array.from({ length: r }, (_, i) => text.let(`v[${i}]`, "x"));
  const results = dft(text, values, -1);
  return `fn butterfly(v: array<vec2f, ${r}>) -> array<vec2f, ${r}> {\n${text}\nreturn array<vec2f, ${r}>(${results.join(", ")});\n}`;
}
