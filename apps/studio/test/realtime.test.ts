/** The task Real time in a page: its numbers equal those of `@dechirp/realtime` in Node. */
import { exampleWcet } from "@dechirp/realtime";
import { simulateTasks } from "@dechirp/realtime/reports";
import { describe, expect, it } from "vitest";
import { useBrowser, visit } from "./pages.ts";

useBrowser();

describe("the task Real time", () => {
  it("shows the bounds of the package", () =>
    visit("#/realtime?tasks=24&rho=1.3&execution=worst", async (page) => {
      const set = { units: 19, rho: 1.3, tasks: [{ id: "fft-2^24", wcet: exampleWcet, count: 24 }] };
      const { report } = await simulateTasks(set, { seed: 1, jobs: 8, policy: "fifo", release: "consecutive", execution: "worst" });
      const shown = await page.locator("[data-figure=bound]").first().textContent();
      expect(shown).toBe(report.tasks[0]!.waitBound.toFixed(0));
      expect(Number(shown)).toBeGreaterThan(0);
      await page.locator("figure.drawn img").waitFor();
    }));
});
