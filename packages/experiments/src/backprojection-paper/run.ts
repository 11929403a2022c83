/**
 * Runs the published experiment on devices: the kernel by image size, partitioning, tile, pulse sets, sine and threads, and whole
 * images with transfers, one after the other and overlapped. Takes open devices and gives a report; no files, no terminal. A
 * slow device measures fewer pulses of the same circle, and the report says how many.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { type FieldsOf, runAbortable } from "@dechirp/core/internal";
import { deviceReport } from "@dechirp/processor";
import { describePartition, planBackprojection } from "@dechirp/sar";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import { jobsOf, type KernelJob } from "./jobs.ts";
import { createMeasure } from "./measure.ts";
import { published } from "./published.ts";
import type { BackprojectionReport, DeviceResults, KernelRow, WholeRow } from "./report.ts";
import { circlePulses, createWorkload, publishedInterpolation, ringSteps, squareGrid } from "./workload.ts";

/** How much of the published experiment is run. */
export interface BackprojectionPaperOptions {
  /** Of the full circle; 42,208, the published number, where left out and at most. */
  readonly pulses?: number;
  /** Bins of a profile; 4096 where left out. */
  readonly bins?: number;
  /** Edges of square images, in pixels; 512, 1024 and 2048 where left out. */
  readonly sides?: readonly number[];
  /** What a measurement may take, about; 2 where left out. Times of fewer pulses are scaled up. */
  readonly seconds?: number;
  /** Measures all pulses, however long it takes. */
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

/** Throws `input` naming the field, `aborted` where the signal fires, what a device throws that no other measurement would survive. */
export async function backprojectionExperiment(
  devices: readonly OpenDevice[],
  options: BackprojectionPaperOptions = {},
  given: ExperimentHooks = {},
): Promise<BackprojectionReport> {
  const hooks = checkExperiment(devices, options, fieldsOfOptions, given);
  const { pulses = circlePulses, bins = published.bins, sides = published.sides, seconds = 2, full = false } = options;
  checkOptions(sides, seconds);
  // What the workload does not take is found before any work.
  const ring = await runAbortable(hooks.signal, "the experiment", ringSteps(bins));
  const workload = createWorkload(ring, { pulses });
  const reports: DeviceResults[] = [];
  for (const [d, { device, why }] of devices.entries()) {
    const measure = await createMeasure(device, { ring, pulses, seconds, full, ...(hooks.signal && { signal: hooks.signal }) });
    const host = device.id === "cpu";
    const jobs = jobsOf({ sides, pulses, units: device.units, host });
    // What else a machine does only adds to the times of its processor: kernels have a second round there, and the better counts.
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
      const { partition } = planBackprojection(device, workload.source("profiles"), squareGrid(side), {
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
