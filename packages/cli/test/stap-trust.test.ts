/**
 * stap on difficult input: samples on every device, dependent channels named by number, choice of the CPI, information beside the
 * detections.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { writeNpy } from "@dechirp/io";
import { type Cube, permuteAxes, snrDb, ulaCycles, uniformSteering } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { complexArrays } from "./gotcha-file.ts";
import { channels, cubeNpy, jammed, mat4, pulses, radar, ranges, scan, stapCube } from "./stap-cube.ts";
import { azimuths, reference, stap } from "./stap-run.ts";

const shape = [channels, pulses, ranges];

/** Runs `dechirp stap`, which must fail, and returns its message. */
async function refused(bytes: Uint8Array, code: number, ...more: string[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "cube.npy"), bytes);
  const done = await dechirp(["stap", join(folder, "cube.npy"), "--out", join(folder, "out"), ...more]);
  expect(done).toMatchObject({ code, stdout: "" });
  return done.stderr;
}

it("solves in float64 if float32 is too coarse, on a device that has only float32", async () => {
  const cube = jammed(5, 80, 25);
  const { report, output } = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--device", "gpu");
  expect(snrDb(reference({}, cube), output)).toBeGreaterThan(40);
  expect(report.device.id).toBe("gpu");
  expect(report.solved).toMatchObject({ precision: "f64", covariances: 4 * pulses, illConditioned: 0 });
  expect(report.notes).toContainEqual(expect.stringMatching(/^solved in float64 on cpu: the float32 of gpu is too coarse for \d+ of 64/));
});

describe("channels", () => {
  const each = 2 * pulses * ranges;
  const copied = (): Uint8Array => {
    const cube = stapCube();
    cube.data.copyWithin(3 * each, each, 2 * each);
    return cubeNpy(cube);
  };

  it("that repeat another are named by number, with the options that help", async () => {
    const message = await refused(copied(), 3, ...radar, ...scan);
    expect(message).toMatch(
      /cube\.npy: channel 3 repeats channel 1 \(channels count from 0\), so no covariance can be solved: leave out the useless channels with --without-channels 3, or keep them and set --loading 1e-4$/m,
    );
    const { report } = await stap("cube.npy", copied(), ...radar, ...scan, "--without-channels", "3");
    expect(report).toMatchObject({ cube: { channels: 3 }, channels: [0, 1, 2] });
  });

  it("are left out by --without-channels, also of steering vectors in a file", async () => {
    const bytes = cubeNpy(stapCube());
    const scanned = await stap("cube.npy", bytes, ...radar, ...scan, "--without-channels", "1");
    expect(scanned.report.channels).toEqual([0, 2, 3]);
    const folder = await temporaryFolder();
    const whole = azimuths.flatMap((azimuth) => [...uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180))]);
    await writeFile(join(folder, "all.npy"), writeNpy({ dtype: "c128", shape: [13, channels] }, Float64Array.from(whole)));
    const steered = await stap("cube.npy", bytes, "--prf", "300", "--steering", join(folder, "all.npy"), "--without-channels", "1");
    expect(snrDb(scanned.output, steered.output)).toBeGreaterThan(80);
    for (const [list, message] of [
      ["4", /--without-channels must be channels of .*cube\.npy, from 0 to 3, not 4/],
      ["0-3", /--without-channels must be a list that leaves at least one channel/],
      ["1,x", /--without-channels must be channel numbers from 0, as in 9 or 3,9-11/],
    ] as const)
      expect(await refused(bytes, 2, ...radar, ...scan, "--without-channels", list)).toMatch(message);
  });
});

