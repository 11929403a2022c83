/**
 * Runs the published experiment on devices: WCETs by units, S by Eq. 4, responses and throughput by number of tasks under the lock and by
 * best effort, and a sweep of ρ. It takes open devices and returns a report; it uses no files and no terminal. Every output is compared
 * with float64.
 */
import { availableParallelism } from "node:os";
import { type Device, inputError, open, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { cpu } from "@dechirp/fft-cpu";
import { gantt } from "@dechirp/pictures";
import { deviceReport } from "@dechirp/processor";
import { bestEffort, defaultRho, type Measurement } from "@dechirp/realtime";
import {
  createTransforms,
  inputsOfKind,
  measureAndVerify,
  observedTimes,
  smallerBound,
  type TaskTimes,
  type Transforms,
  type TransformTask,
  type Way,
  type WayName,
  waysOf,
} from "@dechirp/realtime/transforms";
import { checkExperiment, checkList, type ExperimentHooks, experimentFormat, type OpenDevice } from "../experiment.ts";
import type { RealtimeDeviceResults, RealtimeReport, Responses, RhoRow, SizeResults, TaskCountRow } from "./report.ts";

/** Options of `realtimeExperiment`. */
export interface RealtimePaperOptions {
  /** log₂ of the number of real samples of a job. Default: 10 … 22. */
  readonly exponents?: readonly number[];
  /**
   * The numbers of tasks 𝒩: a number for 1 … that number, or a list. Default: 1 … 2ℋ but at most 21, or 1 … 21 if the device has a single
   * unit.
   */
  readonly tasks?: number | readonly number[];
  /** The ways to share a device. Default: all that the device has. */
  readonly ways?: readonly WayName[];
  /** Number of consecutive jobs of every task. Default: 100. */
  readonly jobs?: number;
  /** Number of jobs that are timed for every L[k]. Default: 1000. */
  readonly runs?: number;
  /** ρ. Default: 1.1. */
  readonly rho?: number;
  /**
   * Other values of ρ for the largest size of a pool. Default: 1, 1.25, 1.5, 2, 3, 4 and 1000. Values that permit the same sizes as
   * another are skipped.
   */
  readonly rhos?: readonly number[];
  /**
   * Uses small sizes and few tasks and jobs, which takes seconds on any device. The results can not be compared with the paper. Default:
   * false.
   */
  readonly quick?: boolean;
}

const fieldsOfOptions: FieldsOf<RealtimePaperOptions> = {
  exponents: "object",
  tasks: true,
  ways: "object",
  jobs: "number",
  runs: "number",
  rho: "number",
  rhos: "object",
  quick: "boolean",
};

const wayNames: readonly WayName[] = ["cpu-pool", "gpu-chunks", "gpu-slots"];
const published = { from: 10, to: 22, tasks: 21, jobs: 100, runs: 1000 } as const;
const quickly = { from: 10, to: 14, tasks: 4, jobs: 10, runs: 20 } as const;
const upTo = (most: number): readonly number[] => Array.from({ length: Math.max(0, Math.min(most, 1000)) }, (_, i) => i + 1);
const margin = 1.2;
const sweptRhos = [1, 1.25, 1.5, 2, 3, 4, 1000] as const;
/** Number of jobs in the picture of a schedule. */
const drawnJobs = 120;

/** Runs the experiment on the devices and returns its report. Throws `input` that names the field, `aborted`, and the device's errors. */
export async function realtimeExperiment(
  devices: readonly OpenDevice[],
  options: RealtimePaperOptions = {},
  given: ExperimentHooks = {},
): Promise<RealtimeReport> {
  const hooks = checkExperiment(devices, options, fieldsOfOptions, given);
  const settings = settle(options);
  // Computes the expected outputs in float64, on this thread.
  using reference = await open(cpu({ workers: 1, kernels: "js" }));
  const transforms = createTransforms(reference);
  const results: RealtimeDeviceResults[] = [];
  for (const [d, { device, why }] of devices.entries()) {
    const found: SizeResults[] = [];
    const pictures: Record<string, string> = {};
    let clock = { name: "", resolution: Number.NaN };
    const ways = waysOf(device, { cores: availableParallelism() }).filter(({ name }) => settings.ways?.includes(name) ?? true);
    const works = ways.flatMap((way) =>
      settings.exponents.filter((e) => way.line === undefined || 2 ** e >= 2 * way.line).map((exponent) => ({ way, exponent })),
    );
    for (const [w, { way, exponent }] of works.entries()) {
      const onProgress = (what: string, share: number): void =>
        hooks.onProgress?.(`${device.id}: ${way.name}, 2^${exponent} samples, ${what}`, (d + (w + share) / works.length) / devices.length);
      const swept = way.name === "cpu-pool" && exponent === Math.max(...settings.exponents) ? settings.rhos : [];
      const one = await measureSize(device, way, 2 ** exponent, { ...settings, rhos: swept }, transforms, { ...hooks, onProgress });
      found.push(one.results);
      clock = one.known.clock;
      if (one.picture !== undefined) pictures[`schedule-${way.name}-2-${exponent}.svg`] = one.picture;
    }
    const report = { ...deviceReport(device, why), units: device.units, cores: availableParallelism() };
    results.push({ device: report, clock, results: found, pictures });
  }
  hooks.onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "realtime-paper",
    date: new Date().toISOString(),
    rho: settings.rho,
    margin,
    jobs: settings.jobs,
    devices: results,
  };
}

