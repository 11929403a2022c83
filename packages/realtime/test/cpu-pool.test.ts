/** Tests jobs on the workers of a CPU device: correct results on exactly the granted units, and every way in which a job can end. */
import { type Device, isRadarError, layout, type Op, open, portsOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterEach, describe, expect, it, vi } from "vitest";
import { bestEffort, cpuPool, type Executor, type JobRecord, ownerWords, profileTask } from "../src/index.ts";
import { failing, hold, mortal, relativeError, steps, tolerance, transform } from "./support.ts";

const devices: Device[] = [];
const opened = async (units: number): Promise<Device> => {
  const device = await open(cpu({ workers: units }));
  devices.push(device);
  return device;
};
afterEach(() => {
  for (const device of devices.splice(0)) device[Symbol.dispose]();
});

const sound = ({ requested, granted, finished }: JobRecord): boolean => requested <= granted && granted <= finished;

describe.each([
  ["cpu-pool", (device: Device, tasks: Parameters<typeof cpuPool>[1]): Executor => cpuPool(device, tasks)],
  ["best-effort", (device: Device, tasks: Parameters<typeof cpuPool>[1]): Executor => bestEffort(device, tasks)],
] as const)("%s", (kind, make) => {
  it("gives the results of the definition, job after job", async () => {
    const device = await opened(3);
    const transforms = [
      await transform(device, "a", 1024, { lines: 4, sizes: [1, 2, 3] }),
      await transform(device, "b", 360, { lines: 3, sizes: [1, 2], inverse: true }),
      await transform(device, "c", 64, { lines: 16 }),
      await transform(device, "d", 1000),
    ];
    using executor = make(
      device,
      transforms.map(({ task }) => task),
    );
    expect([executor.kind, executor.units, executor.tasks]).toEqual([kind, 3, ["a", "b", "c", "d"]]);
    for (let job = 0; job < 20; job++) {
      const records = await Promise.all(transforms.map(({ task }) => executor.submit(task.id)));
      expect(records.map((record) => [record.task, record.job, sound(record)])).toEqual(transforms.map(({ task }) => [task.id, job, true]));
    }
    for (const { out, expected, task } of transforms)
      expect(relativeError(await out.read(), expected)).toBeLessThan(tolerance(task.id === "d" ? 1000 : 1024));
    expect(executor.counts).toMatchObject({ submitted: 80, finished: 80, failed: 0, aborted: 0, ownershipViolations: 0 });
  });

  it("rejects a second outstanding job, unknown tasks, and jobs after disposal", async () => {
    const device = await opened(2);
    const { task } = await transform(device, "a", 256);
    const executor = make(device, [task]);
    const first = executor.submit("a");
    await expect(executor.submit("a")).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    await expect(executor.submit("b")).rejects.toMatchObject({ code: "input", fields: { field: "task" } });
    await first;
    await executor.submit("a");
    executor[Symbol.dispose]();
    await expect(executor.submit("a")).rejects.toEqual(failing("disposed"));
    expect(executor.counts).toMatchObject({ submitted: 2, finished: 2 });
  });

  it.each([
    [[], "tasks"],
    [[{ id: "", runs: [] }], "tasks[0].id"],
    [[{ id: "a", runs: [] }], "tasks[0].runs"],
    [undefined, "tasks"],
  ])("rejects tasks %o", async (tasks, field) => {
    const device = await opened(2);
    expect(() => make(device, tasks as never)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
    );
  });

  it("fails a job with the exception or rejection of its plan as the cause", async () => {
    const device = await opened(2);
    const { task } = await steps(device, "a");
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const cause of [Object.create(null), proxy, Symbol("x"), null]) {
      const fail = (): never => {
        throw cause;
      };
      for (const run of [fail, () => ({ done: Promise.reject(cause) })]) {
        using executor = make(device, [{ ...task, runs: task.runs.map((one) => ({ ...one, plan: { ...one.plan, run } })) }]);
        const error = await executor.submit("a").then(
          () => undefined,
          (reason: unknown) => reason,
        );
        expect(isRadarError(error, "failed") && error.message.startsWith("a job of a failed: ")).toBe(true);
        expect((error as Error).cause === cause).toBe(true);
        expect(executor.counts).toMatchObject({ submitted: 1, finished: 0, failed: 1 });
      }
    }
  });

  it("fails only the job whose run fails", async () => {
    const device = await opened(2);
    const [bad, good] = [await steps(device, "bad", { runs: 2 }), await steps(device, "good")];
    using executor = make(device, [bad.task, good.task]);
    bad.uniforms.trap = 1;
    const [failure, record] = await Promise.allSettled([executor.submit("bad"), executor.submit("good")]);
    expect(failure).toMatchObject({ status: "rejected", reason: { code: "failed" } });
    expect(record.status).toBe("fulfilled");
    bad.uniforms.trap = 0;
    await executor.submit("bad");
    expect(executor.counts).toMatchObject({ submitted: 3, finished: 2, failed: 1, aborted: 0 });
  });

  it("settles all jobs when its device is disposed", async () => {
    const device = await opened(2);
    const tasks = await Promise.all(Array.from({ length: 6 }, (_, i) => steps(device, `${i}`)));
    const [{ begun }] = tasks.map(hold);
    using executor = make(
      device,
      tasks.map(({ task }) => task),
    );
    const jobs = tasks.map(({ task }) => executor.submit(task.id));
    const settled = Promise.allSettled(jobs);
    await begun();
    device[Symbol.dispose]();
    for (const result of await settled) expect(result).toEqual({ status: "rejected", reason: failing("disposed") });
    await executor.idle();
    await expect(executor.submit("0")).rejects.toEqual(failing("disposed"));
  });
});

