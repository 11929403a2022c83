/** The task Focus over many runs: what a run has used is free after it. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { figure, finished, note, patience } from "./focus-tools.ts";
import { useBrowser, visit } from "./pages.ts";

useBrowser();

/** Bytes in memory of the processes that run pages with their workers. Memory that JavaScript no longer uses is given back first. */
async function usedBytes(page: Page): Promise<number> {
  const own = await page.context().newCDPSession(page);
  await own.send("HeapProfiler.collectGarbage");
  await own.detach();
  const session = await page.context().browser()!.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  let sum = 0;
  for (const { type, id } of processInfo) {
    if (type !== "renderer") continue;
    const status = await readFile(`/proc/${id}/status`, "utf8");
    sum += 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  }
  return sum;
}

it.runIf(process.platform === "linux")("has flat memory over 20 runs of the task Focus", () =>
  visit("#/focus", async (page) => {
    await finished(page);
    /** Makes the demo with another window, and so another image. */
    const run = async (i: number): Promise<void> => {
      const window = `kaiser:${2 + i / 64}`;
      const field = page.getByLabel("Set: Azimuth window");
      await field.fill(window);
      await field.blur();
      await page.locator("[data-figure=azimuthWindow]", { hasText: window }).waitFor({ timeout: patience });
      await page.locator(".focus .picture[aria-busy=false]").waitFor({ timeout: patience });
      expect(await figure(page, "entropy")).toMatch(/nat$/);
    };
    for (let i = 1; i <= 5; i++) await run(i);
    const before = await usedBytes(page);
    for (let i = 6; i <= 25; i++) await run(i);
    const growth = (await usedBytes(page)) - before;
    note(`memory: ${(before / 2 ** 20).toFixed(0)} MiB before 20 runs, ${(growth / 2 ** 20).toFixed(1)} MiB more after them`);
    // The image alone has 5 MiB, and the arrays of a run more than 20 MiB: 20 runs that kept either would need 100 MiB more.
    expect(growth).toBeLessThan(50 * 2 ** 20);
  }),
);
