/** Tests the published fused SAR experiment at small sizes, on the CPU and on a GPU; its kernels against the definition. */
import { createRandom, type Device, isRadarError, layout, open } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, it } from "vitest";
import { lineKernel } from "../src/fused-sar-paper/line-kernel.ts";
import { fusedSarExperiment, fusedSarTables, type PaperReport, reportMarkdown } from "../src/index.ts";

const ways = ["unfused", "fused", "no-fuse", "kernels-conjugate", "kernels-twiddles", "baseline", "fused-f16"];

/** Checks everything that must hold for any report. */
function expectSound(report: PaperReport, lines: number, samples: number): void {
  expect(report).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: "fused-sar-paper", scene: { lines, samples } });
  expect(report.scene.image[0]).toBe(lines);
  // No transform is padded. The image loses only the pulse and the guard cells.
  expect(report.scene.image[1]).toBeGreaterThan(0.85 * samples);
  expect(report.differenceBound).toBeCloseTo(3e-7 * Math.sqrt(24), 15);
  expect(report.variants.map(({ name }) => name)).toEqual(ways);
  const unfused = report.variants[0].measured;
  for (const { name, why, measured } of report.variants) {
    expect(why, name).toBeUndefined();
    expect(measured?.milliseconds, name).toBeGreaterThan(0);
    expect(measured?.parts.length, name).toBe(["fused", "no-fuse", "fused-f16"].includes(name) ? 3 : 4);
    for (const part of measured?.parts ?? []) expect(part.milliseconds, `${name} ${part.part}`).toBeGreaterThan(0);
    // Half a unit of eleven bits in each of two stored arrays, added.
    const allowed = name === "fused-f16" ? 2 * 2 ** -11 : report.differenceBound;
    expect(measured?.difference.relativeL2, name).toBeLessThanOrEqual(allowed);
    expect(measured?.targets.length, name).toBe(5);
    for (const [i, { measured: target }] of (measured?.targets ?? []).entries()) {
      const apart = Math.abs((target?.snrDb ?? Number.NaN) - (unfused?.targets[i].measured?.snrDb ?? Number.NaN));
      expect(apart, `${name}, target ${i}`).toBeLessThan(0.05);
      expect(Math.abs(target?.range.errorPixels ?? Number.NaN), `${name}, target ${i}`).toBeLessThan(1 / 16);
      expect(Math.abs(target?.azimuth.errorPixels ?? Number.NaN), `${name}, target ${i}`).toBeLessThan(1 / 16);
    }
  }
  // Half precision is used, and the variants differ in passes.
  expect(report.variants.at(-1)?.measured?.difference.relativeL2).toBeGreaterThan(2 ** -14);
  const passes = (name: string): number => report.variants.find((variant) => variant.name === name)?.measured?.passes ?? Number.NaN;
  expect(passes("fused")).toBe(3);
  expect(passes("unfused")).toBeGreaterThan(passes("kernels-conjugate"));
}