interface Settings {
  readonly exponents: readonly number[];
  /** If undefined, they depend on the number of units. */
  readonly counts: readonly number[] | undefined;
  readonly ways: readonly WayName[] | undefined;
  readonly jobs: number;
  readonly runs: number;
  readonly rho: number;
  readonly rhos: readonly number[];
}

function settle({ quick = false, ...options }: RealtimePaperOptions): Settings {
  const usual = quick ? quickly : published;
  const { exponents = Array.from({ length: usual.to - usual.from + 1 }, (_, i) => usual.from + i), tasks } = options;
  const { jobs = usual.jobs, runs = usual.runs, rho = defaultRho, rhos = quick ? [1000] : sweptRhos } = options;
  const { ways } = options;
  for (const [field, list] of Object.entries({ exponents, rhos, ...(ways && { ways }) })) checkList(list, field);
  if (ways?.every((way) => wayNames.includes(way)) === false) throw inputError("ways", `a list of some of ${wayNames.join(", ")}`, ways);
  if (exponents.length === 0 || !exponents.every((e) => Number.isInteger(e) && e >= 4 && e <= 24))
    throw inputError("exponents", "integers from 4 to 24", exponents);
  const whole = (field: string, value: number, most: number): void => {
    if (!(Number.isInteger(value) && value >= 1 && value <= most)) throw inputError(field, `an integer from 1 to ${most}`, value);
  };
  const counts = typeof tasks === "number" ? upTo(tasks) : tasks === undefined && quick ? upTo(quickly.tasks) : tasks;
  if (counts !== undefined) checkList(counts, "tasks");
  if (counts?.length === 0) throw inputError("tasks", "a number of tasks, or a list of at least one", tasks);
  for (const count of counts ?? []) whole("tasks", count, 64);
  whole("jobs", jobs, 10_000);
  whole("runs", runs, 100_000);
  for (const [field, value] of [["rho", rho] as const, ...rhos.map((one) => ["rhos", one] as const)])
    if (!(value >= 1 && value <= 1e6)) throw inputError(field, "a number from 1 to a million", value);
  return { exponents, counts: counts && [...new Set(counts)].sort((a, b) => a - b), ways, jobs, runs, rho, rhos };
}

interface Measured {
  readonly results: SizeResults;
  readonly known: TaskTimes;
  readonly picture?: string;
}

