/**
 * Interpolation kernels: windowed sinc filters as tables over the fractional delay. The parameter of the window is chosen for the
 * oversampling of the signal, and the error of a kernel can be computed. This file only makes tables; `gather` and backprojection use
 * them.
 *
 * A sample at position x = floor(x) + μ is Σⱼ row(μ)[j]·s[floor(x) − taps/2 + 1 + j]; row(μ) blends the rows
 * q = floor(μ·phases) and q + 1 linearly. For a signal of full bandwidth, blending adds an error of
 * π²/√600/phases² rms: −140 dB with the default of 2048 phases, which is below the rounding of float32.
 */

import { inputError } from "@dechirp/core";
import { besselI0, sinc } from "../special-functions.ts";

/** An interpolation kernel: the nearest sample, or a windowed sinc. */
export type InterpolatorSpec =
  /** The nearer of two samples. Because of blending, delays within 1/phases below ½ get a mean of both. */
  | "nearest"
  | {
      readonly kind: "sinc";
      /** Even, 2 to 32. */
      readonly taps: number;
      readonly window: "kaiser" | "knab";
      /**
       * Parameter of the window: the Bessel argument of Kaiser, the cosh argument of Knab. By default it follows from the
       * oversampling: Knab in closed form, Kaiser by the least mean-square error.
       */
      readonly beta?: number;
    };

/** An interpolation kernel as a table over the fractional delay. */
export interface InterpolatorTable {
  readonly taps: number;
  /** Steps of the fractional delay between two samples. */
  readonly phases: number;
  /** Parameter of the window that is used; 0 for `nearest`. */
  readonly beta: number;
  /** [phases + 1][taps]: row q is the kernel for delay q/phases; every row sums to 1. */
  readonly table: Float64Array;
}

/** Default for the rows of an interpolator's table per sample. */
export const defaultPhases = 2048;

/** Throws `input` naming the field unless `spec` is valid. */
export function checkInterpolator(spec: InterpolatorSpec, field = "interpolator"): void {
  if (spec === "nearest") return;
  if (typeof spec !== "object" || spec === null || spec.kind !== "sinc") throw inputError(field, '"nearest" or a sinc kernel', spec);
  if (!Number.isInteger(spec.taps) || spec.taps < 2 || spec.taps > 32 || spec.taps % 2 !== 0) {
    throw inputError(`${field}.taps`, "an even integer from 2 to 32", spec.taps);
  }
  if (spec.window !== "kaiser" && spec.window !== "knab") throw inputError(`${field}.window`, '"kaiser" or "knab"', spec.window);
  if (spec.beta !== undefined && !(typeof spec.beta === "number" && spec.beta >= 0 && spec.beta <= 100)) {
    throw inputError(`${field}.beta`, "from 0 to 100", spec.beta);
  }
}

function checkOversampling(oversampling: number): void {
  if (!(typeof oversampling === "number" && oversampling >= 1 && oversampling <= 64)) {
    throw inputError("oversampling", "the sampling rate over the bandwidth, from 1 to 64", oversampling);
  }
}

/** Knab's window parameter π(taps/2)(1 − 1/χ) for oversampling χ (Knab 1979, IEEE Trans. IT 25, "Interpolation of band-limited functions using the approximate prolate series"). */
export const knabBeta = (taps: number, oversampling: number): number => (Math.PI / 2) * taps * (1 - 1 / oversampling);

type WindowKind = "kaiser" | "knab";

/** The window at x in [−½, ½], up to a factor that the normalisation of rows removes. */
function taper(window: WindowKind, beta: number, x: number): number {
  const q = 1 - 4 * x * x;
  if (q < 0) return 0;
  return window === "knab" ? Math.cosh(beta * Math.sqrt(q)) : besselI0(beta * Math.sqrt(q));
}

/** Writes the kernel for fractional delay `mu` in [0, 1], normalised to unit sum. */
function writeRow(row: Float64Array, taps: number, window: WindowKind, beta: number, mu: number): void {
  let sum = 0;
  for (let j = 0; j < taps; j++) {
    const d = j - taps / 2 + 1 - mu;
    row[j] = sinc(d) * taper(window, beta, d / taps);
    sum += row[j];
  }
  for (let j = 0; j < taps; j++) row[j] /= sum;
}

/** Writes the kernel of any spec for delay `mu`. */
function writeSpecRow(row: Float64Array, spec: InterpolatorSpec, beta: number, mu: number): void {
  if (spec !== "nearest") writeRow(row, spec.taps, spec.window, beta, mu);
  else row.set(mu < 0.5 ? [1, 0] : [0, 1]);
}

/** Number of samples that one value is computed from. */
export const interpolatorTaps = (spec: InterpolatorSpec): number => (spec === "nearest" ? 2 : spec.taps);

const errorFrequencies = 64;
const errorDelays = 16;

/**
 * Mean error power over the band |f| ≤ ½/χ and over 16 fractional delays (i + ½)/16, relative to the power of the signal: the
 * expectation for random signals with a flat spectrum. The result computes it of the rows that `write` makes; what does not depend on
 * them is computed once.
 */
