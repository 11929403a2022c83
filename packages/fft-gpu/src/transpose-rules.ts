/**
 * The rule for corner turns of matrices. Core's kernel does other permutations, elements narrower than a word and transposes in place.
 */
import { portsOf, type Transpose } from "@dechirp/core";
import { onePassCost, type Rule } from "@dechirp/core/backend";
import { elementsPerWord, valueType } from "./accessors.ts";
import type { Engine } from "./engine.ts";
import type { GpuArray } from "./memory.ts";
import { turnDispatch } from "./wgsl/transpose.ts";

const tileBytes = 32 * 33 * 8;

/** The rules for corner turns. */
export function transposeRules(engine: Engine): readonly Rule<GpuArray>[] {
  return [
    {
      name: "tiled corner turn",
      fused: false,
      try(op, context) {
        if (op.op !== "transpose" || context.options.inPlace || elementsPerWord(op.layout.dtype) > 1) return undefined;
        if (engine.limits.workgroupBytes < tileBytes || engine.limits.invocations < 256) return undefined;
        const shape = asMatrices(op);
        if (!shape || Math.min(shape.rows, shape.columns) < 8) return undefined;
        const dispatch = turnDispatch({ ...shape, input: op.layout, output: portsOf(op)["out"].layout, type: valueType(op.layout.dtype) });
        const text = `(transpose/gpu tiled ${shape.matrices} of ${shape.rows}×${shape.columns})`;
        return engine.body({ op, text, cost: onePassCost(op), dispatches: [dispatch] }, context);
      },
    },
  ];
}

/** Returns the matrices of a permutation that keeps some axes and exchanges two adjacent groups of axes after them. */
function asMatrices(op: Transpose): { matrices: number; rows: number; columns: number } | undefined {
  const { permutation } = op;
  const rank = permutation.length;
  const kept = permutation.findIndex((axis, i) => axis !== i);
  if (kept < 0) return undefined;
  const first = permutation[kept];
  const rotated = Array.from({ length: rank - kept }, (_, i) => kept + ((first - kept + i) % (rank - kept)));
  if (rotated.some((axis, i) => permutation[kept + i] !== axis)) return undefined;
  const product = (from: number, to: number): number => op.layout.shape.slice(from, to).reduce((a, b) => a * b, 1);
  return { matrices: product(0, kept), rows: product(kept, first), columns: product(first, rank) };
}
