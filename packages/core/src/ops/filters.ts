/**
 * Filters in the frequency domain: matched filtering of samples, and the same for spectra. The filter is an array, or a hook that computes
 * it at every line and bin.
 */
import { type Load, referenceOf } from "../hooks.ts";
import { unravel } from "../kernels.ts";
import { type ComplexDType, type DType, elementCount, type Layout, layout, withAxis } from "../layout.ts";
import { requireSynchronous } from "../listener.ts";
import { wgslIndex } from "../wgsl.ts";
import { bareFft } from "./fft.ts";
import type { Kernel } from "./kernel.ts";
import { mapOfHook } from "./map.ts";
import { inOut, type LoweredStep, type OpLowering, read, step, type WithOutputType } from "./row.ts";
import {
  checkFilter,
  extentOf,
  type FilterShape,
  filterLayout,
  lowerTransform,
  resizeMap,
  sameNames,
  sourcePorts,
  type Transform,
  type TransformOpOptions,
  transformFlops,
  transformRow,
} from "./transform.ts";

/**
 * Filters lines in the frequency domain, for example matched filtering: y = IDFT(DFT(x)·h) along `axis`. Ports: `in` of `layout`, `h`,
 * `out`. `h` holds the filter's n-point spectrum in natural frequency order, from bin 0. If `h` is a hook, there is no port `h`; the
 * hook's sources are ports, and its uniforms are the op's.
 */
export interface SpectralFilter extends Transform {
  readonly op: "spectral-filter";
  readonly layout: Layout<ComplexDType>;
  /**
   * The filter's shape, or a hook that computes the filter at every line and bin. The hook is a `Load` for the layout of the spectrum,
   * `withAxis(layout, axis, n)`: at[axis] is the bin in natural order, from 0 to n − 1, and the other indices are those of the line.
   */
  readonly h: FilterShape | Load;
}

/**
 * Filters spectra and transforms them back: y = IDFT(x·h) along `axis`, for example azimuth compression after the steps in the Doppler
 * domain. Ports: `in` of `layout`, `h`, `out`. `h` is in natural frequency order, from bin 0. If `h` is a hook, there is no port `h`; the
 * hook's sources are ports, and its uniforms are the op's.
 */
export interface FilterInverse extends Transform {
  readonly op: "filter-inverse";
  readonly layout: Layout<ComplexDType>;
  /**
   * The filter's shape, or a hook that computes the filter at every line and bin. The hook is a `Load` for the layout of the spectrum,
   * `withAxis(layout, axis, n)`: at[axis] is the bin in natural order, from 0 to n − 1, and the other indices are those of the line.
   */
  readonly h: FilterShape | Load;
}

type FilterOptions<S extends DType> = TransformOpOptions<S> & {
  /** The filter's shape, or a hook that computes the filter at every line and bin of the spectrum. Default: "line". */
  readonly h?: FilterShape | Load;
};

/**
 * Makes an op that filters lines of samples: `spectralFilter(lines, { axis: 1 })`. `h` defaults to "line", one filter for all lines. A
 * hook computes a filter that changes from line to line, as in chirp scaling. Nothing is checked here; `program` and `Device.plan` check
 * ops.
 */
export const spectralFilter = <D extends ComplexDType, S extends DType = D>(
  layout: Layout<D>,
  { h = "line", ...options }: FilterOptions<S>,
): SpectralFilter & WithOutputType<S> => ({ op: "spectral-filter", layout, h, ...options });

/**
 * Makes an op that filters spectra and transforms them back to samples: `filterInverse(spectra, { axis: 0, h: "all" })`. `h` defaults to
 * "line", one filter for all lines. A hook computes a filter that changes from line to line. Nothing is checked here; `program` and
 * `Device.plan` check ops.
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
    check: (op) => checkFilter(op, true),
    length: (op) => op.n ?? extentOf(op),
    layout: (op, n) => withAxis(op.layout, op.axis, n),
    words: ({ h }) => (typeof h === "string" ? [`h=${h}`] : []),
    ports: ({ layout, axis, h }, n) => (typeof h === "string" ? { h: read(filterLayout(layout, axis, n, h)) } : sourcePorts(h)),
    flopsOfLine: (_, n) => transforms * transformFlops(n) + 6 * n,
  });

/** The row of `spectral-filter`. */
export const spectralFilterRow = filterRow<SpectralFilter>(2);
/** The row of `filter-inverse`. */
export const filterInverseRow = filterRow<FilterInverse>(1);

/** Layout of the spectrum that the filter multiplies. */
const spectrumOf = (op: Filter): Layout<ComplexDType> => withAxis(op.layout, op.axis, op.n ?? extentOf(op));

/**
 * Steps that multiply the spectrum `from` with the filter. The product is called `result`, a name that the sources of hooks can't have. A
 * hook that is an expression becomes a map, whose values are the filter `h`.
 */
