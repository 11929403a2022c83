/**
 * Tests long lines on the device: which are taken and for how many units, that workers share them with the same results as one, runs that
 * are aborted, disposed or follow each other, and the device's memory count.
 */
import { type Device, type Layout, layout, open, type TransformOp } from "@dechirp/core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cpu } from "../src/index.ts";
import { expectedOf, type Kind, kinds, layoutsOf, limitOf, numbersIn, opOf, same } from "./long-support.ts";
import { noise, relativeError } from "./wasm-support.ts";

let device: Device;
const openOne = async (): Promise<void> => {
  device = await open(cpu({ workers: 3 }));
};
beforeAll(openOne);
// A failed test may leave work on its device, so the next test gets a new one.
afterEach(({ task }) => (task.result?.state === "fail" ? openOne() : undefined));
afterAll(() => device[Symbol.dispose]());

async function textOf(op: TransformOp, on = device, inPlace = false): Promise<string> {
  using plan = await on.plan(op, { inPlace });
  return plan.text;
}

describe("the rule takes long lines", () => {
  const byLine = /^\((real-)?fft\/wasm (?!four-step)/;

  test("if some number of units is faster, as the text says", async () => {
    expect(await textOf(opOf("fft", 2 ** 20, 1))).toMatch(
      /^\(fft\/wasm four-step n=1048576 1024×1024 4·4·4·4·4, 4·4·4·4·4 lines=1; on 1 of the units \(fft\/wasm fft n=1048576 .*\)\)$/,
    );
    expect(await textOf(opOf("inverse-real-fft", 2 ** 22, 1))).toMatch(
      /^\(real-fft\/wasm four-step inverse n=4194304 1024×2048 .*; on 1 of/,
    );
    expect(await textOf(opOf("fft", 3 ** 11, 1))).toMatch(/^\(fft\/wasm four-step n=177147 243×729 9·9·3, 9·9·9 lines=1\)$/);
    expect(await textOf(opOf("fft", 2 ** 12, 1))).toMatch(byLine);
    expect(await textOf(opOf("fft", 2 ** 18, 64))).toMatch(byLine);
    expect(await textOf(opOf("fft", 2 ** 23, 2))).toMatch(/^\(fft\/wasm four-step n=8388608 2048×4096 [^;]*lines=2\)$/);
    using alone = await open(cpu({ workers: 1 }));
    expect(await textOf(opOf("fft", 2 ** 20, 1), alone)).toMatch(byLine);
    expect(await textOf(opOf("fft", 5 ** 7, 1), alone)).toMatch(/four-step n=78125 125×625/);
    using many = await open(cpu({ workers: 15 }));
    expect(await textOf(opOf("real-fft", 2 ** 20, 4), many)).toMatch(
      /four-step n=1048576 512×1024 .* lines=4; on 1, 2, 4, 5, 6 of the units/,
    );
    expect(await textOf(opOf("fft", 2 ** 16, 1), many)).toMatch(/four-step n=65536 256×256 .* lines=1; on up to \d of the units/);
  });

  test("only for bare transforms along the last axis, in single precision, also in place", async () => {
    const n = 2 ** 18;
    const line = opOf("fft", n, 1);
    const others: readonly TransformOp[] = [
      opOf("fft", 262_147, 1), // a prime
      { op: "real-fft", layout: layout("f32", [1, 3 ** 11]), axis: 1, inverse: false },
      { ...line, keep: [0, n] },
      { ...line, n: 2 * n },
      { op: "real-fft", layout: layout("c64", [1, n / 2]), axis: 1, inverse: true },
      { op: "fft", layout: layout("c64", [n, 2]), axis: 0, inverse: false },
      { op: "fft", layout: layout("c128", [1, n]), axis: 1, inverse: false },
    ];
    for (const op of others) expect(await textOf(op)).not.toContain("four-step");
    expect(await textOf(line, device, true)).toContain("four-step");
    expect(await textOf({ ...line, layout: layout("c64", [1, n, 1]) as Layout<"c64"> })).toContain("four-step");
  });
});

async function transformed(
  kind: Kind,
  n: number,
  lines: number,
  x: Float32Array,
  units?: readonly number[],
  inPlace = false,
): Promise<Float32Array> {
  const [input, output] = layoutsOf(kind, n, lines);
  using from = device.alloc(input);
  using to = device.alloc(output);
  using plan = await device.plan(opOf(kind, n, lines), { inPlace });
  expect(plan.text).toContain("four-step");
  from.write(x);
  await plan.run({ in: from, out: inPlace ? from : to }, units ? { units } : {}).done;
  return (await (inPlace ? from : to).read()) as Float32Array;
}

describe.each(kinds)("%s on workers", (kind) => {
  // Five lines are more than go through the passes together.
  test.each([
    [2 ** 19, 1],
    [2 * 3 ** 11, 5],
  ])("n = %d, %d lines", async (n, lines) => {
    const x = noise(numbersIn(kind, n) * lines, n);
    const expected = expectedOf(kind, n, x);
    const y = await transformed(kind, n, lines, x);
    expect(relativeError(y, expected)).toBeLessThanOrEqual(limitOf(kind, n));
    for (const units of [
      [0, 2],
      [1, 2, 0],
    ]) {
      const other = await transformed(kind, n, lines, x, units);
      expect(relativeError(other, expected), `on ${units}`).toBeLessThanOrEqual(limitOf(kind, n));
    }
    const alone = await transformed(kind, n, lines, x, [2]);
    expect(relativeError(alone, expected), "on one").toBeLessThanOrEqual(limitOf(kind, n));
    if (kind === "fft" || kind === "inverse-fft")
      expect(same(await transformed(kind, n, lines, x, [0, 1, 2], true), y), "in place").toBe(true);
  });
});

describe("runs", () => {
  const n = 2 ** 20;
  const shape = layout("c64", [n]);
  const op = { op: "fft", layout: shape, axis: 0, inverse: false } as const;
  const back = { ...op, inverse: true };

  test("of one plan and of others run in order", async () => {
    using there = await device.plan(op, { inPlace: true });
    using again = await device.plan(back, { inPlace: true });
    using array = device.alloc(shape);
    const x = noise(2 * n, 1);
    array.write(x);
    for (let i = 0; i < 3; i++) {
      there.run({ in: array, out: array }, { units: [0, 1] });
      there.run({ in: array, out: array }, { units: [1, 2] });
      again.run({ in: array, out: array });
      again.run({ in: array, out: array }, { units: [2] });
    }
    expect(relativeError((await array.read()) as Float32Array, x)).toBeLessThanOrEqual(12 * limitOf("fft", n));
  });

  test("can be aborted before, between and within passes, and later runs are correct", async () => {
    using plan = await device.plan(op);
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    const x = noise(2 * n, 2);
    from.write(x);
    await plan.run({ in: from, out: to }).done;
    const y = await to.read();
    let aborted = 0;
    for (let delay = 0; delay < 8; delay++) {
      const controller = new AbortController();
      const runs = [0, 1, 2].map(() => plan.run({ in: from, out: to }, { signal: controller.signal }).done);
      setTimeout(() => controller.abort(), delay);
      for (const outcome of await Promise.allSettled(runs)) {
        if (outcome.status === "fulfilled") continue;
        aborted++;
        expect(outcome.reason).toMatchObject({ code: "aborted" });
      }
    }
    expect(aborted).toBeGreaterThan(8);
    const controller = new AbortController();
    controller.abort();
    await expect(plan.run({ in: from, out: to }, { signal: controller.signal }).done).rejects.toMatchObject({ code: "aborted" });
    await plan.run({ in: from, out: to }).done;
    expect(same(await to.read(), y)).toBe(true);
  });

  test("finish if their plan is disposed, and reject if the device is", async () => {
    const other = await open(cpu({ workers: 2 }));
    const plan = await other.plan(op);
    const [from, to] = [other.alloc(shape), other.alloc(shape)];
    from.write(noise(2 * n, 3));
    const runs = [0, 1].map(() => plan.run({ in: from, out: to }).done);
    plan[Symbol.dispose]();
    await Promise.all(runs);
    const doomed = await other.plan(op);
    const refused = [0, 1, 2].map(() => expect(doomed.run({ in: from, out: to }).done).rejects.toMatchObject({ code: "disposed" }));
    other[Symbol.dispose]();
    await Promise.all(refused);
  });
});

test("the arrays between the passes count as memory until the plan is disposed", async () => {
  const n = 2 ** 20;
  const before = device.memory();
  const plan = await device.plan(opOf("real-fft", n, 1));
  expect(device.memory().bytes - before.bytes).toBeGreaterThanOrEqual(4 * n);
  expect(device.memory().bytes - before.bytes).toBeLessThan(4.2 * n);
  plan[Symbol.dispose]();
  expect(device.memory()).toMatchObject({ bytes: before.bytes, plans: before.plans });
});
