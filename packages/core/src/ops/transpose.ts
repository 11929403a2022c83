/** Permutation of an array's axes. The corner turn is the one that exchanges the last two. */
import { type DType, formatLayout, type Layout, layout } from "../layout.ts";
import { type MapOp, mapTo } from "./map.ts";
import { fail, inOut, type OpLowering, type OpRow, step, type WithOutputType } from "./row.ts";

/** Permutes axes. Ports: `in` of `layout`, `out`. */
export interface Transpose {
  readonly op: "transpose";
  readonly layout: Layout;
  /** Axes of the input in the order of the output's: axis i of the output is axis `permutation[i]` of the input. */
  readonly permutation: readonly number[];
}

/**
 * Makes an op that permutes axes: `transpose(lines, { permutation: [1, 0] })`. Nothing is checked here; `program` and `Device.plan` check
 * ops.
 */
export const transpose = <D extends DType>(
  layout: Layout<D>,
  { permutation }: { readonly permutation: readonly number[] },
): Transpose & WithOutputType<D> => ({ op: "transpose", layout, permutation });

const permuted = ({ layout: { dtype, shape }, permutation }: Transpose): Layout => ({
  dtype,
  shape: permutation.map((axis) => shape[axis]),
});

/** The row of `transpose`. */
export const transposeRow: OpRow<Transpose> = {
  fields: { op: true, layout: true, permutation: true },
  check({ layout: { shape }, permutation }) {
    const complete =
      Array.isArray(permutation) && permutation.length === shape.length && shape.every((_, axis) => permutation.includes(axis));
    if (!complete) fail("permutation", `each of the axes 0 to ${shape.length - 1} once`, permutation);
  },
  ports: (op) => inOut(op.layout, permuted(op)),
  text: (op) => `transpose ${formatLayout(op.layout)} permutation=${op.permutation.join(",")}`,
  flops: () => 0,
};

/** Lowers `transpose` to simpler ops. */
export const transposeLowering: OpLowering<Transpose> = (op) => [step("transpose", transposeMap(op), { in: "in", out: "out" })];

/** Small samples of `transpose`. */
export const transposeSamples = (): readonly Transpose[] => [
  transpose(layout("c64", [5, 8]), { permutation: [1, 0] }),
  transpose(layout("c64", [3, 8, 5]), { permutation: [2, 0, 1] }),
  transpose(layout("f32", [3, 8, 5]), { permutation: [0, 2, 1] }),
];

function transposeMap(op: Transpose): MapOp {
  const { layout, permutation } = op;
  return mapTo(`transpose ${permutation.join(",")}`, { in: layout }, permuted(op), () => [
    ["load", "in", ...layout.shape.map((_, axis) => permutation.indexOf(axis))],
  ]);
}
