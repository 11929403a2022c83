/**
 * Runs a job on this machine by worker processes, without a server. The state is in the store alone: after the runner or a worker was
 * killed, running again makes what is missing. A worker that dies is replaced, and its task is tried again, at most three times. When no
 * task is left to hand out, the task that has taken longest gets a second copy on a worker that has nothing to do; both write the same bytes.
 */
import type { ChildProcess } from "node:child_process";
import { RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import type { Job } from "./document.ts";
import { addFailure, cancelledError, type JobWorkerFacts, type TaskAttempt, type TaskFailure } from "./marks.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import { isGivenUp, type JobStatus, jobStatus } from "./status.ts";
import type { JobStore } from "./store.ts";
import { workerName } from "./work.ts";

/** How far a run is. */
export interface RunProgress {
  /** Tasks that are done, of earlier runs too. */
  readonly done: number;
  /** Tasks of the job. */
  readonly tasks: number;
  /** Tasks that are being made now, with the share that is made. */
  readonly current: readonly { readonly task: number; readonly share: number }[];
  /** Seconds until the end at the rate so far. Absent until a task is done. */
  readonly secondsLeft?: number;
}

/** Options of `runJob`. */
export interface RunJobOptions {
  /**
   * Starts a worker process with a channel for messages (`stdio` has `ipc`), which calls `serveTasks`. `index` counts the places of workers
   * from 0: a worker that died is replaced in its place.
   */
  start(index: number): ChildProcess;
  /** Number of workers. Default: 1. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  /** Called when a task has begun to be made, is further, or has ended. */
  readonly onProgress?: (progress: RunProgress) => void;
  /** Hears of a worker that is ready: its place, the description of its device, and the card if it has told which one it has. */
  readonly onReady?: (index: number, worker: { readonly device: string } & JobWorkerFacts) => void;
  /** Hears of a task that failed or whose worker died, and will be tried again or not. */
  readonly onFailure?: (task: number, failure: TaskFailure) => void;
}

/** A worker in its place. */
interface Place {
  readonly index: number;
  child?: ChildProcess;
  isReady: boolean;
  task?: number;
  since: number;
  share: number;
  /** Times that a worker ended before it was ready, one after another. */
  stillborn: number;
}

/** Workers that end this often before they are ready, by themselves or by a signal, will not get ready. */
const mostStillborn = { status: 3, signal: 30 };
/** A second copy of a task starts when it has taken so many times the median. */
const lateFactor = 2;
/** Milliseconds that workers have to end after they were told to. */
const patience = 2000;

/**
 * Makes all tasks of a job that are not done, with `workers` processes. Resolves with the state of the job when every task is done or has been
 * given up; tasks that were given up are in its list `failed`. Rejects with `input` if the job is cancelled, also while it runs, with what a worker
 * says if it refuses the job, with `failed` if workers can't be started, and with `aborted`.
 */
export async function runJob(job: Job, store: JobStore, options: RunJobOptions): Promise<JobStatus> {
  const { start, workers = 1, signal, onProgress, onReady, onFailure } = options;
  const on = signal ? { signal } : {};
  throwIfAborted(signal, "running a job");
  const before = await jobStatus(job, store, on);
  if (before.cancelled) throw cancelledError(store);
  await store.sweep(3600, on);
  const waiting = [...before.missing].reverse();
  if (waiting.length === 0) return before;
  let done = before.done;
  let givenUp = before.failed.length;
  const finished = new Set<number>();
  const attempts = new Map<number, number>();
  const durations: number[] = [];
  const began = performance.now();

  const places: Place[] = Array.from({ length: Math.min(workers, waiting.length) }, (_, index) => ({
    index,
    isReady: false,
    since: 0,
    share: 0,
    stillborn: 0,
  }));
  let settle: { resolve(): void; reject(error: unknown): void } = { resolve() {}, reject() {} };
  const end = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  end.catch(() => {});
  let isOver = false;
  const finish = (error?: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (error === undefined) settle.resolve();
    else settle.reject(error);
  };

  const tellProgress = (): void => {
    if (!onProgress) return;
    const current = places.flatMap(({ task, share }) => (task === undefined ? [] : [{ task, share }]));
    const made = done - before.done + current.reduce((sum, { share }) => sum + share, 0);
    const left = before.missing.length - made - (givenUp - before.failed.length);
    const secondsLeft = made >= 0.5 ? (((performance.now() - began) / 1000) * left) / made : undefined;
    const progress = { done, tasks: job.tasks, current, ...(secondsLeft !== undefined && { secondsLeft: Math.max(0, secondsLeft) }) };
    callListener(() => onProgress(progress), "onProgress", undefined, "running a job").catch(finish);
  };

  const send = (place: Place, message: ToWorker): void => {
    // If it is dead, its end is handled where it is heard of.
    place.child?.send(message, () => {});
  };

  /** Gives a worker the next task, or a second copy of the one that takes longest. */
  const feed = (place: Place): void => {
    if (isOver || !place.isReady || place.task !== undefined) return;
    let task = waiting.pop();
    if (task === undefined) {
      const late = places.filter((other) => other.task !== undefined && places.filter(({ task }) => task === other.task).length === 1);
      const slowest = late.sort((a, b) => a.since - b.since)[0];
      const median = [...durations].sort((a, b) => a - b)[durations.length >> 1];
      if (!slowest || median === undefined) return;
      const wait = slowest.since + lateFactor * median - performance.now();
      if (wait > 0) {
        setTimeout(() => feed(place), wait).unref();
        return;
      }
      task = slowest.task as number;
    }
    Object.assign(place, { task, since: performance.now(), share: 0 });
    send(place, { kind: "run", task, attempt: (attempts.get(task) ?? 0) + 1 });
  };

  const check = (): void => {
    tellProgress();
    if (done + givenUp >= job.tasks) finish();
    else for (const place of places) feed(place);
  };

  /** Notes that a task failed on a worker, unless another copy of it has been finished. */
  const fail = async (task: number, attempt: TaskAttempt): Promise<void> => {
    if (finished.has(task) || isOver) return;
    const failure = await addFailure(job, store, task, attempt, on);
    attempts.set(task, failure.attempts.length);
    onFailure?.(task, failure);
    if (isGivenUp(failure)) {
      finished.add(task);
      givenUp++;
    } else if (!places.some((other) => other.task === task)) waiting.unshift(task);
    check();
  };

  const hear = (place: Place, said: FromWorker): void => {
    if (said.kind === "ready") {
      place.isReady = true;
      place.stillborn = 0;
      const { device, card } = said;
      onReady?.(place.index, { device, ...(card !== undefined && { card }) });
      feed(place);
    } else if (said.kind === "refused") {
      finish(new RadarError(said.failure.code as "input", said.failure.message, { ...said.fields, worker: said.failure.worker }));
    } else if (said.task !== place.task) {
      // A task that was stopped because another copy was finished.
    } else if (said.kind === "progress") {
      place.share = said.share;
      tellProgress();
    } else {
      const { task } = said;
      const seconds = performance.now() - place.since;
      delete place.task;
      if (said.kind === "failed") {
        fail(task, said.failure).catch(finish);
        feed(place);
        return;
      }
      if (!finished.has(task)) {
        finished.add(task);
        done++;
        durations.push(seconds);
        for (const other of places) {
          if (other.task !== task) continue;
          delete other.task;
          send(other, { kind: "stop" });
          feed(other);
        }
      }
      check();
      feed(place);
    }
  };

  const launch = (place: Place): void => {
    place.isReady = false;
    let child: ChildProcess;
    try {
      child = start(place.index);
    } catch (error) {
      finish(new RadarError("failed", "a worker process can't be started", { index: place.index }, error));
      return;
    }
    place.child = child;
    child.on("message", (message) => hear(place, message as FromWorker));
    child.on("error", (error) => {
      if (child.pid === undefined)
        finish(new RadarError("failed", `a worker process can't be started: ${error.message}`, { index: place.index }, error));
    });
    child.once("exit", (code, signalName) => {
      if (isOver || child.pid === undefined) return;
      const { task, isReady } = place;
      delete place.task;
      if (!isReady) {
        place.stillborn++;
        if (place.stillborn >= (signalName ? mostStillborn.signal : mostStillborn.status)) {
          const how = signalName ?? `status ${code}`;
          finish(new RadarError("failed", `worker processes end before they are ready (${how})`, { index: place.index, how }));
          return;
        }
      }
      launch(place);
      if (task !== undefined) {
        const message = `its worker ended (${signalName ?? `status ${code}`})`;
        fail(task, { worker: `${workerName().split(":")[0]}:${child.pid}`, code: "killed", message, retry: true }).catch(finish);
      }
    });
  };

  const abort = (): void => {
    try {
      throwIfAborted(signal, "running a job");
    } catch (error) {
      finish(error);
    }
  };
  signal?.addEventListener("abort", abort, { once: true });
  try {
    for (const place of places) launch(place);
    await end;
  } finally {
    isOver = true;
    signal?.removeEventListener("abort", abort);
    await Promise.all(places.map(({ child, isReady }) => child && ended(child, isReady)));
  }
  return jobStatus(job, store);
}

/** Ends a worker: asks it, then kills it. One that is not ready has nothing to end, and would only say that it was interrupted. */
function ended(child: ChildProcess, isReady: boolean): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill("SIGKILL"), patience);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
    if (!isReady) {
      child.kill("SIGKILL");
      return;
    }
    // The worker hears that the channel is closed, and ends when it has stopped its task.
    if (child.connected) child.disconnect();
    child.kill("SIGTERM");
    // A stopped process hears nothing but SIGCONT and SIGKILL.
    child.kill("SIGCONT");
  });
}
