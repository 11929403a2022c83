/**
 * The options of the extended factored algorithm and what follows from them: sizes, which Doppler bins form a window, which
 * ranges train which, and where a product is stored. Plain numbers and rules that the float64 reference and devices share. There are no
 * samples here, and no arithmetic on them.
 *
 * A snapshot of Doppler bin n has `order` = M·T elements, channel·T + tap; tap d is bin n − ⌊T/2⌋ + d, wrapped.
 */

import { inputError, RadarError } from "@dechirp/core";
import { checkSpelling, type FieldsOf } from "@dechirp/core/internal";
import { type Window, windowSamples } from "@dechirp/radar";
import { type AdaptiveOutput, checkLoading, checkOutput } from "../adaptive.ts";
import { checkFinite, checkInteger, checkSize } from "../arrays.ts";
import { checkSolver, type Solver } from "../solve.ts";
import { groupRun, type Training, type TrainingSets, trainingCells, trainingSets } from "../training.ts";

/** Sizes and parameters of the extended factored algorithm. */
export interface EfaOptions {
  /** Number of channels, M. */
  readonly channels: number;
  /** Number of pulses, N_CPI. */
  readonly pulses: number;
  /** Number of ranges, L. */
  readonly ranges: number;
  /** Number of steering vectors, P. */
  readonly steeringVectors: number;
  /** Number of Doppler bins N_D ≥ N_CPI, zero-padded. Default: N_CPI. */
  readonly dopplerBins?: number;
  /** T_DOF: Doppler bins of a snapshot, usually odd, from 1 (factored) to N_D. Default: 3. */
  readonly temporalTaps?: number;
  /** Ranges of a training block, B. The last block may have fewer. Not used if training slides. Default: 32. */
  readonly blockRanges?: number;
  /** Weights of the pulses: a window of `@dechirp/radar`, or a real number for each pulse. Default: ones. */
  readonly window?: Window | ArrayLike<number>;
  /** Whether zero Doppler is at bin ⌊N_D/2⌋, as after an fftshift, and not at bin 0. Default: false. */
  readonly centred?: boolean;
  /** Default: `{ kind: "adjacent" }`, as in the paper. */
  readonly training?: Training;
  /** Diagonal loading as a share of tr(R)/n. Default: 0. */
  readonly loading?: number;
  /** Default: `cholesky`. */
  readonly solver?: Solver;
  /** Default: `amf`. */
  readonly output?: AdaptiveOutput;
  /** Whether only the largest output over all steering vectors is kept, with its index. Not for `complex`. Default: false. */
  readonly maxOverSteering?: boolean;
  /**
   * Whether windows share the products of the Doppler bins that they have in common. `sliding` computes
   * 42 products a bin instead of 78 at M = 4, T = 3. `none` computes each window by itself, which `perBin` training needs. Default:
   * `sliding`.
   */
  readonly sharing?: "sliding" | "none";
  /**
   * Precision of covariances on devices. `f32`: results within 40 dB of float64's up to a condition of about 10⁴, and a status
   * beyond. `f64`: up to about 5·10⁸, on devices that have c128 arrays, such as the CPU. The float64 reference ignores it. Default: `f32`.
   */
  readonly precision?: "f32" | "f64";
}

/** Options of the program for devices. */
export interface EfaProgramOptions extends EfaOptions {
  /**
   * Whether solving and weighting are one step, `filter`, whose weights are never stored in memory. A GPU has no such step beyond order 24
   * (Cholesky) or 64 (Gauss-Jordan); if true, the host then does it. Default: true if covariances are small enough and groups have few
   * enough ranges.
   */
  readonly fused?: boolean;
}

/** Options with every default filled in, and the sizes that follow. Devices and the reference read only this. */
export interface EfaGeometry {
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  readonly steeringVectors: number;
  readonly dopplerBins: number;
  readonly temporalTaps: number;
  /** Elements of a snapshot, n = M·T. */
  readonly order: number;
  /** Weight of every pulse. */
  readonly window: Float64Array;
  readonly centred: boolean;
  /** Groups of ranges with one covariance for each bin, and what trains them. */
  readonly sets: TrainingSets;
  /** Diagonal loading as a share of tr(R)/n. */
  readonly loading: number;
  readonly solver: Solver;
  readonly output: AdaptiveOutput;
  readonly maxOverSteering: boolean;
  readonly shared: boolean;
  /** Products of a bin that are computed once if shared: M(M + 1)/2 + (T − 1)·M². */
  readonly products: number;
  readonly precision: "f32" | "f64";
}

