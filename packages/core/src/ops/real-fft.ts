/** The DFT of real lines to the half spectrum, and back. */
import { axisView, mapKernel } from "../kernels.ts";
import { type ComplexDType, complexOf, type DType, type Layout, layout, type RealDType, realOf, withAxis } from "../layout.ts";
import type { ArrayView } from "../view.ts";
import { bareFft } from "./fft.ts";
import type { Kernel } from "./kernel.ts";
import { fail, type OpLowering, step, type WithOutputType } from "./row.ts";
import {
  checkInverse,
  extentOf,
  keptLayout,
  lowerTransform,
  resizeKernel,
  resizeText,
  type Transform,
  type TransformOpOptions,
  transformFlops,
  transformRow,
} from "./transform.ts";

/**
 * The DFT of real lines along `axis`. Ports: `in` of `layout`, `out`.
 *
 * Forward: real lines to their ⌊n/2⌋ + 1 bins of non-negative frequency. Inverse: such half spectra to real lines of n points. `n` then
 * defaults to 2·(extent − 1). The imaginary parts of bin 0 and, for even n, of bin n/2 are ignored.
 */
export interface RealFft extends Transform {
  readonly op: "real-fft";
  readonly layout: Layout<RealDType> | Layout<ComplexDType>;
  /** Whether it goes from half spectra to real lines; the inverse divides by n. */
  readonly inverse: boolean;
}

/** The element type of the result: complex for a real input, real for a half spectrum. */
type Counterpart<D extends DType> = D extends "f32" ? "c64" : D extends "f64" ? "c128" : D extends "c64" ? "f32" : "f64";

/**
 * Makes an op that transforms real lines: `realFft(layout("f32", [64, 1024]), { axis: 1 })` gives half spectra of 513 bins. With a
 * complex layout it is the inverse, from half spectra to real lines; give `n` if the lines have an odd length. Nothing is checked here;
 * `program` and `Device.plan` check ops.
 */
export const realFft = <D extends RealDType | ComplexDType, S extends DType = Counterpart<D>>(
  layout: Layout<D>,
  options: TransformOpOptions<S>,
): RealFft & WithOutputType<S> => ({
  op: "real-fft",
  layout: layout as RealFft["layout"],
  inverse: layout.dtype === "c64" || layout.dtype === "c128",
  ...options,
});

/** The row of `real-fft`. */
export const realFftRow = transformRow<RealFft>({
  fields: { inverse: "boolean" },
  inputs: ({ inverse }) => (inverse ? ["c64", "c128"] : ["f32", "f64"]),
  check(op) {
    checkInverse(op);
    if (op.inverse && op.n === undefined && extentOf(op) < 2) fail("n", "given if the half spectrum is one bin long", op.n);
  },
  length: (op) => op.n ?? (op.inverse ? 2 * (extentOf(op) - 1) : extentOf(op)),
  layout({ layout: { dtype, shape }, inverse, axis }, n) {
    const result: Layout = { dtype: inverse ? realOf(dtype as ComplexDType) : complexOf(dtype as RealDType), shape };
    return withAxis(result, axis, inverse ? n : Math.floor(n / 2) + 1);
  },
  words: ({ inverse }) => (inverse ? ["inverse"] : []),
  flopsOfLine: (_, n) => transformFlops(n) / 2,
});

/** Lowers `real-fft` to simpler ops. */
export const realFftLowering: OpLowering<RealFft> = (op) =>
  lowerTransform(realFftRow, op, () => {
    const n = realFftRow.transform.length(op);
    if (!op.inverse) {
      const complex = toComplexKernel(op.layout as Layout<RealDType>, op.axis, n);
      const bare = bareFft(op, complex.ports["out"].layout, false);
      return [
        step("to complex", complex, { in: "in", out: "line" }),
        step("transform", { ...bare, keep: op.keep ?? [0, Math.floor(n / 2) + 1] }, { in: "line", out: "out" }),
      ];
    }
    const full = hermitianKernel(op.layout as Layout<ComplexDType>, op.axis, n);
    const inverse = bareFft(op, full.ports["out"].layout, true);
    const kept = { ...keptLayout(realFftRow, op), dtype: op.layout.dtype } as Layout<ComplexDType>;
    return [
      step("mirror", full, { in: "in", out: "full" }),
      step("transform", inverse, { in: "full", out: "complex" }),
      step("real part", realPartKernel(kept), { in: "complex", out: "out" }),
    ];
  });

/** Small samples of `real-fft`. */
export const realFftSamples = (): readonly RealFft[] => [
  realFft(layout("f32", [3, 20]), { axis: 1 }),
  realFft(layout("c64", [11, 4]), { axis: 0, n: 20 }),
  realFft(layout("f32", [17, 4]), { axis: 0, n: 15, keep: [1, 6] }),
];

/** A kernel that makes a real array complex, zero-padded or cropped to `n` along `axis`. */
function toComplexKernel(layout: Layout<RealDType>, axis: number, n: number): Kernel {
  const kernel = resizeKernel(layout, axis, 0, n);
  const output: Layout = { dtype: complexOf(layout.dtype), shape: kernel.ports["out"].layout.shape };
  const text = resizeText(axisView(layout, axis), 0, n, output.dtype, "vec2f(load_in(s), 0.0)");
  return {
    ...kernel,
    name: `to-complex axis=${axis} n=${n}`,
    ports: { in: kernel.ports["in"], out: { access: "write", layout: output } },
    wgsl: (_constants, _limits, toolkit) => toolkit.items(text),
  };
}

/** A kernel that makes the full spectrum of n bins from the half spectrum. Bins beyond the end of the given half spectrum are 0. */
function hermitianKernel(layout: Layout<ComplexDType>, axis: number, n: number): Kernel {
  const from = axisView(layout, axis);
  const text = `
let line = item / ${from.inners}u;
let k = line % ${n}u;
let bin = min(k, ${n}u - k);
if (bin >= ${from.extent}u) { store_out(item, vec2f()); return; }
var value = load_in((line / ${n}u * ${from.extent}u + bin) * ${from.inners}u + item % ${from.inners}u);
if (bin == 0u || 2u * bin == ${n}u) { value.y = 0.0; } else if (k != bin) { value.y = -value.y; }
store_out(item, value);`;
  const one = (input: ArrayView, out: ArrayView, e: number): void => {
    const inner = e % from.inners;
    const line = Math.floor(e / from.inners);
    const k = line % n;
    const bin = Math.min(k, n - k);
    const s = (Math.floor(line / n) * from.extent + bin) * from.inners + inner;
    const selfMirrored = bin === 0 || 2 * bin === n;
    if (bin >= from.extent) out.set(e, 0);
    else out.set(e, input.re(s), selfMirrored ? 0 : k === bin ? input.im(s) : -input.im(s));
  };
  return mapKernel(`hermitian axis=${axis} n=${n}`, layout, withAxis(layout, axis, n), one, text);
}

/** A kernel that takes the real part. */
function realPartKernel(layout: Layout<ComplexDType>): Kernel {
  const output: Layout = { dtype: realOf(layout.dtype), shape: layout.shape };
  return mapKernel("real-part", layout, output, (input, out, e) => out.set(e, input.re(e)), "store_out(item, load_in(item).x);");
}
