/**
 * The range-Doppler algorithm as a program: raw samples to a focused single-look complex image in three passes over
 * memory on a device that fuses its hooks, in four with Doppler-dependent secondary range compression. Cumming & Wong
 * chapter 6. Geometry, filters and tables are made in float64 (geometry.ts, range.ts, azimuth.ts) and are constants of the
 * program. Nothing here depends on a device.
 */

import {
  type ComplexDType,
  type Constant,
  inputError,
  type Layout,
  type Program,
  type RealDType,
  realOf,
  type Step,
  typedArray,
} from "@dechirp/core";
import { checkSpelling, type FieldsOf, runToEnd } from "@dechirp/core/internal";
import { checkWindow } from "@dechirp/radar";
import {
  checkInterpolator,
  type GatherInterpolator,
  type InterpolatorSpec,
  type InterpolatorTable,
  interpolatorPolynomials,
  interpolatorTable,
  phaseColumns,
  positionColumns,
} from "@dechirp/radar/interpolation";
import { chirpBandwidthHz } from "../radar.ts";
import { azimuthFilter, migrationBits, migrationLoad, migrationTable, phaseTable } from "./azimuth.ts";
import { type BlockFrame, type ImageAxes, type ImageGeometry, imageGeometry } from "./geometry.ts";
import { defaultRcmc, defaultWindow, type RangeDopplerParams } from "./params.ts";
import { couplingLoad, couplingRemainder, couplingTable, foldingErrorRadians, foldingLimitRadians, rangeFilter, rawLoad } from "./range.ts";
import { responseNorm, storesOf } from "./storage.ts";

/** The program. `Image` is the array of the image: float64 if the arithmetic is. */
export interface RangeDopplerProgram<Image extends Float32Array | Float64Array = Float32Array | Float64Array>
  extends Program<{ readonly image: Image }> {
  readonly axes: ImageAxes;
  readonly geometry: ImageGeometry;
  /** Where secondary range compression is done, and the phase error that this leaves at the band edges. */
  readonly src: { readonly mode: "off" | "range" | "doppler"; readonly foldingErrorRadians: number };
  readonly processedBandwidthHz: number;
}

const fieldsOfParams: FieldsOf<RangeDopplerParams> = {
  radar: "object",
  lines: "number",
  samples: "number",
  rawType: "string",
  lineGain: "object",
  precision: "string",
  rangeWindow: "object",
  azimuthWindow: "object",
  processedBandwidthHz: "number",
  rcmc: true,
  src: "string",
  azimuthLength: "number",
  rows: "string",
  rangeLength: "number",
  storage: "string",
  rawPeak: "number",
};

/**
 * The program that focuses raw data. Input `raw` [lines][samples]; output `image` [azimuth][range], complex: rows are slow time of closest
 * approach, columns slant range of closest approach, as `axes` says. Throws `input`, naming the parameter, if no image can be made.
 */
export const rangeDoppler = <P extends "f32" | "f64" = "f32">(
  params: RangeDopplerParams & { readonly precision?: P },
): RangeDopplerProgram<P extends "f64" ? Float64Array : Float32Array> => runToEnd(rangeDopplerSteps(params));

/** Throws `input`, naming the parameter, unless windows, interpolator and choices are valid. The geometry checks the others. */
export function checkParams(params: RangeDopplerParams): void {
  checkSpelling(params, fieldsOfParams, "parameters of rangeDoppler");
  const { rangeWindow = defaultWindow, azimuthWindow = defaultWindow, rcmc = defaultRcmc, src = "on", precision = "f32" } = params;
  checkWindow(rangeWindow, "rangeWindow", { continuous: true });
  checkWindow(azimuthWindow, "azimuthWindow", { continuous: true });
  if (rcmc !== "off") checkInterpolator(rcmc, "rcmc");
  if (precision !== "f32" && precision !== "f64") throw inputError("precision", "f32 or f64", precision);
  if (!["off", "on", "range", "doppler"].includes(src)) throw inputError("src", "off, on, range or doppler", src);
}

/** An interpolator's table, and the polynomials that stand for it, if there are any. */
interface Interpolation {
  readonly key: string;
  readonly kernel: InterpolatorTable;
  readonly polynomials: ReturnType<typeof interpolatorPolynomials>;
}

/** The interpolation that was made last. The programs of a recording, such as those that measure its centroid, have the same. */
let lastInterpolation: Interpolation | undefined;

function* interpolationOf(spec: InterpolatorSpec, oversampling: number): Generator<void, Interpolation> {
  const key = JSON.stringify([spec, oversampling]);
  if (lastInterpolation?.key === key) return lastInterpolation;
  const kernel = interpolatorTable(spec, { oversampling });
  yield;
  lastInterpolation = { key, kernel, polynomials: interpolatorPolynomials(kernel) };
  return lastInterpolation;
}

/** Compresses every line in range, and keeps the cells that the azimuth transform takes. */
const rangeOp = ({ lines, rangeLength, guard, cells }: ImageGeometry, dtype: ComplexDType, samples: number) =>
  ({
    op: "spectral-filter",
    layout: { dtype, shape: [lines, samples] },
    axis: 1,
    n: rangeLength,
    h: "line",
    keep: [0, guard[0] + cells + guard[1]],
  }) as const;