describe("the pool", () => {
  it("runs a job on exactly its units, which are the lowest idle ones", async () => {
    const device = await opened(4);
    const tasks = await Promise.all([
      transform(device, "a", 64, { sizes: [1, 2] }),
      transform(device, "b", 64, { sizes: [1, 3] }),
      transform(device, "c", 64, { sizes: [1, 2, 3, 4] }),
      transform(device, "d", 64),
    ]);
    const ran = tasks.map(({ plan }) => vi.spyOn(plan, "run"));
    using executor = cpuPool(
      device,
      tasks.map(({ task }) => task),
    );
    const records = await Promise.all(tasks.map(({ task }) => executor.submit(task.id)));
    // Task a has units 0 and 1. Of b's sizes only 1 fits into the two left. c gets the last unit. d waits.
    expect(records.slice(0, 3).map(({ units }) => units)).toEqual([[0, 1], [2], [3]]);
    expect(records[3].units).toHaveLength(1);
    expect(records[3].granted).toBeGreaterThanOrEqual(Math.min(...records.slice(0, 3).map(({ finished }) => finished)));
    records.forEach(({ units }, i) => expect(ran[i].mock.calls[0][1]).toMatchObject({ units }));
  });

  it("runs jobs on different units at the same time", async () => {
    const device = await opened(2);
    const [long, short] = [await steps(device, "long"), await steps(device, "short")];
    using executor = cpuPool(device, [long.task, short.task]);
    const held = hold(long);
    const slow = executor.submit("long");
    const records: JobRecord[] = [];
    for (let job = 0; job < 3; job++) records.push(await executor.submit("short"));
    held.release();
    const { granted, finished, units } = await slow;
    for (const record of records) {
      expect([units, record.units]).toEqual([[0], [1]]);
      expect(granted).toBeLessThan(record.granted);
      expect(record.finished).toBeLessThan(finished);
    }
  });

  it("uses only its part of the device", async () => {
    const device = await opened(3);
    const { task } = await transform(device, "a", 64, { sizes: [1, 2] });
    using executor = cpuPool(device, [task], { units: 2 });
    expect(executor.units).toBe(2);
    expect((await executor.submit("a")).units).toEqual([0, 1]);
    for (const units of [0, 4, 1.5])
      expect(() => cpuPool(device, [task], { units })).toThrow(/units must be an integer from 1 to the device's 3/);
    expect(() => cpuPool(device, [task], { units: 1 })).toThrow(/tasks\[0\]\.sizes\[1\] must be an integer from 1 to 1/);
  });

  it("rejects tasks that the device could not run at the same time", async () => {
    const device = await opened(2);
    const [a, b] = [await transform(device, "a", 64), await transform(device, "b", 64)];
    const other = (run: object) => ({ id: "other", runs: [{ ...b.task.runs[0], ...run }] });
    expect(() => cpuPool(device, [a.task, other({ plan: a.plan })])).toThrow(/tasks\[1\]\.runs\[0\]\.plan/);
    expect(() => cpuPool(device, [a.task, other({ bindings: { in: a.out, out: b.out } })])).toThrow(/tasks\[1\]\.runs\[0\]\.bindings\.in/);
    expect(() => cpuPool(device, [a.task, other({ bindings: { in: b.in, out: a.in } })])).toThrow(/tasks\[1\]\.runs\[0\]\.bindings\.out/);
    // Both tasks only read this array.
    using executor = cpuPool(device, [a.task, other({ bindings: { in: a.in, out: b.out } })]);
    await Promise.all([executor.submit("a"), executor.submit("other")]);
    expect(await b.out.read()).toEqual(await a.out.read());
  });

  it("runs the runs of a job in order", async () => {
    const device = await opened(2);
    const chain = await steps(device, "chain", { runs: 5, sizes: [1, 2] });
    using executor = cpuPool(device, [chain.task]);
    chain.in.write(Uint32Array.from({ length: 64 }, (_, i) => i));
    await executor.submit("chain");
    // Five times 3x + 1.
    expect([...(await chain.out.read())]).toEqual(Array.from({ length: 64 }, (_, i) => 243 * i + 121));
    expect(executor.counts.ownershipChecks).toBe(4);
  });

  it("removes aborted jobs from the queue and stops running ones", async () => {
    const device = await opened(1);
    const [long, a, b, c] = await Promise.all(["long", "a", "b", "c"].map((id) => steps(device, id)));
    using executor = cpuPool(
      device,
      [long, a, b, c].map(({ task }) => task),
    );
    long.uniforms.spin = 1_000_000;
    const [running, waiting] = [new AbortController(), new AbortController()];
    const jobs = [
      executor.submit("long", { signal: running.signal }),
      executor.submit("a"),
      executor.submit("b", { signal: waiting.signal }),
      executor.submit("c"),
    ];
    await expect(executor.submit("b", { signal: AbortSignal.abort() })).rejects.toEqual(failing("input"));
    waiting.abort();
    await expect(jobs[2]).rejects.toEqual(failing("aborted"));
    await expect(executor.submit("b", { signal: waiting.signal })).rejects.toEqual(failing("aborted"));
    setTimeout(() => running.abort(), 5);
    await expect(jobs[0]).rejects.toEqual(failing("aborted"));
    const [first, second] = [await jobs[1], await jobs[3]];
    expect(first.finished).toBeLessThanOrEqual(second.granted);
    expect(executor.counts).toMatchObject({ submitted: 5, finished: 2, failed: 0, aborted: 3 });
  });

  it("rejects waiting jobs when it is disposed, and lets running jobs finish", async () => {
    const device = await opened(1);
    const [a, b] = [await steps(device, "a"), await steps(device, "b")];
    const executor = cpuPool(device, [a.task, b.task]);
    const jobs = [executor.submit("a"), executor.submit("b")];
    executor[Symbol.dispose]();
    await expect(jobs[1]).rejects.toEqual(failing("disposed"));
    expect((await jobs[0]).task).toBe("a");
    await executor.idle();
    expect(executor.counts).toMatchObject({ finished: 1, aborted: 1 });
  });

  it("detects a unit that another task owns, before and after a job", async () => {
    const device = await opened(2);
    const { task } = await transform(device, "a", 64, { sizes: [1, 2] });
    const owners = ownerWords(2);
    using executor = cpuPool(device, [task], { owners });
    Atomics.store(owners, 1, 99);
    await expect(executor.submit("a")).rejects.toMatchObject({ code: "failed", fields: { units: [0, 1] } });
    expect([...owners]).toEqual([0, 99]);
    Atomics.store(owners, 1, 0);
    const job = executor.submit("a");
    expect([...owners]).toEqual([1, 1]);
    Atomics.store(owners, 0, 99);
    await expect(job).rejects.toEqual(failing("failed"));
    await executor.submit("a");
    expect(executor.counts).toMatchObject({ finished: 1, failed: 2, ownershipViolations: 2 });
    expect([...owners]).toEqual([0, 0]);
    for (const units of [0, -1, 1.5, 1e9]) expect(() => ownerWords(units)).toThrow(failing("input"));
    expect(() => cpuPool(device, [task], { owners: ownerWords(1) })).toThrow(/owners must be an Int32Array of at least 2 words/);
  });

  it("recovers from the death of a worker", async () => {
    const { device, kill } = await mortal({ workers: 2 });
    devices.push(device);
    const [a, b] = [await steps(device, "a"), await steps(device, "b")];
    using executor = cpuPool(device, [a.task, b.task]);
    a.in.write(new Uint32Array(64).fill(5));
    a.uniforms.spin = 1_000_000_000;
    const doomed = executor.submit("a");
    const beside = executor.submit("b");
    await new Promise((resolve) => setTimeout(resolve, 30));
    await kill(0);
    await expect(doomed).rejects.toMatchObject({ code: "failed", message: expect.stringMatching(/worker died/) });
    expect((await beside).units).toEqual([1]);
    a.uniforms.spin = 0;
    expect((await executor.submit("a")).units).toEqual([0]);
    expect(await a.out.read()).toEqual(new Uint32Array(64).fill(16));
  });

  it("works on a host without workers", async () => {
    const device = await opened(1);
    const a = await transform(device, "a", 128, { inPlace: true });
    using executor = cpuPool(device, [a.task]);
    await executor.submit("a");
    expect(relativeError(await a.out.read(), a.expected)).toBeLessThan(tolerance(128));
    // In place, so the next job transforms the last result: x(−i)·n after two jobs.
    await executor.submit("a");
    const turned = Float64Array.from(a.input, (_, i) => 128 * a.input[2 * ((128 - (i >> 1)) % 128) + (i & 1)]);
    expect(relativeError(await a.out.read(), turned)).toBeLessThan(2 * tolerance(128));
  });
});

it("rejects plans that do not run on units, unless the device has a single unit", async () => {
  const shape = layout("c128", [2, 64]);
  const op: Op = { op: "fft", layout: shape, axis: 1, inverse: false };
  const lowered: Op = { op: "transpose", layout: layout("f64", [2, 3, 4]), permutation: [2, 1, 0] };
  for (const units of [1, 2]) {
    const device = await opened(units);
    for (const one of [op, lowered]) {
      const plan = await device.plan(one);
      const { in: input, out } = portsOf(one);
      const task = { id: "a", runs: [{ plan, bindings: { in: device.alloc(input.layout), out: device.alloc(out.layout) } }] };
      expect(plan.offUnits).toBe(true);
      if (units === 1) {
        using executor = cpuPool(device, [task]);
        await executor.submit("a");
      } else {
        const refused = (field: string) => expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) });
        expect(() => cpuPool(device, [task])).toThrow(refused("tasks[0].runs[0].plan"));
        await expect(profileTask(device, task, { runs: 1 })).rejects.toEqual(refused("task.runs[0].plan"));
      }
    }
    const { task } = await transform(device, "b", 256);
    expect(task.runs[0].plan.offUnits).toBeUndefined();
  }
});
