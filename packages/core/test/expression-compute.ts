/** Computes expressions given as lists of nodes by their float64 reference. */
import { checkExpression } from "../src/expression/check.ts";
import type { Domain, Node } from "../src/expression/nodes.ts";
import { type ReferenceInputs, referenceOfExpression } from "../src/expression/reference.ts";

/** The first result of a list of nodes whose last node is the result. */
export function compute(
  nodes: readonly Node[],
  inputs: Partial<ReferenceInputs> = {},
  domain: Partial<Domain> = {},
): readonly [number, number] {
  const full: Domain = { shape: [4, 4], sources: {}, ...domain };
  const expression = { nodes, results: [nodes.length - 1] };
  const out = new Float64Array(2);
  referenceOfExpression(expression, checkExpression(expression, full), full)({ at: [0, 0], sources: {}, uniforms: {}, ...inputs }, out);
  return [out[0], out[1]];
}
