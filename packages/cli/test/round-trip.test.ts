/** simulate → focus → quality, as a user calls them: files, reports, numbers. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { writeSceneFolder } from "@dechirp/io/node";
import type { Report, TargetReport } from "@dechirp/processor";
import { parseReport } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import { imageFiles } from "../src/output.ts";
import { dechirp, simulatedScene, smallPreset, squintedPreset, temporaryFolder } from "./command.ts";

/** Runs a command with --json that must succeed; stdout must be one line of JSON and nothing else. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await dechirp([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  return JSON.parse(stdout);
}

const pngSize = (bytes: Buffer): number[] => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];

describe("the quality preset", () => {
  it("focuses point targets as in theory", async () => {
    const folder = await temporaryFolder();
    const [scene, image] = [join(folder, "scene"), join(folder, "image")];
    const simulated = await json("simulate", "--preset", "quality", "--type", "ci16", "--out", scene);
    expect(simulated).toMatchObject({
      folder: scene,
      files: ["scene.json", "raw.npy"],
      scene: { type: "ci16", shape: [2048, 2048], targets: 7 },
    });

    const { images } = await json("focus", scene, "--out", image);
    expect(images).toHaveLength(1);
    expect((await readdir(image)).sort()).toEqual([...imageFiles]);
    const report: Report = images[0].report;
    expect(JSON.parse(await readFile(join(image, "report.json"), "utf8"))).toEqual(report);
    expect(report.parameters).toMatchObject({
      dopplerCentroidHz: { value: 0, source: "scene" },
      velocityMetersPerSecond: { value: 150, source: "scene" },
      processedBandwidthHz: { value: 175, source: "scene" },
      rangeWindow: { value: "kaiser:2.5", source: "default" },
      rcmc: { value: "sinc8", source: "default" },
      lineGain: { source: "scene" },
    });

    const measured = await json("quality", image);
    expect(measured.targets).toEqual(report.targets);
    // The device sums rows in float32.
    for (const name of ["entropy", "contrast"] as const)
      expect(Math.abs(measured[name] - report[name]), name).toBeLessThan(4 * 2 ** -23 * Math.sqrt(Math.log2(2048)) * report[name]);
    expect(measured.targets).toHaveLength(7);
    for (const { name, measured: m } of measured.targets as TargetReport[]) {
      for (const axis of ["azimuth", "range"] as const) {
        // 0.002 cell, 0.2 % and 0.1 dB are the accuracy of the measurements. The rest is for the ripples of spectra with a
        // time-bandwidth product of 500 or more (about 1/√500 of the side lobes' amplitude, 0.4 dB).
        expect(Math.abs(m![axis].errorPixels), `${name} ${axis} position`).toBeLessThan(0.01);
        expect(Math.abs(m![axis].irwRatio - 1), `${name} ${axis} width`).toBeLessThan(0.005);
        expect(Math.abs(m![axis].pslrDb - report.theory[axis].pslrDb), `${name} ${axis} side lobes`).toBeLessThan(0.5);
        expect(Math.abs(m![axis].islrDb - report.theory[axis].islrDb), `${name} ${axis} side lobe energy`).toBeLessThan(0.5);
      }
      expect(Math.abs(m!.phaseErrorDegrees), `${name} phase`).toBeLessThan(1);
      expect(Math.abs(m!.peakMagnitude - 1), `${name} peak`).toBeLessThan(0.03);
      expect(m!.snrDb).toBeGreaterThan(60);
    }
  });
});

describe("a squinted scene", () => {
  it("focuses point targets as in theory: report and quality follow the spectrum that squint shifts", async () => {
    const folder = await temporaryFolder();
    const [scene, image] = [join(folder, "scene"), join(folder, "image")];
    await writeSceneFolder(scene, await simulatedScene("squinted", squintedPreset(-600)));
    const report: Report = (await json("focus", scene, "--out", image)).images[0].report;
    const { targets } = await json("quality", image);
    expect(targets).toEqual(report.targets);
    expect(targets).toHaveLength(2);
    for (const { name, measured: m } of targets as TargetReport[]) {
      for (const axis of ["azimuth", "range"] as const) {
        expect(Math.abs(m![axis].errorPixels), `${name} ${axis} position`).toBeLessThan(1 / 16);
        // With eight taps.
        expect(Math.abs(m![axis].irwRatio - 1), `${name} ${axis} width`).toBeLessThan(0.03);
        expect(Math.abs(m![axis].pslrDb - report.theory[axis].pslrDb), `${name} ${axis} side lobes`).toBeLessThan(0.5);
      }
      expect(Math.abs(m!.phaseErrorDegrees), `${name} phase`).toBeLessThan(1);
    }
  });
});

describe("a small scene", () => {
  it("is focused to the same result twice, however its samples are stored", async () => {
    const folder = await temporaryFolder();
    const reports: Report[] = [];
    const images: Buffer[] = [];
    for (const [i, type] of (["c64", "c64", "ci16", "ci8"] as const).entries()) {
      const scene = join(folder, `scene${i}`);
      await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false), { type }));
      const out = join(folder, `out${i}`);
      reports.push((await json("focus", scene, "--out", out)).images[0].report);
      images.push(await readFile(join(out, "image.npy")));
    }
    expect(images[1].equals(images[0])).toBe(true);
    for (const report of reports) {
      // One target is beyond the swath, one is never lit: neither is in the image.
      expect(report.targets.map(({ name }) => name)).toEqual(["centre"]);
      const { azimuth, range, peakMagnitude, phaseErrorDegrees } = report.targets[0].measured!;
      expect(Math.abs(azimuth.errorPixels)).toBeLessThan(0.02);
      expect(Math.abs(range.errorPixels)).toBeLessThan(0.02);
      // The echo's amplitude is preserved although samples are integers.
      expect(Math.abs(peakMagnitude / 2 - 1)).toBeLessThan(0.05);
      expect(Math.abs(phaseErrorDegrees)).toBeLessThan(2);
    }
  });

  it("has a report, an image and a picture that agree", async () => {
    const folder = await temporaryFolder();
    const [scene, out] = [join(folder, "scene"), join(folder, "out")];
    await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false)));
    const { report }: { report: Report } = (
      await json("focus", scene, "--out", out, "--azimuth-length", "450", "--window", "hamming", "--src", "off", "--bare")
    ).images[0];
    const { layout, data } = await readNpy(await readFile(join(out, "image.npy")), { file: "image.npy" });
    expect(layout).toEqual({ dtype: "c64", shape: report.image.shape });
    expect(layout.shape).toEqual([450, 576 - 450 + 1]);
    expect(layout.shape).toEqual([report.axes.azimuthSeconds.count, report.axes.slantRangeMeters.count]);
    const [row, column] = [report.targets[0].expected.row, report.targets[0].expected.column].map(Math.round);
    const power = (r: number, c: number): number =>
      Math.hypot(data[2 * (r * layout.shape[1] + c)], data[2 * (r * layout.shape[1] + c) + 1]);
    expect(power(row, column)).toBeGreaterThan(10 * power((row + 225) % 450, column));
    // Columns are spaced so that pixels are square.
    const { azimuthMeters, slantRangeMeters } = report.axes;
    const tall = Math.floor((450 * azimuthMeters.step) / slantRangeMeters.step);
    expect(pngSize(await readFile(join(out, "quicklook.png")))).toEqual([127, tall]);
    expect(report.parameters).toMatchObject({
      azimuthLength: { value: 450, source: "option" },
      azimuthWindow: { value: "hamming", source: "option" },
      rangeWindow: { value: "hamming", source: "option" },
      src: { value: "off", source: "option" },
    });
    expect(report.stages.map(({ name }) => name)).toEqual(["range", "doppler", "image"]);
    for (const { milliseconds, text } of report.stages) {
      expect(milliseconds).toBeGreaterThanOrEqual(0);
      expect(text).toMatch(/^\(/);
    }
    expect(report.timings.map(({ name }) => name)).toEqual(["load", "read", "centroid", "focus", "measure", "quicklook", "write"]);
    expect(report).toMatchObject({ inputs: [scene], device: { id: "cpu" }, raw: { type: "c64", shape: [320, 576] } });
    expect((await parseReport(JSON.stringify(report), "report.json")).targets).toHaveLength(1);
  });

  it("depends only on its seed", async () => {
    const make = async (seed: number) =>
      Buffer.from((await simulatedScene("small", smallPreset(true), { seed, type: "ci16" })).raw.data.buffer);
    const [a, b, c] = [await make(7), await make(7), await make(8)];
    expect(b.equals(a)).toBe(true);
    expect(c.equals(a)).toBe(false);
  });

  it("has its Doppler centroid measured if it states none", async () => {
    const folder = await temporaryFolder();
    const full = await simulatedScene("small", smallPreset(true));
    const { dopplerCentroidHz, ...radar } = full.radar;
    await writeSceneFolder(join(folder, "stated"), full);
    await writeSceneFolder(join(folder, "silent"), { ...full, radar });
    const centroid = async (name: string, ...more: string[]) => {
      const { report } = (await json("focus", join(folder, name), "--out", join(folder, "out"), ...more)).images[0];
      expect(report.radar.dopplerCentroidHz).toBe(report.parameters.dopplerCentroidHz.value);
      return report;
    };
    expect((await centroid("stated")).parameters.dopplerCentroidHz).toMatchObject({ value: 120, source: "scene" });
    expect((await centroid("stated", "--doppler-centroid", "-40")).parameters.dopplerCentroidHz).toEqual({ value: -40, source: "option" });
    const auto = await centroid("stated", "--doppler-centroid", "auto");
    expect(auto.parameters.dopplerCentroidHz.source).toMatch(/^data/);
    expect(auto.parameters.dopplerCentroidHz.why).toMatch(/\w/);
    expect(Math.abs(auto.parameters.dopplerCentroidHz.value - 120)).toBeLessThan(160 / 8);
    expect(auto.dopplerEstimate).toBeDefined();
    // Modulo the PRF; whole PRFs only if the data can tell.
    const silent = (await centroid("silent")).parameters.dopplerCentroidHz;
    expect(["data", "fraction"]).toContain(silent.source);
    const apart = (silent.value - 120) / 160;
    expect(Math.abs(apart - Math.round(apart))).toBeLessThan(1 / 8);
    if (silent.source === "fraction") expect(silent.why).toMatch(/0 assumed/);
  });

  it("several inputs get a folder each, named after their own folders, whatever the scenes are called", async () => {
    const folder = await temporaryFolder();
    const scene = await simulatedScene("../small: one", smallPreset(false));
    const inputs = ["first/a", "second/a"].map((name) => join(folder, name));
    for (const input of inputs) await writeSceneFolder(input, scene);
    const out = join(folder, "out");
    const { images } = await json("focus", ...inputs, "--out", out);
    expect(images.map((image: { folder: string }) => image.folder)).toEqual([join(out, "a"), join(out, "a-2")]);
    expect((await readdir(out)).sort()).toEqual(["a", "a-2"]);
    expect((await readdir(join(out, "a-2"))).sort()).toEqual([...imageFiles]);
  });

  it("replaces an older result and leaves other files alone", async () => {
    const folder = await temporaryFolder();
    const [scene, out] = [join(folder, "scene"), join(folder, "out")];
    await writeSceneFolder(scene, await simulatedScene("small", smallPreset(false)));
    await mkdir(out);
    await writeFile(join(out, "report.json"), "old");
    await writeFile(join(out, "notes.txt"), "mine");
    const { code, stdout } = await dechirp(["focus", scene, "--out", out]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/small: c64 320 × 576 → image 415 × 127 on cpu\n/);
    expect(stdout).toMatch(/\n {2}centre +\S+ \/ \S+ /);
    expect((await readdir(out)).sort()).toEqual(["image.npy", "notes.txt", "quicklook.png", "report.json"]);
    expect(await readFile(join(out, "notes.txt"), "utf8")).toBe("mine");
    const text = await dechirp(["quality", out]);
    expect(text.stdout).toMatch(/phase error \[°\]\n {2}centre /);
  });
});

describe("the demo", () => {
  it("writes an image with five reflectors in their places", async () => {
    const folder = await temporaryFolder();
    const { images } = await json("demo", "--out", join(folder, "out"));
    const report: Report = images[0].report;
    expect((await readdir(join(folder, "out"))).sort()).toEqual([...imageFiles]);
    expect(report.timings.map(({ name }) => name)).toEqual(["simulate", "centroid", "focus", "measure", "quicklook", "write"]);
    expect(report.targets).toHaveLength(5);
    for (const { measured } of report.targets) {
      // The clutter is 25 dB below a reflector of amplitude 1. Its effect on the slope of the peak moves the peak by some hundredths of
      // a cell.
      expect(Math.abs(measured!.azimuth.errorPixels)).toBeLessThan(0.2);
      expect(Math.abs(measured!.range.errorPixels)).toBeLessThan(0.2);
      expect(measured!.snrDb).toBeGreaterThan(20);
    }
  });
});
