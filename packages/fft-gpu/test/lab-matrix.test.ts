/**
 * Runs the kit's checks of variants on the laboratory's kernels with products of matrices: of every shape that GPUs have, emulated in plain
 * WGSL; and where the adapter computes such products, as they are. lavapipe of Debian sid does, for 8×8×8 of f16:
 * `node packages/fft-gpu/scripts/lavapipe-sid.mjs`.
 */
import { type VariantPromise, variantSuite } from "@dechirp/conformance";
import { type Device, fft, formatOp, layout, open } from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { create } from "webgpu";
import { dawnFlagsOf } from "../src/dawn.ts";
import { gpu } from "../src/index.ts";
import {
  kernelsOf,
  laboratory,
  type MatrixVariantOptions,
  matrixVariant,
  type SubgroupMatrix,
  type Variant,
  type VariantLimits,
  variants,
} from "../src/lab.ts";
import { kit, leavesOut, leftOut } from "./adapter.ts";
import { onMatrix } from "./matrix-emulation.ts";

const { unsafe } = laboratory;
/** Used until the last test, as the process crashes if it is collected before its adapter (webgpu 0.6.2; see adapter.ts). */
const opened = create([`enable-dawn-features=${unsafe.join(",")}`]);
const adapter = await opened.requestAdapter();
const own: readonly SubgroupMatrix[] = [
  ...((adapter?.info as { subgroupMatrixConfigs?: Iterable<SubgroupMatrix> } | undefined)?.subgroupMatrixConfigs ?? []),
].filter(({ componentType }) => componentType.startsWith("f"));
const hasHalf = adapter?.features.has("shader-f16") === true;

const product = (M: number, N: number, K: number, componentType = "f16", resultComponentType = "f32"): SubgroupMatrix => ({
  ...{ componentType, resultComponentType, M, N, K },
});
/** Products of Metal and of NVIDIA's driver with kernels that differ in how they use them. */
const emulations: readonly (readonly [SubgroupMatrix, Kind])[] = [
  [product(8, 8, 8, "f32"), { columns: "single", split: false }],
  [product(8, 8, 8, "f32"), { columns: "batched", split: false }],
  [product(8, 8, 8, "f32"), { columns: "small", split: false }],
  [product(8, 8, 8, "f16", "f16"), { columns: "single", split: false }],
  [product(16, 8, 8), { columns: "single", split: false }],
  [product(16, 8, 16), { columns: "batched", split: false }],
  [product(16, 16, 16), { columns: "single", split: true }],
  [product(16, 16, 16), { columns: "small", split: true }],
  [product(16, 8, 8, "f16", "f16"), { columns: "single", split: false }],
];

type Kind = Required<Pick<MatrixVariantOptions, "columns" | "split">>;
const optionsOf = ({ M, N, K, componentType, resultComponentType }: SubgroupMatrix, kind: Kind): MatrixVariantOptions => ({
  shape: [M, N, K],
  component: componentType as "f16",
  sums: resultComponentType as "f32",
  ...kind,
});
const kindsOf = ({ componentType, resultComponentType }: SubgroupMatrix): readonly Kind[] =>
  (["single", "batched", "small"] as const).flatMap((columns) => [
    { columns, split: false },
    ...(componentType === "f16" && resultComponentType === "f32" ? [{ columns, split: true }] : []),
  ]);

/** Lengths that fit into 32 KiB on every device, as many as an adapter compiles in a short time. */
const fits = ({ columns }: Kind, n: number): boolean =>
  columns === "small" ? n === 16 || n === 64 : columns === "single" ? n === 256 || n === 512 : n === 256;

