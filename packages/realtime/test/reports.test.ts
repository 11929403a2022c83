/** Tests reports of task sets: their content, hooks, errors; and transforms as tasks, correct, wrong and interrupted. */
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { analyseTaskSet, bestEffort, bestRho, exampleSet, rhoSweep, simulateTaskSet, type TaskSet } from "../src/index.ts";
import {
  type AnalyseOptions,
  analyseTasks,
  checkRunTasks,
  type ReportHooks,
  type RunSettings,
  runTasks,
  type SimulationSettings,
  simulateTasks,
  withRho,
} from "../src/reports/index.ts";
import { chunkWay, createTransforms, measureAndVerify, poolWay, slotWay, waysOf } from "../src/transforms/index.ts";

const set: TaskSet = {
  units: 4,
  tasks: [
    { id: "a", wcet: { 1: 40, 2: 22, 4: 13 }, deadline: 200, period: 300, count: 2 },
    { id: "b", wcet: { 1: 10 }, period: 150 },
  ],
};
const lines = {
  tasks: [
    { id: "a", samples: 4096, line: 64, count: 3 },
    { id: "b", samples: 2048, line: 1024 },
  ],
};
const settings: SimulationSettings = { seed: 3, jobs: 20, policy: "fifo", release: "sporadic", execution: "random" };

let reference: Device;
beforeAll(async () => {
  reference = await open(cpu({ workers: 1, kernels: "js" }));
});
afterAll(() => {
  expect(reference.memory()).toMatchObject({ buffers: 0, plans: 0 });
  reference[Symbol.dispose]();
});

/** Error code, field and message of an exception. */
const thrown = async (work: () => unknown): Promise<unknown> => {
  try {
    await work();
    return "nothing was thrown";
  } catch (error) {
    return isRadarError(error) ? { code: error.code, field: error.fields["field"], message: error.message } : error;
  }
};

describe("an analysis", () => {
  it("reports the bounds, the best rho for each goal, and the sweep if requested", async () => {
    const parts: string[] = [];
    const onPart = (name: string, milliseconds: number): void => void (milliseconds >= 0 && parts.push(name));
    const shares: number[] = [];
    const options: AnalyseOptions = { sweep: true, onPart, onProgress: (_, share) => void shares.push(share) };
    const report = await analyseTasks(set, options);
    expect(report).toMatchObject({ kind: "analysis", rho: 1.1, ...analyseTaskSet(set) });
    const sweep = rhoSweep(set);
    expect(report.sweep).toEqual(sweep);
    for (const choice of report.recommended) expect(choice).toMatchObject({ rho: bestRho(sweep, choice.goal).rho });
    expect(report.recommended.map(({ goal }) => goal)).toEqual(["response", "throughput"]);
    expect(parts).toEqual(["analyse", "sweep"]);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect(await analyseTasks(set)).not.toHaveProperty("sweep");
    expect((await analyseTasks(withRho(set, 3))).rho).toBe(3);
  });

  it("rejects invalid sets, and ends if its signal fires or a hook throws", async () => {
    expect(await thrown(() => analyseTasks({ ...set, units: 0 }))).toMatchObject({ code: "input", field: "units" });
    expect(await thrown(() => analyseTasks(set, { sweeps: true } as AnalyseOptions))).toMatchObject({ code: "input" });
    expect(await thrown(() => analyseTasks(set, { signal: AbortSignal.abort() }))).toMatchObject({ code: "aborted" });
    const onProgress = (): void => {
      throw new Error("no");
    };
    for (const hooks of [{ onProgress }, { onPart: onProgress }])
      expect(await thrown(() => analyseTasks(set, hooks))).toMatchObject({ code: "failed" });
  });
});

