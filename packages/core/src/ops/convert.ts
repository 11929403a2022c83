/** Conversion of an array to another element type, with a scale. */
import type { Node } from "../expression/nodes.ts";
import { type DType, dtypes, elementCount, formatLayout, isComplex, isKeyOf, type Layout, layout } from "../layout.ts";
import { type MapOp, mapTo, ownPlaces } from "./map.ts";
import { fail, inOut, type OpLowering, type OpRow, step, type WithOutputType } from "./row.ts";

/**
 * Converts elements: y = x·scale as type `to`. Real types convert to real types and complex types to complex ones. Integers are rounded
 * to nearest, ties away from zero, and saturate; NaN becomes 0. Ports: `in` of `layout`, `out`.
 */
export interface Convert {
  readonly op: "convert";
  readonly layout: Layout;
  /** Element type of the output. */
  readonly to: DType;
  /** Factor applied before rounding. Default: 1. */
  readonly scale?: number;
}

/**
 * Makes an op that converts elements: `convert(raw, { to: "c64", scale: 2 ** -15 })`. `scale` defaults to 1. Nothing is checked here;
 * `program` and `Device.plan` check ops.
 */
export const convert = <T extends DType>(
  layout: Layout,
  { to, scale }: { readonly to: T; readonly scale?: number },
): Convert & WithOutputType<T> => ({ op: "convert", layout, to, ...(scale !== undefined && { scale }) });

/** The row of `convert`. */
export const convertRow: OpRow<Convert> = {
  fields: { op: true, layout: true, to: true, scale: true },
  check({ layout: { dtype }, to, scale }) {
    if (!isKeyOf(dtypes, to)) fail("to", "an element type", to);
    if (isComplex(dtype) !== isComplex(to)) fail("to", isComplex(dtype) ? "complex" : "real", to);
    if (scale !== undefined && !Number.isFinite(scale)) fail("scale", "a finite number", scale);
  },
  ports: (op) => inOut(op.layout, { dtype: op.to, shape: op.layout.shape }),
  text: (op) => `convert ${formatLayout(op.layout)} to=${op.to}`,
  flops: (op) => elementCount(op.layout) * dtypes[op.layout.dtype].components,
};

/** Lowers `convert` to simpler ops. */
export const convertLowering: OpLowering<Convert> = (op) => [step("convert", convertMap(op), { in: "in", out: "out" })];

/** Small samples of `convert`. */
export const convertSamples = (): readonly Convert[] => [
  convert(layout("ci16", [3, 8]), { to: "c64", scale: 0.5 }),
  convert(layout("c64", [3, 8]), { to: "ci8", scale: 100 }),
  convert(layout("c64", [3, 8]), { to: "c64" }),
];

function convertMap({ layout, to, scale = 1 }: Convert): MapOp {
  return mapTo(`convert ${to}`, { in: layout }, { dtype: to, shape: layout.shape }, (r) => {
    const nodes: Node[] = [["load", "in", ...ownPlaces(r)]];
    if (scale === 1) return nodes;
    if (layout.dtype === "u32") nodes.push(["real-of", r]);
    for (const factor of factorsOf(scale)) {
      const value = r + nodes.length - 1;
      nodes.push(["real", factor], ["mul", value, value + 1]);
    }
    return nodes;
  });
}

/** Numbers in the range of float32 whose product is `scale`. All but the last are powers of two. */
function factorsOf(scale: number): readonly number[] {
  const size = Math.abs(scale);
  const power = size >= 2 ** 127 ? 2 ** 100 : size < 2 ** -100 && size > 0 ? 2 ** -100 : 1;
  return power === 1 ? [scale] : [power, ...factorsOf(scale / power)];
}
