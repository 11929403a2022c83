/**
 * The tables of an ω-K program, made in float64: the reference function and the positions of the Stolt interpolation as polynomials for every
 * Doppler row, weights of bins, and phases of columns.
 */
import { inputError, isRadarError } from "@dechirp/core";
import { speedOfLight } from "@dechirp/radar";
import { type LineTable, positionColumns, setLinePositions } from "@dechirp/radar/interpolation";
import { degreeFor, type Exactness, polynomial, substituted } from "../polynomial.ts";
import { acrossHz, type Plan, rootHz } from "./plan.ts";

/** How many rows of a table one piece of work makes. There may be a million rows. */
const pieceRows = 256;
/** How exact the polynomials are: phases in cycles, positions in bins. */
const exactness = {
  cycles: { negligible: 1e-5, degree: 16, tolerable: 1e-3 },
  bins: { negligible: 1e-4, degree: 6, tolerable: 1e-2 },
} as const;

/** A spectrum of n bins, interleaved complex, with frequency 0 at bin n/2. */
export function centred(spectrum: Float64Array): Float64Array {
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
export function* referenceTables(plan: Plan) {
  const { radar, rangeLength, azimuthLength, dopplerHz, midRangeMeters, bandwidthHz, scaleOfBins } = plan;
  const phase =
    (doppler: number) =>
    (x: number): number => {
      const f = (x * bandwidthHz) / 2;
      return (2 / speedOfLight) * (midRangeMeters * (rootHz(radar, f, doppler) - radar.carrierHz) - radar.nearRangeMeters * f);
    };
  const degree = Math.max(2, degreeOf(plan, phase, exactness.cycles));
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
export function* stoltPositions(plan: Plan) {
  const { radar, rangeLength: n, azimuthLength, dopplerHz, firstBin } = plan;
  const [middle, half] = bandBins(plan);
  const perHz = n / radar.samplingRateHz;
  const position =
    (doppler: number) =>
    (x: number): number =>
      (Math.hypot(radar.carrierHz + (middle + half * x) / perHz, acrossHz(radar, doppler)) - radar.carrierHz) * perHz + n / 2;
  const degree = degreeOf(plan, position, exactness.bins);
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
export function stoltWeights(plan: Plan, taper: (x: number) => number): Float64Array {
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
export function columnTurns({ firstBin, rangeLength: n, columns }: Plan): Float64Array {
  const turns = new Float64Array(2 * columns);
  for (let column = 0; column < columns; column++) {
    const angle = (2 * Math.PI * ((firstBin * (column - columns / 2)) % n)) / n;
    turns.set([Math.cos(angle), Math.sin(angle)], 2 * column);
  }
  return turns;
}

const isProcessed = ({ radar, processedBandwidthHz, azimuthLength }: Plan, dopplerHz: number): boolean =>
  Math.abs(dopplerHz - radar.dopplerCentroidHz) <= processedBandwidthHz / 2 + radar.prfHz / azimuthLength;
const fraction = (x: number): number => x - Math.floor(x);

/** The degree that every row of the processed band needs. It is largest at an edge of the band. */
function degreeOf(
  { radar, processedBandwidthHz }: Plan,
  functionOf: (dopplerHz: number) => (x: number) => number,
  exact: Exactness,
): number {
  const dopplers = [-0.5, 0, 0.5].map((side) => radar.dopplerCentroidHz + side * processedBandwidthHz);
  const degree = Math.max(...dopplers.map((doppler) => degreeFor(functionOf(doppler), exact)));
  if (!Number.isNaN(degree)) return degree;
  throw inputError(
    "radar.chirpRateHzPerSecond",
    `such that polynomials of degree ${exact.degree} fit its band`,
    radar.chirpRateHzPerSecond,
  );
}