describe("a simulation", () => {
  it("reports the trace of the set and how close it comes to the bounds", async () => {
    const shares: number[] = [];
    const { report, trace } = await simulateTasks(set, settings, { onProgress: (_, share) => void shares.push(share) });
    expect(trace).toEqual(simulateTaskSet(set, { seed: 3, jobs: 20, release: "sporadic", leastShare: 0.5 }));
    expect(report).toMatchObject({ kind: "simulation", units: 4, jobs: 60, settings, faults: {}, examples: [] });
    const bounds = analyseTaskSet(set).tasks;
    for (const [i, { maxResponse, deadline, reachedDeadline, count }] of report.tasks.entries()) {
      expect(maxResponse).toBeLessThanOrEqual(bounds[i].bound * (1 + 1e-12));
      expect(count).toBe(set.tasks[i].count ?? 1);
      expect(reachedDeadline).toBe(maxResponse / (deadline as number));
    }
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it("counts the faults of broken schedulers", async () => {
    const { report } = await simulateTasks(exampleSet(12), { ...settings, policy: "two-jobs", release: "consecutive", jobs: 200 });
    expect(report.faults["outstanding"]).toBeGreaterThan(0);
    expect(report.examples.filter(({ kind }) => kind === "outstanding").length).toBeLessThanOrEqual(3);
    expect(report.notes[0]).toContain("the bounds do not hold");
  });

  it.each<[Partial<SimulationSettings>, string]>([
    [{ jobs: 0 }, "jobs"],
    [{ jobs: 700_000 }, "jobs"],
    [{ jobs: Number.NaN }, "jobs"],
    [{ seed: -1 }, "seed"],
    [{ policy: "toString" as "fifo" }, "policy"],
    [{ release: "never" as "sporadic" }, "release"],
    [{ execution: "best" as "worst" }, "execution"],
  ])("rejects %j", async (wrong, field) => {
    expect(await thrown(() => simulateTasks(set, { ...settings, ...wrong }))).toMatchObject({ code: "input", field });
  });

  it("needs periods for sporadic releases, and ends if its signal fires", async () => {
    const without = { ...set, tasks: [{ id: "a", wcet: { 1: 4 } }] };
    expect(await thrown(() => simulateTasks(without, settings))).toMatchObject({ code: "input", field: "tasks[0].period" });
    expect(await thrown(() => simulateTasks(set, settings, { signal: AbortSignal.abort() }))).toMatchObject({ code: "aborted" });
  });
});

const few: Omit<RunSettings, "executor"> = { jobs: 2, runs: 5, margin: 1 };

describe("a run", () => {
  it.each(["pool", "chunks", "slots"] as const)("on %s has correct outputs, and its progress grows steadily to 1", async (executor) => {
    using device = await open(cpu({ workers: 2 }));
    const shares: number[] = [];
    const options = { reference, cores: 2, onProgress: (_: string, share: number) => void shares.push(share) };
    const { report, trace } = await runTasks(device, checkRunTasks(lines, true), { executor, ...few }, options);
    expect(report).toMatchObject({
      kind: "run",
      executor,
      device: { id: "cpu", units: 2, cores: 2 },
      units: { pool: 2, chunks: 1, slots: 8 }[executor],
      wrong: { lock: [], bestEffort: [] },
      ownershipViolations: 0,
      faults: {},
    });
    expect(trace.length).toBe(8);
    expect(Math.min(...trace.map(({ requested }) => requested))).toBe(0);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect([shares[0], shares[shares.length - 1]]).toEqual([0, 1]);
    // Progress grows in many steps.
    expect(shares.filter((share) => share > 0.1 && share < 0.6).length).toBeGreaterThanOrEqual(4);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it.each(["pool", "slots"] as const)("on %s frees everything if a hook throws after any part", async (executor) => {
    using device = await open(cpu({ workers: 2 }));
    const parts: string[] = [];
    const onPart = (name: string): void => void parts.push(name);
    await runTasks(device, checkRunTasks(lines, true), { executor, ...few }, { reference, onPart });
    for (const last of parts) {
      const hooks: ReportHooks = {
        onPart(name) {
          if (name === last) throw new Error(last);
        },
      };
      const error = await thrown(() => runTasks(device, checkRunTasks(lines, true), { executor, ...few }, { reference, ...hooks }));
      expect(error, last).toMatchObject({ code: "failed", message: expect.stringContaining("onPart") });
      expect(device.memory(), last).toMatchObject({ buffers: 0, plans: 0 });
    }
    expect(parts.length).toBeGreaterThanOrEqual(4);
  });

  it("names the task that does not fit into the device's memory", async () => {
    using device = await open(cpu({ workers: 1, maxBufferBytes: 2 ** 12 }));
    const tasks = checkRunTasks({
      tasks: [
        { id: "small", samples: 512 },
        { id: "big", samples: 2048, count: 2 },
      ],
    });
    await expect(runTasks(device, tasks, { executor: "pool", ...few }, { reference })).rejects.toMatchObject({
      code: "limit",
      message: expect.stringMatching(/^task big\/1: /),
      fields: { task: "big/1" },
    });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it.each<[Partial<RunSettings>, string]>([
    [{ executor: "lock" as "pool" }, "executor"],
    [{ jobs: 0 }, "jobs"],
    [{ jobs: 1_000_000 }, "jobs"],
    [{ runs: 0.5 }, "runs"],
    [{ margin: 0.9 }, "margin"],
    [{ rho: 0 }, "rho"],
    [{ slots: 0 }, "slots"],
  ])("rejects %j", async (wrong, field) => {
    const run = () => runTasks(reference, checkRunTasks(lines), { executor: "chunks", ...few, ...wrong }, { reference });
    expect(await thrown(run)).toMatchObject({ code: "input", field });
  });

  it("rejects missing devices and sizes that the device does not have, and ends if its signal fires", async () => {
    const tasks = checkRunTasks({ tasks: [{ id: "a", samples: 64, sizes: [1, 2] }] });
    const pooled: RunSettings = { executor: "pool", ...few };
    expect(await thrown(() => runTasks(reference, tasks, pooled, { reference }))).toMatchObject({ code: "input", field: "tasks[0].sizes" });
    expect(await thrown(() => runTasks({} as Device, tasks, pooled, { reference }))).toMatchObject({ code: "input", field: "device" });
    const options = { reference: {} as Device };
    expect(await thrown(() => runTasks(reference, tasks, pooled, options))).toMatchObject({ code: "input", field: "reference" });
    const signal = AbortSignal.abort();
    expect(await thrown(() => runTasks(reference, checkRunTasks(lines), pooled, { reference, signal }))).toMatchObject({ code: "aborted" });
  });
});

describe("transforms as tasks", () => {
  it("stop if the signal fires while inputs are made, and can be made again afterwards", async () => {
    const transforms = createTransforms(reference);
    using device = await open(cpu({ workers: 1 }));
    const controller = new AbortController();
    setImmediate(() => controller.abort());
    await expect(transforms.create(device, "a", { samples: 64, signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    using made = await transforms.create(device, "a", { samples: 64 });
    expect(made.samples).toBe(64);
  });

  it.each([
    [{ samples: 1 }, "samples"],
    [{ samples: 64, line: 3 }, "line"],
  ])("reject %j", async (options, field) => {
    expect(await thrown(() => createTransforms(reference).create(reference, "a", options))).toMatchObject({ code: "input", field });
  });

  it.each([{ samples: 1000 }, { samples: 1024, line: 64 }])("with %j detect correct and wrong outputs", async (options) => {
    using device = await open(cpu({ workers: 1 }));
    using made = await createTransforms(reference).create(device, "a", options);
    const executor = bestEffort(device, [made.task]);
    expect(await measureAndVerify(executor, [made], { jobs: 2 })).toMatchObject({ wrong: [] });
    executor[Symbol.dispose]();
    // A job that does nothing leaves an output unwritten or an input untransformed.
    const [{ plan, bindings }] = made.task.runs;
    const idle = { ...made.task, runs: [{ plan: { ...plan, run: () => ({ done: Promise.resolve() }) }, bindings }] };
    using lazy = bestEffort(device, [idle]);
    expect(await measureAndVerify(lazy, [made], { jobs: 2 })).toMatchObject({ wrong: ["a"] });
  });

  it("run in the ways that a device supports", () => {
    expect(waysOf(reference)).toEqual([poolWay]);
    const other = { ...reference, id: "gpu", info: { ...reference.info, software: true } } as Device;
    expect(waysOf(other).map(({ name }) => name)).toEqual([chunkWay.name, "gpu-slots"]);
    expect(waysOf(other, { cores: 6 })[1].units(other)).toBe(24);
    expect(slotWay({ slots: 5, cores: 6 }).units(other)).toBe(5);
    expect(slotWay().units({ ...other, info: { ...other.info, software: false } } as Device)).toBe(1024);
  });
});
