/**
 * Tests the modules that a device makes of expressions: it keeps those in use and a few more, and replaces the others, on this thread and
 * in the workers, while other work runs.
 */
import { Worker } from "node:worker_threads";
import { type Device, fft, layout, open, type Plan, type RadarError } from "@dechirp/core";
import { load, map } from "@dechirp/core/expression";
import { expect, test, vi } from "vitest";
import { cpu } from "../src/index.ts";

const shape = [16, 500];
const [lines, reals] = [layout("c64", shape), layout("f32", shape)];
const elements = shape[0] * shape[1];

/** A map whose code is another for each number: y = number·x + line. */
const mapOf = (number: number) =>
  map({ name: `map ${number}`, shape, sources: { x: reals }, outputs: { y: "f32" } }, `y = ${number} * x + toReal(i0)`);
const ramp = Float32Array.from({ length: elements }, (_, i) => (i % 251) / 8);
/** Fails unless this is what the map with this number computes. Comparing 8000 numbers one by one would take most of the time. */
function expectMap(number: number, result: Float32Array): void {
  const wrong = result.findIndex((y, i) => y !== Math.fround(number * ramp[i] + Math.floor(i / shape[1])));
  expect(wrong, `element of map ${number} that is wrong`).toBe(-1);
  expect(result.length).toBe(elements);
}

/** Plans the map, runs it on all units and returns the result. */
async function resultOf(device: Device, number: number): Promise<Float32Array> {
  using plan = await device.plan(mapOf(number));
  return run(device, plan);
}

async function run(device: Device, plan: Plan): Promise<Float32Array> {
  using x = device.alloc(reals);
  using y = device.alloc(reals);
  x.write(ramp);
  plan.run({ x, y }, { units: Array.from({ length: device.units }, (_, unit) => unit) });
  return await y.read();
}

test.each([1, 2])("300 expressions one after the other take no more memory than one (%d units)", async (workers) => {
  using device = await open(cpu({ workers }));
  const grown = vi.spyOn(WebAssembly.Table.prototype, "grow");
  try {
    using kept = await device.plan(mapOf(0.5));
    expectMap(0.5, await run(device, kept));
    const before = device.memory();
    for (let number = 1; number <= 300; number++) expectMap(number, await resultOf(device, number));
    expect(device.memory()).toEqual(before);
    // One for each module that is in use or kept for later, of which there are 32 and the newest.
    expect(grown.mock.calls.length).toBeLessThan(40);
    expectMap(0.5, await run(device, kept));
    // Expressions that were replaced long ago are made again.
    for (const number of [1, 2, 3]) expectMap(number, await resultOf(device, number));
  } finally {
    grown.mockRestore();
  }
});

test.each([1, 2])("modules are replaced while runs of others are in flight (%d units)", async (workers) => {
  using device = await open(cpu({ workers }));
  const held = await Promise.all(Array.from({ length: 40 }, (_, i) => device.plan(mapOf(1000 + i))));
  using x = device.alloc(reals);
  x.write(ramp);
  for (let round = 0; round < 4; round++) {
    const outputs = held.map(() => device.alloc(reals));
    const runs = held.map((plan, i) => plan.run({ x, y: outputs[i] }).done);
    const made = Promise.all(Array.from({ length: 40 }, (_, i) => resultOf(device, 40 * round + i + 2)));
    await Promise.all(runs);
    for (const [i, y] of outputs.entries()) expectMap(1000 + i, await y.read());
    for (const [i, result] of (await made).entries()) expectMap(40 * round + i + 2, result);
    for (const y of outputs) y[Symbol.dispose]();
  }
  // A plan that is disposed of while it runs keeps its module until it has finished.
  const last = device.alloc(reals);
  for (const [i, plan] of held.entries()) {
    const { done } = plan.run({ x, y: last });
    plan[Symbol.dispose]();
    const others = Promise.all([0, 1, 2].map((j) => resultOf(device, 5000 + 3 * i + j)));
    await done;
    expectMap(1000 + i, await last.read());
    await others;
  }
  last[Symbol.dispose]();
});

