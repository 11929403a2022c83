/**
 * Numbers printed by Ali, Goh, Bakita, Chakraborty and Anderson, "Concurrent FFT execution on GPUs in real time", as data: Table I,
 * Example 1 and figures from the text of sections III and IV. The authors measured them with cuFFT. The WCETs behind Table I are drawn in
 * Fig. 4 and printed only for Example 1, so the other cells of the table cannot be recomputed.
 */
import type { TaskSet, WcetTable } from "./model.ts";

/** ρ of all published results (section III-E). */
export const publishedRho = 1.1;

/** One GPU of Table I. */
export interface PublishedGpu {
  /** Name of the GPU. */
  readonly gpu: string;
  /** "SM partitions" (section IV-A): the number of units that can be granted. */
  readonly units: number;
  /** S by log₂ of the input size, for 2^10 to 2^24 samples (Table I). Every S is 1…max S. */
  readonly sizes: Readonly<Record<number, readonly number[]>>;
}

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);
/** From max S for 2^10, 2^11, … samples. */
const byLog2 = (most: readonly number[]): PublishedGpu["sizes"] => Object.fromEntries(most.map((k, i) => [10 + i, upTo(k)]));

/** Table I, for ρ = 1.1. */
export const publishedGpus: readonly PublishedGpu[] = [
  { gpu: "NVIDIA GTX 1070", units: 15, sizes: byLog2([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 4]) },
  { gpu: "NVIDIA RTX 2080 Ti", units: 34, sizes: byLog2([1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 5, 6, 7, 8]) },
  { gpu: "NVIDIA RTX 3060 Ti", units: 19, sizes: byLog2([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4]) },
];

/**
 * L[1], L[4] and L[5] of a cuFFT transform of 2^24 samples on the RTX 3060 Ti, in microseconds (Example 1). 4·2501 = 10004 ≤ 1.1·9101 =
 * 10011.1 < 10160 = 5·2032, so 4 is permitted and 5 is not. L[2] and L[3] are not printed, so Eq. 4 gives {1, 4} for this table, a part of
 * the published {1, 2, 3, 4}. Errata of the paper: the example twice writes A_{i,5}·ρ for A_{i,1}·ρ, and the caption of Fig. 5 leaves 4
 * out of S_i, which contradicts Example 1 and Table I.
 */
export const exampleWcet: WcetTable = { 1: 9101, 4: 2501, 5: 2032 };

/**
 * `tasks` transforms of Example 1 on the 19 units of the RTX 3060 Ti. Its S is {1, 4}. The lemmas give the same for {1, 2, 3, 4} if L[2]
 * and L[3] are at most L[1], and A[2] and A[3] at most A[4]. Eq. 4 would allow these areas to be 7.1 µs above A[4], which adds 0.4 µs of
 * waiting for each other task.
 */
export const exampleSet = (tasks: number): TaskSet => ({
  units: 19,
  rho: publishedRho,
  tasks: [{ id: "fft-2^24", wcet: exampleWcet, count: tasks }],
});

/** Speed-up of 10 units of the RTX 3060 Ti over one at 2^24 samples (section III-C, Observation III-1). */
export const publishedSpeedupOfTen = 6.15;

/**
 * Largest observed responses of 2 concurrent transforms of 2^22 samples on the RTX 3060 Ti, in microseconds (Observation IV-1). The lock
 * is slower here by a factor of 2.1 because it leaves 13 of 19 units idle. It equals best effort from about 6 tasks on (Fig. 6), and its
 * throughput is higher from 5 tasks on (Fig. 7, Observation IV-3).
 */
export const publishedResponses = {
  gpu: "NVIDIA RTX 3060 Ti",
  log2Samples: 22,
  tasks: 2,
  bestEffortMicroseconds: 305,
  smlpMicroseconds: 647,
  parityTasks: 6,
  throughputTasks: 5,
} as const;
