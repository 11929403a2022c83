/** backproject as a user calls it, on simulated histories: files, reports, numbers, and errors. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encodePng, readNpy } from "@dechirp/io";
import type { BackprojectReport } from "@dechirp/processor";
import { type PhaseHistory, windowSamples } from "@dechirp/radar";
import {
  backprojectReference,
  circularTrack,
  compressProfiles,
  type GroundGrid,
  quicklook,
  signalToErrorDb,
  simulatePhaseHistory,
} from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { backprojectSettings } from "../src/commands/backproject.ts";
import { imageFiles } from "../src/output.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";
import { directSum } from "./direct-sum.ts";
import { type GotchaAutofocus, gotchaBytes, writeGotcha } from "./gotcha-file.ts";

const pulses = 128;
const bright = [-3.2, 4.1, 0] as const;

/** Two points, seen from 4° of a circle, in X band. */
const history = (change: { firstHz?: number; count?: number; reference?: number } = {}): PhaseHistory =>
  simulatePhaseHistory({
    positions: circularTrack({
      radiusMeters: 700,
      altitudeMeters: 700,
      firstRadians: 0,
      stepRadians: (4 * Math.PI) / 180 / pulses,
      pulses,
    }),
    frequency: { firstHz: change.firstHz ?? 9.3e9, stepHz: 6e6, count: change.count ?? 100 },
    targets: [
      { positionMeters: bright, amplitude: 2, phaseRadians: 1 },
      { positionMeters: [5, -2, 0], amplitude: 1 },
    ],
    ...(change.reference === undefined ? {} : { reference: change.reference }),
  });

/** 64 × 48 pixels that contain both points, each in rows and columns of its own. */
const [gridText, grid] = [
  "-9,-6,0.25,0.3,64,48",
  { kind: "ground", nx: 64, ny: 48, originMeters: [-9, -6, 0], xStepMeters: [0.25, 0, 0], yStepMeters: [0, 0.3, 0] } as GroundGrid,
];

async function folderWith(files: Readonly<Record<string, Uint8Array>>): Promise<{ folder: string; out: string }> {
  const folder = await temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
  return { folder, out: join(folder, "out") };
}

interface Imaged {
  readonly report: BackprojectReport;
  readonly image: Float32Array;
  readonly out: string;
}

