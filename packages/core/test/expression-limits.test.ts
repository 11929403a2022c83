/** Tests the limits of expressions: how much work an element may take, and how many sums may be in one another. */
import { describe, expect, it } from "vitest";
import { checkExpression } from "../src/expression/check.ts";
import { type Domain, maxDepth, maxWork, type Node } from "../src/expression/nodes.ts";

const domain: Domain = { shape: [4], sources: {}, uniforms: { gain: "f32" } };

function check(nodes: readonly Node[]): unknown {
  try {
    checkExpression({ nodes, results: [nodes.length - 1] }, domain);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Sums in one another of `count` terms each. The terms of each depend on its index and on that of the sum around it, but on no other. */
function chain(depth: number, count: number): readonly Node[] {
  const nodes: Node[] = [["i32", count]];
  for (let j = 0; j < depth; j++) nodes.push(["term", j]);
  let at = depth;
  for (let j = depth - 1; j >= 0; j--) {
    if (j > 0) {
      nodes.push(["add", at, j]);
      at = nodes.length - 1;
    }
    nodes.push(["sum", j, 0, at, count]);
    at = nodes.length - 1;
    if (j > 0) {
      nodes.push(["mul", at, j]);
      at = nodes.length - 1;
    }
  }
  return nodes;
}

describe("the work of an expression", () => {
  it("counts all sums around a node, whether it depends on their terms or not", () => {
    expect(check(chain(2, 4))).toBeUndefined();
    expect(check(chain(4, 8))).toBeUndefined();
    // 64^10 terms, although no node depends on more than two of the sums
    const error = check(chain(10, 64));
    expect(error).toMatchObject({ code: "limit", fields: { field: "expression", limit: maxWork } });
    expect((error as { fields: { actual: number } }).fields.actual).toBeGreaterThan(64 ** 10);
  });

  it("does not count a sum that does not depend on the sum whose term uses it", () => {
    const nodes: readonly Node[] = [
      ["i32", 1024],
      ["term", 0],
      ["sum", 0, 0, 1, 1024],
      ["term", 1],
      ["mul", 2, 3],
      ["sum", 1, 0, 4, 1024],
    ];
    expect(check(nodes)).toBeUndefined();
  });
});

it("sums may be in one another to a depth that every compiler takes", () => {
  expect(check(chain(maxDepth, 1))).toBeUndefined();
  const nodes = chain(maxDepth + 1, 1);
  const inner = nodes.findIndex(([operator]) => operator === "sum");
  expect(check(nodes)).toMatchObject({ code: "limit", fields: { field: `expression.nodes[${inner}]` } });
});

it("an index fits an i32", () => {
  const along = (shape: readonly number[], axis: number) => () =>
    checkExpression(
      {
        nodes: [
          ["index", axis],
          ["real-of", 0],
        ],
        results: [1],
      },
      { shape, sources: {} },
    );
  expect(along([2 ** 31], 0)).not.toThrow();
  expect(along([2 ** 31 + 1], 0)).toThrow(
    expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field: "expression.nodes[0]" }) }),
  );
  expect(along([2, 2 ** 31], 1)).not.toThrow();
});
