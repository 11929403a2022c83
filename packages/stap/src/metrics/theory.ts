/** Theory of sample matrix inversion with K independent training cells and order n: losses, levels, false alarms, rank. Numbers only. */
import { inputError } from "@dechirp/core";
import { checkInteger, checkNumber } from "../arrays.ts";

const maxCells = 2 ** 24;

/**
 * E[ρ] = (K + 2 − n)/(K + 1), the mean share of the optimum SINR; ρ is Beta(K + 2 − n, n − 1) (Reed, Mallett & Brennan,
 * IEEE Trans. AES-10, 1974). −3.01 dB at K = 2n − 3. Throws `input` for K < n.
 */
export function expectedAdaptiveLoss(n: number, cells: number): number {
  checkInteger(n, "n", 1, maxCells);
  checkInteger(cells, "cells", n, maxCells);
  return (cells + 2 - n) / (cells + 1);
}

/**
 * E[AMF] = K²/((K − n)(K − n + 1)) over cells without target, with R̂ the mean of K others. Throws `input` for K ≤ n, where the mean does
 * not exist.
 */
export function expectedAmf(n: number, cells: number): number {
  checkInteger(n, "n", 1, maxCells);
  checkInteger(cells, "cells", n + 1, maxCells);
  return cells ** 2 / ((cells - n) * (cells - n + 1));
}

/**
 * Probability that the AMF of a cell without target exceeds `threshold`: E[(1 + ρτ/K)^−(K − n + 1)], ρ ~ Beta(K + 2 − n, n − 1)
 * (Robey, Fuhrmann, Kelly & Nitzberg, IEEE Trans. AES-28, 1992). (1 + τ/K)^−K for n = 1. Throws `input`.
 */
export function amfFalseAlarm(threshold: number, n: number, cells: number): number {
  checkNumber(threshold, "threshold", 0, 1e300);
  checkInteger(n, "n", 1, 4096);
  checkInteger(cells, "cells", n, maxCells);
  const tail = (rho: number): number => (1 + (rho * threshold) / cells) ** -(cells - n + 1);
  if (n === 1) return tail(1);
  // Simpson's rule on ρ = cos²(x), with x from 0 to where the density vanishes: the density is sin^(2b−1)·cos^(2a−1), and a·x² nearly
  // Gamma(b), which vanishes twelve deviations and forty above its mean.
  const [a, b] = [cells + 2 - n, n - 1];
  const steps = 4096;
  const end = Math.min(Math.PI / 2, Math.sqrt((b + 12 * Math.sqrt(b) + 40) / a));
  const shape = (x: number): number => (2 * a - 1) * Math.log(Math.cos(x)) + (2 * b - 1) * Math.log(Math.sin(x));
  // The peak of the density, which scales every value to at most 1.
  const top = shape(Math.asin(Math.sqrt((b - 0.5) / (a + b - 1))));
  let sum = 0;
  let weight = 0;
  for (let i = 1; i < steps; i++) {
    const x = end * (i / steps);
    const w = (i % 2 === 1 ? 4 : 2) * Math.exp(shape(x) - top);
    sum += w * tail(Math.cos(x) ** 2);
    weight += w;
  }
  return sum / weight;
}

/** The threshold that the AMF of cells without target exceeds with probability `falseAlarm`. Throws `input`. */
export function amfThreshold(falseAlarm: number, n: number, cells: number): number {
  return decreasingRoot((threshold) => amfFalseAlarm(threshold, n, cells), falseAlarm);
}

/** x ≥ 0 with f(x) = value for a decreasing f with f(0) = 1. Throws `input` naming `falseAlarm` if there is no such x. Internal. */
export function decreasingRoot(f: (x: number) => number, value: number): number {
  if (!(value > 0 && value < 1)) throw inputError("falseAlarm", "between 0 and 1", value);
  let high = 1;
  while (f(high) > value && high < 1e290) high *= 2;
  let low = 0;
  for (let i = 0; i < 200 && high - low > high * Number.EPSILON; i++) {
    const middle = (low + high) / 2;
    if (f(middle) > value) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Brennan's rule: the rank of clutter is about M + (N − 1)·β for M channels and N pulses, rounded (Ward, eq. 83, where N counts the
 * elements and M the pulses). Exact for integer β up to M. Throws `input`.
 */
export function brennanRank(channels: number, pulses: number, slope: number): number {
  checkInteger(channels, "channels", 1, maxCells);
  checkInteger(pulses, "pulses", 1, maxCells);
  checkNumber(slope, "slope", 0, 1e6);
  return Math.round(channels + (pulses - 1) * slope);
}

/** Number of eigenvalues (largest first) within `rangeDb` (negative) of the largest: a numerical rank. Throws `input`. */
export function numericalRank(eigenvalues: ArrayLike<number>, rangeDb: number): number {
  checkNumber(rangeDb, "rangeDb", -300, 0);
  const floor = eigenvalues[0] * 10 ** (rangeDb / 10);
  let rank = 0;
  while (rank < eigenvalues.length && eigenvalues[rank] > floor) rank++;
  return rank;
}
