/**
 * Products of matrices that subgroups compute (WebGPU's `chromium-experimental-subgroup-matrix`): which of them a kernel uses, the DFT as a
 * real matrix, and the WGSL of loads, products and stores.
 *
 * The DFT of r complex values is a real matrix of 2r × 2r: rows are the real and then the imaginary parts of the results, columns those of
 * the values (radix-8 paper, eq. 5 and 6; fused-SAR paper, eq. 1 and 2). It is divided into tiles of M × K. With tiles of 8 × 8 and r = 8
 * these are the four products of the papers. A tile of 16 × 8 gives the real and imaginary parts of the results together.
 */
import { ArrayView, layout } from "@dechirp/core";
import { unitRoot } from "@dechirp/core/tables";
import type { ArrayUse, TableSpec } from "../dispatch.ts";
import type { SubgroupMatrix, Unmet, VariantLimits } from "../variants.ts";
import type { Text } from "../wgsl/text.ts";

/** The feature of WebGPU. */
export const matrixFeature = "chromium-experimental-subgroup-matrix";

/** The features that kernels with products of matrices use. */
export const matrixFeatures: readonly string[] = [matrixFeature, "subgroups", "shader-f16"];

/** The features of Dawn that are not safe for pages, for products and for half precision on NVIDIA's GPUs. */
export const unsafeFeatures = ["allow_unsafe_apis", "vulkan_enable_f16_on_nvidia"] as const;

/** Which products a kernel computes. */
export interface MatrixOptions {
  /** M, N and K of a product of M×K by K×N. Default: the first shape that the device lists for the types and that the kernel can use. */
  readonly shape?: readonly [m: number, n: number, k: number];
  /** The type of the factors. */
  readonly component: "f32" | "f16";
  /** The type of the sums. Default: f32. */
  readonly sums?: "f32" | "f16";
  /**
   * Whether each f32 value is the sum of two f16 values (high and low part), and three products are added: high·high, high·low and
   * low·high. It needs f16 components and f32 sums. Default: false.
   */
  readonly split?: boolean;
}

/** A product of matrices that a device computes. */
export interface MatrixForm {
  readonly m: number;
  readonly n: number;
  readonly k: number;
  readonly component: "f32" | "f16";
  readonly sums: "f32" | "f16";
  readonly split: boolean;
}

/** The device's product for the options, or what is missing. `usable` says whether the kernel can use a shape. */
export function formOf(
  { shape, component, sums = "f32", split = false }: MatrixOptions,
  { features, matrices, subgroups, unsafe }: VariantLimits,
  usable: (matrix: SubgroupMatrix) => boolean,
): MatrixForm | Unmet {
  const types = component === sums ? component : `${component} with sums of ${sums}`;
  const needs = `subgroup matrices ${shape ? `${shape.join("×")} ` : ""}of ${types}`;
  if (!features.has(matrixFeature)) {
    const hint = unsafe === false ? `, which gpu enables with unsafe: ["${unsafeFeatures.join('", "')}"]` : "";
    return { needs: `${needs}: the feature ${matrixFeature}${hint}`, feature: matrixFeature };
  }
  const found = matrices.find(
    (matrix) =>
      matrix.componentType === component &&
      matrix.resultComponentType === sums &&
      (!shape || (matrix.M === shape[0] && matrix.N === shape[1] && matrix.K === shape[2])) &&
      usable(matrix),
  );
  if (!found) return { needs, always: true };
  if (!subgroups) return { needs: "the feature subgroups", feature: "subgroups" };
  if (component === "f16" && !features.has("shader-f16")) return { needs: "the feature shader-f16", feature: "shader-f16" };
  return { m: found.M, n: found.N, k: found.K, component, sums, split };
}

/** Extensions of WGSL that the text of a form uses. */
export const enablesOf = ({ component }: MatrixForm): readonly string[] => [
  "chromium_experimental_subgroup_matrix",
  ...(component === "f16" ? ["f16"] : []),
];

/** Text for people. */
export const formText = ({ m, n, k, component, sums, split }: MatrixForm): string =>
  `products=${m}×${n}×${k} ${component}→${sums}${split ? " split" : ""}`;

/** Bytes of a number. */
export const bytesOf = (type: "f32" | "f16"): number => (type === "f32" ? 4 : 2);

/** Whether values are scaled, so that they fit into f16: by a power of two for each line, and by 1/r in each DFT of r values. */
export const scales = ({ component }: MatrixForm): boolean => component === "f16";

/**
 * The factor of the results of `dftMatrix`. If sums are f16, they must not overflow, so the matrix is divided by r, a power of two. With f32
 * sums the kernel divides the sums.
 */
export const matrixScale = ({ sums }: MatrixForm, r: number): number => (sums === "f16" ? 1 / r : 1);

/**
 * The real matrix of the DFT of r values, 2r × 2r by rows, as an array of the device. If values are split, a matrix of the low parts follows
 * it.
 */
