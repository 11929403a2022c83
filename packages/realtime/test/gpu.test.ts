/** Tests chunks and slots: correct results on a GPU and on the CPU, one dispatch at a time, and every way in which a job can end. */
import { type Device, type Kernel, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Executor, gpuChunks, gpuSlots, type JobRecord, planChunkedTransform } from "../src/index.ts";
import { definition, failing, noise, relativeError, steps, tolerance, transform } from "./support.ts";

/** The device `least` can bind eight arrays. */
let devices: Readonly<Record<"cpu" | "gpu" | "least", Device>>;
const openAll = async (): Promise<void> => {
  devices = { cpu: await open(cpu({ workers: 2 })), gpu: await open(gpu()), least: await open(gpu({ limits: "default" })) };
};
beforeAll(openAll);
afterAll(() => {
  for (const device of Object.values(devices)) device[Symbol.dispose]();
});
afterEach(async ({ task }) => {
  vi.restoreAllMocks();
  // A failed test may leave work on its devices, so the next test gets new ones.
  if (task.result?.state === "fail") await openAll();
});

const names = ["cpu", "gpu"] as const;

/** Runs one job of every task at the same time, `jobs` times. */
async function rounds(executor: Executor, jobs: number): Promise<JobRecord[]> {
  const all = await Promise.all(
    executor.tasks.map(async (task) => {
      const records: JobRecord[] = [];
      for (let job = 0; job < jobs; job++) records.push(await executor.submit(task));
      return records;
    }),
  );
  return all.flat();
}

describe.each(names)("chunks on the %s", (name) => {
  it("give the results of the definition, one run at a time, in turn", async () => {
    const device = devices[name];
    const n = 32;
    const shape = layout("c64", [10, n]);
    using a = await planChunkedTransform(device, { op: "fft", layout: shape, axis: 1, inverse: false }, { rows: 4 });
    using b = await planChunkedTransform(device, { op: "fft", layout: shape, axis: 1, inverse: true }, { rows: 5, inPlace: true });
    const c = await transform(device, "c", 128);
    expect([a.runs.length, b.runs.length]).toEqual([3, 2]);
    const data = noise(2 * 10 * n, 1);
    a.write(data);
    b.write(data);
    using executor = gpuChunks(device, [{ id: "a", runs: a.runs, sizes: [1, 4] }, { id: "b", runs: b.runs }, c.task]);
    const order: string[] = [];
    let flying = 0;
    const watched = [...a.runs, ...b.runs, ...c.task.runs].map(({ plan }) => plan);
    for (const plan of new Set(watched)) {
      const run = plan.run;
      vi.spyOn(plan, "run").mockImplementation((...args) => {
        expect(++flying).toBe(1);
        order.push(a.runs.some((r) => r.plan === plan) ? "a" : b.runs.some((r) => r.plan === plan) ? "b" : "c");
        const queued = run(...args);
        queued.done.then(() => flying--);
        return queued;
      });
    }
    const records = await Promise.all(["a", "b", "c"].map((id) => executor.submit(id)));
    expect(order.join("")).toBe("abcaba");
    for (const { requested, granted, finished, units } of records) {
      expect(requested <= granted && granted <= finished).toBe(true);
      expect(units).toEqual([0]);
    }
    expect(relativeError(await a.read(), definition(data, n))).toBeLessThan(tolerance(n));
    expect(relativeError(await b.read(), definition(data, n, true))).toBeLessThan(tolerance(n));
    expect(relativeError(await c.out.read(), c.expected)).toBeLessThan(tolerance(128));
    expect(executor.counts).toEqual({
      submitted: 3,
      finished: 3,
      failed: 0,
      aborted: 0,
      ownershipChecks: 12,
      ownershipViolations: 0,
    });
    await expect(executor.submit("d")).rejects.toEqual(failing("input"));
  });

  it("stop between two runs", async () => {
    const device = devices[name];
    const shape = layout("c64", [8, 64]);
    using a = await planChunkedTransform(device, { op: "fft", layout: shape, axis: 1, inverse: false }, { rows: 1 });
    const b = await transform(device, "b", 64);
    const executor = gpuChunks(device, [{ id: "a", runs: a.runs }, b.task]);
    const abort = new AbortController();
    const ran = vi.spyOn(a.runs[0].plan, "run");
    const job = executor.submit("a", { signal: abort.signal });
    const beside = executor.submit("b");
    await beside;
    abort.abort();
    await expect(job).rejects.toEqual(failing("aborted"));
    expect(ran.mock.calls.length).toBeLessThan(8);
    const last = executor.submit("a");
    const waiting = executor.submit("b");
    executor[Symbol.dispose]();
    await expect(waiting).rejects.toEqual(failing("disposed"));
    await expect(last).rejects.toEqual(failing("disposed"));
    await executor.idle();
    expect(executor.counts).toMatchObject({ submitted: 4, finished: 1, aborted: 3, failed: 0 });
  });

  it("reject transforms that can not be split", async () => {
    const device = devices[name];
    const op = { op: "fft", layout: layout("c64", [8, 64]), axis: 1, inverse: false } as const;
    await expect(planChunkedTransform(device, { ...op, axis: 0 }, { rows: 2 })).rejects.toMatchObject({
      code: "input",
      fields: { field: "op.axis" },
    });
    for (const rows of [0, 1.5])
      await expect(planChunkedTransform(device, op, { rows })).rejects.toMatchObject({ fields: { field: "rows" } });
    await expect(planChunkedTransform(device, { ...op, layout: layout("c64", [10_000, 2]) }, { rows: 1 })).rejects.toEqual(
      failing("input"),
    );
    const before = device.memory().buffers;
    using made = await planChunkedTransform(device, { ...op, n: 100, keep: [10, 20] }, { rows: 3 });
    expect(() => made.write(new Float32Array(5))).toThrow(failing("layout"));
    const data = noise(2 * 8 * 64, 9);
    made.write(data);
    for (const { plan, bindings } of made.runs) plan.run(bindings);
    const all = definition(
      Float32Array.from({ length: 1600 }, (_, i) => (i % 200 < 128 ? data[128 * Math.floor(i / 200) + (i % 200)] : 0)),
      100,
    );
    const kept = all.filter((_, i) => i % 200 >= 20 && i % 200 < 60);
    expect(relativeError(await made.read(), kept)).toBeLessThan(tolerance(100));
    made[Symbol.dispose]();
    expect(device.memory().buffers).toBe(before);
  });
});

