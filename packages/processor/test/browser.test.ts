/** The processor in a page of headless Chromium, on the CPU's workers and on WebGPU. Image and report must match those of Node. */
import { mkdtemp, open as openFile, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { npyHeader } from "@dechirp/io";
import * as v from "valibot";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle, isolation, launchBrowser, newPage, serve } from "../../fft-gpu/scripts/browser.mjs";
import { focusRecording, reportSchema, simulateRecording } from "../src/index.ts";
import type { PageImage, PageQuicklook } from "./page.ts";
import { smallPreset } from "./presets.ts";

const start = async () => {
  const script = await bundle(fileURLToPath(new URL("./page.ts", import.meta.url)));
  const html = '<!doctype html><link rel="icon" href="data:,"><input type="file"><script type="module" src="/page.js"></script>';
  const server = await serve((path) =>
    path === "/page.js"
      ? { type: "text/javascript", content: script, headers: isolation }
      : { type: "text/html", content: html, headers: isolation },
  );
  const browser = await launchBrowser({ collects: true });
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
  const page = await newPage(browser);
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

const mebibyte = 2 ** 20;

/** The largest resident memory that any process of the browser's pages has had, in bytes. Undefined where the system does not tell. */
async function peakOfPages(browser: Awaited<ReturnType<typeof launchBrowser>>): Promise<number | undefined> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const peaks = processInfo
    .filter(({ type }) => type === "renderer")
    .map(async ({ id }) => Number(/^VmHWM:\s*(\d+) kB/m.exec(await readFile(`/proc/${id}/status`, "utf8").catch(() => ""))?.[1]) * 1024);
  const found = (await Promise.all(peaks)).filter(Number.isFinite);
  return found.length > 0 ? Math.max(...found) : undefined;
}

it("a page focuses a file of 300 MB to a quicklook in bounded memory", async (context) => {
  const { server, browser } = await started;
  const folder = await mkdtemp(join(tmpdir(), "dechirp-page-"));
  try {
    const [lines, samples] = [18_432, 8192];
    const path = join(folder, "raw.npy");
    const file = await openFile(path, "w");
    await file.write(npyHeader({ dtype: "ci8", shape: [lines, samples] }));
    const { uniform } = createRandom(5);
    const noise = Int8Array.from({ length: 2 ** 22 + 4099 }, () => 40 * uniform() - 20);
    for (let left = 2 * lines * samples; left > 0; left -= noise.length) await file.write(noise, 0, Math.min(left, noise.length));
    await file.close();

    const page = await newPage(browser);
    const uncaught: string[] = [];
    page.on("pageerror", (error) => uncaught.push(error.stack ?? String(error)));
    await page.goto(`http://127.0.0.1:${server.port}/`);
    await page.setInputFiles("input", path);
    const memoryBytes = 256 * mebibyte;
    const { report, quicklook, peakBytes } = (await page.evaluate(`focusFile(${memoryBytes})`)) as PageQuicklook;
    expect(uncaught).toEqual([]);
    expect(report.blocks?.count).toBeGreaterThan(3);
    expect(report.image.shape).toEqual([lines + 873, 6845]);
    // Speckle has the entropy of an exponential distribution, ln n − (1 − γ), less where rows are exposed in part.
    expect(Math.abs((report.entropy ?? 0) - (Math.log((lines + 873) * 6845) - 0.4228))).toBeLessThan(0.1);
    expect(Math.max(quicklook.width, quicklook.height)).toBeLessThanOrEqual(1024);
    expect(quicklook.levels).toBeGreaterThan(20);
    expect(peakBytes).toBeLessThan(memoryBytes);
    const peak = await peakOfPages(browser);
    if (peak === undefined) return context.skip("the system does not tell the memory of a process");
    expect(peak).toBeLessThan(2 * memoryBytes + 256 * mebibyte);
    await page.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
