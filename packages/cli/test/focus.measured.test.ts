/** Focusing of measured RADARSAT-1 scenes: sharpness as image entropy, with and without each correction. */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Report } from "../src/index.ts";
import { imageFiles } from "../src/output.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const data = join(process.env["DECHIRP_DATA"] ?? join(checkout, "..", "shared", "data"), "radarsat1");
const [ships, terminals] = ["scene5-english-bay-ships", "scene1-coal-ferry-terminals"].map((name) => join(data, name));

async function focus(input: string, ...more: string[]): Promise<Report> {
  const out = join(await temporaryFolder(), "out");
  const { code, stdout, stderr } = await dechirp(["focus", input, "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await readdir(out)).sort()).toEqual([...imageFiles]);
  return JSON.parse(stdout).images[0].report;
}

describe.skipIf(!existsSync(ships) || !existsSync(terminals))("RADARSAT-1", () => {
  it("ships: every correction sharpens", async () => {
    const at = ["--doppler-centroid", "-6900"];
    const report = await focus(ships, ...at);
    expect(report.image.shape).toEqual([2048, 700]);
    expect(report.parameters.dopplerCentroidHz).toEqual({ value: -6900, source: "option" });
    expect(report.parameters.velocityMetersPerSecond).toMatchObject({ value: 7062, source: "preset" });
    expect(report.parameters.lineGain.source).toBe("scene");
    expect(report.entropy).toBeLessThanOrEqual(10.65);
    expect((await focus(ships, ...at, "--src", "off")).entropy).toBeGreaterThanOrEqual(report.entropy + 0.01);
    expect((await focus(ships, ...at, "--rcmc", "nearest")).entropy).toBeGreaterThanOrEqual(10.85);
    expect((await focus(ships, ...at, "--rcmc", "off")).entropy).toBeGreaterThanOrEqual(11.7);
  });

  it("ships: without options the centroid is found", async () => {
    const report = await focus(ships);
    expect(report.parameters.dopplerCentroidHz.source).toMatch(/^data/);
    expect(Math.abs(report.parameters.dopplerCentroidHz.value + 6900)).toBeLessThan(200);
    expect(report.entropy).toBeLessThanOrEqual(10.66);
  });

  it("terminals: the centroid found makes a sharper image than the sensor's own", async () => {
    const report = await focus(terminals);
    expect(Math.abs(report.parameters.dopplerCentroidHz.value + 6900)).toBeLessThan(300);
    expect(report.entropy).toBeLessThan((await focus(terminals, "--doppler-centroid", "-6900")).entropy);
  });

  it.each([ships, terminals])("%s: is as sharp on a GPU", { timeout: 300_000 }, async (scene) => {
    const at = ["--doppler-centroid", "-6900"];
    const [onCpu, onGpu] = [await focus(scene, ...at, "--device", "cpu"), await focus(scene, ...at, "--device", "gpu")];
    expect(onGpu.device.id).toBe("gpu");
    expect(Math.abs(onGpu.entropy - onCpu.entropy)).toBeLessThan(0.01);
  });
});
