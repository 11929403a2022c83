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

import {
  type ComplexDType,
  inputError,
  isRadarError,
  type Layout,
  type Load,
  nextFastLength,
  type Program,
  type RealDType,
  realOf,
  type Store,
} from "@dechirp/core";
import { asU32, cis, load, minus, plus, shiftRight, store, times, toReal, type Value } from "@dechirp/core/expression";
import { checkSpelling, type FieldsOf, runToEnd } from "@dechirp/core/internal";
import { checkWindow, chirpSamples, type StripmapRadar, speedOfLight, windowFunction } from "@dechirp/radar";
import {
  checkInterpolator,
  type GatherOptions,
  gathered,
  gatherSources,
  type InterpolatorSpec,
  interpolationErrorDb,
  type LineTable,
  maxGatheredExtent,
  positionColumns,
  setLinePositions,
} from "@dechirp/radar/interpolation";
import { checkRadar, chirpBandwidthHz, migrationFactor, rangeSpacingMeters } from "./radar.ts";
import { azimuthFilter } from "./range-doppler/azimuth.ts";
import { type ImageAxes, type ImageGeometry, type ImageSpectrum, imageGeometry, imageSpectrum } from "./range-doppler/geometry.ts";
import { defaultWindow, type RangeDopplerParams } from "./range-doppler/params.ts";
import { constant, rawInput } from "./range-doppler/program.ts";
import { rangeFilter } from "./range-doppler/range.ts";

/** What `omegaK` needs. Fields of range-Doppler mean the same here. */
export interface OmegaKParams
  extends Pick<
    RangeDopplerParams,
    "radar" | "lines" | "samples" | "rawType" | "lineGain" | "precision" | "rangeWindow" | "azimuthWindow" | "azimuthLength" | "rows"
  > {
  /**
   * Doppler band that is compressed, around the centroid. At the edges of the chirp the Doppler frequencies of a beam differ from those at
   * the carrier by f/f₀, and the PRF must hold them, too. Default: the widest band for which it does.
   */
  readonly processedBandwidthHz?: number;
  /**
   * Range transform length, even and at least `samples`. The Stolt interpolation needs a length of at least 1.1 times the swath and the
   * migration. Default: a fast length of 4/3 times that or more.
   */
  readonly rangeLength?: number;
  /** Interpolation of the range spectrum. Default: 12 taps, Kaiser. */
  readonly stolt?: InterpolatorSpec;
}

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

/** How many rows of a table one piece of work makes. There may be a million rows. */
const pieceRows = 256;
/** Polynomials are right to these errors, in cycles and bins, or have the largest degree. */
const exactness = { cycles: 1e-5, bins: 1e-4, degree: 16 } as const;
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
    interpolator: stolt === "nearest" ? stolt : { ...stolt, oversampling: geometry.oversampling },
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

/** The plan of an image: azimuth as in range-Doppler, range by the band and the support in time of the Stolt interpolation. */
interface Plan extends ImageGeometry {
  readonly bandwidthHz: number;
  /** Columns of the image. */
  readonly columns: number;
  /** The output of the inverse range transform that is the image's first column. */
  readonly firstOutput: number;
  /** Lowest and highest f′ of targets, over the whole processed Doppler band. */
  readonly bandHz: readonly [low: number, high: number];
  /** f′ of the first bin of the interpolated spectrum, in units of Fr/n. */
  readonly firstBin: number;
  /** What a bin of the range spectrum is worth in x = f/(B/2). */
  readonly scaleOfBins: number;
  /** Range transform length over the support in time of what the Stolt interpolation must keep. */
  readonly oversampling: number;
}

/** q = √((f₀ + f)² − A²) in Hz. */
const rootHz = (radar: StripmapRadar, f: number, dopplerHz: number): number =>
  Math.sqrt((radar.carrierHz + f) ** 2 - acrossHz(radar, dopplerHz) ** 2);
/** A = c·f_η/2V in Hz. */
const acrossHz = (radar: StripmapRadar, dopplerHz: number): number => (speedOfLight * dopplerHz) / (2 * radar.velocityMetersPerSecond);

