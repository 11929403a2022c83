/** The list of the experiment's measurements as data: batches at N = 4096, then sizes, then short lines. */
import { byteLength, type Device, layout } from "@dechirp/core";
import { type FftSection, sections } from "./report.ts";

/** Transforms of one size and batch. */
export interface Job {
  readonly section: FftSection;
  readonly n: number;
  readonly batch: number;
}

/** What the list depends on. */
export interface Plan {
  /** The sizes of Tables V and VII. */
  readonly sizes: readonly number[];
  /** Whether only few and small batches are measured. */
  readonly quick: boolean;
  /** Whether the device computes on the processor, with less memory bandwidth than a GPU. */
  readonly slow: boolean;
  /** The parts to measure. Default: all. */
  readonly only?: readonly FftSection[];
}

/** The sizes of Table VII. */
export const paperSizes = [256, 512, 1024, 2048, 4096, 8192, 16384] as const;

/** The size of Fig. 1 and Table VI, and its largest batch. */
export const mainSize = 4096;
const mostBatch = 16384;
const quickBatches = [1, 16];

/** Lines that one product of matrices transforms. The other variants have none so short, so the planner's choice is all they are compared with. */
const shortSizes = [8, 16, 32, 64];
const quickShortSizes = [64];

/**
 * Complex numbers of a batch of the sweeps of sizes: 128 MiB on a GPU, which is more than its caches hold, and 8 MiB elsewhere. The paper takes
 * the best batch of each size.
 */
const elements = { fast: 2 ** 24, slow: 2 ** 20, quick: 2 ** 15 };

/** The measurements of a device, in order. */
export function jobsOf({ sizes, quick, slow, only = sections }: Plan): readonly Job[] {
  const batches = quick ? quickBatches : Array.from({ length: Math.log2(mostBatch) + 1 }, (_, i) => 2 ** i);
  const count = quick ? elements.quick : slow ? elements.slow : elements.fast;
  const swept = (section: FftSection, lengths: readonly number[]): readonly Job[] =>
    lengths.map((n) => ({ section, n, batch: Math.max(1, Math.floor(count / n)) }));
  const jobs: readonly Job[] = [
    ...batches.map((batch): Job => ({ section: "batches", n: mainSize, batch })),
    ...swept("sizes", sizes),
    ...swept("short", quick ? quickShortSizes : shortSizes),
  ];
  return jobs.filter(({ section }) => only.includes(section));
}

/** Bytes of the input of a job, which are also those of its output. */
export const bytesOf = ({ n, batch }: Pick<Job, "n" | "batch">): number => byteLength(layout("c64", [batch, n]));

/** The reason why a device can't hold a job's arrays. Undefined if it can. */
export function tooLarge(device: Device, job: Job): string | undefined {
  const most = device.limits.maxBufferBytes;
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  return bytesOf(job) <= most ? undefined : `an array of ${mebibytes(bytesOf(job))} exceeds this device's limit of ${mebibytes(most)}`;
}
