/** Input of stap: arrays of all kinds, Mountain Top files, steering vectors. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeNpy } from "@dechirp/io";
import { efaGeometry, efaSteering, permuteAxes, snrDb } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { readStapInput } from "../src/stap/input.ts";
import { temporaryFolder } from "./command.ts";
import { complexArrays } from "./gotcha-file.ts";
import { channels, cubeNpy, mat4, pulses, radar, ranges, scan, stapCube, target } from "./stap-cube.ts";
import { reference, spatial, stap } from "./stap-run.ts";

describe("stap", () => {
  it("accepts complex128, pairs of integers, and MATLAB arrays", async () => {
    const cube = stapCube();
    const shape = [channels, pulses, ranges];
    const expected = reference({});
    const wide = await stap("cube.npy", writeNpy({ dtype: "c128", shape }, Float64Array.from(cube.data)), ...radar, ...scan);
    expect(snrDb(expected, wide.output)).toBeGreaterThan(80);
    expect(wide.report.notes).toContainEqual(expect.stringMatching(/cube\.npy: samples of 64 bits a part were rounded to 32 bits/));
    // Values beyond float32 are scaled; values that are not numbers are named with their position.
    const far = await stap(
      "cube.npy",
      writeNpy(
        { dtype: "c128", shape },
        Float64Array.from(cube.data, (x) => 1e200 * x),
      ),
      ...radar,
      ...scan,
    );
    expect(snrDb(expected, far.output)).toBeGreaterThan(80);
    const damaged = Float64Array.from(cube.data);
    damaged[2 * (2 * ranges + 3)] = Number.POSITIVE_INFINITY;
    const folder = await temporaryFolder();
    await writeFile(join(folder, "cube.npy"), writeNpy({ dtype: "c128", shape }, damaged));
    await expect(readStapInput(join(folder, "cube.npy"), {})).rejects.toThrow(
      /cube\.npy: the sample at channel 0, pulse 2, range 3 must be a finite number, not Infinity/,
    );
    // An array range × channel × pulse, with the first index fastest.
    const data = permuteAxes(cube.data, shape, [1, 0, 2], 2);
    const mat = complexArrays({ cube: { shape: [ranges, channels, pulses], data } });
    const matlab = await stap("cube.mat", mat, ...radar, ...scan, "--axes", "range,channel,pulse");
    expect(snrDb(expected, matlab.output)).toBeGreaterThan(80);
    // With 16-bit samples the AMF does not depend on the scale.
    const most = cube.data.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const integers = Int16Array.from(cube.data, (value) => Math.round((32767 * value) / most));
    const coarse = await stap("cube.npy", writeNpy({ dtype: "ci16", shape }, integers), ...radar, ...scan);
    expect(coarse.report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    expect(Math.abs(coarse.report.target.amfDb - wide.report.target.amfDb)).toBeLessThan(0.5);
  });

  it("accepts steering vectors from a file, over channels or snapshots", async () => {
    const folder = await temporaryFolder();
    const [over, snapshots] = [join(folder, "spatial.npy"), join(folder, "snapshots.npy")];
    await writeFile(over, writeNpy({ dtype: "c128", shape: [13, channels] }, Float64Array.from(spatial.flatMap((a) => [...a]))));
    const geometry = efaGeometry({ channels, pulses, ranges, steeringVectors: 13 });
    await writeFile(snapshots, writeNpy({ dtype: "c64", shape: [13, 12] }, Float32Array.from(efaSteering(geometry, spatial))));
    const bytes = cubeNpy(stapCube());
    for (const file of [over, snapshots]) {
      const { output, report } = await stap("cube.npy", bytes, "--prf", "300", "--steering", file);
      expect(snrDb(reference({}), output)).toBeGreaterThan(80);
      expect(report.target).toMatchObject({ range: target.range, steering: 7, dopplerHz: 75 });
      expect(report.notes.some((note: string) => note.startsWith(`${file}: samples of 64 bits`))).toBe(file === over);
      expect(report.target.azimuthDegrees).toBeUndefined();
      expect(report.angleDoppler.angle).toEqual({ start: -0.5, step: 1 / 180, count: 181, unit: "cycles per element" });
    }
  });

  it("recognises Mountain Top files", async () => {
    const cube = stapCube();
    const columns = permuteAxes(cube.data, [channels, pulses, ranges], [0, 1, 2], 2);
    const every = (first: number) => columns.filter((_, i) => i % 2 === first);
    const scalar = (value: number) => ({ shape: [1, 1] as const, re: [value] });
    const bytes = mat4({
      trecord: scalar(865),
      pri: scalar(Math.fround(0.0016)),
      fxmit: scalar(435e6),
      npulses: scalar(16),
      cpi1: { shape: [ranges * pulses, channels], re: every(0), im: every(1) },
      cpi2: scalar(1),
    });
    const { report } = await stap("any.mat", bytes, "--chirp", "none", "--azimuth", "250:270:5", "--cells", "40");
    expect(report).toMatchObject({
      name: "Mountain Top",
      cube: { channels, pulses, ranges },
      parameters: {
        preset: { value: "mountain-top", source: "scene", why: "the file has the variables of a Mountain Top file" },
        dopplerBins: { value: 32, source: "preset" },
        prfHz: { value: 625, source: "scene" },
        carrierHz: { value: 435e6, source: "scene" },
      },
      notes: expect.arrayContaining(["the file has 2 CPIs, of which cpi1 is processed; choose another with --cpi 1 to 2"]),
    });
    // Sample 1 is at trecord; samples are 1 µs apart.
    expect(report.axes.rangeMeters).toEqual({
      start: expect.closeTo(149.896229 * 865, 6),
      step: expect.closeTo(149.896229, 9),
      count: ranges,
    });
  });
});
