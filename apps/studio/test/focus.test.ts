/** The task Focus in a page: the numbers of its image equal those of the packages in Node, and the program that it shows makes its image. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type FocusSettings, focusInBlocks, planFocus, type Report, simulateRecording } from "@dechirp/processor";
import { scenePresets } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { figure, finished, numberOf, pixelsOf, relativeDifference, runProgram, saved } from "./focus-tools.ts";
import { useBrowser, visit } from "./pages.ts";

useBrowser();

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

/** The report of the built-in demo in Node. */
async function reportOf(settings: FocusSettings, seed?: number): Promise<Report> {
  const { background: _, ...preset } = scenePresets.default;
  const recording = await simulateRecording("points", preset, seed === undefined ? {} : { seed }, device);
  const plan = await planFocus(recording, settings, device, { memoryBytes: 2 ** 29 });
  return (await focusInBlocks(recording, device, undefined, plan)).report;
}

describe("the task Focus", () => {
  it("opens with the built-in demo, whose numbers are those of the packages", () =>
    visit("", async (page) => {
      await finished(page);
      const report = await reportOf({});
      expect(await figure(page, "image")).toBe(`${report.image.shape.join(" × ")} pixels`);
      // Simulation and focusing are the same code with the same arithmetic: what differs at all differs in float32's last bits.
      expect(await numberOf(page, "entropy")).toBeCloseTo(report.entropy, 3);
      expect((await numberOf(page, "contrast")) / report.contrast).toBeCloseTo(1, 4);
      for (const { name, measured } of report.targets) {
        expect(await numberOf(page, `${name} azimuth irw`)).toBeCloseTo(measured!.azimuth.irwMeters, 2);
        expect(await numberOf(page, `${name} range irw`)).toBeCloseTo(measured!.range.irwMeters, 2);
      }
      expect(await figure(page, "centroid")).toBe("120.00 Hz");
      expect(await page.locator("tr:has([data-figure=centroid]) .why").textContent()).toContain("states it");
    }));

  it("focuses with the settings of the address, and its program makes the same image in Node", () =>
    visit("#/focus?seed=7&centroid=auto&azimuthWindow=taylor%3A4%2C-35&rcmc=sinc16&lines=700&memory=64", async (page) => {
      await finished(page);
      const report = await reportOf(
        { dopplerCentroidHz: "auto", azimuthWindow: { kind: "taylor", nbar: 4, sidelobeDb: -35 }, rcmc: "sinc16" },
        7,
      );
      expect(report.parameters.dopplerCentroidHz.source).not.toBe("option");
      expect(await figure(page, "centroid")).toBe(`${report.parameters.dopplerCentroidHz.value.toFixed(2)} Hz`);
      expect(await figure(page, "azimuthWindow")).toContain("taylor");
      expect(await figure(page, "memory")).toMatch(/^[2-9] of \d+ lines$/);
      expect(await numberOf(page, "centre azimuth irw")).toBeCloseTo(report.targets[0]!.measured!.azimuth.irwMeters, 2);
      const program = await figure(page, "program");
      expect(program.split("\n").length).toBeLessThan(20);
      const image = await pixelsOf(await saved(page, "Save .npy"));
      const ran = await runProgram(program);
      // The engines of browser and Node may round sines differently; the arithmetic of the image is the same WebAssembly.
      expect(relativeDifference(ran.image, image)).toBeLessThan(1e-6);
      expect(Number(ran.printed.trim().split(/\s+/).at(-2))).toBeCloseTo(await numberOf(page, "entropy"), 3);
    }));

  it("changes the address when a parameter is set, and refuses what is none", () =>
    visit("#/focus", async (page) => {
      await finished(page);
      const before = await numberOf(page, "centre azimuth irw");
      const window = page.getByLabel("Set: Azimuth window");
      await window.fill("rect");
      await window.blur();
      await page.waitForURL(/azimuthWindow=rect/);
      await page.waitForFunction(
        (irw) => Number.parseFloat(document.querySelector('[data-figure="centre azimuth irw"]')?.textContent ?? "") < irw - 0.1,
        before,
      );
      await window.fill("nonsense");
      await window.blur();
      expect(await page.locator(".invalid").textContent()).toContain("Azimuth window must be a window");
      expect(page.url()).toContain("azimuthWindow=rect");
    }));
});
