/**
 * Emulates products of matrices that subgroups compute, in plain WGSL, so that the laboratory's kernels for every shape and type run on any
 * adapter. The invocations of a subgroup share the elements of a sum. Factors are not loaded: the product reads their elements from memory.
 * Bounds of loops are not constant, as compilers would unroll them. This needs subgroups whose invocations run in step, as those of software adapters do. Products and sums are f32, and sums in f16 are
 * rounded after each addition.
 */
import type { Dispatch } from "../src/dispatch.ts";
import type { SubgroupMatrix, Variant } from "../src/variants.ts";

const load = /^let (\w+) = subgroupMatrixLoad<subgroup_matrix_(left|right)<(\w+), (\d+), (\d+)>, row_major>\(&(\w+), (\w+), (\d+)u\);$/gm;
const product = /^(\w+) = subgroupMatrixMultiplyAccumulate\((\w+), (\w+), \1\);$/gm;
const store = /^subgroupMatrixStore<row_major>\(&(\w+), (\w+), (\w+), (\d+)u\);$/gm;

/** The dispatch without matrices, for subgroups of `width` invocations. */
export function emulated(dispatch: Dispatch, matrix: SubgroupMatrix, width: number): Dispatch {
  const { M, N, K, componentType: type, resultComponentType: sums } = matrix;
  const own = (M * N) / width;
  const functions = new Map<string, string>();
  /** The array and the stride of each factor. */
  const factors = new Map<string, readonly [array: string, stride: string]>();
  const element = (h: string): string => `let e = lane + ${h} * ${width}u; let i = e / ${N}u; let j = e % ${N}u;`;
  const code = dispatch.code
    .replace(load, (_, name, use, component, columns, rows, array, offset, stride) => {
      const expected = use === "left" ? [K, M] : [N, K];
      if (component !== type || Number(columns) !== expected[0] || Number(rows) !== expected[1])
        throw new Error(`the device has no ${use} matrix of ${rows}×${columns} ${component}`);
      factors.set(name, [array, stride]);
      return `let ${name} = ${offset};`;
    })
    .replace(product, (_, sum, left, right) => {
      const [a, b] = [factors.get(left) ?? ["?", "?"], factors.get(right) ?? ["?", "?"]];
      const name = `multiply_${[...a, ...b].join("_")}`;
      functions.set(
        name,
        `fn ${name}(a: u32, b: u32, c: array<${sums}, ${own}>, lane: u32) -> array<${sums}, ${own}> {
  var s = c;
  for (var h = 0u; h < ${own}u + (lane >> 16u); h++) {
    ${element("h")}
    for (var k = 0u; k < ${K}u + (lane >> 16u); k++) { s[h] = ${sums}(f32(s[h]) + f32(${a[0]}[a + i * ${a[1]}u + k]) * f32(${b[0]}[b + k * ${b[1]}u + j])); }
  }
  return s;
}`,
      );
      return `${sum} = ${name}(${left}, ${right}, ${sum}, lane);`;
    })
    .replace(store, (_, array, offset, sum, stride) => {
      const name = `keep_${array}_${stride}`;
      functions.set(
        name,
        `fn ${name}(start: u32, s: array<${sums}, ${own}>, lane: u32) {
  for (var h = 0u; h < ${own}u + (lane >> 16u); h++) { ${element("h")} ${array}[start + i * ${stride}u + j] = s[h]; }
}`,
      );
      return `${name}(${offset}, ${sum}, lane);`;
    })
    .replaceAll(`subgroup_matrix_result<${sums}, ${N}, ${M}>`, `array<${sums}, ${own}>`)
    .replaceAll("@diagnostic(off, chromium.subgroup_matrix_uniformity) ", "")
    .replace(", @builtin(subgroup_id) subgroup: u32", "")
    .replace(/(fn main\(.*\) \{\n)/, `$1let subgroup = tid / ${width}u;\nlet lane = tid % ${width}u;\n`);
  if (/subgroup_?matrix/i.test(code)) throw new Error(`a use of matrices is not emulated: ${code}`);
  const enables = (dispatch.enables ?? []).filter((name) => name !== "chromium_experimental_subgroup_matrix");
  return { ...dispatch, code: `${[...functions.values()].join("\n")}\n${code}`, enables };
}

/** The variant on a device whose subgroups are said to compute these products. */
export const onMatrix = (variant: Variant, matrix: SubgroupMatrix): Variant => ({
  ...variant,
  features: ["shader-f16", "subgroups"],
  plan(transform, limits) {
    const features = new Set([...limits.features, "chromium-experimental-subgroup-matrix"]);
    const planned = variant.plan(transform, { ...limits, features, matrices: [matrix] });
    if (!("dispatches" in planned)) return planned;
    const width = limits.subgroups?.[1] ?? 1;
    return { ...planned, dispatches: planned.dispatches.map((dispatch) => emulated(dispatch, matrix, width)) };
  },
});
