/** schedule run as a user calls it: tiny transforms on every executor, files. Numbers are compared with their definitions. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ScheduleRunReport } from "../src/schedule/report.ts";
import { few, lines, scheduleRun as schedule, tiny } from "./schedule-tasks.ts";

async function reportOf(set: unknown, ...more: string[]): Promise<ScheduleRunReport> {
  const { code, stdout, stderr } = await schedule(set, ...few, ...more, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

const sum = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0);
/** Sums of a few numbers have a few rounding errors: of 16 digits, 13 count. */
const near = (value: number) => expect.closeTo(value, 13 - Math.ceil(Math.log10(1 + Math.abs(value))));

/** Checks that hold for every report. */
function expectSound(report: ScheduleRunReport, copies: number): void {
  expect(report).toMatchObject({
    format: "dechirp-schedule",
    version: 1,
    kind: "run",
    ownershipViolations: 0,
    wrong: { lock: [], bestEffort: [] },
    faults: {},
    examples: [],
    clock: { name: "performance.now" },
  });
  expect(report.ownershipChecks).toBeGreaterThan(0);
  expect(report.tasks.reduce((all, { count }) => all + count, 0)).toBe(copies);
  expect(report.notes.join()).toContain("no guarantee");
  for (const task of report.tasks) {
    const { profile, wcet, observed, bestEffort, bound, response, partition, deadline } = task;
    // L[k] is the longest time with the margin, or more if units that were not measured may be slower.
    for (const { k, max, wcet: longest } of profile) {
      expect(longest).toBeGreaterThanOrEqual(max * report.margin);
      expect(wcet[k]).toBe(longest);
    }
    expect(bound).toBe(partition === null ? response : Math.min(response, partition));
    expect(task.slack).toBe(deadline === null ? null : deadline - bound);
    expect(task.schedulable).toBe(deadline === null || bound <= deadline);
    for (const { jobs, mean, p50, p99, max } of [observed, bestEffort]) {
      expect(jobs).toBe(task.count * report.settings.jobs);
      expect(p50).toBeLessThanOrEqual(p99);
      expect(p99).toBeLessThanOrEqual(max);
      expect(mean).toBeLessThanOrEqual(max);
      expect(mean).toBeGreaterThan(0);
    }
    // Measured separately: such numbers do not agree by chance.
    expect(bestEffort.mean).not.toBe(observed.mean);
    expect(observed.exceedances > 0).toBe(observed.max > bound);
    expect(observed.maxWait).toBeLessThanOrEqual(observed.max);
  }
  for (const { byResponse, byWall } of Object.values(report.throughput)) {
    expect(byResponse).toBeGreaterThan(0);
    expect(byWall).toBeGreaterThan(0);
  }
}

