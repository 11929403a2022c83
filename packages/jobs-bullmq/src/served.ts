/** The job that a worker works on: its store is read, and its recording is opened, once for all tasks that follow one another. */
import { type Device, RadarError } from "@dechirp/core";
import {
  addFailure,
  createTaskRunner,
  failureOf,
  isGivenUp,
  isOfStore,
  type Job,
  type JobStore,
  type JobWorkerFacts,
  mayRetry,
  readFailure,
  readMark,
  type TaskFailure,
  type TaskRunner,
} from "@dechirp/jobs";
import { type Message, openMessage } from "./message.ts";

/** A job with its store and a runner of its tasks. */
export interface Served {
  readonly job: Job;
  readonly store: JobStore;
  readonly runner: TaskRunner;
}

/** Keeps one job open. */
export interface ServedJobs extends AsyncDisposable {
  /** The job of a message. Rejects with `input` if it is not to be opened, or does not suit the program or the device. */
  of(message: Message, signal: AbortSignal): Promise<Served>;
}

/** What is needed to open jobs. */
export interface ServedOptions {
  readonly stores?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly facts: JobWorkerFacts;
}

/** Opens jobs for a device. */
export function createServedJobs(device: Device, { stores, env, facts }: ServedOptions): ServedJobs {
  let current: (Served & { readonly place: string }) | undefined;
  const close = async (): Promise<void> => {
    const open = current;
    current = undefined;
    await open?.runner[Symbol.asyncDispose]();
  };
  return {
    async of(message, signal) {
      if (current?.job.id === message.job && current.place === message.store && (message.task ?? 0) < current.job.tasks) return current;
      await close();
      const { job, store } = await openMessage(message, { allowed: stores, env, signal });
      current = { job, store, runner: createTaskRunner(job, store, device, facts), place: message.store };
      return current;
    },
    [Symbol.asyncDispose]: close,
  };
}

/** The error about a task that was given up before. */
export function givenUp({ job, store }: Served, { task, attempts }: TaskFailure): RadarError {
  const times = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
  const message = `${store.address}: task ${task} is given up after ${times}: ${attempts.at(-1)?.message}`;
  return new RadarError("input", message, { job: job.id, task, attempts: attempts.length });
}

/**
 * What the store knows of the failures of a task when a worker takes it. `deaths` counts the workers that ended or lost their lease while they
 * made it, `noted` those that are in the store already.
 */
export async function failuresOf(
  { job, store }: Served,
  task: number,
  { deaths, noted, worker }: { readonly deaths: number; readonly noted: number; readonly worker: string },
  signal: AbortSignal,
): Promise<TaskFailure | undefined> {
  let failure = await readFailure(store, task, { signal });
  for (let k = noted; k < deaths && !(failure && isGivenUp(failure)); k++) {
    const attempt = { worker, code: "killed", message: "its worker ended, or did not answer within its lease", retry: true };
    failure = await addFailure(job, store, task, attempt, { signal });
  }
  return failure;
}

/** Notes why a task failed. Resolves with whether it is given up. A task that another worker has done since has not failed. */
export async function noteFailure({ job, store }: Served, task: number, error: unknown): Promise<boolean> {
  // The task is not at fault, and nothing may be written into the store.
  if (isOfStore(error)) return !mayRetry(error);
  if ((await readMark(store, task))?.job === job.id) return false;
  try {
    return isGivenUp(await addFailure(job, store, task, failureOf(error)));
  } catch (other) {
    if (isOfStore(other)) return !mayRetry(other);
    throw other;
  }
}
