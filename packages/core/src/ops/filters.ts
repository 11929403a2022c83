/** Filters in the frequency domain: matched filtering of samples, and the same for spectra. */
import { type ComplexDType, type DType, type Layout, layout, withAxis } from "../layout.ts";
import { bareFft } from "./fft.ts";
import { type OpLowering, read, step, type WithOutputType } from "./row.ts";
import {
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
 * Filters lines in the frequency domain, for example matched filtering: y = IDFT(DFT(x)·h) along `axis`. Ports: `in` of `layout`, `h`,
 * `out`. `h` holds the filter's n-point spectrum in natural frequency order, from bin 0.
 */
export interface SpectralFilter extends Transform {
  readonly op: "spectral-filter";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

/**
 * Filters spectra and transforms them back: y = IDFT(x·h) along `axis`, for example azimuth compression after the steps in the Doppler
 * domain. Ports: `in` of `layout`, `h`, `out`. `h` is in natural frequency order, from bin 0.
 */
export interface FilterInverse extends Transform {
  readonly op: "filter-inverse";
  readonly layout: Layout<ComplexDType>;
  readonly h: FilterShape;
}

type FilterOptions<S extends DType> = TransformOpOptions<S> & {
  /** The filter's shape. Default: "line". */
  readonly h?: FilterShape;
};

/**
 * Makes an op that filters lines of samples: `spectralFilter(lines, { axis: 1 })`. `h` defaults to "line", one filter for all lines.
 * Nothing is checked here; `program` and `Device.plan` check ops.
 */
export const spectralFilter = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { h = "line", ...options }: FilterOptions<S>,
): SpectralFilter & WithOutputType<S> => ({ op: "spectral-filter", layout, h, ...options });

/**
 * Makes an op that filters spectra and transforms them back to samples: `filterInverse(spectra, { axis: 0, h: "all" })`. `h` defaults to
 * "line", one filter for all lines. Nothing is checked here; `program` and `Device.plan` check ops.
 */
export const filterInverse = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { h = "line", ...options }: FilterOptions<S>,
): FilterInverse & WithOutputType<S> => ({ op: "filter-inverse", layout, h, ...options });

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

/** The row of `spectral-filter`. */
export const spectralFilterRow = filterRow<SpectralFilter>(2);
/** The row of `filter-inverse`. */
export const filterInverseRow = filterRow<FilterInverse>(1);

/** Layout of the spectrum that the filter multiplies. */
const spectrumOf = (op: Filter): Layout<ComplexDType> => withAxis(op.layout, op.axis, op.n ?? extentOf(op));

/** Lowers `spectral-filter` to simpler ops. */
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

/** Small samples of `spectral-filter`. */
export const spectralFilterSamples = (): readonly SpectralFilter[] => [
  spectralFilter(layout("c64", [3, 20]), { axis: 1 }),
  spectralFilter(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
];

/** Lowers `filter-inverse` to simpler ops. */
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

/** Small samples of `filter-inverse`. */
export const filterInverseSamples = (): readonly FilterInverse[] => [
  filterInverse(layout("c64", [3, 20]), { axis: 1 }),
  filterInverse(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
];
