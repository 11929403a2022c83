/** The processor in a page of headless Chromium, on the CPU's workers and on WebGPU. Image and report must match those of Node. */
import { fileURLToPath } from "node:url";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle, isolation, launchBrowser, serve } from "../../fft-gpu/scripts/browser.mjs";
import { focusRecording, reportSchema, simulateRecording } from "../src/index.ts";
import type { PageImage } from "./page.ts";
import { smallPreset } from "./presets.ts";

const start = async () => {
  const script = await bundle(fileURLToPath(new URL("./page.ts", import.meta.url)));
  const html = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/page.js"></script>';
  const server = await serve((path) =>
    path === "/page.js"
      ? { type: "text/javascript", content: script, headers: isolation }
      : { type: "text/html", content: html, headers: isolation },
  );
  const browser = await launchBrowser();
  return { server, browser };
};

/** Every test waits for this, so that tests fail instead of being skipped if the browser does not start. */
let started: ReturnType<typeof start>;

beforeAll(async () => {
  started = start();
  await started.catch(() => {});
}, 120_000);

afterAll(async () => {
  const { server, browser } = await started;
  await browser.close();
  await server.close();
});

it.each(["cpu", "gpu"])("a page focuses a recording on the %s as Node does", async (backend) => {
  const { server, browser } = await started;
  const page = await browser.newPage();
  const uncaught: string[] = [];
  page.on("pageerror", (error) => uncaught.push(error.stack ?? String(error)));
  await page.goto(`http://127.0.0.1:${server.port}/`);
  const found = (await page.evaluate(`focusHere("${backend}")`)) as PageImage;
  expect(uncaught).toEqual([]);
  expect(v.is(reportSchema, found.report)).toBe(true);
  expect(found.report.device.id).toBe(backend);
  expect(found.progress).toEqual(expect.arrayContaining(["range", "doppler", "image", "measuring"]));

  using device = await open(cpu());
  const recording = await simulateRecording("small", smallPreset(true), { type: "ci16" }, device);
  using expected = await focusRecording(recording, {}, device);
  const { parameters, axes, targets } = expected.report;
  expect(found.report).toMatchObject({ parameters, axes });
  const bytes = Uint8Array.from(Buffer.from(found.image, "base64"));
  const image = new Float32Array(bytes.buffer);
  expect(image.length).toBe(expected.image.length);
  let [error, power] = [0, 0];
  for (const [i, value] of expected.image.entries()) {
    error += (image[i] - value) ** 2;
    power += value ** 2;
  }
  // Float32 arithmetic of six transforms of up to 2048; on WebGPU, WGSL allows errors of 2^-11 in the sines of hooks.
  const bound = backend === "cpu" ? 2 ** -24 * Math.sqrt(Math.log2(2048)) * 6 : 2 ** -11;
  expect(Math.sqrt(error / power)).toBeLessThan(bound);
  expect(found.report.targets[0].measured?.peakMagnitude).toBeCloseTo(targets[0].measured?.peakMagnitude as number, 1);
  await page.close();
});
