/**
 * Tests long lines in two passes, on this thread and without the rule that chooses them: precision against float64 for every shape of the
 * matrix that a line becomes, independence of the number of units, laws that hold to the bit, small numbers, memory.
 */

import { isSmooth } from "@dechirp/core/tables";
import { describe, expect, test } from "vitest";
import { createEngine } from "../src/engine.ts";
import { createHeap } from "../src/heap.ts";
import { longBody } from "../src/long-rules.ts";
import { allocateHostArray } from "../src/memory.ts";
import { createQueue } from "../src/queue.ts";
import { type KernelModule, loadKernels } from "../src/wasm/kernels.ts";
import { expectedOf, isReal, type Kind, kinds, layoutsOf, limitOf, numbersIn, opOf, same } from "./long-support.ts";
import { noise, relativeError } from "./wasm-support.ts";

async function workplace(maximumBytes = 2 ** 30) {
  const kernels = (await loadKernels({ relaxed: false })) as KernelModule;
  const queue = createQueue();
  const heap = createHeap({ shared: false, maximumBytes });
  return { heap, queue, engine: await createEngine(kernels, heap, undefined, queue) };
}

const { heap, queue, engine } = await workplace();
const unpaused = { pause: () => undefined };

interface Options {
  readonly lines?: number;
  /** The number of units that the work is divided for. */
  readonly units?: number;
  readonly inPlace?: boolean;
}

async function transformed(kind: Kind, n: number, x: Float32Array, { lines = 1, units = 1, inPlace = false }: Options = {}) {
  const [input, output] = layoutsOf(kind, n, lines);
  const from = allocateHostArray(input, "in", heap, queue);
  const to = inPlace ? from : allocateHostArray(output, "out", heap, queue);
  (from.data as Float32Array).set(x);
  if (!inPlace) (to.data as Float32Array).fill(Number.NaN);
  const op = opOf(kind, n, lines);
  const body = await longBody(op, isReal(kind) ? n / 2 : n, engine, [], unpaused);
  await body.run({ in: from, out: to }, { uniforms: {}, units: Array.from({ length: units }, (_, i) => i) });
  if (!inPlace && !same(from.data, x)) throw new Error("the input was changed");
  const y = (to.data as Float32Array).slice();
  body.dispose?.();
  for (const array of new Set([from, to])) array.free();
  return { y, text: body.text };
}

/** Every shape: sides with all remainders modulo four, squares and others, partial tiles, with and without a middle column. */
const short = Array.from({ length: 1400 }, (_, i) => i + 100).filter((n) => isSmooth(n) && (n < 300 || n % 7 < 2));
const long = [14_641, 16_807, 10_010, 2 * 3 ** 9, 15_625, 2 ** 15, 3 * 2 ** 14, 2 ** 16, 2 ** 12 * 11, 62_500, 7 * 11 * 13 * 13, 2 ** 18];

