/**
 * Tests the simulator against schedules worked out by hand, against a slow count for every grant, and against the bounds: random sets
 * never exceed them, come close to each, and exceed them if one of the rules is broken.
 */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyseTaskSet,
  type BrokenScheduler,
  brokenSchedulers,
  exampleSet,
  grantSize,
  type JobRecord,
  type SimulateOptions,
  simulateTaskSet,
  summariseTrace,
  type TaskSet,
  taskCopies,
  taskSizes,
  traceFaults,
} from "../src/index.ts";
import { job, randomSet, seeds } from "./sets.ts";

const short = ({ task, requested, granted, finished, units }: JobRecord): string =>
  `${task} ${requested} ${granted} ${finished} ${units.join("+")}`;

/** The options of a seed: consecutive, with pauses, with short jobs, sporadic. */
const styles: readonly SimulateOptions[] = [
  {},
  { think: 1 },
  { leastShare: 0.3 },
  { think: 0.2, leastShare: 0.9 },
  { release: "sporadic", leastShare: 0.8 },
];

function withPeriods(set: TaskSet): TaskSet {
  const tasks = set.tasks.map((task, i) => ({ ...task, period: task.wcet[1] * (0.5 + (i % 3)) }));
  return { ...set, tasks };
}

describe("simulate", () => {
  it("gives the schedules worked out by hand", () => {
    const set: TaskSet = {
      units: 3,
      tasks: [
        { id: "a", wcet: { 1: 10, 2: 6 }, sizes: [1, 2] },
        { id: "b", wcet: { 1: 4 } },
        { id: "c", wcet: { 1: 9, 2: 5, 3: 4 }, sizes: [1, 2, 3] },
      ],
    };
    // The seed decides the order at time 0: one seed for the order a b c, one for c a b.
    const byOrder = (order: string): readonly string[] => {
      for (let seed = 0; seed < 100; seed++) {
        const { jobs } = simulateTaskSet(set, { seed, jobs: 2 });
        const at0 = jobs.filter(({ job }) => job === 0).sort((x, y) => x.granted - y.granted || x.units[0] - y.units[0]);
        if (at0.map(({ task }) => task).join("") === order) return jobs.map(short);
      }
      throw new Error(`no seed gives ${order}`);
    };
    expect(byOrder("abc")).toEqual([
      "b 0 0 4 2", // a has 0 and 1, b has unit 2, c waits for the first to finish
      "a 0 0 6 0+1",
      "b 4 6 10 0", // c took unit 2 at 4; b and a follow at 6
      "c 0 4 13 2",
      "a 6 6 16 1", // b's second job was its last, so unit 0 is idle from 10 on
      "c 13 13 18 0+2",
    ]);
    expect(byOrder("cab")).toEqual([
      "c 0 0 4 0+1+2",
      "b 0 4 8 2",
      "a 0 4 10 0+1",
      "b 8 10 14 0", // after c, which took unit 2 at 8
      "c 4 8 17 2",
      "a 10 10 20 1",
    ]);
  });

  it("gives equal traces for equal seeds and different ones for others", () => {
    const set = randomSet(7);
    const options = { seed: 3, jobs: 10, think: 1, leastShare: 0.5 };
    expect(simulateTaskSet(set, options)).toEqual(simulateTaskSet(set, options));
    expect(simulateTaskSet(set, { ...options, seed: 4 }).jobs).not.toEqual(simulateTaskSet(set, options).jobs);
  });

  it("has queues of 𝒩 − 1 jobs after a synchronous release", () => {
    const set: TaskSet = { units: 1, tasks: [{ id: "t", wcet: { 1: 10 }, count: 6 }] };
    const { jobs, summary } = simulateTaskSet(set, { jobs: 5 });
    // Every job waits for all others, and in the first round for those before it.
    expect(jobs.filter(({ job }) => job > 0).every(({ requested, granted }) => granted - requested === 50)).toBe(true);
    expect(jobs.filter(({ job }) => job === 0).map(({ granted }) => granted)).toEqual([0, 10, 20, 30, 40, 50]);
    expect(summary.tasks[0]).toMatchObject({ jobs: 30, maxWait: 50, maxResponse: 60, bound: 60, reached: 1 });
    expect(summary).toMatchObject({ jobs: 30, span: 300, unitTime: 300, used: 1, throughput: 1, jobsPerSecond: 100_000 });
    // If jobs end at the same time, the one that began first requests first, so the order of the first round stays.
    const pairs = simulateTaskSet({ ...set, units: 2 }, { jobs: 5 }).jobs.map(({ task }) => task);
    expect(pairs).toEqual(pairs.map((_, i) => pairs[i % 6]));
  });

  it("makes no requests after the horizon, and finishes the earlier ones", () => {
    const { jobs } = simulateTaskSet(exampleSet(3), { horizon: 10_000 });
    expect(jobs.map(({ requested }) => requested)).toEqual([0, 0, 0, 2501, 2501, 2501, 5002, 5002, 5002, 7503, 7503, 7503]);
    expect(simulateTaskSet(exampleSet(3), { horizon: 10_000, jobs: 2 }).jobs.length).toBe(6);
  });

  it("has sporadic requests at least a period apart, and one job of a task at a time", () => {
    const set: TaskSet = {
      units: 2,
      tasks: [
        { id: "a", wcet: { 1: 30 }, period: 20, count: 3 },
        { id: "b", wcet: { 1: 1 }, period: 50 },
      ],
    };
    const { jobs, tasks } = simulateTaskSet(set, { jobs: 200, release: "sporadic" });
    for (const id of tasks) {
      const own = jobs.filter(({ task }) => task === id);
      const period = id === "b" ? 50 : 20;
      expect(own.length).toBe(200);
      expect(own[0].requested).toBeLessThan(period);
      for (let i = 1; i < own.length; i++) {
        expect(own[i].requested - own[i - 1].requested).toBeGreaterThanOrEqual(period);
        expect(own[i].requested).toBeGreaterThanOrEqual(own[i - 1].finished);
      }
      // b is never late, so its distances stay below two periods.
      if (id === "b") for (let i = 1; i < own.length; i++) expect(own[i].requested - own[i - 1].requested).toBeLessThan(100);
    }
  });

  it("grants the largest size that fits, first come, first served, as counted again for each grant", () => {
    let grants = 0;
    for (let seed = 0; seed < 60; seed++) {
      const set = randomSet(seed);
      const entryOf = new Map(taskCopies(set).map(({ id, entry }) => [id, entry]));
      const { jobs } = simulateTaskSet(set, { seed, jobs: 6, leastShare: 0.2, think: 0.5 });
      // After time 0, no two requests and no two ends have the same time.
      const later = jobs.filter(({ requested }) => requested > 0);
      for (const job of later) {
        const ahead = (other: JobRecord): boolean =>
          other.granted < job.granted || (other.granted === job.granted && other.requested < job.requested);
        const idle = jobs.reduce(
          (left, other) => (ahead(other) && other.finished > job.granted ? left - other.units.length : left),
          set.units,
        );
        const task = set.tasks[entryOf.get(job.task)!];
        expect(job.units.length).toBe(grantSize(taskSizes(set, task), idle));
        expect(job.finished - job.granted).toBeGreaterThanOrEqual(0.2 * task.wcet[job.units.length] * (1 - 1e-9));
        grants++;
      }
    }
    expect(grants).toBeGreaterThan(1000);
  });

  it("makes a million jobs in seconds", () => {
    // Processor time, which does not depend on other processes.
    const begun = process.cpuUsage();
    expect(simulateTaskSet(exampleSet(20), { jobs: 50_000, leastShare: 0.5 }).jobs.length).toBe(1_000_000);
    const { user, system } = process.cpuUsage(begun);
    expect((user + system) / 1000).toBeLessThan(20_000);
  });

  it.each<[string, unknown, string]>([
    ["seed", { seed: -1 }, "seed"],
    ["jobs", { jobs: 0 }, "jobs"],
    ["too many jobs", { jobs: 2_000_001 }, "jobs"],
    ["horizon", { horizon: Number.NaN }, "horizon"],
    ["a horizon with too many jobs", { horizon: 1e15 }, "horizon"],
    ["release", { release: "periodic" }, "release"],
    ["sporadic without a period", { release: "sporadic" }, "tasks[0].period"],
    ["think", { think: -1 }, "think"],
    ["leastShare", { leastShare: 1.1 }, "leastShare"],
    ["policy", { policy: "edf" }, "policy"],
    ["jobsPerTask", { jobsPerTask: 3 }, "jobsPerTask"],
    ["sizes of too few tasks", { sizes: [] }, "sizes"],
    ["no sizes", { sizes: [[]] }, "sizes[0]"],
    ["sizes in descending order", { sizes: [[4, 1]] }, "sizes[0][1]"],
    ["a size without WCET", { sizes: [[1, 3]] }, "sizes[0][1]"],
  ])("rejects %s", (_, options, field) => {
    expect(() => simulateTaskSet({ units: 4, tasks: [{ id: "a", wcet: { 1: 10, 4: 3 } }] }, options as SimulateOptions)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
    );
  });
});

