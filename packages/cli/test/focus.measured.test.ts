/** Focusing measured RADARSAT-1 scenes: sharpness as image entropy, with and without each correction. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Report } from "@dechirp/processor";
import { describe, expect, it } from "vitest";
import { imageFiles } from "../src/output.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const data = join(process.env["DECHIRP_DATA"] ?? join(checkout, "..", "shared", "data"), "radarsat1");
const [ships, terminals] = ["scene5-english-bay-ships", "scene1-coal-ferry-terminals"].map((name) => join(data, name));

async function focus(input: string, ...more: string[]): Promise<Report> {
  const out = join(await temporaryFolder(), "out");
  const { code, stdout, stderr } = await dechirp(["focus", input, "--out", out, "--json", ...more]);
  const { warnings: found, notes } = JSON.parse(stdout).images[0].report as Report;
  // What little memory costs is said before it begins, and noted.
  const warnings = [...notes.filter((note) => note.startsWith("blocks within ")), ...found];
  expect({ code, stderr }).toEqual({ code: 0, stderr: warnings.map((warning) => `warning: ${warning}\n`).join("") });
  expect((await readdir(out)).sort()).toEqual([...imageFiles]);
  return JSON.parse(stdout).images[0].report;
}

describe.skipIf(!existsSync(ships) || !existsSync(terminals))("RADARSAT-1", () => {
  it("ships: every correction sharpens", async () => {
    // The length of the reference's transform; the reference keeps all rows.
    const at = ["--doppler-centroid", "-6900", "--azimuth-length", "2048"];
    const report = await focus(ships, ...at);
    expect(report.image.shape).toEqual([2048, 700]);
    expect(Math.abs(report.entropy - 10.6472)).toBeLessThan(0.001);
    expect(report.exposure.foldedRows).toBeGreaterThan(300);
    expect(report.parameters.dopplerCentroidHz).toEqual({ value: -6900, source: "option" });
    expect(report.parameters.velocityMetersPerSecond).toMatchObject({ value: 7062, source: "preset" });
    expect(report.parameters.lineGain.source).toBe("scene");
    expect(report.entropy).toBeLessThanOrEqual(10.65);
    expect((await focus(ships, ...at, "--src", "off")).entropy).toBeGreaterThanOrEqual(report.entropy + 0.01);
    expect((await focus(ships, ...at, "--rcmc", "nearest")).entropy).toBeGreaterThanOrEqual(10.85);
    expect((await focus(ships, ...at, "--rcmc", "off")).entropy).toBeGreaterThanOrEqual(11.7);
  });

  it("ships: with default options the image has all rows that the lines expose, and nothing folds", async () => {
    const report = await focus(ships, "--doppler-centroid", "-6900");
    // 1536 lines and an aperture of 907, at mid swath.
    expect(report.image.shape).toEqual([2445, 700]);
    expect(report.warnings).toEqual([]);
    expect(report.exposure).toMatchObject({ fullyExposedRows: [909, 627], foldedRows: 0 });
    expect(Math.abs(report.entropy - 10.665)).toBeLessThan(0.002);
    expect((await focus(ships, "--doppler-centroid", "-6900", "--rows", "full")).image.shape).toEqual([627, 700]);
  });

  it("ships: with default options the centroid is found", async () => {
    const report = await focus(ships);
    expect(report.parameters.dopplerCentroidHz.source).toMatch(/^data/);
    expect(Math.abs(report.parameters.dopplerCentroidHz.value + 6900)).toBeLessThan(200);
    expect((await focus(ships, "--azimuth-length", "2048")).entropy).toBeLessThanOrEqual(10.66);
  });

  it("terminals: the measured centroid makes a sharper image than the sensor's own", async () => {
    const report = await focus(terminals);
    expect(Math.abs(report.parameters.dopplerCentroidHz.value + 6900)).toBeLessThan(300);
    expect(report.entropy).toBeLessThan((await focus(terminals, "--doppler-centroid", "-6900")).entropy);
  });

  it.each([ships, terminals])("%s: is as sharp in blocks of about 512 rows", async (scene) => {
    const whole = await focus(scene, "--device", "cpu");
    const { code, stdout } = await dechirp(["focus", scene, "--dry-run", "--json", "--device", "cpu", "--memory", "38MB"]);
    expect(code).toBe(0);
    expect(Math.abs(JSON.parse(stdout).plans[0].step - 512)).toBeLessThan(100);
    const blocks = await focus(scene, "--device", "cpu", "--memory", "38MB");
    expect(blocks.blocks?.count).toBeGreaterThan(3);
    expect(Math.abs(blocks.entropy - whole.entropy)).toBeLessThan(0.001);
  });

  it.each([ships, terminals])("%s: is as sharp on a GPU", async (scene) => {
    const at = ["--doppler-centroid", "-6900"];
    const [onCpu, onGpu] = [await focus(scene, ...at, "--device", "cpu"), await focus(scene, ...at, "--device", "gpu")];
    expect(onGpu.device.id).toBe("gpu");
    expect(Math.abs(onGpu.entropy - onCpu.entropy)).toBeLessThan(0.01);
  });
});
