/**
 * Estimates of the absolute Doppler centroid, including its ambiguity. One uses the phase difference of range looks and works on even
 * scenes.
 * The other uses the range walk of compressed targets and works on scenes with bright targets. Each states a standard error from blocks of
 * its
 * data; doppler.ts decides with them. Nothing here compresses or transforms data.
 */

import { createRandom, inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { speedOfLight } from "@dechirp/radar";
import {
  blocksOfLines,
  type ComplexLines,
  checkDopplerRadar,
  checkLines,
  correlate,
  correlateLines,
  type DopplerRadar,
  lineReader,
  type PairSums,
  ratio,
} from "./lines.ts";

/** An estimate of the absolute Doppler centroid by one method. */
export interface AbsoluteDoppler {
  readonly method: "range-looks" | "range-walk";
  readonly absoluteHz: number;
  /** Standard error from the scatter of blocks. +∞ if the data cannot tell. */
  readonly standardErrorHz: number;
  /** Blocks of lines that the estimate comes from. */
  readonly blocks: number;
}

/**
 * Absolute Doppler centroid from how the phase between adjacent lines depends on range frequency. Lines may be raw or compressed.
 * The phase −4πR(f₀ + f)/c of an echo rotates at the rate f_dc·(1 + f/f₀), so that upper range frequencies run ahead. With C(θ) the
 * cross-spectrum of adjacent lines at θ = 2πf/Fr, arg C = φ₀ + aθ and f_dc = a·PRF·f₀/Fr. This is the multilook
 * cross-correlation of Wong & Cumming (1996) with smooth looks: the slope a is fitted with weights
 * h(θ) = sin θ − ½·sin 2θ, which needs correlations at two range lags and no transform; the scale Σ|C|θh comes from a
 * cosine series in eight lags. The error comes from 12 blocks of lines. Its variance is (f₀/bandwidth)² times that of the fraction, so that
 * the
 * estimate needs an even scene. Throws `input`.
 */
export const estimateDopplerByRangeLooks = (data: ComplexLines, radar: DopplerRadar): AbsoluteDoppler =>
  runToEnd(rangeLookSteps(data, radar));

/** `estimateDopplerByRangeLooks` in pieces. `known` are the sums of these lines at `lookLags`, if a device has made them. */
export function* rangeLookSteps(data: ComplexLines, radar: DopplerRadar, known?: PairSums): Generator<void, AbsoluteDoppler> {
  checkLines(data, "data");
  checkDopplerRadar(radar);
  if (data.samples <= 2 * scaleLags) throw inputError("data.samples", `more than ${2 * scaleLags}`, data.samples);
  const { blocks } = yield* correlateLines(data, blocksOfLines, lookLags, known);
  const scale = yield* slopeScale(data);
  const parts = blocks.map((block) => {
    const middle = lookLags;
    const [re, im] = [block[2 * middle], block[2 * middle + 1]];
    const magnitude = Math.hypot(re, im) || 1;
    let n = 0;
    lookWeights.forEach((weight, k) => {
      // (R(k) − R(−k))/2j rotated by −φ₀: its imaginary part is −Re(…)/2.
      const [up, down] = [2 * (middle + k + 1), 2 * (middle - k - 1)];
      const dr = block[up] - block[down];
      const di = block[up + 1] - block[down + 1];
      n -= (weight * (dr * re + di * im)) / (2 * magnitude);
    });
    return { n, d: magnitude * scale };
  });
  const { value, standardError } = ratio(parts);
  const hz = (radar.prfHz * radar.carrierHz) / radar.samplingRateHz;
  return { method: "range-looks", absoluteHz: value * hz, standardErrorHz: standardError * hz, blocks: parts.length };
}

/**
 * Absolute Doppler centroid from the walk of targets through range: −λf_dc/(2·PRF) metres from line to line. For each
 * trial frequency the amplitudes of range-compressed lines are shifted along its walk and added. The right trial adds bright
 * targets on top of themselves, which raises the variance of the sums. Blocks are as long as a target needs for half a PRF
 * of Doppler (bounded by the data) and 64 cells wide; their curves are added. The error comes from 1000 bootstrap resamples
 * of the blocks and from the targets at the first and last lines, which are seen in part. A small error needs data of at least two
 * such blocks. The method senses the same as the multilook beat frequency (Wong & Cumming 1996), with all pairs of looks
 * at once. It needs bright targets: on even speckle the resamples scatter and the error is large. Throws `input`.
 */
export const estimateDopplerByRangeWalk = (compressed: ComplexLines, radar: DopplerRadar): AbsoluteDoppler =>
  runToEnd(rangeWalkSteps(compressed, radar));

/** `estimateDopplerByRangeWalk` in pieces. */
export function* rangeWalkSteps(compressed: ComplexLines, radar: DopplerRadar): Generator<void, AbsoluteDoppler> {
  checkLines(compressed, "compressed");
  checkDopplerRadar(radar);
  const { prfHz, velocityMetersPerSecond: velocity } = radar;
  const lambda = speedOfLight / radar.carrierHz;
  const cell = speedOfLight / (2 * radar.samplingRateHz);
  const middleRange = radar.nearRangeMeters + (compressed.samples / 2) * cell;
  const cellsPerLine = (hz: number): number => (-lambda * hz) / (2 * prfHz * cell);
  const rate = (2 * velocity ** 2) / (lambda * middleRange);
  const blockLines = Math.min(compressed.lines, Math.max(16, Math.round(prfHz ** 2 / (2 * rate))));
  const most = Math.min(maxAmbiguity * prfHz, (2 * velocity) / lambda);
  // Lines may be averaged as long as the fastest trial walks less than half a cell. Trials differ by half a cell over a block.
  const average = Math.max(1, Math.min(16, Math.floor(0.5 / Math.abs(cellsPerLine(most))), Math.floor(blockLines / 16)));
  const half = Math.min(maxTrials, Math.max(2, Math.ceil(2 * most * blockLines * Math.abs(cellsPerLine(1)))));
  const stepHz = most / half;
  const amplitudes = yield* averageAmplitudes(compressed, average);
  const curves: Float64Array[] = [];
  const sums = new Float64Array(walkBlockCells);
  const perBlock = Math.floor(blockLines / average);
  // Sixteen blocks along each axis are enough. Larger data is sampled.
  const lineStep = Math.max(perBlock, Math.floor(amplitudes.lines / 16));
  const cellStep = Math.max(walkBlockCells, Math.floor(compressed.samples / 16));
  for (let first = 0; first + perBlock <= amplitudes.lines; first += lineStep) {
    for (let cell0 = 0; cell0 + walkBlockCells <= compressed.samples; cell0 += cellStep) {
      const curve = new Float64Array(2 * half + 1);
      for (let k = -half; k <= half; k++) {
        curve[k + half] = walkStatistic(amplitudes, first, perBlock, cell0, cellsPerLine(k * stepHz) * average, sums);
        if (k % pieceTrials === 0) yield;
      }
      curves.push(curve);
    }
  }
  const none = { method: "range-walk", absoluteHz: 0, standardErrorHz: Infinity, blocks: curves.length } as const;
  if (curves.length < minWalkBlocks) return none;
  const best = peakOf(curves, undefined);
  // Seeded, so that the same data gives the same answer.
  const next = createRandom(1).uniform;
  const draws: number[] = [];
  while (draws.length < 1000) {
    draws.push(peakOf(curves, next));
    yield;
  }
  const spread = Math.sqrt(draws.reduce((sum, d) => sum + (d - best) ** 2, 0) / draws.length);
  // A maximum at the end of the trials is not a maximum.
  if (best <= 0 || best >= 2 * half) return none;
  // Two errors that no resampling shows: the parabola through three trials, a quarter of a step; and the targets at both
  // ends, seen in part: with n blocks along azimuth, a share of 1/n of the sum is off by PRF/4 (about the rms of ±PRF/2).
  const ends = prfHz / 4 / Math.floor(amplitudes.lines / perBlock);
  return { ...none, absoluteHz: (best - half) * stepHz, standardErrorHz: Math.hypot(spread * stepHz, 0.25 * stepHz, ends) };
}

// The largest ambiguity that the walk looks for, which limits the trials on either side of 0.
const maxAmbiguity = 16;
const maxTrials = 512;
const walkBlockCells = 64;
/** Trials of a block between two pauses. Each takes some microseconds. */
const pieceTrials = 32;
const minWalkBlocks = 6;
/** h(θ) = Σ weight[k−1]·sin kθ */
const lookWeights = [1, -0.5];
/** Range lags at which adjacent lines are correlated for range looks. */
export const lookLags = lookWeights.length;
const scaleLags = 8;

/**
 * Σ|C|(θ − θc)h(θ) / Σ|C| for the cross-spectrum C of adjacent lines, with θc its centre, by the Fourier series on (−π, π)
 * θ = Σ 2(−1)^(l+1)·sin(lθ)/l and θ·sin kθ = (−1)^(k+1)/k − cos(kθ)/(2k) + Σ_{l≠0,k} (−1)^(k+l+1)·2k·cos(lθ)/(k² − l²),
 * from about 64 pairs of lines spread over the data.
 */
function* slopeScale(source: ComplexLines): Generator<void, number> {
  const sums = new Float64Array(2 * (2 * scaleLags + 1));
  const read = yield* lineReader(source);
  const x = new Float64Array(2 * source.samples);
  const y = new Float64Array(2 * source.samples);
  const pairs = source.lines - 1;
  const used = Math.min(pairs, 64);
  for (let k = 0; k < used; k++) {
    const p = Math.floor(((k + 0.5) * pairs) / used);
    read(p, x);
    read(p + 1, y);
    correlate(x, y, scaleLags, sums);
    yield;
  }
  const [re, im] = [sums[2 * scaleLags], sums[2 * scaleLags + 1]];
  const power = re * re + im * im;
  if (power === 0) return 0;
  // ρ(l)/ρ(0): cosine and sine moments of |C|.
  const part = (lag: number): [cos: number, sin: number] => {
    const [a, b] = [2 * (scaleLags + lag), 2 * (scaleLags - lag)];
    const real = (sums[a] * re + sums[a + 1] * im + sums[b] * re + sums[b + 1] * im) / (2 * power);
    const imaginary = (sums[a + 1] * re - sums[a] * im - sums[b + 1] * re + sums[b] * im) / (2 * power);
    return [real, imaginary];
  };
  const moments = Array.from({ length: scaleLags + 1 }, (_, lag) => part(lag));
  const sign = (n: number): number => (n % 2 === 0 ? 1 : -1);
  let centre = 0;
  for (let l = 1; l <= scaleLags; l++) centre -= (2 * sign(l) * moments[l][1]) / l;
  let scale = 0;
  lookWeights.forEach((weight, index) => {
    const k = index + 1;
    let sum = -sign(k) / k - moments[k][0] / (2 * k);
    for (let l = 1; l <= scaleLags; l++) if (l !== k) sum -= (sign(k + l) * 2 * k * moments[l][0]) / (k * k - l * l);
    scale += weight * (sum - centre * moments[k][1]);
  });
  return scale;
}

interface Amplitudes {
  readonly data: Float32Array;
  readonly lines: number;
  readonly cells: number;
}

/**
 * Amplitudes averaged over `average` lines and, with weights ¼ ½ ¼, over cells, so that interpolating between two of them smooths
 * every walk alike; minus their running mean over ±16 cells (antenna pattern, slow brightness).
 */
function* averageAmplitudes(source: ComplexLines, average: number): Generator<void, Amplitudes> {
  const { data, samples: cells, lineGain } = source;
  const lines = Math.floor(source.lines / average);
  const out = new Float32Array(lines * cells);
  const sum = new Float64Array(cells + 1);
  const line = new Float64Array(cells);
  for (let p = 0; p < lines; p++) {
    line.fill(0);
    for (let q = p * average; q < (p + 1) * average; q++) {
      const gain = Math.abs(lineGain === undefined ? 1 : lineGain[q]);
      for (let i = 0, k = 2 * q * cells; i < cells; i++, k += 2) line[i] += gain * Math.sqrt(data[k] * data[k] + data[k + 1] * data[k + 1]);
    }
    for (let i = 0; i < cells; i++) sum[i + 1] = sum[i] + line[i];
    if (!Number.isFinite(sum[cells])) throw inputError("compressed.data", "finite numbers", sum[cells]);
    for (let i = 0; i < cells; i++) {
      const [a, b] = [Math.max(0, i - 16), Math.min(cells, i + 17)];
      const smooth = (line[Math.max(0, i - 1)] + 2 * line[i] + line[Math.min(cells - 1, i + 1)]) / 4;
      out[p * cells + i] = smooth - (sum[b] - sum[a]) / (b - a);
    }
    yield;
  }
  return { data: out, lines, cells };
}

/**
 * Variance of the sums along a walk of `walk` cells per line, divided by the variance of one line times the number of lines: 1 for
 * independent lines, more if lines repeat. Cells whose walk leaves the data are left out; if fewer than half remain, the result is 1. `sums`
 * is memory for the sums of `walkBlockCells` cells: there are tens of thousands of trials.
 */
function walkStatistic({ data, cells }: Amplitudes, first: number, lines: number, cell0: number, walk: number, sums: Float64Array): number {
  const offsets = (p: number): number => walk * (p - (lines - 1) / 2);
  const reach = Math.ceil(Math.abs(offsets(0))) + 1;
  const from = Math.max(cell0, reach);
  const to = Math.min(cell0 + walkBlockCells, cells - reach);
  if (to - from < walkBlockCells / 2) return 1;
  const count = to - from;
  sums.fill(0);
  let squares = 0;
  for (let p = 0; p < lines; p++) {
    const shift = offsets(p);
    const whole = Math.floor(shift);
    const a = shift - whole;
    const start = (first + p) * cells + from + whole;
    let left = data[start];
    for (let i = 0; i < count; i++) {
      const right = data[start + i + 1];
      const value = left * (1 - a) + right * a;
      sums[i] += value;
      squares += value * value;
      left = right;
    }
  }
  if (squares === 0) return 1;
  let total = 0;
  for (let i = 0; i < count; i++) total += sums[i] * sums[i];
  return total / squares;
}

/** Fractional index of the maximum of the summed curves, by a parabola. The sum is over all curves, or over a bootstrap draw of them. */
function peakOf(curves: readonly Float64Array[], next: (() => number) | undefined): number {
  const sum = new Float64Array(curves[0].length);
  for (let b = 0; b < curves.length; b++) {
    const curve = next === undefined ? curves[b] : curves[Math.floor(next() * curves.length)];
    for (let k = 0; k < sum.length; k++) sum[k] += curve[k];
  }
  let k = 0;
  for (let i = 1; i < sum.length; i++) if (sum[i] > sum[k]) k = i;
  if (k === 0 || k === sum.length - 1) return k;
  const bend = sum[k - 1] - 2 * sum[k] + sum[k + 1];
  return bend < 0 ? k + (0.5 * (sum[k - 1] - sum[k + 1])) / bend : k;
}
