/**
 * What the model of transforms knows about a device: the rates that `dechirp bench memory` measures (`modelParameters` makes these of its
 * report), or published ones. Everything that is computed from published or scaled parameters is a prediction about a device that was not
 * measured here.
 */
import type { SubgroupMatrix } from "@dechirp/fft-gpu/lab";

/** A rate that depends on something: on the footprint in bytes, or on how many lanes of a subgroup share a bank. */
export interface RatePoint {
  /** What the rate depends on: bytes, or lanes of a bank. */
  readonly at: number;
  /** Bytes per second. */
  readonly rate: number;
}

/** The parameters of a device. Rates are those of the whole device with all of its cores busy. */
export interface ModelParameters {
  /** Name of the device. */
  readonly name: string;
  /** `measured`: by the microbenchmarks; `published`: from a publication; `scaled`: from another device's, as `notes` say. */
  readonly source: "measured" | "published" | "scaled";
  /** Where the numbers come from, and what was assumed. */
  readonly notes: readonly string[];
  /** The limits of a workgroup, by which kernels are planned. */
  readonly workgroupBytes: number;
  /** Invocations of a workgroup, at most. */
  readonly invocations: number;
  /** The smallest and largest size of subgroups. Absent if the device has none. */
  readonly subgroups?: readonly [smallest: number, largest: number];
  /** Features of WebGPU that variants may need, and the products of matrices that subgroups compute. */
  readonly features: readonly string[];
  /** The products of matrices that subgroups compute. Default: none. */
  readonly matrices?: readonly SubgroupMatrix[];
  /** Device memory, bytes read and written per second, by footprint in bytes. Smallest footprint first. */
  readonly deviceMemory: readonly RatePoint[];
  /** Workgroup memory, bytes read or written per second, by the number of lanes that share a bank. Fewest first. */
  readonly workgroupMemory: readonly RatePoint[];
  /** Bytes per second that subgroup shuffles move. Absent if unknown. */
  readonly shuffleRate?: number;
  /** Floating-point operations per second; a multiplication, an addition and a fused pair of them count one each. */
  readonly arithmeticRate: number;
  /** Sines and cosines per second. Absent if unknown; they then count as `sineOperations` operations. */
  readonly sineRate?: number;
  /** Operations of matrix products of subgroups per second. Absent if unknown; kernels with such products are then not predicted. */
  readonly matrixRate?: number;
  /** Bytes per second that caches deliver, for tables of twiddle factors. Absent if unknown; tables then cost nothing. */
  readonly cacheRate?: number;
  /** Seconds of the device's time for one barrier of one workgroup, among many workgroups. */
  readonly barrierSeconds: number;
  /** Seconds of a dispatch among others in one submission, in addition to its work. */
  readonly dispatchSeconds: number;
  /** The number of workgroups that the device works on at the same time. Fewer workgroups reach only their share of the rates. */
  readonly parallelGroups: number;
}

/** How many operations a sine or cosine counts if its rate is unknown. An assumption: GPUs compute one for every four lanes. */
export const sineOperations = 4;

/** Which transform: `batch` rows of `n` complex float32 numbers, by a kernel of `@dechirp/fft-gpu/lab` or the planner's choice. */
export interface FftCase {
  /** Points of a transform. */
  readonly n: number;
  /** Number of transforms. */
  readonly batch: number;
  /** Name of a variant. Default: the planner's choice. */
  readonly variant?: string;
}

/** The terms of a prediction, in seconds. */
export interface PredictedTerms {
  /** Reads and writes of device memory, and reads of tables, which caches hold. */
  readonly memory: number;
  /** Seconds of reads of tables. */
  readonly tables: number;
  /** Exchanges through workgroup memory, by access pattern. */
  readonly exchange: number;
  /** Seconds of shuffles between lanes. */
  readonly shuffles: number;
  /** Additions, multiplications, sines and cosines. */
  readonly arithmetic: number;
  /** Seconds of barriers. */
  readonly barriers: number;
  /** Seconds of dispatches, without their work. */
  readonly dispatches: number;
}

/** A predicted time. */
export interface FftPrediction extends FftCase {
  /** The predicted seconds of the whole batch. */
  readonly seconds: number;
  /** 5·n·log₂n·batch operations over the time, as all FFT benchmarks count, in 10⁹ per second. */
  readonly gflops: number;
  /** The time if all terms overlap perfectly, and if none does. `seconds` is between them. */
  readonly low: number;
  /** Seconds if no terms overlap. */
  readonly high: number;
  /** Whether the terms overlap (`max`) or add (`sum`), as `predictFft` says. */
  readonly rule: "max" | "sum";
  /** The terms that the time is made of. */
  readonly terms: PredictedTerms;
  /** The largest term. */
  readonly bound: keyof PredictedTerms;
}

/** Why there is no prediction. */
export interface Unpredicted extends FftCase {
  /** What is missing: "the feature subgroups", "a rate of matrix products". */
  readonly needs: string;
}

/** A measured time of a case. */
export interface MeasuredFft extends FftCase {
  /** The measured seconds of the whole batch. */
  readonly seconds: number;
}