/** Variants of these products, by name, and what is promised of them. */
function casesOf(
  list: readonly (readonly [SubgroupMatrix, Kind])[],
  make: (variant: Variant, matrix: SubgroupMatrix) => Variant,
): { readonly table: Readonly<Record<string, Variant>>; readonly promises: Readonly<Record<string, VariantPromise>> } {
  const table: Record<string, Variant> = {};
  const promises: Record<string, VariantPromise> = {};
  for (const [matrix, kind] of list) {
    const variant = matrixVariant(optionsOf(matrix, kind));
    const { componentType, resultComponentType, M, N, K } = matrix;
    const name = `${kind.columns} ${M}x${N}x${K} ${componentType} ${resultComponentType}${kind.split ? " split" : ""}`;
    table[name] = make(variant, matrix);
    promises[name] = { error: (n) => variant.error(n), takes: (n) => fits(kind, n) };
  }
  return { table, promises };
}

describe.skipIf(leavesOut)(leavesOut ? leftOut : "emulated products", () => {
  const { table, promises } = casesOf(
    emulations.filter(([{ componentType }]) => hasHalf || componentType === "f32"),
    onMatrix,
  );
  variantSuite(promises)({ ...kit(), sizes: "subset", open: () => open(gpu({ variants: table })) });
});

const noProducts = "this adapter computes no products of matrices (node packages/fft-gpu/scripts/lavapipe-sid.mjs)";
describe.skipIf(own.length === 0)(own.length === 0 ? noProducts : "the adapter's products", () => {
  const { table, promises } = casesOf(
    own.flatMap((matrix) => kindsOf(matrix).map((kind) => [matrix, kind] as const)),
    (variant) => variant,
  );
  variantSuite(promises)({ ...kit(), sizes: "subset", open: () => open(gpu({ variants: table, unsafe })) });

  it("are compiled for shapes that only other GPUs have", async () => {
    const device = await adapter?.requestDevice({
      requiredFeatures: ["chromium-experimental-subgroup-matrix" as GPUFeatureName, "shader-f16", "subgroups"],
    });
    for (const [M, N, K] of [
      [16, 8, 8],
      [16, 8, 16],
      [16, 16, 16],
    ]) {
      const code = `enable chromium_experimental_subgroup_matrix;
enable f16;
var<workgroup> values: array<f16, 256>;
var<workgroup> sums: array<f32, 256>;
@compute @workgroup_size(32) fn main() {
let a = subgroupMatrixLoad<subgroup_matrix_left<f16, ${K}, ${M}>, row_major>(&values, 0u, ${K}u);
let b = subgroupMatrixLoad<subgroup_matrix_right<f16, ${N}, ${K}>, row_major>(&values, 0u, ${N}u);
var s = subgroup_matrix_result<f32, ${N}, ${M}>();
s = subgroupMatrixMultiplyAccumulate(a, b, s);
subgroupMatrixStore<row_major>(&sums, 0u, s, ${N}u);
}`;
      const messages = (await device?.createShaderModule({ code }).getCompilationInfo())?.messages ?? [];
      expect(messages.map(({ message }) => message)).toEqual([]);
    }
    device?.destroy();
  });
});

afterAll(() => expect(opened).toBeDefined());

