/**
 * Lines of complex echoes as the Doppler estimators read them: with gains, without the offset of the receiver, and correlated
 * with the next line at a few range lags. This is done block by block, so that each estimate can state an error. Internal to this
 * package, except for its types.
 */

import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { StripmapRadar } from "@dechirp/radar";

/** Complex lines [lines][samples], interleaved re, im. Rows are azimuth, columns are range. */
export interface ComplexLines {
  /** [line][sample], interleaved re, im. */
  readonly data: Float32Array | Float64Array | Int8Array | Int16Array;
  readonly lines: number;
  readonly samples: number;
  /** Linear gain that each line is multiplied by. Default: 1. */
  readonly lineGain?: ArrayLike<number>;
}

/** The parameters of a radar that the Doppler estimators use. */
export type DopplerRadar = Pick<StripmapRadar, "carrierHz" | "samplingRateHz" | "prfHz" | "velocityMetersPerSecond" | "nearRangeMeters">;

/** Sums over lines and pairs of adjacent lines, with gains and without the mean of all data. Complex numbers are re, im. */
export interface PairSums {
  readonly lags: number;
  /** [pair][2·lags + 1], complex: Σ x*[i]·y[i + lag] over the i for which all lags exist. */
  readonly products: Float64Array;
  /** [pair], complex: Σ x*[i]·y[i] over all i. */
  readonly whole: Float64Array;
  /** [line]: Σ|x|². */
  readonly energies: Float64Array;
}

/** Number of blocks of lines that errors are estimated from. */
export const blocksOfLines = 12;

/** Σn/Σd with the standard error of a ratio of block sums (Cochran, Sampling Techniques, section 6.4). */
export function ratio(blocks: readonly { n: number; d: number }[]): { value: number; standardError: number } {
  const d = blocks.reduce((sum, b) => sum + b.d, 0);
  const value = d === 0 ? 0 : blocks.reduce((sum, b) => sum + b.n, 0) / d;
  const m = blocks.length;
  if (m < 2 || d === 0) return { value, standardError: Infinity };
  const squares = blocks.reduce((sum, b) => sum + (b.n - value * b.d) ** 2, 0);
  return { value, standardError: Math.sqrt((m / (m - 1)) * squares) / Math.abs(d) };
}

/** How many numbers one piece of work reads. */
const pieceNumbers = 2 ** 18;

/** Reads lines with their gain and without the mean of all data. The mean is computed in pieces. */
export function* lineReader(source: ComplexLines): Generator<void, (p: number, line: Float64Array) => void> {
  const { data, samples, lineGain } = source;
  const sum = [0, 0];
  for (let i = 0; i < data.length; i += pieceNumbers) {
    addNumbers(data, i, Math.min(i + pieceNumbers, data.length), sum);
    yield;
  }
  let [re, im] = sum;
  if (!Number.isFinite(re) || !Number.isFinite(im)) throw inputError("data", "finite numbers", `${re}, ${im}`);
  re /= data.length / 2;
  im /= data.length / 2;
  return (p, line) => {
    const gain = lineGain === undefined ? 1 : lineGain[p];
    const start = 2 * samples * p;
    for (let i = 0; i < 2 * samples; i += 2) {
      line[i] = (data[start + i] - re) * gain;
      line[i + 1] = (data[start + i + 1] - im) * gain;
    }
  };
}

/** Adds the complex numbers between two indices of an interleaved array to `sum`. */
function addNumbers(data: ArrayLike<number>, from: number, to: number, sum: number[]): void {
  let re = sum[0];
  let im = sum[1];
  for (let i = from; i < to; i += 2) {
    re += data[i];
    im += data[i + 1];
  }
  sum[0] = re;
  sum[1] = im;
}

/** Adds Σ x*[i]·y[i + lag] for lag = −lags…lags to `sums` (re, im per lag), over the i for which all lags exist. */
export function correlate(x: Float64Array, y: Float64Array, lags: number, sums: Float64Array): void {
  const n = x.length / 2;
  for (let lag = -lags; lag <= lags; lag++) {
    let re = 0;
    let im = 0;
    for (let i = 2 * lags, k = 2 * (lags + lag); i < 2 * (n - lags); i += 2, k += 2) {
      re += x[i] * y[k] + x[i + 1] * y[k + 1];
      im += x[i] * y[k + 1] - x[i + 1] * y[k];
    }
    sums[2 * (lag + lags)] += re;
    sums[2 * (lag + lags) + 1] += im;
  }
}

