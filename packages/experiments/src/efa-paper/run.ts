/**
 * Runs the published experiment on devices: the sizes of Table I stage by stage in four variants, the blocking factor, the gain from
 * shared products, times by channels, steering vectors and ranges, and the sizes of the PERFECT suite. It takes open devices and returns a
 * report; it uses no files and no terminal. On a slow device fewer data sets are measured, and the report says how many.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { deviceReport } from "@dechirp/processor";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import { jobsOf, quickSizes } from "./jobs.ts";
import { measureJob } from "./measure.ts";
import { published } from "./published.ts";
import { type EfaDeviceResults, type EfaReport, type EfaRow, type Section, sections } from "./report.ts";

/** Options of `efaExperiment`. */
export interface EfaPaperOptions {
  /** Number of data sets at the published sizes. Default and maximum: 32, the published number; the default is 4 if `quick` is set. */
  readonly dataSets?: number;
  /** Approximate seconds of a row. Default: 2. */
  readonly seconds?: number;
  /** Uses smaller sizes and few points of every sweep. The results can not be compared with the paper. Default: false. */
  readonly quick?: boolean;
  /** The parts to run. Default: all. */
  readonly only?: readonly Section[];
  /** The device's power limit in watts, for data sets per second and watt. */
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

/**
 * Runs the experiment on the devices and returns its report. Throws `input` that names the field, `aborted`, and device errors that make
 * further measurements impossible.
 */
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
    throw inputError("only", `a list of one or more of ${sections.join(", ")}`, only);
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
