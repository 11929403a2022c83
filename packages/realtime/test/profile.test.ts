/** Times, their statistics, profiles and measurements: what is timed, what is not, on which units, and what is made of it. */
import { createRandom, type Device, open, type Plan } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  bestEffort,
  clock,
  cpuPool,
  gpuChunks,
  gpuSlots,
  type JobRecord,
  measure,
  profile,
  profileSlots,
  statistics,
  traceFaults,
} from "../src/index.ts";
import { choices, sizeProfile } from "../src/profile.ts";
import { failing, relativeError, steps, tolerance, transform } from "./support.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu({ units: 3 }));
});
afterAll(() => device[Symbol.dispose]());
afterEach(() => {
  vi.restoreAllMocks();
});

describe("the clock", () => {
  it("steps as finely as it says, and no finer", () => {
    const { name, resolution, now } = clock();
    expect(name).toBe("performance.now");
    expect(resolution).toBeGreaterThan(0);
    expect(resolution).toBeLessThan(1000);
    const [before, wall] = [now(), Date.now()];
    while (Date.now() - wall < 20);
    expect(Math.abs(now() - before - 20_000)).toBeLessThan(2000 + 1000 * (Date.now() - wall - 20));
  });
});

describe("statistics", () => {
  it("are those of the sorted times", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 3000 }), (times) => {
        const s = statistics(times);
        expect(s.count).toBe(times.length);
        expect(s.max).toBe(Math.max(...times));
        for (const [share, value] of [
          [50, s.p50],
          [90, s.p90],
          [99, s.p99],
          [99.9, s.p999],
        ] as const) {
          // The smallest of the times that at least so many of 1000 are not above.
          const enough = (v: number): boolean => times.filter((time) => time <= v).length * 1000 >= Math.round(10 * share) * times.length;
          expect(times).toContain(value);
          expect(enough(value)).toBe(true);
          expect(times.filter((time) => time < value).every((time) => !enough(time))).toBe(true);
        }
      }),
      { numRuns: 60, seed: 1 },
    );
    expect(statistics([])).toEqual({ count: 0, mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 });
    expect(statistics([3, 1, 2])).toMatchObject({ mean: 2, p50: 2, p90: 3 });
  });
});

describe("choices of units", () => {
  it("are all there are, or neighbours", () => {
    expect(choices(2, 4, 32)).toEqual({
      subsets: [
        [0, 1],
        [0, 2],
        [0, 3],
        [1, 2],
        [1, 3],
        [2, 3],
      ],
      exhaustive: true,
    });
    expect(choices(3, 3, 1)).toEqual({ subsets: [[0, 1, 2]], exhaustive: true });
    expect(choices(2, 4, 5)).toEqual({
      subsets: [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, 3],
      ],
      exhaustive: false,
    });
    for (const [size, units, most] of [
      [5, 20, 32],
      [3, 64, 32],
      [32, 64, 7],
      [40, 4096, 32],
    ]) {
      const { subsets, exhaustive } = choices(size, units, most);
      expect(exhaustive).toBe(false);
      expect(subsets).toHaveLength(Math.min(units, most));
      for (const subset of subsets) expect(new Set(subset).size).toBe(size);
      expect(subsets.flat().every((unit) => unit >= 0 && unit < units)).toBe(true);
    }
  });

  it("make a slowdown, applied once", () => {
    const times = [
      [10, 10, 12],
      [20, 20, 30],
    ];
    const options = { margin: 1.5, resolution: 0.1 };
    expect(sizeProfile(2, times, { ...options, exhaustive: true })).toMatchObject({
      size: 2,
      max: 30,
      p50: 12,
      slowdown: 20 / 12,
      wcet: 45,
    });
    expect(sizeProfile(2, times, { ...options, exhaustive: false }).wcet).toBeCloseTo(75, 10);
    expect(sizeProfile(1, [[0, 0]], { ...options, exhaustive: true })).toMatchObject({ slowdown: 1, wcet: 0.1 * 1.5 });
  });
});