function planImage(params: OmegaKParams): Plan {
  const { radar, lines, samples, azimuthLength, rows } = params;
  checkRadar(radar);
  const bandwidthHz = chirpBandwidthHz(radar);
  const half = bandwidthHz / 2 / radar.carrierHz;
  const widest = (radar.prfHz - 2 * half * Math.abs(radar.dopplerCentroidHz)) / (1 + half);
  if (!(widest > 0))
    throw inputError(
      "radar.prfHz",
      `more than ${2 * half * Math.abs(radar.dopplerCentroidHz)} Hz, which the chirp's band adds to the Doppler band`,
      radar.prfHz,
    );
  const { processedBandwidthHz = widest } = params;
  if (!(processedBandwidthHz > 0 && processedBandwidthHz <= widest))
    throw inputError(
      "processedBandwidthHz",
      `positive and at most ${widest} Hz, so that the PRF holds the Doppler band of the whole chirp`,
      processedBandwidthHz,
    );
  const geometry = imageGeometry({
    radar,
    lines,
    samples,
    processedBandwidthHz,
    rcmc: "off",
    ...(azimuthLength !== undefined && { azimuthLength }),
    ...(rows !== undefined && { rows }),
  });

  const edges = [-0.5, 0.5].map((side) => radar.dopplerCentroidHz + side * processedBandwidthHz);
  const dopplers = edges[0] * edges[1] < 0 ? [...edges, 0] : edges;
  const corners = dopplers.flatMap((doppler) => [-0.5, 0.5].map((side) => ({ doppler, f: side * bandwidthHz })));
  const roots = corners.map(({ f, doppler }) => rootHz(radar, f, doppler));
  if (!roots.every((root) => root > 0.05 * radar.carrierHz))
    throw inputError(
      "radar.chirpRateHzPerSecond",
      "such that the lowest frequency of the chirp has the Doppler band, too",
      radar.chirpRateHzPerSecond,
    );
  const bandHz = [Math.min(...roots) - radar.carrierHz, Math.max(...roots) - radar.carrierHz] as const;
  if (!(bandHz[1] - bandHz[0] <= radar.samplingRateHz))
    throw inputError(
      "radar.samplingRateHz",
      `at least ${bandHz[1] - bandHz[0]} Hz, the band of the image's range spectrum`,
      radar.samplingRateHz,
    );

  // Columns in whole tiles of four, with the reference range on one of them.
  const spacing = rangeSpacingMeters(radar);
  const exposed = samples - chirpSamples(radar) + 1;
  const columns = (Math.floor((exposed - 1) * geometry.reference) + 1) & ~3;
  if (columns < 4) throw inputError("samples", `at least ${samples + Math.ceil(4 / geometry.reference)}, for four columns`, samples);
  const start = radar.nearRangeMeters * geometry.reference;
  const middle = columns / 2;
  const midRangeMeters = start + middle * spacing;

  // After the reference function a target of delay R(f) has the delay R(f) − R_ref/cos θ(f), positive or negative.
  const cosines = corners.map(({ f }, i) => roots[i] / (radar.carrierHz + f));
  const near = radar.nearRangeMeters;
  const delays = cosines.flatMap((cosine) => [near, near + (exposed - 1) * spacing].map((range) => range - midRangeMeters / cosine));
  const support = Math.ceil((2 * Math.max(...delays.map(Math.abs))) / spacing);
  const rangeLength = params.rangeLength ?? 16 * nextFastLength(Math.ceil(Math.max(samples, (4 / 3) * support) / 16));
  const least = Math.max(samples, Math.ceil(1.1 * support));
  if (!Number.isInteger(rangeLength) || rangeLength % 2 !== 0 || rangeLength < least || rangeLength > maxGatheredExtent)
    throw inputError("rangeLength", `an even integer from ${least} to ${maxGatheredExtent}`, rangeLength);

  const { azimuthSeconds, azimuthMeters } = geometry.axes;
  return {
    ...geometry,
    bandwidthHz,
    rangeLength,
    columns,
    firstOutput: rangeLength / 2 - middle,
    bandHz,
    firstBin: Math.round(((bandHz[0] + bandHz[1]) / 2 / radar.samplingRateHz) * rangeLength) - rangeLength / 2,
    scaleOfBins: radar.samplingRateHz / rangeLength / (bandwidthHz / 2),
    oversampling: Math.min(64, rangeLength / support),
    midRangeMeters,
    axes: { azimuthSeconds, azimuthMeters, slantRangeMeters: { count: columns, start, step: spacing } },
  };
}

/** As that of a range-Doppler image, whose columns are D(f_dc) times as far apart. */
function spectrumOf(radar: StripmapRadar): ImageSpectrum {
  const { azimuthCentreCyclesPerSample, rangeCentreCyclesPerSample, rangeCutRowsPerColumn } = imageSpectrum(radar);
  const reference = migrationFactor(radar, radar.dopplerCentroidHz);
  return {
    azimuthCentreCyclesPerSample,
    rangeCentreCyclesPerSample: rangeCentreCyclesPerSample / reference,
    rangeCutRowsPerColumn: rangeCutRowsPerColumn / reference,
  };
}