async function measureSize(
  device: Device,
  way: Way,
  samples: number,
  { counts: asked, jobs, runs, rho, rhos }: Settings,
  transforms: Transforms,
  hooks: ExperimentHooks,
): Promise<Measured> {
  const { signal, onProgress } = hooks;
  const units = way.units(device);
  const counts = asked ?? upTo(units === 1 ? published.tasks : Math.min(2 * units, published.tasks));
  const most = Math.max(...counts);
  const made: TransformTask[] = [];
  const repeat = { runs, margin, warmUp: 3, ...(signal && { signal }) };
  try {
    for (let i = 0; i < most; i++) {
      throwIfAborted(signal, "the experiment");
      const options = {
        samples,
        seed: 1 + (i % inputsOfKind),
        ...(way.line !== undefined && { line: way.line }),
        ...(signal && { signal }),
      };
      made.push(await transforms.create(device, `fft-${i + 1}`, options));
      made[i].fill();
    }
    const all = made.map(({ task }) => task);
    const parts = runs * (way.name === "cpu-pool" ? units : 1);
    let timed = 0;
    const known = await way.profile(device, all, { ...repeat, onProgress: () => onProgress?.("profiling", (0.5 * ++timed) / parts) });
    const measureAll = async (ratio: number, among: readonly number[], from: number, to: number) => {
      const sizes = way.sizes(known, ratio, units);
      const rows: TaskCountRow[] = [];
      let last: Measurement | undefined;
      for (const [i, count] of among.entries()) {
        onProgress?.(`${count} tasks`, from + ((to - from) * i) / among.length);
        const subset = made.slice(0, count).map((one) => ({ ...one, task: { ...one.task, sizes } }));
        const { row, smlp } = await measureCount(device, way, subset, known, {
          jobs,
          signal,
          repeat: { ...repeat, runs: Math.min(runs, 200) },
        });
        rows.push(row);
        last = smlp;
      }
      return { sizes, rows, last };
    };
    const { sizes, rows, last } = await measureAll(rho, counts, 0.5, rhos.length > 0 ? 0.75 : 1);
    const few = [...new Set([1, 2, Math.ceil(units / 2), units, most])].filter((count) => count <= most).sort((a, b) => a - b);
    const swept: RhoRow[] = [];
    const told = new Set([String(sizes)]);
    for (const [i, other] of rhos.entries()) {
      // Another ρ with the same S gives the same schedule.
      const own = String(way.sizes(known, other, units));
      if (told.has(own)) continue;
      told.add(own);
      const share = (j: number): number => 0.75 + (0.25 * j) / rhos.length;
      const found = await measureAll(other, few, share(i), share(i + 1));
      swept.push({ rho: other, sizes: found.sizes, rows: found.rows });
    }
    const times = known.profile.map(observedTimes);
    const results: SizeResults = {
      way: way.name,
      samples,
      ...(way.line !== undefined && { line: way.line }),
      units,
      text: made[0].text,
      profile: times.map(({ slowdown: _, ...of }) => of),
      slowdown: Math.max(...times.map(({ slowdown }) => slowdown)),
      sizes,
      rows,
      ...(swept.length > 0 && { rhos: swept }),
    };
    const title = `2^${Math.log2(samples)} samples, ${most} tasks: grants by unit`;
    const picture =
      last && units > 1 && way.name === "cpu-pool"
        ? await gantt({ jobs: last.records }, { title, units, jobs: drawnJobs, ...(signal && { signal }) })
        : undefined;
    return { results, known, ...(picture !== undefined && { picture }) };
  } finally {
    for (const one of made) one[Symbol.dispose]();
  }
}

interface CountOptions {
  readonly jobs: number;
  readonly signal: AbortSignal | undefined;
  readonly repeat: Parameters<Way["open"]>[3];
}

/** Measures under the lock and then by best effort, and checks all outputs of both. */
async function measureCount(
  device: Device,
  way: Way,
  subset: readonly TransformTask[],
  known: TaskTimes,
  { jobs, signal, repeat }: CountOptions,
): Promise<{ readonly row: TaskCountRow; readonly smlp: Measurement }> {
  const tasks = subset.map(({ task }) => task);
  const each = tasks.map(() => known);
  using set = await way.open(device, tasks, each, repeat);
  // All tasks are equal, so they have the same bound.
  const [{ response, partition }] = set.bounds;
  const { bound } = smallerBound({ response, partition });
  const samples = Object.fromEntries(subset.map(({ task, samples: of }) => [task.id, of]));
  const options = { jobs, samples, ...(signal && { signal }) };
  const bounds = Object.fromEntries(tasks.map(({ id }) => [id, bound]));
  const locked = await measureAndVerify(set.executor, subset, { ...options, bounds });
  using free = bestEffort(device, tasks);
  const best = await measureAndVerify(free, subset, options);
  const { ownershipChecks, ownershipViolations } = set.executor.counts;
  return {
    smlp: locked.measured,
    row: {
      tasks: subset.length,
      response,
      partition,
      smlp: responsesOf(locked.measured),
      exceedances: locked.measured.overall.exceedances,
      bestEffort: responsesOf(best.measured),
      ownershipChecks,
      ownershipViolations,
      wrong: locked.wrong.length + best.wrong.length,
    },
  };
}

const responsesOf = ({ overall: { finished, response }, throughput }: Measurement): Responses => ({
  jobs: finished,
  mean: response.mean,
  p99: response.p99,
  max: response.max,
  publishedThroughput: (throughput?.byResponse ?? 0) / 1e6,
  throughput: (throughput?.byWall ?? 0) / 1e6,
});