describe("profile", () => {
  it("times a job on every choice of units while the others work", async () => {
    const { task, plan, expected, out } = await transform(device, "a", 1024, { lines: 2 });
    const before = device.memory();
    const made = vi.spyOn(device, "plan");
    const ran = vi.spyOn(plan, "run");
    const progress: number[] = [];
    let prepared = 0;
    const { sizes, wcet, ...facts } = await profile(device, task, {
      runs: 60,
      warmUp: 2,
      margin: 1.25,
      prepare: () => void prepared++,
      onProgress: ({ size, done, total }) => progress.push(size + done / total),
    });
    expect(facts).toMatchObject({ task: "a", kind: "cpu-pool", units: 3, chunks: 1, margin: 1.25, warmUp: 2, interference: "fft" });
    expect(facts.clock.resolution).toBeGreaterThan(0);
    // 60 runs each and 2 more in each block: of 3 choices twice, of 3 twice, of 1 twice — but with 20 runs a choice, each once.
    const used = ran.mock.calls.map(([, options]) => options?.units?.join());
    const count = (units: string): number => used.filter((text) => text === units).length;
    expect(["0", "1", "2", "0,1", "0,2", "1,2"].map(count)).toEqual(Array(6).fill(22));
    expect(count("0,1,2")).toBe(64);
    expect(prepared).toBe(used.length);
    expect(progress.at(-1)).toBe(4);
    expect(progress).toHaveLength(180);
    const others = (await Promise.all(made.mock.results.map(({ value }) => value as Promise<Plan>))).filter(
      ({ op }) => op.op === "real-fft",
    );
    expect(others).toHaveLength(3);
    for (const [i, size] of sizes.entries()) {
      expect(size).toMatchObject({ size: i + 1, count: 60, exhaustive: true, subsets: [3, 3, 1][i] });
      expect(size.p50 <= size.p90 && size.p90 <= size.p99 && size.p99 <= size.p999 && size.p999 <= size.max).toBe(true);
      expect(size.slowdown).toBeGreaterThanOrEqual(i === 2 ? 1 : 0.5);
      expect(wcet[i + 1]).toBe(1.25 * size.max);
    }
    expect(Object.keys(wcet)).toEqual(["1", "2", "3"]);
    expect(relativeError(await out.read(), expected)).toBeLessThan(tolerance(1024));
    expect(device.memory()).toMatchObject({ buffers: before.buffers, plans: before.plans });
  });

  it("loads just the units that are not the job's", async () => {
    const { task, plan } = await transform(device, "b", 64);
    const working = new Set<number>();
    const made = device.plan.bind(device);
    vi.spyOn(device, "plan").mockImplementation(async (op, options) => {
      const other = await made(op, options);
      const run = other.run;
      vi.spyOn(other, "run").mockImplementation((bindings, runOptions) => {
        const unit = runOptions?.units?.[0] as number;
        working.add(unit);
        const queued = run(bindings, runOptions);
        queued.done.then(() => working.delete(unit));
        return queued;
      });
      return other;
    });
    const run = plan.run;
    const seen: string[] = [];
    vi.spyOn(plan, "run").mockImplementation((bindings, options) => {
      seen.push(`${options?.units?.join()} beside ${[...working].sort().join()}`);
      return run(bindings, options);
    });
    await profile(device, task, { runs: 40, warmUp: 3, sizes: [1, 2] });
    expect(new Set(seen.map((text) => text.split(" ")[0]))).toEqual(new Set(["0", "1", "0,1", "1,2"]));
    for (const text of seen) {
      const [own, others] = text.split(" beside ").map((part) => part.split(","));
      expect(own.some((unit) => others.includes(unit))).toBe(false);
    }
    // Loaded, not idle, but for moments between two runs of a load.
    expect(seen.filter((text) => text.split(" beside ").join().split(",").length === 3).length).toBeGreaterThan(seen.length / 2);
  });

  it("times each run of a job by itself for chunks", async () => {
    const chain = await steps(device, "chain", { runs: 4 });
    chain.uniforms.spin = 500;
    const { sizes, wcet, chunks, kind, units, interference } = await profile(device, chain.task, {
      kind: "gpu-chunks",
      runs: 10,
      warmUp: 1,
    });
    expect([kind, units, chunks, interference]).toEqual(["gpu-chunks", 1, 4, "none"]);
    expect(sizes).toMatchObject([{ size: 1, count: 40, subsets: 1, exhaustive: true }]);
    expect(wcet[1]).toBe(1.2 * sizes[0].max);
  });

  it("times dispatches of slots, each task first in turn", async () => {
    const transforms = await Promise.all(
      ["a", "b", "c"].map((id) => transform(device, `slots ${id}`, 8, { inPlace: true, lines: 4, sizes: [1, 2] })),
    );
    using executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 4 },
    );
    const submitted = vi.spyOn(executor, "submit");
    const { wcet, sizes, kind, units } = await profileSlots(executor, { runs: 9, warmUp: 0, margin: 1 });
    expect([kind, units, sizes[0].count, wcet[1]]).toEqual(["gpu-slots", 4, 27, sizes[0].max]);
    expect(submitted.mock.calls.filter((_, i) => i % 3 === 0).map(([task]) => task)).toEqual(
      Array.from({ length: 9 }, (_, i) => `slots ${"abc"[i % 3]}`),
    );
  });

  it("ends early when told to, and where a job fails", async () => {
    const bad = await steps(device, "bad");
    const before = device.memory();
    const abort = new AbortController();
    const stopped = profile(device, bad.task, { signal: abort.signal, onProgress: ({ done }) => done === 5 && abort.abort() });
    await expect(stopped).rejects.toEqual(failing("aborted"));
    bad.uniforms.trap = 1;
    await expect(profile(device, bad.task)).rejects.toEqual(failing("failed"));
    expect(device.memory()).toMatchObject({ buffers: before.buffers, plans: before.plans });
  });

  it.each([
    [{ runs: 0 }, "runs"],
    [{ runs: 1.5 }, "runs"],
    [{ warmUp: -1 }, "warmUp"],
    [{ margin: 0.9 }, "margin"],
    [{ margin: Number.NaN }, "margin"],
    [{ units: 4 }, "units"],
    [{ kind: "gpu-chunks", units: 2 }, "units"],
    [{ sizes: [2] }, "sizes"],
    [{ sizes: [1, 4] }, "sizes[1]"],
    [{ kind: "gpu-slots" }, "kind"],
    [{ interference: "memory" }, "interference"],
  ])("refuses %o", async (options, field) => {
    const { task } = await transform(device, "a", 8);
    await expect(profile(device, task, options as object)).rejects.toMatchObject({ code: "input", fields: { field } });
  });
});

