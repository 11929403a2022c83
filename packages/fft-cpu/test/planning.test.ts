/**
 * Tests planning of the longest lines: lines that do not fit into memory are rejected before anything is computed, with every algorithm;
 * the others are planned in seconds, within bounds of memory, and return it. The kit's suite `planning` tests the rest.
 */
import { dftBins, gate, random, randomArray } from "@dechirp/conformance";
import { type Device, type Fft, isRadarError, layout, maxTransformLength, open } from "@dechirp/core";
import { describe, expect, test } from "vitest";
import { createHeap } from "../src/heap.ts";
import { type CpuOptions, cpu } from "../src/index.ts";
import { lineTransform, lineTransformBytes } from "../src/lines.ts";
import { factorize } from "../src/wasm/factors.ts";

/** The longest prime that is allowed. */
const longestPrime = 67_108_859;

const fft = (dtype: "c64" | "c128", n: number): Fft => ({ op: "fft", layout: layout(dtype, [1, n]), axis: 1, inverse: false });

const ways: readonly (readonly [name: string, options: CpuOptions, dtype: "c64" | "c128"])[] = [
  ["WASM", {}, "c64"],
  ["WASM on one thread", { workers: 1 }, "c64"],
  ["JavaScript", { kernels: "js" }, "c64"],
  ["float64", {}, "c128"],
];

async function turnsWhile<T>(work: Promise<T>): Promise<number> {
  let isDone = false;
  const done = (): void => {
    isDone = true;
  };
  work.then(done, done);
  let turns = 0;
  for (; !isDone; turns++) await new Promise((resolve) => setTimeout(resolve));
  return turns;
}

describe.each(ways)("%s", (_, options, dtype) => {
  test("rejects a prime near the limit at once, and names its length", async () => {
    using device = await open(cpu(options));
    expect(longestPrime).toBeLessThanOrEqual(maxTransformLength);
    const planning = device.plan(fft(dtype, longestPrime));
    const turns = await turnsWhile(planning.catch(() => {}));
    const error = await planning.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(isRadarError(error, "limit") && error.fields).toMatchObject({ field: "n", actual: longestPrime });
    // The first plan of a device takes some turns, but few, as no table is made.
    expect(turns).toBeLessThan(20);
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
    // Memory that was allocated before the failure has been returned.
    using small = await device.plan(fft(dtype, 1009));
    expect(small.text).toContain("bluestein");
  });

  test("plans a long prime, and transforms correctly", async () => {
    using device = await open(cpu(options));
    await isRight(device, fft(dtype, 1_000_003));
  });
});

test("plans four million points", async () => {
  using device = await open(cpu());
  await isRight(device, fft("c64", 4_194_301));
});

async function isRight(device: Device, op: Fft): Promise<void> {
  const n = op.layout.shape[1];
  using plan = await device.plan(op);
  using from = device.alloc(op.layout);
  using to = device.alloc(op.layout);
  const source = random(n);
  const x = randomArray(op.layout, source);
  from.write(x);
  plan.run({ in: from, out: to });
  const y = await to.read();
  const bins = [0, 1, n - 1, ...Array.from({ length: 21 }, () => source.integer(0, n - 1))];
  const expected = dftBins(x, n, bins, false);
  let error = 0;
  let energy = 0;
  bins.forEach((bin, i) => {
    error += (y[2 * bin] - expected[2 * i]) ** 2 + (y[2 * bin + 1] - expected[2 * i + 1]) ** 2;
    energy += expected[2 * i] ** 2 + expected[2 * i + 1] ** 2;
  });
  // Twice the tolerance, as some bins are compared and not a pool. The definition in float64 has an error of about √n roundings itself.
  const own = Math.sqrt(n) * 2 ** -52;
  expect(Math.sqrt(error / energy), plan.text).toBeLessThanOrEqual(2 * gate(n, plan, op.layout.dtype) + own);
}

describe("lengths of convolutions", () => {
  test("are the cheapest multiples of 16 without primes above five", () => {
    for (const n of [17, 101, 1009, 4099, 10_007, 65_537, 200_003]) {
      const { m } = factorize(n) as { readonly m: number };
      let rest = m / 16;
      for (const p of [2, 3, 5]) while (rest % p === 0) rest /= p;
      expect([rest, m % 16]).toEqual([1, 0]);
      expect(m).toBeGreaterThanOrEqual(2 * n - 1);
      expect(m).toBeLessThanOrEqual(2 ** Math.ceil(Math.log2(2 * n - 1)));
    }
  });

  test("are found quickly, even among millions of lengths", () => {
    // Processor time, which does not depend on other processes.
    const start = process.cpuUsage();
    for (let i = 0; i < 20; i++) factorize(35_000_011);
    const { user, system } = process.cpuUsage(start);
    // Trying every multiple of 16 would take seconds each.
    expect((user + system) / 1000).toBeLessThan(1000);
  });
});

test("transforms in JavaScript use no more memory than stated", () => {
  for (const n of [8, 60, 97, 2 ** 12, 5040, 4099, 2 ** 17, 2 ** 18, 3 ** 12, 65_537]) {
    const before = process.memoryUsage().arrayBuffers;
    const work = lineTransform(n, Float64Array);
    let piece = work.next();
    while (!piece.done) piece = work.next();
    const held = process.memoryUsage().arrayBuffers - before;
    // Additional memory: short tables and lines of matrices.
    expect(held, `n = ${n}`).toBeLessThan(lineTransformBytes(n) + 2 ** 20);
    expect(piece.value.n).toBe(n);
  }
});

test("raw blocks of the heap are not cleared, other blocks are", () => {
  const heap = createHeap({ shared: false, maximumBytes: 2 ** 22 });
  const first = heap.allocate(8192, "first");
  new Uint8Array(heap.memory.buffer, first, 8192).fill(7);
  heap.free(first);
  const raw = heap.allocate(8192, "raw", "raw");
  expect(raw).toBe(first);
  expect(new Uint8Array(heap.memory.buffer, raw, 8192).every((v) => v === 7)).toBe(true);
  heap.free(raw);
  const zeroed = heap.allocate(8192, "zeroed");
  expect(zeroed).toBe(first);
  expect(new Uint8Array(heap.memory.buffer, zeroed, 8192).every((v) => v === 0)).toBe(true);
});
