/**
 * Emulates products of matrices that subgroups compute, in plain WGSL, so that the laboratory's kernels for every shape and type run on any
 * adapter. Each invocation of a subgroup has the whole matrix and computes it by definition, and all of them store the same values. Products
 * and sums are f32, and sums in f16 are rounded after each addition.
 */
import type { Dispatch } from "../src/dispatch.ts";
import type { SubgroupMatrix, Variant } from "../src/variants.ts";

const loads = /subgroupMatrixLoad<subgroup_matrix_(left|right)<(\w+), (\d+), (\d+)>, row_major>\(&(\w+), (\w+), (\d+)u\)/g;
const stores = /subgroupMatrixStore<row_major>\(&(\w+), (\w+), (\w+), (\d+)u\)/g;

/** The dispatch without matrices. `subgroup` becomes the number of a group of `width` invocations. */
export function emulated(dispatch: Dispatch, { M, N, K, componentType: type, resultComponentType: sums }: SubgroupMatrix, width: number): Dispatch {
  const functions = new Map<string, string>();
  const once = (name: string, text: string): string => {
    functions.set(name, text);
    return name;
  };
  const code = dispatch.code
    .replace(loads, (_, use, element, columns, rows, array, offset, stride) => {
      if (element !== type || Number(rows) !== (use === "left" ? M : K) || Number(columns) !== (use === "left" ? K : N))
        throw new Error(`the device has no ${use} matrix of ${rows}×${columns} ${element}`);
      const name = once(
        `load_${use}_${array}_${stride}`,
        `fn load_${use}_${array}_${stride}(start: u32) -> array<${element}, ${rows * columns}> {
  var m: array<${element}, ${rows * columns}>;
  for (var i = 0u; i < ${rows}u; i++) { for (var j = 0u; j < ${columns}u; j++) { m[i * ${columns}u + j] = ${array}[start + i * ${stride}u + j]; } }
  return m;
}`,
      );
      return `${name}(${offset})`;
    })
    .replace(stores, (_, array, offset, value, stride) => {
      const name = once(
        `store_${array}_${stride}`,
        `fn store_${array}_${stride}(start: u32, m: array<${sums}, ${M * N}>) {
  for (var i = 0u; i < ${M}u; i++) { for (var j = 0u; j < ${N}u; j++) { ${array}[start + i * ${stride}u + j] = m[i * ${N}u + j]; } }
}`,
      );
      return `${name}(${offset}, ${value})`;
    })
    .replaceAll(`subgroup_matrix_result<${sums}, ${N}, ${M}>`, `array<${sums}, ${M * N}>`)
    .replaceAll("subgroupMatrixMultiplyAccumulate", "multiply_add")
    .replace("@builtin(subgroup_id) subgroup: u32", "@builtin(num_workgroups) unused: vec3u")
    .replace(/(fn main\(.*\) \{\n)/, `$1let subgroup = tid / ${width}u;\n`);
  if (/subgroup_?[mM]atrix[^_]/.test(code.replaceAll("chromium.subgroup_matrix_uniformity", "")))
    throw new Error(`a use of matrices is not emulated: ${code}`);
  functions.set(
    "multiply_add",
    `fn multiply_add(a: array<${type}, ${M * K}>, b: array<${type}, ${K * N}>, c: array<${sums}, ${M * N}>) -> array<${sums}, ${M * N}> {
  var s: array<${sums}, ${M * N}>;
  for (var i = 0u; i < ${M}u; i++) { for (var j = 0u; j < ${N}u; j++) {
    var sum = c[i * ${N}u + j];
    for (var k = 0u; k < ${K}u; k++) { sum = ${sums}(f32(sum) + f32(a[i * ${K}u + k]) * f32(b[k * ${N}u + j])); }
    s[i * ${N}u + j] = sum;
  } }
  return s;
}`,
  );
  return {
    ...dispatch,
    code: `${[...functions.values()].join("\n")}\n${code.replaceAll(/@diagnostic\(off, chromium.subgroup_matrix_uniformity\) /g, "")}`,
    enables: (dispatch.enables ?? []).filter((name) => name !== "chromium_experimental_subgroup_matrix"),
  };
}

/** The variant on a device that is said to have a matrix and subgroups of `width` invocations. */
export const onMatrix = (variant: Variant, matrix: SubgroupMatrix, width: number): Variant => ({
  ...variant,
  features: ["shader-f16"],
  plan(transform, limits) {
    const features = new Set([...limits.features, "chromium-experimental-subgroup-matrix"]);
    const planned = variant.plan(transform, { ...limits, features, subgroups: [width, width], matrices: [matrix] });
    return "dispatches" in planned
      ? { ...planned, dispatches: planned.dispatches.map((dispatch) => emulated(dispatch, matrix, width)) }
      : planned;
  },
});
