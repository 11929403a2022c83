/** The readers on measured data, where it is at hand (`DECHIRP_DATA`); spot values as MATLAB's own tools show them. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type MatNumeric, matField, matNumeric, matScalar, matStruct, readMat } from "../src/index.ts";
import { readScene } from "../src/node.ts";

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
      expect(scene.raw.layout).toEqual({ dtype: "ci8", shape: [1536, 2048] });
      expect(scene.raw.data.every((value) => Math.abs(value) <= 15 && value % 2 !== 0)).toBe(true);
      if (row0) expect(Array.from(scene.raw.data.subarray(0, row0.length))).toEqual([...row0]);
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
it.skipIf(absent(...mountainTop))("reads Mountain Top, version 4 big-endian", () => {
  const mat = readMat(readFileSync(at(...mountainTop)), { file: mountainTop[1] });
  expect(mat.version).toBe(4);
  expect([matScalar(mat, "npulses"), matScalar(mat, "fxmit"), matScalar(mat, "muxtype")]).toEqual([16, 435e6, 2]);
  const cpi = matNumeric(mat, "cpi1");
  expect(cpi).toMatchObject({ shape: [16 * 403, 14], complex: true, class: "single" });
  expect(Array.from(cpi.data.subarray(0, 4))).toEqual([-3430, -436, -2303, -2012]);
  expect(cpi.data.every(Number.isFinite)).toBe(true);
});

const gotcha = ["gotcha", "data_3dsar_pass1_az001_HH.mat"];
it.skipIf(absent(...gotcha))("reads Gotcha, a version 5 struct of structs", () => {
  const mat = readMat(readFileSync(at(...gotcha)), { file: gotcha[1] });
  const struct = matStruct(mat, "data");
  expect([...struct.fields.keys()]).toEqual(["fp", "freq", "x", "y", "z", "r0", "th", "phi", "af"]);
  const fp = matField(struct, "fp") as MatNumeric;
  expect(fp).toMatchObject({ kind: "numeric", class: "single", shape: [424, 117], complex: true });
  // Stored to float32; the shown digits are MATLAB's format long g.
  expect(fp.data[0]).toBe(Math.fround(1.2495033e-3));
  const [x, y, z, r0] = ["x", "y", "z", "r0"].map((name) => matField(struct, name) as MatNumeric);
  // The file's own check: the stated range is the length of the stated position, to float32.
  for (let p = 0; p < 117; p++) expect(Math.abs(Math.hypot(x.data[p], y.data[p], z.data[p]) - r0.data[p])).toBeLessThan(2e-3);
  const autofocus = matField(struct, "af");
  expect(autofocus?.kind).toBe("struct");
  if (autofocus?.kind !== "struct") return;
  expect(matField(autofocus, "ph_correct")).toMatchObject({ shape: [1, 117] });
  expect(mat.notes).toEqual([]);
});
