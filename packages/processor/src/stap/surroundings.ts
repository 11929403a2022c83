/**
 * What detections are to be read beside: interference that is there, by Doppler bin and direction, how unlike their training cells are, and
 * how many false alarms the thresholds let through. Float64, on the host; estimates, of as many Doppler bins as take little time.
 */
import { nextTurn } from "@dechirp/core/internal";
import {
  binCovarianceSteps,
  binCycles,
  choleskyFactor,
  hermitianEigenvalues,
  inverseQuadratic,
  loadDiagonal,
  trainingCells,
} from "@dechirp/stap";
import { decibels } from "./detect.ts";
import type { StapPlan } from "./plan.ts";
import type { HomogeneityReport, InterferenceReport, InterferenceSource } from "./report.ts";
import type { StapOutput } from "./run.ts";
import { elementSteering, lineSteering } from "./steering.ts";

/** So far above the noise a direction or a Doppler bin is called interference. */
const interferenceDb = 10;
/** A direction that is interference in so many of the Doppler bins is like a jammer's, which clutter's is not. */
const everywhereShare = 0.9;
/** Multiplications that covariances over channels, and spectra over directions, may take: a second or so. */
const budget = 2 ** 28;

/**
 * Interference of X, a covariance over channels for each Doppler bin from all ranges: its power an element over the noise, which is the
 * median of the least eigenvalues; how many eigenvalues are above it; and directions, of Capon's spectrum, with power in nearly every
 * Doppler bin. Throws `aborted` where the signal fires.
 */
export async function interferenceOf({ x }: StapOutput, plan: StapPlan, signal: AbortSignal | undefined): Promise<InterferenceReport> {
  const { geometry, array, input, prfHz } = plan;
  const { channels: m, dopplerBins, ranges } = geometry;
  const directions = Array.from({ length: m === 1 ? 1 : 181 }, (_, i) =>
    array ? array.broadsideDegrees - 90 + i : m === 1 ? 0 : -0.5 + i / 180,
  );
  const vectors = directions.map((at) => (array ? lineSteering(input.elements, array, at) : elementSteering(input.elements, at)));
  const most = Math.max(1, Math.floor(budget / (m * m * (ranges + directions.length + m))));
  const bins = spread(dopplerBins, Math.min(dopplerBins, most));
  const powers: number[] = [];
  const values: Float64Array[] = [];
  const covariances: Float64Array[] = [];
  for (const bin of bins) {
    await nextTurn(signal, "interference");
    const r = new Float64Array(2 * m * m);
    for (let i = 0; i < m; i++) {
      for (let j = 0; j <= i; j++) {
        let [re, im] = [0, 0];
        const [a, b] = [2 * (i * dopplerBins + bin) * ranges, 2 * (j * dopplerBins + bin) * ranges];
        for (let l = 0; l < 2 * ranges; l += 2) {
          re += x.data[a + l] * x.data[b + l] + x.data[a + l + 1] * x.data[b + l + 1];
          im += x.data[a + l + 1] * x.data[b + l] - x.data[a + l] * x.data[b + l + 1];
        }
        [r[2 * (i * m + j)], r[2 * (i * m + j) + 1]] = [re / ranges, im / ranges];
        [r[2 * (j * m + i)], r[2 * (j * m + i) + 1]] = [re / ranges, -im / ranges];
      }
    }
    const eigenvalues = hermitianEigenvalues(r, m);
    values.push(eigenvalues);
    covariances.push(r);
    powers.push(eigenvalues.reduce((sum, value) => sum + value, 0) / m);
  }
  // As few ranges as channels leave no noise of its own; and a bin without samples has none either.
  const least = values.map((of) => of[m - 1]).sort((a, b) => a - b);
  const noise = least[least.length >> 1];
  if (!(noise > 0 && ranges > m && noise > 1e-13 * Math.max(...powers))) return { bins: bins.length, estimated: false };
  const toNoise = powers.map((power) => decibels(Math.max(power - noise, 1e-3 * noise) / noise));
  const limit = noise * 10 ** (interferenceDb / 10);
  const dominant = values.map((of) => of.filter((value) => value > limit).length);
  const worst = toNoise.reduce((best, db, i) => (db > toNoise[best] ? i : best), 0);
  const spectra: (readonly number[])[] = [];
  for (const r of covariances) {
    await nextTurn(signal, "interference");
    spectra.push(capon(r, m, noise, vectors));
  }
  const peakOf = (spectrum: readonly number[]): number => spectrum.reduce((best, power, i) => (power > spectrum[best] ? i : best), 0);
  const placeOf = (i: number): Pick<InterferenceSource, "azimuthDegrees" | "cyclesAnElement"> =>
    m === 1 ? {} : array ? { azimuthDegrees: directions[i] } : { cyclesAnElement: directions[i] };
  const cycles = binCycles(geometry, bins[worst]);
  return {
    bins: bins.length,
    estimated: true,
    strongest: {
      dopplerBin: bins[worst],
      dopplerCycles: cycles,
      ...(prfHz === undefined ? {} : { dopplerHz: cycles * prfHz }),
      toNoiseDb: toNoise[worst],
      dominant: dominant[worst],
      ...placeOf(peakOf(spectra[worst])),
    },
    medianToNoiseDb: [...toNoise].sort((a, b) => a - b)[toNoise.length >> 1],
    affectedBins: toNoise.filter((db) => db >= interferenceDb).length,
    channels: m,
    sources: m === 1 ? [] : everywhere(spectra, noise).map(({ at, toNoiseDb, share }) => ({ ...placeOf(at), toNoiseDb, share })),
  };
}