describe("bounds", () => {
  it("hold, with all rules, in simulations of 1,200 random sets", () => {
    let jobs = 0;
    let partitions = 0;
    fc.assert(
      fc.property(seeds(), (seed) => {
        const set = withPeriods(randomSet(seed));
        const simulation = simulateTaskSet(set, { seed, jobs: 15, ...styles[seed % styles.length] });
        jobs += simulation.jobs.length;
        partitions += analyseTaskSet(set).tasks.filter(({ partition }) => partition !== null).length;
        expect(simulation.jobs.length).toBe(15 * taskCopies(set).length);
        expect(traceFaults(set, simulation)).toEqual([]);
      }),
      { numRuns: 1200, seed: 4 },
    );
    // The sets have many jobs, and tasks to which the partition bound applies.
    expect(jobs).toBeGreaterThan(100_000);
    expect(partitions).toBeGreaterThan(500);
  });

  it("are approached: at least 95 % of each of the three, on few and on many units", () => {
    const best: Record<string, number> = {};
    const keep = (name: string, share: number): void => {
      best[name] = Math.max(best[name] ?? 0, share);
    };
    for (let seed = 0; seed < 300; seed++) {
      const set = randomSet(seed);
      const analysis = analyseTaskSet(set);
      const simulation = simulateTaskSet(set, { seed, jobs: 10 });
      const group = set.units === 1 ? "1 unit" : set.units < 6 ? "2 to 5 units" : "6 units and more";
      analysis.tasks.forEach((task, i) => {
        const { maxWait, maxResponse } = simulation.summary.tasks[i];
        if (task.wait > 0) keep(`Lemma 1, ${group}`, maxWait / task.wait);
        keep(task.partition === null ? `Lemma 2, ${group}` : "partition", maxResponse / (task.partition ?? task.response));
      });
    }
    expect(Object.keys(best).length).toBe(7);
    for (const [name, share] of Object.entries(best)) expect(share, name).toBeGreaterThanOrEqual(0.95);
  });

  const expected: Record<BrokenScheduler, readonly string[]> = { lifo: ["order"], "two-jobs": ["outstanding"], "without-one": ["idle"] };

  it.each(Object.keys(brokenSchedulers) as BrokenScheduler[])(
    "fail for the broken scheduler %s: every one of 10 rows of 30 sets has a wait and a response above the bound",
    (mutant) => {
      for (let row = 0; row < 10; row++) {
        const kinds = new Set<string>();
        for (let seed = 30 * row; seed < 30 * (row + 1); seed++) {
          const set = randomSet(seed);
          for (const { kind } of traceFaults(set, simulateTaskSet(set, { seed, jobs: 10, ...brokenSchedulers[mutant](set) })))
            kinds.add(kind);
        }
        expect([...kinds]).toEqual(expect.arrayContaining(["wait", "response", ...expected[mutant]]));
      }
    },
  );
});

