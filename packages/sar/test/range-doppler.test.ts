/** The range-Doppler program on simulated point targets: position, width, side lobes and phase against theory. */

import { evaluate, open, type RadarError } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, type PointTarget, type StripmapRadar, type Window, wavelengthMeters, windowTheory } from "@dechirp/radar";
import type { InterpolatorSpec } from "@dechirp/radar/interpolation";
import { beforeAll, describe, expect, test } from "vitest";
import {
  analysePointTarget,
  beamOffsetSeconds,
  chirpBandwidthHz,
  imageSpectrum,
  migrationFactor,
  type RangeDopplerParams,
  rangeDoppler,
  rangeSpacingMeters,
  type ScenePreset,
  scenePresets,
  simulateStripmap,
} from "../src/index.ts";

const sinc16: InterpolatorSpec = { kind: "sinc", taps: 16, window: "kaiser" };
const sinc8: InterpolatorSpec = { kind: "sinc", taps: 8, window: "kaiser" };
const windows: readonly Window[] = [{ kind: "rect" }, { kind: "kaiser", beta: 2.5 }, { kind: "taylor", nbar: 4, sidelobeDb: -30 }];

interface PointScene {
  readonly radar: StripmapRadar;
  readonly lines: number;
  readonly samples: number;
  readonly processedBandwidthHz: number;
  readonly targets: readonly PointTarget[];
  readonly raw: Float32Array;
}

async function simulate(preset: ScenePreset, more: Partial<ScenePreset> = {}): Promise<PointScene> {
  const { background: _background, noise: _noise, ...scene } = { ...preset, ...more };
  return { ...scene, raw: (await simulateStripmap(scene)).raw as Float32Array };
}

/** The quality preset's radar squinted, its targets at the centre, the near and far edges and off in azimuth. */
function squinted(dopplerCentroidHz: number): Partial<ScenePreset> {
  const preset = scenePresets.quality;
  const radar: StripmapRadar = { ...preset.radar, dopplerCentroidHz };
  const last = preset.samples - chirpSamples(radar);
  const places = [
    [0.5, 0.5],
    [0.5, 0.04],
    [0.5, 0.96],
    [0.36, 0.6],
    [0.64, 0.4],
  ];
  const targets = places.map(([line, cell], i): PointTarget => {
    const beamRange = radar.nearRangeMeters + (cell * last + 0.13 * i) * rangeSpacingMeters(radar);
    const slantRangeMeters = beamRange * migrationFactor(radar, dopplerCentroidHz);
    const azimuthSeconds = (line * preset.lines + 0.27 * i) / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, dopplerCentroidHz);
    return { name: `target ${i}`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: i };
  });
  return { radar, targets };
}

async function measure(scene: PointScene, options: Partial<RangeDopplerParams>) {
  using device = await open(cpu());
  const { radar, lines, samples, processedBandwidthHz } = scene;
  const program = rangeDoppler({ radar, lines, samples, processedBandwidthHz, ...options });
  const { image } = await evaluate(program, device, { raw: scene.raw });
  const { azimuthSeconds: azimuth, slantRangeMeters: range } = program.axes;
  const theory = windowTheory(options.rangeWindow ?? { kind: "kaiser", beta: 2.5 });
  return scene.targets.map((target) => {
    const row = (target.azimuthSeconds - azimuth.start) / azimuth.step;
    const at = {
      row: ((row % azimuth.count) + azimuth.count) % azimuth.count,
      column: (target.slantRangeMeters - range.start) / range.step,
    };
    const found = analysePointTarget({ data: image, rows: azimuth.count, columns: range.count }, at, {
      wrapRows: true,
      ...imageSpectrum(radar),
    });
    const phase = found.peakPhaseRadians - (target.phaseRadians - (4 * Math.PI * target.slantRangeMeters) / wavelengthMeters(radar));
    return {
      name: target.name,
      found,
      theory,
      phaseDegrees: Math.abs(((phase / (2 * Math.PI)) % 1) - Math.round((phase / (2 * Math.PI)) % 1)) * 360,
      azimuthIrw: (found.azimuth.irwPixels * processedBandwidthHz) / radar.prfHz / theory.irwTimesBandwidth,
      rangeIrw: (found.range.irwPixels * chirpBandwidthHz(radar)) / radar.samplingRateHz / theory.irwTimesBandwidth,
    };
  });
}

