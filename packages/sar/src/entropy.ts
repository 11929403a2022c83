/**
 * Focus measures of a complex image: entropy, contrast, and peak over mean. Each is one number that says how concentrated the energy
 * is. None of them detects a mirrored or shifted image: they rank focus, they do not prove it. Data is interleaved re, im;
 * sums are in float64 whatever the type of the data.
 */

import { inputError } from "@dechirp/core";
import { isArrayOf, runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";

/** How many numbers one piece of work sums. */
const pieceNumbers = 2 ** 18;

/**
 * Entropy E = −Σ p·ln p with p = |x|²/Σ|x|², in nats: 0 for one bright pixel, ln n for n equal pixels. Lower is sharper.
 * Throws `input` if the data is not finite or has no energy.
 */
export const imageEntropy = (data: ComplexSamples): number => runToEnd(imageEntropySteps(data));

/**
 * `imageEntropy` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases.
 */
export function* imageEntropySteps(data: ComplexSamples): Generator<void, number> {
  checkPairs(data);
  let energy = 0;
  let weighted = 0;
  for (let i = 0; i < data.length; ) {
    for (const end = Math.min(i + pieceNumbers, data.length); i < end; i += 2) {
      const power = data[i] * data[i] + data[i + 1] * data[i + 1];
      energy += power;
      if (power > 0) weighted += power * Math.log(power);
    }
    yield;
  }
  checkEnergy(energy);
  // −Σ (q/E)·ln(q/E) = ln E − (Σ q·ln q)/E; rounding may leave −1e-16 for a single pixel.
  return Math.max(0, Math.log(energy) - weighted / energy);
}

/**
 * Contrast √(mean(I²) − mean(I)²) / mean(I) of the intensity I = |x|²: 0 for a flat image, 1 for fully developed speckle,
 * √(n − 1) for one bright pixel of n. Higher is sharper. Throws `input` as `imageEntropy` does.
 */
export const imageContrast = (data: ComplexSamples): number => runToEnd(imageContrastSteps(data));

/** `imageContrast` in steps of milliseconds, for `runInPieces` of core. Throws in the same cases. */
export function* imageContrastSteps(data: ComplexSamples): Generator<void, number> {
  checkPairs(data);
  const n = data.length / 2;
  let energy = 0;
  for (let i = 0; i < data.length; ) {
    for (const end = Math.min(i + pieceNumbers, data.length); i < end; i += 2) energy += data[i] * data[i] + data[i + 1] * data[i + 1];
    yield;
  }
  checkEnergy(energy);
  const mean = energy / n;
  let spread = 0;
  for (let i = 0; i < data.length; ) {
    for (const end = Math.min(i + pieceNumbers, data.length); i < end; i += 2) {
      const relative = (data[i] * data[i] + data[i + 1] * data[i + 1]) / mean - 1;
      spread += relative * relative;
    }
    yield;
  }
  return Math.sqrt(spread / n);
}

/** 10·log₁₀ of the largest intensity over the mean intensity. Throws `input` as `imageEntropy` does. */
export function peakToMeanDb(data: ComplexSamples): number {
  checkPairs(data);
  let energy = 0;
  let peak = 0;
  for (let i = 0; i < data.length; i += 2) {
    const power = data[i] * data[i] + data[i + 1] * data[i + 1];
    energy += power;
    if (power > peak) peak = power;
  }
  checkEnergy(energy);
  return 10 * Math.log10(peak / (energy / (data.length / 2)));
}

function checkPairs(data: ComplexSamples): void {
  if (!isArrayOf(data, Float32Array, Float64Array)) throw inputError("data", "a Float32Array or Float64Array", data);
  if (data.length === 0 || data.length % 2 !== 0) throw inputError("data.length", "a positive even number", data.length);
}

/** Throws `input` unless the energy of an image is finite and positive. */
export function checkEnergy(energy: number): void {
  if (!Number.isFinite(energy)) throw inputError("data", "finite numbers of finite energy", energy);
  if (energy === 0) throw inputError("data", "not all zero", "all zero");
}
