/**
 * Transforms by the matrix units of a GPU: `matrixVariant` makes a kernel for given products, and `matrices` has those with names. Which
 * products a device computes is in its adapter's `subgroupMatrixConfigs`. Apple's GPUs have 8×8×8 of f32 and f16, NVIDIA's 16×8×8, 16×8×16
 * and 16×16×16 of f16.
 *
 * Accuracy. WGSL lets devices round to either neighbour, so one rounding of f32 is at most ε = 2⁻²³ of the value, and one of f16 is 2⁻¹¹ in the
 * mean square. A DFT of r values is a sum of 2r products for each part. Partial sums have half the mean square of the whole, so the error of
 * summation is ε√r in the mean square. Twiddle factors and constants add about 2ε.
 * - f32: ε√(r + 4) in each stage.
 * - f16: values are rounded before each stage and the last one. Errors of the matrix and of the f32 sums are smaller: 2⁻¹¹ in each stage.
 * - f16 sums: the sums are rounded, too: 2⁻¹¹√(1 + r).
 * - split: the low part of a value is less than 2⁻¹⁰ of it, and is rounded to 11 bits, which leaves 2⁻²¹ or 4ε at most. Those of the matrix
 *   and the product that is left out are smaller. With the error of summation, ε√(16 + r + 4).
 * The errors of stages are independent, so √stages times as much in all.
 */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Planned } from "../passes.ts";
import type { Unmet, Variant } from "../variants.ts";
import { type MatrixOptions, matrixFeatures } from "./matrix-products.ts";
import { planSmall } from "./matrix-small.ts";
import { planStages } from "./matrix-stages.ts";
import { proofOf } from "./proof.ts";

export type { MatrixOptions } from "./matrix-products.ts";

/** Options of `matrixVariant`. */
export interface MatrixVariantOptions extends MatrixOptions {
  /**
   * What the columns of products are. `single`: elements of one line, with one line in a workgroup. `batched`: elements and lines, with 8 or
   * more lines in a workgroup. `small`: lines of 8 to 64 points, each of which is a column of one product. Default: `single`.
   */
  readonly columns?: "single" | "batched" | "small";
}

/** What columns are, by the beginning of a variant's name. */
const names = { matrix: "single", "matrix-batched": "batched", "matrix-small": "small" } as const;

const fieldsOfOptions: FieldsOf<MatrixVariantOptions> = { shape: true, component: true, sums: true, split: "boolean", columns: true };

function checkOptions(options: MatrixVariantOptions): void {
  checkFields(options, fieldsOfOptions, "the options of matrixVariant");
  const { shape, component, sums = "f32", split, columns = "single" } = options;
  const oneOf = (field: string, value: unknown, known: readonly string[]): void => {
    if (!known.includes(value as string)) throw inputError(field, known.join(" or "), value);
  };
  oneOf("component", component, ["f32", "f16"]);
  oneOf("sums", sums, component === "f32" ? ["f32"] : ["f32", "f16"]);
  oneOf("columns", columns, Object.values(names));
  if (split && (component === "f32" || sums === "f16"))
    throw inputError("split", "false unless products are of f16 with sums of f32", split);
  const isSize = (size: unknown): boolean => Number.isInteger(size) && (size as number) > 0;
  if (shape !== undefined && !(Array.isArray(shape) && shape.length === 3 && shape.every(isSize)))
    throw inputError("shape", "three positive integers M, N and K", shape);
}

/**
 * A kernel whose stages are products of matrices. The plan names what is missing if a device can't compute it. Throws `input`, naming the
 * field, for options that no device could have.
 */
export function matrixVariant(options: MatrixVariantOptions): Variant {
  checkOptions(options);
  const { columns = "single" } = options;
  const error = (n: number): number => matrixError(options, n);
  return {
    features: matrixFeatures,
    error,
    prove: proofOf(error),
    plan: (transform, limits): Planned | Unmet =>
      columns === "small" ? planSmall(transform, limits, options) : planStages(transform, limits, options, columns === "batched"),
  };
}

/** The bound of the error, as derived above. If the shape is not given, for whichever the device has. */
function matrixError({ columns, shape, component, sums = "f32", split = false }: MatrixVariantOptions, n: number): number {
  const small = columns === "small";
  const r = small ? n : (shape?.[2] ?? (component === "f32" ? 8 : 16));
  const stages = small ? 1 : Math.ceil(Math.log2(n) / 3);
  if (component === "f32") return 2 ** -23 * Math.sqrt(stages * (r + 4));
  if (split) return 2 ** -23 * Math.sqrt(stages * (16 + r + 4));
  return 2 ** -11 * Math.sqrt(stages * (sums === "f16" ? 1 + r : 1));
}

/** The kinds of products by the end of a variant's name. */
const kinds = {
  "": { component: "f32" },
  " split": { component: "f16", split: true },
  " f16": { component: "f16" },
  " f16 sums": { component: "f16", sums: "f16" },
} as const satisfies Record<string, MatrixOptions>;

/**
 * The kernels with names. `matrix`: one line in a workgroup; `matrix-batched`: several; `matrix-small`: 8 to 64 points. Without an ending,
 * products are of f32. `split`: of f32 numbers as pairs of f16. `f16`: of f16 with f32 sums. `f16 sums`: of f16 with f16 sums.
 */
export const matrices = Object.fromEntries(
  Object.entries(names).flatMap(([name, columns]) =>
    Object.entries(kinds).map(([ending, options]) => [`${name}${ending}`, matrixVariant({ ...options, columns })]),
  ),
) as Readonly<Record<`${keyof typeof names}${keyof typeof kinds}`, Variant>>;
