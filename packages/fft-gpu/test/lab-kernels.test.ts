/** Tests the text of the laboratory's kernels for models: dispatches without a device, butterflies, and what is refused. */
import { describe, expect, it } from "vitest";
import { butterflyText, kernelsOf, plannerNumbers, variants } from "../src/lab.ts";

const limits = { workgroupBytes: 32_768, invocations: 1024, features: new Set<string>(), language: new Set<string>(), matrices: [] };

describe("kernelsOf", () => {
  it("returns the dispatches of a variant with their arrays", () => {
    const found = kernelsOf({ n: 4096, batch: 256, variant: variants["radix-8"], limits });
    expect(found).toMatchObject({
      text: expect.stringContaining("radix=8·8·8·8 threads=512"),
      kernels: [
        {
          code: expect.stringContaining("@workgroup_size(512)"),
          entry: "main",
          groups: [256, 1, 1],
          arrays: {
            in: { dtype: "c64", bytes: 8 * 4096 * 256, access: "read", table: false },
            out: { dtype: "c64", bytes: 8 * 4096 * 256, access: "write", table: false },
            dechirp_table: { dtype: "c64", access: "read", table: true },
          },
        },
      ],
    });
  });

  it("returns the planner's choice without a variant, in several passes if needed", () => {
    const counts = [plannerNumbers.longestLine, 2 * plannerNumbers.longestLine].map((n) => {
      const found = kernelsOf({ n, batch: 4, limits });
      return "kernels" in found ? found.kernels.length : found.needs;
    });
    expect(counts).toEqual([1, 2]);
  });

  it("says what a variant needs, and refuses bad sizes", () => {
    expect(kernelsOf({ n: 1000, batch: 1, variant: variants["radix-8"], limits })).toMatchObject({
      needs: expect.stringContaining("power of two"),
    });
    expect(kernelsOf({ n: 4096, batch: 1, variant: variants["radix-8"], limits: { ...limits, workgroupBytes: 1024 } })).toMatchObject({
      needs: expect.stringContaining("workgroups"),
    });
    // No Bluestein: 1031 is a prime.
    expect(kernelsOf({ n: 1031, batch: 1, limits })).toMatchObject({ needs: expect.stringContaining("prime factors") });
    for (const [n, batch, field] of [
      [0, 1, "n"],
      [1.5, 1, "n"],
      [8, 0, "batch"],
      [8, Number.NaN, "batch"],
    ] as const)
      expect(() => kernelsOf({ n, batch, limits })).toThrow(
        expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
      );
  });
});

it.each([
  [null, "the options of kernelsOf"],
  [{ n: 256, batch: 1 }, "limits"],
  [{ n: 256, batch: 1, limits: {} }, "limits.workgroupBytes"],
  [{ n: 256, batch: 1, limits: { ...limits, workgroupBytes: Number.NaN } }, "limits.workgroupBytes"],
  [{ n: 256, batch: 1, limits: { ...limits, invocations: "256" } }, "limits.invocations"],
  [{ n: 256, batch: 1, limits: { ...limits, features: [] } }, "limits.features"],
  [{ n: 256, batch: 1, limits: { ...limits, matrices: undefined } }, "limits.matrices"],
  [{ n: 256, batch: 1, limits: { ...limits, subgroups: [32] } }, "limits.subgroups"],
  [{ n: 256, batch: 1, limits, variant: "radix-8" }, "variant"],
  [{ n: 256, batch: 1, limits, variant: null }, "variant"],
])("kernelsOf refuses %j", (options, field) => {
  expect(() => kernelsOf(options as never)).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }));
});

it("butterflyText has the radices of stages only", () => {
  for (const r of [2, 13, 16, 32, 64]) expect(butterflyText(r)).toContain(`array<vec2f, ${r}>`);
  for (const r of [0, 1, -1, 1.5, 17, "8", undefined])
    expect(() => butterflyText(r as number)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "r" }) }),
    );
});

it("butterflyText has one value for each point", () => {
  const text = butterflyText(8);
  expect(text).toMatch(/^fn butterfly\(v: array<vec2f, 8>\) -> array<vec2f, 8> \{/);
  expect(text.match(/v\[\d\]/g)).toHaveLength(8);
  expect(text).toMatch(/return array<vec2f, 8>\((\w+, ){7}\w+\);\n\}$/);
});