/** Capon's spectrum 1/(aᴴR⁻¹a) of each direction: power that comes from there, for R with a little of the noise for safety. */
function capon(r: Float64Array, m: number, noise: number, vectors: readonly Float64Array[]): readonly number[] {
  const loaded = Float64Array.from(r);
  for (let i = 0; i < m; i++) loaded[2 * i * (m + 1)] += noise / 10;
  const factor = choleskyFactor(loaded, m);
  return vectors.map((a) => 1 / inverseQuadratic(factor, m, a));
}

/** Peaks of the median spectrum over Doppler bins that are interference in nearly all of these. */
function everywhere(
  spectra: readonly (readonly number[])[],
  noise: number,
): readonly { readonly at: number; readonly toNoiseDb: number; readonly share: number }[] {
  const limit = noise * 10 ** (interferenceDb / 10);
  const median = spectra[0].map((_, i) => spectra.map((spectrum) => spectrum[i]).sort((a, b) => a - b)[spectra.length >> 1]);
  const found = median.flatMap((power, at) => {
    const [before, after] = [median[at - 1] ?? 0, median[at + 1] ?? 0];
    const share = spectra.filter((spectrum) => spectrum[at] > limit).length / spectra.length;
    return power > before && power >= after && power > limit && share >= everywhereShare
      ? [{ at, toNoiseDb: decibels(power / noise), share }]
      : [];
  });
  return found.sort((a, b) => b.toNoiseDb - a.toNoiseDb).slice(0, 8);
}

/** `count` of `length` indices, evenly spread, ascending. */
const spread = (length: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((i * length) / count));

/** One cell in so many is beyond this share's quantile where all is alike. */
const unlikeShare = 0.01;

/**
 * Cells whose generalised inner product xᴴR̂⁻¹x with their training exceeds what one in a hundred does where clutter is Gaussian and alike
 * everywhere (Melvin, IEEE Trans. AES-36, 2000); of `bins`. Undefined where a cell trains itself or K < n, for which the law is another.
 */
export function* homogeneityOf(
  { x }: StapOutput,
  { geometry }: StapPlan,
  bins: readonly number[],
  own: boolean,
): Generator<void, HomogeneityReport | undefined> {
  const { sets, order: n, loading, channels, temporalTaps, dopplerBins, ranges } = geometry;
  if (own) return undefined;
  const covariances = binCovarianceSteps(x, geometry);
  const limits = new Map<number, number>();
  let [cells, unlike] = [0, 0];
  for (const bin of bins) {
    const matrices = yield* covariances(bin);
    for (let group = 0; group < sets.groups; group++) {
      const k = trainingCells(sets.runs(group, bin));
      if (k < n) return undefined;
      const limit = limits.get(k) ?? k * unlikeRatio(n, k);
      limits.set(k, limit);
      const r = matrices.slice(2 * group * n * n, 2 * (group + 1) * n * n);
      loadDiagonal(r, n, loading);
      const factor = choleskyFactor(r, n, r, { group, bin });
      yield;
      const snapshot = new Float64Array(2 * n);
      for (let range = group * sets.groupRanges; range < Math.min(ranges, (group + 1) * sets.groupRanges); range++) {
        for (let i = 0; i < channels * temporalTaps; i++) {
          const row =
            Math.floor(i / temporalTaps) * dopplerBins + ((bin - (temporalTaps >> 1) + (i % temporalTaps) + dopplerBins) % dopplerBins);
          snapshot[2 * i] = x.data[2 * (row * ranges + range)];
          snapshot[2 * i + 1] = x.data[2 * (row * ranges + range) + 1];
        }
        cells++;
        if (inverseQuadratic(factor, n, snapshot) > limit) unlike++;
        if (cells % 64 === 0) yield;
      }
    }
  }
  return { bins: bins.length, cells, unlike, share: unlike / cells, expectedShare: unlikeShare };
}

/**
 * t that xᴴS⁻¹x exceeds with `unlikeShare`, S the sum over K cells: 1/(1 + t) is Beta(K − n + 1, n), of whole numbers, so that the
 * probability is a sum of n binomial terms.
 */
function unlikeRatio(n: number, k: number): number {
  const tail = (t: number): number => {
    const x = 1 / (1 + t);
    let term = k * Math.log(x);
    let sum = 0;
    for (let i = 0; i < n; i++) {
      sum += Math.exp(term);
      term += Math.log(((k - i) / (i + 1)) * t);
    }
    return sum;
  };
  let [low, high] = [0, 1];
  while (tail(high) > unlikeShare && high < 1e12) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (tail(middle) > unlikeShare) low = middle;
    else high = middle;
  }
  return high;
}
