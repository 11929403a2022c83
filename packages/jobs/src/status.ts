/** What is known of a job from its store: what is done, what is missing, what has failed, and whether the output is what was written. */
import { isRadarError, throwIfAborted } from "@dechirp/core";
import type { Job } from "./document.ts";
import { chunkedImage } from "./image.ts";
import {
  doneTasks,
  failedTasks,
  isAssembled,
  isCancelled,
  readFailure,
  readMark,
  removeAssembled,
  removeFailure,
  removeMark,
  type TaskFailure,
} from "./marks.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";
import { readSum, removeSum, summedTiles, sumsFolder, sumTile } from "./sums.ts";
import { damageIn } from "./written.ts";

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
  /** Of an image whose pulses are divided into sets: its tiles, and those that are summed. Workers sum them, and assembling what is left. */
  readonly sums?: { readonly tiles: number; readonly done: number };
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
  const sums =
    job.image?.sets === undefined ? undefined : { tiles: chunkedImage(job).tiles, done: (await summedTiles(job, store, options)).length };
  return {
    tasks: job.tasks,
    done: done.size,
    missing,
    failed,
    ...(sums && { sums }),
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
  /** Number of the task, from 0. If a sum of pulse sets is damaged, the first task of its tile. */
  readonly task: number;
  readonly key: string;
  readonly what: "missing" | "changed";
}

/**
 * Reads everything that tasks have written, and sums of pulse sets, and compares it with the digests in their marks and records. With `forget`,
 * tasks whose output is damaged count as not done, damaged sums are made again, and failed tasks may be tried again: `forgotten` has what was
 * known of their failures.
 */
export async function verifyJob(
  job: Job,
  store: JobStore,
  {
    signal,
    forget = false,
    onProgress,
  }: JobStoreOptions & { readonly forget?: boolean; readonly onProgress?: (share: number) => void } = {},
): Promise<{ readonly checked: number; readonly damaged: readonly Damage[]; readonly forgotten: readonly TaskFailure[] }> {
  const on = signal ? { signal } : {};
  const damaged: Damage[] = [];
  const done = (await doneTasks(store, on)).filter((task) => task < job.tasks);
  for (const [i, task] of done.entries()) {
    throwIfAborted(signal, "verifying");
    const mark = await readMark(store, task, on).catch((error) => {
      if (!isRadarError(error, "input")) throw error;
      damaged.push({ task, key: `done/${task}.json`, what: "changed" });
      return undefined;
    });
    let isWhole = mark?.job === job.id;
    if (mark && !isWhole) damaged.push({ task, key: `done/${task}.json`, what: "changed" });
    for (const { key, ...written } of mark?.files ?? []) {
      const what = await damageOf(store, key, written, on);
      if (what) damaged.push({ task, key, what });
      isWhole &&= what === undefined;
    }
    if (!isWhole && forget) await removeMark(store, task, on);
    onProgress?.((i + 1) / done.length);
  }
  for (const tile of await summedTiles(job, store, on)) {
    throwIfAborted(signal, "verifying");
    const image = chunkedImage(job);
    if (tile >= image.tiles) continue;
    const record = await readSum(job, store, tile, on).catch((error) => {
      if (!isRadarError(error, "input")) throw error;
      return undefined;
    });
    const [key, what] = record
      ? [image.tileKeyOf(tile), await damageOf(store, image.tileKeyOf(tile), record, on)]
      : [`${sumsFolder}/${tile}.json`, "changed" as const];
    if (!what) continue;
    damaged.push({ task: tile, key, what });
    if (!forget) continue;
    await removeSum(store, tile, on);
    // If a task of the tile is to be done again, its worker makes the sum, or else assembling, which must not be skipped.
    if (!(await sumTile(job, store, tile, on))) await removeAssembled(store, on);
  }
  const forgotten: TaskFailure[] = [];
  if (forget)
    for (const task of await failedTasks(store, on)) {
      // What is no record of a failure is forgotten, too.
      const failure = await readFailure(store, task, on).catch((error) => {
        if (!isRadarError(error, "input")) throw error;
        return { task, attempts: [] };
      });
      await removeFailure(store, task, on);
      if (failure && task < job.tasks) forgotten.push(failure);
    }
  return { checked: done.length, damaged, forgotten };
}

/** What is wrong with a value of a store. */
async function damageOf(
  store: JobStore,
  key: string,
  written: { readonly bytes: number; readonly sha256: string },
  options: JobStoreOptions,
): Promise<Damage["what"] | undefined> {
  const value = await store.read(key, { ...options, maxBytes: Math.max(written.bytes, 1) }).catch(() => new Uint8Array());
  return damageIn(value, written);
}
