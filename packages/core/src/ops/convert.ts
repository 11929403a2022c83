/** The change of an array's element type, with a scale. */
import { mapKernel } from "../kernels.ts";
import { type DType, dtypes, elementCount, formatLayout, isComplex, isKeyOf, type Layout, layout } from "../layout.ts";
import { wgslFloat, wgslLoaded, wgslStored } from "../wgsl.ts";
import type { Kernel } from "./kernel.ts";
import { fail, inOut, type OpLowering, type OpRow, step, type Yields } from "./row.ts";

/**
 * y = x·scale in another element type. Real stays real and complex stays complex. Integers are rounded to nearest, ties away from zero, and
 * saturate; NaN becomes 0. Ports: in, out.
 */
export interface Convert {
  readonly op: "convert";
  readonly layout: Layout;
  readonly to: DType;
  /** Default: 1. */
  readonly scale?: number;
}

/** A change of element type as an op: `convert(raw, { to: "c64", scale: 2 ** -15 })`. */
export const convert = <T extends DType>(
  layout: Layout,
  { to, scale }: { readonly to: T; readonly scale?: number },
): Convert & Yields<T> => ({ op: "convert", layout, to, ...(scale !== undefined && { scale }) });

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

export const convertLowering: OpLowering<Convert> = (op) => [step("convert", convertKernel(op), { in: "in", out: "out" })];

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
