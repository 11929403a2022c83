/**
 * Numbers that Ali, Goh, Bakita, Chakraborty and Anderson, "Concurrent FFT execution on GPUs in real time", print, as data: Table I,
 * Example 1 and what sections III and IV say in words. Measured by them with cuFFT, never here. The WCETs behind Table I are drawn in
 * Fig. 4 and printed only for Example 1, so the other cells can be kept but not computed again.
 */
import type { TaskSet, WcetTable } from "./model.ts";

/** ρ of all published results (section III-E). */
export const publishedRho = 1.1;

/** A GPU of the paper, with the sizes of Table I. */
export interface PublishedGpu {
  readonly gpu: string;
  /** "SM partitions" (section IV-A): the units that can be granted. */
  readonly units: number;
  /** Table I: S for input sizes of 2^10 to 2^24 samples, by log₂ of the size. Every S is 1…max S. */
  readonly sizes: Readonly<Record<number, readonly number[]>>;
}

const upTo = (most: number): readonly number[] => Array.from({ length: most }, (_, i) => i + 1);
/** max S for 2^10, 2^11, … */
const byLog2 = (most: readonly number[]): PublishedGpu["sizes"] => Object.fromEntries(most.map((k, i) => [10 + i, upTo(k)]));

/** Table I, for ρ = 1.1. */
export const publishedGpus: readonly PublishedGpu[] = [
  { gpu: "NVIDIA GTX 1070", units: 15, sizes: byLog2([1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3, 4, 4, 4]) },
  { gpu: "NVIDIA RTX 2080 Ti", units: 34, sizes: byLog2([1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 5, 6, 7, 8]) },
  { gpu: "NVIDIA RTX 3060 Ti", units: 19, sizes: byLog2([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 3, 4]) },
];

/**
 * L[1], L[4] and L[5] of a cuFFT transform of 2^24 samples on the RTX 3060 Ti, in microseconds (Example 1). 4·2501 = 10004 ≤ 1.1·9101 =
 * 10011.1 < 10160 = 5·2032, so 4 is permitted and 5 is not. Errata: the example writes A_{i,5}·ρ where A_{i,1}·ρ is meant, twice; and the
 * caption of Fig. 5 leaves 4 out of S_i, against Example 1 and Table I. L[2] and L[3] are not printed: Eq. 4 of this table is {1, 4}, a
 * part of the published {1, 2, 3, 4}.
 */
export const exampleWcet: WcetTable = { 1: 9101, 4: 2501, 5: 2032 };

/**
 * `tasks` transforms of Example 1 on the 19 units of the RTX 3060 Ti. The lemmas for S = {1, 2, 3, 4} are those of {1, 4} as long as
 * L[2] and L[3] are not above L[1], and A[2] and A[3] not above A[4]; by Eq. 4 they could be at most 7.1 µs above it, 0.4 µs of waiting
 * for each other task.
 */
export const exampleSet = (tasks: number): TaskSet => ({
  units: 19,
  rho: publishedRho,
  tasks: [{ id: "fft-2^24", wcet: exampleWcet, count: tasks }],
});

/** Section III-C, Observation III-1: how many times as fast 10 units of the RTX 3060 Ti are as one, at 2^24 samples. */
export const publishedSpeedupOfTen = 6.15;

/**
 * Observation IV-1: largest observed responses of 2 concurrent transforms of 2^22 samples on the RTX 3060 Ti, in microseconds. The lock
 * loses here, by a factor of 2.1, as it leaves 13 of 19 units idle; it is level with best effort from about 6 tasks on (Fig. 6) and its
 * throughput is above from 5 on (Fig. 7, Observation IV-3).
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