describe.each(kinds)("%s", (kind) => {
  const length = (n: number): number => (isReal(kind) ? 2 * n : n);

  test("holds for short lines that become matrices of every shape", async () => {
    expect(short.length).toBeGreaterThan(100);
    for (const [i, m] of short.entries()) {
      const n = length(m);
      const lines = 1 + (i % 3);
      const x = noise(numbersIn(kind, n) * lines, n);
      const { y, text } = await transformed(kind, n, x, { lines, units: 1 + (i % 5) });
      expect(relativeError(y, expectedOf(kind, n, x)), text).toBeLessThanOrEqual(limitOf(kind, n));
    }
  });

  test.each(long)("holds for lines of %d complex numbers", async (m) => {
    const n = length(m);
    const x = noise(numbersIn(kind, n), n);
    const { y, text } = await transformed(kind, n, x);
    expect(relativeError(y, expectedOf(kind, n, x)), text).toBeLessThanOrEqual(limitOf(kind, n));
    if (kind === "real-fft") expect([y[1], y[n + 1]]).toEqual([0, 0]);
  });

  test("is the same to the bit for any number of units, in place and beside other lines", async () => {
    for (const m of [9900, 14_641, 3 * 2 ** 13]) {
      const n = length(m);
      const count = numbersIn(kind, n);
      const x = noise(3 * count, n);
      const { y } = await transformed(kind, n, x, { lines: 3 });
      for (const units of [2, 5, 64])
        expect(same((await transformed(kind, n, x, { lines: 3, units })).y, y), `${n} on ${units}`).toBe(true);
      for (const line of [0, 2]) {
        const alone = await transformed(kind, n, x.slice(line * count, (line + 1) * count), { units: 3 });
        expect(same(alone.y, y.subarray((line * y.length) / 3, ((line + 1) * y.length) / 3)), `${n}, line ${line}`).toBe(true);
      }
      if (!isReal(kind)) expect(same((await transformed(kind, n, x, { lines: 3, units: 2, inPlace: true })).y, y), `${n}`).toBe(true);
    }
  });

  test("scales exactly with powers of two, whether or not lines are scaled up on the way", async () => {
    for (const m of [2 ** 14, 10_010]) {
      const n = length(m);
      const x = noise(numbersIn(kind, n), n);
      const { y } = await transformed(kind, n, x);
      for (const power of [-62, -80, 40]) {
        const scaled = await transformed(
          kind,
          n,
          x.map((v) => v * 2 ** power),
        );
        expect(
          same(
            scaled.y,
            y.map((v) => v * 2 ** power),
          ),
          `${n} times 2^${power}`,
        ).toBe(true);
      }
    }
  });

  test("for numbers near the smallest is as good as the format allows", async () => {
    for (const m of [4096, 10_010]) {
      const n = length(m);
      for (const factor of [1e-33, 1e-38, 1e-41, 1e-44]) {
        const x = noise(numbersIn(kind, n), n).map((v) => v * factor);
        const { y } = await transformed(kind, n, x, { units: 3 });
        const expected = expectedOf(kind, n, x);
        const norm = Math.sqrt(expected.reduce((sum, v) => sum + v * v, 0));
        // The usual rounding, and half of the smallest number for each result.
        const limit = limitOf(kind, n) * norm + Math.sqrt(expected.length) * 2 ** -150 * 1.0001;
        expect(relativeError(y, expected) * norm, `${n} at ${factor}`).toBeLessThanOrEqual(limit);
      }
    }
  });

  test("holds for lines that are small in some columns only, and zero in others", async () => {
    // Tiles have at most 64 columns, and eight if many units share. The last tile of 121 columns has one, which is read with three
    // before it.
    const patterns: readonly ((at: number, small: number) => number)[] = [
      (at, small) => (at < 0.25 ? small : at < 0.5 ? 0 : 1e-18),
      (at, small) => (at < 0.13 || at > 0.87 ? small : 1e-18),
      (at, small) => (at < 0.13 || at > 0.87 ? small : 0),
      (at, small) => (at < 120 / 121 ? small : 1e-18),
    ];
    for (const [m, columns] of [
      [2 ** 14, 128],
      [14_641, 121],
    ]) {
      const n = length(m);
      const width = kind === "real-fft" ? 2 * columns : columns;
      for (const small of [1e-21, 1e-40]) {
        for (const [i, pattern] of patterns.entries()) {
          const x = noise(numbersIn(kind, n), 8).map((v, at) => v * pattern(((kind === "real-fft" ? at : at >> 1) % width) / width, small));
          const expected = expectedOf(kind, n, x);
          const norm = Math.sqrt(expected.reduce((sum, v) => sum + v * v, 0));
          const limit = limitOf(kind, n) * norm + Math.sqrt(expected.length) * 2 ** -150 * 1.0001;
          for (const units of [1, 64]) {
            const { y } = await transformed(kind, n, x, { units });
            expect(relativeError(y, expected) * norm, `${n}, pattern ${i}, ${small} on ${units}`).toBeLessThanOrEqual(limit);
          }
        }
      }
      const zeros = await transformed(kind, n, new Float32Array(numbersIn(kind, n)), { units: 2 });
      expect(zeros.y.every((v) => v === 0)).toBe(true);
    }
  });
});