describe("intervals", () => {
  const [first, second] = [jammed(1, 20, -30), stapCube()];
  const both = Float32Array.from([...first.data, ...second.data]);

  it("of a .npy file or a MATLAB array of four axes, or of several arrays, are chosen with --cpi", async () => {
    const npy = writeNpy({ dtype: "c64", shape: [2, ...shape] }, both);
    // [range][channel][pulse][CPI], the first index fastest.
    const turned = [first, second].flatMap(({ data }) => [...permuteAxes(data, shape, [1, 0, 2], 2)]);
    const matlab = complexArrays({ cube: { shape: [ranges, channels, pulses, 2], data: Float32Array.from(turned) } });
    const fastest = (data: Float32Array): Float32Array => permuteAxes(data, shape, [2, 1, 0], 2) as Float32Array;
    const several = complexArrays({ early: { shape, data: fastest(first.data) }, late: { shape, data: fastest(second.data) } });
    const expected = reference({});
    for (const [file, bytes, more, name] of [
      ["cube.npy", npy, [], "interval 2"],
      ["cube.mat", matlab, ["--axes", "range,channel,pulse,cpi"], "interval 2"],
      ["two.mat", several, [], "late"],
    ] as const) {
      const { output, report } = await stap(file, bytes, ...radar, ...scan, ...more, "--cpi", "2");
      expect(report.cpi).toEqual({ number: 2, count: 2, name });
      expect(snrDb(expected, output)).toBeGreaterThan(80);
      const usual = await stap(file, bytes, ...radar, ...scan, ...more);
      expect(usual.report.cpi).toMatchObject({ number: 1, count: 2 });
      expect(usual.report.notes.join("\n")).toMatch(
        /the file has 2 CPIs, of which (interval 1|early) is processed; choose another with --cpi 1 to 2/,
      );
      expect(snrDb(expected, usual.output)).toBeLessThan(10);
    }
    expect(await refused(npy, 2, ...radar, ...scan, "--cpi", "3")).toMatch(
      /--cpi must be from 1 to 2: .*cube\.npy has interval 1, interval 2, not 3/,
    );
    expect(await refused(cubeNpy(second), 2, ...radar, ...scan, "--cpi", "2")).toMatch(
      /--cpi must be 1: .*cube\.npy has one interval, not 2/,
    );
    expect(await refused(npy, 2, ...radar, ...scan, "--axes", "channel,pulse,range")).toMatch(
      /--axes must be 4 axes, as the array \[2, 4, 16, 120\] has/,
    );
  });

  it("of a Mountain Top file too, each with its own facts", async () => {
    const scalar = (...values: number[]) => ({ shape: [1, values.length] as const, re: values });
    const columns = ({ data }: Cube): { shape: readonly [number, number]; re: Float32Array; im: Float32Array } => {
      const every = (part: number) => (data as Float32Array).filter((_, i) => i % 2 === part);
      return { shape: [ranges * pulses, channels], re: every(0), im: every(1) };
    };
    const bytes = mat4({
      ...{ trecord: scalar(865, 900), pri: scalar(0.0016), fxmit: scalar(435e6), npulses: scalar(16) },
      ...{ cpi2: columns(second), cpi1: columns(first) },
    });
    const options = ["--chirp", "none", "--azimuth", "250:270:5", "--cells", "40"];
    const one = await stap("any.mat", bytes, ...options);
    const two = await stap("any.mat", bytes, ...options, "--cpi", "2");
    expect([one.report.cpi, two.report.cpi]).toEqual([
      { number: 1, count: 2, name: "cpi1" },
      { number: 2, count: 2, name: "cpi2" },
    ]);
    expect(one.report.axes.rangeMeters?.start).toBeCloseTo(149.896229 * 865, 6);
    expect(two.report.axes.rangeMeters?.start).toBeCloseTo(149.896229 * 900, 6);
    expect(one.output).not.toEqual(two.output);
  });
});

it("explains in a sentence why there are so many detections", async () => {
  const cube = jammed(12, 10, 40);
  // A tenth of the ranges contain something else that is a hundred times as strong.
  const random = createRandom(77);
  for (let range = 0; range < ranges; range += 10) {
    for (let at = range; at < channels * pulses * ranges; at += ranges) {
      cube.data[2 * at] += 100 * random.gaussian();
      cube.data[2 * at + 1] += 100 * random.gaussian();
    }
  }
  const folder = await temporaryFolder();
  await writeFile(join(folder, "cube.npy"), cubeNpy(cube));
  const { stdout } = await dechirp(["stap", join(folder, "cube.npy"), "--out", join(folder, "out"), ...radar, ...scan]);
  expect(stdout).toMatch(/ {2}\d+ detections; at most 0\.025 false alarms are expected in 24960 tests/);
  expect(stdout).toMatch(
    /note: \d+ detections, but at most 0\.025 false alarms are expected in homogeneous clutter: the clutter is not homogeneous here \(\d+ % of cells are unlike their training; 1\.0 % would be usual\), so most of them need not be targets/,
  );
});