describe("traceFaults", () => {
  const set: TaskSet = {
    units: 2,
    tasks: [
      { id: "a", wcet: { 1: 10, 2: 5 } },
      { id: "b", wcet: { 1: 4 } },
    ],
  };
  const good = [job("a", 0, 0, 0, 5, 0, 1), job("b", 0, 1, 5, 9, 0), job("a", 1, 6, 6, 16, 1), job("b", 1, 9, 9, 12, 0)];
  const kinds = (jobs: readonly JobRecord[], options = {}): readonly string[] => [
    ...new Set(traceFaults(set, { jobs }, options).map(({ kind }) => kind)),
  ];
  const withJob = (i: number, change: Partial<JobRecord>): readonly JobRecord[] =>
    good.map((one, j) => (i === j ? { ...one, ...change } : one));

  it("finds nothing in a correct trace, in any order, nor in an empty one", () => {
    expect(kinds(good)).toEqual([]);
    expect(kinds([...good].reverse())).toEqual([]);
    expect(kinds([])).toEqual([]);
  });

  it.each<[string, readonly JobRecord[]]>([
    ["record", withJob(3, { task: "c" })],
    ["record", withJob(3, { finished: Number.NaN })],
    ["record", withJob(3, { granted: 8 })],
    ["record", withJob(3, { units: [] })],
    ["record", withJob(3, { units: [0, 0] })],
    ["record", withJob(3, { units: [2] })],
    ["duplicate", withJob(3, { job: 0 })],
    ["outstanding", [...good.slice(0, 3), job("b", 1, 8.5, 9, 12, 0)]],
    ["size", [job("b", 0, 0, 0, 4, 0, 1)]],
    ["greedy", [job("a", 0, 0, 0, 10, 0)]],
    ["overlap", withJob(2, { units: [0] })],
    ["order", [job("a", 0, 0, 0, 5, 0, 1), job("b", 0, 1, 6, 9, 0), job("a", 1, 5, 5, 15, 1)]],
    ["idle", [job("a", 0, 0, 0, 5, 0, 1), job("b", 0, 1, 5.5, 9, 0)]],
    ["execution", withJob(1, { finished: 9.1 })],
    ["wait", [job("a", 0, 0, 0, 5, 0, 1), job("b", 0, 1, 7, 9, 0)]],
    ["response", [job("a", 0, 0, 0, 12.5, 0)]],
  ])("finds %s", (kind, jobs) => {
    expect(kinds(jobs)).toContain(kind);
    const fault = traceFaults(set, { jobs }).find((one) => one.kind === kind)!;
    expect(fault.text.length).toBeGreaterThan(5);
    expect(jobs.some(({ task, job: n }) => task === fault.task && n === fault.job)).toBe(true);
  });

  it("ignores deviations within the tolerance, and only these", () => {
    const late = [job("a", 0, 0, 0, 5.4, 0, 1), job("b", 0, 1, 5.8, 9.9, 0), job("a", 1, 5.3, 5.7, 15.75, 1)];
    expect(kinds(late, { tolerance: 0.5 })).toEqual([]);
    expect(kinds(late, { tolerance: 0.25 })).toEqual(["execution", "wait", "response", "idle"]);
    expect(kinds(late)).toEqual(expect.arrayContaining(["execution", "outstanding", "order", "idle"]));
  });

  it("lists at most the requested number of each kind", () => {
    const many = Array.from({ length: 50 }, (_, i) => job("b", i, 20 * i, 20 * i, 20 * i + 9, 0));
    expect(traceFaults(set, { jobs: many }, { most: 7 }).filter(({ kind }) => kind === "execution").length).toBe(7);
    expect(traceFaults(set, { jobs: many }).filter(({ kind }) => kind === "response").length).toBe(0);
  });
});

