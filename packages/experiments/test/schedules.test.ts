/** Tests what pages and the command line show of task sets, and the times of runs. */
import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { TaskSet } from "@dechirp/realtime";
import { simulateTasks } from "@dechirp/realtime/reports";
import { describe, expect, it } from "vitest";
import { simulatedResponses } from "../src/schedules.ts";
import { timeRuns } from "../src/timing.ts";

const settings = { seed: 1, jobs: 5, policy: "fifo", release: "consecutive", execution: "random" } as const;

describe("simulatedResponses", () => {
  it("has the mean, the longest response, the deadline and the bound of every task, largest bound first", async () => {
    const set: TaskSet = {
      units: 4,
      tasks: [
        { id: "short", wcet: { 1: 10 }, count: 2 },
        { id: "long", wcet: { 1: 400 }, deadline: 900 },
      ],
    };
    const { report } = await simulateTasks(set, settings);
    const { series, rows } = simulatedResponses(report);
    expect(series.map(({ name }) => name)).toEqual(["mean", "longest", "deadline", "bound"]);
    const [short, long] = report.tasks;
    expect(rows).toEqual([
      { name: "long", values: [long.meanResponse, long.maxResponse, 900, long.bound] },
      { name: "short ×2", values: [short.meanResponse, short.maxResponse, 0, short.bound] },
    ]);
  });

  it("leaves deadlines out if there are none, and says that a broken policy has no bound", async () => {
    const { report } = await simulateTasks({ units: 2, tasks: [{ id: "a", wcet: { 1: 10 }, count: 50 }] }, { ...settings, policy: "lifo" });
    const { series, rows } = simulatedResponses(report);
    expect(series.map(({ name }) => name)).toEqual(["mean", "longest", "bound, which does not hold for this policy"]);
    expect(rows).toHaveLength(1);
  });
});

describe("timeRuns", () => {
  it("returns the mean time of a run by the host's clock, after the runs", async () => {
    using device = await open(cpu({ workers: 1 }));
    const shape = layout("c64", [64, 4096]);
    using plan = await device.plan(fft(shape, { axis: 1 }));
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    from.write(new Float32Array(2 * 64 * 4096).fill(1));
    const start = performance.now();
    const { milliseconds, clock } = await timeRuns(device, plan, { in: from, out: to }, 4);
    const all = performance.now() - start;
    expect(clock).toBe("host");
    expect(milliseconds).toBeGreaterThan(0);
    expect(4 * milliseconds).toBeLessThanOrEqual(all);
    expect(to.view?.()[0]).toBe(4096);
  });
});
