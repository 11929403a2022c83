/** Exposure on the command line: which rows there are, their resolution, and what folds with a given azimuth length. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { writeSceneFolder } from "@dechirp/io/node";
import type { Report } from "@dechirp/processor";
import type { PointTarget } from "@dechirp/radar";
import { beamOffsetSeconds, rangeSpacingMeters, type ScenePreset, scenePresets } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { dechirp, simulatedScene, temporaryFolder } from "./command.ts";

const { radar } = scenePresets.quality;

/** The quality preset's radar at broadside, with an aperture of about 870 lines. */
function sceneOf(lines: number, targets: readonly PointTarget[]): ScenePreset {
  const samples = 1000;
  return {
    title: "exposure",
    radar,
    lines,
    samples,
    beam: { kind: "doppler-band", bandwidthHz: 180 },
    processedBandwidthHz: 175,
    targets,
    seed: 1,
  };
}

/** A target of whose processed band the first lines see this share. */
function target(share: number, cell: number): PointTarget {
  const slantRangeMeters = radar.nearRangeMeters + cell * rangeSpacingMeters(radar);
  const azimuthSeconds = -0.5 / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, (share - 0.5) * 175);
  return { name: `${share}`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: 1 };
}

async function focus(preset: ScenePreset, ...args: string[]) {
  const folder = await temporaryFolder();
  const [scene, out] = [join(folder, "scene"), join(folder, "out")];
  await writeSceneFolder(scene, await simulatedScene("exposure", preset));
  const text = await dechirp(["focus", scene, "--out", out, ...args]);
  const report: Report | undefined = text.code === 0 ? JSON.parse(await readFile(join(out, "report.json"), "utf8")) : undefined;
  return { ...text, out, report: report as Report };
}

describe("azimuth resolution", () => {
  it("of a short recording follows from its lines, not from the processed band", async () => {
    // 60 lines of an aperture of about 870.
    const { report, stdout } = await focus(sceneOf(60, [target(0.04, 100)]));
    const { azimuthMeters } = report.resolution;
    const range = report.axes.slantRangeMeters.start + (report.axes.slantRangeMeters.count / 2) * report.axes.slantRangeMeters.step;
    // λR/(2·V·T)·0.886 for a recording of T seconds; the window is nearly flat over so small a part of its middle.
    const expected = (0.886 * (299_792_458 / radar.carrierHz) * range) / 2 / (radar.velocityMetersPerSecond * (60 / radar.prfHz));
    expect(azimuthMeters.middle / expected).toBeGreaterThan(0.995);
    expect(azimuthMeters.middle / expected).toBeLessThan(1.005);
    expect(azimuthMeters.best).toBeCloseTo(azimuthMeters.middle, 6);
    expect(azimuthMeters.worst).toBeGreaterThan(20 * azimuthMeters.best);
    expect(report.theory.azimuth.irwMeters / azimuthMeters.middle).toBeCloseTo(1, 2);
    expect(stdout).toContain(`${azimuthMeters.middle.toFixed(2)} m in azimuth in the middle`);
    expect(report.exposure.fullyExposedRows[1]).toBe(0);
    expect(stdout).toContain("none of");
  });

  it("of a long recording follows from the window over the processed band, in fully exposed rows", async () => {
    const { report, stdout } = await focus(sceneOf(1200, [target(0.5, 100), target(0.25, 60)]), "--json");
    const full = (1.0417277972319248 * radar.velocityMetersPerSecond) / 175;
    expect(report.resolution.azimuthMeters.middle).toBeCloseTo(full, 6);
    expect(report.resolution.azimuthMeters.best).toBeCloseTo(full, 6);
    expect(report.theory.azimuth.irwMeters).toBeCloseTo(full, 9);
    expect(report.warnings).toEqual([]);
    const [first, count] = report.exposure.fullyExposedRows;
    expect(count).toBeGreaterThan(300);
    const spans = [...report.exposure.atLeast.map(({ rows }) => rows), [first, count]];
    for (const [i, [from, many]] of spans.entries()) {
      if (i === 0) continue;
      expect(from).toBeGreaterThan(spans[i - 1][0]);
      expect(from + many).toBeLessThan(spans[i - 1][0] + spans[i - 1][1]);
    }
    // Targets that are partly seen are measured relative to the part that is seen.
    expect(report.targets.map(({ name }) => name)).toEqual(["0.5", "0.25"]);
    for (const { name, expected, measured } of report.targets) {
      expect(expected.exposure).toBeCloseTo(Number(name), 6);
      expect(expected.azimuthIrwPixels * report.axes.azimuthMeters.step).toBeGreaterThan(1.6 * full);
      expect(Math.abs((measured?.azimuth.irwRatio as number) - 1), name).toBeLessThan(0.1);
      expect(Math.abs((measured?.range.irwRatio as number) - 1), name).toBeLessThan(0.03);
      expect(Math.abs(measured?.azimuth.errorPixels as number), name).toBeLessThan(0.3);
    }
    const out = JSON.parse(stdout).images[0].folder;
    const quality = await dechirp(["quality", out, "--json"]);
    expect(JSON.parse(quality.stdout).targets).toEqual(report.targets);
  });

  it("a target that was hardly recorded is listed with the reason, not measured", async () => {
    const { report } = await focus(sceneOf(300, [target(0.04, 100), target(-0.1, 60)]));
    expect(report.targets.map(({ name, measured, why }) => [name, measured, why])).toEqual([
      ["0.04", undefined, "the recording holds 4.0 % of its processed Doppler band"],
    ]);
  });
});

