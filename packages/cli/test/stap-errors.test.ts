/** Errors of stap: files, options, data, interruption. One line, the right status, nothing left behind. */
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { writeNpy } from "@dechirp/io";
import { describe, expect, it } from "vitest";
import { stapReading, stapSettings } from "../src/commands/stap.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { complexArrays } from "./gotcha-file.ts";
import { channels, cubeNpy, stapFiles as files, mat4, pulses, radar, ranges, scan, stapCube } from "./stap-cube.ts";

describe("errors are one line", () => {
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
    // Makes a channel silent.
    silent.data.fill(0, 2 * pulses * ranges, 4 * pulses * ranges);
    const shape = [channels, pulses, ranges];
    const vectors = (length: number, value = 1): Uint8Array =>
      writeNpy({ dtype: "c64", shape: [2, length] }, new Float32Array(4 * length).fill(value));
    const huge = Float64Array.from(cube.data, (value) => value * 1e40);
    const scaled = (factor: number): Uint8Array =>
      writeNpy(
        { dtype: "c64", shape },
        cube.data.map((value) => value * factor),
      );
    const one = (value: number) => ({ shape: [1, 1] as const, re: [value] });
    const { folder, out, run } = await folderWith({
      "cube.npy": cubeNpy(cube),
      "nan.npy": cubeNpy(nan),
      "silent.npy": cubeNpy(silent),
      "zeros.npy": scaled(0),
      "cut.npy": cubeNpy(cube).subarray(0, 5000),
      "real.npy": writeNpy({ dtype: "f32", shape }, cube.data.subarray(0, channels * pulses * ranges)),
      "flat.npy": writeNpy({ dtype: "c64", shape: [channels, pulses * ranges] }, cube.data),
      "huge.npy": writeNpy({ dtype: "c128", shape }, huge),
      "nothing.npy": new Uint8Array(),
      "text.npy": Buffer.from("no array at all, but of some length: ".repeat(9)),
      "text.dat": Buffer.from("no array at all, but of some length: ".repeat(9)),
      "none.mat": complexArrays({}),
      "two.mat": complexArrays({
        a: { shape, data: cube.data },
        b: { shape: [channels, pulses, ranges / 2], data: cube.data.subarray(0, cube.data.length / 2) },
      }),
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
      /silent\.npy: channel 1 has no signal at all \(channels count from 0\), so no covariance can be solved: leave out the useless channels with --without-channels 1,/,
    );
    failed(await run("zeros.npy", ...all), 3, /zeros\.npy: cube must be different from zero somewhere/);
    failed(await run("cut.npy", ...all), 3, /cut\.npy: at byte \d+/);
    failed(
      await run("real.npy", ...all),
      3,
      /real\.npy: must be complex, of three axes, or of four with an axis of CPIs, not f32 \[4, 16, 120\]/,
    );
    failed(
      await run("flat.npy", ...all),
      3,
      /flat\.npy: must be complex, of three axes, or of four with an axis of CPIs, not c64 \[4, 1920\]/,
    );
    failed(await run("huge.npy", ...all, "--output", "mvdr"), 3, /huge\.npy: output must be within the range of float32; the AMF is/);
    failed(await run("text.dat", ...all), 3, /text\.dat: at byte/);
    failed(await run("nothing.npy", ...all), 3, /nothing\.npy: must be .*, not an empty file/);
    failed(await run("text.npy", ...all), 3, /text\.npy: at byte 0: expected a \.npy file's magic string/);
    failed(
      await run("none.mat", ...all),
      3,
      /none\.mat: must have one complex array of three axes, .* or be a Mountain Top file .*; found none/,
    );
    failed(await run("two.mat", ...all), 3, /two\.mat: must have one complex array .*; found a \[4, 16, 120\], b \[4, 16, 60\]/);
    failed(await run("rows.mat"), 3, /rows\.mat: variable cpi1 must be complex, with a whole number of rows for each of 16 pulses/);
    failed(await run("pri.mat"), 3, /pri\.mat: variable pri must be a positive number, not -1/);
    failed(await run("other.bin"), 3, /other\.bin: must be named small_app_input\.bin or medium_app_input\.bin or large/);
    failed(await run("small_app_input.bin"), 3, /small_app_steering_vectors\.bin: can't read it: there is no such file/);
    await writeFile(join(folder, "small_app_steering_vectors.bin"), new Uint8Array(1536));
    failed(await run("small_app_input.bin"), 3, /small_app_input\.bin: at byte 100: expected 2097152 bytes/);
    failed(await run("."), 3, /small_app_input\.bin: at byte 100/);
    const spoiled = new Float32Array(2 * 4 * 128 * 512).fill(1);
    spoiled[2 * ((2 * 128 + 9) * 512 + 77)] = Number.NaN;
    await writeFile(join(folder, "small_app_input.bin"), spoiled);
    failed(
      await run("small_app_input.bin"),
      3,
      /small_app_input\.bin: at byte \d+: expected a finite number at channel 2, pulse 9, range 77, found NaN/,
    );
    await writeFile(join(folder, "small_app_input.bin"), new Uint8Array(2097152));
    failed(await run("small_app_input.bin", "--set", "medium"), 2, /--set must be left out for .*small_app_input\.bin, of the small set/);
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
    // Diagonal loading makes singular covariances solvable, and the report says where it was needed.
    const mended = await run("silent.npy", ...all, "--loading", "1e-4");
    expect(mended).toMatchObject({ code: 0, stderr: "", stdout: expect.stringContaining("note: channel 1 has no signal at all") });
    expect(mended.stdout).toContain("note: axes are taken as channel,pulse,range; use --axes to state another order\n");
  });

  it("in the order of axes (3), with a hint at --axes unless it was given", async () => {
    const { run } = await folderWith({ "ranges-first.npy": cubeNpy(stapCube(), ["range", "channel", "pulse"]) });
    const given = [...radar, ...scan];
    failed(
      await run("ranges-first.npy", ...given),
      3,
      /ranges-first\.npy: .*training .* \(axes are taken as channel,pulse,range; use --axes to state another order\)$/m,
    );
    failed(await run("ranges-first.npy", ...given, "--axes", "channel,pulse,range"), 3, /training [^(]*$/);
    expect((await run("ranges-first.npy", ...given, "--axes", "range,channel,pulse")).stdout).not.toContain("--axes");
  });

  it("in options that do not suit the files, or each other (2), before any work", async () => {
    const { folder, out, run } = await folderWith({ "cube.npy": cubeNpy(stapCube()) });
    await writeFile(join(folder, "v.npy"), writeNpy({ dtype: "c64", shape: [1, 4] }, new Float32Array(8).fill(1)));
    const cube = (...more: string[]): Promise<Outcome> => run("cube.npy", ...radar, ...scan, ...more);
    failed(await run("cube.npy"), 2, /--azimuth or --steering is missing: .*cube\.npy has no steering vectors/);
    failed(await run("cube.npy", ...scan), 2, /--spacing is missing/);
    failed(await run("cube.npy", ...scan, "--spacing", "0.3m"), 2, /--carrier is missing: a spacing in metres needs the wavelength/);
    failed(await cube("--steering", join(folder, "v.npy")), 2, /--azimuth must be left out if --steering is given, not "-60:60:10"/);
    failed(await cube("--doppler-bins", "8"), 2, /--doppler-bins does not suit .*cube\.npy: dopplerBins must be an integer from 16/);
    failed(await cube("--tdof", "17"), 2, /--tdof does not suit .*: temporalTaps must be an integer from 1 to 16/);
    await writeFile(join(folder, "taps.npy"), writeNpy({ dtype: "c64", shape: [1, 12] }, new Float32Array(24).fill(1)));
    failed(
      await run("cube.npy", "--steering", join(folder, "taps.npy"), "--tdof", "5"),
      2,
      /--tdof must be 3, because steering vectors of .*taps\.npy have 12 elements for 4 channels, not 5/,
    );
    failed(await cube("--window", "bogus"), 2, /--window must be none, rect, .*chebyshev:DB.*, not "bogus"/);
    failed(await cube("--block", "64"), 2, /--block does not suit .*: adjacent training with 0 guard blocks must have 2 other blocks/);
    // The number of blocks does not depend on taps.
    failed(await cube("--block", "64", "--tdof", "2"), 2, /--block does not suit/);
    failed(await cube("--training", "adjacent", "--guard", "3", "--tdof", "2"), 2, /--guard does not suit/);
    failed(await cube("--block", "4"), 2, /--block does not suit .*: training of ranges 0 to 3 must have at least 12 cells.*, not 8/);
    failed(await cube("--guard", "3"), 2, /--guard does not suit .*: adjacent training with 3 guard blocks/);
    failed(await cube("--training", "sliding", "--cells", "11"), 2, /--cells does not suit .*at least 12 cells/);
    failed(await cube("--training", "sliding", "--cells", "200"), 2, /--cells does not suit .*training\.cells must be/);
    failed(await cube("--training", "sliding", "--guard", "100"), 2, /--guard does not suit .*training\.guardCells must be/);
    failed(await cube("--tdof", "16", "--training", "own"), 2, /--tdof does not suit .*at least 64 cells/);
    failed(await cube("--training", "own", "--guard", "1"), 2, /--guard must be left out if training is own/);
    failed(await cube("--preset", "perfect", "--guard", "1"), 2, /--guard must be left out if training is own/);
    failed(await cube("--cells", "40"), 2, /--cells must be left out if training is adjacent/);
    failed(await cube("--training", "sliding", "--block", "8"), 2, /--block must be left out if training is sliding/);
    failed(await cube("--output", "complex", "--max-over-steering"), 2, /--max-over-steering must be left out if the output is complex/);
    failed(await cube("--cfar-cells", "8"), 2, /--cfar-cells must be left out without --cfar/);
    failed(await cube("--cfar", "ca", "--cfar-cells", "120"), 2, /--cfar-cells does not suit/);
    // The error is about neighbours, not about training, whatever else was given, and is found before the run.
    const sliding = ["--training", "sliding", "--guard", "2", "--cells", "40"];
    failed(await cube("--cfar", "os", "--cfar-guard", "100", ...sliding), 2, /--cfar-guard does not suit .*guardCells must be/);
    failed(await cube("--cfar", "ca", "--cfar-guard", "50", ...sliding), 2, /--cfar-guard does not suit .*cells must be/);
    failed(await cube("--set", "small"), 2, /--set must be left out for .*cube\.npy, which is not input of the PERFECT suite/);
    failed(await cube("--chirp", "1e5,1e-3,1e6"), 2, /--chirp does not suit .*: replica\.length must be re and im of 1 to 120 samples/);
    failed(await cube("--target", "120,0"), 2, /--target must be at a range bin from 0 to 119, not 120/);
    failed(await cube("--target", "1.5,0"), 2, /--target must be at a range bin/);
    failed(await cube("--target", "5,151"), 2, /--target must be within ±150 Hz of Doppler, not 151/);
    failed(await cube("--target", "5,0,61"), 2, /--target must be at an azimuth of the scan, from -60° to 60°, not 61/);
    const vectors = ["--steering", join(folder, "v.npy"), "--target", "5,0,10"];
    failed(await run("cube.npy", ...vectors), 2, /--target must be without an azimuth if the steering vectors are not a scan/);
    expect(existsSync(out)).toBe(false);
  });

  it("in data with too little of something, without naming an option (3)", async () => {
    const data = stapCube().data.subarray(0, 2 * channels * pulses * 20);
    const { out, run } = await folderWith({ "short.npy": writeNpy({ dtype: "c64", shape: [channels, pulses, 20] }, data) });
    const tooFew = /adjacent training with 0 guard blocks must have 2 other blocks/;
    failed(await run("short.npy", ...radar, ...scan, "--tdof", "2"), 3, tooFew);
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
});

it("options are parsed into settings", async () => {
  expect(await stapSettings({})).toEqual({});
  expect(stapReading({})).toEqual({});
  expect(stapReading({ axes: "range, pulse,channel", set: "medium", cpi: "3", steering: "v.npy" })).toEqual({
    axes: ["range", "pulse", "channel"],
    set: "medium",
    cpi: 3,
    steeringFile: "v.npy",
  });
  expect(
    await stapSettings({
      preset: "paper",
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
