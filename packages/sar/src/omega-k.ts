/**
 * The ω-K algorithm (range migration algorithm) as a program: raw samples to a focused single-look complex image in four passes. Unlike
 * range-Doppler it makes no approximation of the range equation, so that it also focuses wide bands and large squint at every range of the
 * swath. The effective velocity must be the same at all ranges. Sources: Cumming & Wong, Digital Processing of SAR Data, 2005, chapter 8;
 * Cafforio, Prati & Rocca, IEEE TAES 27(2), 1991; Bamler, IEEE TGRS 30(4), 1992.
 *
 * With A = c·f_η/2V, the two-dimensional spectrum of a compressed target at R₀ has the phase −(4πR₀/c)·q, q = √((f₀ + f)² − A²) (Cumming &
 * Wong eq. 5.24 region). The reference function multiplies it by the conjugate for R₀ = R_ref. Then the Stolt interpolation reads it at
 * f = √((f₀ + f′)² + A²) − f₀ for uniform f′, where q = f₀ + f′. What is left is −(4π/c)(R₀ − R_ref)(f₀ + f′), linear in f′, and an inverse
 * transform focuses every range.
 *
 * Precision: the phase of the reference function may be 10⁷ cycles. For every Doppler row it is a polynomial in f, made in float64. Its
 * constant and its slope, where nearly all cycles are, are multiples of 2⁻³² cycles, whose overflow removes whole cycles; only the rest is
 * floating-point. Positions of the Stolt interpolation are polynomials, too, which `gather` computes in integers.
 */

import { type ComplexDType, inputError, type Layout, type Load, type Program, type RealDType, realOf, type Store } from "@dechirp/core";
import { asI32, asU32, cis, load, minus, plus, shiftRight, store, times, toReal, type Value } from "@dechirp/core/expression";
import { checkSpelling, type FieldsOf, runToEnd } from "@dechirp/core/internal";
import { checkWindow, windowFunction } from "@dechirp/radar";
import {
  checkInterpolator,
  type GatherOptions,
  gathered,
  gatherSources,
  type InterpolatorSpec,
  interpolationErrorDb,
  interpolatorPolynomials,
  interpolatorTable,
  positionColumns,
} from "@dechirp/radar/interpolation";
import { type OmegaKParams, planImage, spectrumOf } from "./omega-k/plan.ts";
import { centred, columnTurns, referenceTables, stoltPositions, stoltWeights } from "./omega-k/tables.ts";
import { azimuthFilter } from "./range-doppler/azimuth.ts";
import type { ImageAxes, ImageGeometry, ImageSpectrum } from "./range-doppler/geometry.ts";
import { defaultWindow } from "./range-doppler/params.ts";
import { constant, rawInput } from "./range-doppler/program.ts";
import { rangeFilter } from "./range-doppler/range.ts";

/** The program, and where its image lies. `Image` is the array of the image: float64 if the arithmetic is. */
export interface OmegaKProgram<Image extends Float32Array | Float64Array = Float32Array | Float64Array>
  extends Program<{ readonly image: Image }> {
  /** Columns are c/(2Fr) apart in slant range of closest approach, whatever the squint. */
  readonly axes: ImageAxes;
  /** Where the spectrum of targets lies, for `analysePointTarget`. */
  readonly spectrum: ImageSpectrum;
  /** Which rows hold what the recorded lines show. */
  readonly exposure: ImageGeometry["exposure"];
  readonly processedBandwidthHz: number;
  /** Slant range of closest approach that the reference function focuses, and about which the others are interpolated. */
  readonly referenceRangeMeters: number;
  /** Signal to error power of the Stolt interpolation, a mean over the swath. */
  readonly interpolationErrorDb: number;
}

const fieldsOfParams: FieldsOf<OmegaKParams> = {
  radar: "object",
  lines: "number",
  samples: "number",
  rawType: "string",
  lineGain: "object",
  precision: "string",
  rangeWindow: "object",
  azimuthWindow: "object",
  processedBandwidthHz: "number",
  azimuthLength: "number",
  rows: "string",
  rangeLength: "number",
  stolt: true,
};

const defaultStolt: InterpolatorSpec = { kind: "sinc", taps: 12, window: "kaiser" };