describe("--azimuth-length", () => {
  it("that folds causes a warning in the report and on stderr; one that does not fold does not", async () => {
    const preset = sceneOf(700, [target(0.5, 100)]);
    const byDefault = (await focus(preset)).report;
    const rows = byDefault.image.shape[0];
    const { report, stderr, code } = await focus(preset, "--azimuth-length", "800");
    expect(code).toBe(0);
    expect(report.image.shape[0]).toBe(800);
    expect(report.exposure.foldedRows).toBe(rows - 800);
    expect(report.warnings).toHaveLength(1);
    expect(report.warnings[0]).toMatch(new RegExp(`^an azimuth length of 800 folds: ${rows - 800} of the 800 rows`));
    expect(stderr).toBe(`warning: ${report.warnings[0]}\n`);
    const better = Number(/a length of (\d+)/.exec(report.warnings[0])?.[1]);
    expect(better).toBe(byDefault.parameters.azimuthLength.value);
    const unfolded = await focus(preset, "--azimuth-length", `${better}`);
    expect(unfolded).toMatchObject({ stderr: "", report: { warnings: [], image: { shape: [better, byDefault.image.shape[1]] } } });
  });
});

describe("--rows", () => {
  it("full crops the image to fully exposed rows", async () => {
    const preset = sceneOf(1000, [target(1.05, 100), target(0.5, 60)]);
    const all = await focus(preset);
    const { report, out } = await focus(preset, "--rows", "full");
    const [first, count] = all.report.exposure.fullyExposedRows;
    expect(report.image.shape).toEqual([count, all.report.image.shape[1]]);
    expect(report.exposure).toMatchObject({ fullyExposedRows: [0, count], foldedRows: 0 });
    expect(report.parameters.rows).toEqual({ value: "full", source: "option" });
    expect(all.report.parameters.rows).toEqual({ value: "all", source: "default" });
    const { start, step } = all.report.axes.azimuthSeconds;
    expect(report.axes.azimuthSeconds.start).toBeCloseTo(start + first * step, 9);
    const { middle, best, worst } = report.resolution.azimuthMeters;
    expect(best).toBeCloseTo(middle, 6);
    expect(worst).toBeCloseTo(middle, 6);
    expect(report.targets.map(({ name }) => name)).toEqual(["1.05"]);
    expect(Math.abs(report.targets[0].measured?.azimuth.errorPixels as number)).toBeLessThan(0.02);
    expect((await readNpy(await readFile(join(out, "image.npy")), { file: "image.npy" })).layout.shape).toEqual(report.image.shape);
  });

  it("orders the resolutions that it states, also if no row is fully exposed and with a single line", async () => {
    for (const lines of [1, 61, 97]) {
      const { report } = await focus(sceneOf(lines, [target(0, 100)]));
      const { middle, best, worst } = report.resolution.azimuthMeters;
      expect(best).toBeLessThanOrEqual(middle);
      expect(worst).toBeGreaterThanOrEqual(middle);
      expect(Number.isFinite(worst)).toBe(true);
    }
  });

  it("full is named in the error if no row is fully exposed", async () => {
    const { code, stderr } = await focus(sceneOf(60, [target(0.04, 100)]), "--rows", "full");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^dechirp: --rows does not suit .*rows must be all, because no row is exposed over the whole processed band[^\n]*\n$/,
    );
  });
});