function filterSteps(spectrum: Layout<ComplexDType>, axis: number, h: FilterShape | Load, from: "in" | "result"): readonly LoweredStep[] {
  const product = <T extends { readonly op: string }>(op: T, bind: Record<string, string>): LoweredStep => ({
    ...step("filter", op, { in: from, ...bind, out: "result" }),
    inPlace: from === "result",
  });
  if (typeof h === "string") return [product({ op: "multiply", layout: spectrum, axis, h }, { h: "h" })];
  const names = sameNames(h.sources);
  if (!h.expression) return [product(productKernel(spectrum, h), names)];
  return [
    step(`filter ${h.name}`, mapOfHook("load", h, h.expression, spectrum), { ...names, out: "h" }),
    product({ op: "multiply", layout: spectrum, axis, h: "all" }, { h: "h" }),
  ];
}

/** A kernel that multiplies each element of a spectrum with the filter that the hook computes there. */
function productKernel(spectrum: Layout<ComplexDType>, h: Load): Kernel {
  const { shape } = spectrum;
  const { name, constants, uniforms } = h;
  return {
    op: "kernel",
    name: `multiply h=${name}`,
    flops: 6 * elementCount(spectrum),
    ...(constants && { constants }),
    ...(uniforms && { uniforms }),
    ports: inOut(spectrum, spectrum, sourcePorts(h)),
    items: elementCount(spectrum),
    elementwise: true,
    wgsl(_constants, _limits, toolkit) {
      const code = toolkit.hook("h", h, shape.length);
      return code === undefined
        ? undefined
        : toolkit.items(`store_out(item, cmul(load_in(item), dechirp_h(${wgslIndex("item", shape)})));`, code);
    },
    reference({ in: x, out, ...sources }, uniforms, start, end) {
      const one = referenceOf(h);
      const at: number[] = [];
      for (let e = start; e < end; e++) {
        unravel(e, shape, at);
        const [c, d] = requireSynchronous(one(at, sources, uniforms), `${name}.reference`);
        const [a, b] = [x.re(e), x.im(e)];
        out.set(e, a * c - b * d, a * d + b * c);
      }
    },
  };
}

/** Lowers `spectral-filter` to simpler ops. */
export const spectralFilterLowering: OpLowering<SpectralFilter> = (op) =>
  lowerTransform(spectralFilterRow, op, ({ axis, h }) => {
    const spectrum = spectrumOf(op);
    const n = spectrum.shape[axis];
    return [
      step("transform", { op: "fft", layout: op.layout, axis, n, inverse: false }, { in: "in", out: "result" }),
      ...filterSteps(spectrum, axis, h, "result"),
      step("inverse", bareFft(op, spectrum, true), { in: "result", out: "out" }),
    ];
  });

/** A computed filter for the samples: a number per line, turned by a quarter at every odd bin, times a uniform. */
const sampleFilter = (lines: number): Load => ({
  name: "gains",
  uniforms: { level: "f32" },
  sources: { gain: layout("f32", [lines]) },
  wgsl: () => `let g = load_gain(at[0]) * uniforms.level;
return select(vec2f(g, 0.0), vec2f(0.0, g), at[1] % 2u == 1u);`,
  reference([line, bin], { gain }, { level }) {
    const g = gain.re(line) * level;
    return bin % 2 === 1 ? [0, g] : [g, 0];
  },
});

/** Small samples of `spectral-filter`. */
export const spectralFilterSamples = (): readonly SpectralFilter[] => [
  spectralFilter(layout("c64", [3, 20]), { axis: 1 }),
  spectralFilter(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
  spectralFilter(layout("c64", [5, 12]), { axis: 1, n: 18, h: sampleFilter(5) }),
];

/** Lowers `filter-inverse` to simpler ops. */
export const filterInverseLowering: OpLowering<FilterInverse> = (op) =>
  lowerTransform(filterInverseRow, op, ({ axis, h }) => {
    const spectrum = spectrumOf(op);
    const n = spectrum.shape[axis];
    const resize = n !== extentOf(op);
    return [
      ...(resize ? [step("resize", resizeMap(op.layout, axis, 0, n), { in: "in", out: "result" })] : []),
      ...filterSteps(spectrum, axis, h, resize ? "result" : "in"),
      step("inverse", bareFft(op, spectrum, true), { in: "result", out: "out" }),
    ];
  });

/** Small samples of `filter-inverse`. */
export const filterInverseSamples = (): readonly FilterInverse[] => [
  filterInverse(layout("c64", [3, 20]), { axis: 1 }),
  filterInverse(layout("c64", [17, 4]), { axis: 0, n: 30, keep: [2, 11], h: "all" }),
  filterInverse(layout("c64", [5, 12]), { axis: 1, keep: [3, 7], h: sampleFilter(5) }),
];