function errorPowerOf(taps: number, oversampling: number): (write: (row: Float64Array, mu: number) => void) => number {
  const row = new Float64Array(taps);
  const turns = new Float64Array(2 * errorDelays * errorFrequencies * taps);
  const delayOf = (i: number): number => (i + 0.5) / errorDelays;
  for (let i = 0, at = 0; i < errorDelays; i++) {
    for (let k = 0; k < errorFrequencies; k++) {
      // Kernels are real, so that the error at −f equals the error at f.
      const f = ((k + 0.5) / errorFrequencies) * (0.5 / oversampling);
      for (let j = 0; j < taps; j++) {
        const angle = 2 * Math.PI * f * (j - taps / 2 + 1 - delayOf(i));
        turns[at++] = Math.cos(angle);
        turns[at++] = Math.sin(angle);
      }
    }
  }
  return (write) => {
    let sum = 0;
    for (let i = 0, at = 0; i < errorDelays; i++) {
      write(row, delayOf(i));
      for (let k = 0; k < errorFrequencies; k++) {
        let re = 0;
        let im = 0;
        for (let j = 0; j < taps; j++) {
          re += row[j] * turns[at++];
          im += row[j] * turns[at++];
        }
        sum += (re - 1) ** 2 + im ** 2;
      }
    }
    return sum / (errorFrequencies * errorDelays);
  };
}

/** The window parameter that `spec` uses at an oversampling factor: the given one, Knab's closed form, or the best one for Kaiser. */
export function interpolatorBeta(spec: InterpolatorSpec, oversampling: number): number {
  checkInterpolator(spec);
  checkOversampling(oversampling);
  if (spec === "nearest") return 0;
  if (spec.beta !== undefined) return spec.beta;
  if (spec.window === "knab") return knabBeta(spec.taps, oversampling);
  return kaiserBeta(spec.taps, oversampling);
}

/** The least mean-square error of a Kaiser window takes thousands of kernels to find, and programs ask for the same again. */
const kaiserBetas = new Map<string, number>();
const mostKaiserBetas = 64;

function kaiserBeta(taps: number, oversampling: number): number {
  const key = `${taps} ${oversampling}`;
  const known = kaiserBetas.get(key);
  if (known !== undefined) return known;
  if (kaiserBetas.size === mostKaiserBetas) kaiserBetas.clear();
  const found = searchKaiserBeta(taps, oversampling);
  kaiserBetas.set(key, found);
  return found;
}

function searchKaiserBeta(taps: number, oversampling: number): number {
  const power = errorPowerOf(taps, oversampling);
  const error = (beta: number): number => power((row, mu) => writeRow(row, taps, "kaiser", beta, mu));
  // The best β lies near Knab's value. A coarse scan finds its valley, then golden-section search finds the minimum.
  const top = knabBeta(taps, oversampling) + 4;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 24; i++) {
    const value = error((top * i) / 24);
    if (value < least) [best, least] = [(top * i) / 24, value];
  }
  let a = Math.max(0, best - top / 24);
  let b = Math.min(top, best + top / 24);
  const golden = (Math.sqrt(5) - 1) / 2;
  let left = b - golden * (b - a);
  let right = a + golden * (b - a);
  let atLeft = error(left);
  let atRight = error(right);
  while (b - a > 1e-4) {
    if (atLeft < atRight) {
      [b, right, atRight] = [right, left, atLeft];
      left = b - golden * (b - a);
      atLeft = error(left);
    } else {
      [a, left, atLeft] = [left, right, atRight];
      right = a + golden * (b - a);
      atRight = error(right);
    }
  }
  return (a + b) / 2;
}

/**
 * The rows of the kernel for delays 0, 1/phases … 1. `oversampling` is sampling rate over bandwidth (1.2 for a 100 MHz chirp
 * sampled at 120 MHz). Throws `input` for a spec or oversampling that is not valid, or phases outside 1 to 65536.
 */
export function interpolatorTable(
  spec: InterpolatorSpec,
  options: { readonly oversampling: number; readonly phases?: number },
): InterpolatorTable {
  const { oversampling, phases = defaultPhases } = options;
  if (!Number.isInteger(phases) || phases < 1 || phases > 65536) throw inputError("phases", "an integer from 1 to 65536", phases);
  const beta = interpolatorBeta(spec, oversampling);
  const taps = interpolatorTaps(spec);
  const table = new Float64Array((phases + 1) * taps);
  for (let q = 0; q <= phases; q++) writeSpecRow(table.subarray(q * taps, (q + 1) * taps), spec, beta, q / phases);
  return { taps, phases, beta, table };
}

/** Signal power over error power, in dB, of the weights that `write` computes for `taps` samples (even), by `errorPowerOf`. */
export const bandErrorDb = (taps: number, oversampling: number, write: (row: Float64Array, mu: number) => void): number =>
  -10 * Math.log10(errorPowerOf(taps, oversampling)(write));

/**
 * Signal power over interpolation error power in dB (larger is better), for random signals with a flat spectrum over
 * |f| ≤ ½/oversampling. It is a mean over 16 fractional delays and does not include the blending of rows.
 */
export function interpolationErrorDb(spec: InterpolatorSpec, oversampling: number): number {
  const beta = interpolatorBeta(spec, oversampling);
  return bandErrorDb(interpolatorTaps(spec), oversampling, (row, mu) => writeSpecRow(row, spec, beta, mu));
}
