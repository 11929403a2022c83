/**
 * Runs the kit's checks of variants on the laboratory's kernels with products of matrices. Every shape that GPUs have is emulated in plain
 * WGSL. Where the adapter computes such products itself, the kernels run as they are, too.
 */
import { type VariantPromise, variantSuite } from "@dechirp/conformance";
import { type Device, open } from "@dechirp/core";
import { describe, it } from "vitest";
import { gpu } from "../src/index.ts";
import { matrixVariant, type SubgroupMatrix, type Variant, variants } from "../src/lab.ts";
import { kit } from "./adapter.ts";
import { onMatrix } from "./matrix-emulation.ts";

const opened: Device = await open(gpu({ variants, unsafe: ["allow_unsafe_apis"] }));
console.log(opened.info);
opened[Symbol.dispose]();

const f32 = { componentType: "f32", resultComponentType: "f32", M: 8, N: 8, K: 8 };
const shape = (M: number, N: number, K: number, resultComponentType = "f32"): SubgroupMatrix => ({ componentType: "f16", resultComponentType, M, N, K });
const all: readonly SubgroupMatrix[] = [f32, shape(8, 8, 8), shape(8, 8, 8, "f16"), shape(16, 8, 8), shape(16, 8, 16), shape(16, 16, 16), shape(16,8,8,"f16"), shape(16, 16, 16, "f16")];

const cases: Record<string, Variant> = {};
const promises: Record<string, VariantPromise> = {};
for (const m of all)
  for (const columns of ["single", "batched", "small"] as const)
    for (const split of m.componentType === "f16" && m.resultComponentType === "f32" ? [false, true] : [false]) {
      const name = `${columns} ${m.M}x${m.N}x${m.K} ${m.componentType} ${m.resultComponentType}${split ? " split" : ""}`;
      const v = matrixVariant({ shape: [m.M, m.N, m.K], component: m.componentType as "f16", sums: m.resultComponentType as "f16", split, columns });
      cases[name] = onMatrix(v, m, 32);
      promises[name] = { error: v.error, takes: (n) => columns === "small" ? [16,64].includes(n) : columns === "single" ? [256,512,...(split ? [] : [4096])].includes(n) : [256].includes(n) };
    }
describe("emulated", () => variantSuite(promises)({ ...kit(), open: () => open(gpu({ variants: cases })) }));
