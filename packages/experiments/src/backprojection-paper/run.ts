/**
 * Runs the published backprojection experiment on devices: the kernel by image size, partitioning, tile, pulse sets, sine and threads, and
 * whole images with transfers, sequential and overlapped. It takes open devices and returns a report; it uses no files and no terminal. On
 * a slow device fewer pulses of the same circle are measured, and the report says how many.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { type FieldsOf, runAbortable } from "@dechirp/core/internal";
import { deviceReport } from "@dechirp/processor";
import { describePartition, prepareBackprojection } from "@dechirp/sar";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import { jobsOf, type KernelJob } from "./jobs.ts";
import { createMeasure } from "./measure.ts";
import { published } from "./published.ts";
import type { BackprojectionReport, DeviceResults, KernelRow, WholeRow } from "./report.ts";
import { circlePulses, createBackprojectionWorkload, publishedInterpolation, ringSteps, squareGrid } from "./workload.ts";

/** Options of `backprojectionExperiment`. */
export interface BackprojectionPaperOptions {
  /** Number of pulses on the full circle. Default and maximum: 42,208, the published number. */
  readonly pulses?: number;
  /** Number of bins of a profile. Default: 4096. */
  readonly bins?: number;
  /** Edges of square images, in pixels. Default: 512, 1024 and 2048. */
  readonly sides?: readonly number[];
  /** Approximate seconds of a measurement. Default: 2. Times of fewer pulses are scaled up. */
  readonly seconds?: number;
  /** Measures all pulses, however long it takes. Default: false. */
  readonly full?: boolean;
}

const fieldsOfOptions: FieldsOf<BackprojectionPaperOptions> = {
  pulses: "number",
  bins: "number",
  sides: "object",
  seconds: "number",
  full: "boolean",
};

const smallestSide = 16;
const largestSide = 8192;

/**
 * Runs the experiment on the devices and returns its report. Throws `input` that names the field, `aborted`, and device errors that make
 * further measurements impossible.
 */
export async function backprojectionExperiment(
  devices: readonly OpenDevice[],
  options: BackprojectionPaperOptions = {},
  given: ExperimentHooks = {},
): Promise<BackprojectionReport> {
  const hooks = checkExperiment(devices, options, fieldsOfOptions, given);
  const { pulses = circlePulses, bins = published.bins, sides = published.sides, seconds = 2, full = false } = options;
  checkOptions(sides, seconds);
  // Finds invalid options before any measurement.
  const ring = await runAbortable(hooks.signal, "the experiment", ringSteps(bins));
  const workload = createBackprojectionWorkload(ring, { pulses });
  const reports: DeviceResults[] = [];
  for (const [d, { device, why }] of devices.entries()) {
    const measure = await createMeasure(device, { ring, pulses, seconds, full, ...(hooks.signal && { signal: hooks.signal }) });
    const host = device.id === "cpu";
    const jobs = jobsOf({ sides, pulses, units: device.units, host });
    // Other programs only add to the times of a processor. So kernels are measured twice there, and the smaller time counts.
    const rounds = host ? [jobs, jobs.filter(({ kind }) => kind === "kernel")] : [jobs];
    const all = rounds.flat();
    const kernels = new Map<KernelJob, KernelRow>();
    const wholes: WholeRow[] = [];
    for (const [j, job] of all.entries()) {
      throwIfAborted(hooks.signal, "the experiment");
      hooks.onProgress?.(`${device.id}: ${job.name}`, (d + j / all.length) / devices.length);
      if (job.kind === "kernel") kernels.set(job, betterOf(kernels.get(job), await measure.kernel(job)));
      else wholes.push(await measure.whole(job));
    }
    const partitions = sides.map((side) => {
      const { partition } = prepareBackprojection(device, workload.source("profiles"), squareGrid(side), {
        interpolation: publishedInterpolation,
      });
      return { side, text: describePartition(partition) };
    });
    reports.push({ device: { ...deviceReport(device, why), units: device.units }, partitions, kernels: [...kernels.values()], wholes });
  }
  hooks.onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "backprojection-paper",
    date: new Date().toISOString(),
    pulses,
    bins,
    sides,
    devices: reports,
    published,
  };
}

const betterOf = (before: KernelRow | undefined, after: KernelRow): KernelRow =>
  (before?.measured?.seconds ?? Number.POSITIVE_INFINITY) < (after.measured?.seconds ?? Number.POSITIVE_INFINITY) && before
    ? before
    : after;

function checkOptions(sides: readonly number[], seconds: number): void {
  checkList(sides, "sides");
  const good = (side: number): boolean => Number.isInteger(side) && side >= smallestSide && side <= largestSide;
  if (sides.length < 1 || sides.length > 8 || !sides.every(good))
    throw inputError("sides", `one to eight integers from ${smallestSide} to ${largestSide}`, sides);
  if (!(seconds > 0 && seconds <= 3600)) throw inputError("seconds", "a positive number of at most 3600", seconds);
}
