/**
 * The text of transforms, for models that count the work of kernels instead of measuring it: `kernelsOf` returns the dispatches that a
 * variant or the planner makes for a batch of lines, and `butterflyText` one butterfly. No device is needed.
 */

import type { Access } from "@dechirp/core";
import { byteLength, type DType, fft, inputError, layout } from "@dechirp/core";
import { checkFields, checkObject } from "@dechirp/core/internal";
import { planTransform } from "../passes.ts";
import type { PassLimits } from "../transform.ts";
import { complexTransform } from "../transform-body.ts";
import { checkVariant, planBy } from "../variant-checks.ts";
import type { Unmet, Variant, VariantLimits } from "../variants.ts";
import { dft, radices } from "../wgsl/codelets.ts";
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
 * that names the field
 * if n or batch is not a positive integer, or the limits or the variant are none.
 */
export function kernelsOf(options: LabKernelOptions): LabKernels | Unmet {
  checkFields(options, { n: true, batch: true, variant: true, limits: true }, "the options of kernelsOf");
  const { n, batch, variant, limits } = options;
  for (const [field, value] of Object.entries({ n, batch }))
    if (!(Number.isInteger(value) && value >= 1 && value <= 2 ** 26)) throw inputError(field, "an integer from 1 to 2^26", value);
  if (variant !== undefined) checkVariant(variant, "variant");
  checkLimits(limits);
  const transform = complexTransform(fft(layout("c64", [batch, n]), { axis: 1 }));
  const planned = transform && (variant ? planBy("variant", variant, transform, limits) : planTransform(transform, limits));
  if (!planned) return { needs: "a length whose prime factors are small" };
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

function checkLimits(limits: LabKernelOptions["limits"]): void {
  checkObject(limits, "limits", "input");
  const { workgroupBytes, invocations, features, matrices, subgroups } = limits;
  const isPair = Array.isArray(subgroups) && subgroups.length === 2;
  for (const [field, value] of Object.entries({ workgroupBytes, invocations, ...(subgroups && { subgroups: isPair && subgroups[0] }) }))
    if (!(Number.isInteger(value) && (value as number) > 0)) throw inputError(`limits.${field}`, "a positive integer", value);
  if (typeof features?.has !== "function") throw inputError("limits.features", "a set of names", features);
  if (!Array.isArray(matrices)) throw inputError("limits.matrices", "a list of products of matrices", matrices);
}

/**
 * A function of WGSL, `fn butterfly(v: array<vec2f, r>)`, that computes the DFT of r values, as the stages of all transforms do.
 * Throws `input` for other radices than those of stages.
 */
export function butterflyText(r: number): string {
  const known: readonly number[] = [...radices, 32, 64];
  if (!known.includes(r)) throw inputError("r", `one of ${known.join(", ")}`, r);
  const text = new Text();
  const values = Array.from({ length: r }, (_, i) => text.let(`v[${i}]`, "x"));
  const results = dft(text, values, -1).join(", ");
  // A call, because bundlers may evaluate `results` after a text that is only named in a template.
  const lines = text.toString();
  return `fn butterfly(v: array<vec2f, ${r}>) -> array<vec2f, ${r}> {\n${lines}\nreturn array<vec2f, ${r}>(${results});\n}`;
}
