/** The task Focus in all surroundings: cold load, cancelling, large files, plain and strict hosts. */
import { mkdtemp, open as openFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { npyHeader } from "@dechirp/io";
import { scenePresets } from "@dechirp/sar";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { figure, finished, note, numberOf, patience } from "./focus-tools.ts";
import { activate, settled, tilesLoaded, useBrowser, visit } from "./pages.ts";

useBrowser();

/** Resolves when a pixel of an image is on the screen. */
const firstPicture = (page: Page): Promise<unknown> =>
  page.waitForFunction(
    () => [...document.querySelectorAll<HTMLCanvasElement>(".focus .map canvas")].some(({ width }) => width > 0),
    undefined,
    {
      timeout: patience,
      polling: 50,
    },
  );

describe("the task Focus", () => {
  it("shows its first picture soon after a cold load, with less than 400 kB of scripts", async () => {
    await visit(
      "",
      async (page) => {
        const scripts: Promise<number>[] = [];
        page.on("response", (response) => {
          if (new URL(response.url()).pathname.endsWith(".js"))
            scripts.push(
              response.body().then(
                (body) => gzipSync(body).length,
                () => 0,
              ),
            );
        });
        await page.reload();
        const began = performance.now();
        await firstPicture(page);
        const milliseconds = performance.now() - began;
        const bytes = (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
        note(`first picture ${milliseconds.toFixed(0)} ms after loading, scripts ${(bytes / 1000).toFixed(0)} kB gzip`);
        expect(bytes).toBeGreaterThan(100_000);
        expect(bytes).toBeLessThan(400_000);
        await finished(page);
      },
      { serviceWorkers: "block" },
    );
  });

  it.each(["plain", "strict"] as const)("works on a host that is %s", (host) =>
    visit(
      "#/focus",
      async (page) => {
        await finished(page);
        expect(await numberOf(page, "centre range irw")).toBeCloseTo(1.303, 2);
        if (host === "plain") await page.getByText("one core").first().waitFor();
      },
      { host, serviceWorkers: "block" },
    ),
  );

  it("stops when it is cancelled, lets the page answer meanwhile, and starts again", () =>
    visit("#/focus?source=large", async (page) => {
      const cancel = page.getByRole("button", { name: "Cancel" });
      await cancel.waitFor();
      const longest = await page.evaluate(async () => {
        let [most, before] = [0, performance.now()];
        for (const end = before + 1500; before < end; ) {
          await new Promise((resolve) => setTimeout(resolve, 5));
          const now = performance.now();
          most = Math.max(most, now - before);
          before = now;
        }
        return most;
      });
      note(`longest pause of the page while computing: ${longest.toFixed(0)} ms`);
      await activate(cancel);
      await page.getByText("Cancelled.").waitFor();
      expect(await page.locator(".focus .picture").getAttribute("aria-busy")).toBe("false");
      await activate(page.getByRole("button", { name: "Focus", exact: true }));
      await cancel.waitFor();
      await page.getByRole("combobox", { name: "Recording", exact: true }).selectOption("points");
      await page.locator("[data-figure=recording]", { hasText: "points" }).waitFor({ timeout: patience });
      await finished(page);
    }));

  it("keeps no listeners and no parts of the page of images that were replaced", () =>
    visit("#/focus?device=cpu", async (page) => {
      const client = await page.context().newCDPSession(page);
      await client.send("Performance.enable");
      const count = async () => {
        for (let times = 0; times < 3; times++) await client.send("HeapProfiler.collectGarbage");
        const { metrics } = await client.send("Performance.getMetrics");
        const of = (name: string): number => metrics.find((metric) => metric.name === name)!.value;
        return { listeners: of("JSEventListeners"), nodes: of("Nodes") };
      };
      const focus = async (velocity: number): Promise<void> => {
        await page.evaluate((hash) => location.assign(hash), `#/focus?device=cpu&velocity=${velocity}`);
        await page.locator("[data-figure=velocity]", { hasText: `${velocity} m/s` }).waitFor({ timeout: patience });
        await finished(page);
        await tilesLoaded(page);
        await settled(page);
      };
      for (let run = 0; run < 3; run++) await focus(100 + run);
      const before = await count();
      const runs = 5;
      for (let run = 0; run < runs; run++) await focus(110 + run);
      const after = await count();
      note(`${runs} runs: ${before.listeners} to ${after.listeners} listeners, ${before.nodes} to ${after.nodes} nodes`);
      expect(after.listeners - before.listeners).toBeLessThan(runs);
      expect(after.nodes - before.nodes).toBeLessThan(5 * runs);
    }));

  it("focuses a file of 300 MB in blocks", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dechirp-large-"));
    try {
      const [lines, samples] = [18_500, 2048];
      const { background: _, targets: _t, ...preset } = scenePresets.default;
      const file = await openFile(join(folder, "raw.npy"), "w");
      const header = npyHeader({ dtype: "c64", shape: [lines, samples] });
      await file.write(header, 0, header.length, 0);
      // One bright sample: its response is what is seen. The rest of the file is a hole.
      const spike = Float32Array.of(1000, 0);
      await file.write(new Uint8Array(spike.buffer), 0, 8, header.length + 8 * (9000 * samples + 1000));
      await file.truncate(header.length + 8 * lines * samples);
      await file.close();
      const description = {
        format: "dechirp-scene",
        version: 1,
        name: "large file",
        raw: "raw.npy",
        radar: preset.radar,
        processedBandwidthHz: 110,
      };
      await writeFile(join(folder, "scene.json"), JSON.stringify(description));
      await visit("#/focus?memory=128", async (page) => {
        await page.getByLabel("Folder of a recording").setInputFiles(folder);
        await page.locator("[data-figure=recording]", { hasText: "large file" }).waitFor({ timeout: patience });
        await page.locator(".focus [role=status]", { hasText: /block [2-9] of/ }).waitFor({ timeout: patience });
        await finished(page);
        expect(await figure(page, "image")).toMatch(/^18\d\d\d × /);
        expect(await figure(page, "memory")).toMatch(/^\d+ of \d+ lines$/);
        expect(await numberOf(page, "entropy")).toBeGreaterThan(0);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
