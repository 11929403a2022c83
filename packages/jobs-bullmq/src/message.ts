/**
 * What a queue carries: the address of a store, the id of its job, and the number of a task. Whoever can write to the queue can send
 * anything, so a message is checked, the store must be one that the worker may open, and its job must have the id of the message.
 */
import { realpath } from "node:fs/promises";
import { isAbsolute, join, resolve, sep } from "node:path";
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { type Job, type JobStore, openStore, readJob } from "@dechirp/jobs";
import * as v from "valibot";

/** What a worker is asked to do: to make a task, to make a second copy of a late one, or to make the products. */
export type MessageKind = "task" | "copy" | "assemble";

/** A message. Plain data. */
export interface Message {
  /** Address of the store: an absolute path, or `s3://BUCKET/PREFIX`. */
  readonly store: string;
  /** Id of the job in it. */
  readonly job: string;
  /** Number of the task, from 0. Absent for the products. */
  readonly task?: number;
  /** How often workers have begun to make the task. */
  readonly begun?: number;
  /** How many of these ended with the death of the worker, as far as it has been noted in the store. */
  readonly deaths?: number;
}

const count = v.pipe(
  v.number("a number"),
  v.integer("an integer"),
  v.minValue(0, "an integer of at least 0"),
  v.maxValue(2 ** 20, "at most 2^20"),
);
const address = v.pipe(
  v.string("a text"),
  v.maxLength(4096, "a shorter text"),
  v.check((text) => !/\p{Cc}/u.test(text), "a text without control characters"),
  v.check((text) => text.startsWith("s3://") || isAbsolute(text), "an absolute path or s3://BUCKET/PREFIX"),
  v.check((text) => !text.split(/[/\\]/).some((part) => part === "." || part === ".."), "an address without . and .."),
);
const id = v.pipe(v.string("a text"), v.regex(/^[0-9a-f]{64}$/, "64 hexadecimal digits"));
const products = { store: address, job: id };
const schemas = {
  task: v.strictObject({ ...products, task: count, begun: v.exactOptional(count), deaths: v.exactOptional(count) }, "an object"),
  copy: v.strictObject({ ...products, task: count }, "an object"),
  assemble: v.strictObject(products, "an object"),
};

/** Reads a message. Throws `input`, which names the field. */
export function parseMessage(name: string, data: unknown): { readonly kind: MessageKind; readonly message: Message } {
  if (!Object.hasOwn(schemas, name)) throw inputError("message.name", "task, copy or assemble", name);
  const kind = name as MessageKind;
  const parsed = v.safeParse(schemas[kind], data, { abortEarly: true });
  if (parsed.success) return { kind, message: parsed.output };
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue as v.BaseIssue<unknown>);
  // The text of an object stands for its keys, too: one that is missing, or one that is not known.
  const isKey = field !== null && issue.type === "strict_object";
  const expected = isKey ? (issue.expected === "never" ? "left out" : "given") : issue.message;
  throw inputError(field === null ? "message" : `message.${field}`, expected, (issue as { input?: unknown }).input);
}

/** Whether a place is a folder or lies in it; both end without a separator. */
const isWithin = (place: string, folder: string, separator: string): boolean =>
  place === folder || place.startsWith(folder.endsWith(separator) ? folder : `${folder}${separator}`);

/** The place of a folder when all links are followed. It need not exist as a whole. */
async function placeOf(path: string): Promise<string> {
  const parts: string[] = [];
  for (let at = resolve(path); ; at = resolve(at, "..")) {
    const found = await realpath(at).catch(() => undefined);
    if (found !== undefined) return join(found, ...parts);
    if (resolve(at, "..") === at) return resolve(path);
    parts.unshift(at.slice(resolve(at, "..").length).replace(sep, ""));
  }
}

/** Throws `input` unless a store is one of `allowed`, which are addresses, or lies below one. */
export async function checkStore(store: string, allowed: readonly string[]): Promise<void> {
  for (const one of allowed) {
    const isBucket = one.startsWith("s3://");
    if (isBucket !== store.startsWith("s3://")) continue;
    if (isBucket ? isWithin(store, one.replace(/\/+$/, ""), "/") : isWithin(await placeOf(store), await placeOf(one), sep)) return;
  }
  throw inputError("message.store", `one of the stores that this worker may open, or below one: ${allowed.join(", ")}`, store);
}

/** Opens the store of a message and reads its job. Rejects with `input` if it is not to be opened or is not the job of the message. */
export async function openMessage(
  { store: place, job: wanted, task }: Message,
  {
    allowed,
    env,
    signal,
  }: {
    readonly allowed?: readonly string[] | undefined;
    readonly env?: Readonly<Record<string, string | undefined>> | undefined;
    readonly signal?: AbortSignal;
  },
): Promise<{ readonly job: Job; readonly store: JobStore }> {
  if (allowed) await checkStore(place, allowed);
  const store = await openStore(place, env);
  const job = await readJob(store, signal ? { signal } : {}).catch((error) => {
    // Another worker may see the store, for example on a disk that is not mounted here.
    throw isRadarError(error, "input") && error.fields["field"] === "job.json"
      ? new RadarError("failed", error.message, error.fields)
      : error;
  });
  if (job.id !== wanted) {
    const text = `${store.address}: it has the job ${job.id.slice(0, 12)}, not ${wanted.slice(0, 12)}, which the queue asks for`;
    throw new RadarError("input", text, { file: store.address, field: "id", expected: wanted, actual: job.id });
  }
  if (task !== undefined && task >= job.tasks) throw inputError("message.task", `an integer from 0 to ${job.tasks - 1}`, task);
  return { job, store };
}
