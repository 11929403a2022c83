/**
 * Predicts the time of a transform from a device's parameters and the work that census.ts counts in the text of its kernels.
 *
 * Every term is an amount over a rate: bytes of device memory, bytes through workgroup memory by lanes of a bank, bytes of shuffles, and
 * operations. Whether they overlap: within a workgroup, a barrier separates arithmetic from exchanges, and both from reading and writing
 * lines, so nothing overlaps there. What overlaps is the work of different workgroups of a core. WebGPU does not show how many a core
 * holds, only that workgroup memory is enough for one of the largest size. So if two workgroups fit into that, and there are more of them
 * than cores, terms overlap and the largest counts (`max`), else they add (`sum`). Barriers and dispatches, during which nothing else is
 * done, always add. Both extremes are returned too.
 */

import { inputError, isRadarError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import { kernelsOf, type LabKernel, type Variants, variants } from "@dechirp/fft-gpu/lab";
import { checkList } from "../experiment.ts";
import { median } from "../timing.ts";
import { type Census, censusOf } from "./census.ts";
import { checkParameters } from "./checks.ts";
import {
  type FftCase,
  type FftPrediction,
  type MeasuredFft,
  type ModelParameters,
  type PredictedTerms,
  type RatePoint,
  sineOperations,
  type Unpredicted,
} from "./parameters.ts";

/** Builtins that kernels may use. Without them they do the same work, by numbers that the model does not follow. */
const language: ReadonlySet<string> = new Set(["subgroup_id"]);

/**
 * Predicts the time of a transform, or says what is missing. Throws `input`, naming the field, if n or batch is not valid, no variant has
 * this name, or no device can have these parameters.
 */
export function predictFft(parameters: ModelParameters, which: FftCase): FftPrediction | Unpredicted {
  checkParameters(parameters);
  return predictChecked(parameters, which);
}

function predictChecked(parameters: ModelParameters, given: FftCase): FftPrediction | Unpredicted {
  checkObject(given, "case", "input");
  const { n, batch, variant: name } = given;
  const which: FftCase = { n, batch, ...(name !== undefined && { variant: name }) };
  const known: Variants = variants;
  if (name !== undefined && !Object.hasOwn(known, name)) throw inputError("variant", `one of ${Object.keys(known).join(", ")}`, name);
  const { workgroupBytes, invocations, subgroups, features, matrices = [] } = parameters;
  const limits = {
    workgroupBytes,
    invocations,
    ...(subgroups && { subgroups }),
    features: new Set(features),
    language,
    matrices,
  };
  const found = kernelsOf({ n, batch, limits, ...(name !== undefined && { variant: known[name] }) });
  if (!("kernels" in found)) return { ...which, needs: found.needs };
  const total = { memory: 0, tables: 0, exchange: 0, shuffles: 0, arithmetic: 0, barriers: 0, dispatches: 0 };
  const times = { seconds: 0, low: 0, high: 0 };
  let rule: FftPrediction["rule"] = "max";
  for (const kernel of found.kernels) {
    let census: Census;
    try {
      census = countedWork(kernel, subgroups?.[1] ?? 32);
    } catch (error) {
      if (!isRadarError(error, "unsupported")) throw error;
      return { ...which, needs: error.message };
    }
    const missing = missingRate(census, parameters);
    if (missing !== undefined) return { ...which, needs: missing };
    const terms = termsOf(census, parameters, 16 * n * batch);
    for (const key of Object.keys(total) as (keyof PredictedTerms)[]) total[key] += terms[key];
    const { memory, tables, exchange, shuffles, arithmetic, barriers, dispatches } = terms;
    const units = [memory, tables, exchange + shuffles, arithmetic];
    const alone = barriers + dispatches;
    const sum = units.reduce((a, b) => a + b, alone);
    const most = Math.max(...units) + alone;
    const overlaps = 2 * census.workgroupBytes <= workgroupBytes && census.workgroups > parameters.parallelGroups;
    if (!overlaps) rule = "sum";
    times.seconds += overlaps ? most : sum;
    times.low += Math.max(...units, barriers) + dispatches;
    times.high += sum;
  }
  const bound = (Object.keys(total) as (keyof PredictedTerms)[]).reduce((a, b) => (total[b] > total[a] ? b : a));
  return { ...which, ...times, gflops: (5 * n * Math.log2(n) * batch) / times.seconds / 1e9, rule, terms: total, bound };
}

/** The work of one workgroup by the kernel's text, as batches differ in the number of workgroups only. */
const counted = new Map<string, Census>();
const mostCounted = 256;

function countedWork(kernel: LabKernel, subgroup: number): Census {
  const key = `${subgroup} ${kernel.code}`;
  let one = counted.get(key);
  if (!one) {
    if (counted.size >= mostCounted) counted.clear();
    one = censusOf({ ...kernel, groups: [1, 1, 1] }, subgroup);
    counted.set(key, one);
  }
  const workgroups = kernel.groups.reduce((a, b) => a * b, 1);
  return {
    ...one,
    workgroups,
    flops: one.flops * workgroups,
    sines: one.sines * workgroups,
    matrixFlops: one.matrixFlops * workgroups,
    reads: one.reads * workgroups,
    writes: one.writes * workgroups,
    tableReads: one.tableReads * workgroups,
    shuffles: one.shuffles * workgroups,
    exchange: new Map([...one.exchange].map(([ways, bytes]) => [ways, bytes * workgroups])),
  };
}

function missingRate({ matrixFlops, shuffles }: Census, { shuffleRate, matrixRate }: ModelParameters): string | undefined {
  if (matrixFlops > 0 && matrixRate === undefined) return "a rate of matrix products, which is not measured";
  return shuffles > 0 && shuffleRate === undefined ? "a rate of shuffles" : undefined;
}

/** The terms of a dispatch in seconds. `footprint` is the number of bytes of the arrays. */
export function termsOf(census: Census, parameters: ModelParameters, footprint: number): PredictedTerms {
  const { deviceMemory, workgroupMemory, shuffleRate, arithmeticRate, sineRate, cacheRate, parallelGroups } = parameters;
  const { workgroups, flops, matrixFlops, sines, reads, writes, tableReads, exchange, shuffles, barriers } = census;
  // Few workgroups leave cores idle. Device memory is not idle then: its rates are those of copies of the same footprint, and one
  // workgroup has all of its reads under way at once.
  const idle = Math.max(1, parallelGroups / workgroups);
  const products = matrixFlops === 0 ? 0 : matrixFlops / (parameters.matrixRate ?? Number.NaN);
  return {
    memory: (reads + writes) / rateAt(deviceMemory, footprint, "nearest"),
    tables: cacheRate === undefined ? 0 : (idle * tableReads) / cacheRate,
    exchange: idle * [...exchange].reduce((sum, [ways, bytes]) => sum + bytes / rateAt(workgroupMemory, ways, "below"), 0),
    shuffles: shuffles === 0 ? 0 : (idle * shuffles) / (shuffleRate ?? Number.NaN),
    arithmetic:
      idle * (flops / arithmeticRate + products + (sineRate === undefined ? (sines * sineOperations) / arithmeticRate : sines / sineRate)),
    barriers: idle * workgroups * barriers * parameters.barrierSeconds,
    dispatches: parameters.dispatchSeconds,
  };
}

/** The rate at the nearest point by ratio, or at the last point that is not above. */
function rateAt(points: readonly RatePoint[], at: number, which: "nearest" | "below"): number {
  const distance = (point: RatePoint): number => Math.abs(Math.log(point.at / at));
  return points.reduce((best, point) => {
    if (which === "below") return point.at <= at ? point : best;
    return distance(point) < distance(best) ? point : best;
  }).rate;
}

/** A measured case beside its prediction. */
export interface ComparedFft extends MeasuredFft {
  /** The prediction, or why there is none. */
  readonly predicted: FftPrediction | Unpredicted;
  /** Predicted over measured time. Absent if there is no prediction. */
  readonly ratio?: number;
}

/** How predictions compare with measurements. */
export interface ModelComparison {
  /** The rows, in the order of the measurements. */
  readonly rows: readonly ComparedFft[];
  /** Median of predicted over measured time. Below 1, the model is too optimistic. NaN if nothing was predicted. */
  readonly medianRatio: number;
  /** By which factor predictions are wrong, in either direction: the median, and the worst. At least 1. NaN if nothing was predicted. */
  readonly medianFactor: number;
  /** The largest factor by which a prediction is wrong. */
  readonly worstFactor: number;
}

/** Compares predictions with measured times. Throws as `predictFft` does, and `input` for times that are not positive. */
export function compareWithModel(parameters: ModelParameters, measured: readonly MeasuredFft[]): ModelComparison {
  checkParameters(parameters);
  checkList(measured, "measured");
  const rows = measured.map((row): ComparedFft => {
    checkObject(row, "measured", "input");
    if (!(row.seconds > 0 && row.seconds < Number.POSITIVE_INFINITY)) throw inputError("seconds", "a positive number", row.seconds);
    const predicted = predictChecked(parameters, row);
    return { ...row, predicted, ...("seconds" in predicted && { ratio: predicted.seconds / row.seconds }) };
  });
  const ratios = rows.flatMap(({ ratio }) => ratio ?? []);
  const factors = ratios.map((ratio) => Math.max(ratio, 1 / ratio));
  return {
    rows,
    medianRatio: median(ratios),
    medianFactor: median(factors),
    worstFactor: factors.length > 0 ? Math.max(...factors) : Number.NaN,
  };
}