const maxExtent = 2 ** 24;
const maxBins = 2 ** 16;
const maxOrder = 1024;

/** Fields of the options of programs, which have one more. */
const fieldsOfOptions: FieldsOf<EfaProgramOptions> = {
  channels: true,
  pulses: true,
  ranges: true,
  steeringVectors: true,
  dopplerBins: true,
  blockRanges: true,
  temporalTaps: true,
  training: true,
  loading: true,
  solver: true,
  output: true,
  maxOverSteering: true,
  sharing: true,
  precision: true,
  window: true,
  centred: true,
  fused: true,
};

/**
 * Checks options and computes what follows from them. Throws `input` naming the field, also if there are fewer training
 * cells than the order of a covariance and no loading: such a matrix is singular, whatever the data.
 */
export function efaGeometry(options: EfaOptions): EfaGeometry {
  checkSpelling<EfaProgramOptions>(options, fieldsOfOptions, "options of EFA");
  const { channels, pulses, ranges, steeringVectors } = options;
  checkInteger(channels, "channels", 1, maxOrder);
  checkInteger(pulses, "pulses", 1, maxBins);
  checkInteger(ranges, "ranges", 1, maxExtent);
  checkInteger(steeringVectors, "steeringVectors", 1, maxBins);
  const window = checkedWindow(options.window, pulses);
  const { dopplerBins = pulses, blockRanges = 32 } = options;
  checkInteger(dopplerBins, "dopplerBins", pulses, maxBins);
  const { temporalTaps = Math.min(3, dopplerBins) } = options;
  checkInteger(temporalTaps, "temporalTaps", 1, dopplerBins);
  checkInteger(blockRanges, "blockRanges", 1, maxExtent);
  const order = channels * temporalTaps;
  if (order > maxOrder)
    throw inputError("temporalTaps", `at most ${Math.floor(maxOrder / channels)} with ${channels} channels`, temporalTaps);
  const { training = { kind: "adjacent" }, loading = 0, solver = "cholesky", output = "amf", maxOverSteering = false } = options;
  checkLoading(loading, "loading");
  checkSolver(solver, "solver");
  checkOutput(output, "output");
  if (maxOverSteering && output === "complex") throw inputError("maxOverSteering", "false if the output is complex", maxOverSteering);
  const sets = trainingSets(training, ranges, blockRanges);
  if (!sets.perBin) checkTraining(sets, order, loading);
  const { sharing = sets.perBin ? "none" : "sliding" } = options;
  if (sharing !== "sliding" && sharing !== "none") throw inputError("sharing", "sliding or none", sharing);
  if (sharing === "sliding" && sets.perBin) throw inputError("sharing", "none if training differs from bin to bin", sharing);
  const { precision = "f32" } = options;
  if (precision !== "f32" && precision !== "f64") throw inputError("precision", "f32 or f64", precision);
  checkSize(2 * channels * dopplerBins * ranges, "dopplerBins");
  checkSize(2 * (maxOverSteering ? 1 : steeringVectors) * dopplerBins * ranges, "steeringVectors");
  checkSize(2 * sets.groups * order * Math.max(order, steeringVectors), "temporalTaps");
  return {
    channels,
    pulses,
    ranges,
    steeringVectors,
    dopplerBins,
    temporalTaps,
    order,
    window,
    centred: options.centred === true,
    sets,
    loading,
    solver,
    output,
    maxOverSteering,
    shared: sharing === "sliding",
    products: (channels * (channels + 1)) / 2 + (temporalTaps - 1) * channels ** 2,
    precision,
  };
}