/** A spectrum of n bins, interleaved complex, with frequency 0 at bin n/2. */
function centred(spectrum: Float64Array): Float64Array {
  const half = spectrum.length / 2;
  const result = new Float64Array(spectrum.length);
  result.set(spectrum.subarray(half));
  result.set(spectrum.subarray(0, half), half);
  return result;
}

/**
 * The phase of the reference function. For row k and place j of the centred range spectrum it is cycles[0] + cycles[1]·j + cycles[2]·j/2¹⁶ in
 * 2⁻³² cycles, and x²·(rest[0] + rest[1]·x + …) cycles, x = f/(B/2). Rows outside the processed band are zero.
 */
function* referenceTables(plan: Plan) {
  const { radar, rangeLength, azimuthLength, dopplerHz, midRangeMeters, bandwidthHz, scaleOfBins } = plan;
  const phase =
    (doppler: number) =>
    (x: number): number => {
      const f = (x * bandwidthHz) / 2;
      return (2 / speedOfLight) * (midRangeMeters * (rootHz(radar, f, doppler) - radar.carrierHz) - radar.nearRangeMeters * f);
    };
  const degree = Math.max(2, ...edgesOf(plan).map((doppler) => degreeFor(phase(doppler), exactness.cycles, exactness.degree)));
  const terms = degree - 1;
  const cycles = new Uint32Array(3 * azimuthLength);
  const rest = new Float64Array(terms * azimuthLength);
  let mostCycles = 0;
  for (let k = 0; k < azimuthLength; k++) {
    if (k % pieceRows === 0) yield;
    if (!isProcessed(plan, dopplerHz[k])) continue;
    const [offset, slope, ...others] = polynomial(phase(dopplerHz[k]), degree);
    const first = fraction(offset - (slope * scaleOfBins * rangeLength) / 2) * 2 ** 32;
    const step = fraction(slope * scaleOfBins) * 2 ** 32;
    cycles.set([Math.round(first) % 2 ** 32, Math.floor(step), Math.floor((step % 1) * 2 ** 16)], 3 * k);
    rest.set(others, terms * k);
    mostCycles = Math.max(
      mostCycles,
      others.reduce((sum, value) => sum + Math.abs(value), 0),
    );
  }
  return { cycles, rest, terms, mostCycles };
}

/**
 * Where the Stolt interpolation reads: the table of `gather` for bin i of the interpolated spectrum, whose f′ is (firstBin + i)·Fr/n, in the
 * centred range spectrum.
 */
function* stoltPositions(plan: Plan) {
  const { radar, rangeLength: n, azimuthLength, dopplerHz, firstBin } = plan;
  const [middle, half] = bandBins(plan);
  const perHz = n / radar.samplingRateHz;
  const position =
    (doppler: number) =>
    (x: number): number =>
      (Math.hypot(radar.carrierHz + (middle + half * x) / perHz, acrossHz(radar, doppler)) - radar.carrierHz) * perHz + n / 2;
  const degree = Math.max(...edgesOf(plan).map((doppler) => degreeFor(position(doppler), exactness.bins, 6)));
  const shape: LineTable = { lines: azimuthLength, extent: n, degree };
  const table = new Uint32Array(positionColumns(degree) * azimuthLength);
  for (let k = 0; k < azimuthLength; k++) {
    if (k % pieceRows === 0) yield;
    if (!isProcessed(plan, dopplerHz[k])) continue;
    const centred = polynomial(position(dopplerHz[k]), degree);
    try {
      setLinePositions(table, shape, k, substituted(centred, 1 / half, (firstBin - middle) / half));
    } catch (error) {
      if (!isRadarError(error, "limit")) throw error;
      throw inputError("rangeLength", `such that the Stolt interpolation moves no bin by ${error.fields["limit"]} bins or more`, n);
    }
  }
  return { table, degree };
}

/** Middle and half width of the band of f′ in bins. */
function bandBins({ bandHz, rangeLength, radar }: Plan): readonly [middle: number, half: number] {
  const [low, high] = bandHz.map((f) => (f * rangeLength) / radar.samplingRateHz);
  return [(low + high) / 2, (high - low) / 2];
}

/**
 * What every bin of the interpolated spectrum is multiplied by, in the order of the inverse transform: zero outside the band;
 * √(f₀D₀/(f₀ + f′)), by which the spectrum gets the weight that a sum over pulses gives it; the sign that moves the reference range to the
 * middle; and the scale that makes a unit target's peak 1.
 */