test.each([1, 2])("plans of the same expression share a module, however they come and go (%d units)", async (workers) => {
  using device = await open(cpu({ workers }));
  const compiled = vi.spyOn(WebAssembly, "compile");
  try {
    const plans = await Promise.all(Array.from({ length: 20 }, () => device.plan(mapOf(7))));
    for (const plan of plans.slice(1)) plan[Symbol.dispose]();
    for (let number = 100; number < 150; number++) await resultOf(device, number);
    const before = compiled.mock.calls.length;
    expectMap(7, await run(device, plans[0]));
    expectMap(7, await resultOf(device, 7));
    // The module that a plan has all the time was not made again.
    expect(compiled.mock.calls.length).toBe(before);
    plans[0][Symbol.dispose]();
  } finally {
    compiled.mockRestore();
  }
});

test.each([1, 2])("aborted plans and aborted runs leave nothing behind (%d units)", async (workers) => {
  using device = await open(cpu({ workers }));
  expectMap(3, await resultOf(device, 3));
  const before = device.memory();
  for (let number = 0; number < 60; number++) {
    const early = new AbortController();
    const planning = device.plan(mapOf(2000 + number), { signal: early.signal }).then(
      (plan) => plan[Symbol.dispose](),
      (error: RadarError) => expect(error.code).toBe("aborted"),
    );
    if (number % 3 > 0) await Promise.resolve();
    early.abort();
    await planning;
    using plan = await device.plan(mapOf(3000 + number));
    using x = device.alloc(reals);
    using y = device.alloc(reals);
    const late = new AbortController();
    const { done } = plan.run({ x, y }, { signal: late.signal });
    late.abort();
    await done.catch((error: RadarError) => expect(error.code).toBe("aborted"));
  }
  expect(device.memory()).toEqual(before);
  expectMap(4, await resultOf(device, 4));
});

test.each([1, 2])("planning settles while the device is disposed (%d units)", async (workers) => {
  const device = await open(cpu({ workers }));
  const planned = Array.from({ length: 40 }, (_, i) =>
    device.plan(mapOf(i + 1)).then(
      () => "planned",
      (error: RadarError) => error.code,
    ),
  );
  await planned[0];
  device[Symbol.dispose]();
  for (const outcome of await Promise.all(planned)) expect(["planned", "disposed"]).toContain(outcome);
});

test("a worker that dies while expressions are planned fails the run that it works for, and nothing else", async () => {
  using device = await open(cpu({ workers: 3 }));
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  const outcomes = Promise.allSettled(Array.from({ length: 40 }, (_, i) => resultOf(device, i + 1)));
  await expect.poll(() => posted.mock.contexts.length).toBeGreaterThan(0);
  const [worker] = posted.mock.contexts;
  posted.mockRestore();
  await (worker as Worker).terminate();
  const failures: RadarError[] = [];
  for (const [i, outcome] of (await outcomes).entries()) {
    if (outcome.status === "fulfilled") expectMap(i + 1, outcome.value);
    else failures.push(outcome.reason);
  }
  // All units work for one run at a time.
  expect(failures.length).toBeLessThanOrEqual(1);
  for (const { code, message } of failures) expect([code, message]).toEqual(["failed", expect.stringContaining("a worker died")]);
  for (let number = 100; number < 150; number++) expectMap(number, await resultOf(device, number));
});

test("the hook of a transform is replaced like a map", async () => {
  using device = await open(cpu({ workers: 2 }));
  using x = device.alloc(lines);
  using out = device.alloc(lines);
  x.write(Float32Array.from({ length: 2 * elements }, (_, i) => (i % 2 === 0 ? 1 : 0)));
  for (let number = 1; number <= 80; number++) {
    using plan = await device.plan(fft(lines, { axis: 1, load: load({ layout: lines, sources: { x: lines } }, `x * ${number}`) }));
    await plan.run({ x, out }).done;
    const [re, im] = await out.read({ start: 0, count: 1 });
    expect([re, im]).toEqual([500 * number, 0]);
  }
});
