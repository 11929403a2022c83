/** The scaling study as a report: what it assumes, its tables, and what they mean. */
import type { ReportTables } from "@dechirp/experiments";
import type { LinePlot } from "@dechirp/pictures";
import { short } from "../report.ts";
import type { MeasuredRates } from "./rates.ts";
import { imagePlot, type StudyParameters, studyTables, usualParameters } from "./study.ts";

/** A report as data and as tables. */
export interface JobsReport {
  readonly data: object;
  readonly tables: ReportTables;
  /** Plots by their names. */
  readonly plots: Readonly<Record<string, LinePlot>>;
}

/** Makes the study. `onPart` hears of each table before it is made. */
export function studyReport(
  gpu: MeasuredRates,
  onPart?: (title: string) => void,
  parameters: StudyParameters = usualParameters,
  now: Date = new Date(),
): JobsReport {
  const { image, nodeBytesPerSecond, storeBytesPerSecond, brokerPerSecond, warmUpSeconds, slow, dying, leaseSeconds, seeds } = parameters;
  const tables = studyTables(gpu, parameters, onPart);
  const date = now.toISOString();
  const title = `Jobs on many machines, modelled ${date.slice(0, 10)}`;
  const gigabytes = (bytes: number): string => `${short(bytes / 1e9)} GB`;
  const heading = [
    `Rates of a card are measured: the kernel of ${gpu.device.replace("WebGPU: ", "")}, from ${gpu.source}`,
    `Assumed: ${gigabytes(nodeBytesPerSecond)} a second for a node (100 Gb/s), ${gigabytes(storeBytesPerSecond)} a second for all together, one card a node`,
    `The image, unless a table says otherwise: ${image.rows} × ${image.columns} pixels (${gigabytes(8 * image.rows * image.columns)}), ${image.pulses} pulses of ${image.samples} samples (${gigabytes(8 * image.pulses * image.samples)})`,
    `Delays in simulations, assumed: ${warmUpSeconds} s before a card's first task, ${100 * slow.share} % of the nodes ${slow.factor} times as slow, ${100 * dying.share} % die, a broker of ${brokerPerSecond} tasks a second, a lease of ${leaseSeconds} s, second copies of tasks that take twice the median`,
    `Simulations have the seeds 0 to ${seeds - 1}; seconds are those of the median run`,
  ];
  const notes = [
    "GB: what a node moves before the image is written: pulses that it reads, and images of pulse sets that it writes and reads",
    `Images of the stack take ${parameters.stack.seconds} s of a card; where the number of nodes varies, each reads ${gigabytes(0.8 * image.pulses * image.samples)} and writes 1 GB`,
    `A division pays where it saves 5 % of the time of the others; beyond the last column more nodes save less than 5 %. T: seconds of one card, B: bytes a second of the store, P: bytes of the pulses`,
    "Predictions are for machines without delays; they compare divisions",
    "Efficiency: the work at the card's best rate over the time of all cards",
  ];
  return {
    data: { format: "dechirp-bench-jobs", version: 1, date, kind: "model", gpu, parameters, tables },
    tables: { title, heading, tables, notes },
    plots: { "seconds-by-nodes": imagePlot(gpu, parameters) },
  };
}
