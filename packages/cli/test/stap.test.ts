/** stap as a user would call it, on drawn cubes: files, reports, numbers, and everything that can be wrong. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { readNpy, writeNpy } from "@dechirp/io";
import {
  type AdaptiveOutput,
  amfThreshold,
  type CubeOrder,
  type EfaOptions,
  efaGeometry,
  efaReference,
  efaSteering,
  permuteAxes,
  snrDb,
  ulaCycles,
  uniformSteering,
} from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { stapSettings } from "../src/commands/stap.ts";
import { planStap, processStap, readStapInput, type StapReport } from "../src/index.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { complexArrays } from "./gotcha-file.ts";
import { channels, cubeNpy, mat4, orders, prfHz, pulses, ranges, stapCube, target } from "./stap-cube.ts";

const files = ["angle-doppler.npy", "angle-doppler.png", "detections.csv", "output.npy", "range-doppler.png", "report.json"];
/** Of an array: what its file does not say. */
const radar = ["--prf", `${prfHz}`, "--spacing", "0.5"];
const scan = ["--azimuth", "-60:60:10"];
const azimuths = Array.from({ length: 13 }, (_, i) => -60 + 10 * i);
const spatial = azimuths.map((azimuth) => uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180)));

interface Done {
  readonly report: StapReport;
  readonly output: Float32Array;
  readonly out: string;
  readonly folder: string;
}

