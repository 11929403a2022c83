/** Tests what only the CPU backend has: an event loop that stays responsive, a process that can end, options, long float64 lines. */
import { dftBins, gateFloat64, random, randomArray } from "@dechirp/conformance";
import { isRadarError, layout, open } from "@dechirp/core";
import { describe, expect, test } from "vitest";
import * as fftCpu from "../src/index.ts";
import { cpu } from "../src/index.ts";

test("the public surface", () => {
  expect(Object.keys(fftCpu).sort()).toMatchInlineSnapshot(`
    [
      "cpu",
    ]
  `);
});

describe("the event loop", () => {
  test("gets turns between the lines of a long transform", async () => {
    using device = await open(cpu());
    const shape = layout("c64", [6, 2 ** 20]);
    using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    let ticks = 0;
    const timer = setInterval(() => {
      ticks += 1;
    }, 1);
    try {
      await plan.run({ in: from, out: to }).done;
    } finally {
      clearInterval(timer);
    }
    // a turn ends after 12 ms, or after the line if that takes longer
    expect(ticks).toBeGreaterThanOrEqual(3);
  });

  test("gets turns between short runs that are awaited one by one", async () => {
    using device = await open(cpu());
    const shape = layout("c64", [4]);
    using plan = await device.plan({ op: "fft", layout: shape, axis: 0, inverse: false });
    using from = device.alloc(shape);
    using to = device.alloc(shape);
    let fired = false;
    const timer = setTimeout(() => {
      fired = true;
    }, 5);
    const until = performance.now() + 30_000; // a busy machine may be late with a timer
    while (!fired && performance.now() < until) await plan.run({ in: from, out: to }).done;
    clearTimeout(timer);
    expect(fired).toBe(true);
  });

  test("is not kept alive by an idle device", async () => {
    const held = (): number =>
      process.getActiveResourcesInfo().filter((kind) => kind === "Immediate" || kind === "MessagePort" || kind === "Worker").length;
    const before = held();
    const device = await open(cpu());
    const shape = layout("c64", [64, 1024]);
    const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    const [from, to] = [device.alloc(shape), device.alloc(shape)];
    for (let i = 0; i < 20; i++) plan.run({ in: from, out: to });
    await to.read();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(held()).toBeLessThanOrEqual(before);
    device[Symbol.dispose]();
  });
});

test("c128 agrees with the definition on long lines, with every algorithm", async () => {
  using device = await open(cpu());
  const texts = new Set<string>();
  for (const n of [12, 31, 4096, 4099, 5040, 65_536, 65_537, 2 ** 18]) {
    for (const inverse of [false, true]) {
      const source = random(n);
      const shape = layout("c128", [2, n]);
      using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse });
      using from = device.alloc(shape);
      using to = device.alloc(shape);
      const x = randomArray(shape, source);
      from.write(x);
      plan.run({ in: from, out: to });
      const y = await to.read();
      const bins = Array.from({ length: Math.min(n, 100) }, () => source.integer(0, n - 1));
      let error = 0;
      let energy = 0;
      for (const line of [0, 1]) {
        const expected = dftBins(x.subarray(2 * n * line, 2 * n * (line + 1)), n, bins, inverse);
        bins.forEach((bin, b) => {
          for (const part of [0, 1]) {
            error += (y[2 * (n * line + bin) + part] - expected[2 * b + part]) ** 2;
            energy += expected[2 * b + part] ** 2;
          }
        });
      }
      expect(Math.sqrt(error / energy), plan.text).toBeLessThanOrEqual(gateFloat64(n, plan));
      texts.add(plan.text.split(" ")[1] as string);
    }
  }
  expect([...texts].sort()).toEqual(["bluestein", "definition", "fft.js", "matrix", "stages"]);
});

test("bytes from a Node Buffer are copied like others, also while runs are queued", async () => {
  using device = await open(cpu());
  const shape = layout("c64", [256, 1024]);
  using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
  using from = device.alloc(shape);
  using to = device.alloc(shape);
  using bytes = device.alloc(layout("u8", [8]));
  plan.run({ in: from, out: to });
  const data = Buffer.alloc(8, 3);
  bytes.write(data);
  data.fill(9);
  expect(Array.from(await bytes.read())).toEqual(new Array(8).fill(3));
});

test("a view is the array itself", async () => {
  using device = await open(cpu());
  using a = device.alloc(layout("f32", [4]));
  a.view?.().set([1, 2, 3, 4]);
  expect(Array.from(await a.read())).toEqual([1, 2, 3, 4]);
});

describe("maxBufferBytes", () => {
  test("limits arrays, and the ports of what is planned", async () => {
    using device = await open(cpu({ maxBufferBytes: 1024 }));
    using fits = device.alloc(layout("c64", [128]));
    expect(fits.layout.shape).toEqual([128]);
    expect(() => device.alloc(layout("c64", [129]))).toThrowError(expect.objectContaining({ code: "limit" }));
    await expect(device.plan({ op: "fft", layout: layout("c64", [2]), axis: 0, n: 129, inverse: false })).rejects.toMatchObject({
      code: "limit",
      fields: { field: "out" },
    });
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])("is rejected if it is %s", async (maxBufferBytes) => {
    const error = await cpu({ maxBufferBytes })
      .open()
      .catch((e: unknown) => e);
    expect(isRadarError(error, "input")).toBe(true);
  });

  test("more than WASM can address throws limit", async () => {
    using device = await open(cpu({ maxBufferBytes: 2 ** 60 }));
    expect(() => device.alloc(layout("c128", [2 ** 32]))).toThrowError(expect.objectContaining({ code: "limit" }));
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0 });
  });
});
