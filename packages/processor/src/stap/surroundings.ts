/**
 * Information that helps to judge detections: interference by Doppler bin and direction, and how unlike their training cells are.
 * Estimated in float64 on the host, for as many Doppler bins as can be computed quickly.
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
import type { StapOutput } from "./findings.ts";
import type { StapPlan } from "./plan.ts";
import type { HomogeneityReport, InterferenceReport, InterferenceSource } from "./report.ts";
import { elementSteering, lineSteering } from "./steering.ts";

/** A direction or a Doppler bin this far above the noise counts as interference. */
const interferenceDb = 10;
/** A direction with interference in at least this share of the Doppler bins looks like a jammer; clutter does not. */
const everywhereShare = 0.9;
/** Limit on multiplications for covariances over channels and spectra over directions: about a second. */
const budget = 2 ** 28;

/**
 * Estimates the interference in X from a covariance over channels for each Doppler bin, taken over all ranges: its power per element
 * over the noise (the median of the smallest eigenvalues), the number of eigenvalues above the noise, and the directions of Capon's
 * spectrum with power in nearly every Doppler bin. Rejects with `aborted` if the signal fires.
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
  // With no more ranges than channels the noise can't be estimated, nor in a bin without samples.
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
  const placeOf = (i: number): Pick<InterferenceSource, "azimuthDegrees" | "cyclesPerElement"> =>
    m === 1 ? {} : array ? { azimuthDegrees: directions[i] } : { cyclesPerElement: directions[i] };
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

/** Capon's spectrum 1/(aᴴR⁻¹a): the power from each direction. A tenth of the noise is loaded onto the diagonal for safety. */
function capon(r: Float64Array, m: number, noise: number, vectors: readonly Float64Array[]): readonly number[] {
  const loaded = Float64Array.from(r);
  for (let i = 0; i < m; i++) loaded[2 * i * (m + 1)] += noise / 10;
  const factor = choleskyFactor(loaded, m);
  return vectors.map((a) => 1 / inverseQuadratic(factor, m, a));
}

/** Finds peaks of the median spectrum over Doppler bins that are interference in nearly all of them. */
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

/** `count` evenly spaced indices below `length`, ascending. */
const spread = (length: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, i) => Math.floor((i * length) / count));

/** Share of cells that exceed the limit in homogeneous clutter. */
const unlikeShare = 0.01;

/**
 * Counts the cells of `bins` whose generalised inner product xᴴR̂⁻¹x with their training exceeds the value that one in a hundred
 * exceeds in homogeneous Gaussian clutter (Melvin, IEEE Trans. AES-36, 2000). Returns undefined if cells train themselves or K < n,
 * because the distribution is different then.
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
 * The value t that xᴴS⁻¹x exceeds with probability `unlikeShare`, S being the sum over K cells. 1/(1 + t) has the distribution Beta(K −
 * n + 1, n) with integer parameters, so the probability is a sum of n binomial terms.
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