async function stap(file: string, bytes: Uint8Array, ...more: string[]): Promise<Done> {
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  await writeFile(join(folder, file), bytes);
  const { code, stdout, stderr } = await dechirp(["stap", join(folder, file), "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  const { layout, data } = readNpy(await readFile(join(out, "output.npy")), { file: "output.npy" });
  const { report } = JSON.parse(stdout).results[0] as { report: StapReport };
  expect(layout).toEqual({ dtype: report.output.type, shape: report.output.shape });
  expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toEqual(report);
  return { report, output: data as Float32Array, out, folder };
}

/** The whole algorithm in float64, powers as [steering][range][Doppler]. */
function reference(options: Omit<EfaOptions, "channels" | "pulses" | "ranges" | "steeringVectors">): Float64Array {
  const geometry = efaGeometry({ ...options, channels, pulses, ranges, steeringVectors: spatial.length });
  const { data } = efaReference(stapCube(), efaSteering(geometry, spatial), { ...options, steeringVectors: spatial.length });
  return options.output === "complex" ? data : permuteAxes(data, [spatial.length, geometry.dopplerBins, ranges], [0, 2, 1], 1);
}

describe("stap", () => {
  it("finds a target where the beamformer has clutter", async () => {
    const { report } = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    expect(report.target).toMatchObject({ source: "detection", range: target.range, dopplerHz: 75, azimuthDegrees: 10 });
    expect(report.beamformer.peak.dopplerHz).not.toBe(target.dopplerHz);
    expect(report.beamformer.linePeak.range).not.toBe(target.range);
    expect(report.beamformer.targetRank).toBeGreaterThan(1);
    expect(report.beamformer.ofRanges).toBe(ranges);
  });

  it("is the float64 algorithm to 80 dB, [steering][range][Doppler]", async () => {
    const { report, output, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect((await readdir(out)).sort()).toEqual(files);
    expect(report).toMatchObject({
      format: "dechirp-stap",
      version: 1,
      name: "cube.npy",
      device: { id: "cpu" },
      cube: { channels, pulses, ranges },
      output: { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
      parameters: {
        preset: { value: "none", source: "default" },
        dopplerBins: { value: pulses, source: "default" },
        temporalTaps: { value: 3, source: "default" },
        training: { value: "adjacent", source: "default" },
        blockRanges: { value: 32, source: "default" },
        loading: { value: 0, source: "default" },
        output: { value: "amf", source: "default" },
        steering: { value: "azimuths -60° to 60° by 10°", source: "option" },
        prfHz: { value: prfHz, source: "option" },
        spacing: { value: "0.5 wavelengths", source: "option" },
        falseAlarm: { value: 1e-6, source: "default" },
      },
      target: { source: "detection", range: target.range, dopplerHz: target.dopplerHz, azimuthDegrees: target.azimuthDegrees },
      threshold: { kind: "amf", cells: 56 },
      condition: { order: 12, fewestCells: 56, mostCells: 64, singular: 0, bins: pulses, matrices: 4 * pulses },
    });
    expect(report.axes).toEqual({
      azimuthDegrees: azimuths,
      dopplerCycles: Array.from({ length: 16 }, (_, bin) => (bin < 8 ? bin : bin - 16) / 16),
      dopplerHz: Array.from({ length: 16 }, (_, bin) => ((bin < 8 ? bin : bin - 16) / 16) * prfHz),
    });
    expect(report.timings.map(({ name }) => name)).toEqual([
      ...["load", "read", "prepare", "process", "detect", "beamformer", "condition", "response", "pictures", "write"],
    ]);
    expect(report.stages.map(({ name }) => name)[0]).toBe("doppler");
  });

  it("writes detections as a table, with the exact threshold", async () => {
    const { report, output, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--ranges", "1000,75", "--pfa", "1e-4");
    const [titles, ...rows] = (await readFile(join(out, "detections.csv"), "utf8")).trimEnd().split("\n");
    expect(titles).toBe(
      "range_bin,range_km,doppler_bin,doppler_cycles_per_pulse,doppler_hz,steering,azimuth_deg,amf_db,threshold_db,above_next_db",
    );
    expect(rows.length).toBe(report.detections.count);
    const cells = rows[0].split(",").map(Number);
    expect(cells.slice(0, 7)).toEqual([target.range, (1000 + 75 * target.range) / 1000, 4, 0.25, target.dopplerHz, 7, 10]);
    // By definition: the cell itself, theory at its block's 64 cells, and the rest of its line.
    const line = Array.from({ length: ranges }, (_, range) => output[(7 * ranges + range) * pulses + 4]);
    const next = Math.max(...line.filter((_, range) => Math.abs(range - target.range) > 3));
    expect(cells[7]).toBeCloseTo(10 * Math.log10(line[target.range]), 6);
    expect(cells[8]).toBeCloseTo(10 * Math.log10(amfThreshold(1e-4, 12, 64)), 6);
    expect(cells[9]).toBeCloseTo(10 * Math.log10(line[target.range] / next), 6);
    expect(report.detections.listed[0]).toMatchObject({ range: target.range, steering: 7 });
    const places = rows.map((row) => row.split(",").map(Number));
    // Sorted, above the threshold, and no two of them one target's.
    for (const [i, [range, , bin, , , , , amf, threshold]] of places.entries()) {
      expect(amf).toBeGreaterThan(threshold);
      for (const [other, , otherBin, , , , , stronger] of places.slice(0, i)) {
        expect(stronger).toBeGreaterThanOrEqual(amf);
        const apart = Math.abs(bin - otherBin);
        expect(Math.abs(range - other) > 3 || Math.min(apart, pulses - apart) > 2).toBe(true);
      }
    }
  });

  it("answers in angle and Doppler: one where it looks, little where clutter is", async () => {
    const { report, out } = await stap("cube.npy", cubeNpy(stapCube("strong")), ...radar, ...scan);
    const { layout, data } = readNpy(await readFile(join(out, "angle-doppler.npy")), { file: "angle-doppler.npy" });
    const { shape, angle, doppler } = report.angleDoppler;
    expect(layout).toEqual({ dtype: "f32", shape });
    expect({ angle, doppler }).toEqual({
      angle: { start: -90, step: 1, count: 181, unit: "degrees" },
      doppler: { start: -150, step: 300 / 128, count: 129, unit: "Hz" },
    });
    const at = (degrees: number, hertz: number): number => data[(degrees + 90) * 129 + Math.round((hertz + 150) / doppler.step)];
    expect(at(target.azimuthDegrees, target.dopplerHz)).toBeCloseTo(1, 5);
    // The ridge of a slope of one: spatial cycles of clutter are its Doppler cycles, 75 Hz at 30°, where a beamformer answers with 0.2.
    expect(at(30, 75)).toBeLessThan(0.2 / 4);
    for (const name of ["range-doppler.png", "angle-doppler.png"]) {
      const png = await readFile(join(out, name));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
    }
  });

  it.each(orders.map((order) => [order.join(",")]))("takes .npy arrays %s", async (axes) => {
    const order = axes.split(",") as unknown as CubeOrder;
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube(), order), ...radar, ...scan, "--axes", axes);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
  });

  it("takes complex128, pairs of integers, and MATLAB's arrays", async () => {
    const cube = stapCube();
    const shape = [channels, pulses, ranges];
    const expected = reference({});
    const wide = await stap("cube.npy", writeNpy({ dtype: "c128", shape }, Float64Array.from(cube.data)), ...radar, ...scan);
    expect(snrDb(expected, wide.output)).toBeGreaterThan(80);
    // An array range × channel × pulse, whose first index is fastest.
    const data = permuteAxes(cube.data, shape, [1, 0, 2], 2);
    const mat = complexArrays({ cube: { shape: [ranges, channels, pulses], data } });
    const matlab = await stap("cube.mat", mat, ...radar, ...scan, "--axes", "range,channel,pulse");
    expect(snrDb(expected, matlab.output)).toBeGreaterThan(80);
    // Of 16 bits, the AMF does not change with the scale.
    const most = cube.data.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
    const integers = Int16Array.from(cube.data, (value) => Math.round((32767 * value) / most));
    const coarse = await stap("cube.npy", writeNpy({ dtype: "ci16", shape }, integers), ...radar, ...scan);
    expect(coarse.report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    expect(Math.abs(coarse.report.target.amfDb - wide.report.target.amfDb)).toBeLessThan(0.5);
  });

  it.each(["mvdr", "paper-literal", "complex"] as const)("gives %s as well, and detects the same", async (kind: AdaptiveOutput) => {
    const bytes = cubeNpy(stapCube());
    const { output, report } = await stap("cube.npy", bytes, ...radar, ...scan, "--output", kind);
    expect(snrDb(reference({ output: kind }), output)).toBeGreaterThan(80);
    expect(report.output).toEqual(
      kind === "complex"
        ? { type: "c64", axes: ["steering", "Doppler", "range"], shape: [13, pulses, ranges] }
        : { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
    );
    const amf = await stap("cube.npy", bytes, ...radar, ...scan);
    expect(report.detections.count).toBe(amf.report.detections.count);
    expect(report.target.amfDb).toBeCloseTo(amf.report.target.amfDb, 3);
    expect(report.target.aboveNextDb).toBeCloseTo(amf.report.target.aboveNextDb as number, 3);
  });

  it("keeps the largest over all steering vectors", async () => {
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--max-over-steering");
    const all = reference({});
    const largest = Float64Array.from({ length: ranges * pulses }, (_, i) =>
      Math.max(...azimuths.map((__, p) => all[p * ranges * pulses + i])),
    );
    expect(snrDb(largest, output)).toBeGreaterThan(80);
    expect(report.output).toEqual({ type: "f32", axes: ["range", "Doppler"], shape: [ranges, pulses] });
    expect(report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees, dopplerHz: target.dopplerHz });
  });

  it("does as the options say", async () => {
    const args =
      "--doppler-bins 32 --tdof 5 --training sliding --cells 60 --guard 3 --loading 1e-3 --solver gauss-jordan --window chebyshev:40 --centred";
    const { output, report } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, ...args.split(" "));
    const { chebyshevWindow } = await import("@dechirp/stap");
    const expected = reference({
      dopplerBins: 32,
      temporalTaps: 5,
      training: { kind: "sliding", cells: 60, guardCells: 3 },
      loading: 1e-3,
      solver: "gauss-jordan",
      window: chebyshevWindow(16, -40),
      centred: true,
    });
    expect(snrDb(expected, output)).toBeGreaterThan(80);
    expect(report.parameters).toMatchObject({
      cells: { value: 60, source: "option" },
      guard: { value: 3, source: "option" },
      window: { value: "chebyshev:-40", source: "option" },
      centred: { value: true, source: "option" },
      solver: { value: "gauss-jordan", source: "option" },
    });
    expect(report.axes.dopplerHz?.[16]).toBe(0);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    const own = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan, "--training", "own", "--block", "40");
    expect(snrDb(reference({ training: { kind: "own" }, blockRanges: 40 }), own.output)).toBeGreaterThan(80);
    expect(own.report.threshold).toMatchObject({ kind: "ca", cells: 32, why: "theory holds for cells that do not train themselves" });
  });

  it("takes steering vectors from a file, over channels or snapshots", async () => {
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
      expect(report.target.azimuthDegrees).toBeUndefined();
      expect(report.angleDoppler.angle).toEqual({ start: -0.5, step: 1 / 180, count: 181, unit: "cycles an element" });
    }
  });

  it("has presets, over which options go", async () => {
    const bytes = cubeNpy(stapCube());
    const paper = await stap("cube.npy", bytes, ...radar, ...scan, "--preset", "paper", "--block", "24");
    expect(paper.report.parameters).toMatchObject({
      preset: { value: "paper", source: "option" },
      dopplerBins: { value: 32, source: "preset" },
      blockRanges: { value: 24, source: "option" },
      training: { value: "adjacent", source: "preset" },
    });
    expect(snrDb(reference({ dopplerBins: 32, blockRanges: 24 }), paper.output)).toBeGreaterThan(80);
    // A preset's guard goes with its training.
    const top = await stap("cube.npy", bytes, "--preset", "mountain-top", "--chirp", "none", "--training", "adjacent", "--azimuth", "274");
    expect(top.report.parameters).toMatchObject({
      training: { value: "adjacent", source: "option" },
      guard: { value: 0, source: "default" },
      loading: { value: 1e-6, source: "preset" },
      broadsideDegrees: { value: 260, source: "preset" },
      carrierHz: { value: 435e6, source: "preset" },
      spacing: { value: "0.333 m", source: "preset" },
      chirp: { value: "none", source: "option" },
      steering: { value: "azimuth 274°", source: "option" },
    });
    const sliding = await stap("cube.npy", bytes, "--preset", "mountain-top", "--chirp", "none", "--azimuth", "274", "--guard", "2");
    expect(sliding.report.parameters).toMatchObject({ guard: { value: 2, source: "option" }, cells: { value: "all", source: "default" } });
  });

  it("knows Mountain Top's files", async () => {
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
        preset: { value: "mountain-top", source: "scene", why: "the file has the variables of Mountain Top's" },
        dopplerBins: { value: 32, source: "preset" },
        prfHz: { value: 625, source: "scene" },
        carrierHz: { value: 435e6, source: "scene" },
      },
      notes: expect.arrayContaining(["of several intervals in the file cpi1 is processed, and not cpi2"]),
    });
    // Sample 1 at trecord, 1 µs apart.
    expect(report.axes.rangeMeters).toEqual({
      start: expect.closeTo(149.896229 * 865, 6),
      step: expect.closeTo(149.896229, 9),
      count: ranges,
    });
  });

  it("compresses pulses with --chirp", async () => {
    const { chirpReplica, compressPulses } = await import("@dechirp/stap");
    const cube = stapCube();
    const done = await stap("cube.npy", cubeNpy(cube), ...radar, ...scan, "--chirp", "5e5,1e-5,1e6");
    const compressed = compressPulses(cube, chirpReplica(5e5, 1e-5, 1e6));
    const expected = await stap("cube.npy", cubeNpy({ ...compressed, data: Float32Array.from(compressed.data) }), ...radar, ...scan);
    expect(done.output).toEqual(expected.output);
    expect(done.report.notes).toContain("the last 9 ranges hold part of a pulse only");
  });

  it("looks at a cell of the user's, and has thresholds of neighbours", async () => {
    const bytes = cubeNpy(stapCube());
    const { report, output } = await stap(
      "cube.npy",
      bytes,
      ...radar,
      ...scan,
      "--target",
      "90,-56.25,-19",
      "--cfar",
      "os",
      "--cfar-cells",
      "24",
    );
    expect(report.target).toMatchObject({
      source: "option",
      range: 90,
      dopplerBin: 13,
      dopplerHz: -56.25,
      azimuthDegrees: -20,
      steering: 4,
    });
    expect(report.target.amfDb).toBeCloseTo(10 * Math.log10(output[(4 * ranges + 90) * pulses + 13]), 6);
    expect(report.threshold).toEqual({ kind: "os", falseAlarm: 1e-6, cells: 24 });
    // Without an azimuth, the strongest there.
    const any = await stap("cube.npy", bytes, ...radar, ...scan, "--target", `${target.range},75`, "--cfar", "ca", "--cfar-guard", "1");
    expect(any.report.target).toMatchObject({ source: "option", azimuthDegrees: target.azimuthDegrees });
    expect(any.report.threshold).toEqual({ kind: "ca", falseAlarm: 1e-6, cells: 32 });
    expect(any.report.detections.listed[0]).toMatchObject({ range: target.range });
  });

  it("tells people what it did", async () => {
    const { folder } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    const args = ["stap", join(folder, "cube.npy"), ...radar, ...scan, "--device", "auto", "--out", join(folder, "out")];
    const { stdout } = await dechirp(args);
    expect(stdout).toMatch(
      /^cube\.npy: 4 channels × 16 pulses × 120 ranges → amf 13 × 120 × 16 on cpu\n {2}device {14}cpu \(.* too few for a GPU/,
    );
    expect(stdout).toMatch(/ {2}range bin {2}Doppler \[Hz\] {2}azimuth \[°\] {2}AMF \[dB\]/);
    expect(stdout).toMatch(/ {2}strongest {11}range bin 47, 75\.00 Hz, 10°: AMF [\d.]+ dB/);
    expect(stdout).toContain("output.npy, range-doppler.png, angle-doppler.png, angle-doppler.npy, detections.csv, report.json\n");
    const plain = await dechirp([...args.filter((arg) => arg !== "--prf" && arg !== "300"), "--pfa", "1e-12", "--cfar", "os"]);
    expect(plain.stdout).toMatch(/nothing is above the threshold|cycles\/pulse/);
    expect(plain.stdout).toMatch(/ cycles a pulse, 10°/);
  });

  it("leaves other files of a folder alone, and replaces its own", async () => {
    const { folder, out } = await stap("cube.npy", cubeNpy(stapCube()), ...radar, ...scan);
    await writeFile(join(out, "notes.txt"), "mine");
    await writeFile(join(out, "output.npy"), "old");
    expect((await dechirp(["stap", join(folder, "cube.npy"), ...radar, ...scan, "--out", out])).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual([...files, "notes.txt"].sort());
    expect((await readFile(join(out, "output.npy"))).length).toBe(128 + 4 * 13 * ranges * pulses);
  });
});