/** Cycles that float32 holds to 1e-3 cycles. */
const mostFloatCycles = 2 ** 12;

/**
 * The program that focuses raw data by ω-K. Input `raw` [lines][samples]; output `image` [azimuth][range], complex: rows are slow time of
 * closest approach, columns slant range of closest approach, as `axes` says. A target of amplitude 1 at mid swath has a peak of 1, and the
 * phase of its reflectivity minus 4πR₀/λ. Throws `input`, naming the parameter, if no image can be made.
 */
export const omegaK = <P extends "f32" | "f64" = "f32">(
  params: OmegaKParams & { readonly precision?: P },
): OmegaKProgram<P extends "f64" ? Float64Array : Float32Array> => runToEnd(omegaKSteps(params));

/** `omegaK` in steps of milliseconds, for `runInPieces` of core. Throws in the same cases. */
export function* omegaKSteps<P extends "f32" | "f64" = "f32">(
  params: OmegaKParams & { readonly precision?: P },
): Generator<void, OmegaKProgram<P extends "f64" ? Float64Array : Float32Array>> {
  checkSpelling(params, fieldsOfParams, "parameters of omegaK");
  const { radar, lines, samples, rangeWindow = defaultWindow, azimuthWindow = defaultWindow, stolt = defaultStolt } = params;
  const { precision = "f32" } = params;
  checkWindow(rangeWindow, "rangeWindow", { continuous: true });
  checkWindow(azimuthWindow, "azimuthWindow", { continuous: true });
  checkInterpolator(stolt, "stolt");
  if (precision !== "f32" && precision !== "f64") throw inputError("precision", "f32 or f64", precision);
  const geometry = planImage(params);
  const { azimuthLength, rangeLength, columns, rows } = geometry;
  yield;

  const dtype: ComplexDType = precision === "f64" ? "c128" : "c64";
  const real = realOf(dtype);
  const input = rawInput(params, dtype, true);
  const array = (rows: number, columns: number): Layout<ComplexDType> => ({ dtype, shape: [rows, columns] });
  const line = (n: number): Layout<ComplexDType> => ({ dtype, shape: [n] });
  const table = (rows: number, columns: number): Layout<RealDType> => ({ dtype: real, shape: [rows, columns] });

  const reference = yield* referenceTables(geometry);
  if (precision === "f32" && reference.mostCycles > mostFloatCycles)
    throw inputError("precision", `f64, because squint and bandwidth leave ${Math.ceil(reference.mostCycles)} cycles to floats`, precision);
  const positions = yield* stoltPositions(geometry);
  const range = centred(rangeFilter({ ...geometry, guard: [0, 0], firstCell: 0 }, rangeWindow, false));
  const azimuth = yield* azimuthFilter(geometry, azimuthWindow);
  const weights = stoltWeights(geometry, windowFunction(rangeWindow));
  yield;

  const spectrum = array(azimuthLength, rangeLength);
  const cyclesLayout: Layout<"u32"> = { dtype: "u32", shape: [azimuthLength, 3] };
  const restLayout = table(azimuthLength, reference.terms);
  const positionsLayout: Layout<"u32"> = { dtype: "u32", shape: [positionColumns(positions.degree), azimuthLength] };
  const weightsLayout: Layout<RealDType> = { dtype: real, shape: [rangeLength] };
  const stoltGather: GatherOptions = {
    layout: spectrum,
    samples: spectrum,
    axis: 1,
    positions: { kind: "polynomial", degree: positions.degree },
    interpolator: stolt === "nearest" ? stolt : { polynomials: polynomialsOf(stolt, geometry.oversampling) },
  };
  return {
    name: "omega-k",
    inputs: { raw: input.layout },
    constants: {
      ...input.constants,
      rangeFilter: constant(line(rangeLength), range),
      cycles: { layout: cyclesLayout, data: reference.cycles },
      rest: constant(restLayout, reference.rest),
      positions: { layout: positionsLayout, data: positions.table },
      weights: constant(weightsLayout, weights),
      turns: constant(line(columns), columnTurns(geometry)),
      azimuthFilter: constant(line(azimuthLength), azimuth),
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
          store: filterStore(array(lines, rangeLength), line(rangeLength)),
        },
        bind: { ...input.bind, rangeFilter: "rangeFilter", out: "ranges" },
      },
      {
        name: "doppler",
        op: {
          op: "fft",
          layout: array(lines, rangeLength),
          axis: 0,
          n: azimuthLength,
          inverse: false,
          store: referenceStore(spectrum, cyclesLayout, restLayout, geometry.scaleOfBins),
        },
        bind: { in: "ranges", cycles: "cycles", rest: "rest", out: "spectrum" },
      },
      {
        name: "range",
        op: {
          op: "fft",
          layout: spectrum,
          axis: 1,
          inverse: true,
          keep: [geometry.firstOutput, columns],
          load: stoltLoad(stoltGather, weightsLayout),
          store: turnStore(array(azimuthLength, columns), line(columns)),
        },
        bind: { samples: "spectrum", positions: "positions", weights: "weights", turns: "turns", out: "doppler" },
      },
      {
        name: "azimuth",
        op: {
          op: "filter-inverse",
          layout: array(azimuthLength, columns),
          axis: 0,
          h: "line",
          ...(rows < azimuthLength && { keep: [0, rows] as const }),
        },
        bind: { in: "doppler", h: "azimuthFilter", out: "image" },
      },
    ],
    outputs: ["image"],
    axes: geometry.axes,
    spectrum: spectrumOf(radar),
    exposure: geometry.exposure,
    processedBandwidthHz: geometry.processedBandwidthHz,
    referenceRangeMeters: geometry.midRangeMeters,
    interpolationErrorDb: interpolationErrorDb(stolt, geometry.oversampling),
  };
}

