/** What a stranger can trust of stap: right outputs of hard samples, channels called by their numbers, intervals chosen, what is beside detections. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { writeNpy } from "@dechirp/io";
import {
  type AdaptiveOutput,
  type Cube,
  cubeOrders,
  efaGeometry,
  efaReference,
  efaSteering,
  permuteAxes,
  snrDb,
  ulaCycles,
  uniformSteering,
} from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { complexArrays } from "./gotcha-file.ts";
import { channels, cubeNpy, mat4, pulses, radar, ranges, scan, stapCube, target } from "./stap-cube.ts";
import { azimuths, reference, stap } from "./stap-run.ts";

const shape = [channels, pulses, ranges];

/** Runs `dechirp stap` where it is to fail, and gives its message. */
async function refused(bytes: Uint8Array, code: number, ...more: string[]): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "cube.npy"), bytes);
  const done = await dechirp(["stap", join(folder, "cube.npy"), "--out", join(folder, "out"), ...more]);
  expect(done).toMatchObject({ code, stdout: "" });
  return done.stderr;
}

/** Noise, a jammer from an azimuth in all ranges and pulses, and weaker copies of each pulse's own. */
function jammed(seed: number, jammerDb: number, azimuthDegrees: number, m = channels): Cube & { readonly data: Float32Array } {
  const random = createRandom(seed);
  const data = new Float32Array(2 * m * pulses * ranges);
  const a = uniformSteering(m, ulaCycles(0.5, (azimuthDegrees * Math.PI) / 180));
  const size = 10 ** (jammerDb / 20);
  for (let cell = 0; cell < pulses * ranges; cell++) {
    const [re, im] = [size * random.gaussian(), size * random.gaussian()];
    for (let c = 0; c < m; c++) {
      const at = 2 * (c * pulses * ranges + cell);
      data[at] = random.gaussian() + re * a[2 * c] - im * a[2 * c + 1];
      data[at + 1] = random.gaussian() + re * a[2 * c + 1] + im * a[2 * c];
    }
  }
  return { data, channels: m, pulses, ranges, order: cubeOrders.paper };
}

describe("outputs are right", () => {
  it.each(["cpu", "gpu"])("behind a jammer 80 dB above the noise, on a device that has not the digits too: %s", async (device) => {
    const cube = jammed(5, 80, 25);
    const { report, output } = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--device", device);
    const spatial = azimuths.map((azimuth) => uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180)));
    const geometry = efaGeometry({ channels, pulses, ranges, steeringVectors: spatial.length });
    const { data } = efaReference(cube, efaSteering(geometry, spatial), { steeringVectors: spatial.length });
    expect(snrDb(permuteAxes(data, [spatial.length, pulses, ranges], [0, 2, 1], 1), output)).toBeGreaterThan(40);
    expect(report.solved).toMatchObject({ precision: "f64", covariances: 4 * pulses, illConditioned: 0 });
    if (device === "gpu") {
      expect(report.solved.why).toMatch(
        /solved in float64 on the processor: float32, which gpu has, is too coarse for \d+ of 64 covariances/,
      );
      expect(report.notes).toContain(report.solved.why);
    }
    // Of false alarms there are few, and the jammer is told of.
    expect(report.detections.count).toBeLessThanOrEqual(1);
    const { interference } = report;
    if (!interference.estimated) throw new Error("not estimated");
    expect(interference.affectedBins).toBe(pulses);
    expect(interference.sources.length).toBe(1);
    expect(interference.sources[0]).toMatchObject({ azimuthDegrees: 25, share: 1 });
    expect(Math.abs(interference.sources[0].toNoiseDb - 80)).toBeLessThan(2);
    expect(interference.strongest.dominant).toBe(1);
  });

  it("and told of where float64 has not the digits either", async () => {
    const { report } = await stap("cube.npy", cubeNpy(jammed(6, 118, 25)), ...radar, ...scan);
    expect(report.solved.illConditioned).toBeGreaterThan(0);
    expect(report.solved.mostCondition).toBeGreaterThan(1e8);
    expect(report.notes.join("\n")).toMatch(
      /\d+ of 64 covariances are so ill-conditioned, about \de\+\d+ at most, that outputs may be wrong/,
    );
  });

  it.each([
    [1e20, "c64"],
    [1e30, "c64"],
    [1e-30, "c64"],
    [1e120, "c128"],
    [1e-200, "c128"],
  ] as const)("of samples times %d, %s", async (factor, dtype) => {
    const cube = stapCube();
    const data = Float64Array.from(cube.data, (x) => x * factor);
    const bytes = writeNpy({ dtype, shape }, dtype === "c64" ? Float32Array.from(data) : data);
    for (const output of ["amf", "complex"] satisfies AdaptiveOutput[]) {
      if (output === "complex" && dtype === "c128") continue;
      const done = await stap("cube.npy", bytes, ...radar, ...scan, "--output", output);
      const expected = output === "amf" ? reference({}) : reference({ output }).map((x) => x * factor);
      expect(snrDb(expected, done.output)).toBeGreaterThan(80);
      expect(done.report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees });
      expect(done.report.notes.join("\n")).toMatch(/samples were scaled by 2\^-?\d+, whose squares float32 holds, and outputs back/);
      const usual = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--output", output);
      expect(usual.report.notes.join("\n")).not.toMatch(/scaled/);
      expect(done.report.beamformer.peak.powerDb).toBeCloseTo(usual.report.beamformer.peak.powerDb + 20 * Math.log10(factor), 3);
    }
  });
});