describe("point targets of the quality preset", () => {
  let scene: PointScene;
  beforeAll(async () => {
    scene = await simulate(scenePresets.quality);
    const { radar, processedBandwidthHz } = scene;
    const rate = (2 * radar.velocityMetersPerSecond ** 2) / (wavelengthMeters(radar) * radar.nearRangeMeters);
    expect(chirpBandwidthHz(radar) * radar.pulseSeconds).toBeGreaterThanOrEqual(512);
    expect(processedBandwidthHz ** 2 / rate).toBeGreaterThanOrEqual(512);
    expect(radar.samplingRateHz / chirpBandwidthHz(radar)).toBeGreaterThanOrEqual(1.3);
  });

  /** Compares every target with theory, with 16 taps. */
  async function expectTheory(window: Window, more: Partial<RangeDopplerParams> = {}): Promise<void> {
    for (const t of await measure(scene, { rangeWindow: window, azimuthWindow: window, rcmc: sinc16, ...more })) {
      expect(Math.abs(t.found.rowOffset), t.name).toBeLessThan(1 / 16);
      expect(Math.abs(t.found.columnOffset), t.name).toBeLessThan(1 / 16);
      expect(Math.abs(t.azimuthIrw - 1), t.name).toBeLessThan(0.01);
      expect(Math.abs(t.rangeIrw - 1), t.name).toBeLessThan(0.01);
      for (const cut of [t.found.azimuth, t.found.range]) {
        expect(Math.abs(cut.pslrDb - t.theory.pslrDb), t.name).toBeLessThan(0.3);
        expect(Math.abs(cut.islrDb - t.theory.islrDb), t.name).toBeLessThan(0.3);
      }
      expect(t.phaseDegrees, t.name).toBeLessThan(1);
      expect(t.found.peakMagnitude, t.name).toBeGreaterThan(0.95);
      expect(t.found.peakMagnitude, t.name).toBeLessThan(1.05);
    }
  }

  test.each(windows)("agree with theory with 16 taps, window $kind", (window) => expectTheory(window));

  test("agree with theory in an image whose outer cells are the guards", () =>
    expectTheory({ kind: "kaiser", beta: 2.5 }, { rangeLength: 2048 }));

  test.each(windows)("are within 3 % of theory's width with 8 taps, window $kind", async (window) => {
    for (const t of await measure(scene, { rangeWindow: window, azimuthWindow: window, rcmc: sinc8 })) {
      expect(Math.abs(t.azimuthIrw - 1), t.name).toBeLessThan(0.03);
      expect(Math.abs(t.rangeIrw - 1), t.name).toBeLessThan(0.03);
    }
  });

  test("smear without migration correction, and less with the nearest sample", async () => {
    const [exact] = await measure(scene, { rcmc: sinc16 });
    const [nearest] = await measure(scene, { rcmc: "nearest" });
    const [off] = await measure(scene, { rcmc: "off" });
    expect(nearest.found.peakMagnitude).toBeLessThan(0.99 * exact.found.peakMagnitude);
    expect(off.found.peakMagnitude).toBeLessThan(0.97 * nearest.found.peakMagnitude);
    expect(off.azimuthIrw).toBeGreaterThan(1.05);
  });
});

describe("squinted point targets", () => {
  test.each([
    [-300, "range"],
    [300, "range"],
    [700, "doppler"],
  ] as const)("are what theory says at a centroid of %d Hz, secondary range compression by %s", async (centroid, mode) => {
    const scene = await simulate(scenePresets.quality, squinted(centroid));
    const { radar, lines, samples, processedBandwidthHz } = scene;
    expect(rangeDoppler({ radar, lines, samples, processedBandwidthHz }).src.mode).toBe(mode);
    for (const t of await measure(scene, { rcmc: sinc16 })) {
      expect(Math.abs(t.found.rowOffset), t.name).toBeLessThan(1 / 16);
      expect(Math.abs(t.found.columnOffset), t.name).toBeLessThan(1 / 16);
      expect(Math.abs(t.azimuthIrw - 1), t.name).toBeLessThan(0.01);
      expect(Math.abs(t.rangeIrw - 1), t.name).toBeLessThan(0.01);
      expect(Math.abs(t.found.azimuth.pslrDb - t.theory.pslrDb), t.name).toBeLessThan(0.3);
      expect(Math.abs(t.found.range.pslrDb - t.theory.pslrDb), t.name).toBeLessThan(0.3);
      expect(t.phaseDegrees, t.name).toBeLessThan(1);
    }
  });

  test("lose resolution in range without secondary range compression", async () => {
    const scene = await simulate(scenePresets.quality, squinted(700));
    for (const t of await measure(scene, { rcmc: sinc16, src: "off" })) expect(t.rangeIrw, t.name).toBeGreaterThan(1.1);
  });
});

