/**
 * Runs the published transforms on devices: batches of N = 4096 (Fig. 1, Table VI), sizes (Tables V, VII) and short lines, by the device's own
 * choice and by every variant that it was opened with, each beside a copy of the same bytes. It takes open devices and returns a report; it uses
 * no files and no terminal.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { checkObject, type FieldsOf } from "@dechirp/core/internal";
import { variants as laboratory } from "@dechirp/fft-gpu/lab";
import { deviceReport } from "@dechirp/processor";
import { checkChoices, checkExperiment, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import type { FftPeer } from "./fftw.ts";
import { bytesOf, jobsOf, paperSizes } from "./jobs.ts";
import { measureJob } from "./measure.ts";
import { measureModel, predictRows } from "./model.ts";
import { published } from "./published.ts";
import {
  type CopyRate,
  everyKernel,
  type FftDeviceResults,
  type FftPaperReport,
  type FftRow,
  type FftSection,
  type GroupLimits,
  sections,
} from "./report.ts";

/** Options of `fftPaperExperiment`. */
export interface FftPaperOptions {
  /** Approximate seconds of a row. Default: 0.5. */
  readonly seconds?: number;
  /** Measures few and small batches. Default: false. */
  readonly quick?: boolean;
  /** The sizes of Tables V and VII, powers of two from 16 to 65536. Default: 256 to 16384, or 256 and 4096 if `quick` is set. */
  readonly sizes?: readonly number[];
  /** Names of the variants to measure, of those of `@dechirp/fft-gpu/lab`. Default: all. */
  readonly variants?: readonly string[];
  /** The parts to run. Default: all. */
  readonly only?: readonly FftSection[];
  /** Another library, measured beside the processor. */
  readonly peer?: FftPeer;
  /** What does not take part, and why, by name. Default: nothing. */
  readonly absent?: Readonly<Record<string, string>>;
  /** Versions for the report, by name. Default: none. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Whether to run the microbenchmarks on GPUs, for Table II and the predicted times. Default: true. */
  readonly model?: boolean;
}

const fieldsOfOptions: FieldsOf<FftPaperOptions> = {
  seconds: "number",
  quick: "boolean",
  sizes: "object",
  only: "object",
  variants: "object",
  peer: "object",
  absent: "object",
  versions: "object",
  model: "boolean",
};

const quickSizes = [256, 4096];

/** Whether n is a power of two that Tables V and VII can have. */
const isSize = (n: unknown): boolean => typeof n === "number" && Number.isInteger(Math.log2(n)) && n >= 16 && n <= 65_536;

/**
 * Runs the experiment on the devices and returns its report. Open GPUs with the laboratory's kernels: `gpu({ variants })`. Throws `input`
 * that names the field, `aborted`, and device errors that make further measurements impossible.
 */
export async function fftPaperExperiment(
  devices: readonly OpenDevice[],
  options: FftPaperOptions = {},
  given: ExperimentHooks = {},
): Promise<FftPaperReport> {
  const hooks = checkExperiment(devices, options, fieldsOfOptions, given);
  const { quick = false, seconds = 0.5, only = sections, sizes = quick ? quickSizes : paperSizes, absent = {}, versions = {} } = options;
  if (!(seconds > 0 && seconds <= 3600)) throw inputError("seconds", "a positive number of at most 3600", seconds);
  checkChoices(sizes, "sizes", "powers of two from 16 to 65536", isSize);
  checkChoices(only, "only", `names of ${sections.join(", ")}`, (name) => sections.some((section) => section === name));
  const names = Object.keys(laboratory);
  const { variants = names, peer } = options;
  checkChoices(variants, "variants", `names of ${names.join(", ")}`, (name) => names.includes(name as string));
  for (const [field, texts] of Object.entries({ absent, versions }))
    for (const [name, text] of checkObject(texts, field, "input"))
      if (typeof text !== "string") throw inputError(`${field}.${name}`, "a text", text);
  if (peer && !(typeof peer.name === "string" && typeof peer.description === "string" && typeof peer.time === "function"))
    throw inputError("peer", "a library that startFftw() returned", peer);
  const results: FftDeviceResults[] = [];
  for (const [d, one] of devices.entries()) {
    const onProgress = (what: string, share: number): void => hooks.onProgress?.(`${one.device.id}: ${what}`, (d + share) / devices.length);
    const own = { ...hooks, onProgress };
    results.push(await measureDevice(one, { ...options, quick, seconds, only, sizes, variants }, own));
  }
  hooks.onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "fft-paper",
    date: new Date().toISOString(),
    quick,
    versions,
    devices: results,
    absent,
    published,
  };
}

type Settled = FftPaperOptions & Required<Pick<FftPaperOptions, "quick" | "seconds" | "only" | "sizes" | "variants">>;

async function measureDevice(one: OpenDevice, options: Settled, hooks: ExperimentHooks): Promise<FftDeviceResults> {
  const { device, why } = one;
  const { quick, seconds, only, sizes, peer, model = true } = options;
  const { signal } = hooks;
  const modelled = model && device.id === "gpu";
  const software = device.info.software ?? false;
  const jobs = jobsOf({ sizes, quick, slow: software || device.id === "cpu", only });
  const all = jobs.length + (modelled ? modelJobs : 0);
  const rows: FftRow[] = [];
  const copies = new Map<number, CopyRate>();
  let groups: GroupLimits | undefined;
  /** Seconds of the whole job before, for each number of transforms and size. */
  let before: { readonly section: FftSection; readonly bytes: number; readonly seconds: number } | undefined;
  for (const [j, job] of jobs.entries()) {
    throwIfAborted(signal, "the experiment");
    hooks.onProgress?.(`${job.batch} × ${job.n}`, j / all);
    const slowest = before?.section === job.section ? before.seconds * (bytesOf(job) / before.bytes) : 0;
    if (slowest > Math.max(patience * seconds, leastPatience)) {
      const text = `one run of the slowest kernel would take about ${slowest.toPrecision(2)} s, which is too much for ${seconds} s per row`;
      rows.push({ ...job, name: everyKernel, kind: "own", why: text });
      continue;
    }
    const found = await measureJob(device, job, {
      seconds,
      variants: Object.fromEntries(Object.entries(laboratory).filter(([name]) => options.variants.includes(name))),
      ...(device.id === "cpu" && peer && { peer }),
      ...(signal && { signal }),
    });
    rows.push(...found.rows);
    if (found.copy) copies.set(found.copy.bytes, found.copy);
    groups ??= found.groups;
    const times = found.rows.map(({ measured }) => (measured?.milliseconds ?? 0) / 1e3);
    before = { section: job.section, bytes: bytesOf(job), seconds: Math.max(...times) };
  }
  const onProgress = (what: string, share: number): void =>
    hooks.onProgress?.(`microbenchmarks: ${what}`, (jobs.length + share * modelJobs) / all);
  const found = modelled ? await measureModel(one, quick, { onProgress, ...(signal && { signal }) }) : undefined;
  return {
    device: { ...deviceReport(device, why), software, units: device.units },
    ...(groups && { groups }),
    copies: [...copies.values()].sort((a, b) => a.bytes - b.bytes),
    rows,
    ...(found && { memory: found.memory, predictions: predictRows(found.parameters, rows) }),
  };
}

/** The microbenchmarks take about as long as so many jobs. */
const modelJobs = 4;

/** A job is left out if one run of its slowest kernel would take this many times the seconds of a row, and this many seconds. */
const patience = 2;
const leastPatience = 0.5;