describe("laws", () => {
  const n = 2 ** 15;

  test("an impulse at the start gives ones, and ones give an impulse, to the bit", async () => {
    for (const kind of ["fft", "real-fft"] as const) {
      for (const length of [n, 2 * 3 ** 8, 20_020]) {
        const x = new Float32Array(numbersIn(kind, length));
        x[0] = 1;
        const { y } = await transformed(kind, length, x);
        expect(
          y.every((v, i) => v === (i % 2 === 0 ? 1 : 0)),
          `${kind} ${length}`,
        ).toBe(true);
        const back = await transformed(kind === "fft" ? "inverse-fft" : "inverse-real-fft", length, y);
        expect(Math.abs(back.y[0] - 1)).toBeLessThanOrEqual(2 ** -23);
        const ones = x.map((_, i) => (kind === "real-fft" || i % 2 === 0 ? 1 : 0));
        expect((await transformed(kind, length, ones)).y[0]).toBe(length);
      }
    }
  });

  test("an impulse anywhere gives unit roots, each within its rounding errors", async () => {
    for (const at of [1, 127, 128, 8191, 20_000, n - 1]) {
      const x = new Float32Array(2 * n);
      x[2 * at] = 1;
      const { y } = await transformed("fft", n, x);
      // Stages multiply by rounded twiddle factors, with two products and a sum each: four half units per part, in eight places of
      // 2^15.
      const limit = 8 * 4 * 2 ** -24;
      let worst = 0;
      for (let k = 0; k < n; k++) {
        const angle = (-2 * Math.PI * ((at * k) % n)) / n;
        worst = Math.max(worst, Math.hypot(y[2 * k] - Math.cos(angle), y[2 * k + 1] - Math.sin(angle)));
      }
      expect(worst, `at ${at}`).toBeLessThanOrEqual(limit);
    }
  });

  test("a transform and its inverse give the input", async () => {
    for (const length of [n, 3 * 2 ** 13, 29_282]) {
      for (const [kind, back] of [kinds.slice(0, 2), kinds.slice(2)] as [Kind, Kind][]) {
        const x = noise(numbersIn(kind, length), 11);
        const { y } = await transformed(kind, length, x);
        expect(relativeError((await transformed(back, length, y)).y, x)).toBeLessThanOrEqual(limitOf(kind, length) + limitOf(back, length));
      }
    }
  });

  test("ignores imaginary parts of a real line's first and last bin", async () => {
    const x = noise(n + 2, 5);
    const { y } = await transformed("inverse-real-fft", n, x);
    for (const odd of [1e30, Number.NaN]) {
      const other = x.slice();
      other[1] = odd;
      other[n + 1] = odd;
      expect(same((await transformed("inverse-real-fft", n, other)).y, y)).toBe(true);
    }
  });
});

describe("memory", () => {
  test("is returned, also if there is too little", async () => {
    const poor = await workplace(2 ** 24);
    const op = (m: number) => opOf("real-fft", 2 * m, 1);
    (await longBody(op(2 ** 12), 2 ** 12, poor.engine, [1], unpaused)).dispose?.();
    await poor.queue.ready();
    const work = poor.heap.used;
    for (let i = 0; i < 3; i++) {
      const body = await longBody(op(2 ** 12), 2 ** 12, poor.engine, [1], unpaused);
      expect(poor.heap.used - work).toBeGreaterThan(body.temporaryBytes as number);
      body.dispose?.();
      expect(poor.heap.used).toBe(work);
    }
    await expect(longBody(op(2 ** 20), 2 ** 20, poor.engine, [], unpaused)).rejects.toMatchObject({ code: "limit" });
    expect(poor.heap.used).toBe(work);
  });
});