/**
 * Range compression alone, of the lines as they were recorded: input `raw` [lines][samples], output `compressed` [lines][cells]. Migration
 * is not corrected. Throws `input` as `rangeDoppler` does.
 */
export function rangeCompression(params: RangeDopplerParams): Program {
  const whole = { ...params, rcmc: "off", src: "off", rows: "all", azimuthLength: params.lines } as const;
  checkParams(whole);
  const dtype: ComplexDType = params.precision === "f64" ? "c128" : "c64";
  const geometry = imageGeometry(whole);
  const input = rawInput(params, dtype);
  const filter = constant({ dtype, shape: [geometry.rangeLength] }, rangeFilter(geometry, params.rangeWindow ?? defaultWindow, false));
  const op = { ...rangeOp(geometry, dtype, params.samples), ...(input.load && { load: input.load }) };
  return {
    name: "range compression",
    inputs: { raw: input.layout },
    constants: { ...input.constants, rangeFilter: filter },
    steps: [{ name: "range", op, bind: { ...input.bind, h: "rangeFilter", out: "compressed" } }],
    outputs: ["compressed"],
  };
}

/**
 * `rangeDoppler` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases. `frame` makes it the program of a block (blocks.ts).
 */
export function* rangeDopplerSteps<P extends "f32" | "f64" = "f32">(
  params: RangeDopplerParams & { readonly precision?: P },
  frame?: BlockFrame,
): Generator<void, RangeDopplerProgram<P extends "f64" ? Float64Array : Float32Array>> {
  checkParams(params);
  const { radar, lines, samples, rangeWindow = defaultWindow, azimuthWindow = defaultWindow, rcmc = defaultRcmc, src = "on" } = params;
  const { precision = "f32" } = params;
  const geometry = imageGeometry({ ...params, rcmc }, frame);
  const { processedBandwidthHz } = geometry;
  const error = foldingErrorRadians(geometry, processedBandwidthHz);
  const mode = src === "on" ? (error <= foldingLimitRadians ? "range" : "doppler") : src;

  const dtype: ComplexDType = precision === "f64" ? "c128" : "c64";
  const real = realOf(dtype);
  const { azimuthLength, rangeLength, rows, cells, guard } = geometry;
  const width = guard[0] + cells + guard[1];
  const stores = storesOf(params, dtype);
  const input = rawInput(params, dtype);
  const array = (rows: number, columns: number): Layout<ComplexDType> => ({ dtype, shape: [rows, columns] });
  const line = (n: number): Layout<ComplexDType> => ({ dtype, shape: [n] });
  const table = (rows: number, columns: number): Layout<RealDType> => ({ dtype: real, shape: [rows, columns] });

  const oversampling = Math.max(1, radar.samplingRateHz / chirpBandwidthHz(radar));
  if (oversampling > 64)
    throw inputError(
      "radar.chirpRateHzPerSecond",
      "such that the bandwidth is at least 1/64 of the sampling rate",
      radar.chirpRateHzPerSecond,
    );
  // "off" gathers with a shift of zero, for which nearest is exact.
  const interpolation = rcmc === "off" || rcmc === "nearest" ? undefined : yield* interpolationOf(rcmc, oversampling);
  const { kernel, polynomials } = interpolation ?? {};

  /** `scale`: values of the array `doppler` as it is stored over its true values. */
  const compress: { readonly steps: readonly Step[]; readonly constants: Record<string, Constant>; readonly scale: number } =
    mode === "doppler" ? yield* inTwoDimensions() : lineByLine();

  /** Range compression of every pulse, then azimuth transform of the kept cells. */
  function lineByLine(): typeof compress {
    const filter = rangeFilter(geometry, rangeWindow, mode === "range");
    const largest = Math.sqrt(samples) * responseNorm(filter);
    const [first, scale] = [largest, lines * largest].map(stores.scale);
    const compressed = stores.source("compressed", stores.array(lines, width));
    return {
      scale,
      constants: { ...input.constants, rangeFilter: constant(line(rangeLength), filter) },
      steps: [
        {
          name: "range",
          op: { ...rangeOp(geometry, dtype, samples), ...(input.load && { load: input.load }), ...stores.store(first) },
          bind: { ...input.bind, h: "rangeFilter", out: "compressed" },
        },
        {
          name: "doppler",
          op: {
            op: "fft",
            layout: array(lines, width),
            axis: 0,
            n: azimuthLength,
            inverse: false,
            cornerTurn: true,
            ...compressed.hook,
            ...stores.store(scale / first),
          },
          bind: { [compressed.port]: "compressed", out: "doppler" },
        },
      ],
    };
  }

  /** Two-dimensional spectrum, then range compression with the secondary phase of every Doppler row. */
  function* inTwoDimensions(): Generator<void, typeof compress> {
    const ranges = stores.source("ranges", stores.array(lines, rangeLength));
    const spectrum = stores.array(azimuthLength, rangeLength);
    const coupling = table(azimuthLength, 3);
    const load = couplingLoad(spectrum, coupling);
    const filter = rangeFilter(geometry, rangeWindow, false);
    const [first, second, scale] = [samples, lines * samples, Math.sqrt(samples) * lines * responseNorm(filter)].map(stores.scale);
    return {
      scale,
      constants: {
        ...input.constants,
        rangeFilter: constant(line(rangeLength), filter),
        coupling: constant(coupling, yield* couplingTable(geometry)),
      },
      steps: [
        {
          name: "range spectrum",
          op: {
            op: "fft",
            layout: array(lines, samples),
            axis: 1,
            n: rangeLength,
            inverse: false,
            ...(input.load && { load: input.load }),
            ...stores.store(first),
          },
          bind: { ...input.bind, out: "ranges" },
        },
        {
          name: "doppler",
          op: {
            op: "fft",
            layout: array(lines, rangeLength),
            axis: 0,
            n: azimuthLength,
            inverse: false,
            ...ranges.hook,
            ...stores.store(second / first),
          },
          bind: { [ranges.port]: "ranges", out: "spectrum" },
        },
        {
          name: "range",
          op: {
            op: "filter-inverse",
            layout: array(azimuthLength, rangeLength),
            axis: 1,
            h: "line",
            keep: [0, width],
            cornerTurn: true,
            load,
            ...stores.store(scale / second),
          },
          bind: { spectrum: "spectrum", coupling: "coupling", h: "rangeFilter", out: "doppler" },
        },
      ],
    };
  }

  yield;
  const migration = yield* migrationTable(geometry, rcmc !== "off");
  const phase = yield* phaseTable(geometry, yield* couplingRemainder(geometry, rangeWindow, mode));
  const filter = yield* azimuthFilter(geometry, azimuthWindow);
  for (let i = 0; i < filter.length; i++) filter[i] /= compress.scale;
  const interpolator: GatherInterpolator = polynomials ? { polynomials } : (kernel ?? "nearest");
  yield;
  const words = (rows: number): Layout<"u32"> => ({ dtype: "u32", shape: [rows, azimuthLength] });
  const gathered = migrationLoad(stores.array(width, azimuthLength), cells, interpolator, migrationBits(geometry));
  const tabulated = "weights" in gathered.sources && kernel !== undefined;
  return {
    name: "range-doppler",
    inputs: { raw: input.layout },
    constants: {
      ...compress.constants,
      migration: { layout: words(positionColumns(1)), data: migration },
      phase: { layout: words(phaseColumns(1)), data: phase },
      ...(tabulated && { weights: constant(table(kernel.phases + 1, kernel.taps), kernel.table) }),
      azimuthFilter: constant(line(azimuthLength), filter),
    },
    steps: [
      ...compress.steps,
      {
        name: "image",
        op: {
          op: "filter-inverse",
          layout: array(cells, azimuthLength),
          axis: 1,
          h: "line",
          cornerTurn: true,
          ...(rows < azimuthLength && { keep: [0, rows] as const }),
          load: gathered,
        },
        bind: {
          doppler: "doppler",
          migration: "migration",
          phase: "phase",
          ...(tabulated && { weights: "weights" }),
          h: "azimuthFilter",
          out: "image",
        },
      },
    ],
    outputs: ["image"],
    axes: geometry.axes,
    geometry,
    src: { mode, foldingErrorRadians: error },
    processedBandwidthHz,
  };
}

