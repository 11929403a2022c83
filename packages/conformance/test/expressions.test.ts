/** Tests the random expressions of the kit and the bounds that devices are held to. */
import { ArrayView, layout, scalarCount, typedArray } from "@dechirp/core";
import { checkExpression, type Domain, type Expression, type Node } from "@dechirp/core/expression";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Arithmetic, isDecided } from "../src/expression-arithmetic.ts";
import { boundOfExpression } from "../src/expression-bound.ts";
import { random } from "../src/random.ts";
import { expressionOf, treesOf, uniformsOfTrees } from "../src/random-expressions.ts";
import { singleDevice } from "./single-precision.ts";

const sources = { field: layout("c64", [3, 5]), line: layout("f32", [13]), table: layout("i8", [5, 4]), words: layout("u32", [17]) };
const shape = [3, 5];
const domain: Domain = { shape, sources, uniforms: uniformsOfTrees };
const kinds = treesOf(fc, false);
const anything = fc.oneof(kinds.real, kinds.real, kinds.complex, kinds.complex, kinds.i32, kinds.u32, kinds.bool);

/** Random expressions. Their number is that of trees that the kit runs on every device. */
const some: readonly Expression[] = fc.sample(anything, { numRuns: 2000, seed: 4 }).map((tree) => expressionOf([tree], { shape, sources }));

describe("random expressions", () => {
  test("are valid and have every operator, sums in sums, and values that are used twice", () => {
    const seen = new Set<string>();
    let [nested, shared] = [0, 0];
    for (const expression of some) {
      const facts = checkExpression(expression, domain);
      for (const [operator] of expression.nodes) seen.add(operator);
      if (facts.some(({ sums }) => sums.length > 1)) nested += 1;
      const uses = facts.flatMap(({ operands }) => operands);
      if (new Set(uses).size < uses.length) shared += 1;
    }
    const all = [
      ...["real", "i32", "u32", "bool", "index", "uniform", "load", "inside", "term", "sum", "select", "neg", "abs", "floor", "round"],
      ...["sqrt", "log", "cis", "re", "im", "conj", "not", "real-of", "i32-of", "u32-of", "bits", "finite", "add", "sub", "mul", "div"],
      ...["mod", "min", "max", "atan2", "shl", "shr", "and", "or", "xor", "complex", "lt", "le", "eq", "ne", "taps"],
    ];
    expect([...seen].sort()).toEqual(all.sort());
    expect(nested).toBeGreaterThan(20);
    expect(shared).toBeGreaterThan(200);
  });
});

describe("bounds hold for a device in float32", () => {
  test.each<[Arithmetic, boolean]>([
    ["ieee", false],
    ["wgsl", true],
  ])("%s", (arithmetic, hasNoise) => {
    const source = random(9);
    const data = Object.fromEntries(
      Object.entries(sources).map(([name, shaped]) => {
        const array = typedArray(shaped.dtype, scalarCount(shaped));
        return [
          name,
          new ArrayView(
            shaped,
            array.map(() =>
              name === "words" ? source.integer(0, 2 ** 32 - 1) : source.integer(-40, 40) / (name === "table" ? 1 : 8),
            ) as never,
          ),
        ];
      }),
    );
    const count = { decided: 0, all: 0 };
    for (const expression of some) {
      const facts = checkExpression(expression, domain);
      const bound = boundOfExpression(expression, facts, domain, arithmetic);
      const device = singleDevice(expression, facts, domain, hasNoise ? source : undefined);
      const uniforms = { f: Math.fround(source.next() * 4 - 2), n: source.integer(-2, 7), m: source.integer(0, 2 ** 32 - 1) };
      for (let e = 0; e < 15; e += 4) {
        const inputs = { at: [Math.floor(e / 5), e % 5], sources: data, uniforms };
        const [expected] = bound(inputs);
        const [actual] = device(inputs);
        const { kind } = facts[expression.results[0]];
        for (const [part, [v, error]] of expected.slice(0, kind === "complex" ? 2 : 1).entries()) {
          count.all += 1;
          if (!isDecided([v, error])) continue;
          count.decided += 1;
          const isRight = Number.isFinite(v) ? Math.abs(actual[part] - v) <= error : Object.is(actual[part], v);
          if (!isRight) expect.fail(`${JSON.stringify(expression)} at ${inputs.at}: ${actual[part]} is not within ${error} of ${v}`);
        }
      }
    }
    expect(count.decided).toBeGreaterThan(count.all / 2);
  });
});

