/** Tests the text of the backprojection kernel: where sines come from on a device, how bins are found, and how many pixels an invocation has. */
import type { WgslLimits } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { backprojectionKernel } from "../src/backprojection/kernel.ts";
import { formOf } from "../src/backprojection/kernel-form.ts";
import type { BackprojectionShape } from "../src/backprojection/shape.ts";

const limits: WgslLimits = { workgroupBytes: 32_768, invocations: 1024 };
const shape: BackprojectionShape = {
  nx: 128,
  ny: 128,
  tile: 64,
  pulses: 100,
  bins: 512,
  scheme: "tiles",
  sets: 1,
  blockTiles: 4,
  order: 3,
  window: { bins: 120, before: 60 },
  curves: 512,
  sine: "accurate",
};
const textOf = (change: Partial<BackprojectionShape>, sineError?: number): string => {
  const kernel = backprojectionKernel({ ...shape, ...change });
  const given = { ...limits, ...(sineError !== undefined && { sineError }) };
  return kernel.wgsl!(kernel.constants ?? {}, given, undefined as never)!.code;
};

describe("sines", () => {
  it("are those of a device that is accurate, else a polynomial", () => {
    expect(textOf({}, 5e-7)).toContain("sin(a)");
    for (const error of [2e-6, 2 ** -11, Number.POSITIVE_INFINITY, undefined]) expect(textOf({}, error)).not.toContain("sin(");
    expect(textOf({ sine: "polynomial" }, 1e-8)).not.toContain("sin(");
    expect(textOf({ sine: "native" }, 1)).toContain("sin(a)");
    expect(textOf({ sine: "table" }, 1e-8)).toContain("load_sines");
  });

  it("are only measured for kernels that may use them", () => {
    const measuredFor = (sine: BackprojectionShape["sine"]) => backprojectionKernel({ ...shape, sine }).measured;
    expect(measuredFor("accurate")).toEqual(["sineError"]);
    for (const sine of ["polynomial", "native", "table"] as const) expect(measuredFor(sine)).toBeUndefined();
  });
});

it("finds bins of windows without conversions, and compilers can't simplify that", () => {
  const { curves: _, ...linear } = shape;
  for (const one of [shape, linear as BackprojectionShape]) {
    const code = backprojectionKernel(one).wgsl!({}, limits, undefined as never)!.code;
    const value = code.slice(code.indexOf("fn value_at"), code.indexOf("fn read_bin"));
    expect(value).toMatch(/bitcast<f32>\(bits & 0x4bffffffu\)/);
    expect(value).not.toMatch(/round\(|floor\(|u32\(place/);
  }
});

it.each([
  [64, 1024, 512],
  [64, 256, 256],
  [32, 1024, 128],
  [16, 1024, 32],
  [128, 1024, 512],
])("gives tiles of %i pixels on a device with %i invocations %i", (tile, invocations, wanted) => {
  const form = formOf({ ...shape, tile }, { ...limits, invocations });
  expect(form).toMatchObject({ invocations: wanted });
  expect(form!.invocations * form!.steps[0] * form!.steps[1]).toBeGreaterThanOrEqual(tile ** 2);
});