describe("summarise", () => {
  it("follows its definition, also for a trace with an unknown task", () => {
    const set: TaskSet = {
      units: 4,
      tasks: [
        { id: "a", wcet: { 1: 10, 2: 5 }, count: 2 },
        { id: "b", wcet: { 1: 3 } },
        { id: "c", wcet: { 1: 1 } },
      ],
    };
    const jobs: readonly JobRecord[] = [
      { task: "a/1", job: 0, requested: 100, granted: 100, finished: 105, units: [0, 1] },
      { task: "a/2", job: 0, requested: 101, granted: 104, finished: 114, units: [2] },
      { task: "b", job: 0, requested: 103, granted: 103, finished: 106, units: [3] },
      { task: "x", job: 0, requested: 0, granted: 0, finished: 1000, units: [3] },
    ];
    const { tasks, ...all } = summariseTrace(set, { jobs });
    expect(all).toEqual({ jobs: 3, span: 14, unitTime: 23, used: 23 / 56, jobsPerSecond: 3e6 / 14, throughput: 23 / 14 / 4 });
    expect(tasks[0]).toMatchObject({
      id: "a",
      jobs: 2,
      meanWait: 1.5,
      maxWait: 3,
      meanResponse: 9,
      maxResponse: 13,
      reached: 13 / tasks[0].bound,
    });
    expect(tasks[2]).toMatchObject({ id: "c", jobs: 0, meanWait: 0, maxResponse: 0, reached: 0 });
    expect(summariseTrace(set, { jobs: [] })).toMatchObject({ jobs: 0, span: 0, used: 0, throughput: 0, jobsPerSecond: 0 });
  });
});