it("chunks survive a run that fails", async () => {
  const device = devices.cpu;
  const [bad, good] = [await steps(device, "bad", { runs: 3 }), await steps(device, "good", { runs: 3 })];
  using executor = gpuChunks(device, [bad.task, good.task]);
  bad.uniforms.trap = 1;
  const [failed, finished] = await Promise.allSettled([executor.submit("bad"), executor.submit("good")]);
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "failed" } });
  expect(finished.status).toBe("fulfilled");
  bad.uniforms.trap = 0;
  await executor.submit("bad");
  expect(executor.counts).toMatchObject({ finished: 2, failed: 1, ownershipViolations: 0 });
});

describe.each(names)("slots on the %s", (name) => {
  it("give the results of the definition, with several lengths in one dispatch", async () => {
    const device = devices[name];
    const transforms = [
      await transform(device, "a", 20, { inPlace: true, lines: 9, sizes: [1, 2, 4] }),
      await transform(device, "b", 20, { inPlace: true, lines: 5, inverse: true }),
      await transform(device, "c", 8, { inPlace: true, lines: 200, sizes: [1, 3] }),
      await transform(device, "d", 15, { inPlace: true, lines: 3, sizes: [1, 2, 3] }),
      await transform(device, "e", 64, { inPlace: true }),
    ];
    const before = device.memory();
    const executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 10 },
    );
    expect([executor.kind, executor.units, executor.admitted]).toEqual(["gpu-slots", 10, 5]);
    const records = await rounds(executor, 1);
    // One slot each, and five more: a may not have 5, so it has 4; c has 3 in all; d gets no more.
    expect(records.map(({ units }) => units)).toEqual([[0, 1, 2, 3], [4], [5, 6, 7], [8], [9]]);
    for (const { out, expected, task } of transforms) {
      const n = out.layout.shape[1];
      expect(relativeError(await out.read(), expected), task.id).toBeLessThan(tolerance(n));
    }
    // A single task gets all slots that it may have, and no other task's array changes.
    transforms[2].in.write(transforms[2].input);
    const untouched = await transforms[0].out.read();
    expect((await executor.submit("c")).units).toEqual([0, 1, 2]);
    expect(relativeError(await transforms[2].out.read(), transforms[2].expected)).toBeLessThan(tolerance(8));
    expect(await transforms[0].out.read()).toEqual(untouched);
    expect(executor.counts).toMatchObject({ submitted: 6, finished: 6, failed: 0, aborted: 0, ownershipViolations: 0 });
    executor[Symbol.dispose]();
    expect(device.memory()).toMatchObject({ buffers: before.buffers, plans: before.plans });
  });

  it("serve requests in order, dispatch by dispatch", async () => {
    const device = devices[name];
    const transforms = await Promise.all(Array.from({ length: 5 }, (_, i) => transform(device, `${i}`, 16, { inPlace: true })));
    using executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 2 },
    );
    expect(executor.admitted).toBe(2);
    const records = await rounds(executor, 4);
    const ordered = [...records].sort((a, b) => a.granted - b.granted || a.units[0] - b.units[0]);
    for (let i = 1; i < ordered.length; i++) expect(ordered[i].requested).toBeGreaterThanOrEqual(ordered[i - 1].requested);
    for (const [i, record] of ordered.entries()) {
      const beside = ordered.filter((other, j) => j !== i && other.granted < record.finished && record.granted < other.finished);
      expect(beside.length).toBeLessThanOrEqual(1);
      for (const other of beside) expect(other.units.some((unit) => record.units.includes(unit))).toBe(false);
    }
    // Four transforms of a line return it multiplied by n².
    for (const { out, input } of transforms)
      expect(
        relativeError(
          await out.read(),
          input.map((v) => 256 * v),
        ),
      ).toBeLessThan(4 * tolerance(16));
  });

  it("remove aborted and disposed jobs, and let running jobs finish", async () => {
    const device = devices[name];
    const transforms = await Promise.all(Array.from({ length: 4 }, (_, i) => transform(device, `${i}`, 16, { inPlace: true })));
    const executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 1 },
    );
    const abort = new AbortController();
    const jobs = transforms.map(({ task }) => executor.submit(task.id, { signal: abort.signal }));
    await expect(executor.submit("0")).rejects.toEqual(failing("input"));
    const settled = Promise.allSettled(jobs);
    await jobs[0];
    abort.abort();
    expect((await settled).map((job) => (job.status === "rejected" ? job.reason.code : "finished"))).toEqual([
      "finished",
      "finished",
      "aborted",
      "aborted",
    ]);
    const [running, waiting] = [executor.submit("0"), executor.submit("1")];
    await Promise.resolve();
    executor[Symbol.dispose]();
    await expect(waiting).rejects.toEqual(failing("disposed"));
    await running;
    await executor.idle();
    await expect(executor.submit("0")).rejects.toEqual(failing("disposed"));
    expect(executor.counts).toMatchObject({ submitted: 6, finished: 3, aborted: 3, failed: 0 });
  });

  it("reject everything but in-place transforms that a workgroup can do", async () => {
    const device = devices[name];
    const fine = await transform(device, "fine", 16, { inPlace: true });
    const refused = async (task: typeof fine.task, why: RegExp): Promise<void> => {
      await expect(gpuSlots(device, [fine.task, task])).rejects.toMatchObject({
        code: "unsupported",
        message: expect.stringMatching(why),
        fields: { task: task.id },
      });
    };
    await refused((await transform(device, "apart", 16)).task, /not an in-place/);
    await refused({ id: "same", runs: fine.task.runs }, /fine uses the same array/);
    await refused({ id: "two", runs: [fine.task.runs[0], fine.task.runs[0]] }, /not a single transform/);
    const shape = layout("c64", [16, 16]);
    const columns = await device.plan({ op: "fft", layout: shape, axis: 0, inverse: false }, { inPlace: true });
    const array = device.alloc(shape);
    await refused({ id: "columns", runs: [{ plan: columns, bindings: { in: array, out: array } }] }, /not a single transform/);
    if (name === "gpu") {
      const line = layout("c64", [1, 2 ** 16]);
      const long = await device.plan({ op: "fft", layout: line, axis: 1, inverse: false }, { inPlace: true });
      const held = device.alloc(line);
      await refused(
        { id: "long", runs: [{ plan: long, bindings: { in: held, out: held } }] },
        /a workgroup of the device can not transform lines of that length/,
      );
    }
    for (const slots of [0, 2.5, 5000]) await expect(gpuSlots(device, [fine.task], { slots })).rejects.toEqual(failing("input"));
    await expect(gpuSlots(device, [{ ...fine.task, sizes: [1, 9] }], { slots: 8 })).rejects.toEqual(failing("input"));
  });
});