describe("bounds are no larger than they must be", () => {
  const boundOf = (
    arithmetic: Arithmetic,
    nodes: readonly Node[],
    uniforms: Record<string, number> = { f: 1.1 },
  ): readonly [number, number] => {
    const given: Domain = { shape: [1], sources: {}, uniforms: { f: "f32" } };
    const expression = { nodes, results: [nodes.length - 1] };
    return boundOfExpression(expression, checkExpression(expression, given), given, arithmetic)({ at: [0], sources: {}, uniforms })[0][0];
  };
  const f: Node = ["uniform", "f"];
  const ulp = 2 ** -23;

  test.each<readonly [string, Arithmetic, readonly Node[], number]>([
    ["a sum", "ieee", [f, ["add", 0, 0]], 0],
    ["a product", "ieee", [f, ["mul", 0, 0]], 0.5 * ulp],
    ["a product", "wgsl", [f, ["mul", 0, 0]], 0.5 * ulp],
    ["a quotient", "wgsl", [["real", 1], f, ["div", 0, 1]], 2.5 * ulp],
    ["a square root", "ieee", [f, ["sqrt", 0]], 0.5 * ulp],
    ["a magnitude", "ieee", [f, ["complex", 0, 0], ["abs", 1]], 1 * ulp],
    ["an angle", "ieee", [["real", 1], f, ["atan2", 0, 1]], 2 * ulp],
    ["an angle", "wgsl", [["real", 1], f, ["atan2", 0, 1]], 4096 * ulp],
  ])("of %s, %s", (_, arithmetic, nodes, allowed) => {
    const [v, e] = boundOf(arithmetic, nodes, { f: Math.fround(1.1) });
    expect(e / Math.abs(v)).toBeLessThanOrEqual(allowed * 1.001);
  });

  test("whole numbers, halves and integers are exact", () => {
    expect(
      boundOf("wgsl", [
        ["real", 3],
        ["real", 0.5],
        ["mul", 0, 1],
        ["add", 2, 0],
        ["floor", 3],
      ]),
    ).toEqual([4, 0]);
    expect(
      boundOf("wgsl", [
        ["i32", 7],
        ["real-of", 0],
        ["i32-of", 1],
        ["shl", 2, 0],
      ]),
    ).toEqual([896, 0]);
  });

  test.each<readonly [string, Arithmetic, readonly Node[]]>([
    [
      "a rounding near a tie",
      "ieee",
      [
        ["real", 0.1],
        ["real", 5],
        ["mul", 0, 1],
        ["round", 2],
      ],
    ],
    [
      "floor near a whole number",
      "ieee",
      [
        ["real", 0.1],
        ["real", 10],
        ["mul", 0, 1],
        ["floor", 2],
      ],
    ],
    [
      "a comparison of neighbours",
      "ieee",
      [
        ["real", 0.1],
        ["real", 3],
        ["mul", 0, 1],
        ["real", 0.3],
        ["lt", 2, 3],
        ["select", 4, 0, 1],
      ],
    ],
    [
      "an overflow of float32",
      "ieee",
      [
        ["real", 1e30],
        ["mul", 0, 0],
      ],
    ],
    [
      "an overflow that is divided away",
      "wgsl",
      [
        ["real", 1e30],
        ["mul", 0, 0],
        ["div", 1, 0],
      ],
    ],
    [
      "a root of what may be negative",
      "ieee",
      [
        ["real", 0.1],
        ["real", 3],
        ["mul", 0, 1],
        ["real", 0.3],
        ["sub", 2, 3],
        ["sqrt", 4],
      ],
    ],
    [
      "an angle at ±π",
      "wgsl",
      [
        ["real", -1],
        ["real", 0],
        ["atan2", 1, 0],
      ],
    ],
    [
      "division by zero in WGSL",
      "wgsl",
      [
        ["real", 1],
        ["real", 0],
        ["div", 0, 1],
      ],
    ],
  ])("%s is undecided", (_, arithmetic, nodes) => expect(isDecided(boundOf(arithmetic, nodes))).toBe(false));

  test("IEEE 754 decides what is not finite", () => {
    expect(
      boundOf("ieee", [
        ["real", 1],
        ["real", -0],
        ["div", 0, 1],
      ]),
    ).toEqual([Number.NEGATIVE_INFINITY, 0]);
    expect(
      boundOf("ieee", [
        ["real", 0],
        ["log", 0],
        ["sub", 1, 1],
      ]),
    ).toEqual([Number.NaN, 0]);
    expect(
      boundOf("ieee", [
        ["real", -1],
        ["real", 0],
        ["atan2", 1, 0],
      ])[1],
    ).toBeLessThan(1e-6);
  });
});