async function backproject(made: PhaseHistory, more: readonly string[] = [], autofocus?: GotchaAutofocus): Promise<Imaged> {
  const folder = await temporaryFolder();
  const [file, out] = [join(folder, "a.mat"), join(folder, "out")];
  await writeGotcha(file, made, autofocus);
  const { code, stdout, stderr } = await dechirp(["backproject", file, "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  const { layout, data } = await readNpy(await readFile(join(out, "image.npy")), { file: "image.npy" });
  const { report } = JSON.parse(stdout).images[0] as { report: BackprojectReport };
  expect(layout).toEqual({ dtype: "c64", shape: report.image.shape });
  expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toEqual(report);
  return { report, image: data as Float32Array, out };
}

/** The image by definition, from the samples as the file holds them. */
function exactImage({ positions, referenceRangeMeters, samples, frequency }: PhaseHistory, z = 0): Float64Array {
  const frequenciesHz = Array.from({ length: frequency.count }, (_, k) => frequency.firstHz + k * frequency.stepHz);
  const [x0, y0, dx, dy, nx, ny] = gridText.split(",").map(Number);
  return directSum({ positions, referenceRangeMeters, samples, frequenciesHz }, { x0, y0, z, dx, dy, nx, ny });
}

const times = (values: ArrayLike<number>, factor: number): Float64Array => Float64Array.from(values, (value) => factor * value);

describe("backproject", () => {
  it("computes the sum over all frequencies in float64, to 80 dB, [y][x]", async () => {
    const made = history();
    const { report, image, out } = await backproject(made, ["--grid", gridText]);
    expect(signalToErrorDb(image, exactImage(made))).toBeGreaterThan(80);
    expect((await readdir(out)).sort()).toEqual([...imageFiles]);
    expect(report).toMatchObject({
      format: "dechirp-backprojection",
      scene: "Gotcha",
      device: { id: "cpu" },
      history: { pulses, frequency: made.frequency, autofocus: "none in the files" },
      image: { type: "c64", shape: [48, 64] },
      axes: { xMeters: { start: -9, step: 0.25, count: 64 }, yMeters: { start: -6, step: 0.3, count: 48 } },
      parameters: {
        grid: { value: gridText, source: "option" },
        convention: { value: "exact", source: "default" },
        interpolation: { value: "quadratic", source: "default" },
        bins: { value: 1024, source: "default" },
        carrier: { value: "centre", source: "default" },
        scale: { value: "amplitude", source: "default" },
        carrierHz: made.frequency.firstHz + 50 * made.frequency.stepHz,
      },
      work: { backprojections: 64 * 48 * pulses },
    });
    expect(report.timings.map(({ name }) => name)).toEqual(["load", "read", "plan", "project", "collect", "measure", "quicklook", "write"]);
    const [x, y] = bright;
    expect(Math.hypot(report.peak.xMeters - x, report.peak.yMeters - y)).toBeLessThan(0.03);
    // Amplitudes add up over pulses.
    expect(Math.abs(report.peak.magnitude / (2 * pulses) - 1)).toBeLessThan(0.005);
    expect(report.parameters.interpolationDb).toBeGreaterThan(85);
    expect(report.parameters.interpolationDb).toBeLessThan(95);
  });

  it("makes the image of Gorham and Moore's toolbox on request, and other options override it", async () => {
    const made = history();
    const { report, image } = await backproject(made, ["--grid", gridText, "--convention", "gorham-moore"]);
    const profiles = compressProfiles(made, { carrier: "first", bins: 1024, dtype: "c128" });
    // Profiles are divided by the number of bins, whereas the reference divides by the number of frequencies.
    const expected = times(backprojectReference(profiles, grid, { interpolation: "linear" }), 100 / 1024);
    expect(signalToErrorDb(image, expected)).toBeGreaterThan(80);
    // Linear interpolation, with the first frequency at zero: 7·10⁻⁵ of the power for a hundred frequencies in 1024 bins.
    expect(signalToErrorDb(times(image, 1024 / 100), exactImage(made))).toBeLessThan(50);
    expect(report.parameters).toMatchObject({
      convention: { value: "gorham-moore", source: "option" },
      interpolation: { value: "linear", source: "default" },
      bins: { value: 1024, source: "default" },
      carrier: { value: "first", source: "default" },
      scale: { value: "ifft", source: "default" },
      carrierHz: made.frequency.firstHz,
    });
    const own = await backproject(made, [
      "--grid",
      gridText,
      "--convention",
      "gorham-moore",
      "--carrier",
      "centre",
      "--scale",
      "amplitude",
    ]);
    const centred = compressProfiles(made, { bins: 1024, dtype: "c128" });
    expect(signalToErrorDb(own.image, backprojectReference(centred, grid, { interpolation: "linear" }))).toBeGreaterThan(80);
  });

  it("notes pulses that add nothing because ranges repeat", async () => {
    const made = history();
    expect((await backproject(made, ["--grid", gridText])).report.notes).toEqual([]);
    const half = 299792458 / (4 * made.frequency.stepHz);
    const wide = await backproject(made, [`--grid=${-2.5 * half},0,${half / 8},1,24,8`]);
    expect(wide.report.notes).toEqual([
      `parts of the image are farther than ${half.toPrecision(4)} m from the reference range of ${pulses} of ${pulses} pulses; ranges repeat beyond that distance, so those pulses add nothing there`,
    ]);
    expect([...wide.image.subarray(0, 4)]).toEqual([0, 0, 0, 0]);
  });

  it("draws y upwards", async () => {
    const { image, out } = await backproject(history(), ["--grid", gridText, "--bare", "--dynamic-range", "35"]);
    const turned = new Float32Array(image.length);
    for (let row = 0; row < 48; row++) turned.set(image.subarray(128 * row, 128 * (row + 1)), 128 * (47 - row));
    const spacing = { rowSpacingMeters: 0.3, columnSpacingMeters: 0.25, maxSide: 1024, dynamicRangeDb: 35, square: true };
    const picture = await readFile(join(out, "quicklook.png"));
    expect(picture.equals(await encodePng(quicklook(turned, 48, 64, spacing)))).toBe(true);
    expect(picture.equals(await encodePng(quicklook(image, 48, 64, spacing)))).toBe(false);
  });

  it("chooses a grid that shows the scene, and says why", async () => {
    const { report } = await backproject(history());
    const { grid: used } = report.parameters;
    expect(used.source).toBe("default");
    expect(used.why).toMatch(/^ranges repeat beyond it; 1\.5 pixels to the finer resolution of 0\.\d+ m along x and 0\.\d+ m along y$/);
    expect(Math.hypot(report.peak.xMeters - bright[0], report.peak.yMeters - bright[1])).toBeLessThan(0.03);
    const { start, step, count } = report.axes.xMeters;
    expect(start + (step * count) / 2).toBeCloseTo(0, 9);
  });

  it("puts the image plane at --height", async () => {
    const made = history();
    const { report, image } = await backproject(made, [`--grid=${gridText}`, "--height", "-2.5"]);
    expect(report.parameters.heightMeters).toEqual({ value: -2.5, source: "option" });
    expect(signalToErrorDb(image, exactImage(made, -2.5))).toBeGreaterThan(80);
  });

  it("applies the files' autofocus unless told not to", async () => {
    // Ranges and phases are falsified by what the autofocus corrects.
    const right = history();
    const rangeMeters = right.referenceRangeMeters.map((_, p) => 0.2 * Math.sin(p / 20));
    const phaseRadians = rangeMeters.map((_, p) => Math.cos(p / 7));
    const wrong: PhaseHistory = {
      ...right,
      referenceRangeMeters: right.referenceRangeMeters.map((range, p) => range - rangeMeters[p]),
      samples: right.samples.map((_, i) => {
        const [p, at] = [Math.floor(i / 200), i & ~1];
        const [re, im] = [right.samples[at], right.samples[at + 1]];
        const [c, s] = [Math.cos(phaseRadians[p]), -Math.sin(phaseRadians[p])];
        return i === at ? re * c - im * s : re * s + im * c;
      }),
    };
    const autofocus = { rangeMeters, phaseRadians };
    const expected = await backproject(right, ["--grid", gridText]);
    const corrected = await backproject(wrong, ["--grid", gridText], autofocus);
    expect(corrected.report.history.autofocus).toBe("applied");
    expect(signalToErrorDb(corrected.image, expected.image)).toBeGreaterThan(80);
    const left = await backproject(wrong, ["--grid", gridText, "--no-autofocus"], autofocus);
    expect(left.report.history.autofocus).toBe("left out");
    expect(left.report.entropy).toBeGreaterThan(expected.report.entropy + 1);
  });

  it("obeys its options, and reports them", async () => {
    const made = history();
    const args = "--bins 512 --window hann --carrier centre --interpolation 8 --scale amplitude --tile 16 --sets 2 --scheme dual";
    const { report, image } = await backproject(made, ["--grid", gridText, ...args.split(" ")]);
    const window = { kind: "hann" } as const;
    const interpolation = { kind: "sinc", taps: 8, window: "kaiser" } as const;
    const profiles = compressProfiles(made, { bins: 512, window, carrier: "centre", dtype: "c128" });
    const reference = backprojectReference(profiles, grid, { interpolation });
    expect(signalToErrorDb(image, reference)).toBeGreaterThan(80);
    expect(report.parameters).toMatchObject({
      bins: { value: 512, source: "option" },
      window: { value: "hann", source: "option" },
      carrier: { value: "centre", source: "option" },
      interpolation: { value: 8, source: "option" },
      scale: { value: "amplitude", source: "option" },
      tile: { value: 16, source: "option" },
      sets: { value: 2, source: "option" },
      scheme: { value: "dual", source: "option" },
    });
    expect(report.partition[0]).toMatch(/tiles of 16 × 16 pixels, 2 pulse sets/);
    // Without taper, ifft divides by the bins and amplitude by the number of frequencies.
    const ifft = await backproject(made, ["--grid", gridText, ...args.replace("amplitude", "ifft").split(" ")]);
    const sum = windowSamples(window, 100).reduce((a, b) => a + b);
    expect(signalToErrorDb(ifft.image, times(image, sum / 512))).toBeGreaterThan(120);
  });

  it("joins several files and folders to one history", async () => {
    const whole = history();
    const part = (from: number, to: number): PhaseHistory => ({
      ...whole,
      positions: whole.positions.slice(3 * from, 3 * to),
      referenceRangeMeters: whole.referenceRangeMeters.slice(from, to),
      samples: whole.samples.slice(200 * from, 200 * to),
    });
    const { folder, out } = await folderWith({
      "data_3dsar_pass1_az002_HH.mat": gotchaBytes(part(50, 128)),
      "data_3dsar_pass1_az001_HH.mat": gotchaBytes(part(0, 50)),
    });
    expect(await dechirp(["backproject", folder, "--grid", gridText, "--out", out])).toMatchObject({ code: 0, stderr: "" });
    const { image } = await backproject(whole, ["--grid", gridText]);
    const { data } = await readNpy(await readFile(join(out, "image.npy")), { file: "image.npy" });
    expect(signalToErrorDb(data as Float32Array, image)).toBeGreaterThan(100);
    expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toMatchObject({ scene: "Gotcha pass 1 HH", inputs: [folder] });
  });

  it("prints a summary", async () => {
    const { folder, out } = await folderWith({ "a.mat": gotchaBytes(history()) });
    const { stdout } = await dechirp([
      "backproject",
      join(folder, "a.mat"),
      "--grid",
      "-4,4,0.3,0.3,1,1",
      "--device",
      "auto",
      "--out",
      out,
    ]);
    expect(stdout).toMatch(/^Gotcha: 128 pulses × 100 frequencies → image 1 × 1 on cpu\n {2}device {14}cpu \(.* too few for a GPU/);
    expect(stdout).toContain("  autofocus           none in the files\n");
    expect(stdout).toContain("  brightest           (-4.00, 4.00) m\n");
    const { peak } = JSON.parse(await readFile(join(out, "report.json"), "utf8")) as BackprojectReport;
    expect(peak.x).toBeUndefined();
    expect(peak.why).toMatch(/main lobe|image/);
  });

  it("leaves other files of a folder alone, and replaces its own", async () => {
    const { folder, out } = await folderWith({ "a.mat": gotchaBytes(history()) });
    await mkdir(out);
    await writeFile(join(out, "notes.txt"), "mine");
    await writeFile(join(out, "image.npy"), "old");
    expect((await dechirp(["backproject", join(folder, "a.mat"), "--grid", gridText, "--out", out])).code).toBe(0);
    expect((await readdir(out)).sort()).toEqual([...imageFiles, "notes.txt"].sort());
    expect((await readFile(join(out, "image.npy"))).length).toBe(128 + 8 * 64 * 48);
  });
});

describe("errors are one line", () => {
  function failed({ code, stdout, stderr }: Outcome, status: number, message: RegExp): void {
    expect(stderr).toMatch(/^dechirp: [^\n]+\n$/);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: status, stdout: "" });
  }

  it("in files (3), and nothing is written", async () => {
    const sound = gotchaBytes(history());
    const nan = history();
    nan.positions[4] = Number.NaN;
    const { folder, out } = await folderWith({
      "a.mat": sound,
      "text.mat": Buffer.from("no array at all, but of some length: ".repeat(9)),
      "cut.mat": sound.subarray(0, sound.length - 3000),
      "nan.mat": gotchaBytes(nan),
      "frequencies.mat": gotchaBytes(history({ firstHz: 9.4e9 })),
      "fewer.mat": gotchaBytes(history({ count: 99 })),
      "silent.mat": gotchaBytes({ ...history(), samples: new Float32Array(2 * pulses * 100) }),
      "far.mat": gotchaBytes(history({ reference: 500 })),
      "data_3dsar_pass1_az001_HH.mat": sound,
      "data_3dsar_pass1_az001_VV.mat": sound,
    });
    const image = (...files: string[]): Promise<Outcome> =>
      dechirp(["backproject", ...files.map((file) => join(folder, file)), "--grid", gridText, "--out", out]);
    failed(await image("absent.mat"), 3, /absent\.mat: there is no such file or folder/);
    failed(await image("a.mat", "absent.mat"), 3, /absent\.mat: there is no such file or folder/);
    failed(await image("text.mat"), 3, /text\.mat: /);
    failed(await image("cut.mat"), 3, /cut\.mat: at byte \d+/);
    failed(await image("nan.mat"), 3, /nan\.mat: data\.y\(2\) must be a finite number, not NaN/);
    failed(await image("a.mat", "frequencies.mat"), 3, /frequencies\.mat: data\.freq must be 100 frequencies from 93/);
    failed(await image("a.mat", "fewer.mat"), 3, /fewer\.mat: data\.freq must be 100 frequencies/);
    failed(await image("a.mat", "a.mat"), 3, /must be files that differ/);
    failed(await image("data_3dsar_pass1_az001_HH.mat", "data_3dsar_pass1_az001_VV.mat"), 3, /the polarisation in its name must be HH/);
    failed(await image("silent.mat"), 3, /the image of .*silent\.mat: data must be not all zero/);
    failed(await dechirp(["backproject", join(folder, "far.mat"), "--out", out]), 3, /far\.mat: .*reference range/);
    await mkdir(join(folder, "empty"));
    failed(await image("empty"), 3, /empty: must be a folder with files data_3dsar_pass/);
    expect(existsSync(out)).toBe(false);
  });

  it("in options that do not suit the files (2), before projecting", async () => {
    const { folder, out } = await folderWith({ "a.mat": gotchaBytes(history()) });
    const image = (...more: string[]): Promise<Outcome> => dechirp(["backproject", join(folder, "a.mat"), "--out", out, ...more]);
    failed(await image("--grid", "4000,0,1,1,8,8"), 2, /--grid does not suit .*a\.mat: grid must be within the swath/);
    failed(await image("--height", "9000"), 2, /--height does not suit .*a\.mat: centreMeters must be within/);
    failed(await image("--height", "9000", "--grid", gridText), 2, /--grid does not suit .*a\.mat: grid must be within the swath/);
    failed(await image("--grid", gridText, "--bins", "64"), 2, /--bins does not suit .*: bins must be a power of two from 100/);
    expect(existsSync(out)).toBe(false);
  });

  it("on interruption, with all files or none", async () => {
    const { folder, out } = await folderWith({ "a.mat": gotchaBytes(history()) });
    const args = ["backproject", join(folder, "a.mat"), "--grid", gridText, "--out", out];
    failed(await dechirp(args, { signal: AbortSignal.abort("SIGTERM") }), 143, /interrupted by SIGTERM/);
    let interrupted = 0;
    for (const delay of [0, 5, 10, 20, 40, 80, 160]) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort("SIGINT"), delay);
      const { code } = await dechirp([...args.slice(0, -1), join(out, String(delay))], { signal: controller.signal });
      clearTimeout(timer);
      if (code === 130) interrupted++;
      expect([0, 130]).toContain(code);
      const written = join(out, String(delay));
      expect(existsSync(written) ? (await readdir(written)).sort() : []).toEqual(code === 0 ? [...imageFiles] : []);
    }
    expect(interrupted).toBeGreaterThan(0);
  });
});

it("options are parsed into settings", async () => {
  expect(await backprojectSettings({ autofocus: true })).toEqual({});
  expect(
    await backprojectSettings({
      grid: " -50, -5e1,.5,+0.25,512,8",
      height: "-3",
      autofocus: false,
      mode: "fast",
      interpolation: "16",
      bins: "8192",
      window: "taylor:4,-30",
      carrier: "centre",
      scale: "amplitude",
      scheme: "tiles",
      tile: "64",
      sets: "1",
    }),
  ).toEqual({
    grid: { xMeters: -50, yMeters: -50, xStepMeters: 0.5, yStepMeters: 0.25, nx: 512, ny: 8 },
    heightMeters: -3,
    autofocus: false,
    mode: "fast",
    interpolation: 16,
    bins: 8192,
    window: { kind: "taylor", nbar: 4, sidelobeDb: -30 },
    carrier: "centre",
    scale: "amplitude",
    scheme: "tiles",
    tile: 64,
    sets: 1,
  });
});
