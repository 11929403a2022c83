/**
 * Tasks of a job on a device. `runTask` serves every way to run a job: a local runner, a worker of a queue, an element of an array job. It
 * refuses what would not give the bits of the job: another version of dechirp, another class of devices, another recording.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { type Device, inputError, messageOf, RadarError, throwIfAborted } from "@dechirp/core";
import { checkDevice } from "@dechirp/core/internal";
import { encodeJob, type Job, type JobDevice, jobKey, mostJobBytes, parseJob } from "./document.ts";
import { resolveInputs } from "./inputs.ts";
import type { JobWork } from "./kind.ts";
import { kindOf } from "./kinds.ts";
import { type DoneMark, isCancelled, type JobWorkerFacts, readMark, type TaskAttempt, writeMark } from "./marks.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";

/** The version of dechirp that this process runs. */
export const dechirpVersion = (): string => JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;

/** Name of this process in marks. */
export const workerName = (): string => `${hostname()}:${process.pid}`;

/** What a job says of the device that it is for. */
export function deviceOf({ id, info }: Device): JobDevice {
  const { arithmetic, description } = info;
  // Processors with one arithmetic agree. GPUs agree if they are of one model with one driver.
  return { class: id === "cpu" ? "cpu" : "gpu", id, ...(arithmetic !== undefined ? { arithmetic } : { description }) };
}

/** Throws `input` unless a device is one that the job is for. */
export function checkDeviceOf(job: Job, device: Device): void {
  checkDevice(device);
  const own = deviceOf(device);
  for (const name of ["class", "id", "arithmetic", "description"] as const)
    if (own[name] !== job.device[name])
      throw inputError(`device.${name}`, `${job.device[name] ?? "left out"}, which the job was planned for`, own[name]);
}

/** Throws `input` unless this is the version of dechirp that planned a job. */
export function checkVersionOf(job: Job): void {
  const own = dechirpVersion();
  if (job.dechirp !== own)
    throw inputError("job.dechirp", `${own}, the version of this program: another one may compute other bits`, job.dechirp);
}

/** Reads the job of a store. Rejects with `input` if there is none, or if it is not valid. */
export async function readJob(store: JobStore, options: JobStoreOptions = {}): Promise<Job> {
  const bytes = await store.read(jobKey, { ...options, maxBytes: mostJobBytes });
  if (!bytes) throw new RadarError("input", `${store.address}: there is no job (${jobKey})`, { file: store.address, field: jobKey });
  return parseJob(bytes, `${store.address}/${jobKey}`);
}

/** Writes the document of a job. A store has one job: rejects with `input` if it has another one. */
export async function writeJob(store: JobStore, job: Job, options: JobStoreOptions = {}): Promise<void> {
  const bytes = await store.read(jobKey, { ...options, maxBytes: mostJobBytes });
  if (bytes) {
    const { id } = await parseJob(bytes, `${store.address}/${jobKey}`);
    if (id === job.id) return;
    const message = `${store.address}: it has the job ${id.slice(0, 12)} already; a store keeps one job`;
    throw new RadarError("input", message, { file: store.address, field: "job", expected: job.id, actual: id });
  }
  await store.write(jobKey, encodeJob(job), options);
}

/** What became of a task. */
export interface TaskOutcome {
  readonly mark: DoneMark;
  /** Whether it had been done before, so that nothing was computed. */
  readonly skipped: boolean;
}

/** Options of `TaskRunner.run`. */
export interface RunTaskOptions {
  readonly signal?: AbortSignal;
  /** Called with the share of the task that is done. */
  readonly onProgress?: (share: number) => void;
  /** How many times the task has been tried, with this one. Default: 1. */
  readonly attempt?: number;
}

/** Runs tasks of one job on one device, one at a time. Dispose of it to free its memory and close its files. */
export interface TaskRunner extends AsyncDisposable {
  readonly job: Job;
  /**
   * Makes a task and marks it, unless it is done. Rejects with `input` if the task does not exist, or the job is cancelled, or does not suit
   * this program, the device or the recording; with what the device and the store throw; and with `aborted`.
   */
  run(task: number, options?: RunTaskOptions): Promise<TaskOutcome>;
}

/**
 * Prepares to run tasks of `job`. The recording is opened with the first task that is not done. `facts` are noted in marks. Throws `input` as
 * `TaskRunner.run` does.
 */
export function createTaskRunner(job: Job, store: JobStore, device: Device, facts: JobWorkerFacts = {}): TaskRunner {
  checkVersionOf(job);
  checkDeviceOf(job, device);
  const kind = kindOf(job.what, "job.what");
  let work: Promise<JobWork> | undefined;
  const close = async (): Promise<void> => {
    const open = work;
    work = undefined;
    await (await open?.catch(() => undefined))?.[Symbol.asyncDispose]();
  };
  return {
    job,
    async run(task, { signal, onProgress, attempt = 1 } = {}) {
      const on = signal ? { signal } : {};
      throwIfAborted(signal, `task ${task}`);
      if (!(Number.isInteger(task) && task >= 0 && task < job.tasks))
        throw inputError("task", `an integer from 0 to ${job.tasks - 1}`, task);
      const before = await readMark(store, task, on);
      if (before) return { mark: before, skipped: true };
      if (await isCancelled(store, on))
        throw new RadarError("input", `${store.address}: the job is cancelled`, { file: store.address, field: "cancelled" });
      const start = performance.now();
      try {
        work ??= (async () => kind.open({ job, paths: await resolveInputs(job, store, on), device, ...on }))();
        const made = await (await work).make(task, { ...on, ...(onProgress && { onProgress }) });
        const files: DoneMark["files"][number][] = [];
        for (const [key, bytes] of made) {
          await store.write(key, bytes, on);
          files.push({ key, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
        }
        const { id, info } = device;
        const mark: DoneMark = {
          task,
          files,
          seconds: Math.round(performance.now() - start) / 1000,
          device: { id, description: info.description },
          ...facts,
          worker: workerName(),
          attempt,
        };
        await writeMark(store, mark, on);
        return { mark, skipped: false };
      } catch (error) {
        // Nothing can be made after an error. The next task opens the recording again.
        await close();
        throw error;
      }
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Runs one task of a job: opens what it needs, makes the task unless it is done, and closes everything. Errors are those of `TaskRunner.run`. */
export async function runTask(job: Job, task: number, store: JobStore, device: Device, signal?: AbortSignal): Promise<TaskOutcome> {
  await using runner = createTaskRunner(job, store, device);
  return runner.run(task, signal ? { signal } : {});
}

/** Whether another attempt may succeed after an error: not if the input is wrong or a limit is exceeded. */
export function mayRetry(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return !["input", "limit", "unsupported", "layout", "compile"].includes(String(code));
}

/** An error as it is kept in a store. */
export const failureOf = (error: unknown): TaskAttempt => ({
  worker: workerName(),
  code: typeof (error as { code?: unknown } | null)?.code === "string" ? (error as { code: string }).code : "failed",
  message: messageOf(error).slice(0, 2000),
  retry: mayRetry(error),
});
