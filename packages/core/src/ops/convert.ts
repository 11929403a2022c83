/** Conversion of an array to another element type, with a scale. */
import { mapKernel } from "../kernels.ts";
import { type DType, dtypes, elementCount, formatLayout, isComplex, isKeyOf, type Layout, layout } from "../layout.ts";
import { wgslFloat, wgslLoaded, wgslStored } from "../wgsl.ts";
import type { Kernel } from "./kernel.ts";
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
export const convertLowering: OpLowering<Convert> = (op) => [step("convert", convertKernel(op), { in: "in", out: "out" })];

/** Small samples of `convert`. */
export const convertSamples = (): readonly Convert[] => [
  convert(layout("ci16", [3, 8]), { to: "c64", scale: 0.5 }),
  convert(layout("c64", [3, 8]), { to: "ci8", scale: 100 }),
  convert(layout("c64", [3, 8]), { to: "c64" }),
];

function convertKernel(op: Convert): Kernel {
  const scale = op.scale ?? 1;
  const exact = op.layout.dtype === op.to && scale === 1;
  const text = `
let value = ${wgslFloat(scale)} * ${wgslLoaded(op.layout.dtype, "load_in(item)")};
store_out(item, ${wgslStored(op.to, "value")});`;
  const kernel = mapKernel(
    `convert ${op.to}`,
    op.layout,
    { dtype: op.to, shape: op.layout.shape },
    (input, out, e) => out.set(e, input.re(e) * scale, input.im(e) * scale),
    exact ? "store_out(item, load_in(item));" : text,
  );
  return { ...kernel, elementwise: true };
}
