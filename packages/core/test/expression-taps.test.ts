/** `taps`: what it computes, its text, and what it refuses. The kit compares devices with it, in random expressions and gathers. */
import { describe, expect, it } from "vitest";
import { checkExpression, type Domain, type Expression, inside, map, plus, type SourceOf, taps, times } from "../src/expression.ts";
import { format, referenceOfExpression } from "../src/expression-code.ts";
import { ArrayView, type Layout, layout, type TypedArrayOf } from "../src/index.ts";

const shape = [3, 5];
const x = layout("c64", shape);
const domain: Domain = { shape, sources: { x } };
const data = Float32Array.from({ length: 30 }, (_, i) => i + 1);

function valueAt(expression: Expression, at: readonly number[], array: TypedArrayOf = data): readonly number[] {
  const out = new Float64Array(2);
  const run = referenceOfExpression(expression, checkExpression(expression, domain), domain);
  run({ at, sources: { x: new ArrayView(x, array) }, uniforms: {} }, out);
  return [...out];
}

const written = (axis: number, offset: readonly number[]) =>
  map({ shape, sources: { x }, outputs: { y: "c64" } }, ({ at, x }) => ({
    y: taps(
      x,
      axis,
      [1, 10, 100],
      at.map((index, a) => plus(index, offset[a])),
    ),
  }));

describe("taps", () => {
  it.each([0, 1])("adds weighted neighbours along axis %d, and only those inside", (axis) => {
    for (const offset of [
      [0, 0],
      [-1, -1],
      [-2, 3],
      [2, -4],
      [-9, 0],
      [0, 9],
    ]) {
      const { expression } = written(axis, offset);
      for (let row = 0; row < 3; row++)
        for (let column = 0; column < 5; column++) {
          let [re, im] = [0, 0];
          for (const [j, weight] of [1, 10, 100].entries()) {
            const [r, c] = [row + offset[0] + (axis === 0 ? j : 0), column + offset[1] + (axis === 1 ? j : 0)];
            if (r < 0 || r >= 3 || c < 0 || c >= 5) continue;
            re += weight * data[2 * (5 * r + c)];
            im += weight * data[2 * (5 * r + c) + 1];
          }
          expect(valueAt(expression, [row, column])).toEqual([re, im]);
        }
    }
  });

  it("does not count what is outside, whatever its weight", () => {
    const made = map({ shape, sources: { x }, outputs: { y: "c64" } }, "y = taps(x, 1, 1.0 / 0.0, 2, i0, i1 - 1)");
    expect(valueAt(made.expression, [0, 0])).toEqual([2, 4]);
    expect(valueAt(made.expression, [0, 1])[0]).toBe(Number.POSITIVE_INFINITY);
  });

  it("is the sum of elements inside", () => {
    const two = map({ shape, sources: { x }, outputs: { y: "c64" } }, ({ at: [i, j], x }) => ({
      y: plus(times(inside(x, plus(i, -1), j), 3), times(inside(x, i, j), 4)),
    }));
    const one = map({ shape, sources: { x }, outputs: { y: "c64" } }, "y = taps(x, 0, 3, 4, i0 - 1, i1)");
    for (let e = 0; e < 15; e++) {
      const at = [Math.floor(e / 5), e % 5];
      expect(valueAt(one.expression, at)).toEqual(valueAt(two.expression, at));
    }
  });

  it("has a text that parses to the same expression", () => {
    const { expression } = written(1, [0, -1]);
    const text = format(expression, domain, ["y"]);
    expect(text).toBe("y = taps(x, 1, real(1), real(10), real(100), i0 + i32(0), i1 + i32(-1))");
    const again = map({ shape, sources: { x }, outputs: { y: "c64" } }, text);
    expect(format(again.expression, domain, ["y"])).toBe(text);
  });

  it("refuses wrong sources, axes, weights and indices", () => {
    const words = layout("u32", shape);
    const made =
      (axis: number, weights: number, array: Layout = x) =>
      () =>
        map({ shape, sources: { x: array }, outputs: { y: "c64" } }, ({ at, x }) => ({
          y: taps(x as SourceOf<"complex">, axis, new Array<number>(weights).fill(1), at),
        }));
    expect(made(0, 1, words)).toThrow(/real or complex/);
    expect(made(2, 1)).toThrow(/an axis of x/);
    expect(made(0, 0)).toThrow(/from 1 to 64/);
    expect(made(0, 65)).toThrow(/from 1 to 64/);
    expect(() => map({ shape, sources: { x }, outputs: { y: "c64" } }, "y = taps(x, 0, i0, i0, i1)")).toThrow(/real weights/);
    expect(() => map({ shape, sources: { x }, outputs: { y: "c64" } }, ({ at, x }) => ({ y: taps(x, 0, [1], at[0]) }))).toThrow(
      /indices of x/,
    );
    for (const node of [
      ["taps", "x", 2, 1, 0, 1, 1],
      ["taps", "x", 0, 0, 1, 1],
      ["taps", "x", 0, 65, ...new Array<number>(65).fill(0), 1, 1],
      ["taps", "x", 0, 1, 1, 1, 1],
      ["taps", "x", 0, 1, 0, 0, 1],
      ["taps", "x", 0, 1, 0, 1],
      ["taps", "x", 0, 2, 0, 1, 1],
      ["taps", "y", 0, 1, 0, 1, 1],
      ["taps", "x", 0, 1, 5, 1, 1],
    ])
      expect(() => checkExpression({ nodes: [["real", 1], ["index", 0], node as never], results: [2] }, domain)).toThrow(/nodes\[2\]/);
  });

  it("counts every tap as work", () => {
    const nodes = [
      ["real", 1],
      ["i32", 0],
      ["taps", "x", 0, 64, ...new Array<number>(64).fill(0), 1, 1],
      ["i32", 20_000],
    ];
    const sum = ["sum", 0, 3, 5, 20_000];
    const term = ["term", 0];
    const inTerm = ["taps", "x", 0, 64, ...new Array<number>(64).fill(0), 4, 1];
    const all = [...nodes, term, inTerm, sum] as never;
    expect(() => checkExpression({ nodes: all, results: [6] }, domain)).toThrow(/operations for an element/);
  });
});
