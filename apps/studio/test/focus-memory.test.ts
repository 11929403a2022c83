/** The task Focus over many runs: what a run has used is free after it. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { figure, finished, note, patience } from "./focus-tools.ts";
import { useBrowser, visit, workerNamed } from "./pages.ts";

useBrowser({ collects: true });

/** The workers of the page that make and keep images. Those that share their work hold no arrays of their own. */
const workers = ["focus auto", "image"];

/** Bytes that the page's scripts hold, and bytes in memory of the processes that run pages with their workers. */
async function usedBytes(page: Page): Promise<{ readonly held: number; readonly resident: number }> {
  // Workers would collect their garbage when they like.
  for (const name of workers) await (await workerNamed(page, name)).evaluate(() => (globalThis as unknown as { gc(): void }).gc());
  const own = await page.context().newCDPSession(page);
  await own.send("HeapProfiler.collectGarbage");
  const heap = (await own.send("Runtime.getHeapUsage")) as { usedSize: number; backingStorageSize?: number };
  await own.detach();
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  let resident = 0;
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    const status = await readFile(`/proc/${id}/status`, "utf8");
    resident += 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  }
  return { held: heap.usedSize + (heap.backingStorageSize ?? 0), resident };
}

it.runIf(process.platform === "linux")("has flat memory over 20 runs of the task Focus", () =>
  visit("#/focus?source=spotlight", async (page) => {
    await finished(page);
    /** Makes the image with another window, and so another image. */
    const run = async (i: number): Promise<void> => {
      const window = `kaiser:${2 + i / 64}`;
      const field = page.getByLabel("Set: Window over frequencies");
      await field.fill(window);
      await field.blur();
      await page.locator("[data-figure=window]", { hasText: window }).waitFor({ timeout: patience });
      await page.locator(".focus .picture[aria-busy=false]").waitFor({ timeout: patience });
      expect(await figure(page, "entropy")).toMatch(/nat$/);
    };
    for (let i = 1; i <= 5; i++) await run(i);
    const before = await usedBytes(page);
    for (let i = 6; i <= 25; i++) await run(i);
    const after = await usedBytes(page);
    const [held, resident] = [after.held - before.held, after.resident - before.resident];
    note(`20 runs: ${(held / 2 ** 20).toFixed(1)} MiB more held by the page, ${(resident / 2 ** 20).toFixed(1)} MiB more in its processes`);
    // An image has 0.74 MiB, of which 20 would be 15.
    expect(held).toBeLessThan(4 * 2 ** 20);
    // A run takes 49 MiB of arrays on the device.
    expect(resident).toBeLessThan(98 * 2 ** 20);
  }),
);
