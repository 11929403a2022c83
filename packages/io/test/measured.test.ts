/** The readers on measured data, if it is there (`DECHIRP_DATA`). Spot values are those that MATLAB's own tools show. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PhaseHistory } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { type MatNumeric, type MatStruct, matField, matNumeric, matScalar, matStruct, parseGotcha, readMat } from "../src/index.ts";
import { readArray, readPhaseHistory, readScene } from "../src/node.ts";
import { samplesOf } from "./scene-support.ts";

const data = process.env.DECHIRP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const at = (...parts: string[]): string => join(data, ...parts);
const absent = (...parts: string[]): boolean => !existsSync(at(...parts));

const scenes = [
  { folder: "scene5-english-bay-ships", cell: 1050, agc: [11, 17], row0: [-1, -7, 3, 3, -3, 1, 3, -5, 3, 5, -3, 1] },
  { folder: "scene1-coal-ferry-terminals", cell: 970, agc: undefined, row0: undefined },
] as const;

describe("RADARSAT-1", () => {
  for (const { folder, cell, agc, row0 } of scenes) {
    it.skipIf(absent("radarsat1", folder))(`reads ${folder}`, async () => {
      const scene = await readScene(at("radarsat1", folder));
      expect([scene.dtype, scene.shape]).toEqual(["ci8", [1536, 2048]]);
      const data = await samplesOf(scene);
      expect(data.every((value) => Math.abs(value) <= 15 && value % 2 !== 0)).toBe(true);
      if (row0) expect(Array.from(data.subarray(0, row0.length))).toEqual([...row0]);
      expect(scene.radar).toMatchObject({
        carrierHz: 5.3e9,
        samplingRateHz: 32.317e6,
        prfHz: 1256.98,
        chirpRateHzPerSecond: -0.72135e12,
        velocityMetersPerSecond: 7062,
      });
      expect(scene.radar.nearRangeMeters).toBeCloseTo(988647.462 + ((cell - 1) * 2.9979e8) / (2 * 32.317e6), 6);
      expect(scene.radar.dopplerCentroidHz).toBeUndefined();
      expect(scene.preset).toBe("radarsat-1-fine");
      expect(scene.notes).toEqual([]);
      expect(scene.lineGain).toHaveLength(1536);
      if (!agc || !scene.lineGain) return;
      const decibels = Array.from(scene.lineGain, (gain) => 20 * Math.log10(gain));
      expect(Math.min(...decibels)).toBeCloseTo(agc[0], 5);
      expect(Math.max(...decibels)).toBeCloseTo(agc[1], 5);
    });
  }
});

const mountainTop = ["mountain-top", "t38pre01v1_cpi_6.mat"];
it.skipIf(absent(...mountainTop))("reads Mountain Top, version 4 big-endian", async () => {
  const mat = await readMat(readFileSync(at(...mountainTop)), { file: mountainTop[1] });
  expect(mat.version).toBe(4);
  expect([matScalar(mat, "npulses"), matScalar(mat, "fxmit"), matScalar(mat, "muxtype")]).toEqual([16, 435e6, 2]);
  const cpi = matNumeric(mat, "cpi1");
  expect(cpi).toMatchObject({ shape: [16 * 403, 14], complex: true, class: "single" });
  expect(Array.from(cpi.data.subarray(0, 4))).toEqual([-3430, -436, -2303, -2012]);
  expect(cpi.data.every(Number.isFinite)).toBe(true);
});

it.skipIf(absent("perfect-stap-small"))("reads the small set of the PERFECT suite", async () => {
  const { name, cube, steering } = await readArray(at("perfect-stap-small"));
  const samples = cube.data;
  expect([name, samples.length, steering?.data.length]).toEqual(["PERFECT STAP, small set", 2 * 4 * 128 * 512, 2 * 16 * 12]);
  // Real and imaginary parts are uniform from 0 to 10⁶.
  const mean = (samples as Float32Array).reduce((sum, x) => sum + x, 0) / samples.length;
  expect(Math.abs(mean - 5e5)).toBeLessThan((5 * 1e6) / Math.sqrt(12 * samples.length));
});

const gotcha = [1, 2, 3, 4].map((degree) => ["gotcha", `data_3dsar_pass1_az00${degree}_HH.mat`]);

describe("Gotcha", () => {
  it.skipIf(absent(...gotcha[0]))("is a version 5 file with a struct of structs", async () => {
    const mat = await readMat(readFileSync(at(...gotcha[0])), { file: gotcha[0][1] });
    const struct = matStruct(mat, "data");
    expect([...struct.fields.keys()]).toEqual(["fp", "freq", "x", "y", "z", "r0", "th", "phi", "af"]);
    const fp = matField(struct, "fp") as MatNumeric;
    expect(fp).toMatchObject({ kind: "numeric", class: "single", shape: [424, 117], complex: true });
    // Stored as float32; the digits are those of MATLAB's format long g.
    expect(fp.data[0]).toBe(Math.fround(1.2495033e-3));
    expect(matField(matField(struct, "af") as MatStruct, "ph_correct")).toMatchObject({ shape: [1, 117] });
    expect(mat.notes).toEqual([]);
    expect(await samplesOf(await parseGotcha([mat]))).toEqual(fp.data);
  });

  it.skipIf(gotcha.some((file) => absent(...file)))("has four degrees that form one phase history", async () => {
    const history = await readPhaseHistory(at("gotcha"));
    const pulses = 469;
    expect(history).toMatchObject({ pass: 1, polarisation: "HH", frequency: { count: 424 } });
    expect(history.notes).toEqual([expect.stringMatching(/by 295 Hz .* to about 69 dB/)]);
    const samples = await samplesOf(history);
    const { positions, referenceRangeMeters, frequency, azimuthRadians, elevationRadians, autofocus } = history;
    expect([positions.length, samples.length]).toEqual([3 * pulses, 2 * pulses * 424]);
    expect(speedOfLight / (2 * frequency.stepHz)).toBeCloseTo(101.88, 2);
    // The fit is nearer to the stored numbers, which are rounded to 1024 Hz, than the line between the ends.
    expect(frequency.firstHz + 211.5 * frequency.stepHz).toBeCloseTo((9288080384 + 9910440960) / 2 + 222.19, 1);
    const { frequency: ends } = await readPhaseHistory(at("gotcha"), { frequencies: "ends" });
    expect([ends.firstHz, ends.firstHz + 423 * ends.stepHz]).toEqual([9288080384, 9910440960]);
    if (!azimuthRadians || !elevationRadians || !autofocus) throw new Error("the files have angles and autofocus");
    for (let p = 0; p < pulses; p++) {
      const [x, y, z] = positions.subarray(3 * p, 3 * p + 3);
      const range = Math.hypot(x, y, z);
      // Consistency of the file: positions, ranges and angles agree to float32.
      expect(Math.abs(range - referenceRangeMeters[p])).toBeLessThan(1e-3);
      expect(Math.abs(range - 10_158)).toBeLessThan(1);
      expect(Math.abs(Math.atan2(y, x) - azimuthRadians[p])).toBeLessThan(1e-6);
      expect(Math.abs(Math.asin(z / range) - elevationRadians[p])).toBeLessThan(1e-6);
      if (p > 0) expect(azimuthRadians[p]).toBeGreaterThan(azimuthRadians[p - 1]);
    }
    const mean = autofocus.rangeMeters.reduce((a, b) => a + b) / pulses;
    expect(mean).toBeCloseTo(0.29, 2);

    // Corrected by definition, which the sar package's `applyAutofocus` is tested against.
    const each = frequency.count;
    const focused: PhaseHistory = {
      ...history,
      referenceRangeMeters: referenceRangeMeters.map((range, p) => range + autofocus.rangeMeters[p]),
      samples: samples.map((value, i) => {
        const phase = autofocus.phaseRadians[Math.floor(i / 2 / each)];
        const other = samples[i % 2 === 0 ? i + 1 : i - 1];
        return i % 2 === 0 ? value * Math.cos(phase) - other * Math.sin(phase) : other * Math.sin(phase) + value * Math.cos(phase);
      }),
    };
    // Checks the sign convention: the calibration reflector at (−16, 21) m adds up in phase. Nothing adds up at its mirror image, or
    // with only one half of the autofocus. The brightness is that of the image by definition, at one point.
    const bright = pixel(focused, -16, 21.03);
    expect(bright).toBeGreaterThan(10 * pixel(focused, 16, -21.03));
    expect(bright).toBeGreaterThan(10 * pixel({ ...focused, samples }, -16, 21.03));
    expect(bright).toBeGreaterThan(10 * pixel({ ...focused, referenceRangeMeters }, -16, 21.03));
  });
});

const speedOfLight = 299_792_458;

/** |Σ fp[p][k]·exp(+j4πf_k(|A_p − s| − r₀_p)/c)| at s = (x, y, 0). */
function pixel(
  { positions, referenceRangeMeters, samples, frequency: { firstHz, stepHz, count } }: PhaseHistory,
  x: number,
  y: number,
): number {
  let re = 0;
  let im = 0;
  referenceRangeMeters.forEach((r0, p) => {
    const range = Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2]) - r0;
    for (let k = 0; k < count; k++) {
      const angle = (4 * Math.PI * (firstHz + k * stepHz) * range) / speedOfLight;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const at = 2 * (p * count + k);
      re += samples[at] * c - samples[at + 1] * s;
      im += samples[at] * s + samples[at + 1] * c;
    }
  });
  return Math.hypot(re, im);
}
