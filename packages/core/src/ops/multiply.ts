/** The product of lines with a filter. */
import { type ComplexDType, elementCount, formatLayout, type Layout, layout } from "../layout.ts";
import { type MapOp, mapTo, ownPlaces } from "./map.ts";
import { inOut, type OpLowering, type OpRow, read, step, type WithOutputType } from "./row.ts";
import { checkAxis, checkFilter, extentOf, type FilterShape, filterLayout } from "./transform.ts";

/**
 * Multiplies each element with a filter's: y = x·h. `h` is a line along `axis` or an array of x's shape. Ports: `in` of `layout`, `h`,
 * `out`.
 */
export interface Multiply {
  readonly op: "multiply";
  readonly layout: Layout<ComplexDType>;
  readonly axis: number;
  readonly h: FilterShape;
}

/**
 * Makes an op that multiplies with a filter: `multiply(spectra, { axis: 1 })`. `h` defaults to "line", one filter for all lines. Nothing
 * is checked here; `program` and `Device.plan` check ops.
 */
export const multiply = <D extends ComplexDType>(
  layout: Layout<D>,
  { axis, h = "line" }: { readonly axis: number; readonly h?: FilterShape },
): Multiply & WithOutputType<D> => ({ op: "multiply", layout, axis, h });

/** The row of `multiply`. */
export const multiplyRow: OpRow<Multiply> = {
  fields: { op: true, layout: true, axis: true, h: true },
  check(op) {
    checkAxis(op, ["c64", "c128"]);
    checkFilter(op);
  },
  ports: (op) => inOut(op.layout, op.layout, { h: read(filterLayout(op.layout, op.axis, extentOf(op), op.h)) }),
  text: (op) => `multiply ${formatLayout(op.layout)} axis=${op.axis} h=${op.h}`,
  flops: (op) => 6 * elementCount(op.layout),
};

/** Lowers `multiply` to simpler ops. */
export const multiplyLowering: OpLowering<Multiply> = (op) => [step("multiply", multiplyMap(op), { in: "in", h: "h", out: "out" })];

/** Small samples of `multiply`. */
export const multiplySamples = (): readonly Multiply[] => [
  multiply(layout("c64", [3, 8, 5]), { axis: 1 }),
  multiply(layout("c64", [3, 8, 5]), { axis: 2, h: "all" }),
];

function multiplyMap({ layout, axis, h }: Multiply): MapOp {
  const sources = { in: layout, h: filterLayout(layout, axis, layout.shape[axis], h) };
  return mapTo(`multiply h=${h}`, sources, layout, (r) => [
    ["load", "in", ...ownPlaces(r)],
    ["load", "h", ...(h === "all" ? ownPlaces(r) : [axis])],
    ["mul", r, r + 1],
  ]);
}
