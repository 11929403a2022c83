/**
 * Constant false alarm rate detection along ranges. A cell is compared with its neighbours, by their mean (CA; Finn & Johnson, RCA
 * Review 29, 1968) or by one of their order statistics (OS; Rohling, IEEE Trans. AES-19, 1983). Factors hold for power of
 * complex Gaussian noise, independent from cell to cell; other noise has other rates. Float64.
 */
import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { checkFinite, checkInteger } from "./arrays.ts";
import { decreasingRoot } from "./metrics/theory.ts";
import { type RangeRun, trainingCells, trainingSets } from "./training.ts";

/** Which cells make a threshold, and how often noise may exceed it. */
export interface CfarOptions {
  /** Probability that a cell of noise alone is detected. */
  readonly falseAlarm: number;
  /** Cells that a threshold is computed from, half on each side, shifted inwards at the edges. Default: 32. */
  readonly cells?: number;
  /** Cells on each side of the tested one that are not used. Default: 2. */
  readonly guardCells?: number;
  /** For OS: which smallest of the cells, from 1. Default: three quarters of `cells`. */
  readonly rank?: number;
}

/** Which cells were detected, and their thresholds. */
export interface CfarResult {
  /** 1 if the power is above its threshold, in the order of the power. */
  readonly detected: Uint8Array;
  /** Threshold of every cell, in the order of the power. */
  readonly thresholds: Float64Array;
  /** The factor of the mean or of the order statistic. */
  readonly factor: number;
}

const maxCells = 2 ** 16;

/** P_fa = (1 + α/N)^−N of a threshold α times the mean of N cells. Throws `input`. */
export function caFalseAlarm(factor: number, cells: number): number {
  checkInteger(cells, "cells", 1, maxCells);
  return (1 + factor / cells) ** -cells;
}

/** α = N(P_fa^(−1/N) − 1). Throws `input`. */
export function caFactor(falseAlarm: number, cells: number): number {
  checkInteger(cells, "cells", 1, maxCells);
  if (!(falseAlarm > 0 && falseAlarm < 1)) throw inputError("falseAlarm", "between 0 and 1", falseAlarm);
  return cells * Math.expm1(-Math.log(falseAlarm) / cells);
}

/** P_fa = Π_{i<k} (N − i)/(N − i + α) of a threshold α times the k-th smallest of N cells (Rohling, eq. 32). Throws `input`. */
export function osFalseAlarm(factor: number, cells: number, rank: number): number {
  checkInteger(cells, "cells", 1, maxCells);
  checkInteger(rank, "rank", 1, cells);
  let product = 1;
  for (let i = 0; i < rank; i++) product *= (cells - i) / (cells - i + factor);
  return product;
}

/** The α of `osFalseAlarm`. Throws `input`. */
export const osFactor = (falseAlarm: number, cells: number, rank: number): number =>
  decreasingRoot((factor) => osFalseAlarm(factor, cells, rank), falseAlarm);

/** Cell-averaging CFAR of `power` [line][range], each line by itself. Throws `input` naming the field. */
export const caCfar = (power: ArrayLike<number>, ranges: number, options: CfarOptions): CfarResult =>
  runToEnd(caCfarSteps(power, ranges, options));

/**
 * `caCfar` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the same
 * cases.
 */
export function* caCfarSteps(power: ArrayLike<number>, ranges: number, options: CfarOptions): Generator<void, CfarResult> {
  const { runs, cells } = prepare(power, ranges, options);
  return yield* detect(power, ranges, caFactor(options.falseAlarm, cells), cells, (base) => (cell) => {
    let sum = 0;
    for (const [first, count] of runs[cell]) for (let i = first; i < first + count; i++) sum += power[base + i];
    return sum / cells;
  });
}

/** Ordered-statistic CFAR of `power` [line][range], each line by itself. Throws `input` naming the field. */
export const osCfar = (power: ArrayLike<number>, ranges: number, options: CfarOptions): CfarResult =>
  runToEnd(osCfarSteps(power, ranges, options));

/**
 * `osCfar` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the same
 * cases.
 */
export function* osCfarSteps(power: ArrayLike<number>, ranges: number, options: CfarOptions): Generator<void, CfarResult> {
  const { runs, cells } = prepare(power, ranges, options);
  const { rank = Math.max(1, Math.round(0.75 * cells)) } = options;
  const factor = osFactor(options.falseAlarm, cells, rank);
  const chosen = new Float64Array(cells);
  return yield* detect(power, ranges, factor, cells, (base) => (cell) => {
    let at = 0;
    for (const [first, count] of runs[cell]) for (let i = first; i < first + count; i++) chosen[at++] = power[base + i];
    return chosen.sort()[rank - 1];
  });
}

function prepare(
  power: ArrayLike<number>,
  ranges: number,
  { cells = 32, guardCells = 2 }: CfarOptions,
): { runs: readonly (readonly RangeRun[])[]; cells: number } {
  checkInteger(ranges, "ranges", 2, 2 ** 24);
  if (power.length === 0 || power.length % ranges !== 0) throw inputError("power.length", `a multiple of ${ranges} ranges`, power.length);
  checkFinite(power, "power");
  checkInteger(cells, "cells", 1, Math.min(maxCells, ranges - 1));
  const sets = trainingSets({ kind: "sliding", cells, guardCells }, ranges, 1);
  const runs = Array.from({ length: ranges }, (_, cell) => sets.runs(cell, 0));
  return { runs, cells: trainingCells(runs[0]) };
}

/** How many powers one piece of work reads. Sorting them takes milliseconds. */
const piecePowers = 2 ** 15;

function* detect(
  power: ArrayLike<number>,
  ranges: number,
  factor: number,
  cells: number,
  levels: (base: number) => (cell: number) => number,
): Generator<void, CfarResult> {
  const pieceCells = Math.max(1, Math.floor(piecePowers / cells));
  const detected = new Uint8Array(power.length);
  const thresholds = new Float64Array(power.length);
  for (let base = 0; base < power.length; base += ranges) {
    const level = levels(base);
    for (let cell = 0; cell < ranges; cell++) {
      thresholds[base + cell] = factor * level(cell);
      detected[base + cell] = power[base + cell] > thresholds[base + cell] ? 1 : 0;
      if (cell % pieceCells === 0) yield;
    }
  }
  return { detected, thresholds, factor };
}
