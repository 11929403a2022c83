/**
 * What has been done of a job, as values of its store: a mark for each task that is done, the failures of each task that failed, and whether
 * the job is cancelled. A mark is written after the output of its task, so that a task with a mark is done whatever happened.
 */
import { isRadarError, RadarError } from "@dechirp/core";
import * as v from "valibot";
import type { Job } from "./document.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";
import { checkStoreOf } from "./store-job.ts";

/** What is known of a worker beside its device. */
export interface JobWorkerFacts {
  /** Which card of its host the device is, such as a PCI address. Equal cards have equal descriptions, so only this tells them apart. */
  readonly card?: string;
}

/** What a task that is done has left. */
export interface DoneMark extends JobWorkerFacts {
  /** Id of the job. A mark of another job, which was in the same place before, counts for nothing where marks are read. */
  readonly job: string;
  /** Its number, from 0. */
  readonly task: number;
  /** SHA-256 and size of each value that the task has written. */
  readonly files: readonly { readonly key: string; readonly bytes: number; readonly sha256: string }[];
  /** How long it took to make and write the output. */
  readonly seconds: number;
  readonly device: { readonly id: string; readonly description: string };
  /** Host and process that did it. */
  readonly worker: string;
  /** How many times it was tried, with this one. */
  readonly attempt: number;
}

/** One failure of a task. */
export interface TaskAttempt {
  /** Host and process that tried it. */
  readonly worker: string;
  /** Code of the error, or `killed` if the worker ended. */
  readonly code: string;
  readonly message: string;
  /** Whether another attempt is of use. */
  readonly retry: boolean;
}

