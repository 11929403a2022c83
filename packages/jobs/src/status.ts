/** What is known of a job from its store: what is done, what is missing, what has failed, and whether the output is what was written. */
import { createHash } from "node:crypto";
import { throwIfAborted } from "@dechirp/core";
import type { Job } from "./document.ts";
import {
  doneTasks,
  failedTasks,
  isAssembled,
  isCancelled,
  readFailure,
  readMark,
  removeFailure,
  removeMark,
  type TaskFailure,
} from "./marks.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";

/** How many attempts a task gets. */
export const mostAttempts = 3;

/** The state of a job. */
export interface JobStatus {
  /** Tasks of the job. */
  readonly tasks: number;
  /** Tasks that are done. */
  readonly done: number;
  /** Tasks without a mark that may be tried, in order. */
  readonly missing: readonly number[];
  /** Tasks that will not be tried again: after `mostAttempts` failures, or after one that no other attempt mends. */
  readonly failed: readonly TaskFailure[];
  readonly cancelled: boolean;
  /** Whether the products have been made. */
  readonly assembled: boolean;
}

/** Whether a task will not be tried again. */
export const isGivenUp = ({ attempts }: TaskFailure): boolean => attempts.length >= mostAttempts || attempts.some(({ retry }) => !retry);

/** Looks at a job. Rejects with what the store throws. */
export async function jobStatus(job: Job, store: JobStore, options: JobStoreOptions = {}): Promise<JobStatus> {
  const done = new Set((await doneTasks(store, options)).filter((task) => task < job.tasks));
  const failed: TaskFailure[] = [];
  for (const task of await failedTasks(store, options)) {
    if (done.has(task) || task >= job.tasks) continue;
    const failure = await readFailure(store, task, options);
    if (failure && isGivenUp(failure)) failed.push(failure);
  }
  const given = new Set(failed.map(({ task }) => task));
  const missing: number[] = [];
  for (let task = 0; task < job.tasks; task++) if (!done.has(task) && !given.has(task)) missing.push(task);
  return {
    tasks: job.tasks,
    done: done.size,
    missing,
    failed,
    cancelled: await isCancelled(store, options),
    assembled: await isAssembled(store, options),
  };
}

/** Numbers as ranges, as Slurm's `--array` takes them: `0-3,7`. */
export function rangesText(numbers: readonly number[]): string {
  const parts: string[] = [];
  for (let i = 0; i < numbers.length; ) {
    let end = i;
    while (end + 1 < numbers.length && numbers[end + 1] === numbers[end] + 1) end++;
    parts.push(end === i ? String(numbers[i]) : `${numbers[i]}-${numbers[end]}`);
    i = end + 1;
  }
  return parts.join(",");
}

/** A value that is not what its task has written. */
export interface Damage {
  /** Number of the task, from 0. */
  readonly task: number;
  readonly key: string;
  readonly what: "missing" | "changed";
}

/**
 * Reads everything that tasks have written, and compares it with the digests in their marks. With `forget`, tasks whose output is damaged
 * count as not done, and failed tasks may be tried again.
 */
export async function verifyJob(
  job: Job,
  store: JobStore,
  {
    signal,
    forget = false,
    onProgress,
  }: JobStoreOptions & { readonly forget?: boolean; readonly onProgress?: (share: number) => void } = {},
): Promise<{ readonly checked: number; readonly damaged: readonly Damage[] }> {
  const on = signal ? { signal } : {};
  const damaged: Damage[] = [];
  const done = (await doneTasks(store, on)).filter((task) => task < job.tasks);
  for (const [i, task] of done.entries()) {
    throwIfAborted(signal, "verifying");
    const mark = await readMark(store, task, on);
    let isWhole = mark !== undefined;
    for (const { key, bytes: size, sha256 } of mark?.files ?? []) {
      const bytes = await store.read(key, { ...on, maxBytes: Math.max(size, 1) }).catch(() => new Uint8Array());
      const matches = bytes !== undefined && bytes.length === size && createHash("sha256").update(bytes).digest("hex") === sha256;
      if (!matches) damaged.push({ task, key, what: bytes ? "changed" : "missing" });
      isWhole &&= matches;
    }
    if (!isWhole && forget) await removeMark(store, task, on);
    onProgress?.((i + 1) / done.length);
  }
  if (forget) for (const task of await failedTasks(store, on)) await removeFailure(store, task, on);
  return { checked: done.length, damaged };
}
