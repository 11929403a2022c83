/**
 * Complex transforms against the definition: every length of sizes.ts in both directions, every axis of arrays of any rank,
 * padded and cropped, kept ranges, in place, few and many lines.
 */
import { type ComplexDType, type Fft, layout } from "@dechirp/core";
import { close, equal } from "./assert.ts";
import { dftBins, range, transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { matches } from "./match.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { complexTypes, upload } from "./run.ts";
import { longestByDefinition, longLengths, shortLengths } from "./sizes.ts";
import { correct } from "./tolerance.ts";

const inPlace = { inPlace: true };
const both = [false, true];

const fft = (dtype: ComplexDType, shape: readonly number[], axis: number, more: Partial<Fft> = {}): Fft => ({
  op: "fft",
  layout: layout(dtype, shape),
  axis,
  inverse: false,
  ...more,
});

/** 24 bins by definition of one line, and the round trip back: that finds a wrong bin wherever it is. */
async function matchesSampled(kit: Kit, dtype: ComplexDType, n: number): Promise<void> {
  const source = random(n);
  const shape = layout(dtype, [1, n]);
  const x = randomArray(shape, source);
  const bins = [0, n - 1, ...Array.from({ length: 22 }, () => source.integer(0, n - 1))];
  using a = upload(kit.device, shape, x);
  using b = kit.device.alloc(shape);
  using forward = await kit.device.plan(fft(dtype, shape.shape, 1));
  using inverse = await kit.device.plan(fft(dtype, shape.shape, 1, { inverse: true }));
  const pick = (data: ArrayLike<number>): number[] => bins.flatMap((k) => [data[2 * k], data[2 * k + 1]]);
  forward.run({ in: a, out: b });
  close(pick(await b.read()), dftBins(x, n, bins, false), correct(n, dtype), `n=${n} as ${forward.text}`);
  inverse.run({ in: b, out: a });
  close(await a.read(), x, correct(n, dtype, 2), `round trip of n=${n} as ${inverse.text}`);
  a.write(x);
  inverse.run({ in: a, out: b });
  close(pick(await b.read()), dftBins(x, n, bins, true), correct(n, dtype), `inverse of n=${n} as ${inverse.text}`);
}

/** A shape of `rank` axes of 1 to `longest`. */
const randomShape = (source: TestRandom, rank: number, longest: number): number[] => range(0, rank).map(() => source.integer(1, longest));

async function forEachRandomArray(
  kit: Kit,
  visit: (source: TestRandom, shape: number[], axis: number, dtype: ComplexDType) => Promise<void>,
): Promise<void> {
  const source = random(4242);
  const rounds = kit.sizes === "full" ? 6 : 2;
  for (const dtype of complexTypes(kit.device)) {
    for (const rank of [1, 2, 3, 4]) {
      for (let round = 0; round < rounds; round++) {
        const shape = randomShape(source, rank, rank < 3 ? 40 : 11);
        for (let axis = 0; axis < rank; axis++) await visit(source, shape, axis, dtype);
      }
    }
  }
}

/** Transforms against the definition in float64, by lengths, axes and types. */
export const reference = suite("reference", [
  check("every short length", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const n of shortLengths(kit.sizes)) {
        for (const inverse of both) {
          await matches(kit, fft(dtype, [2, n], 1, { inverse }), n);
          await matches(kit, fft(dtype, [n, 3], 0, { inverse }), n);
        }
      }
    }
  }),
  check("powers of small primes, composites and large primes", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const n of longLengths(kit.sizes)) {
        if (n > kit.device.limits.maxTransformLength) continue;
        if (n <= longestByDefinition) for (const inverse of both) await matches(kit, fft(dtype, [1, n], 1, { inverse }), n);
        else await matchesSampled(kit, dtype, n);
      }
    }
  }),
  check("long columns", async (kit) => {
    for (const n of kit.sizes === "full" ? [243, 256, 1000, 1009, 2048] : [243, 256]) {
      for (const inverse of both) await matches(kit, fft("c64", [n, 5], 0, { inverse }), n);
    }
  }),
  check("any axis of arrays of 1 to 4 axes", (kit) =>
    forEachRandomArray(kit, async (source, shape, axis, dtype) => {
      for (const inverse of both) await matches(kit, fft(dtype, shape, axis, { inverse }), source.integer(0, 1e6));
    }),
  ),
  check("zero-padded, cropped, kept in part", (kit) =>
    forEachRandomArray(kit, async (source, shape, axis, dtype) => {
      const n = source.integer(1, 2 * shape[axis] + 8);
      const start = source.integer(0, n - 1);
      const keep = [start, source.integer(1, n - start)] as const;
      for (const inverse of both) {
        await matches(kit, fft(dtype, shape, axis, { inverse, n }), n);
        await matches(kit, fft(dtype, shape, axis, { inverse, n, keep }), n);
      }
    }),
  ),
  check("kept ranges at the ends", async (kit) => {
    for (const [n, extent] of [
      [64, 64],
      [100, 60],
      [48, 80],
    ]) {
      for (const keep of [
        [0, 1],
        [n - 1, 1],
        [0, n],
        [1, n - 1],
        [n >> 1, n - (n >> 1)],
      ] as const) {
        await matches(kit, fft("c64", [3, extent], 1, { n, keep }), n);
        await matches(kit, fft("c64", [extent, 3], 0, { n, keep, inverse: true }), n);
      }
    }
  }),
  check("in place", (kit) =>
    forEachRandomArray(kit, async (source, shape, axis, dtype) => {
      for (const inverse of both) await matches(kit, fft(dtype, shape, axis, { inverse }), source.integer(0, 1e6), inPlace);
      const n = shape[axis] + source.integer(1, 9); // padded inside, cropped back: the same layout outside
      await matches(kit, fft(dtype, shape, axis, { n, keep: [0, shape[axis]] }), n, inPlace);
    }),
  ),
  check("in place, both ports bound apart", async (kit) => {
    const op = fft("c64", [6, 30], 1);
    const x = randomArray(op.layout, random(1));
    using plan = await kit.device.plan(op, { inPlace: true });
    using from = upload(kit.device, op.layout, x);
    using to = kit.device.alloc(op.layout);
    await plan.run({ in: from, out: to }).done;
    close(await to.read(), transformed(op, x), correct(30, "c64"), plan.text);
    close(await from.read(), x, 0, "its input");
  }),
  check("one line and very many", async (kit) => {
    const many = kit.sizes === "full" ? 70_000 : 3000;
    for (const n of [1, 2, 8, 12]) {
      await matches(kit, fft("c64", [many, n], 1), n);
      await matches(kit, fft("c64", [n, many], 0), n);
      await matches(kit, fft("c64", [7, n, 301], 1), n);
    }
    for (const lines of [1, 2, 7, 9, 31, 33, 65]) {
      await matches(kit, fft("c64", [lines, 60], 1), lines);
      await matches(kit, fft("c64", [60, lines], 0), lines);
    }
  }),
  check("a plan runs any number of times, on any buffers", async (kit) => {
    const op = fft("c64", [4, 45], 1);
    using plan = await kit.device.plan(op);
    for (let seed = 0; seed < 4; seed++) {
      const x = randomArray(op.layout, random(seed));
      using from = upload(kit.device, op.layout, x);
      using to = kit.device.alloc(op.layout);
      plan.run({ in: from, out: to });
      const first = await to.read();
      plan.run({ in: from, out: to });
      equal(Array.from(await to.read()), Array.from(first), "the same run twice");
      close(first, transformed(op, x), correct(45, "c64"), plan.text);
    }
  }),
]);
