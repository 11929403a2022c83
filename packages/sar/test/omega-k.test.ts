/**
 * ω-K on simulated point targets: places, widths, side lobes and phases against theory, at broadside and squinted; float32 against float64;
 * and the four passes on the GPU against the CPU.
 */
import { random, randomArray } from "@dechirp/conformance";
import { type Constant, compile, evaluate, layout, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { chirpSamples, type PointTarget, type StripmapRadar, speedOfLight, wavelengthMeters, windowTheory } from "@dechirp/radar";
import { describe, expect, test } from "vitest";
import {
  analysePointTarget,
  beamOffsetSeconds,
  chirpBandwidthHz,
  imageSpectrum,
  migrationFactor,
  type OmegaKParams,
  type OmegaKProgram,
  omegaK,
  type RangeDopplerProgram,
  rangeDoppler,
  rangeSpacingMeters,
  simulateStripmap,
} from "../src/index.ts";
import { refused } from "./refused.ts";

/** X band with 4 % of relative bandwidth: at a centroid of −1000 Hz the beam squints by 9° and targets migrate by 40 cells. */
const radar = (dopplerCentroidHz: number): StripmapRadar => ({
  carrierHz: 10e9,
  samplingRateHz: 500e6,
  prfHz: 270,
  chirpRateHzPerSecond: 400e6 / 0.4e-6,
  pulseSeconds: 0.4e-6,
  velocityMetersPerSecond: 100,
  nearRangeMeters: 3000,
  dopplerCentroidHz,
});
const size = { lines: 512, samples: 512 };
const processedBandwidthHz = 170;

/** Where the beam sees the targets, in parts of the lines and of the cells that a full pulse supports: the centre, and towards the corners. */
const places = [
  [0.5, 0.5],
  [0.3, 0.15],
  [0.3, 0.85],
  [0.7, 0.15],
  [0.7, 0.85],
];

/** Targets that the beam sees at these places, and a little beside, so that they do not lie on pixels. */
function targetsAt(places: readonly (readonly number[])[], radar: StripmapRadar, size: { lines: number; samples: number }): PointTarget[] {
  const cells = size.samples - chirpSamples(radar);
  return places.map(([line, cell], i) => {
    const slantRangeMeters =
      (radar.nearRangeMeters + (cell * cells + 0.13 * i) * rangeSpacingMeters(radar)) * migrationFactor(radar, radar.dopplerCentroidHz);
    const azimuthSeconds =
      (line * size.lines + 0.27 * i) / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
    return { name: `target ${i}`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: i };
  });
}

/** Every target's place, widths, side lobes and phase in an image, against theory. Widths are over those of theory. */
async function measure(
  program: OmegaKProgram | RangeDopplerProgram,
  radar: StripmapRadar,
  targets: readonly PointTarget[],
  raw: Float32Array,
) {
  using device = await open(cpu());
  const image = (await evaluate(program, device, { raw }))["image"] as Float32Array;
  const { azimuthSeconds: azimuth, slantRangeMeters: range } = program.axes;
  const theory = windowTheory({ kind: "kaiser", beta: 2.5 });
  const rangeWidth = (speedOfLight / 2 / chirpBandwidthHz(radar)) * migrationFactor(radar, radar.dopplerCentroidHz);
  return targets.map((target) => {
    const at = {
      row: (target.azimuthSeconds - azimuth.start) / azimuth.step,
      column: (target.slantRangeMeters - range.start) / range.step,
    };
    const spectrum = "spectrum" in program ? program.spectrum : imageSpectrum(radar);
    const found = analysePointTarget({ data: image, rows: azimuth.count, columns: range.count }, at, spectrum);
    const phase = found.peakPhaseRadians - (target.phaseRadians - (4 * Math.PI * target.slantRangeMeters) / wavelengthMeters(radar));
    const turns = phase / (2 * Math.PI);
    return {
      name: target.name,
      offsets: [found.rowOffset, found.columnOffset],
      widths: [
        (found.azimuth.irwPixels * program.processedBandwidthHz) / radar.prfHz / theory.irwTimesBandwidth,
        (found.range.irwPixels * range.step) / rangeWidth / theory.irwTimesBandwidth,
      ],
      sideLobesDb: [found.azimuth, found.range].map(({ pslrDb }) => pslrDb - theory.pslrDb),
      degrees: Math.abs(turns - Math.round(turns)) * 360,
      magnitude: found.peakMagnitude,
    };
  });
}

const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

describe("ω-K", () => {
  test.each([0, 400, -1000])("focuses the centre and the corners in place at a centroid of %d Hz", async (centroid) => {
    const scene = radar(centroid);
    const targets = targetsAt(places, scene, size);
    const { raw } = await simulateStripmap({ radar: scene, ...size, targets, beam: { kind: "doppler-band", bandwidthHz: 210 } });
    const program = omegaK({ radar: scene, ...size, processedBandwidthHz });
    for (const found of await measure(program, scene, targets, raw as Float32Array)) {
      expect(largest(found.offsets), found.name).toBeLessThan(0.003);
      expect(largest(found.widths.map((width) => width - 1)), found.name).toBeLessThan(0.005);
      expect(largest(found.sideLobesDb), found.name).toBeLessThan(0.3);
      expect(found.degrees, found.name).toBeLessThan(1);
      expect(Math.abs(found.magnitude - 1), found.name).toBeLessThan(0.01);
    }
  });

  test("focuses a tenth of relative bandwidth at 20° of squint at every range, which range-Doppler does not", async () => {
    const wide: StripmapRadar = {
      ...radar(2280),
      samplingRateHz: 1.3e9,
      prfHz: 830,
      chirpRateHzPerSecond: 1e9 / 0.2e-6,
      pulseSeconds: 0.2e-6,
      nearRangeMeters: 500,
    };
    const size = { lines: 512, samples: 1152, processedBandwidthHz: 300 };
    const targets = targetsAt(
      [
        [0.5, 0.15],
        [0.5, 0.85],
      ],
      wide,
      size,
    );
    const { raw } = await simulateStripmap({
      radar: wide,
      lines: 512,
      samples: 1152,
      targets,
      beam: { kind: "doppler-band", bandwidthHz: 560 },
    });
    for (const found of await measure(omegaK({ radar: wide, ...size }), wide, targets, raw as Float32Array)) {
      expect(largest(found.offsets), found.name).toBeLessThan(0.003);
      expect(largest(found.widths.map((width) => width - 1)), found.name).toBeLessThan(0.005);
      expect(largest(found.sideLobesDb), found.name).toBeLessThan(0.3);
      expect(found.degrees, found.name).toBeLessThan(1);
    }
    for (const found of await measure(rangeDoppler({ radar: wide, ...size }), wide, targets, raw as Float32Array))
      expect(found.widths[1], found.name).toBeGreaterThan(1.2);
  });
  // Small, because software adapters take long over each pixel.
  const short = (centroid: number): StripmapRadar => ({
    ...radar(centroid),
    pulseSeconds: 0.02e-6,
    chirpRateHzPerSecond: 400e6 / 0.02e-6,
    nearRangeMeters: 1000,
  });
  const small = { lines: 24, samples: 40, processedBandwidthHz, azimuthLength: 32, rangeLength: 64 };
  const noise = randomArray(layout("ci16", [small.lines, small.samples]), random(1)) as Int16Array;
  const lineGain = Float32Array.from({ length: small.lines }, (_, i) => 1 + i / 100);

  test.each([0, 400, -1000])("is as exact in float32 as its roundings allow, centroid %d Hz", async (centroid) => {
    using device = await open(cpu());
    const params = { radar: short(centroid), ...small, rawType: "ci16", lineGain } as const;
    const { image: exact } = await evaluate(omegaK({ ...params, precision: "f64" }), device, { raw: noise });
    const energy = exact.reduce((sum, v) => sum + v * v, 0);
    for (const fuse of [true, false]) {
      const { image } = await evaluate(omegaK<"f32">(params), device, { raw: noise }, { fuse });
      const error = Math.sqrt(image.reduce((sum, v, i) => sum + (v - exact[i]) ** 2, 0) / energy);
      // Every transform at the gate of its length, tables rounded once.
      expect(error).toBeLessThan(0.4 * 2 ** -23 * Math.sqrt(4 * 6) + 4 * 2 ** -23);
    }
  });

  test("runs in four passes on the GPU, with the same values as on the CPU after each", async () => {
    using device = await open(gpu());
    using other = await open(cpu());
    const stolt = { kind: "sinc", taps: 8, window: "kaiser" } as const;
    const program = omegaK({ radar: short(-1000), ...small, rawType: "ci16", lineGain, stolt });
    const { first, stages } = await compare(program, device, other, { raw: noise });
    expect(first).toBeUndefined();
    expect(stages.length).toBe(4);
    using compiled = await compile(program, device);
    expect(compiled.text.match(/\/gpu /g)).toHaveLength(4);
    expect(compiled.text).not.toMatch(/host|lowered/);
  });

  test("keeps the phase of a satellite's reference function to 1e-4 cycles", () => {
    const satellite: StripmapRadar = {
      carrierHz: 5.3e9,
      samplingRateHz: 32e6,
      prfHz: 1250,
      chirpRateHzPerSecond: -0.7e12,
      pulseSeconds: 40e-6,
      velocityMetersPerSecond: 7000,
      nearRangeMeters: 980_000,
      dopplerCentroidHz: -6500,
    };
    const program = omegaK({ radar: satellite, lines: 64, samples: 2048 + chirpSamples(satellite), azimuthLength: 64 });
    const { cycles, rest } = program.constants as Record<string, Constant>;
    const [rows, terms] = rest.layout.shape;
    const n = (program.constants as Record<string, Constant>)["rangeFilter"].layout.shape[0];
    const half = chirpBandwidthHz(satellite) / 2;
    let most = 0;
    for (const row of [0, 5, 20, 40, 59].filter((row) => cycles.data[3 * row] !== 0)) {
      const baseband = (row * satellite.prfHz) / rows;
      const doppler = baseband + satellite.prfHz * Math.round((satellite.dopplerCentroidHz - baseband) / satellite.prfHz);
      const across = (speedOfLight * doppler) / (2 * satellite.velocityMetersPerSecond);
      for (const place of [0.1, 0.4, 0.5, 0.8].map((part) => Math.round(part * n))) {
        const f = ((place - n / 2) * satellite.samplingRateHz) / n;
        const x = Math.fround(f / half);
        const whole = Math.imul(cycles.data[3 * row + 1], place) + Math.floor((cycles.data[3 * row + 2] * place) / 65536);
        const curved =
          x *
          x *
          Array.from(rest.data.subarray(terms * row, terms * (row + 1))).reduceRight((sum, value) => Math.fround(sum * x + value), 0);
        const root = Math.sqrt((satellite.carrierHz + f) ** 2 - across ** 2) - satellite.carrierHz;
        const exact = (2 / speedOfLight) * (program.referenceRangeMeters * root - satellite.nearRangeMeters * f);
        most = Math.max(most, Math.abs(exact));
        const off = (cycles.data[3 * row] + whole) / 2 ** 32 + curved - exact;
        expect(Math.abs(off - Math.round(off)), `${row}, ${place}`).toBeLessThan(1e-4);
      }
    }
    expect(most).toBeGreaterThan(1e4);
  });

  test("refuses parameters that make no image, by name", () => {
    const scene = short(400);
    const bad: [Partial<OmegaKParams>, string][] = [
      [{ lines: 0 }, "lines"],
      [{ samples: 10 }, "samples"],
      [{ samples: chirpSamples(scene) + 1 }, "samples"],
      [{ radar: { ...scene, prfHz: Number.NaN } }, "radar.prfHz"],
      [{ radar: { ...scene, prfHz: 10 } }, "radar.prfHz"],
      [{ radar: { ...scene, velocityMetersPerSecond: 1 } }, "radar.dopplerCentroidHz"],
      // The chirp fits the sampling rate, but at 45° the image's range spectrum is wider.
      [{ radar: { ...scene, prfHz: 2000, samplingRateHz: 400e6, dopplerCentroidHz: 4700 } }, "radar.samplingRateHz"],
      [{ radar: { ...scene, samplingRateHz: 300e6 } }, "radar.samplingRateHz"],
      [{ processedBandwidthHz: scene.prfHz }, "processedBandwidthHz"],
      [{ azimuthLength: 10 }, "azimuthLength"],
      [{ rangeLength: small.samples + 1 }, "rangeLength"],
      [{ rangeLength: small.samples - 2 }, "rangeLength"],
      [{ azimuthLength: 2 ** 12, rangeLength: 2 ** 21 }, "rangeLength"],
      // Phases of bins beyond 2¹⁶ would overflow.
      [{ rangeLength: 2 ** 16 + 2 }, "rangeLength"],
      [{ stolt: { kind: "sinc", taps: 7, window: "kaiser" } }, "stolt.taps"],
      [{ stolt: { kind: "sinc", taps: 2, window: "knab" }, rangeLength: 16_384 }, "stolt"],
      [{ lineGain: [1, 2] }, "lineGain"],
      [{ rawType: "f32" as "c64" }, "rawType"],
      [{ rangeWindow: { kind: "kaiser", beta: -1 } }, "rangeWindow"],
    ];
    for (const [change, field] of bad)
      expect(
        refused(() => omegaK({ radar: scene, lines: small.lines, samples: small.samples, ...change })),
        field,
      ).toContain(field);
  });
});