/**
 * How the first step reads the raw data: through a hook if they are integers, have a gain, or are to give a spectrum that is `centred`
 * (`rawLoad`).
 */
export function rawInput(
  params: Pick<RangeDopplerParams, "lines" | "samples" | "rawType" | "lineGain">,
  dtype: ComplexDType,
  centred = false,
) {
  const { lines, samples, rawType = dtype, lineGain } = params;
  const layout: Layout = { dtype: rawType, shape: [lines, samples] };
  if (!["ci8", "ci16", "c64", "c128"].includes(rawType)) throw inputError("rawType", "ci8, ci16, c64 or c128", rawType);
  if (lineGain !== undefined && (lineGain?.length !== lines || !Array.from(lineGain).every(Number.isFinite))) {
    throw inputError("lineGain", `${lines} finite numbers`, lineGain);
  }
  if (rawType === dtype && lineGain === undefined && !centred) return { layout, load: undefined, bind: { in: "raw" }, constants: {} };
  const gain: Layout<RealDType> = { dtype: realOf(dtype), shape: [lines] };
  return {
    layout,
    load: rawLoad(layout, gain, centred),
    bind: { raw: "raw", lineGain: "lineGain" },
    constants: { lineGain: constant(gain, Float64Array.from(lineGain ?? new Array<number>(lines).fill(1))) },
  };
}

/** Float64 values as a constant of the layout's precision. */
export function constant(layout: Layout<ComplexDType | RealDType>, values: Float64Array): Constant {
  const data = typedArray(layout.dtype, values.length);
  data.set(values);
  return { layout, data };
}