describe("channels", () => {
  const copied = (times: number): Uint8Array => {
    const { data } = stapCube();
    const each = 2 * pulses * ranges;
    for (let i = 0; i < each; i++) data[3 * each + i] = Math.fround(times * data[each + i]);
    return cubeNpy({ ...stapCube(), data } as ReturnType<typeof stapCube>);
  };

  it("that repeat another, or are sums of others, are called by their numbers", async () => {
    const all = [...radar, ...scan];
    const twice = await refused(copied(1), 3, ...all);
    expect(twice).toMatch(
      /channel 3 repeats channel 1 \(channels count from 0\), so that no covariance can be solved: --without-channels 3 leaves/,
    );
    expect(await refused(copied(0.3), 3, ...all)).toMatch(/channel 3 repeats channel 1 0\.3 times as strong/);
    const { data } = stapCube();
    const each = 2 * pulses * ranges;
    for (let i = 0; i < each; i++) data[2 * each + i] = Math.fround(0.7 * data[i] - 0.4 * data[each + i]);
    data.fill(0, 3 * each);
    expect(await refused(cubeNpy({ ...stapCube(), data } as ReturnType<typeof stapCube>), 3, ...all)).toMatch(
      /channel 2 is a sum of others; channel 3 has no signal at all/,
    );
    const loaded = await stap("cube.npy", copied(1), ...all, "--loading", "1e-3");
    expect(loaded.report.notes.join("\n")).toMatch(/channel 3 repeats channel 1/);
    expect((await stap("cube.npy", cubeNpy(stapCube()), ...all)).report.notes.join("\n")).not.toMatch(/channel \d/);
  });

  it("can be left out: the others stay where they are", async () => {
    const { report, output } = await stap("cube.npy", copied(1), ...radar, ...scan, "--without-channels", "3");
    expect(report).toMatchObject({ cube: { channels: 3 }, channels: [0, 1, 2] });
    // A channel in the middle: by definition, of the elements that are left.
    const cube = stapCube();
    const each = 2 * pulses * ranges;
    const left = [0, 2, 3];
    const data = Float32Array.from(left.flatMap((c) => [...cube.data.subarray(c * each, (c + 1) * each)]));
    const spatial = azimuths.map((azimuth) => {
      const line = uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180));
      return Float64Array.from(left.flatMap((c) => [line[2 * c], line[2 * c + 1]]));
    });
    const geometry = efaGeometry({ channels: 3, pulses, ranges, steeringVectors: 13 });
    const exact = efaReference({ ...cube, data, channels: 3 }, efaSteering(geometry, spatial), { steeringVectors: 13 });
    const expected = permuteAxes(exact.data, [13, pulses, ranges], [0, 2, 1], 1);
    const some = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--without-channels", "1");
    expect(some.report.channels).toEqual(left);
    expect(snrDb(expected, some.output)).toBeGreaterThan(80);
    expect(some.report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees });
    // Steering vectors of a file over all channels, or over those that are left.
    const folder = await temporaryFolder();
    const whole = azimuths.flatMap((azimuth) => [...uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180))]);
    for (const [name, vectors, elements] of [
      ["all.npy", whole, channels],
      ["left.npy", spatial.flatMap((one) => [...one]), 3],
    ] as const) {
      await writeFile(join(folder, name), writeNpy({ dtype: "c128", shape: [13, elements] }, Float64Array.from(vectors)));
      const steered = await stap("cube.npy", cubeNpy(cube), "--prf", "300", "--steering", join(folder, name), "--without-channels", "1");
      expect(snrDb(expected, steered.output)).toBeGreaterThan(80);
    }
    expect(output.length).toBe(13 * pulses * ranges);
    for (const [list, message] of [
      ["4", /--without-channels must be channels from 0 to 3, which .* has, not 4/],
      ["0-3", /--without-channels must be a list that leaves a channel/],
      ["1,x", /--without-channels must be numbers of channels from 0, as 9 or 3,9-11/],
    ] as const)
      expect(await refused(cubeNpy(cube), 2, ...radar, ...scan, "--without-channels", list)).toMatch(message);
  });
});

