/**
 * Runs the published experiment on devices: Table I's sizes stage by stage in four ways, the blocking factor, what sharing of products
 * saves, times by channels, steering vectors and ranges, the PERFECT suite's sizes. Takes open devices and gives a report; no
 * files, no terminal. A slow device measures fewer data sets, and the report says how many.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { deviceReport } from "@dechirp/processor";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import { jobsOf, quickSizes } from "./jobs.ts";
import { measureJob } from "./measure.ts";
import { published } from "./published.ts";
import { type EfaDeviceResults, type EfaReport, type EfaRow, type Section, sections } from "./report.ts";

/** How much of the published experiment is run. */
export interface EfaPaperOptions {
  /** Data sets of the published sizes; 32, the published number, where left out (4 where quick), and at most. */
  readonly dataSets?: number;
  /** What a row may take, about; 2 where left out. */
  readonly seconds?: number;
  /** Smaller sizes and few points of every sweep: nothing to compare with what was published. */
  readonly quick?: boolean;
  /** Which parts; all where left out. */
  readonly only?: readonly Section[];
  /** The device's power limit in watts, for data sets a second and watt. */
  readonly watts?: number;
}

const fieldsOfOptions: FieldsOf<EfaPaperOptions> = {
  dataSets: "number",
  seconds: "number",
  quick: "boolean",
  only: "object",
  watts: "number",
};

const quickDataSets = 4;

/** Throws `input` naming the field, `aborted` where the signal fires, what a device throws that no other measurement would survive. */
export async function efaExperiment(
  devices: readonly OpenDevice[],
  options: EfaPaperOptions = {},
  given: ExperimentHooks = {},
): Promise<EfaReport> {
  const hooks = checkExperiment(devices, options, fieldsOfOptions, given);
  const { quick = false, seconds = 2, watts, only = sections } = options;
  checkList(only, "only");
  const { dataSets = quick ? quickDataSets : published.dataSets } = options;
  if (!(Number.isInteger(dataSets) && dataSets >= 1 && dataSets <= published.dataSets))
    throw inputError("dataSets", `an integer from 1 to ${published.dataSets}`, dataSets);
  if (!(seconds > 0 && seconds <= 3600)) throw inputError("seconds", "a positive number of at most 3600", seconds);
  if (watts !== undefined && !(watts > 0 && watts <= 1e6)) throw inputError("watts", "a positive number of at most a million", watts);
  if (only.length === 0 || !only.every((section) => sections.includes(section)))
    throw inputError("only", `some of ${sections.join(", ")}`, only);
  const sizes = quick ? quickSizes : published.sizes;
  const results: EfaDeviceResults[] = [];
  for (const [d, { device, why }] of devices.entries()) {
    const jobs = jobsOf({ sizes, dataSets, quick, gpu: device.id !== "cpu", only });
    const rows: EfaRow[] = [];
    for (const [j, job] of jobs.entries()) {
      throwIfAborted(hooks.signal, "the experiment");
      hooks.onProgress?.(`${device.id}: ${job.section}`, (d + j / jobs.length) / devices.length);
      rows.push(...(await measureJob(device, job, { seconds, ...(hooks.signal && { signal: hooks.signal }) })));
    }
    results.push({ device: { ...deviceReport(device, why), units: device.units }, rows });
  }
  hooks.onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "efa-paper",
    date: new Date().toISOString(),
    sizes,
    dataSets,
    ...(watts !== undefined && { watts }),
    devices: results,
    published,
  };
}
