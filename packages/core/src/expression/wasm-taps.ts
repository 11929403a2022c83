/**
 * `taps` in WebAssembly: weighted sums of neighbouring elements for four neighbouring results. One test says whether all elements of all four
 * are inside the array. If they are, and the results' own elements are neighbours, each tap is one or two loads for all four. At the edges
 * of the array, and for the last few results of a row, elements are read one by one. The products are added in the same order in
 * all cases, so a result does not depend on the run that it is in.
 */
import { dtypes, type Layout } from "../layout.ts";
import { kindOfElement } from "./check.ts";
import { adjacent, gathered, lanesOf, lanesTimes } from "./wasm-arrays.ts";
import { type Code, four, integer, lane, op, set, shuffle, type, when } from "./wasm-bytes.ts";
import type { Run, Value } from "./wasm-run.ts";

/** The sum of the elements from `indices` on along `axis`, times the weights. `base` is the address of the source. */
export function taps(
  run: Run,
  base: Code,
  { dtype, shape }: Layout,
  axis: number,
  weights: readonly Value[],
  indices: readonly Value[],
  ranges: readonly (readonly [low: number, high: number])[],
): Value {
  const { bytes } = dtypes[dtype];
  const kind = kindOfElement(dtype);
  const used = [...weights, ...indices];
  const isUniform = used.every(({ stride }) => stride === 0);
  const section = run.inner(...(isUniform ? [] : [run.body]), ...used.map((value) => value.section));
  const scales = shape.map((_, a) => bytes * shape.slice(a + 1).reduce((product, extent) => product * extent, 1));
  const pitch = scales[axis];
  const count = weights.length;
  const last = Math.min(shape[axis], 2 ** 31) - 1;
  const isWithin = (a: number, highest: number): boolean => ranges[a][0] >= 0 && ranges[a][1] <= highest;
  const scaled = (index: Code, scale: number): Code =>
    scale === 1
      ? index
      : (scale & (scale - 1)) === 0
        ? op(four.shl, index, integer(Math.log2(scale)))
        : op(four.mul, index, run.bits(scale));
  const first = run.vectorOf(indices[axis])[0];
  const vectors = indices.map((index) => run.vectorOf(index)[0]);
  const weightOf = weights.map((weight) => run.vectorOf(weight)[0]);

  run.at = section;
  /** Masks of the results whose other indices are inside the array, and the addresses of their elements of index 0 along the axis. */
  const masks: Code[] = [];
  const own = run.keep(
    vectors.reduce<Code>(
      (sum, index, a) => {
        if (a === axis) return sum;
        if (isWithin(a, shape[a] - 1)) return op(four.add, sum, scaled(index, scales[a]));
        const mask = run.keep(op(four.leu, index, run.bits(Math.min(shape[a], 2 ** 31) - 1)));
        masks.push(mask);
        return op(four.add, sum, scaled(op(four.and, index, mask), scales[a]));
      },
      op(four.splat, base),
    ),
  );
  const totals = Array.from({ length: kind === "complex" ? 2 : 1 }, () => run.variable(section, type.v128));
  /** The products of a tap: four real numbers, or two vectors of two complex ones. */
  const products = (j: number, parts: readonly Code[], mask?: Code): readonly Code[] =>
    parts.map((part, half) => {
      const spread = (vector: Code): Code => {
        if (kind !== "complex") return vector;
        return half === 0 ? shuffle(vector, vector, 0, 0, 1, 1) : shuffle(vector, vector, 2, 2, 3, 3);
      };
      const weight = weights[j].stride === 0 ? weightOf[j] : spread(weightOf[j]);
      const product = op(four.fmul, weight, part);
      return mask ? op(four.and, product, spread(mask)) : product;
    });
  const sum = (parts: (j: number) => readonly Code[]): void => {
    for (let j = 0; j < count; j++)
      for (const [half, part] of parts(j).entries())
        run.at.code.push(set(totals[half], j === 0 ? part : op(four.fadd, totals[half], part)));
  };

  /** Every element has a test of its own; one outside is read elsewhere and does not count. */
  const apart = (): void =>
    sum((j) => {
      const index = run.keep(j === 0 ? first : op(four.add, first, run.bits(j)));
      const inside = op(four.leu, index, run.bits(last));
      const mask = run.keep(masks.reduce((all, other) => op(four.and, all, other), inside));
      const address = run.keep(op(four.add, own, scaled(op(four.and, index, mask), pitch)));
      const addresses = isUniform ? new Array<Code>(4).fill(run.keep(lane(four.lane, 0, address), type.i32)) : lanesOf(run, address);
      return products(j, gathered(run, dtype, addresses), mask);
    });
  const farthest = (count - 1) * pitch;
  if (isUniform || run.tail || last + 1 < count || farthest + 32 >= 2 ** 31) apart();
  else {
    const together = (): void => {
      const addresses = run.keep(op(four.add, own, scaled(first, pitch)));
      const start = run.keep(lane(four.lane, 0, addresses), type.i32);
      const expected = op(
        four.add,
        op(four.splat, start),
        run.shared(run.once, `lanes ${bytes}`, type.v128, () => lanesTimes(bytes)),
      );
      const neighbours = run.branch(() => sum((j) => products(j, adjacent(run, dtype, start, j * pitch))));
      const scattered = run.branch(() => {
        const starts = lanesOf(run, addresses);
        sum((j) => products(j, gathered(run, dtype, starts, 0, j * pitch)));
      });
      run.at.code.push(when(op(four.all, op(four.eq, addresses, expected)), neighbours, scattered));
    };
    const highest = last + 1 - count;
    const conditions = [...(isWithin(axis, highest) ? [] : [op(four.leu, first, run.bits(highest))]), ...masks];
    if (conditions.length === 0) together();
    else {
      const all = conditions.reduce((a, b) => op(four.and, a, b));
      const [near, far] = [run.branch(together), run.branch(apart)];
      run.at.code.push(when(op(four.all, all), near, far));
    }
  }
  if (kind !== "complex") return { kind, section, vector: totals, ...(isUniform && { stride: 0 }) };
  if (!isUniform) return { kind, section, pairs: totals };
  const put = (...lanes: readonly number[]): Code => run.put(section, type.v128, shuffle(totals[0], totals[1], ...lanes));
  return { kind, section, stride: 0, vector: [put(0, 2, 4, 6), put(1, 3, 5, 7)] };
}
