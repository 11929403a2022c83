/**
 * Tests that checks of expressions refuse whatever may come from files and messages with one typed error that names a field, and soon.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RadarError } from "../src/errors.ts";
import { checkExpression } from "../src/expression/check.ts";
import type { Domain, Expression, Node } from "../src/expression/nodes.ts";
import { layout } from "../src/layout.ts";

const domain: Domain = {
  shape: [3, 4],
  sources: { x: layout("c64", [3, 4]), w: layout("u32", [4]) },
  uniforms: { f: "f32", n: "i32" },
  value: true,
};

/** Checks an expression, and the error if there is one. Whether it is valid. */
function isValid(given: unknown): boolean {
  try {
    checkExpression(given as Expression, domain);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(RadarError);
    const { code, fields } = error as RadarError;
    expect(["layout", "limit"]).toContain(code);
    expect((fields as { field: string }).field).toMatch(/^expression/);
    return false;
  }
}

const operators = [
  ...["real", "i32", "u32", "bool", "index", "uniform", "value", "load", "inside", "term", "sum", "select", "neg", "abs", "floor", "round"],
  ...["sqrt", "log", "cis", "re", "im", "conj", "not", "real-of", "i32-of", "u32-of", "bits", "finite", "add", "sub", "mul", "div", "mod"],
  ...["min", "max", "atan2", "shl", "shr", "and", "or", "xor", "complex", "lt", "le", "eq", "ne", "constructor", "__proto__", ""],
];
const operand = fc.oneof(
  { arbitrary: fc.nat(8), weight: 6 },
  { arbitrary: fc.constantFrom("x", "w", "f", "n", "toString", true, false, 0.5, -1, 2 ** 32, 2 ** 60, 1e300, null), weight: 3 },
  { arbitrary: fc.jsonValue(), weight: 1 },
);
const node = fc.oneof(
  {
    arbitrary: fc.tuple(fc.constantFrom(...operators), fc.array(operand, { maxLength: 4 })).map(([name, rest]) => [name, ...rest]),
    weight: 9,
  },
  { arbitrary: fc.jsonValue(), weight: 1 },
);
/** Begins with nodes of every kind, so that some of what follows is valid. */
const beginning: readonly Node[] = [["real", 0.5], ["i32", 2], ["u32", 3], ["value"], ["bool", true]];

describe("whatever is given as an expression is valid or refused with an error that names a field", () => {
  test("any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (given) => void isValid(given)),
      { numRuns: 1000, seed: 1 },
    );
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (nodes, results) => void isValid({ nodes, results })),
      { numRuns: 1000, seed: 2 },
    );
  });

  test("lists of nodes that are nearly right", () => {
    let valid = 0;
    const runs = 20_000;
    fc.assert(
      fc.property(fc.array(node, { maxLength: 6 }), fc.array(operand, { maxLength: 2 }), (nodes, results) => {
        if (isValid({ nodes: [...beginning, ...nodes], results: [0, ...results] })) valid += 1;
      }),
      { numRuns: runs, seed: 3 },
    );
    expect(valid).toBeGreaterThan(runs / 50);
    expect(valid).toBeLessThan(runs / 2);
  });

  test.each<readonly [string, unknown]>([
    ["no expression", undefined],
    ["null", null],
    ["nodes that are a text", { nodes: "real", results: [0] }],
    ["a list with holes", { nodes: new Array(3), results: [0] }],
    ["results with holes", { nodes: [["real", 1]], results: new Array(1) }],
    ["an operator from a prototype", { nodes: [["constructor"]], results: [0] }],
    ["a uniform that is no text", { nodes: [["uniform", { toString: 1, valueOf: 1 }]], results: [0] }],
    [
      "a source that is no text",
      {
        nodes: [
          ["i32", 0],
          ["load", { toString: 1, valueOf: 1 }, 0, 0],
        ],
        results: [0],
      },
    ],
    [
      "a source from a prototype",
      {
        nodes: [
          ["i32", 0],
          ["load", "toString", 0, 0],
        ],
        results: [0],
      },
    ],
    ["a node that is its own operand", { nodes: [["neg", 0]], results: [0] }],
    [
      "an operand that is not whole",
      {
        nodes: [
          ["real", 1],
          ["neg", 0.5],
        ],
        results: [1],
      },
    ],
    [
      "an operand that is a text",
      {
        nodes: [
          ["real", 1],
          ["neg", "0"],
        ],
        results: [1],
      },
    ],
    ["NaN", { nodes: [["real", Number.NaN]], results: [0] }],
    ["a number beyond float32", { nodes: [["real", 3.5e38]], results: [0] }],
    [
      "two sums with one number",
      {
        nodes: [
          ["i32", 1],
          ["sum", 0, 0, 0, 1],
          ["sum", 0, 0, 0, 1],
        ],
        results: [2],
      },
    ],
    ["a term without a sum", { nodes: [["term", 3]], results: [0] }],
    [
      "a term as a result",
      {
        nodes: [
          ["i32", 1],
          ["term", 0],
          ["sum", 0, 0, 1, 1],
        ],
        results: [1],
      },
    ],
    [
      "a term used after its sum",
      {
        nodes: [
          ["i32", 1],
          ["term", 0],
          ["sum", 0, 0, 1, 1],
          ["neg", 1],
        ],
        results: [3],
      },
    ],
    [
      "a count that depends on the index",
      {
        nodes: [
          ["index", 0],
          ["sum", 0, 0, 0, 3],
        ],
        results: [1],
      },
    ],
    [
      "a count from a source",
      {
        nodes: [
          ["i32", 0],
          ["load", "w", 0],
          ["bits", 1],
          ["sum", 0, 2, 0, 3],
        ],
        results: [3],
      },
    ],
  ])("%s", (_, given) => expect(isValid(given)).toBe(false));
});

describe("limits", () => {
  test("sums in one another", () => {
    const nested = (depth: number): unknown => {
      const nodes: Node[] = [["i32", 1]];
      for (let i = 0; i < depth; i++) nodes.push(["term", i]);
      for (let i = 0; i < depth; i++) nodes.push(["add", i === 0 ? 0 : nodes.length - 1, depth - i]);
      for (let i = depth - 1; i >= 0; i--) nodes.push(["sum", i, 0, nodes.length - 1, 1]);
      return { nodes, results: [nodes.length - 1] };
    };
    expect(isValid(nested(16))).toBe(true);
    expect(isValid(nested(17))).toBe(false);
    // Refused at the first node of too many sums, before every list of sums is made.
    const nodes = (nested(1300) as Expression).nodes;
    expect(() => checkExpression({ nodes, results: [0] }, domain)).toThrowError(/nodes\[1317\]/);
  });

  test("nodes, and the work of all terms", () => {
    const chain = (length: number): unknown => ({
      nodes: Array.from({ length }, (_, i): Node => (i === 0 ? ["i32", 1] : ["add", i - 1, i - 1])),
      results: [length - 1],
    });
    expect(isValid(chain(4096))).toBe(true);
    expect(isValid(chain(4097))).toBe(false);
    const work = (most: number): unknown => ({
      nodes: [
        ["i32", 5],
        ["term", 0],
        ["term", 1],
        ["add", 1, 2],
        ["sum", 1, 0, 3, 1024],
        ["sum", 0, 0, 4, most],
      ],
      results: [5],
    });
    expect(isValid(work(500))).toBe(true);
    expect(isValid(work(1024))).toBe(false);
  });
});
