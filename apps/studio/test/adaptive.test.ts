/** The task Adaptive processing in a page: its numbers equal those of the packages in Node. */

import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { arrayBytes, npyHeader } from "@dechirp/io";
import { planStap, processStap, type StapReport } from "@dechirp/processor";
import { cubeOrders, reorderCube } from "@dechirp/stap";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { knownOf } from "../src/adaptive/known.ts";
import { aboveNext, methodMap } from "../src/adaptive/methods.ts";
import { fileSettings, recordingOf, sceneOf, wardSettings } from "../src/adaptive/scenario.ts";
import { settings, type Values } from "../src/adaptive/settings.ts";
import { readSettings } from "../src/settings.ts";
import { pixelsOf, relativeDifference, runProgram, savedFile } from "./focus-tools.ts";
import { activate, loseDevice, useBrowser, visit, workerNamed } from "./pages.ts";

useBrowser();

const valuesOf = (query: string): Values => readSettings(settings, new URLSearchParams(query)).values;
const small = "elements=6&pulses=12&ranges=128&cnr=30";

async function inNode(query: string): Promise<StapReport> {
  const values = valuesOf(query);
  const device = await open(cpu());
  try {
    return (await processStap(await planStap(recordingOf(sceneOf(values)), wardSettings(values)), device)).report;
  } finally {
    device[Symbol.dispose]();
  }
}

const figure = async (page: Page, name: string): Promise<string> =>
  (await page.locator(`[data-figure=${name}]`).first().textContent()) ?? "";
const rows = (page: Page, name: string): Promise<string[][]> =>
  page.locator(`[data-figure=${name}]`).evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent ?? "")));
const judged = (page: Page): Promise<void> => page.locator("[data-figure=measure]").first().waitFor();

/** Numbers are shown with one decimal; float32 arithmetic may turn the last one. */
const isClose = (shown: string, value: number): void => expect(Math.abs(Number.parseFloat(shown) - value)).toBeLessThan(0.1);

