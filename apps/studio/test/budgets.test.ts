/**
 * What a browser fetches, measured at the server as bytes after gzip -9: until the first picture of a first visit, and for each task until nothing
 * in it is busy. The budgets of tasks are the current size and a little more; a change that raises one says what users get for it.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import sirv from "sirv";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { tasks } from "../src/tasks.ts";
import { settled, useBrowser, visit } from "./pages.ts";

useBrowser();

/** A promise. */
const firstPictureBudget = 400_000;
/** Each includes the frame of the page, 28 kB. */
const budgets: Readonly<Record<string, number>> = {
  focus: 400_000,
  backprojection: 300_000,
  adaptive: 440_000,
  // 1.2 kB let two workgroups of long lines share a core: 5000 to 16,384 points are up to 1.6 times as fast on a GPU.
  // 1 kB: 12,289 to 20,480 points in one pass, and small primes and their multiples, are up to 1.5 times as fast.
  // 0.4 kB: short real rows are up to 3 times as fast.
  // 1.2 kB: columns are 1.16 times as fast in the mean of 48 lengths, up to 2.1 times.
  transforms: 417_800,
  // Drawing, by Vega, is most of it.
  realtime: 262_000,
};

/** Serves the site and notes what is fetched. */
async function countingHost() {
  const fetched = new Set<string>();
  const files = sirv(inject("site"), { dev: true });
  const server = createServer((request, response) => {
    const path = new URL(request.url!, "http://host").pathname;
    // The service worker comes when the page is idle, and then keeps everything.
    if (path !== "/service-worker.js") fetched.add(path === "/" ? "/index.html" : path);
    files(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** Bytes of what was fetched so far. */
    bytes: (): number =>
      [...fetched].reduce((sum, path) => sum + gzipSync(readFileSync(join(inject("site"), path)), { level: 9 }).length, 0),
  };
}

describe("bytes that a browser fetches", () => {
  it(`are at most ${firstPictureBudget} until the first picture`, async () => {
    const host = await countingHost();
    const bytes = await visit(
      "",
      async (page) => {
        await page.locator("main :is(canvas, figure img, img.leaflet-tile-loaded, svg.plot)").first().waitFor();
        return host.bytes();
      },
      { address: host.address },
    );
    expect(bytes).toBeLessThanOrEqual(firstPictureBudget);
  });

  it("have a budget for each task", () => expect(Object.keys(budgets).sort()).toEqual(tasks.map(({ id }) => id).sort()));

  it.each(tasks)("of the task $title keep its budget", async ({ id }) => {
    const host = await countingHost();
    await visit(
      `#/${id}`,
      async (page) => {
        await settled(page);
        // On a busy machine the page may rest between two parts. A budget far above the size would not notice growth.
        await expect.poll(() => host.bytes(), { interval: 200 }).toBeGreaterThan(0.7 * budgets[id]!);
        await settled(page);
      },
      { address: host.address },
    );
    expect(host.bytes()).toBeLessThanOrEqual(budgets[id]!);
  });
});