describe("measure", () => {
  it("runs jobs of all tasks, released at once, one after another", async () => {
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
    const result = await measure(executor, {
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
      expect(response).toEqual(statistics(own.map((r) => r.finished - r.requested)));
      expect(wait).toEqual(statistics(own.map((r) => r.granted - r.requested)));
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
    // By the paper's definition, and by the wall's clock.
    const samples = 40 * (512 + 512 + 128 + 64 + 64);
    const sum = records.reduce((total, r) => total + r.finished - r.requested, 0);
    const wall = Math.max(...records.map((r) => r.finished)) - Math.min(...records.map((r) => r.requested));
    expect(throughput?.byResponse).toBeCloseTo((1e6 * samples) / sum, 3);
    expect(throughput?.byWall).toBeCloseTo((1e6 * samples) / wall, 3);
    expect(span).toBe(wall);
    for (const { out, expected, task } of transforms)
      expect(relativeError(await out.read(), expected), task.id).toBeLessThan(tolerance(512));
  });

  it("leaves traces that are those of the protocol", async () => {
    const random = createRandom(2);
    const sizes = [[1], [1, 2], [1, 3], [1, 2, 3], [1], [1, 2], [1, 2, 3]];
    const all = await Promise.all(sizes.map((s, i) => steps(device, `task ${i}`, { sizes: s })));
    const wcet = { 1: 1e9, 2: 1e9, 3: 1e9 };
    for (const make of [cpuPool, gpuChunks]) {
      using executor = make(
        device,
        all.map(({ task }) => task),
      );
      const { records } = await measure(executor, {
        jobs: 60,
        prepare(task) {
          all[Number(task.split(" ")[1])].uniforms.spin = Math.floor(300 * random.uniform());
        },
      });
      const set = { units: executor.units, tasks: sizes.map((s, i) => ({ id: `task ${i}`, wcet, sizes: executor.units === 1 ? [1] : s })) };
      // Between one job's last moment and the next one's first a unit is nobody's.
      const faults = traceFaults(set, { jobs: records }, { tolerance: 0 }).filter(({ kind }) => kind !== "idle");
      expect(faults).toEqual([]);
      expect(executor.counts.ownershipViolations).toBe(0);
      // The check is one: a job that seems to have had its unit a little longer is found.
      const shifted = records.map((r): JobRecord => ({ ...r, granted: r.granted - 0.9 * (r.granted - r.requested) }));
      expect(traceFaults(set, { jobs: shifted }, { tolerance: 0 }).some(({ kind }) => kind === "overlap")).toBe(true);
    }
  });

  it("counts failures and goes on; what a check throws ends it", async () => {
    const [bad, good] = [await steps(device, "bad"), await steps(device, "good")];
    using executor = cpuPool(device, [bad.task, good.task]);
    let jobs = 0;
    const { tasks, overall, records } = await measure(executor, {
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
    const wrong = new Error("not what it should be");
    const checked = measure(executor, {
      check({ task, job }) {
        if (task === "good" && job === 25) throw wrong;
      },
    });
    await expect(checked).rejects.toBe(wrong);
    await executor.idle();
    expect(executor.counts.submitted).toBeLessThan(40 + 2 * 101);
    expect((await measure(executor, { jobs: 2 })).overall.finished).toBe(4);
  });

  it("stops at a signal and with its executor", async () => {
    const { task } = await transform(device, "a", 64);
    const executor = bestEffort(device, [task]);
    const abort = new AbortController();
    const stopped = measure(executor, { jobs: 1000, signal: abort.signal, onProgress: ({ done }) => done === 7 && abort.abort() });
    await expect(stopped).rejects.toEqual(failing("aborted"));
    expect(executor.counts.submitted).toBeLessThan(10);
    const ended = measure(executor, { jobs: 1000, onProgress: ({ done }) => done === 7 && executor[Symbol.dispose]() });
    await expect(ended).rejects.toEqual(failing("disposed"));
  });

  it.each([
    [{ jobs: 0 }, "jobs"],
    [{ warmUp: 0.5 }, "warmUp"],
    [{ samples: { b: 1 } }, "samples.b"],
    [{ bounds: { a: 0 } }, "bounds.a"],
  ])("refuses %o", async (options, field) => {
    const { task } = await transform(device, "a", 8);
    using executor = bestEffort(device, [task]);
    await expect(measure(executor, options as object)).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it("times no check and no preparation", async () => {
    const { task } = await transform(device, "a", 64);
    using executor = cpuPool(device, [task]);
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
    const { overall, span } = await measure(executor, { jobs: 5, prepare: pause, check: pause });
    // Of five jobs, each beside 60 ms of that.
    expect(span).toBeGreaterThan(4 * 60_000 * 0.9);
    expect(5 * overall.response.mean).toBeLessThan(span - 4 * 60_000 * 0.9);
  });
});
