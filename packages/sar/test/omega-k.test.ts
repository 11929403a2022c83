/**
 * ω-K on simulated point targets: places, widths, side lobes and phases against theory, at broadside and squinted; float32 against float64;
 * and the four passes on the GPU against the CPU.
 */
import { random, randomArray } from "@dechirp/conformance";
import { evaluate, layout, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { chirpSamples, type PointTarget, type StripmapRadar, wavelengthMeters, windowTheory } from "@dechirp/radar";
import { describe, expect, test } from "vitest";
import {
  analysePointTarget,
  beamOffsetSeconds,
  chirpBandwidthHz,
  migrationFactor,
  type OmegaKParams,
  omegaK,
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

/** Targets at the centre and towards the corners of what is recorded, off the pixels, where the beam is in the middle of the lines. */
function corners(radar: StripmapRadar): PointTarget[] {
  const cells = size.samples - chirpSamples(radar);
  const places = [
    [0.5, 0.5],
    [0.3, 0.15],
    [0.3, 0.85],
    [0.7, 0.15],
    [0.7, 0.85],
  ];
  return places.map(([line, cell], i) => {
    const slantRangeMeters =
      (radar.nearRangeMeters + (cell * cells + 0.13 * i) * rangeSpacingMeters(radar)) * migrationFactor(radar, radar.dopplerCentroidHz);
    const azimuthSeconds =
      (line * size.lines + 0.27 * i) / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
    return { name: `target ${i}`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: i };
  });
}

describe("ω-K", () => {
  test.each([0, 400, -1000])("focuses the centre and the corners in place at a centroid of %d Hz", async (centroid) => {
    const scene = radar(centroid);
    const targets = corners(scene);
    const { raw } = await simulateStripmap({ radar: scene, ...size, targets, beam: { kind: "doppler-band", bandwidthHz: 210 } });
    const program = omegaK({ radar: scene, ...size, processedBandwidthHz });
    using device = await open(cpu());
    const { image } = await evaluate(program, device, { raw: raw as Float32Array });

    const { azimuthSeconds: azimuth, slantRangeMeters: range } = program.axes;
    const theory = windowTheory({ kind: "kaiser", beta: 2.5 });
    for (const target of targets) {
      const at = {
        row: (target.azimuthSeconds - azimuth.start) / azimuth.step,
        column: (target.slantRangeMeters - range.start) / range.step,
      };
      const found = analysePointTarget({ data: image, rows: azimuth.count, columns: range.count }, at, program.spectrum);
      const phase = found.peakPhaseRadians - (target.phaseRadians - (4 * Math.PI * target.slantRangeMeters) / wavelengthMeters(scene));
      const turns = phase / (2 * Math.PI);
      const widths = {
        azimuth: (found.azimuth.irwPixels * processedBandwidthHz) / scene.prfHz / theory.irwTimesBandwidth,
        range: (found.range.irwPixels * chirpBandwidthHz(scene)) / scene.samplingRateHz / migrationFactor(scene, centroid) / theory.irwTimesBandwidth,
      };
      expect(Math.abs(found.rowOffset), target.name).toBeLessThan(0.003);
      expect(Math.abs(found.columnOffset), target.name).toBeLessThan(0.003);
      for (const axis of ["azimuth", "range"] as const) {
        expect(Math.abs(widths[axis] - 1), `${target.name}, ${axis}`).toBeLessThan(0.005);
        expect(Math.abs(found[axis].pslrDb - theory.pslrDb), `${target.name}, ${axis}`).toBeLessThan(0.3);
      }
      expect(Math.abs(turns - Math.round(turns)) * 360, target.name).toBeLessThan(1);
      expect(Math.abs(found.peakMagnitude - 1), target.name).toBeLessThan(0.01);
    }
  });

  const small = { lines: 48, samples: chirpSamples(radar(0)) + 64, processedBandwidthHz, azimuthLength: 64 };
  const noise = randomArray(layout("ci16", [small.lines, small.samples]), random(1)) as Int16Array;
  const lineGain = Float32Array.from({ length: small.lines }, (_, i) => 1 + i / 100);

  test.each([0, 400, -1000])("is as exact in float32 as its roundings allow, centroid %d Hz", async (centroid) => {
    using device = await open(cpu());
    const params: OmegaKParams = { radar: radar(centroid), ...small, rawType: "ci16", lineGain };
    const { image: exact } = await evaluate(omegaK({ ...params, precision: "f64" }), device, { raw: noise });
    const energy = exact.reduce((sum, v) => sum + v * v, 0);
    for (const fuse of [true, false]) {
      const { image } = await evaluate(omegaK(params), device, { raw: noise }, { fuse });
      const error = Math.sqrt(image.reduce((sum, v, i) => sum + (v - exact[i]) ** 2, 0) / energy);
      console.log(error, 0.4 * 2 ** -23 * Math.sqrt(4 * 10) + 4 * 2 ** -23);
      expect(error).toBeLessThan(0.4 * 2 ** -23 * Math.sqrt(4 * 10) + 4 * 2 ** -23);
    }
  });

  test("runs in four passes on the GPU, with the same values as on the CPU after each", async () => {
    using device = await open(gpu());
    using other = await open(cpu());
    const program = omegaK({ radar: radar(-1000), ...small, rawType: "ci16", lineGain });
    const { first, stages } = await compare(program, device, other, { raw: noise });
    expect(first).toBeUndefined();
    expect(stages.length).toBe(4);
    for (const step of program.steps) {
      using plan = await device.plan(step.op);
      console.log(plan.text);
      expect(plan.text).toMatch(/^\([a-z-]+\/gpu /);
      expect(plan.text).not.toMatch(/host|lowered/);
    }
  });
});