export function dftMatrix(form: MatrixForm, r: number, sign: -1 | 1): ArrayUse {
  const { component, split } = form;
  const scale = matrixScale(form, r);
  const size = (2 * r) ** 2;
  const half = component === "f16";
  const count = split ? 2 * size : size;
  const table: TableSpec = {
    key: `matrix of DFT ${r} ${sign} ${component} ${scale} ${split}`,
    layout: half ? layout("cf16", [count / 2]) : layout("f32", [count]),
    *make() {
      const values = new Float64Array(size);
      for (let p = 0; p < r; p++) {
        for (let q = 0; q < r; q++) {
          const [re, im] = unitRoot(p * q, r);
          const [real, imaginary] = [scale * re, -sign * scale * im];
          const [upper, lower] = [2 * r * p, 2 * r * (p + r)];
          values[upper + q] = real;
          values[upper + q + r] = -imaginary;
          values[lower + q] = imaginary;
          values[lower + q + r] = real;
        }
        yield;
      }
      if (!half) return Float32Array.from(values);
      const words = new Uint16Array(count);
      const view = new ArrayView(layout("cf16", [count / 2]), words);
      const at = (i: number): number => (i % 2 === 0 ? view.re(i >> 1) : view.im(i >> 1));
      for (let i = 0; i < size; i += 2) view.set(i / 2, values[i], values[i + 1]);
      for (let i = 0; split && i < size; i += 2) view.set((size + i) / 2, values[i] - at(i), values[i + 1] - at(i + 1));
      return words;
    },
  };
  return { from: { table }, layout: table.layout, access: "read", ...(half && { halves: true }) };
}

/** The name of the matrix among the arrays of a dispatch, and its variable. */
export const matrixName = "dechirp_matrix";
const matrixVariable = `dechirp_${matrixName}_0`;

/** WGSL of loads, products and stores of one form. */
export class Products {
  readonly #text: Text;
  readonly #form: MatrixForm;
  readonly #size: number;

  /** `r` is the number of points of the DFT whose matrix is bound. */
  constructor(text: Text, form: MatrixForm, r: number) {
    this.#text = text;
    this.#form = form;
    this.#size = 2 * r;
  }

  /** Tile (i, j) of the matrix: its high part, and its low part if values are split. */
  factors(i: string, j: string): readonly string[] {
    const { m, k, component, split } = this.#form;
    return Array.from({ length: split ? 2 : 1 }, (_, part) => {
      const at = this.#text.let(`${part * this.#size ** 2}u + ${i} * ${m * this.#size}u + ${j} * ${k}u`, "at");
      return this.#text.let(
        `subgroupMatrixLoad<subgroup_matrix_left<${component}, ${k}, ${m}>, row_major>(&${matrixVariable}, ${at}, ${this.#size}u)`,
        "factor",
      );
    });
  }

  /** The tile of values at `offset` of workgroup arrays, with rows `stride` apart: from the array of high parts, and that of low parts. */
  values(arrays: readonly string[], offset: string, stride: number): readonly string[] {
    const { n, k, component } = this.#form;
    const at = this.#text.let(offset, "at");
    return arrays.map((name) =>
      this.#text.let(
        `subgroupMatrixLoad<subgroup_matrix_right<${component}, ${n}, ${k}>, row_major>(&${name}, ${at}, ${stride}u)`,
        "value",
      ),
    );
  }

  /**
   * A new sum, which is zero. Workaround: a matrix that is declared in a loop without a value keeps the one of the iteration before (webgpu
   * 0.6.2 on Mesa 26.2). When that is fixed, `Text.variable` is enough.
   */
  sum(): string {
    const { m, n, sums } = this.#form;
    const name = this.#text.fresh("sum");
    this.#text.line(`var ${name} = subgroup_matrix_result<${sums}, ${n}, ${m}>();`);
    return name;
  }

  /** Adds the product of two tiles to a sum. If values are split, the small products come first; that of both low parts is left out. */
  add(sum: string, factors: readonly string[], values: readonly string[]): void {
    const pairs = this.#form.split
      ? [
          [factors[0], values[1]],
          [factors[1], values[0]],
          [factors[0], values[0]],
        ]
      : [[factors[0], values[0]]];
    for (const [a, b] of pairs) this.#text.line(`${sum} = subgroupMatrixMultiplyAccumulate(${a}, ${b}, ${sum});`);
  }

  /** Stores a sum. */
  store(array: string, offset: string, sum: string, stride: number): void {
    const at = this.#text.let(offset, "at");
    this.#text.line(`subgroupMatrixStore<row_major>(&${array}, ${at}, ${sum}, ${stride}u);`);
  }
}

/** The statement before blocks with products. Control flow that depends on the subgroup's number is uniform in each subgroup. */
export const uniformBySubgroup = "@diagnostic(off, chromium.subgroup_matrix_uniformity)";
