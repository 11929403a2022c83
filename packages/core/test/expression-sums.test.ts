/** Tests of the float64 reference of expressions: sums, and values that are used more than once. */
import { describe, expect, test } from "vitest";
import { checkExpression } from "../src/expression/check.ts";
import type { Domain, Node } from "../src/expression/nodes.ts";
import { referenceOfExpression, referenceRun } from "../src/expression/reference.ts";
import { layout } from "../src/layout.ts";
import { ArrayView } from "../src/view.ts";
import { compute } from "./expression-compute.ts";

const most = 2 ** 31 - 1;
const all = 2 ** 32 - 1;

describe("sums", () => {
  const quadratic: readonly Node[] = [
    ["uniform", "n"],
    ["term", 7],
    ["mul", 1, 1],
    ["index", 1],
    ["add", 2, 3],
    ["sum", 7, 0, 4, 10],
  ];
  const domain: Domain = { shape: [4, 4], sources: {}, uniforms: { n: "i32" } };
  test.each([
    [0, 0],
    [-3, 0],
    [1, 2],
    [5, 30 + 10],
    [10, 285 + 20],
    [11, 285 + 20],
    [most, 285 + 20],
  ])("of %i terms", (n, expected) => expect(compute(quadratic, { at: [0, 2], uniforms: { n } }, domain)).toEqual([expected, 0]));

  test("of integers wrap", () => {
    const of = (kind: "i32" | "u32", value: number): Node[] => [
      ["i32", 3],
      [kind, value],
      ["sum", 0, 0, 1, 3],
    ];
    expect(compute(of("i32", most))).toEqual([most - 2, 0]); // 3·(2³¹ − 1) − 2³²
    expect(compute(of("u32", all))).toEqual([all - 2, 0]);
  });

  test("of complex terms, the first added to zero", () => {
    expect(
      compute([
        ["i32", 4],
        ["term", 0],
        ["real-of", 1],
        ["neg", 2],
        ["complex", 2, 3],
        ["sum", 0, 0, 4, 4],
      ]),
    ).toEqual([6, -6]);
    expect(
      compute([
        ["i32", 1],
        ["real", -0],
        ["sum", 0, 0, 1, 1],
      ]),
    ).toEqual([0, 0]);
  });

  test("may be nested, and a sum may use the index of the one around it", () => {
    // Σ_i Σ_j (i·10 + j)·i with i < 3, j < 4.
    const nodes: Node[] = [
      ["i32", 3],
      ["i32", 4],
      ["i32", 10],
      ["term", 0],
      ["term", 1],
      ["mul", 3, 2],
      ["add", 5, 4],
      ["sum", 1, 1, 6, 4],
      ["mul", 7, 3],
      ["sum", 0, 0, 8, 3],
    ];
    let expected = 0;
    for (let i = 0; i < 3; i++) for (let j = 0; j < 4; j++) expected += (i * 10 + j) * i;
    expect(compute(nodes)).toEqual([expected, 0]);
  });

  test("random sums of products of samples equal loops", () => {
    const samples = Float64Array.from({ length: 2 * 64 }, (_, i) => Math.sin(i * i));
    const view = new ArrayView(layout("c128", [64]), samples);
    const nodes: Node[] = [
      ["i32", 20],
      ["term", 0],
      ["index", 0],
      ["add", 1, 2],
      ["inside", "x", 3],
      ["conj", 4],
      ["mul", 4, 5],
      ["real-of", 1],
      ["mul", 7, 4],
      ["add", 6, 8],
      ["sum", 0, 0, 9, 20],
    ];
    for (let at = 0; at < 64; at++) {
      let [re, im] = [0, 0];
      for (let j = 0; j < 20 && at + j < 64; j++) {
        const [a, b] = [samples[2 * (at + j)], samples[2 * (at + j) + 1]];
        re += a * a + b * b + j * a;
        im += j * b;
      }
      const actual = compute(nodes, { at: [at], sources: { x: view } }, { shape: [64], sources: { x: view.layout } });
      expect(actual[0]).toBeCloseTo(re, 10);
      expect(actual[1]).toBeCloseTo(im, 10);
    }
  });
});

describe("sharing", () => {
  test("a chain of doublings is computed once", () => {
    const nodes: Node[] = [["real", 1]];
    for (let i = 0; i < 60; i++) nodes.push(["add", i, i]);
    expect(compute(nodes)).toEqual([2 ** 60, 0]);
  });

  test("what is constant in a run or a row is computed once there", () => {
    let reads = 0;
    const data = Float64Array.from({ length: 12 }, (_, i) => i);
    class Counted extends ArrayView {
      override re(index: number): number {
        reads += 1;
        return super.re(index);
      }
    }
    const view = new Counted(layout("f64", [12]), data);
    const nodes: Node[] = [
      ["i32", 5],
      ["load", "x", 0],
      ["index", 0],
      ["load", "x", 2],
      ["index", 1],
      ["load", "x", 4],
      ["add", 1, 3],
      ["add", 6, 5],
    ];
    const domain: Domain = { shape: [3, 4], sources: { x: view.layout } };
    const expression = { nodes, results: [7] };
    const run = referenceRun(expression, checkExpression(expression, domain), domain);
    const out = new Float64Array(2);
    const pass = (): number[] => {
      run.begin({ x: view }, {});
      return Array.from({ length: 12 }, (_, e) => {
        run.compute([Math.floor(e / 4), e % 4], out);
        return out[0];
      });
    };
    expect(pass()).toEqual(Array.from({ length: 12 }, (_, e) => 5 + Math.floor(e / 4) + (e % 4)));
    expect(reads).toBe(1 + 3 + 12);
    data.fill(1);
    expect(pass()).toEqual(Array.from({ length: 12 }, () => 3));
  });

  test("several results, one node in two of them, nodes that nothing uses", () => {
    const nodes: Node[] = [
      ["real", 2],
      ["real", 3],
      ["complex", 0, 1],
      ["log", 1],
    ];
    const domain: Domain = { shape: [1], sources: {} };
    const expression = { nodes, results: [2, 0, 2] };
    const out = new Float64Array(6);
    referenceOfExpression(expression, checkExpression(expression, domain), domain)({ at: [0], sources: {}, uniforms: {} }, out);
    expect([...out]).toEqual([2, 3, 2, 0, 2, 3]);
  });
});