describe("on a pool", () => {
  it("S, both lemmas and the partition bound follow from the observed times", async () => {
    const report = await reportOf(tiny, "--workers", "2");
    expectSound(report, 5);
    expect(report).toMatchObject({ executor: "pool", units: 2, rho: 1.3, margin: 1.2, settings: { jobs: 6, runs: 8 } });
    expect(report.device).toMatchObject({ id: "cpu", units: 2 });
    const ratios = [1.3, 1.3, 1000];
    const areas = report.tasks.map(({ sizes, wcet }) => Math.max(...sizes.map((k) => k * wcet[k])));
    for (const [i, task] of report.tasks.entries()) {
      const { wcet, sizes, profile } = task;
      expect(profile.map(({ k, runs }) => [k, runs])).toEqual([
        [1, 8],
        [2, 8],
      ]);
      expect(sizes).toEqual(i === 1 ? [1] : [1, 2].filter((k) => k * wcet[k] <= ratios[i] * wcet[1]));
      const others = sum(report.tasks.map(({ count }, j) => (j === i ? count - 1 : count) * areas[j])) / 2;
      expect(task.wait).toEqual(near(others));
      expect(task.response).toEqual(near(others + Math.max(...sizes.map((k) => wcet[k]))));
      // Five tasks have two units: none is always idle.
      expect([task.partition, task.binding]).toEqual([null, "lemma2"]);
    }
    expect(report.tasks.map(({ deadline }) => deadline)).toEqual([1e9, 1e-3, null]);
    expect(report.schedulable).toBe(false);
    expect(report.notes.join()).not.toContain("65536");
  });

  it("a task's own ρ precedes the set's, and times are those of its own work", async () => {
    const work = [
      { samples: 128 },
      { samples: 128, line: 16 },
      { samples: 128, line: 32 },
      { samples: 256 },
      { samples: 512 },
      { samples: 1024 },
    ];
    const tasks = work.map((task, i) => ({ id: `${i}`, rho: 1e6, ...task }));
    const report = await reportOf({ rho: 1, tasks }, "--workers", "2");
    for (const { sizes } of report.tasks) expect(sizes).toEqual([1, 2]);
    expect(new Set(report.tasks.map(({ profile }) => JSON.stringify(profile))).size).toBe(work.length);
  });

  it("a single task has all units, and the partition bound", async () => {
    const { tasks } = await reportOf({ tasks: [{ id: "alone", samples: 256 }] }, "--workers", "2", "--rho", "1000000");
    expect(tasks[0].sizes).toEqual([1, 2]);
    expect(tasks[0]).toMatchObject({ wait: 0, partition: tasks[0].wcet[2] });
    expect(tasks[0].response).toBe(Math.max(tasks[0].wcet[1], tasks[0].wcet[2]));
    expect(tasks[0].binding).toBe(tasks[0].wcet[2] < tasks[0].wcet[1] ? "partition" : "lemma2");
  });

  it("reports unused fields of the file, defaults, and that --rho takes precedence", async () => {
    const set = { units: 19, tasks: [{ id: "fft", wcet: { 1: 9101, 4: 2501 }, rho: 5 }] };
    const report = await reportOf(set, "--workers", "2", "--rho", "1", "--margin", "1.5");
    expect(report).toMatchObject({ rho: 1, margin: 1.5, units: 2, tasks: [{ samples: 65_536 }] });
    const [task] = report.tasks;
    expect(task.sizes).toEqual(2 * task.wcet[2] <= task.wcet[1] ? [1, 2] : [1]);
    const notes = report.notes.join("\n");
    expect(notes).toContain("units and wcet of the task set are ignored");
    expect(notes).toMatch(/^tasks without samples get 65536: fft$/m);
  });

  it("accepts many tasks on one unit", async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): number => warnings.push(warning);
    process.on("warning", listen);
    onTestFinished(() => void process.off("warning", listen));
    expectSound(await reportOf({ tasks: [{ id: "a", samples: 64, count: 40 }] }, "--workers", "1"), 40);
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });
});

describe("one dispatch at a time", () => {
  it("a job waits for one job of every other task", async () => {
    const report = await reportOf(tiny, "--executor", "chunks", "--workers", "2");
    expectSound(report, 5);
    expect(report).toMatchObject({ executor: "chunks", units: 1 });
    expect(report.notes.join("\n")).toContain("sizes of tasks are ignored");
    const all = sum(report.tasks.map(({ count, wcet }) => count * wcet[1]));
    for (const task of report.tasks) {
      expect(task).toMatchObject({ sizes: [1], partition: null, binding: "chunks", response: near(all), wait: near(all - task.wcet[1]) });
      expect(Object.keys(task.wcet)).toEqual(["1"]);
    }
  });
});

describe("slots of a dispatch", () => {
  it("have one time for all, and tasks have their shares", async () => {
    const report = await reportOf(lines, "--executor", "slots", "--slots", "6");
    expectSound(report, 4);
    expect(report).toMatchObject({ executor: "slots", units: 6 });
    for (const task of report.tasks) {
      // Four tasks fit into one dispatch: a job waits for the one in progress.
      expect(task).toMatchObject({
        wcet: report.tasks[0].wcet,
        wait: near(task.wcet[1]),
        response: near(2 * task.wcet[1]),
        binding: "slots",
      });
      expect(task.profile.map(({ k, runs }) => [k, runs])).toEqual([[1, 4 * 8]]);
    }
    expect(report.tasks.map(({ sizes }) => sizes)).toEqual([
      [1, 2],
      [1, 2, 3, 4, 5, 6],
    ]);
    expect(report.notes.join()).toContain("by reference");
  });
});

