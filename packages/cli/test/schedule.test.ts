/** schedule as a user calls it: numbers, files, statuses. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { runToEnd } from "@dechirp/core/internal";
import type { LinePlot } from "@dechirp/pictures";
import type { TaskSet } from "@dechirp/realtime";
import { describe, expect, it } from "vitest";
import { run } from "../src/index.ts";
import type { ScheduleAnalysisReport, ScheduleSimulationReport } from "../src/schedule/report.ts";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";

/** The published example: 2^24 points on 19 units; S = {1, 4} of the times given here. */
const example = { units: 19, rho: 1.1, tasks: [{ id: "fft", wcet: { "1": 9101, "4": 2501 }, deadline: 15000, count: 10 }] };

const mixed = {
  units: 8,
  tasks: [
    { id: "range", wcet: { "1": 900, "2": 460, "3": 320, "4": 250 }, period: 4000, count: 4 },
    { id: "azimuth", wcet: { "1": 400, "2": 205, "3": 190 }, period: 3000, deadline: 700, count: 2, rho: 1.5 },
    { id: "track, slow", wcet: { "1": 90 }, period: 2500, sizes: [1] },
  ],
};

/** Runs `schedule COMMAND tasks.json …` on `set`. */
async function schedule(command: string, set: unknown, ...more: string[]): Promise<Outcome & { folder: string; file: string }> {
  const folder = await temporaryFolder();
  const file = join(folder, "tasks.json");
  await writeFile(file, JSON.stringify(set));
  return { ...(await dechirp(["schedule", command, file, ...more.map((arg) => arg.replace(/^OUT$/, join(folder, "out")))])), folder, file };
}

