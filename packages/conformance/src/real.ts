/** Checks real transforms, forward and inverse, against the definition: even and odd lengths, padded, cropped, kept in part, any axis. */
import { type ComplexDType, layout, type RealFft, realOf } from "@dechirp/core";
import { close } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { matches } from "./match.ts";
import { random, randomArray } from "./random.ts";
import { complexTypes, runOp } from "./run.ts";
import { shortLengths } from "./sizes.ts";
import { correct } from "./tolerance.ts";

const half = (n: number): number => Math.floor(n / 2) + 1;
const withExtent = (shape: readonly number[], axis: number, extent: number): number[] => shape.map((e, a) => (a === axis ? extent : e));

const forward = (dtype: ComplexDType, shape: readonly number[], axis: number, more: Partial<RealFft> = {}): RealFft => ({
  op: "real-fft",
  layout: layout(realOf(dtype), shape),
  axis,
  inverse: false,
  ...more,
});
const inverse = (dtype: ComplexDType, shape: readonly number[], axis: number, more: Partial<RealFft> = {}): RealFft => ({
  op: "real-fft",
  layout: layout(dtype, shape),
  axis,
  inverse: true,
  ...more,
});

const lengths = (kit: Kit): number[] => [...shortLengths(kit.sizes), 243, 256, 1000, 1009, 1024];

/** Checks real transforms against the definition. */
export const realTransforms = suite("real transforms", [
  check("forward, every length", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const n of lengths(kit)) {
        await matches(kit, forward(dtype, [3, n], 1), n);
        await matches(kit, forward(dtype, [n, 2], 0), n);
      }
    }
  }),
  check("inverse, every length, odd ones by n", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const n of lengths(kit)) {
        await matches(kit, inverse(dtype, [3, half(n)], 1, { n }), n);
        await matches(kit, inverse(dtype, [half(n), 2], 0, { n }), n);
        if (n % 2 === 0) await matches(kit, inverse(dtype, [2, half(n)], 1), n);
      }
    }
  }),
  check("padded, cropped, kept in part, any axis", async (kit) => {
    const source = random(77);
    for (let round = 0; round < (kit.sizes === "full" ? 30 : 8); round++) {
      const shape = Array.from({ length: source.integer(1, 4) }, () => source.integer(1, 9));
      const axis = source.integer(0, shape.length - 1);
      for (const extent of [source.integer(1, 40), source.integer(1, 40)]) {
        const n = source.integer(1, 60);
        const array = withExtent(shape, axis, extent);
        const start = source.integer(0, half(n) - 1);
        await matches(kit, forward("c64", array, axis, { n }), round);
        await matches(kit, forward("c64", array, axis, { n, keep: [start, source.integer(1, half(n) - start)] }), round);
        const from = source.integer(0, n - 1);
        await matches(kit, inverse("c64", array, axis, { n }), round);
        await matches(kit, inverse("c64", array, axis, { n, keep: [from, source.integer(1, n - from)] }), round);
      }
    }
    // Numbers of rows that workgroups do not divide.
    for (const n of [9, 15, 31, 47]) {
      await matches(kit, forward("c64", [70, 5], 1, { n }), n);
      await matches(kit, inverse("c64", [70, 3], 1, { n }), n);
    }
  }),
  check("round trip", async (kit) => {
    for (const n of lengths(kit)) {
      const op = forward("c64", [5, n], 1);
      const x = randomArray(op.layout, random(n));
      const spectrum = (await runOp(kit.device, op, { in: x })).out;
      const back = (await runOp(kit.device, inverse("c64", [5, half(n)], 1, { n }), { in: spectrum })).out;
      close(back, x, correct(n, "c64", 3), `n=${n}`);
    }
  }),
]);