describe("on a GPU", () => {
  it("chunks and slots give right outputs", async () => {
    for (const [executor, more] of [
      ["chunks", []],
      ["slots", ["--executor", "slots", "--slots", "4"]],
    ] as const) {
      const report = await reportOf(lines, "--device", "gpu", ...more);
      expectSound(report, 4);
      expect(report).toMatchObject({ executor, device: { id: "gpu" }, units: executor === "slots" ? 4 : 1 });
    }
    const long = { tasks: [{ id: "long", samples: 2 ** 18, line: 2 ** 17, count: 2 }] };
    const { code, stderr } = await schedule(long, "--device", "gpu", "--executor", "slots");
    expect([code, stderr]).toEqual([4, expect.stringMatching(/^dechirp: task long\/1 can not run in slots: [^\n]+\n$/)]);
  });
});

describe("files", () => {
  it.each([
    ["pool", tiny, ["gantt.svg", "report.json", "report.md", "responses.svg", "trace.csv", "wcet.svg"]],
    ["chunks", tiny, ["gantt.svg", "report.json", "report.md", "responses.svg", "trace.csv"]],
    ["slots", lines, ["gantt.svg", "report.json", "report.md", "responses.svg", "trace.csv"]],
  ] as const)("of %s match the report", async (executor, set, files) => {
    const { code, out, stdout, file } = await schedule(set, "--executor", executor, "--workers", "2", ...few, "--out", "OUT");
    expect(code).toBe(0);
    expect((await readdir(out)).sort()).toEqual(files);
    for (const name of files) expect(stdout).toContain(name);
    const report: ScheduleRunReport = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expectSound(
      report,
      report.tasks.reduce((all, { count }) => all + count, 0),
    );
    expect(report.input).toBe(file);

    const [header, ...rows] = (await readFile(join(out, "trace.csv"), "utf8")).trimEnd().split("\n");
    expect(header).toBe("task,job,requested,granted,finished,units");
    const jobs = rows.map((row) => {
      const [, quoted, plain, rest] = /^(?:"([^"]*)"|([^,"]*)),(.*)$/.exec(row) ?? [];
      const [job, requested, granted, finished, units] = rest.split(",");
      return { task: quoted ?? plain, job, requested: +requested, granted: +granted, finished: +finished, units: units.split(" ").length };
    });
    expect(Math.min(...jobs.map(({ requested }) => requested))).toBe(0);
    for (const { id, count, observed, sizes } of report.tasks) {
      const own = jobs.filter(({ task }) => task === id || task.startsWith(`${id}/`));
      expect(own).toHaveLength(6 * count);
      expect(new Set(own.map(({ task }) => task)).size).toBe(count);
      for (const { units } of own) expect(sizes).toContain(units);
      // Each time is written to a nanosecond.
      const longest = (of: (job: (typeof own)[number]) => number): number => Math.max(...own.map(of));
      expect(Math.abs(longest(({ requested, finished }) => finished - requested) - observed.max)).toBeLessThan(2e-3);
      expect(Math.abs(longest(({ requested, granted }) => granted - requested) - observed.maxWait)).toBeLessThan(2e-3);
    }

    const markdown = await readFile(join(out, "report.md"), "utf8");
    for (const name of files.filter((one) => one.endsWith(".svg"))) {
      expect(markdown).toContain(`](${name})`);
      const svg = await readFile(join(out, name), "utf8");
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
    // Every mention of a guarantee says that there is none.
    for (const text of [stdout, markdown]) expect(text.match(/guarantee/g)?.length).toBe(text.match(/no guarantee/g)?.length);
    expect(stdout).toMatch(/\n {2}jobs over a bound: \d+ of \d+\n/);
    expect(stdout).toContain("outputs: all agree with float64");
  });

  it("show names with control characters in printable form", async () => {
    const id = "a\u001b[31m|<b>\n*\u202e";
    const { code, out, stdout } = await schedule({ tasks: [{ id, samples: 64, count: 2 }] }, ...few, "--out", "OUT");
    expect(code).toBe(0);
    const texts = [stdout];
    for (const name of (await readdir(out)).filter((one) => /\.(svg|md)$/.test(one))) texts.push(await readFile(join(out, name), "utf8"));
    for (const text of texts) expect(text).not.toMatch(/[^\P{Cc}\n]|\u202e/u);
    for (const text of texts.slice(1)) expect(text).not.toContain("<b>");
  });
});
