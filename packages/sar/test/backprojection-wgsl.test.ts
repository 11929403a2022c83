/**
 * Tests the WGSL of the backprojection kernel: where sines come from on a device, how bins are found, what places exactly on bins read, and how many pixels
 * an invocation has.
 */
import { elementCount, open, type WgslLimits } from "@dechirp/core";
import { gpu } from "@dechirp/fft-gpu";
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

it("reads bins that places are exactly on as the reference does", async () => {
  using device = await open(gpu());
  const bins = 16;
  for (const curves of [undefined, bins]) {
    for (const before of [3, 4]) {
      for (const bin of [-1, 0, 1, 7, 8, bins - 2, bins - 1, bins]) {
        const { curves: _, ...rest } = shape;
        const one = {
          ...rest,
          nx: 8,
          ny: 8,
          tile: 8,
          pulses: 1,
          bins,
          blockTiles: 0,
          order: 2,
          window: { bins: 2 * before + 2, before },
        } as const;
        const kernel = backprojectionKernel({ ...one, ...(curves && { curves }) });
        const images: number[] = [];
        for (const form of [kernel, { ...kernel, wgsl: () => undefined }]) {
          using plan = await device.plan(form);
          expect(plan.text).toContain(images.length === 0 ? "kernel/wgsl" : "kernel/host");
          const buffers = Object.fromEntries(Object.entries(kernel.ports).map(([name, { layout }]) => [name, device.alloc(layout)]));
          // The anchor and all pixels are at the bin; bin k has 100 + k.
          const anchors = new Uint32Array(elementCount(kernel.ports["anchors"]!.layout));
          new Int32Array(anchors.buffer)[0] = bin;
          buffers["anchors"]!.write(anchors as never);
          const numbers = curves ? 4 : 2;
          const profiles = Float32Array.from({ length: numbers * bins }, (_, i) => (i % numbers === 0 ? 100 + i / numbers : 0));
          buffers[curves ? "curves" : "profiles"]!.write(profiles as never);
          await plan.run(buffers, { uniforms: { count: 1, binsPerMeter: 1, cyclesPerMeter: 1 } }).done;
          images.push(((await buffers["image"]!.read()) as Float32Array)[0]!);
          for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
        }
        const what = `bin ${bin}, ${before} before, ${curves ? "parabolas" : "lines"}`;
        // Lines end at the first and the last bin, exactly on which rounding decides.
        if (!curves && (bin === 0 || bin === bins - 1)) expect([0, 100 + bin], what).toContain(images[0]);
        else expect(images[0], what).toBeCloseTo(images[1]!, 3);
      }
    }
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