describe("slots with more tasks than a kernel can bind", () => {
  it("serve any of them, as many at once as the kernel can bind", async () => {
    const device = devices.least;
    expect(device.limits.kernelArrays?.count).toBe(7);
    const transforms = [
      ...(await Promise.all(Array.from({ length: 9 }, (_, i) => transform(device, `a${i}`, 4, { inPlace: true, lines: 2 })))),
      await transform(device, "b", 8, { inPlace: true }),
    ];
    using executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 16 },
    );
    expect(executor.admitted).toBe(6);
    await rounds(executor, 3);
    for (const { out, expected, input, task } of transforms) {
      // Two transforms reverse a line and multiply it by n. The third transforms that.
      const n = out.layout.shape[1];
      const line = (e: number): number => Math.floor(e / (2 * n)) * 2 * n;
      const turned = Float64Array.from(input, (_, e) => n * input[line(e) + 2 * ((n - ((e - line(e)) >> 1)) % n) + (e & 1)]);
      expect(expected.length).toBe(turned.length);
      expect(relativeError(await out.read(), definition(turned, n)), task.id).toBeLessThan(3 * tolerance(n));
    }
  });
});

describe("slots after failures", () => {
  it("fail the jobs of a failed dispatch, but no later job", async () => {
    const device = devices.cpu;
    const transforms = await Promise.all(Array.from({ length: 3 }, (_, i) => transform(device, `${i}`, 16, { inPlace: true })));
    const made = device.plan.bind(device);
    let broken = false;
    const plan = vi.spyOn(device, "plan").mockImplementation((op, options) => {
      const { reference, ...kernel } = op as Kernel;
      return made(
        {
          ...kernel,
          reference(...args) {
            if (broken) throw new Error("failed on request");
            reference(...args);
          },
        },
        options,
      );
    });
    using executor = await gpuSlots(
      device,
      transforms.map(({ task }) => task),
      { slots: 4 },
    );
    plan.mockRestore();
    broken = true;
    const failed = await Promise.allSettled([executor.submit("0"), executor.submit("1")]);
    for (const result of failed) expect(result).toMatchObject({ status: "rejected", reason: { code: "failed" } });
    broken = false;
    await executor.submit("2");
    expect(relativeError(await transforms[2].out.read(), transforms[2].expected)).toBeLessThan(tolerance(16));
    // The arrays of a failed dispatch can not be used until they are written.
    await expect(executor.submit("0")).rejects.toEqual(failing("failed"));
    for (const { in: array, input } of transforms) array.write(input);
    await rounds(executor, 1);
    for (const { out, expected } of transforms) expect(relativeError(await out.read(), expected)).toBeLessThan(tolerance(16));
    expect(executor.counts).toMatchObject({ finished: 4, failed: 3, ownershipViolations: 0 });
  });

  it("settle all jobs when the device is disposed", async () => {
    const device = await open(gpu());
    const transforms = await Promise.all(Array.from({ length: 6 }, (_, i) => transform(device, `${i}`, 16, { inPlace: true })));
    const executors = [
      await gpuSlots(
        device,
        transforms.slice(0, 3).map(({ task }) => task),
        { slots: 1 },
      ),
      gpuChunks(
        device,
        transforms.slice(3).map(({ task }) => task),
      ),
    ];
    const jobs = executors.flatMap((executor) => executor.tasks.map((task) => executor.submit(task)));
    await Promise.resolve();
    device[Symbol.dispose]();
    const settled = await Promise.allSettled(jobs);
    for (const result of settled) if (result.status === "rejected") expect(result.reason).toEqual(failing("disposed"));
    expect(settled.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(4);
    for (const executor of executors) {
      await executor.idle();
      await expect(executor.submit(executor.tasks[0])).rejects.toEqual(failing("disposed"));
      executor[Symbol.dispose]();
    }
  });
});