/** The interpolator as polynomials. Throws `input` if there are none, which is so for two taps and a strong window. */
function polynomialsOf(stolt: InterpolatorSpec, oversampling: number): readonly (readonly number[])[] {
  const polynomials = interpolatorPolynomials(interpolatorTable(stolt, { oversampling }));
  if (polynomials) return polynomials;
  throw inputError("stolt", `a kernel that polynomials represent at an oversampling of ${oversampling}, as one of four taps`, stolt);
}

/** Multiplies every line by the filter. Ports: rangeFilter. */
const filterStore = (layout: Layout<ComplexDType>, rangeFilter: Layout<ComplexDType>): Store =>
  store({ name: "range filter", layout, dtype: layout.dtype, sources: { rangeFilter } }, ({ at, value, rangeFilter }) =>
    times(value, rangeFilter(at[1]) as Value<"complex">),
  );

/** Multiplies the two-dimensional spectrum by the reference function. Ports: cycles, rest. */
function referenceStore(layout: Layout<ComplexDType>, cycles: Layout<"u32">, rest: Layout<RealDType>, scaleOfBins: number): Store {
  const half = layout.shape[1] / 2;
  return store({ name: "reference function", layout, dtype: layout.dtype, sources: { cycles, rest } }, ({ at, value, cycles, rest }) => {
    const [row, place] = at;
    const j = asU32(place);
    const whole = plus(plus(cycles(row, 0), times(cycles(row, 1), j)), shiftRight(times(cycles(row, 2), j), 16));
    const x = times(toReal(minus(place, half)), scaleOfBins);
    const coefficients = Array.from({ length: rest.layout.shape[1] }, (_, power) => rest(row, power) as Value<"real">);
    const curved = times(
      times(x, x),
      coefficients.reduceRight((sum, coefficient) => plus(coefficient, times(x, sum))),
    );
    return times(value, cis(plus(times(toReal(asI32(whole)), 2 ** -32), curved)));
  });
}

/** The Stolt interpolation times the weights of the bins. Ports: those of the gather, and weights. */
const stoltLoad = (options: GatherOptions, weights: Layout<RealDType>): Load =>
  load({ name: "Stolt interpolation", layout: options.layout, sources: { ...gatherSources(options), weights } }, (names) =>
    times(gathered(options, names as never) as Value<"complex">, names.weights(names.at[1]) as Value<"real">),
  );

/** Multiplies every column by a number. Ports: turns. */
const turnStore = (layout: Layout<ComplexDType>, turns: Layout<ComplexDType>): Store =>
  store({ name: "phase of columns", layout, dtype: layout.dtype, sources: { turns } }, ({ at, value, turns }) =>
    times(value, turns(at[1]) as Value<"complex">),
  );