describe("the program", () => {
  const small = { lines: 96, samples: 512 };
  const radar: StripmapRadar = { ...scenePresets.default.radar, pulseSeconds: 1e-6, dopplerCentroidHz: 90 };
  const raw = Int8Array.from({ length: 2 * small.lines * small.samples }, (_, i) => ((i * 7919) % 31) - 15);
  const lineGain = Float32Array.from({ length: small.lines }, (_, i) => 1 + i / 100);

  test.each(["range", "doppler"] as const)("is the same in float32, float64, fused and step by step (%s)", async (src) => {
    using device = await open(cpu());
    const params: RangeDopplerParams = { radar, ...small, rawType: "ci8", lineGain, src };
    const exact = (await evaluate(rangeDoppler({ ...params, precision: "f64" }), device, { raw }))["image"] as Float64Array;
    const energy = exact.reduce((sum, v) => sum + v * v, 0);
    const passes = src === "range" ? 4 : 6;
    for (const fuse of [true, false]) {
      const image = (await evaluate(rangeDoppler(params), device, { raw }, { fuse }))["image"] as Float32Array;
      const error = image.reduce((sum, v, i) => sum + (v - exact[i]) ** 2, 0);
      // Every transform at the gate of its length, tables rounded once.
      expect(Math.sqrt(error / energy)).toBeLessThan(0.4 * 2 ** -23 * Math.sqrt(passes * 10) + 4 * 2 ** -23);
    }
    const { first, stages } = await compare(rangeDoppler(params), device, device, { raw });
    expect(first).toBeUndefined();
    expect(stages.map((s) => s.stage)).toEqual(
      src === "range" ? ["range", "doppler", "image"] : ["range spectrum", "doppler", "range", "image"],
    );
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("keeps the azimuth phase of a satellite to 2⁻³⁰ cycles in 32-bit integers", () => {
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
    const program = rangeDoppler({ radar: satellite, lines: 64, samples: 4096 + chirpSamples(satellite), src: "off" });
    const table = program.constants?.["phase"].data as Uint32Array;
    const { slantRangeMeters: range } = program.axes;
    const rows = program.geometry.azimuthLength;
    program.geometry.migration.forEach((d, row) => {
      for (const cell of [0, 1, 1000, 4095]) {
        const fixed =
          ((table[row] + Math.imul(table[rows + row], cell) + Math.floor((table[2 * rows + row] * cell) / 65536)) >>> 0) / 2 ** 32;
        const cycles = ((2 * satellite.carrierHz) / 299_792_458) * (range.start + cell * range.step) * (d - 1);
        const off = fixed - cycles;
        // Float64 itself holds these 10⁴ cycles to 2⁻³⁹.
        expect(Math.abs(off - Math.round(off))).toBeLessThan(2 ** -30);
      }
    });
  });

  test("refuses parameters that make no image, by name", () => {
    const bad: [Partial<RangeDopplerParams>, string][] = [
      [{ lines: 0 }, "lines"],
      [{ samples: 10 }, "samples"],
      [{ radar: { ...radar, prfHz: Number.NaN } }, "radar.prfHz"],
      [{ radar: { ...radar, velocityMetersPerSecond: 1 } }, "radar.dopplerCentroidHz"],
      [{ radar: { ...radar, velocityMetersPerSecond: 3e8 } }, "radar.velocityMetersPerSecond"],
      [{ radar: { ...radar, carrierHz: 1e300 } }, "radar.carrierHz"],
      [{ radar: { ...radar, startSeconds: 1e300 } }, "radar.startSeconds"],
      [{ azimuthLength: 10 }, "azimuthLength"],
      [{ processedBandwidthHz: 1e9 }, "processedBandwidthHz"],
      [{ processedBandwidthHz: 1e-9 }, "processedBandwidthHz"],
      [{ lineGain: [1, 2] }, "lineGain"],
      [{ rawType: "f32" as "c64" }, "rawType"],
      [{ src: "maybe" as "on" }, "src"],
      [{ rcmc: { kind: "sinc", taps: 7, window: "kaiser" } }, "rcmc.taps"],
      [{ rangeWindow: { kind: "kaiser", beta: -1 } }, "rangeWindow"],
      // It is defined for a number of samples, not along a band.
      [{ azimuthWindow: { kind: "chebyshev", sidelobeDb: -40 } }, "azimuthWindow"],
    ];
    for (const [change, field] of bad) {
      let error: RadarError | undefined;
      try {
        rangeDoppler({ radar, ...small, ...change });
      } catch (caught) {
        error = caught as RadarError;
      }
      expect(error?.code, field).toBe("input");
      expect(String(error?.fields["field"]), field).toContain(field);
    }
  });
});
