/** Filters in the frequency domain: matched filtering as one op, and its second half alone. */
import { type ComplexDType, type DType, type Layout, layout, withAxis } from "../layout.ts";
import { type OpLowering, read, step, type Yields } from "./row.ts";
import {
  bareFft,
  checkFilter,
  extentOf,
  type FilterShape,
  filterLayout,
  lowerTransform,
  resizeKernel,
  type Transform,
  type TransformOpOptions,
  transformFlops,
  transformRow,
} from "./transform.ts";

/**
 * y = IDFT(DFT(x)·h) along `axis`: matched filtering. h is in natural frequency order; a plan may use any order inside. Ports: in, h, out.
 */
export interface SpectralFilter extends Transform {
  readonly op: "spectral-filter";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

/** y = IDFT(x·h) along `axis`: azimuth compression after the steps in the Doppler domain. Ports: in, h, out. */
export interface FilterInverse extends Transform {
  readonly op: "filter-inverse";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

type FilterOptions<S extends DType> = TransformOpOptions<S> & {
  /** Default: "line", one filter for all lines. */
  readonly h?: FilterShape;
};

/** A filter of lines as an op, from samples to samples: `spectralFilter(lines, { axis: 1 })`. */
export const spectralFilter = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { h = "line", ...options }: FilterOptions<S>,
): SpectralFilter & Yields<S> => ({ op: "spectral-filter", layout, h, ...options });

/** A filter of spectra as an op, from spectra to samples: `filterInverse(spectra, { axis: 0, h: "all" })`. */
export const filterInverse = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { h = "line", ...options }: FilterOptions<S>,
): FilterInverse & Yields<S> => ({ op: "filter-inverse", layout, h, ...options });

type Filter = SpectralFilter | FilterInverse;

const filterRow = <T extends Filter>(transforms: number) =>
  transformRow<T>({
    fields: { h: true } as never,
    inputs: () => ["c64", "c128"],
    check: checkFilter,
    length: (op) => op.n ?? extentOf(op),
    layout: (op, n) => withAxis(op.layout, op.axis, n),
    words: ({ h }) => [`h=${h}`],
    ports: (op, n) => ({ h: read(filterLayout(op.layout, op.axis, n, op.h)) }),
    flopsOfLine: (_, n) => transforms * transformFlops(n) + 6 * n,
  });

export const spectralFilterRow = filterRow<SpectralFilter>(2);
export const filterInverseRow = filterRow<FilterInverse>(1);

/** The spectrum that a filter multiplies. */
const spectrumOf = (op: Filter): Layout<ComplexDType> => withAxis(op.layout, op.axis, op.n ?? extentOf(op));

export const spectralFilterLowering: OpLowering<SpectralFilter> = (op) =>
  lowerTransform(spectralFilterRow, op, ({ axis, h }) => {
    const spectrum = spectrumOf(op);
    const n = spectrum.shape[axis];
    return [
      step("transform", { op: "fft", layout: op.layout, axis, n, inverse: false }, { in: "in", out: "spectrum" }),
      {
        ...step("filter", { op: "multiply", layout: spectrum, axis, h }, { in: "spectrum", h: "h", out: "spectrum" }),
        inPlace: true,
      },
      step("inverse", bareFft(op, spectrum, true), { in: "spectrum", out: "out" }),
    ];
  });

export const spectralFilterSamples = (): readonly SpectralFilter[] => [
  spectralFilter(layout("c64", [3, 20]), { axis: 1 }),
  spectralFilter(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
];

export const filterInverseLowering: OpLowering<FilterInverse> = (op) =>
  lowerTransform(filterInverseRow, op, ({ axis, h }) => {
    const spectrum = spectrumOf(op);
    const n = spectrum.shape[axis];
    const resize = n !== extentOf(op);
    const from = resize ? "resized" : "in";
    return [
      ...(resize ? [step("resize", resizeKernel(op.layout, axis, 0, n), { in: "in", out: "resized" })] : []),
      step("filter", { op: "multiply", layout: spectrum, axis, h }, { in: from, h: "h", out: "filtered" }),
      step("inverse", bareFft(op, spectrum, true), { in: "filtered", out: "out" }),
    ];
  });

export const filterInverseSamples = (): readonly FilterInverse[] => [
  filterInverse(layout("c64", [3, 20]), { axis: 1 }),
  filterInverse(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
];