function stoltWeights(plan: Plan, taper: (x: number) => number): Float64Array {
  const { radar, rangeLength: n, firstBin, bandHz, bandwidthHz, reference } = plan;
  const weights = new Float64Array(n);
  const across = acrossHz(radar, radar.dopplerCentroidHz);
  const [low, high] = bandHz.map((f) => (f * n) / radar.samplingRateHz);
  let [after, before] = [0, 0];
  for (let j = 0; j < n; j++) {
    const bin = firstBin + j;
    before += taper(((j - n / 2) * radar.samplingRateHz) / n / bandwidthHz);
    if (bin < low - 1 || bin > high + 1) continue;
    const root = radar.carrierHz + (bin * radar.samplingRateHz) / n;
    const weight = Math.sqrt((radar.carrierHz * reference) / root);
    const f = Math.hypot(root, across) - radar.carrierHz;
    // The amplitude of the stationary phase approximation, relative to that at the carrier.
    const amplitude = (1 + f / radar.carrierHz) * ((radar.carrierHz * reference) / root) ** 1.5;
    after += weight * amplitude * taper(f / bandwidthHz);
    weights[j] = j % 2 === 0 ? weight : -weight;
  }
  return weights.map((weight) => (weight * before) / after);
}

/**
 * By what the columns of the inverse transform are multiplied, interleaved complex: its first bin is not that of frequency 0. The column of
 * the reference range is multiplied by 1.
 */
function columnTurns({ firstBin, rangeLength: n, columns }: Plan): Float64Array {
  const turns = new Float64Array(2 * columns);
  for (let column = 0; column < columns; column++) {
    const angle = (2 * Math.PI * ((firstBin * (column - columns / 2)) % n)) / n;
    turns.set([Math.cos(angle), Math.sin(angle)], 2 * column);
  }
  return turns;
}

const isProcessed = ({ radar, processedBandwidthHz, azimuthLength }: Plan, dopplerHz: number): boolean =>
  Math.abs(dopplerHz - radar.dopplerCentroidHz) <= processedBandwidthHz / 2 + radar.prfHz / azimuthLength;
const edgesOf = ({ radar, processedBandwidthHz }: Plan): readonly number[] =>
  [-0.5, 0, 0.5].map((side) => radar.dopplerCentroidHz + side * processedBandwidthHz);
const fraction = (x: number): number => x - Math.floor(x);

/** The lowest degree whose polynomial is within `error` of f on −1 … 1. */
function degreeFor(f: (x: number) => number, error: number, most: number): number {
  for (let degree = 1; degree < most; degree++) {
    const coefficients = polynomial(f, degree);
    const points = Array.from({ length: 4 * degree + 5 }, (_, i, last = 4 * degree + 4) => (2 * i) / last - 1);
    const at = (x: number): number => coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
    if (points.every((x) => Math.abs(at(x) - f(x)) <= error)) return degree;
  }
  return most;
}

/** The coefficients, in powers of i, of a polynomial whose coefficients are given in powers of x = slope·i + offset. */
function substituted(coefficients: readonly number[], slope: number, offset: number): number[] {
  let result: number[] = [];
  for (const coefficient of [...coefficients].reverse()) {
    const next = [...result.map((value) => value * offset), 0];
    result.forEach((value, power) => {
      next[power + 1] += value * slope;
    });
    next[0] += coefficient;
    result = next;
  }
  return result.slice(0, coefficients.length);
}

/** Coefficients of x⁰, x¹, … of the polynomial that meets f at the Chebyshev nodes of −1 … 1. */
function polynomial(f: (x: number) => number, degree: number): number[] {
  const n = degree + 1;
  const angles = Array.from({ length: n }, (_, i) => (Math.PI * (i + 0.5)) / n);
  const values = angles.map((angle) => f(Math.cos(angle)));
  const result = new Array<number>(n).fill(0);
  let [last, next] = [[1], [0, 1]];
  for (let order = 0; order < n; order++) {
    const coefficient = ((order === 0 ? 1 : 2) / n) * values.reduce((sum, value, i) => sum + value * Math.cos(order * angles[i]), 0);
    last.forEach((factor, power) => {
      result[power] += coefficient * factor;
    });
    const following = [0, ...next.map((factor) => 2 * factor)];
    last.forEach((factor, power) => {
      following[power] -= factor;
    });
    [last, next] = [next, following];
  }
  return result;
}

/** The value of a polynomial of the row, whose coefficients begin at `first`. */
const horner = (
  row: Value<"i32">,
  table: (row: Value<"i32">, column: number) => Value,
  first: number,
  terms: number,
  x: Value<"real">,
): Value<"real"> => {
  let value = table(row, first + terms - 1) as Value<"real">;
  for (let i = terms - 2; i >= 0; i--) value = plus(table(row, first + i) as Value<"real">, times(x, value));
  return value;
};

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
    const curved = times(times(x, x), horner(row, rest as never, 0, rest.layout.shape[1], x));
    return times(times(value, cis(whole)), cis(curved));
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
