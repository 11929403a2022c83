/**
 * Laws of the Fourier transform, which need no reference (F. Ergün, "Testing multivariate linear functions", STOC 1995, and textbooks):
 * linearity, impulses, shifts, Parseval, round trip, symmetry. Also that inputs do not change. Lines run along the last axis and along a
 * strided one.
 */
import { type Fft, layout, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import { close, identical } from "./assert.ts";
import { forEachLine } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { complexTypes, runOp, upload } from "./run.ts";
import { correct } from "./tolerance.ts";

interface Case {
  readonly op: Fft;
  readonly n: number;
  readonly seed: number;
}

const lengths = (kit: Kit): number[] =>
  kit.sizes === "full" ? [2, 3, 8, 15, 16, 17, 30, 64, 97, 100, 251, 256, 360, 1000, 1024, 2187, 4096] : [2, 3, 8, 17, 64, 100, 256, 1000];

async function forEachCase(kit: Kit, visit: (c: Case) => Promise<void>): Promise<void> {
  for (const dtype of complexTypes(kit.device)) {
    for (const n of lengths(kit)) {
      for (const [shape, axis] of [
        [[3, n], 1],
        [[2, n, 3], 1],
      ] as const) {
        await visit({ op: { op: "fft", layout: layout(dtype, shape), axis, inverse: false }, n, seed: n + axis });
      }
    }
  }
}

const inverseOf = (op: Fft): Fft => ({ ...op, inverse: true });
const transform = async (kit: Kit, op: Fft, x: TypedArrayOf): Promise<TypedArrayOf> => (await runOp(kit.device, op, { in: x })).out;
const what = ({ op, n }: Case): string => `${op.layout.dtype} n=${n} of [${op.layout.shape}]`;

/** Makes a new array from the lines of `x`: `map(element of a line) → [source element, real and imaginary part of a factor]`. */
function remapped(op: Fft, x: TypedArrayOf, map: (i: number, n: number) => readonly [from: number, re: number, im: number]): TypedArrayOf {
  const y = x.slice();
  const n = op.layout.shape[op.axis];
  forEachLine(op.layout.shape, op.axis, (first, stride) => {
    for (let i = 0; i < n; i++) {
      const [from, c, s] = map(i, n);
      const e = first + i * stride;
      const f = first + from * stride;
      y[2 * e] = x[2 * f] * c - x[2 * f + 1] * s;
      y[2 * e + 1] = x[2 * f] * s + x[2 * f + 1] * c;
    }
  });
  return y;
}

const phase = (turns: number): readonly [number, number] => [Math.cos(2 * Math.PI * (turns % 1)), Math.sin(2 * Math.PI * (turns % 1))];

/** Σ x² by compensated summation in float64. The error of a plain sum of thousands of terms would exceed that of a float64 transform. */
function energy(data: TypedArrayOf): number {
  let sum = 0;
  let lost = 0;
  for (const v of data) {
    const term = v * v - lost;
    const next = sum + term;
    lost = next - sum - term;
    sum = next;
  }
  return sum;
}

/** Checks the laws of the Fourier transform. */
export const laws = suite("laws", [
  check("linearity", (kit) =>
    forEachCase(kit, async (c) => {
      const source = random(c.seed);
      const [x, y] = [randomArray(c.op.layout, source), randomArray(c.op.layout, source)];
      const [a, b] = [0.75, -1.25]; // exact in binary, so that the sum is rounded only once
      const sum = x.map((v, i) => a * v + b * y[i]);
      const [fx, fy] = [await transform(kit, c.op, x), await transform(kit, c.op, y)];
      close(
        await transform(kit, c.op, sum),
        Float64Array.from(fx, (v, i) => a * v + b * fy[i]),
        2 * correct(c.n, c.op.layout.dtype, 2),
        what(c),
      );
    }),
  ),
  check("impulse", (kit) =>
    forEachCase(kit, async (c) => {
      for (const at of [0, 1, c.n - 1, random(c.seed).integer(0, c.n - 1)]) {
        const x = typedArray(c.op.layout.dtype, scalarCount(c.op.layout));
        const expected = x.slice();
        forEachLine(c.op.layout.shape, c.op.axis, (first, stride) => {
          x[2 * (first + at * stride) + 1] = 1; // y[k] = j·exp(−j2π·at·k/n)
          for (let k = 0; k < c.n; k++) {
            const [re, im] = phase(-((at * k) % c.n) / c.n);
            expected[2 * (first + k * stride)] = -im;
            expected[2 * (first + k * stride) + 1] = re;
          }
        });
        close(await transform(kit, c.op, x), expected, correct(c.n, c.op.layout.dtype), `${what(c)}, impulse at ${at}`);
      }
    }),
  ),
  check("zeros", (kit) =>
    forEachCase(kit, async (c) => {
      const zero = randomArray(c.op.layout, random(0)).fill(0);
      for (const op of [c.op, inverseOf(c.op)]) identical(await transform(kit, op, zero), zero, what(c));
    }),
  ),
  check("time shift", (kit) =>
    forEachCase(kit, async (c) => {
      const source = random(c.seed);
      const shift = source.integer(1, c.n - 1);
      const x = randomArray(c.op.layout, source);
      const shifted = remapped(c.op, x, (i, n) => [(i + n - shift) % n, 1, 0]);
      const expected = remapped(c.op, await transform(kit, c.op, x), (k, n) => [k, ...phase(-((shift * k) % n) / n)]);
      close(await transform(kit, c.op, shifted), expected, correct(c.n, c.op.layout.dtype, 3), `${what(c)} by ${shift}`);
    }),
  ),
  check("frequency shift", (kit) =>
    forEachCase(kit, async (c) => {
      const source = random(c.seed);
      const shift = source.integer(1, c.n - 1);
      const x = randomArray(c.op.layout, source);
      const turned = remapped(c.op, x, (i, n) => [i, ...phase(((shift * i) % n) / n)]);
      const expected = remapped(c.op, await transform(kit, c.op, x), (k, n) => [(k + n - shift) % n, 1, 0]);
      close(await transform(kit, c.op, turned), expected, correct(c.n, c.op.layout.dtype, 3), `${what(c)} by ${shift}`);
    }),
  ),
  check("Parseval", (kit) =>
    forEachCase(kit, async (c) => {
      const x = randomArray(c.op.layout, random(c.seed));
      const y = await transform(kit, c.op, x);
      close([energy(y) / c.n], [energy(x)], 2 * correct(c.n, c.op.layout.dtype), what(c));
    }),
  ),
  check("round trip", (kit) =>
    forEachCase(kit, async (c) => {
      const x = randomArray(c.op.layout, random(c.seed));
      const back = await transform(kit, inverseOf(c.op), await transform(kit, c.op, x));
      close(back, x, correct(c.n, c.op.layout.dtype, 2), what(c));
    }),
  ),
  check("conjugate symmetry of real lines", (kit) =>
    forEachCase(kit, async (c) => {
      const x = randomArray(c.op.layout, random(c.seed)).map((v, i) => (i % 2 === 0 ? v : 0));
      const y = await transform(kit, c.op, x);
      const mirrored = remapped(c.op, y, (k, n) => [(n - k) % n, 1, 0]).map((v, i) => (i % 2 === 0 ? v : -v));
      close(y, mirrored, correct(c.n, c.op.layout.dtype, 2), what(c));
    }),
  ),
  check("the inverse is the forward transform with real and imaginary parts swapped", (kit) =>
    forEachCase(kit, async (c) => {
      const swap = (data: TypedArrayOf): TypedArrayOf => data.map((_, i) => data[i ^ 1]);
      const x = randomArray(c.op.layout, random(c.seed));
      const viaForward = swap(await transform(kit, c.op, swap(x)));
      const inverse = await transform(kit, inverseOf(c.op), x);
      close(
        inverse.map((v) => v * c.n),
        viaForward,
        correct(c.n, c.op.layout.dtype, 2),
        what(c),
      );
    }),
  ),
  check("the input does not change", (kit) =>
    forEachCase(kit, async (c) => {
      const x = randomArray(c.op.layout, random(c.seed));
      using from = upload(kit.device, c.op.layout, x);
      using to = kit.device.alloc(c.op.layout);
      for (const op of [c.op, inverseOf(c.op)]) {
        using plan = await kit.device.plan(op);
        await plan.run({ in: from, out: to }).done;
        identical(await from.read(), x, what(c));
      }
    }),
  ),
]);