describe("the task Adaptive processing", () => {
  it("shows what the packages find, on the processor and under a strict policy", () =>
    visit(
      `#/adaptive?${small}`,
      async (page) => {
        await judged(page);
        const report = await inNode(small);
        expect(report.detections.count).toBeGreaterThan(0);
        expect(await figure(page, "detections")).toBe(String(report.detections.count));
        isClose(await figure(page, "amf"), report.target.amfDb);
        isClose(await figure(page, "above-on"), report.target.aboveNextDb!);
        const shown = await rows(page, "detection");
        const [first] = report.detections.listed;
        expect(shown[0].slice(0, 3)).toEqual([String(first!.range), first!.dopplerHz!.toFixed(1), "0"]);
        isClose(shown[0][4], first!.thresholdDb);
        const parameters = await rows(page, "parameter");
        expect(parameters.find(([name]) => name === "Ranges of a training block")).toEqual([
          "Ranges of a training block",
          String(report.parameters.blockRanges!.value),
          "stated by the recording",
        ]);
        const measures = await rows(page, "measure");
        isClose(measures.find(([name]) => name === "Expected loss from training")![1], report.condition.expectedLossDb!);
        const values = valuesOf(small);
        const { methods } = await knownOf(
          { scenario: sceneOf(values).scenario, angleDegrees: 0, dopplerHz: 60, temporalTaps: 3, window: new Array(12).fill(1) },
          () => undefined,
        );
        await page.locator("[data-figure=method]").first().waitFor();
        const losses = await rows(page, "method");
        expect(losses.map(([name]) => name)).toEqual(methods.map(({ name }) => name));
        for (const [i, { lossDb }] of methods.entries()) isClose(losses[i][1], lossDb);
        await expect.poll(() => page.locator(".adaptive-figures img").count()).toBe(7);
      },
      { host: "strict" },
    ));

  it("computes the same on WebGPU", () => {
    // Weak interference, which float32 solves.
    const query = `${small}&cnr=5&jammers=0`.replace("cnr=30&", "");
    return visit(`#/adaptive?${query}&device=gpu`, async (page) => {
      await judged(page);
      const report = await inNode(query);
      expect(await figure(page, "device")).not.toContain("processor");
      expect(await figure(page, "detections")).toBe(String(report.detections.count));
      isClose(await figure(page, "amf"), report.target.amfDb);
      const solved = (await rows(page, "measure")).find(([name]) => name === "Covariances solved in");
      expect(solved?.[1]).toBe("float32");
    });
  });

  it("says that the device is lost, and opens it again by a button", () =>
    visit(`#/adaptive?${small}&jammers=0&device=gpu`, async (page) => {
      await judged(page);
      const amf = await figure(page, "amf");
      // The next run loses its device.
      await loseDevice(await workerNamed(page, "adaptive"));
      await page.getByLabel("Range bin", { exact: true }).fill("50");
      await page.keyboard.press("Tab");
      const alert = page.locator("[role=alert][data-code=device-lost]");
      await activate(alert.getByRole("button", { name: "Open the device again" }));
      await expect.poll(() => alert.count()).toBe(0);
      await activate(page.getByRole("button", { name: "Strongest detection" }));
      await expect.poll(() => figure(page, "amf")).toBe(amf);
    }));

  it("examines the cell that is clicked or typed, and keeps it in the address", () =>
    visit(`#/adaptive?${small}`, async (page) => {
      await judged(page);
      const map = page.locator(".adaptive-figures img.picked");
      await map.evaluate((image: HTMLImageElement) => image.decode());
      const { width, height } = (await map.boundingBox())!;
      // Somewhere in the upper left of the cells.
      await map.click({ position: { x: 0.25 * width, y: 0.25 * height } });
      await expect.poll(() => page.url()).toContain("cell=");
      const [, range, doppler] = /cell=(\d+)_(-?[\d.]+)/.exec(page.url())!;
      expect(Number(range)).toBeGreaterThan(64);
      expect(Number(doppler)).toBeLessThan(0);
      const report = await inNode(`${small}&cell=${range}_${doppler}`);
      expect(report.target).toMatchObject({ range: Number(range), dopplerHz: Number(doppler) });
      await expect.poll(() => page.getByLabel("Range bin", { exact: true }).inputValue()).toBe(range);
      await expect.poll(() => figure(page, "amf")).toBe(`${report.target.amfDb.toFixed(1)} dB`);
      await page.getByLabel("Range bin", { exact: true }).fill("64");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.url()).toContain("cell=64_");
      await activate(page.getByRole("button", { name: "Strongest detection" }));
      await expect.poll(() => page.url()).not.toContain("cell=");
    }));

  it("keeps what is typed while the page draws", () =>
    visit(`#/adaptive?${small}`, async (page) => {
      await judged(page);
      const field = page.getByLabel("Range bin", { exact: true });
      await field.fill("50");
      await page.evaluate(() => location.assign(`${location.hash}&adaptive=no`));
      await page.getByRole("switch", { checked: false }).waitFor();
      expect(await field.inputValue()).toBe("50");
      await page.keyboard.press("Tab");
      await expect.poll(() => page.url()).toContain("cell=50_");
    }));

  it("switches adaptive processing off, and shows other methods", () =>
    visit(`#/adaptive?${small}`, async (page) => {
      const plan = await planStap(recordingOf(sceneOf(valuesOf(small))), wardSettings(valuesOf(small)));
      const { target: cell } = await inNode(small);
      const map = page.locator(".adaptive-figures img").first();
      await expect.poll(() => map.getAttribute("alt")).toContain("adaptive matched filter");
      await page.getByRole("switch").press("Space");
      await expect.poll(() => map.getAttribute("alt")).toContain("non-adaptive beamformer");
      await expect.poll(() => page.url()).toContain("adaptive=no");
      await page.getByRole("switch").press("Space");
      for (const [method, title] of [
        ["jdl", "joint-domain"],
        ["adpca", "adaptive displaced"],
        ["dpca", "no training"],
      ] as const) {
        await page.getByLabel("Method", { exact: false }).and(page.locator("select")).selectOption(method);
        await expect.poll(() => map.getAttribute("alt")).toContain(title);
        const expected = aboveNext(methodMap(method, plan, cell), 128, cell);
        isClose(await figure(page, "above-on"), expected!);
      }
    }));

  it("processes a file, and says in one sentence what is wrong with another", async () => {
    const { cube } = recordingOf(sceneOf(valuesOf(small)));
    const turned = reorderCube(cube, ["range", "pulse", "channel"]);
    const shape = [cube.ranges, cube.pulses, cube.channels];
    const bytes = Buffer.concat(
      [npyHeader({ dtype: "c64", shape }), arrayBytes(Float32Array.from(turned.data))].map((part) => Buffer.from(part)),
    );
    await visit("#/adaptive?axes=rpc&block=32&prf=300&directions=look", async (page) => {
      const input = page.locator("input[type=file]");
      await input.setInputFiles({ name: "cube.npy", mimeType: "application/octet-stream", buffer: bytes });
      await page.getByText("cube.npy").first().waitFor();
      await judged(page);
      const values = valuesOf("axes=rpc&block=32&prf=300&directions=look");
      const traits = { pulses: 12, hasDirections: false, hasSpacing: false };
      const data = Float32Array.from(reorderCube(turned, cubeOrders.paper).data);
      const device = await open(cpu());
      const plan = await planStap({ name: "cube.npy", cube: { ...cube, data } }, fileSettings(values, traits));
      const { report } = await processStap(plan, device);
      device[Symbol.dispose]();
      await expect.poll(() => figure(page, "detections")).toBe(String(report.detections.count));
      isClose(await figure(page, "amf"), report.target.amfDb);
      expect(await page.locator("[data-figure=method]").count()).toBe(0);
      const output = await savedFile(page, "Output (.npy)");
      expect(output.name).toBe("cube-adaptive.npy");
      const ran = await runProgram(await figure(page, "program"), { "cube.npy": new Uint8Array(bytes) });
      expect(relativeDifference(ran.image, await pixelsOf(output.bytes))).toBeLessThan(1e-5);
      await input.setInputFiles({ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no cube") });
      const problem = await page.locator("[role=alert]").textContent();
      expect(problem).toMatch(/^notes\.txt: [^.]*$/);
    });
  });

  it("trains with automatic blocks at all numbers of elements and ranges", () => {
    for (const query of ["elements=15", "elements=24", "ranges=64", "elements=24&ranges=64&taps=9", "elements=24&ranges=128"]) {
      const values = valuesOf(query);
      expect(Math.ceil(values.ranges / sceneOf(values).blockRanges), query).toBeGreaterThanOrEqual(3);
    }
    return visit("#/adaptive?elements=15&pulses=8&jammers=0", async (page) => {
      await judged(page);
      expect(await page.locator("[role=alert]").count()).toBe(0);
    });
  });

  it("says that results are those of the settings before, and waits for no report, if settings fail", () =>
    visit(`#/adaptive?${small}`, async (page) => {
      await judged(page);
      await page.evaluate((hash) => {
        location.hash = hash;
      }, `#/adaptive?${small}&guard=4096`);
      await page.locator("[role=alert]").waitFor();
      expect(await page.locator(".adaptive-results").textContent()).toContain("The results below belong to the settings before.");
      await expect.poll(() => page.locator("main [aria-busy=true]").count()).toBe(0);
    }));

  it("says what is wrong with a scenario, and cancels a long run", () =>
    visit("#/adaptive?elements=24&pulses=64", async (page) => {
      expect(await page.locator("[role=alert]").textContent()).toMatch(/Pulses must be at most 32 with 24 elements/);
      await page.evaluate(() => {
        location.hash = "#/adaptive?elements=16&pulses=24&ranges=1500&training=sliding&directions=scan&jammers=0";
      });
      await activate(page.getByRole("button", { name: "Cancel" }));
      await expect.poll(() => page.locator("[role=alert]").allTextContents()).toEqual([expect.stringContaining("Cancelled")]);
    }));
});
