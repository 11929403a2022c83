/** The DFT of real lines to the half spectrum, and back. */
import { type ComplexDType, complexOf, type DType, type Layout, layout, type RealDType, realOf, withAxis } from "../layout.ts";
import { bareFft } from "./fft.ts";
import { type MapOp, mapTo, outputLayout, ownPlaces } from "./map.ts";
import { fail, type OpLowering, step, type WithOutputType } from "./row.ts";
import {
  checkInverse,
  extentOf,
  keptLayout,
  lowerTransform,
  resizeMap,
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
      const complex = toComplexMap(op.layout as Layout<RealDType>, op.axis, n);
      const bare = bareFft(op, outputLayout(complex), false);
      return [
        step("to complex", complex, { in: "in", out: "line" }),
        step("transform", { ...bare, keep: op.keep ?? [0, Math.floor(n / 2) + 1] }, { in: "line", out: "out" }),
      ];
    }
    const full = hermitianMap(op.layout as Layout<ComplexDType>, op.axis, n);
    const inverse = bareFft(op, outputLayout(full), true);
    const kept = { ...keptLayout(realFftRow, op), dtype: op.layout.dtype } as Layout<ComplexDType>;
    return [
      step("mirror", full, { in: "in", out: "full" }),
      step("transform", inverse, { in: "full", out: "complex" }),
      step("real part", realPartMap(kept), { in: "complex", out: "out" }),
    ];
  });

/** Small samples of `real-fft`. */
export const realFftSamples = (): readonly RealFft[] => [
  realFft(layout("f32", [3, 20]), { axis: 1 }),
  realFft(layout("c64", [11, 4]), { axis: 0, n: 20 }),
  realFft(layout("f32", [17, 4]), { axis: 0, n: 15, keep: [1, 6] }),
];

/** A map that makes a real array complex, zero-padded or cropped to `n` along `axis`. */
const toComplexMap = (layout: Layout<RealDType>, axis: number, n: number): MapOp => ({
  ...resizeMap(layout, axis, 0, n),
  name: `to-complex axis=${axis} n=${n}`,
  outputs: { out: complexOf(layout.dtype) },
});

/** A map that makes the full spectrum of n bins from the half spectrum. Bins beyond the end of the given half spectrum are 0. */
const hermitianMap = (layout: Layout<ComplexDType>, axis: number, n: number): MapOp =>
  mapTo(`hermitian axis=${axis} n=${n}`, { in: layout }, withAxis(layout, axis, n), (r) => [
    ["i32", n],
    ["sub", r, axis],
    // The bin of the half spectrum.
    ["min", axis, r + 1],
    ["inside", "in", ...ownPlaces(r).map((place) => (place === axis ? r + 2 : place))],
    ["conj", r + 3],
    ["eq", axis, r + 2],
    ["select", r + 5, r + 3, r + 4],
    // Bins that are their own mirror images are real.
    ["i32", 0],
    ["eq", r + 2, r + 7],
    ["add", r + 2, r + 2],
    ["eq", r + 9, r],
    ["or", r + 8, r + 10],
    ["re", r + 3],
    ["real", 0],
    ["complex", r + 12, r + 13],
    ["select", r + 11, r + 14, r + 6],
  ]);

/** A map that takes the real part. */
const realPartMap = (layout: Layout<ComplexDType>): MapOp =>
  mapTo("real-part", { in: layout }, { dtype: realOf(layout.dtype), shape: layout.shape }, (r) => [
    ["load", "in", ...ownPlaces(r)],
    ["re", r],
  ]);