describe("intervals", () => {
  const [first, second] = [jammed(1, 20, -30), stapCube()];
  const both = Float32Array.from([...first.data, ...second.data]);

  it("of a .npy file or a MATLAB array of four axes, or of several arrays, are chosen by --cpi", async () => {
    const npy = writeNpy({ dtype: "c64", shape: [2, ...shape] }, both);
    // [range][channel][pulse][interval], the first index fastest.
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
      expect(usual.report.notes.join("\n")).toMatch(/of 2 intervals in the file (interval 1|early) is processed; --cpi 1 to 2 chooses/);
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

  it("of a Mountain Top file too, with facts of their own", async () => {
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

describe("beside detections", () => {
  it("there is how many false alarms are expected, and that there are about so many", async () => {
    const quiet = jammed(9, -300, 0);
    const { report } = await stap("cube.npy", cubeNpy(quiet), ...radar, ...scan, "--pfa", "0.01", "--training", "sliding");
    const tests = 13 * ranges * pulses;
    expect(report.detections).toMatchObject({ cells: ranges * pulses, tests, expectedFalseAlarms: 0.01 * tests });
    // A cell is above with one vector or several, of four channels that are independent: from a third to all of the bound.
    expect(report.detections.cellsAbove).toBeGreaterThan((0.01 * tests) / 6);
    expect(report.detections.cellsAbove).toBeLessThan(0.01 * tests);
    expect(report.notes.join("\n")).not.toMatch(/false alarms/);
    // Of noise alone nothing is said to be there, and its cells are like their training.
    const { interference, homogeneity } = report;
    if (!interference.estimated) throw new Error("not estimated");
    expect(interference).toMatchObject({ affectedBins: 0, sources: [] });
    expect(homogeneity?.cells).toBe(ranges * pulses);
    expect(Math.abs((homogeneity?.share as number) - 0.01)).toBeLessThan(0.01);
  });

  it("there is clutter by its Doppler bins, and in a sentence why there are so many detections", async () => {
    const cube = jammed(12, 10, 40);
    // A tenth of the ranges has something a hundred times as strong of its own.
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
      /note: \d+ detections where at most 0\.025 false alarms are expected of homogeneous clutter: clutter is not homogeneous here \(\d+ % of cells are unlike their training, where 1\.0 % would be\), and most need not be targets/,
    );
    const quiet = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    const { interference } = quiet.report;
    if (!interference.estimated) throw new Error("not estimated");
    // Ward's clutter is of another direction in every Doppler bin.
    expect(interference.affectedBins).toBeGreaterThan(8);
    expect(interference.sources).toEqual([]);
  });
});
