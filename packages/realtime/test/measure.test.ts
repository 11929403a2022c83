/** Tests measurements: what is timed, what is counted, and whether real traces follow the protocol. */
import { createRandom, type Device, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bestEffort,
  cpuPool,
  type Executor,
  gpuChunks,
  type JobRecord,
  measureResponses,
  timeStatistics,
  traceFaults,
} from "../src/index.ts";
import { failing, relativeError, steps, tolerance, transform } from "./support.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu({ workers: 3 }));
});
afterAll(() => device[Symbol.dispose]());

describe("measure", () => {
  it("runs the jobs of each task one after another, all tasks starting together", async () => {
    const transforms = await Promise.all([
      transform(device, "a", 512, { sizes: [1, 2] }),
      transform(device, "b", 256, { lines: 2 }),
      transform(device, "c", 128, { sizes: [1, 2, 3] }),
      transform(device, "d", 64, { sizes: [1, 3] }),
      transform(device, "e", 64),
    ]);
    using executor = cpuPool(
      device,
      transforms.map(({ task }) => task),
    );
    const order: string[] = [];
    const result = await measureResponses(executor, {
      jobs: 40,
      warmUp: 2,
      samples: { a: 512, b: 512, c: 128, d: 64, e: 64 },
      bounds: { a: 1e9, b: 1e-6 },
      prepare: (task) => void order.push(`prepare ${task}`),
      check: ({ task, job }) => void order.push(`check ${task} ${job}`),
    });
    const { records, tasks, overall, throughput, span } = result;
    expect([result.kind, result.units, result.jobs, result.warmUp, records.length]).toEqual(["cpu-pool", 3, 40, 2, 200]);
    expect(order.filter((text) => text.endsWith(" a") || text.includes(" a ")).slice(0, 6)).toEqual([
      "prepare a",
      "check a 0",
      "prepare a",
      "check a 1",
      "prepare a",
      "check a 2",
    ]);
    expect(order.slice(0, 5)).toEqual(["a", "b", "c", "d", "e"].map((task) => `prepare ${task}`));
    for (const { id, finished, failed, aborted, response, wait } of tasks) {
      const own = records.filter(({ task }) => task === id);
      expect([finished, failed, aborted]).toEqual([40, 0, 0]);
      expect(own.map(({ job }) => job)).toEqual(Array.from({ length: 40 }, (_, i) => i + 2));
      expect(response).toEqual(timeStatistics(own.map((r) => r.finished - r.requested)));
      expect(wait).toEqual(timeStatistics(own.map((r) => r.granted - r.requested)));
    }
    expect(tasks.map(({ bound, exceedances }) => [bound, exceedances])).toEqual([
      [1e9, 0],
      [1e-6, 40],
      [null, 0],
      [null, 0],
      [null, 0],
    ]);
    expect(tasks[1].worst).toBe(tasks[1].response.max / 1e-6);
    expect(overall).toMatchObject({ finished: 200, exceedances: 40, worst: tasks[1].worst, bound: null });
    expect(overall.response.max).toBe(Math.max(...tasks.map(({ response }) => response.max)));
    // Throughput by the paper's definition, and by wall time.
    const samples = 40 * (512 + 512 + 128 + 64 + 64);
    const sum = records.reduce((total, r) => total + r.finished - r.requested, 0);
    const wall = Math.max(...records.map((r) => r.finished)) - Math.min(...records.map((r) => r.requested));
    expect(throughput?.byResponse).toBeCloseTo((1e6 * samples) / sum, 3);
    expect(throughput?.byWall).toBeCloseTo((1e6 * samples) / wall, 3);
    expect(span).toBe(wall);
    for (const { out, expected, task } of transforms)
      expect(relativeError(await out.read(), expected), task.id).toBeLessThan(tolerance(512));
  });

  it("produces traces that follow the protocol", async () => {
    const random = createRandom(2);
    const sizes = [[1], [1, 2], [1, 3], [1, 2, 3], [1], [1, 2], [1, 2, 3]];
    const all = await Promise.all(sizes.map((s, i) => steps(device, `task ${i}`, { sizes: s })));
    const wcet = { 1: 1e9, 2: 1e9, 3: 1e9 };
    for (const make of [cpuPool, gpuChunks]) {
      using executor = make(
        device,
        all.map(({ task }) => task),
      );
      const { records } = await measureResponses(executor, {
        jobs: 60,
        prepare(task) {
          all[Number(task.split(" ")[1])].uniforms.spin = Math.floor(300 * random.uniform());
        },
      });
      const set = { units: executor.units, tasks: sizes.map((s, i) => ({ id: `task ${i}`, wcet, sizes: executor.units === 1 ? [1] : s })) };
      // Between the end of a job and the next grant, a unit is idle for a moment.
      const faults = traceFaults(set, { jobs: records }, { tolerance: 0 }).filter(({ kind }) => kind !== "idle");
      expect(faults).toEqual([]);
      expect(executor.counts.ownershipViolations).toBe(0);
      // Checks the check: a job that seems to hold its unit a little longer is found.
      const shifted = records.map((r): JobRecord => ({ ...r, granted: r.granted - 0.9 * (r.granted - r.requested) }));
      expect(traceFaults(set, { jobs: shifted }, { tolerance: 0 }).some(({ kind }) => kind === "overlap")).toBe(true);
    }
  });

  it("counts failures and continues, but ends if a check throws", async () => {
    const [bad, good] = [await steps(device, "bad"), await steps(device, "good")];
    using executor = cpuPool(device, [bad.task, good.task]);
    let jobs = 0;
    const { tasks, overall, records } = await measureResponses(executor, {
      jobs: 20,
      warmUp: 0,
      prepare(task) {
        if (task === "bad") bad.uniforms.trap = jobs++ % 4 === 1 ? 1 : 0;
      },
    });
    expect(tasks.map(({ finished, failed, aborted }) => [finished, failed, aborted])).toEqual([
      [15, 5, 0],
      [20, 0, 0],
    ]);
    expect([overall.finished, overall.failed, records.length]).toEqual([35, 5, 35]);
    bad.uniforms.trap = 0;
    const wrong = new Error("wrong result");
    const checked = measureResponses(executor, {
      check({ task, job }) {
        if (task === "good" && job === 25) throw wrong;
      },
    });
    await expect(checked).rejects.toMatchObject({ code: "failed", cause: wrong });
    await executor.idle();
    expect(executor.counts.submitted).toBeLessThan(40 + 2 * 101);
    expect((await measureResponses(executor, { jobs: 2 })).overall.finished).toBe(4);
  });

  it("counts exactly the scripted outcomes after the warm-up", async () => {
    // An executor that replays scripted waits and times. null is a failure.
    const script: Record<string, readonly (readonly [wait: number, took: number] | null)[]> = {
      a: [null, [1, 9], [2, 18], null, [0, 20], [5, 16]],
      b: [
        [9, 9],
        [0, 1],
        [0, 4],
        [1, 1],
        [0, 5],
        [0, 6],
      ],
    };
    const job: Record<string, number> = { a: 0, b: 0 };
    const executor: Executor = {
      kind: "cpu-pool",
      units: 1,
      tasks: ["a", "b"],
      async submit(task) {
        const number = job[task]++;
        const told = script[task][number];
        if (!told) throw new RadarError(number === 0 ? "failed" : "aborted", "scripted failure");
        const requested = 100 * number;
        return { task, job: number, requested, granted: requested + told[0], finished: requested + told[0] + told[1], units: [0] };
      },
      idle: () => Promise.resolve(),
      counts: { submitted: 0, finished: 0, failed: 0, aborted: 0, ownershipChecks: 0, ownershipViolations: 0 },
      [Symbol.dispose]() {},
    };
    const { tasks, overall, throughput, span } = await measureResponses(executor, {
      jobs: 5,
      warmUp: 1,
      bounds: { a: 20, b: 2 },
      samples: { a: 1000, b: 10 },
    });
    const [a, b] = tasks;
    // Of a's 10, 20, 20 and 21, one is above 20. Of b's 1, 4, 2, 5 and 6, three are above 2.
    expect([a.finished, a.failed, a.aborted, a.exceedances, a.worst]).toEqual([4, 0, 1, 1, 21 / 20]);
    expect([b.finished, b.failed, b.aborted, b.exceedances, b.worst]).toEqual([5, 0, 0, 3, 3]);
    expect(a.wait).toEqual(timeStatistics([1, 2, 0, 5]));
    expect(b.response).toEqual(timeStatistics([1, 4, 2, 5, 6]));
    expect(overall).toMatchObject({ finished: 9, failed: 0, aborted: 1, exceedances: 4, worst: 3 });
    expect(span).toBe(521 - 100);
    expect(throughput).toEqual({ byResponse: (1e6 * 4050) / (10 + 20 + 20 + 21 + 18), byWall: (1e6 * 4050) / 421 });
  });

  it("works with any name of a task", async () => {
    const { task } = await transform(device, "constructor", 64);
    using executor = bestEffort(device, [task]);
    const { tasks, throughput } = await measureResponses(executor, { jobs: 2, samples: {} });
    expect(tasks[0]).toMatchObject({ id: "constructor", bound: null, worst: null, exceedances: 0 });
    expect(throughput).toEqual({ byResponse: 0, byWall: 0 });
  });

  it("stops if its signal fires or its executor is disposed", async () => {
    const { task } = await transform(device, "a", 64);
    const executor = bestEffort(device, [task]);
    const abort = new AbortController();
    const stopped = measureResponses(executor, { jobs: 1000, signal: abort.signal, onProgress: ({ done }) => done === 7 && abort.abort() });
    await expect(stopped).rejects.toEqual(failing("aborted"));
    expect(executor.counts.submitted).toBeLessThan(10);
    const ended = measureResponses(executor, { jobs: 1000, onProgress: ({ done }) => done === 7 && executor[Symbol.dispose]() });
    await expect(ended).rejects.toEqual(failing("disposed"));
  });

  it.each([
    [{ jobs: 0 }, "jobs"],
    [{ warmUp: 0.5 }, "warmUp"],
    [{ samples: { b: 1 } }, "samples.b"],
    [{ bounds: { a: 0 } }, "bounds.a"],
  ])("rejects %o", async (options, field) => {
    const { task } = await transform(device, "a", 8);
    using executor = bestEffort(device, [task]);
    await expect(measureResponses(executor, options as object)).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it("does not time checks and preparations", async () => {
    const { task } = await transform(device, "a", 64);
    using executor = cpuPool(device, [task]);
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
    const { overall, span } = await measureResponses(executor, { jobs: 5, prepare: pause, check: pause });
    // Five jobs, each with 60 ms of checks and preparations.
    expect(span).toBeGreaterThan(4 * 60_000 * 0.9);
    expect(5 * overall.response.mean).toBeLessThan(span - 4 * 60_000 * 0.9);
  });
});