describe("variants with products", () => {
  let device: Device;
  beforeAll(async () => {
    device = await open(gpu({ variants }));
  });
  afterAll(() => device[Symbol.dispose]());

  it.skipIf(own.length > 0 && process.env["DECHIRP_ADAPTER_KIND"] === "system")("name the feature that a device lacks", async () => {
    const op = fft(layout("c64", [4, 512]), { axis: 1 });
    await expect(device.plan(op, { variant: "matrix" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(
        /the feature chromium-experimental-subgroup-matrix, which gpu enables with unsafe: \["allow_unsafe_apis", /,
      ),
      fields: { field: "variant", variant: "matrix", feature: "chromium-experimental-subgroup-matrix" },
    });
    using unsafely = await open(gpu({ variants, unsafe }));
    if (own.length > 0) return;
    const refused = await unsafely.plan(op, { variant: "matrix" }).catch((error: Error) => error);
    expect((refused as Error).message).toMatch(/subgroup matrices of f32: the feature chromium-experimental-subgroup-matrix$/);
  });

  it("refuse products that the device lacks, also between hooks, and name no feature that it has", async () => {
    const limits: VariantLimits = {
      ...{ workgroupBytes: 65_536, invocations: 1024, subgroups: [32, 32] },
      features: new Set(["chromium-experimental-subgroup-matrix", "subgroups", "shader-f16"]),
      matrices: [product(8, 8, 8)],
    };
    expect(kernelsOf({ n: 256, batch: 1, variant: matrixVariant({ component: "f32" }), limits })).toEqual({
      needs: "subgroup matrices of f32",
      always: true,
    });
    const lacking: Variant = { error: () => 1, plan: () => ({ needs: "products", always: true }) };
    using one = await open(gpu({ variants: { lacking } }));
    const [whole, padded] = [layout("c64", [4, 512]), layout("c64", [4, 300])];
    for (const op of [fft(whole, { axis: 1 }), fft(padded, { axis: 1, n: 512 }), fft(whole, { axis: 0 })])
      await expect(one.plan(op, { variant: "lacking" })).rejects.toMatchObject({
        code: "unsupported",
        message: `variant lacking can't compute ${formatOp(op)}: it needs products`,
      });
  });

  it.each([
    [undefined, "field"],
    [{}, "component"],
    [{ component: "f64" }, "component"],
    [{ component: "f16", sums: "f64" }, "sums"],
    [{ component: "f32", sums: "f16" }, "sums"],
    [{ component: "f32", split: true }, "split"],
    [{ component: "f16", sums: "f16", split: true }, "split"],
    [{ component: "f16", split: "yes" }, "split"],
    [{ component: "f16", columns: "weird" }, "columns"],
    [{ component: "f16", shape: [8, 8] }, "shape"],
    [{ component: "f16", shape: [8, 8, 0] }, "shape"],
    [{ component: "f16", shape: ["8", "8", "8"] }, "shape"],
    [{ component: "f16", shape: null }, "shape"],
    [{ component: "f16", typo: 1 }, "typo"],
  ])("refuse the options %j", (options, field) => {
    expect(() => matrixVariant(options as never)).toThrow(
      expect.objectContaining({ code: "input", message: expect.stringContaining(field === "field" ? "options of matrixVariant" : field) }),
    );
  });

  it("keep the error of f32 where products are of pairs of f16", () => {
    for (const n of [256, 4096])
      expect([variants["matrix split"].error(n) < 4 * variants.matrix.error(n), variants["matrix f16"].error(n) < 2e-3]).toEqual([
        true,
        true,
      ]);
  });
});

describe("features of Dawn that are not safe", () => {
  it("go into one flag with those of dawnFlags, as Dawn uses only the last", () => {
    const dawnFlags = ["enable-dawn-features=a,b", "backend=vulkan", "enable-dawn-features=c"];
    expect(dawnFlagsOf({ dawnFlags, unsafe: ["b", "d"] })).toEqual(["backend=vulkan", "enable-dawn-features=a,b,c,d"]);
    expect([dawnFlagsOf({ dawnFlags }), dawnFlagsOf({})]).toEqual([dawnFlags, []]);
  });

  it("are in the device's notes, and reach Dawn together with other features", async () => {
    const other = "enable-dawn-features=disable_workgroup_init";
    using device = await open(gpu({ variants, unsafe, dawnFlags: [other] }));
    expect(device.info.notes).toContain(`unsafe features of Dawn: ${unsafe.join(", ")}`);
    if (own.length === 0) return;
    const types = own.some(({ componentType, resultComponentType }) => componentType === "f16" && resultComponentType === "f32");
    const planned = device.plan(fft(layout("c64", [4, 512]), { axis: 1 }), { variant: types ? "matrix f16" : "matrix" });
    using plan = await planned;
    expect(plan.text).toContain("one-pass matrix");
  });
});
