/** The task Focus on WebGPU: its numbers equal those of WebAssembly in Node, and a lost device is opened again by a button. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { backprojectRecording, planBackprojectedImage } from "@dechirp/processor";
import { linearTrack, simulatePhaseHistory } from "@dechirp/sar";
import { expect, it } from "vitest";
import { spotlight } from "../src/focus/scenes.ts";
import { figure, finished, numberOf, patience } from "./focus-tools.ts";
import { activate, beforeWorkers, useBrowser, visit } from "./pages.ts";

useBrowser();

/** Runs in workers: keeps their devices, so that a test can lose them. */
const keepsDevices = `{
  const asked = GPUAdapter.prototype.requestDevice;
  GPUAdapter.prototype.requestDevice = async function (...options) {
    const device = await asked.apply(this, options);
    globalThis.lose = () => device.destroy();
    return device;
  };
}`;

it("backprojects on WebGPU, and opens a lost device again", () =>
  visit("#/realtime", async (page) => {
    await beforeWorkers(page, keepsDevices);
    await page.evaluate(() => {
      location.hash = "#/focus?source=spotlight&device=gpu";
    });
    await finished(page);
    const { track, frequency, targets, noise, area, seed } = spotlight;
    const { samples, ...history } = simulatePhaseHistory({ positions: linearTrack(track), frequency, targets, noise, seed });
    const { count } = frequency;
    const recording = {
      ...{ ...history, name: "spotlight", shape: [track.pulses, count] as const, area },
      pulses: (from: number, some: number) => samples.subarray(2 * from * count, 2 * (from + some) * count),
    };
    using device = await open(cpu());
    const { report } = await backprojectRecording(await planBackprojectedImage(recording), device);
    expect(await numberOf(page, "entropy")).toBeCloseTo(report.entropy, 3);
    expect(await figure(page, "peak")).toBe(`x ${report.peak.xMeters.toFixed(2)} m, y ${report.peak.yMeters.toFixed(2)} m`);
    expect(await figure(page, "device")).toMatch(/^WebGPU/);

    for (const worker of page.workers()) await worker.evaluate(() => (globalThis as { lose?: () => void }).lose?.());
    const button = page.getByRole("button", { name: "Open the device again" });
    await button.waitFor({ timeout: patience });
    await activate(button);
    await button.waitFor({ state: "detached", timeout: patience });
    await page.locator(".focus .picture[aria-busy=false]").waitFor({ timeout: patience });
    expect(await numberOf(page, "entropy")).toBeCloseTo(report.entropy, 3);
  }));
