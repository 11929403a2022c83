/** The task Real time in a page: its numbers equal those of `@dechirp/realtime` in Node. */
import { analyseTaskSet, exampleSet, type TaskSet } from "@dechirp/realtime";
import { analyseTasks, type SimulationSettings, simulateTasks, withRho } from "@dechirp/realtime/reports";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { presets } from "../src/realtime/presets.ts";
import { activate, useBrowser, visit } from "./pages.ts";

useBrowser();

/** Texts of all figures of a name. */
const figures = (page: Page, name: string): Promise<string[]> => page.locator(`[data-figure="${name}"]`).allTextContents();
/** The address of the page, which follows the settings after a moment. */
const hashOf = (page: Page): Promise<string> => page.evaluate(() => location.hash);
const us = (value: number): string => value.toFixed(value >= 1000 ? 0 : 1);
const figured = (page: Page): Promise<void> => page.locator("[data-figure=verdict]").waitFor();
const settings: SimulationSettings = { seed: 1, jobs: 8, policy: "fifo", release: "consecutive", execution: "random" };

describe("the task Real time", () => {
  it("shows the bounds and the simulation of the package, on hosts of every kind", async () => {
    const set = withRho(exampleSet(24), 1.3);
    const { report } = await simulateTasks(set, { ...settings, execution: "worst" });
    const analysis = analyseTaskSet(set);
    for (const host of ["isolated", "plain", "strict"] as const)
      await visit(
        "#/realtime?tasks=24&rho=1.3&execution=worst",
        async (page) => {
          await figured(page);
          expect(await figures(page, "wait-bound")).toEqual([us(report.tasks[0].waitBound)]);
          expect(await figures(page, "bound")).toEqual([us(analysis.tasks[0].bound)]);
          expect(await figures(page, "lemma2")).toEqual([us(analysis.tasks[0].response)]);
          expect(await figures(page, "longest-response")).toEqual([us(report.tasks[0].maxResponse)]);
          expect(await figures(page, "jobs")).toEqual([String(24 * 8)]);
          await page.locator("#rho-title ~ .figures img").nth(2).waitFor();
          expect(await page.locator("figure.drawn img").count()).toBe(5);
        },
        { host },
      );
  });

  it("sweeps over ρ, and a button sets the best", async () => {
    const set = presets.radar.set();
    const { recommended } = await analyseTasks(withRho(set, 1.1), { sweep: true });
    await visit("#/realtime?set=radar&release=sporadic&seed=5", async (page) => {
      await figured(page);
      const best = page.locator("[data-figure=best-response]");
      await expect.poll(() => best.textContent()).toContain(recommended[0].rho.toFixed(4));
      await activate(best);
      const after = analyseTaskSet(withRho(set, recommended[0].rho));
      await expect.poll(() => figures(page, "bound")).toEqual(after.tasks.map(({ bound }) => us(bound)));
      await expect.poll(() => hashOf(page)).toContain(`rho=${recommended[0].rho}`);
    });
  });

  it("reports what a broken policy breaks", async () => {
    const set = withRho(presets.crowded.set(), 1.1);
    const { report } = await simulateTasks(set, { ...settings, policy: "lifo", jobs: 20, seed: 3 });
    expect(report.faults.order).toBeGreaterThan(0);
    await visit("#/realtime?set=crowded&policy=lifo&jobs=20&seed=3", async (page) => {
      await figured(page);
      for (const [kind, times] of Object.entries(report.faults))
        expect(await page.locator(`[data-figure="fault-${kind}"] td`).first().textContent()).toBe(String(times));
      expect(await page.locator("[data-figure=commands]").textContent()).toContain("--policy lifo");
    });
  });

  it("reads a task set of one's own, says in one sentence what is wrong with it, and keeps it in the address", async () => {
    const own: TaskSet = { units: 3, rho: 1.2, tasks: [{ id: "mine", wcet: { 1: 100, 2: 58 }, deadline: 400, count: 2 }] };
    const { tasks } = analyseTaskSet(own);
    const address = await visit("#/realtime?set=single", async (page) => {
      await figured(page);
      await page.getByRole("combobox", { name: "Task set" }).selectOption("own");
      const text = page.locator("textarea");
      const told = page.locator("[data-figure=json-check]");
      await text.fill('{ "units": 3, "tasks": [{ "id": "mine", "wctt": { "1": 100 } }] }');
      await expect.poll(() => told.textContent()).toBe("tasks.json: tasks[0].wctt: did you mean wcet? There is no such field.");
      await text.fill('{ "units": 3, "tasks": [{ "id": "mine", "wcet": { "2": 100 } }] }');
      await expect.poll(() => told.textContent()).toMatch(/tasks\[0\]\.wcet/);
      await text.fill('{ "units": 3,');
      await expect.poll(() => told.textContent()).toMatch(/^tasks\.json must be JSON/);
      await text.fill(JSON.stringify(own));
      await expect.poll(() => figures(page, "bound")).toEqual([us(tasks[0].bound)]);
      await expect.poll(() => hashOf(page)).toContain("mine");
      return hashOf(page);
    });
    await visit(address, async (page) => {
      await figured(page);
      expect(await figures(page, "bound")).toEqual([us(tasks[0].bound)]);
      expect(await figures(page, "met")).toEqual(["met"]);
      const [download] = await Promise.all([page.waitForEvent("download"), activate(page.getByText("Save trace"))]);
      expect(download.suggestedFilename()).toBe("own-trace.csv");
    });
  });

  it("says how far long work is, and cancels it", () => {
    const many = JSON.stringify({ units: 64, tasks: [{ id: "a", wcet: { 1: 5, 2: 3 }, count: 5000 }] });
    return visit(`#/realtime?set=own&jobs=200&json=${encodeURIComponent(many)}`, async (page) => {
      await activate(page.getByRole("button", { name: "Cancel" }).first());
      await expect.poll(() => page.locator("main").textContent()).toMatch(/(Simulation|Analysis) cancelled\./);
      // Another setting starts it again.
      await page.getByRole("combobox", { name: "Task set" }).selectOption("single");
      await figured(page);
      expect((await figures(page, "bound")).length).toBe(2);
    });
  });
});