/**
 * Correlations of adjacent lines at range lags −lags…lags, for blocks of line pairs, and the energy of all pairs. Each pair is a piece of
 * work. `known` are sums of these lines that a device has made, of the same lags, or of more if lags is 0.
 */
export function* correlateLines(
  source: ComplexLines,
  most: number,
  lags: number,
  known?: PairSums,
): Generator<void, { readonly blocks: Float64Array[]; readonly energy: number }> {
  const pairs = source.lines - 1;
  const count = Math.max(1, Math.min(most, Math.floor(pairs / 2)));
  const blocks = Array.from({ length: count }, () => new Float64Array(2 * (2 * lags + 1)));
  const blockOf = (p: number): Float64Array => blocks[Math.floor((p * count) / pairs)];
  const energy = known ? addKnown(known, lags, pairs, blockOf) : yield* addPairs(source, lags, pairs, blockOf);
  if (!Number.isFinite(energy)) throw inputError("data", "finite numbers", energy);
  if (energy === 0) throw inputError("data", "different from its mean somewhere", "constant");
  return { blocks, energy };
}

/** Adds sums that are known to blocks, and returns the energy of all pairs. */
function addKnown({ products, whole, energies }: PairSums, lags: number, pairs: number, blockOf: (p: number) => Float64Array): number {
  const sums = lags === 0 ? whole : products;
  const width = 2 * (2 * lags + 1);
  let energy = 0;
  for (let p = 0; p < pairs; p++) {
    const block = blockOf(p);
    for (let k = 0; k < width; k++) block[k] += sums[p * width + k];
    energy += Math.sqrt(energies[p] * energies[p + 1]);
  }
  return energy;
}

/** Adds the correlations of all pairs to blocks, and returns the energy of all pairs. */
function* addPairs(source: ComplexLines, lags: number, pairs: number, blockOf: (p: number) => Float64Array): Generator<void, number> {
  const read = yield* lineReader(source);
  let x = new Float64Array(2 * source.samples);
  let y = new Float64Array(2 * source.samples);
  read(0, x);
  let energy = 0;
  let before = energyOf(x);
  for (let p = 0; p < pairs; p++) {
    read(p + 1, y);
    correlate(x, y, lags, blockOf(p));
    const after = energyOf(y);
    energy += Math.sqrt(before * after);
    before = after;
    [x, y] = [y, x];
    yield;
  }
  return energy;
}

function energyOf(line: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < line.length; i++) sum += line[i] * line[i];
  return sum;
}

/**
 * Throws `input`, naming `<field>.<name>`, unless there are at least two lines, the data has as many numbers as they say, and gains are
 * finite.
 */
export function checkLines(source: ComplexLines, field: string): void {
  const { data, lines, samples, lineGain } = source;
  if (!Number.isInteger(lines) || lines < 2) throw inputError(`${field}.lines`, "an integer of at least 2", lines);
  if (!Number.isInteger(samples) || samples < 1) throw inputError(`${field}.samples`, "a positive integer", samples);
  const typed = isArrayOf(data, Float32Array, Float64Array, Int8Array, Int16Array);
  if (!typed) throw inputError(`${field}.data`, "a Float32Array, Float64Array, Int8Array or Int16Array", data);
  if (data.length !== 2 * lines * samples) throw inputError(`${field}.data.length`, `2 · ${lines} · ${samples} numbers`, data.length);
  if (lineGain === undefined) return;
  if (lineGain.length !== lines) throw inputError(`${field}.lineGain.length`, `${lines}, one gain per line`, lineGain.length);
  for (let p = 0; p < lines; p++)
    if (!Number.isFinite(lineGain[p])) throw inputError(`${field}.lineGain[${p}]`, "a finite number", lineGain[p]);
}

/** Throws `input`, naming `radar.<name>`, unless the parameters that estimators use are positive. */
export function checkDopplerRadar(radar: DopplerRadar): void {
  for (const field of ["carrierHz", "samplingRateHz", "prfHz", "velocityMetersPerSecond", "nearRangeMeters"] as const) {
    const value = radar[field];
    if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) throw inputError(`radar.${field}`, "a positive number", value);
  }
}
