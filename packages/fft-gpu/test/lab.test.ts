/** Runs the kit's checks of variants on the laboratory's kernels, and tests how variants are asked for and refused. */
import { variantSuite } from "@dechirp/conformance";
import { type Device, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gpu } from "../src/index.ts";
import { type Variant, type VariantLimits, variants } from "../src/lab.ts";
import { kit, leavesOut, leftOut } from "./adapter.ts";
import { lengthsOf, limitsOf, needs } from "./lab-limits.ts";

/** The variants but for those with products of matrices, which lab-matrix.test.ts tests. */
const table: Readonly<Record<string, Variant>> = Object.fromEntries(
  Object.entries(variants as Record<string, Variant>).filter(([name]) => !name.startsWith("matrix")),
);
const limits = await limitsOf({ variants });

/** The variants without any length on this device, with the reason. */
const skipped = Object.entries(table).flatMap(([name, variant]) =>
  lengthsOf(variant, limits).length === 0 ? [[name, `needs ${needs(variant, 256, limits)}`] as const] : [],
);

/**
 * Stockham kernels that are the same code as radix-4 but for the shape or the twiddle factors. Where a kernel takes seconds to compile,
 * only radix-4 goes through all kinds of lines and hooks.
 */
const alike = ["radix-8", "radix-16", "registers", "sincos"];

let device: Device;
beforeAll(async () => {
  device = await open(gpu({ variants }));
});
afterAll(() => device[Symbol.dispose]());

describe.skipIf(leavesOut)(leavesOut ? leftOut : "variants", () => {
  const suite = variantSuite(
    Object.fromEntries(
      Object.entries(table).map(([name, variant]) => [
        name,
        { error: variant.error, takes: (n: number) => needs(variant, n, limits) === undefined },
      ]),
    ),
  );
  const checksOf = (name: string): readonly string[] => suite.checks.filter((check) => check.startsWith(`variants/${name}:`));
  const options = kit();
  const skips = {
    ...(options.sizes === "subset" &&
      Object.fromEntries(
        alike.flatMap((name) =>
          checksOf(name)
            .filter((check) => /any number|hooks/.test(check))
            .map((check) => [check, leftOut]),
        ),
      )),
    ...Object.fromEntries(skipped.flatMap(([name, reason]) => checksOf(name).map((check) => [check, reason]))),
  };
  suite({ ...options, skips, open: () => open(gpu({ variants })) });
});

describe("lengths", () => {
  const features = new Set<string>();
  const guaranteed: VariantLimits = { workgroupBytes: 16_384, invocations: 256, features, matrices: [] };
  const common: VariantLimits = { ...guaranteed, workgroupBytes: 32_768, invocations: 1024, subgroups: [32, 32] };
  const shortTo = (n: number) => [256, 512, 1024, 2048, 4096, 8192, 16_384].filter((length) => length <= n);

  it("of variants at WebGPU's limits and at those of GPUs", () => {
    const lists = (given: VariantLimits) =>
      Object.fromEntries(Object.entries(table).map(([name, variant]) => [name, lengthsOf(variant, given)]));
    expect(lists(guaranteed)).toMatchObject({ "radix-8": shortTo(8192), "cooley-tukey": shortTo(2048), shuffle: [] });
    expect(lists({ ...guaranteed, subgroups: [4, 128] })).toMatchObject({ shuffle: shortTo(8192) });
    expect(lists(common)).toMatchObject({ "radix-8": shortTo(16_384), "cooley-tukey": shortTo(4096), shuffle: shortTo(16_384) });
  });

  it("that do not fit are refused by what is missing", () => {
    const reasons = (name: string, n: number, given: VariantLimits) => needs(table[name], n, given);
    expect(reasons("cooley-tukey", 8192, common)).toBe("65536 bytes of workgroup memory for a line of 8192 points");
    expect(reasons("cooley-tukey", 300, common)).toBe("lines of 256 to 16384 points, a power of two");
    expect(reasons("shuffle", 16_384, { ...common, invocations: 256 })).toBe("workgroups of 512 invocations for a line of 16384 points");
    expect(reasons("shuffle", 16_384, { ...common, workgroupBytes: 16_384 })).toBe(
      "32768 bytes of workgroup memory for a line of 16384 points",
    );
    expect(reasons("shuffle", 256, guaranteed)).toBe("the feature subgroups");
  });
});

describe("plans", () => {
  const op = fft(layout("c64", [4, 512]), { axis: 1 });

  it("are the planner's without a variant, and the variant's with one", async () => {
    using bare = await device.plan(op);
    using other = await device.plan(op, { variant: "radix-4" });
    expect([bare.text.includes("radix=8·8·8"), other.text.includes("radix=2·4·4·4·4")]).toEqual([true, true]);
  });

  it("are refused by devices that do not know the variant", async () => {
    const failure = { code: "unsupported", fields: { field: "variant", variant: "radix-5" } };
    await expect(device.plan(op, { variant: "radix-5" })).rejects.toMatchObject(failure);
    for (const opened of [await open(gpu()), await open(cpu())]) {
      await expect(opened.plan(op, { variant: "radix-4" })).rejects.toMatchObject({ code: "unsupported" });
      opened[Symbol.dispose]();
    }
  });

  it.each([
    [null, "variants"],
    [[], "variants"],
    [new Map([["a", variants["radix-8"]]]), "variants"],
    [{ a: null }, "variants.a"],
    [{ a: 1 }, "variants.a"],
    [{ a: { plan: 1, error: () => 1 } }, "variants.a"],
    [{ a: { plan: () => ({ needs: "x" }) } }, "variants.a"],
    [{ a: { ...variants["radix-8"], features: "subgroups" } }, "variants.a.features"],
  ])("need a table of variants, not %o", async (table, field) => {
    await expect(open(gpu({ variants: table as never }))).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it.each([undefined, {}, { needs: 5 }, { dispatches: 5, text: "x" }])(
    "of a variant that returns %j instead fail by its name",
    async (planned) => {
      using wrong = await open(gpu({ variants: { wrong: { error: () => 1, plan: () => planned as never } } }));
      await expect(wrong.plan(op, { variant: "wrong" })).rejects.toMatchObject({
        code: "failed",
        message: expect.stringContaining("variant wrong"),
        fields: { variant: "wrong" },
      });
    },
  );

  it("compile at WebGPU's default limits, or are refused by what the line needs", async () => {
    using small = await open(gpu({ variants, limits: "default" }));
    const given = await limitsOf({ variants, limits: "default" });
    expect(given).toMatchObject({ workgroupBytes: 16_384, invocations: 256 });
    let taken = 0;
    for (const [name, variant] of Object.entries(table)) {
      for (const n of leavesOut ? [256] : [256, 4096]) {
        const needed = needs(variant, n, given);
        const planning = small.plan(fft(layout("c64", [3, n]), { axis: 1 }), { variant: name });
        if (needed === undefined) {
          using plan = await planning;
          expect(plan.text).toContain(`n=${n} `);
          taken += 1;
        } else {
          await expect(planning).rejects.toMatchObject({ code: "unsupported", fields: { field: "variant", variant: name, needs: needed } });
        }
      }
    }
    expect(taken).toBeGreaterThanOrEqual(Object.keys(table).length - skipped.length);
  });
});
