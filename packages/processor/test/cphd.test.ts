/**
 * Images of CPHD files against the truth: positions, amplitudes and phases of point targets. The files are made by a builder that knows only
 * the phase model.
 */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { placeOf, readRecordingFrom } from "@dechirp/io/formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CphdSpec, makeCphd, scrambled, targets } from "../../io/test/cphd-builder.ts";
import { backprojectRecording, type PhaseHistoryRecording, planBackprojectedImage } from "../src/index.ts";
import { pointErrors } from "./point-errors.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

async function read(spec: CphdSpec, channel?: string): Promise<PhaseHistoryRecording> {
  const place = placeOf({ "a.cphd": makeCphd(spec).bytes }, { file: "a.cphd" });
  const { recording } = await readRecordingFrom(place, { kind: "phase-history", ...(channel === undefined ? {} : { channel }) });
  return recording;
}

const files: readonly (readonly [name: string, spec: CphdSpec, channel?: string, gain?: number])[] = [
  ["FX, CF8", {}],
  ["SGN +1, written +1", { sgn: "+1" }],
  ["SGN +1, written 1, a varying band", { sgn: "1", jitterHz: 6e6 }],
  ["a varying band and step", { jitterHz: 9e6, stepShare: 0.05 }],
  [
    "parameters in another order, AmpSF, CI4, dead vectors",
    { order: scrambled, pad: 24, format: "CI4", ampSF: true, channels: [{ dead: [0, 17, 119] }] },
  ],
  ["CI4 without AmpSF, samples beyond the band", { format: "CI4", margin: 9 }],
  ["CI2 with AmpSF", { format: "CI2", ampSF: true }],
  ["CF8 with AmpSF, version 1.0.1", { ampSF: true, version: "1.0.1" }],
  ["TOA", { domain: "TOA" }],
  ["TOA, SGN +1, a varying centre, CI2", { domain: "TOA", sgn: "+1", jitterHz: 6e6, format: "CI2", ampSF: true }],
  ["several reference points", { srpMeters: 12 }],
  [
    "a second channel",
    {
      channels: [
        { id: "a", pol: "HH" },
        { id: "b", pol: "HV", gain: 0.25 },
      ],
      sgn: "+1",
    },
    "b",
    0.25,
  ],
  ["a surface of constant height", { hae: true }],
];

describe("point targets of files", () => {
  for (const [name, spec, channel, gain = 1] of files)
    it(name, async () => {
      const recording = await read(spec, channel);
      const { scale } = makeCphd(spec);
      const live = recording.shape[0] - (recording.badPulses?.length ?? 0);
      for (const [x, y, z, amplitude, phase] of targets) {
        const found = await pointErrors(recording, device, [x, y, z]);
        expect(Math.hypot(found.xMeters, found.yMeters)).toBeLessThan(0.02);
        expect(Math.abs((found.amplitude * scale) / live / (gain * amplitude) - 1)).toBeLessThan(0.01);
        expect(Math.abs(Math.sin(found.phaseRadians - phase))).toBeLessThan(0.02);
        expect(Math.cos(found.phaseRadians - phase)).toBeGreaterThan(0);
      }
    });

  it("errs if the two positions, the sign or the bands are left out, so that the tests above can fail", async () => {
    const [x, y, z, , phase] = targets[1];
    const varying = await read({ jitterHz: 9e6, stepShare: 0.05 });
    const { pulseFrequencies: _, ...nominal } = varying;
    expect((await pointErrors(nominal, device, [x, y, z])).amplitude / varying.shape[0]).toBeLessThan(0.7 * 0.8);
    const { phaseSign: __, ...unsigned } = await read({ sgn: "+1" });
    const mirrored = await pointErrors(unsigned, device, [x, y, z]);
    expect(mirrored.amplitude / unsigned.shape[0]).toBeLessThan(0.5);
    const one = await read({});
    const moved = { ...one, positions: one.antennas?.transmit as Float64Array };
    expect(Math.abs(Math.sin((await pointErrors(moved, device, [x, y, z])).phaseRadians - phase))).toBeGreaterThan(0.05);
  });
});

describe("the image of a file", () => {
  it("has the scene of the file as its default grid", async () => {
    const recording = await read({});
    const plan = await planBackprojectedImage(recording);
    const { nx, ny, originMeters, xStepMeters, yStepMeters } = plan.grid;
    expect(originMeters[0] - xStepMeters[0] / 2).toBeCloseTo(-40, 9);
    expect(originMeters[1] + (ny - 0.5) * yStepMeters[1]).toBeCloseTo(40, 9);
    expect(nx * xStepMeters[0]).toBeCloseTo(80, 9);
    expect(plan.gridWhy).toContain("the scene that the recording describes");
    const image = await backprojectRecording(plan, device);
    const { peak } = image.report;
    expect(Math.hypot(peak.xMeters - targets[0][0], peak.yMeters - targets[0][1])).toBeLessThan(0.1);
    expect(peak.magnitude / recording.shape[0]).toBeCloseTo(1, 1);
  });

  it("has a note if the midpoint changes phases, and is refused if it changes them too much", async () => {
    const near = await backprojectRecording(await planBackprojectedImage(await read({ apart: 40 })), device);
    expect(near.report.notes.join()).toContain("the midpoint of transmitter and receiver");
    const far = await read({ apart: 3000, collectType: "BISTATIC" });
    await expect(backprojectRecording(await planBackprojectedImage(far), device)).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("bistatic"),
    });
  });
});