describe("what is wrong ends in one line", () => {
  function failed({ code, stdout, stderr }: Outcome, status: number, message: RegExp): void {
    expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: status, stdout: "" });
  }

  async function folderWith(contents: Readonly<Record<string, Uint8Array>>) {
    const folder = await temporaryFolder();
    for (const [name, bytes] of Object.entries(contents)) await writeFile(join(folder, name), bytes);
    const out = join(folder, "out");
    const run = (file: string, ...more: string[]): Promise<Outcome> => dechirp(["stap", join(folder, file), "--out", out, ...more]);
    return { folder, out, run };
  }

  it("in files (3), and nothing is written", async () => {
    const cube = stapCube();
    const [nan, silent] = [stapCube(), stapCube()];
    nan.data[2 * ((2 * pulses + 3) * ranges + 5) + 1] = Number.NaN;
    // A channel that is silent.
    silent.data.fill(0, 2 * pulses * ranges, 4 * pulses * ranges);
    const shape = [channels, pulses, ranges];
    const vectors = (length: number, value = 1): Uint8Array =>
      writeNpy({ dtype: "c64", shape: [2, length] }, new Float32Array(4 * length).fill(value));
    const huge = Float64Array.from(cube.data, (value) => value * 1e40);
    const one = (value: number) => ({ shape: [1, 1] as const, re: [value] });
    const { folder, out, run } = await folderWith({
      "cube.npy": cubeNpy(cube),
      "nan.npy": cubeNpy(nan),
      "silent.npy": cubeNpy(silent),
      "cut.npy": cubeNpy(cube).subarray(0, 5000),
      "real.npy": writeNpy({ dtype: "f32", shape }, cube.data.subarray(0, channels * pulses * ranges)),
      "flat.npy": writeNpy({ dtype: "c64", shape: [channels, pulses * ranges] }, cube.data),
      "huge.npy": writeNpy({ dtype: "c128", shape }, huge),
      "text.dat": Buffer.from("no array at all, but of some length: ".repeat(9)),
      "none.mat": complexArrays({}),
      "two.mat": complexArrays({ a: { shape, data: cube.data }, b: { shape, data: cube.data } }),
      "rows.mat": mat4({
        trecord: one(865),
        pri: one(0.0016),
        fxmit: one(1e9),
        npulses: one(16),
        cpi1: { shape: [17, 2], re: new Float64Array(34), im: new Float64Array(34) },
      }),
      "pri.mat": mat4({
        trecord: one(865),
        pri: one(-1),
        fxmit: one(1e9),
        npulses: one(16),
        cpi1: { shape: [16, 1], re: new Float64Array(16), im: new Float64Array(16) },
      }),
      "other.bin": new Uint8Array(64),
      "small_app_input.bin": new Uint8Array(100),
      "wrong.npy": vectors(5),
      "zero.npy": vectors(4, 0),
      "nan-vectors.npy": vectors(4, Number.NaN),
      "line.npy": writeNpy({ dtype: "c64", shape: [4] }, new Float32Array(8)),
    });
    const all = [...radar, ...scan];
    failed(await run("absent.npy", ...all), 3, /absent\.npy: there is no such file or folder/);
    failed(await run("nan.npy", ...all), 3, /nan\.npy: the sample at channel 2, pulse 3, range 5 must be a finite number, not NaN/);
    failed(
      await run("nan.npy", ...all, "--axes", "pulse,range,channel"),
      3,
      /nan\.npy: the sample at pulse 2, range 3, channel 5 must be a finite number, not NaN/,
    );
    failed(
      await run("silent.npy", ...all),
      3,
      /silent\.npy: covariance of bin 0, group 0 must be positive definite; more training, or loading/,
    );
    failed(await run("cut.npy", ...all), 3, /cut\.npy: at byte \d+/);
    failed(await run("real.npy", ...all), 3, /real\.npy: must be complex, of three axes, not f32 \[4, 16, 120\]/);
    failed(await run("flat.npy", ...all), 3, /flat\.npy: must be complex, of three axes, not c64 \[4, 1920\]/);
    failed(await run("huge.npy", ...all), 3, /huge\.npy: samples must be within the range of float32/);
    failed(await run("text.dat", ...all), 3, /text\.dat: at byte/);
    failed(
      await run("none.mat", ...all),
      3,
      /none\.mat: must have one complex array of three axes, or be a Mountain Top file .*; found none/,
    );
    failed(await run("two.mat", ...all), 3, /two\.mat: must have one complex array .*; found a, b/);
    failed(await run("rows.mat"), 3, /rows\.mat: variable cpi1 must be complex, with rows for 16 pulses/);
    failed(await run("pri.mat"), 3, /pri\.mat: variable pri must be a positive number, not -1/);
    failed(await run("other.bin"), 3, /other\.bin: must be named small_app_input\.bin/);
    failed(await run("small_app_input.bin"), 3, /small_app_steering_vectors\.bin: can't read it: there is no such file/);
    await writeFile(join(folder, "small_app_steering_vectors.bin"), new Uint8Array(1536));
    failed(await run("small_app_input.bin"), 3, /small_app_input\.bin: at byte 100: expected 2097152 bytes/);
    failed(await run("."), 3, /small_app_input\.bin: at byte 100/);
    await mkdir(join(folder, "empty"));
    failed(await run("empty", "--preset", "perfect"), 3, /empty: must be a folder with small_app_input\.bin or medium/);
    failed(await run("empty", "--set", "large"), 3, /empty: must be a folder with large_app_input\.bin/);
    const steer = (file: string, ...more: string[]): Promise<Outcome> => run("cube.npy", "--steering", join(folder, file), ...more);
    failed(await steer("absent.npy"), 3, /--steering .*absent\.npy: there is no such file/);
    failed(
      await steer("wrong.npy"),
      3,
      /--steering .*wrong\.npy: steering vectors must be of length 4, the channels, or 12, .*3 taps, not 5/,
    );
    failed(await steer("zero.npy"), 3, /zero\.npy: steering vector 0 must not be all zero/);
    failed(await steer("nan-vectors.npy"), 3, /nan-vectors\.npy: element 0 of vector 0 must be a finite number, not NaN/);
    failed(await steer("line.npy"), 3, /line\.npy: must be complex64 or complex128 of two axes/);
    expect(existsSync(out)).toBe(false);
    // Loading mends what is singular.
    expect(await run("silent.npy", ...all, "--loading", "1e-4")).toMatchObject({ code: 0, stderr: "" });
  });

  it("in options that do not suit the files, or each other (2), before any work", async () => {
    const { folder, out, run } = await folderWith({ "cube.npy": cubeNpy(stapCube()) });
    await writeFile(join(folder, "v.npy"), writeNpy({ dtype: "c64", shape: [1, 4] }, new Float32Array(8).fill(1)));
    const cube = (...more: string[]): Promise<Outcome> => run("cube.npy", ...radar, ...scan, ...more);
    failed(await run("cube.npy"), 2, /--azimuth or --steering is missing: .*cube\.npy has no steering vectors/);
    failed(await run("cube.npy", ...scan), 2, /--spacing is missing/);
    failed(await run("cube.npy", ...scan, "--spacing", "0.3m"), 2, /--carrier is missing: a spacing in metres takes a wavelength/);
    failed(await cube("--steering", join(folder, "v.npy")), 2, /--azimuth must be left out where --steering is given/);
    failed(await cube("--doppler-bins", "8"), 2, /--doppler-bins does not suit .*cube\.npy: dopplerBins must be an integer from 16/);
    failed(await cube("--tdof", "17"), 2, /--tdof does not suit .*: temporalTaps must be an integer from 1 to 16/);
    failed(await cube("--block", "64"), 2, /--block does not suit .*: adjacent training with 0 guard blocks must have 2 other blocks/);
    failed(await cube("--block", "4"), 2, /--block does not suit .*: training of ranges 0 to 3 must have at least 12 cells.*, not 8/);
    failed(await cube("--guard", "3"), 2, /--guard does not suit .*: adjacent training with 3 guard blocks/);
    failed(await cube("--training", "sliding", "--cells", "11"), 2, /--cells does not suit .*at least 12 cells/);
    failed(await cube("--training", "sliding", "--cells", "200"), 2, /--cells does not suit .*training\.cells must be/);
    failed(await cube("--training", "sliding", "--guard", "100"), 2, /--guard does not suit .*training\.guardCells must be/);
    failed(await cube("--tdof", "16", "--training", "own"), 2, /--tdof does not suit .*at least 64 cells/);
    failed(await cube("--training", "own", "--guard", "1"), 2, /--guard must be left out where training is own/);
    failed(await cube("--preset", "perfect", "--guard", "1"), 2, /--guard must be left out where training is own/);
    failed(await cube("--cells", "40"), 2, /--cells must be left out where training is adjacent/);
    failed(await cube("--training", "sliding", "--block", "8"), 2, /--block must be left out where training is sliding/);
    failed(await cube("--output", "complex", "--max-over-steering"), 2, /--max-over-steering must be left out where the output is complex/);
    failed(await cube("--cfar-cells", "8"), 2, /--cfar-cells must be left out without --cfar/);
    failed(await cube("--cfar", "ca", "--cfar-cells", "120"), 2, /--cfar-cells does not suit/);
    failed(await cube("--set", "small"), 2, /--set must be left out for .*cube\.npy, which is not the PERFECT suite's/);
    failed(await cube("--chirp", "1e5,1e-3,1e6"), 2, /--chirp does not suit .*: replica\.length must be re and im of 1 to 120 samples/);
    failed(await cube("--target", "120,0"), 2, /--target must be at a range bin from 0 to 119, not 120/);
    failed(await cube("--target", "1.5,0"), 2, /--target must be at a range bin/);
    failed(await cube("--target", "5,151"), 2, /--target must be within ±150 Hz of Doppler, not 151/);
    const vectors = ["--steering", join(folder, "v.npy"), "--target", "5,0,10"];
    failed(await run("cube.npy", ...vectors), 2, /--target must be without an azimuth where steering vectors are no scan/);
    expect(existsSync(out)).toBe(false);
  });

  it("in data that have too little of them, with nobody's option to blame (3)", async () => {
    const data = stapCube().data.subarray(0, 2 * channels * pulses * 20);
    const { out, run } = await folderWith({ "short.npy": writeNpy({ dtype: "c64", shape: [channels, pulses, 20] }, data) });
    failed(await run("short.npy", ...radar, ...scan), 3, /short\.npy: adjacent training with 0 guard blocks must have 2 other blocks/);
    expect(existsSync(out)).toBe(false);
  });

  it("on interruption, with all files or none", async () => {
    const { out, run } = await folderWith({ "cube.npy": cubeNpy(stapCube()) });
    const folder = join(out, "..");
    const args = ["stap", join(folder, "cube.npy"), ...radar, ...scan, "--out"];
    failed(await dechirp([...args, out], { signal: AbortSignal.abort("SIGTERM") }), 143, /interrupted by SIGTERM/);
    expect(await run("cube.npy", ...radar, ...scan)).toMatchObject({ code: 0 });
    let interrupted = 0;
    for (const delay of [0, 5, 10, 20, 40, 80, 160]) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort("SIGINT"), delay);
      const written = join(folder, String(delay));
      const { code } = await dechirp([...args, written], { signal: controller.signal });
      clearTimeout(timer);
      if (code === 130) interrupted++;
      expect([0, 130]).toContain(code);
      expect(existsSync(written) ? (await readdir(written)).sort() : []).toEqual(code === 0 ? files : []);
    }
    expect(interrupted).toBeGreaterThan(0);
  });

  it("and the device is as it was", async () => {
    using device = await open(cpu());
    const folder = await temporaryFolder();
    await writeFile(join(folder, "cube.npy"), cubeNpy(stapCube()));
    const settings = await stapSettings({ spacing: "0.5", azimuth: "0:40:20", output: "complex" });
    const plan = await planStap(await readStapInput(join(folder, "cube.npy"), {}), settings, undefined);
    for (const at of ["covariance", "beamformer", "condition"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what === at && controller.abort("SIGINT"));
      await expect(processStap(plan, device, { signal: controller.signal, onProgress })).rejects.toMatchObject({ code: "aborted" });
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
    await processStap(plan, device);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("steering vectors that are too many for the device's arrays", () => {
  it.each(["amf", "complex"] as const)("come in several runs: %s", async (output) => {
    using device = await open(cpu());
    const folder = await temporaryFolder();
    await writeFile(join(folder, "cube.npy"), cubeNpy(stapCube()));
    for (const maxOverSteering of output === "amf" ? [false, true] : [false]) {
      const settings = await stapSettings({ spacing: "0.5", azimuth: "-60:60:10", training: "sliding", output, maxOverSteering });
      const plan = await planStap(await readStapInput(join(folder, "cube.npy"), {}), settings, undefined);
      const whole = await processStap(plan, device);
      // Weights of 16 bins, 120 groups and 12 elements: five vectors at once; of outputs alone, as many as need be.
      const small = Object.create(device, { limits: { value: { ...device.limits, maxBufferBytes: 5 * 8 * 16 * 120 * 12 } } });
      const parts = await processStap(plan, small);
      if (output === "complex") expect(parts.report.stages.length).toBe(3 * whole.report.stages.length);
      expect(parts.output).toEqual(whole.output);
      expect(parts.detections).toEqual(whole.detections);
    }
  });
});

it("texts become settings", async () => {
  expect(await stapSettings({})).toEqual({});
  expect(
    await stapSettings({
      preset: "paper",
      axes: "range, pulse,channel",
      set: "medium",
      prf: "625",
      carrier: "435e6",
      spacing: "0.333m",
      broadside: "-10",
      chirp: "-5e5,1e-4,1e6",
      ranges: "-5,150",
      azimuth: "-60:60:0.5",
      dopplerBins: "64",
      tdof: "5",
      window: "chebyshev:-60",
      centred: true,
      training: "sliding",
      block: "16",
      cells: "90",
      guard: "4",
      loading: "1e-6",
      solver: "gauss-jordan",
      output: "mvdr",
      maxOverSteering: true,
      pfa: "1e-4",
      cfar: "ca",
      cfarCells: "16",
      cfarGuard: "0",
      target: "146,-156.25,274",
    }),
  ).toEqual({
    preset: "paper",
    axes: ["range", "pulse", "channel"],
    set: "medium",
    prfHz: 625,
    carrierHz: 435e6,
    spacing: { value: 0.333, unit: "m" },
    broadsideDegrees: -10,
    chirp: { bandwidthHz: -5e5, pulseSeconds: 1e-4, samplingRateHz: 1e6 },
    rangeAxis: { startMeters: -5, stepMeters: 150 },
    azimuth: { from: -60, to: 60, step: 0.5 },
    dopplerBins: 64,
    temporalTaps: 5,
    window: { kind: "chebyshev", sidelobeDb: -60 },
    centred: true,
    training: "sliding",
    blockRanges: 16,
    cells: 90,
    guard: 4,
    loading: 1e-6,
    solver: "gauss-jordan",
    output: "mvdr",
    maxOverSteering: true,
    falseAlarm: 1e-4,
    cfar: "ca",
    cfarCells: 16,
    cfarGuard: 0,
    target: { range: 146, doppler: -156.25, azimuthDegrees: 274 },
  });
  expect(await stapSettings({ window: "none", chirp: "none", azimuth: "274", spacing: ".5", target: "3,0.25" })).toEqual({
    window: { kind: "rect" },
    chirp: "none",
    azimuth: { from: 274, to: 274, step: 1 },
    spacing: { value: 0.5, unit: "wavelengths" },
    target: { range: 3, doppler: 0.25 },
  });
  expect(await stapSettings({ window: "taylor:4,-30" })).toEqual({ window: { kind: "taylor", nbar: 4, sidelobeDb: -30 } });
});