async function report<R>(command: string, set: unknown, ...more: string[]): Promise<R> {
  const { code, stdout, stderr } = await schedule(command, set, ...more, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

const analysis = (set: unknown, ...more: string[]): Promise<ScheduleAnalysisReport> => report("analyse", set, ...more);
const simulation = (set: unknown, ...more: string[]): Promise<ScheduleSimulationReport> => report("simulate", set, ...more);

describe("analyse", () => {
  it("prints the published example's numbers", async () => {
    const done = await analysis(example);
    expect(done).toMatchObject({ format: "dechirp-schedule", version: 1, kind: "analysis", units: 19, rho: 1.1, schedulable: true });
    // Lemma 1: nine other tasks of 4 · 2501 unit microseconds, on 19 units.
    const wait = (9 * 4 * 2501) / 19;
    expect(done.tasks).toHaveLength(1);
    expect(done.tasks[0]).toEqual({
      id: "fft",
      count: 10,
      sizes: [1, 4],
      longest: 9101,
      area: 10004,
      wait: expect.closeTo(wait, 9),
      response: expect.closeTo(9101 + wait, 9),
      partition: null,
      bound: expect.closeTo(9101 + wait, 9),
      binding: "lemma2",
      deadline: 15000,
      slack: expect.closeTo(15000 - 9101 - wait, 9),
      schedulable: true,
    });
    const { stdout } = await schedule("analyse", example);
    expect(stdout).toMatch(/: 10 tasks on 19 units, ρ 1\.1: schedulable: /);
    expect(stdout).toMatch(
      /\n {2}fft +10 {2}1, 4 +9101\.00 +10004\.00 +4738\.74 +13839\.74 +- +13839\.74 {2}Lemma 2 +15000\.00 +1160\.26 {2}yes\n/,
    );
    expect(stdout).toContain("no guarantee");
  });

  it("finds the partition bound, and which bound is smaller", async () => {
    const { tasks } = await analysis({ ...example, tasks: [{ ...example.tasks[0], count: 4 }] });
    // 19 − 3·4 = 7 units are always idle for each task.
    expect(tasks[0]).toMatchObject({ partition: 2501, bound: 2501, binding: "partition", slack: 12499 });
    expect(tasks[0].response).toBeCloseTo(9101 + (3 * 10004) / 19, 9);
  });

  it("--rho replaces the ρ of the file and of tasks; listed sizes are kept", async () => {
    const given = await analysis(mixed);
    expect(given.rho).toBe(1.1);
    expect(given.tasks.map(({ sizes }) => sizes)).toEqual([[1, 2, 3], [1, 2, 3], [1]]);
    const least = await analysis({ ...mixed, rho: 7 }, "--rho", "1");
    expect(least.rho).toBe(1);
    expect(least.tasks.map(({ sizes }) => sizes)).toEqual([[1], [1], [1]]);
    const named = await analysis({ units: 4, tasks: [{ id: "a", wcet: { 1: 10, 2: 9, 3: 9 }, sizes: [1, 3] }] }, "--rho", "1.5");
    expect(named.tasks[0].sizes).toEqual([1, 3]);
  });

  it("has status 0 whatever it finds, and with --strict status 6 if a deadline may be missed", async () => {
    const late = { ...example, tasks: [{ ...example.tasks[0], deadline: 13839 }] };
    expect((await analysis(late)).schedulable).toBe(false);
    expect((await schedule("analyse", late)).stdout).toContain("not schedulable: the bound is beyond deadline or period for fft\n");
    for (const json of [[], ["--json"]]) {
      const [easy, strict] = [await schedule("analyse", late, ...json), await schedule("analyse", late, "--strict", ...json)];
      expect([easy.code, strict.code, strict.stderr]).toEqual([0, 6, ""]);
      const plain = (one: typeof easy): string => one.stdout.replace(one.file, "").replace(/"timings":\[.*?\]/, "");
      expect(plain(strict).replace(strict.file, "")).toBe(plain(easy).replace(easy.file, ""));
    }
    expect((await schedule("analyse", example, "--strict")).code).toBe(0);
    const { stdout, code } = await schedule("analyse", { units: 2, tasks: [{ id: "a", wcet: { 1: 5 } }] }, "--strict");
    expect([code, stdout]).toEqual([0, expect.stringContaining("no task has a deadline or a period")]);
  });

  it("recommends a ρ for both goals and shows the sweep on request", async () => {
    const plain = await analysis(example);
    expect(plain.sweep).toBeUndefined();
    const done = await analysis(example, "--sweep");
    // From 4 · 2501 / 9101 on, size 4 is permitted; with one unit each, ten tasks do not wait.
    expect(done.sweep?.map(({ rho }) => rho)).toEqual([1, expect.closeTo(10004 / 9101, 12)]);
    expect(done.sweep?.[0]).toMatchObject({ sizes: [[1]], worstResponse: 9101, throughput: expect.closeTo(10 / 19, 12) });
    expect(done.recommended).toEqual([
      { ...done.sweep?.[0], goal: "response", objective: 9101 / 15000 },
      { ...done.sweep?.[1], goal: "throughput", objective: done.sweep?.[1].throughput },
    ]);
    expect(plain.recommended).toEqual(done.recommended);
    const { stdout } = await schedule("analyse", example, "--sweep");
    expect(stdout).toMatch(/\n {2}least bounds +1\.0000 +9101\.00 +60\.7 % +52\.6 % +\{1\}\n/);
    expect(stdout).toMatch(/Every ρ that makes a difference\n.*\n {2}1\.0000 +9101\.00 .*\n {2}1\.0992 +13839\.74 .*\{1, 4\}\n/);
    expect((await schedule("analyse", example)).stdout).not.toContain("Every ρ");
  });

  it("writes a report and plots, and leaves other files alone", async () => {
    const { code, folder, stdout, file } = await schedule("analyse", mixed, "--out", "OUT");
    expect(code).toBe(0);
    const out = join(folder, "out");
    const files = ["bounds-by-rho.svg", "bounds-by-tasks.svg", "report.json", "report.md", "throughput-by-rho.svg"];
    expect((await readdir(out)).sort()).toEqual(files);
    for (const name of files) expect(stdout).toContain(name);
    await writeFile(join(out, "notes.txt"), "mine");
    await writeFile(join(out, "report.md"), "old");
    const again = await dechirp(["schedule", "analyse", file, "--out", out, "--json"]);
    expect((await readdir(out)).sort()).toEqual([...files, "notes.txt"].sort());
    const written: ScheduleAnalysisReport = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    expect(JSON.parse(again.stdout)).toEqual(written);
    expect(written.sweep?.length).toBeGreaterThan(1);
    const markdown = await readFile(join(out, "report.md"), "utf8");
    for (const name of files.filter((one) => one.endsWith(".svg"))) expect(markdown).toContain(`](${name})`);
    expect(markdown).toMatch(/\| track, slow \| 1 \| 1 \| 90\.00 \|/);
    for (const name of files.filter((one) => one.endsWith(".svg"))) {
      const svg = await readFile(join(out, name), "utf8");
      expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
      expect(svg).toMatch(/<path d="M[\d.]+,[\d.]+L/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it.each(["analyse", "simulate"])("%s accepts --device, as run does, without effect", async (command) => {
    const plain = await report<ScheduleAnalysisReport>(command, example);
    for (const device of ["cpu", "gpu"])
      expect((await report<ScheduleAnalysisReport>(command, example, "--device", device)).tasks).toEqual(plain.tasks);
    const { code, stderr } = await schedule(command, example, "--device", "tpu");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^dechirp: [^\n]*--device[^\n]*cpu, gpu[^\n]*\n$/)]);
  });

  it("reads stdin", async () => {
    const written = { stdout: "", stderr: "" };
    const text = JSON.stringify(example);
    const code = await run(["schedule", "analyse", "-", "--json"], {
      stdout: { write: (more) => (written.stdout += more) },
      stderr: { write: (more) => (written.stderr += more) },
      stdin: Readable.from([Buffer.from(text.slice(0, 40)), Buffer.from(text.slice(40))]),
      signal: new AbortController().signal,
      env: {},
    });
    expect({ code, stderr: written.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(written.stdout)).toMatchObject({ input: "stdin", tasks: [{ id: "fft", sizes: [1, 4] }] });
  });
});

describe("bounds by the number of tasks", () => {
  it("covers up to two tasks per unit, in the set's proportion, and includes the set itself", async () => {
    const pictures = await import("@dechirp/experiments/schedules");
    const boundsByTasks = (set: TaskSet): LinePlot => runToEnd(pictures.boundsByTasks(set));
    const [lemma2, bound, deadline] = boundsByTasks(example).lines;
    expect(bound.points.map(([n]) => n)).toEqual(Array.from({ length: 38 }, (_, i) => i + 1));
    // By the lemma itself. With up to four tasks 19 − 3·4 ≥ 4 units are idle; for the fifth task 3 are, of which it uses 1.
    for (const [i, [n, microseconds]] of lemma2.points.entries()) {
      expect(microseconds).toBeCloseTo(9101 + ((n - 1) * 10004) / 19, 8);
      expect(bound.points[i][1]).toBeCloseTo(n <= 4 ? 2501 : n === 5 ? 9101 : microseconds, 8);
    }
    expect(deadline.points.every(([, microseconds]) => microseconds === 15000)).toBe(true);
    const three = boundsByTasks(mixed);
    expect(three.lines.map(({ points }) => points.map(([n]) => n))).toEqual([
      [7, 14],
      [7, 14],
      [7, 14],
    ]);
    const even = { units: 8, tasks: mixed.tasks.slice(0, 2) };
    expect(boundsByTasks(even).lines[0].points.map(([n]) => n)).toEqual([3, 6, 9, 12, 15]);
    const wide = boundsByTasks({ units: 4096, tasks: [{ id: "a", wcet: { 1: 5 }, count: 10_000 }] }).lines[0].points;
    expect(wide.length).toBeLessThanOrEqual(64);
    expect([wide[0][0], wide[wide.length - 1][0]]).toEqual([1, 10_000]);
  });
});

describe("simulate", () => {
  it("stays within the bounds for any seed, releases and times", async () => {
    for (const release of ["consecutive", "sporadic"]) {
      for (const execution of ["worst", "random"]) {
        for (const seed of ["1", "2", "4294967295"]) {
          const args = ["--seed", seed, "--release", release, "--execution", execution, "--jobs", "50"];
          const done = await simulation(mixed, ...args);
          expect(done).toMatchObject({
            kind: "simulation",
            jobs: 350,
            settings: { seed: Number(seed), jobs: 50, policy: "fifo", release, execution },
            faults: {},
            examples: [],
          });
          for (const task of done.tasks) {
            // Sums of a few hundred times have a few hundred rounding errors.
            expect(task.reached).toBeLessThan(1 + 1e-12);
            expect(task.maxWait).toBeLessThanOrEqual(task.waitBound * (1 + 1e-12) + 1e-9);
          }
        }
      }
    }
  });

  it("prints what the trace contains", async () => {
    const args = ["--seed", "3", "--execution", "random", "--out", "OUT"];
    const { code, folder, stdout, file } = await schedule("simulate", mixed, ...args);
    expect(code).toBe(0);
    expect(stdout).toContain("no rule is broken, no bound exceeded");
    const out = join(folder, "out");
    expect((await readdir(out)).sort()).toEqual(["gantt.svg", "report.json", "report.md", "trace.csv"]);
    const done: ScheduleSimulationReport = JSON.parse(await readFile(join(out, "report.json"), "utf8"));
    const [header, ...lines] = (await readFile(join(out, "trace.csv"), "utf8")).trimEnd().split("\n");
    expect(header).toBe("task,job,requested,granted,finished,units");
    const jobs = lines.map((line) => {
      const [, quoted, plain, rest] = /^(?:"([^"]*)"|([^,"]*)),(.*)$/.exec(line) ?? [];
      const [job, requested, granted, finished, units] = rest.split(",");
      return {
        task: quoted ?? plain,
        job: Number(job),
        requested: +requested,
        granted: +granted,
        finished: +finished,
        units: units.split(" "),
      };
    });
    expect(jobs).toHaveLength(700);
    for (const { id, count, maxResponse, meanResponse, maxWait, jobs: number, bound, reached } of done.tasks) {
      const own = jobs.filter(({ task }) => task === id || task.startsWith(`${id}/`));
      expect(own).toHaveLength(100 * count);
      expect(number).toBe(own.length);
      expect(maxResponse).toBe(Math.max(...own.map(({ requested, finished }) => finished - requested)));
      expect(maxWait).toBe(Math.max(...own.map(({ requested, granted }) => granted - requested)));
      const mean = own.reduce((sum, { requested, finished }) => sum + finished - requested, 0) / own.length;
      expect(meanResponse).toBeCloseTo(mean, 6);
      expect(reached).toBeCloseTo(maxResponse / bound, 12);
    }
    const unitTime = jobs.reduce((sum, { granted, finished, units }) => sum + units.length * (finished - granted), 0);
    expect(done.used).toBeCloseTo(unitTime / 8 / Math.max(...jobs.map(({ finished }) => finished)), 9);
    const svg = await readFile(join(out, "gantt.svg"), "utf8");
    expect(svg).toMatch(/^<svg [\s\S]*<\/svg>\n$/);
    expect(svg).toContain("fifo, consecutive, execution random, seed 3");
    expect(await readFile(join(out, "report.md"), "utf8")).toContain("](gantt.svg)");
    expect(JSON.parse((await dechirp(["schedule", "simulate", file, ...args.slice(0, 4), "--json"])).stdout).tasks).toEqual(done.tasks);
  });

  it("gives equal results for equal seeds, and different ones otherwise", async () => {
    const numbers = async (seed: string) => (await simulation(mixed, "--execution", "random", "--seed", seed, "--jobs", "20")).tasks;
    const first = await numbers("5");
    expect(await numbers("5")).toEqual(first);
    expect(await numbers("6")).not.toEqual(first);
  });

  it.each([
    ["lifo", "order"],
    ["two-jobs", "outstanding"],
    ["without-one", "idle"],
  ])("%s is caught", async (policy, rule) => {
    const done = await simulation(mixed, "--policy", policy, "--execution", "random");
    expect(done.faults).toHaveProperty(rule);
    expect(done.examples.some(({ kind }) => kind === rule)).toBe(true);
    expect(done.notes.join()).toContain("the bounds do not hold");
    const { stdout, code } = await schedule("simulate", mixed, "--policy", policy, "--execution", "random");
    expect(code).toBe(0);
    expect(stdout).toMatch(/Broken rules and exceeded bounds\n {2}what +how often {2}the first\n/);
  });

  it.each(["lifo", "two-jobs", "without-one"])("%s exceeds the bounds of some set", async (policy) => {
    // Short jobs and one long job with a jump in size: a job that others overtake, or that waits for two units, waits longer than Lemma
    // 1 says.
    const set = {
      units: 3,
      rho: 3,
      tasks: [
        { id: "long", wcet: { 1: 1000, 2: 700 }, count: 2 },
        { id: "short", wcet: { 1: 40, 2: 25, 3: 20 }, count: 6 },
      ],
    };
    let exceeded = 0;
    for (let seed = 1; seed <= 40 && exceeded === 0; seed++) {
      const { faults } = await simulation(set, "--policy", policy, "--execution", "random", "--seed", String(seed));
      exceeded += (faults.wait ?? 0) + (faults.response ?? 0);
    }
    expect(exceeded).toBeGreaterThan(0);
  });
});