/** Throws `input`, naming `training`, if a group has too few cells at `bin` for a covariance of `order` without loading. */
export function checkTraining(sets: TrainingSets, order: number, loading: number, bin = 0): void {
  for (let group = 0; loading === 0 && group < sets.groups; group++) {
    const cells = trainingCells(sets.runs(group, bin));
    if (cells >= order) continue;
    const [first, count] = groupRun(sets, group);
    const expected = `at least ${order} cells, the order of the covariance, or loading`;
    const message = `training of ranges ${first} to ${first + count - 1} must have ${expected}, not ${cells}`;
    throw new RadarError("input", message, { field: "training", expected, actual: cells, group });
  }
}

function checkedWindow(window: EfaOptions["window"], pulses: number): Float64Array {
  if (window === undefined) return new Float64Array(pulses).fill(1);
  if (isNamed(window)) return windowSamples(window, pulses);
  if (window?.length !== pulses) throw inputError("window.length", `${pulses}, a weight for every pulse`, window?.length);
  const weights = Float64Array.from(window);
  checkFinite(weights, "window");
  if (weights.every((w) => w === 0)) throw inputError("window", "not all zero", "all zero");
  return weights;
}

const isNamed = (window: Window | ArrayLike<number>): window is Window => window !== null && typeof window === "object" && "kind" in window;

/** Doppler bin of tap `tap` in the window of `bin`: −1 wraps to N_D − 1, N_D to 0. */
export const windowBin = ({ dopplerBins, temporalTaps }: EfaGeometry, bin: number, tap: number): number =>
  (bin - (temporalTaps >> 1) + tap + 2 * dopplerBins) % dopplerBins;

/** Doppler frequency of a bin in cycles a pulse, from −½ up to but not including ½: × PRF for Hz. */
export function binCycles({ dopplerBins, centred }: EfaGeometry, bin: number): number {
  const k = centred ? bin - (dopplerBins >> 1) : bin;
  return (k - dopplerBins * Math.floor(k / dopplerBins + 0.5)) / dopplerBins;
}

/** The bin nearest to a Doppler frequency in cycles a pulse. */
export function nearestBin({ dopplerBins, centred }: EfaGeometry, cycles: number): number {
  const k = Math.round((cycles - Math.floor(cycles)) * dopplerBins) + (centred ? dopplerBins >> 1 : 0);
  return k % dopplerBins;
}

/**
 * Index of a product of bin k: X(i, k)·X(j, k + lag)* of channels i and j. Lag 0 is Hermitian and has only its lower
 * triangle (i ≥ j): i(i + 1)/2 + j; then M² products for each lag from 1 to T − 1.
 */
export const productIndex = ({ channels }: Pick<EfaGeometry, "channels">, lag: number, i: number, j: number): number =>
  lag === 0 ? (i * (i + 1)) / 2 + j : (channels * (channels + 1)) / 2 + ((lag - 1) * channels + i) * channels + j;

/**
 * The product from which element (row, column) of a covariance comes, row ≥ column: the tap of the window whose bin it belongs to, its
 * index
 * there, and whether it is conjugated. A product belongs to the lower of its two taps; with two channels in one bin, to the higher channel,
 * which is that of the row.
 */
export function elementProduct(
  geometry: Pick<EfaGeometry, "channels" | "temporalTaps">,
  row: number,
  column: number,
): readonly [tap: number, index: number, turned: boolean] {
  const { temporalTaps } = geometry;
  const [i, a] = [Math.floor(row / temporalTaps), row % temporalTaps];
  const [j, b] = [Math.floor(column / temporalTaps), column % temporalTaps];
  return a > b ? [b, productIndex(geometry, a - b, j, i), true] : [a, productIndex(geometry, b - a, i, j), false];
}

/** Doppler bins to process, in any order. Default: all. */
export type BinChoice = readonly number[] | undefined;

/** `choice` checked, or all bins. Throws `input`, naming `bins`. */
export function chosenBins({ dopplerBins }: EfaGeometry, choice: BinChoice): readonly number[] {
  if (choice === undefined) return Array.from({ length: dopplerBins }, (_, bin) => bin);
  if (!(Array.isArray(choice) && choice.length > 0 && choice.length <= dopplerBins))
    throw inputError("bins", `a list of 1 to ${dopplerBins} Doppler bins`, choice);
  for (const [i, bin] of choice.entries()) checkInteger(bin, `bins[${i}]`, 0, dopplerBins - 1);
  return choice;
}
