/** Tests the clock, statistics and profiles: what is timed, on which units, and what is computed from it. */
import { type Device, open, type Plan } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { clock } from "../src/clock.ts";
import { gpuSlots, profileSlots, profileTask, timeStatistics } from "../src/index.ts";
import { choices, sizeProfile } from "../src/profile.ts";
import { failing, relativeError, steps, tolerance, transform } from "./support.ts";

let device: Device;
const openOne = async (): Promise<void> => {
  device = await open(cpu({ workers: 3 }));
};
beforeAll(openOne);
afterAll(() => device[Symbol.dispose]());
afterEach(async ({ task }) => {
  vi.restoreAllMocks();
  // A failed test may leave work on its device, so the next test gets a new one.
  if (task.result?.state === "fail") await openOne();
});

describe("the clock", () => {
  it("has the resolution that it reports", () => {
    const { name, resolution, now } = clock();
    expect(name).toBe("performance.now");
    expect(resolution).toBeGreaterThan(0);
    expect(resolution).toBeLessThan(1000);
    // On a busy machine, time may pass between two readings, but hardly each time.
    const apart = Array.from({ length: 10 }, () => {
      const [before, wall] = [now(), Date.now()];
      while (Date.now() - wall < 20);
      return Math.abs(now() - before - 1000 * (Date.now() - wall));
    });
    expect(Math.min(...apart)).toBeLessThan(2000);
  });
});

describe("a clock that stands still", () => {
  it("is rejected at once", () => {
    const { now } = performance;
    onTestFinished(() => {
      performance.now = now;
    });
    performance.now = () => 5;
    expect(() => clock()).toThrow(failing("unsupported"));
  });
});

describe("statistics", () => {
  it("are those of the sorted times", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 3000 }), (times) => {
        const s = timeStatistics(times);
        expect(s.count).toBe(times.length);
        expect(s.max).toBe(Math.max(...times));
        for (const [share, value] of [
          [50, s.p50],
          [90, s.p90],
          [99, s.p99],
          [99.9, s.p999],
        ] as const) {
          // The smallest time such that at least that share of the times is not above it.
          const enough = (v: number): boolean => times.filter((time) => time <= v).length * 1000 >= Math.round(10 * share) * times.length;
          expect(times).toContain(value);
          expect(enough(value)).toBe(true);
          expect(times.filter((time) => time < value).every((time) => !enough(time))).toBe(true);
        }
      }),
      { numRuns: 60, seed: 1 },
    );
    expect(timeStatistics([])).toEqual({ count: 0, mean: 0, p50: 0, p90: 0, p99: 0, p999: 0, max: 0 });
    expect(timeStatistics([3, 1, 2])).toMatchObject({ mean: 2, p50: 2, p90: 3 });
  });
});

describe("sets of units", () => {
  it("are all that exist, or neighbouring units", () => {
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

  it("give a slowdown, which is applied once", () => {
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
  it("times a job on every set of units while the others work", async () => {
    const { task, plan, expected, out } = await transform(device, "a", 1024, { lines: 2 });
    const before = device.memory();
    const made = vi.spyOn(device, "plan");
    const ran = vi.spyOn(plan, "run");
    const progress: number[] = [];
    let prepared = 0;
    const { sizes, wcet, ...facts } = await profileTask(device, task, {
      runs: 60,
      warmUp: 2,
      margin: 1.25,
      prepare: () => void prepared++,
      onProgress: ({ size, done, total }) => progress.push(size + done / total),
    });
    expect(facts).toMatchObject({ task: "a", kind: "cpu-pool", units: 3, chunks: 1, margin: 1.25, warmUp: 2, interference: "fft" });
    expect(facts.clock.resolution).toBeGreaterThan(0);
    // 60 runs each, and 2 more in each block. Of 3 sets twice, 3 sets twice, 1 set twice; but as a set needs 20 runs, each once.
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
    // Two runs per unit, so that one waits while the other runs.
    expect(others).toHaveLength(6);
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

  it("loads exactly the units that the job does not use", async () => {
    const { task, plan } = await transform(device, "b", 64);
    /** Number of runs of each unit. */
    const working = new Map<number, number>();
    const add = (unit: number, runs: number): void => {
      const total = (working.get(unit) ?? 0) + runs;
      if (total > 0) working.set(unit, total);
      else working.delete(unit);
    };
    const made = device.plan.bind(device);
    vi.spyOn(device, "plan").mockImplementation(async (op, options) => {
      const other = await made(op, options);
      const run = other.run;
      vi.spyOn(other, "run").mockImplementation((bindings, runOptions) => {
        const unit = runOptions?.units?.[0] as number;
        add(unit, 1);
        const queued = run(bindings, runOptions);
        queued.done.then(() => add(unit, -1));
        return queued;
      });
      return other;
    });
    const run = plan.run;
    const seen: string[] = [];
    vi.spyOn(plan, "run").mockImplementation((bindings, options) => {
      seen.push(`${options?.units?.join()} beside ${[...working.keys()].sort().join()}`);
      return run(bindings, options);
    });
    await profileTask(device, task, { runs: 40, warmUp: 3, sizes: [1, 2] });
    expect(new Set(seen.map((text) => text.split(" ")[0]))).toEqual(new Set(["0", "1", "0,1", "1,2"]));
    for (const text of seen) {
      const [own, others] = text.split(" beside ").map((part) => part.split(","));
      expect(own.some((unit) => others.includes(unit))).toBe(false);
    }
    // The other units are loaded, except for moments between two runs.
    for (const choice of ["0", "1", "0,1", "1,2"]) {
      const beside = seen.filter((text) => text.startsWith(`${choice} `));
      const loaded = beside.filter((text) => text.split(" beside ").join().split(",").length === 3);
      expect(loaded.length, choice).toBeGreaterThan(beside.length / 2);
    }
    // Nothing runs afterwards.
    expect(working.size).toBe(0);
  });

  it("times each run of a job separately for chunks", async () => {
    const chain = await steps(device, "chain", { runs: 4 });
    chain.uniforms.spin = 500;
    const { sizes, wcet, chunks, kind, units, interference } = await profileTask(device, chain.task, {
      kind: "gpu-chunks",
      runs: 10,
      warmUp: 1,
    });
    expect([kind, units, chunks, interference]).toEqual(["gpu-chunks", 1, 4, "none"]);
    expect(sizes).toMatchObject([{ size: 1, count: 40, subsets: 1, exhaustive: true }]);
    expect(wcet[1]).toBe(1.2 * sizes[0].max);
  });

  it("times dispatches of slots, with each task first in turn", async () => {
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

  it("ends early if its signal fires or a job fails", async () => {
    const bad = await steps(device, "bad");
    const before = device.memory();
    const abort = new AbortController();
    const stopped = profileTask(device, bad.task, { signal: abort.signal, onProgress: ({ done }) => done === 5 && abort.abort() });
    await expect(stopped).rejects.toEqual(failing("aborted"));
    bad.uniforms.trap = 1;
    await expect(profileTask(device, bad.task)).rejects.toEqual(failing("failed"));
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
  ])("rejects %o", async (options, field) => {
    const { task } = await transform(device, "a", 8);
    await expect(profileTask(device, task, options as object)).rejects.toMatchObject({ code: "input", fields: { field } });
  });
});
