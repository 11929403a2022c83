/**
 * Tasks of a job on a device. `runTask` serves every way to run a job: a local runner, a worker of a queue, an element of an array job. It
 * refuses what would not give the bits of the job: another version of dechirp, another class of devices, another recording.
 */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { type Device, inputError, isRadarError, messageOf, type RadarError, throwIfAborted } from "@dechirp/core";
import { checkDevice } from "@dechirp/core/internal";
import { type Job, type JobDevice, jobKey } from "./document.ts";
import { resolveInput } from "./inputs.ts";
import type { JobWork } from "./kind.ts";
import { kindOf } from "./kinds.ts";
import {
  cancelledError,
  cancelledField,
  checkNotCancelled,
  type DoneMark,
  type JobWorkerFacts,
  readMark,
  type TaskAttempt,
  writeMark,
} from "./marks.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";
import { checkStoreOf } from "./store-job.ts";
import { watchStore } from "./watch-store.ts";
import { sha256Of } from "./written.ts";

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

/**
 * Opens what is needed to make tasks and products of a job. Inputs are looked at when they are used. Rejects with `input` if the job does not
 * suit the recording or the device, and with what these throw.
 */
export const openWork = async (job: Job, store: JobStore, device: Device, options: JobStoreOptions = {}): Promise<JobWork> =>
  kindOf(job.what, "job.what").open({ job, store, pathOf: (input) => resolveInput(job, store, input, options), device, ...options });

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

/**
 * Milliseconds after a look at the job of a store in which values are written without another look. If the store is removed or given to another
 * job meanwhile, it gets values of the image, but no mark. Without a mark they count for nothing: whoever makes their tasks replaces them. Only a
 * task of the other job that was made within this time, too, can have its value replaced, which `verifyJob` finds by the digest in its mark.
 */
const checkMilliseconds = 1000;

/** Runs tasks of one job on one device, one at a time. Dispose of it to free its memory and close its files. */
export interface TaskRunner extends AsyncDisposable {
  readonly job: Job;
  /**
   * Makes a task and marks it, unless it is done, also by another process meanwhile. Rejects with `input` if the task does not exist, or the job is
   * cancelled, also while it is made, or does not suit this program, the device or the recording; with what the device and the store throw; and with
   * `aborted`.
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
  kindOf(job.what, "job.what");
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
      if (before?.job === job.id) return { mark: before, skipped: true };
      await checkStoreOf(job, store, on);
      let checked = performance.now();
      await checkNotCancelled(store, on);
      const start = performance.now();
      const ended = new AbortController();
      let found: "cancelled" | "done" | undefined;
      const end = (what: "cancelled" | "done") => (): void => {
        found = what;
        ended.abort();
      };
      const unwatch = watchStore(job, store, task, { onCancelled: end("cancelled"), onDone: end("done") });
      const making = { signal: signal ? AbortSignal.any([signal, ended.signal]) : ended.signal };
      try {
        work ??= openWork(job, store, device, making);
        const opened = await work;
        const made = await opened.make(task, { ...making, ...(onProgress && { onProgress }) });
        const files: DoneMark["files"][number][] = [];
        for await (const [key, bytes] of made) {
          if (performance.now() - checked >= checkMilliseconds) {
            await checkStoreOf(job, store, making);
            checked = performance.now();
          }
          await store.write(key, bytes, making);
          files.push({ key, bytes: bytes.length, sha256: sha256Of(bytes) });
        }
        unwatch();
        throwIfAborted(making.signal, `task ${task}`);
        const { id, info } = device;
        const mark: DoneMark = {
          job: job.id,
          task,
          files,
          seconds: Math.round(performance.now() - start) / 1000,
          device: { id, description: info.description },
          ...facts,
          worker: workerName(),
          attempt,
        };
        await writeMark(job, store, mark, on);
        // The task is done whatever becomes of this. Assembling makes what is left, and says what hinders it.
        await opened.settle?.(task, on).catch(() => {});
        return { mark, skipped: false };
      } catch (error) {
        unwatch();
        // Nothing can be made after an error. The next task opens the recording again.
        await close();
        if (found === "cancelled") throw cancelledError(store);
        const other = found === "done" ? await readMark(store, task, on) : undefined;
        if (other?.job === job.id) return { mark: other, skipped: true };
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

/** Errors of the system that say nothing of the input: the disk is full or away, or the machine has no more of something. */
const passing = /^E(NOSPC|DQUOT|ROFS|IO|STALE|MFILE|NFILE|BUSY|AGAIN|TIMEDOUT|NOMEM|ACCES|PERM|REMOTEIO|HOSTDOWN|NETDOWN|NETUNREACH)$/;

const reasonOf = (error: unknown): string => (isRadarError(error) ? String(error.fields["reason"] ?? "") : "");

/**
 * Whether another attempt may succeed after an error: not if the input is wrong or a limit is exceeded, but if only the system did not let it
 * be read or written.
 */
export function mayRetry(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return passing.test(reasonOf(error)) || !["input", "limit", "unsupported", "layout", "compile"].includes(String(code));
}

/** Whether an error says that the job is cancelled. */
export const isCancellation = (error: unknown): boolean => isRadarError(error, "input") && error.fields["field"] === cancelledField;

/**
 * Whether an error is about the whole store: its job is cancelled, it has another job, it is full, or it may not be written. All other tasks would fail like this
 * one, and none is at fault, so nothing is noted of the task.
 */
export const isOfStore = (error: unknown): boolean =>
  isCancellation(error) || (isRadarError(error, "input") && (error.fields["field"] === jobKey || isFull(error) || isRefusal(error)));

const isFull = (error: RadarError): boolean => /^E(NOSPC|DQUOT|ROFS)$/.test(reasonOf(error));
/** Whether a store may not be written. A recording that may not be read has no field `store`. */
const isRefusal = ({ fields }: RadarError): boolean =>
  fields["store"] !== undefined && (/^E(ACCES|PERM)$/.test(String(fields["reason"])) || fields["status"] !== undefined);

/** An error as it is kept in a store. */
export const failureOf = (error: unknown): TaskAttempt => ({
  worker: workerName(),
  code: typeof (error as { code?: unknown } | null)?.code === "string" ? (error as { code: string }).code : "failed",
  message: messageOf(error).slice(0, 2000),
  retry: mayRetry(error),
});