/** What is known of the failures of a task. */
export interface TaskFailure {
  /** Its number, from 0. */
  readonly task: number;
  /** In the order in which they were noted. */
  readonly attempts: readonly TaskAttempt[];
}

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const markSchema = v.strictObject({
  job: digest,
  task: v.pipe(v.number(), v.integer(), v.minValue(0)),
  files: v.array(v.strictObject({ key: v.string(), bytes: v.pipe(v.number(), v.integer(), v.minValue(0)), sha256: digest })),
  seconds: v.pipe(v.number(), v.minValue(0)),
  device: v.strictObject({ id: v.string(), description: v.string() }),
  card: v.exactOptional(v.string()),
  worker: v.string(),
  attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
const failureSchema = v.strictObject({
  task: v.pipe(v.number(), v.integer(), v.minValue(0)),
  attempts: v.array(
    v.strictObject({
      worker: v.string(),
      code: v.string(),
      message: v.string(),
      retry: v.boolean(),
    }),
  ),
});

const doneKey = (task: number): string => `done/${task}.json`;
const failureKey = (task: number): string => `failed/${task}.json`;
const cancelledKey = "cancelled";
/** What errors about a job that is cancelled have as their `field`. */
export const cancelledField = cancelledKey;
const assembledKey = "assembled.json";

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

/** Reads a record of JSON. Rejects with `input`, which names the key, if it is not one that `schema` accepts. */
export async function readRecord<S extends v.GenericSchema>(
  store: JobStore,
  key: string,
  schema: S,
  options: JobStoreOptions,
): Promise<v.InferOutput<S> | undefined> {
  const bytes = await store.read(key, { ...options, maxBytes: 2 ** 22 });
  if (!bytes) return undefined;
  try {
    return v.parse(schema, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (error) {
    throw new RadarError("input", `${store.address}: ${key} is not a record of a task`, { file: store.address, field: key }, error);
  }
}

/** Writes a record of JSON. */
export const writeRecord = (store: JobStore, key: string, value: unknown, options: JobStoreOptions = {}): Promise<void> =>
  store.write(key, encode(value), options);

/** The mark of a task, or undefined if it is not done. */
export const readMark = (store: JobStore, task: number, options: JobStoreOptions = {}): Promise<DoneMark | undefined> =>
  readRecord(store, doneKey(task), markSchema, options);

/**
 * Marks a task as done, and forgets its failures. Rejects with `input`, naming `job.json`, unless the store has the job of the mark, before and after: a mark
 * that was written while the store got another job is removed.
 */
export async function writeMark(job: Job, store: JobStore, mark: DoneMark, options: JobStoreOptions = {}): Promise<void> {
  await checkStoreOf(job, store, options);
  await store.write(doneKey(mark.task), encode(mark), options);
  try {
    // The mark is there: a signal does not end the look at whose store it is in.
    await checkStoreOf(job, store);
  } catch (error) {
    if (isRadarError(error, "input")) await store.remove(doneKey(mark.task));
    throw error;
  }
  await store.remove(failureKey(mark.task), options);
}

/** Removes the mark of a task, which is then to be done again. */
export const removeMark = (store: JobStore, task: number, options: JobStoreOptions = {}): Promise<void> =>
  store.remove(doneKey(task), options);

/** The failures of a task, or undefined if there are none. */
export const readFailure = (store: JobStore, task: number, options: JobStoreOptions = {}): Promise<TaskFailure | undefined> =>
  readRecord(store, failureKey(task), failureSchema, options);

/** Notes a failure of a task. Resolves with all of them. Rejects with `input`, naming `job.json`, if the store does not have the job any more. */
export async function addFailure(
  job: Job,
  store: JobStore,
  task: number,
  attempt: TaskAttempt,
  options: JobStoreOptions = {},
): Promise<TaskFailure> {
  const before = await readFailure(store, task, options);
  const failure: TaskFailure = { task, attempts: [...(before?.attempts ?? []), attempt] };
  await checkStoreOf(job, store, options);
  await store.write(failureKey(task), encode(failure), options);
  return failure;
}

/** Forgets the failures of a task, which may then be tried again. */
export const removeFailure = (store: JobStore, task: number, options: JobStoreOptions = {}): Promise<void> =>
  store.remove(failureKey(task), options);

const numbersIn = async (store: JobStore, folder: string, options: JobStoreOptions): Promise<number[]> => {
  const found: number[] = [];
  for (const key of await store.list(`${folder}/`, options)) {
    const digits = /\/(\d{1,7})\.json$/.exec(key);
    if (digits) found.push(Number(digits[1]));
  }
  return found.sort((a, b) => a - b);
};

/** The tasks that are done, in order. */
export const doneTasks = (store: JobStore, options: JobStoreOptions = {}): Promise<readonly number[]> => numbersIn(store, "done", options);
/** The tasks that have failed and are not done, in order. */
export const failedTasks = (store: JobStore, options: JobStoreOptions = {}): Promise<readonly number[]> =>
  numbersIn(store, "failed", options);

/** Whether the job is cancelled. */
export const isCancelled = async (store: JobStore, options: JobStoreOptions = {}): Promise<boolean> =>
  (await store.read(cancelledKey, options)) !== undefined;
/** The error about a job that is cancelled. */
export const cancelledError = (store: JobStore): RadarError =>
  new RadarError("input", `${store.address}: the job is cancelled`, { file: store.address, field: cancelledField });
/** Rejects with `input` if the job is cancelled. */
export async function checkNotCancelled(store: JobStore, options: JobStoreOptions = {}): Promise<void> {
  if (await isCancelled(store, options)) throw cancelledError(store);
}
/** Cancels the job, or takes that back. */
export const setCancelled = (store: JobStore, cancelled: boolean, options: JobStoreOptions = {}): Promise<void> =>
  cancelled ? store.write(cancelledKey, new Uint8Array(), options) : store.remove(cancelledKey, options);

/** Whether the products of the job have been made. */
export const isAssembled = async (store: JobStore, options: JobStoreOptions = {}): Promise<boolean> =>
  (await store.read(assembledKey, { ...options, maxBytes: 2 ** 26 })) !== undefined;
/** Notes that the products have been made, and which they are. */
export const setAssembled = (store: JobStore, files: readonly string[], options: JobStoreOptions = {}): Promise<void> =>
  store.write(assembledKey, encode({ files }), options);
/** Forgets that the products have been made. */
export const removeAssembled = (store: JobStore, options: JobStoreOptions = {}): Promise<void> => store.remove(assembledKey, options);