describe("the experiment", () => {
  it("measures every variant on the CPU and makes tables", async () => {
    using device = await open(cpu());
    const report = await fusedSarExperiment(device, { lines: 256, samples: 256, turns: 2, whyDevice: "it is there" });
    expectSound(report, 256, 256);
    expect(report.device).toMatchObject({ id: "cpu", why: "it is there" });
    expect(report.variants.every(({ measured }) => measured?.clock === "host" && measured.turns === 2)).toBe(true);
    const markdown = reportMarkdown(fusedSarTables(report));
    const published = "22.3× 8160 370 29.0 132 37.0 129 47.3 46.8 47.1 46.5 45.2 8.13 6.02".split(" ");
    for (const text of published) expect(markdown).toContain(text);
    // Steps that run by reference in JavaScript do not measure fusion, and are marked: RCMC alone, but not the three fused passes.
    const byReference = Object.fromEntries(report.variants.map(({ name, measured }) => [name, measured?.byReference]));
    expect(byReference).toMatchObject({ fused: [], unfused: [], baseline: [], "fused-f16": ["range", "azimuth", "image"] });
    expect(markdown).toMatch(/\n- † some steps run by reference/);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("accepts scenes that are neither square nor powers of two", async () => {
    using device = await open(cpu());
    expectSound(await fusedSarExperiment(device, { lines: 288, samples: 384, turns: 1 }), 288, 384);
  });

  it("ends if its signal fires, and frees everything", async () => {
    using device = await open(cpu());
    for (const where of ["simulating", "fused, turn 1 of 5", "baseline, turn 2 of 5"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what === where && controller.abort("SIGINT"));
      const ended = fusedSarExperiment(device, { lines: 256, samples: 256 }, { signal: controller.signal, onProgress });
      expect(
        isRadarError(
          await ended.then(
            () => undefined,
            (error: unknown) => error,
          ),
          "aborted",
        ),
        where,
      ).toBe(true);
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });

  it("detects an image that was not written", async () => {
    using device = await open(cpu());
    // A device whose fused transforms do nothing.
    const idle: Device = {
      ...device,
      units: device.units,
      async plan(op, options) {
        const plan = await device.plan(op, options);
        return op.op === "filter-inverse" && options?.fuse !== false ? { ...plan, run: () => ({ done: Promise.resolve() }) } : plan;
      },
    };
    const error = await fusedSarExperiment(idle, { lines: 256, samples: 256, turns: 1 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isRadarError(error, "failed") && error.message).toMatch(/^fused made no image/);
  });
});

describe("on a GPU", () => {
  it("makes the image in every variant", async () => {
    using device = await open(gpu());
    const report = await fusedSarExperiment(device, { lines: 256, samples: 256, turns: 1 });
    expectSound(report, 256, 256);
    const plans = (name: string): string =>
      report.variants
        .find((variant) => variant.name === name)
        ?.measured?.parts.flatMap((part) => part.plans)
        .join("\n") ?? "";
    expect(plans("kernels-conjugate")).toMatch(/kernel\/wgsl FFT·H·conj·FFT·conj/);
    expect(plans("kernels-twiddles")).toMatch(/kernel\/wgsl FFT·H·IFFT/);
    expect(plans("baseline")).toMatch(/kernel\/host conjugate/);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("the published kernel", () => {
  const lines = 3;
  const random = createRandom(7);
  const numbers = (count: number): Float32Array => Float32Array.from({ length: 2 * count }, () => random.uniform() - 0.5);

  /** Σ x[i]·exp(±j2πik/n), by definition. */
  function dft(x: ArrayLike<number>, n: number, sign: 1 | -1): Float64Array {
    const y = new Float64Array(2 * n);
    for (let k = 0; k < n; k++) {
      for (let i = 0; i < n; i++) {
        const angle = (sign * 2 * Math.PI * ((i * k) % n)) / n;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        y[2 * k] += x[2 * i] * c - x[2 * i + 1] * s;
        y[2 * k + 1] += x[2 * i] * s + x[2 * i + 1] * c;
      }
    }
    return y;
  }

  it.each([
    [256, 256],
    [384, 100],
    [512, 509],
  ] as const)("is IDFT(DFT(x)·h), in both forms and on both devices: %d points, %d kept", async (n, keep) => {
    const [x, h] = [numbers(lines * n), numbers(n)];
    for (const forward of [true, false]) {
      const expected = new Float64Array(2 * lines * keep);
      for (let l = 0; l < lines; l++) {
        const line = x.subarray(2 * l * n, 2 * (l + 1) * n);
        const spectrum = forward ? dft(line, n, -1) : Float64Array.from(line);
        const product = spectrum.map((_, i) => {
          const k = i - (i % 2);
          const [a, b, c, d] = [spectrum[k], spectrum[k + 1], h[k], h[k + 1]];
          return i % 2 === 0 ? a * c - b * d : a * d + b * c;
        });
        expected.set(
          dft(product, n, 1)
            .map((value) => value / n)
            .subarray(0, 2 * keep),
          2 * l * keep,
        );
      }
      for (const backend of [cpu(), gpu()]) {
        using device = await open(backend);
        for (const inverse of ["twiddles", "conjugate"] as const) {
          const op = lineKernel({ layout: layout("c64", [lines, n]), forward, inverse, keep });
          using plan = await device.plan(op);
          expect(plan.text).not.toContain("kernel/host");
          using from = device.alloc(layout("c64", [lines, n]));
          using filter = device.alloc(layout("c64", [n]));
          using to = device.alloc(layout("c64", [lines, keep]));
          from.write(x);
          filter.write(h);
          plan.run({ in: from, h: filter, out: to });
          const got = (await to.read()) as Float32Array;
          const { relativeL2 } = differenceOf(layout("c128", [lines, keep]), Float64Array.from(got), expected);
          // Two transforms within the tolerance of their length, a product, and the spread of energy by a filter that is not flat.
          expect(relativeL2, `${device.id} ${inverse}`).toBeLessThan(2 ** -23 * Math.sqrt(2 * Math.log2(n)) + 3 * 2 ** -23);
        }
      }
    }
  });
});
