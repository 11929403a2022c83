/**
 * `job.json`: what a job is. It never changes, and its digest is the job's id, so that a worker knows that it has read the job it was sent
 * to. A document may come from anyone: `parseJob` checks every field, and nothing in it is ever run as code.
 */
import { RadarError } from "@dechirp/core";
import { parametersDigest } from "@dechirp/io";
import * as v from "valibot";

/** `format` of a job. */
export const jobFormat = "dechirp job";
/** `version` of a job. */
export const jobVersion = 1;
/** Key of the document in the store. */
export const jobKey = "job.json";
/** The most tasks of a job. */
export const mostTasks = 2 ** 20;
/** The most bytes of a document. */
export const mostJobBytes = 2 ** 26;

/** An integer in a range. */
export const whole = (least: number, most: number) =>
  v.pipe(
    v.number("a number"),
    v.integer("an integer"),
    v.minValue(least, `an integer of at least ${least}`),
    v.maxValue(most, `at most ${most}`),
  );
/** A text that is not empty. */
export const text = (most = 4096) =>
  v.pipe(v.string("a text"), v.minLength(1, "a text that is not empty"), v.maxLength(most, "a shorter text"));
/** A SHA-256. */
export const sha256 = v.pipe(v.string("a text"), v.regex(/^[0-9a-f]{64}$/, "a SHA-256 as 64 hexadecimal digits"));
/** A name of a file: no path. */
export const fileName = v.pipe(
  text(255),
  v.check((name) => name !== "." && name !== ".." && !/[/\\\p{Cc}]/u.test(name), "a name without a path"),
);
/** An object of any members. */
export const json = v.pipe(
  v.unknown(),
  v.check((value) => !Array.isArray(value), "an object"),
  v.record(v.string(), v.unknown(), "an object"),
);
const side = whole(1, 2 ** 26);

/** An input of a job. */
export interface JobInput {
  /** Where it was when the job was planned: a file, or a folder of files. */
  readonly path: string;
  /** What it is for: the recording, or a file that goes with it. */
  readonly role: "recording" | "agc";
  /** Whether it is a folder. */
  readonly folder: boolean;
  /** Its files: their names, bytes and digests. */
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** The device that a job is for. */
export interface JobDevice {
  /** The class of devices that may work on the job. Only such devices agree in every bit. */
  readonly class: "cpu" | "gpu";
  /** `id` of the device. */
  readonly id: string;
  /** Of a processor: its arithmetic. */
  readonly arithmetic?: string;
  /** Of a GPU: its model and driver. */
  readonly description?: string;
}

/** How the image of a job is divided. */
export interface JobPixels {
  /** Rows and columns of the image. */
  readonly shape: readonly [rows: number, columns: number];
  /** Rows and columns of a chunk: the part that one task makes. */
  readonly chunk: readonly [rows: number, columns: number];
  /** Into how many sets pulses are divided, at least 2. A task then makes a chunk from one set. Absent if tasks take all pulses. */
  readonly sets?: number;
}

/** Everything that a job's id depends on. */
export interface JobBody {
  readonly format: typeof jobFormat;
  readonly version: typeof jobVersion;
  /** The version of dechirp that planned the job, and that must make it. */
  readonly dechirp: string;
  /** What is made: a name of the table of kinds. */
  readonly what: string;
  readonly inputs: readonly JobInput[];
  /** Whether the inputs are in the store, too, so that workers need not see the paths. */
  readonly copied: boolean;
  /** Settings of the processor, as they were given. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly device: JobDevice;
  /** The choices that were made when the job was planned. Their form depends on what is made. */
  readonly plan: Readonly<Record<string, unknown>>;
  /** Absent if each task makes a product of its own. */
  readonly image?: JobPixels;
  /** How many tasks there are. They are numbered from 0. */
  readonly tasks: number;
  /** What is made of the image when all tasks are done. */
  readonly output: Readonly<Record<string, unknown>>;
}

/** A job. Plain data. */
export interface Job extends JobBody {
  /** Digest of everything else. */
  readonly id: string;
}

const inputSchema = v.strictObject({
  path: text(),
  role: v.picklist(["recording", "agc"], "recording or agc"),
  folder: v.boolean("true or false"),
  files: v.pipe(
    v.array(v.strictObject({ name: fileName, bytes: whole(0, Number.MAX_SAFE_INTEGER), sha256 }), "a list"),
    v.minLength(1, "a list that is not empty"),
    v.maxLength(2 ** 16, "a shorter list"),
  ),
});

const deviceSchema = v.strictObject({
  class: v.picklist(["cpu", "gpu"], "cpu or gpu"),
  id: text(64),
  arithmetic: v.exactOptional(text(64)),
  description: v.exactOptional(text(1024)),
});

/** Largest number of sets of pulses. */
export const mostSets = 2 ** 16;

/** `image` of a job. */
export const imageSchema = v.strictObject({
  shape: v.strictTuple([side, side], "[rows, columns]"),
  chunk: v.strictTuple([side, side], "[rows, columns]"),
  sets: v.exactOptional(whole(2, mostSets)),
});

const fields = {
  format: v.literal(jobFormat, jobFormat),
  version: v.literal(jobVersion, `version ${jobVersion}`),
  dechirp: text(64),
  what: text(64),
  inputs: v.pipe(v.array(inputSchema, "a list"), v.minLength(1, "a list that is not empty"), v.maxLength(2 ** 16, "a shorter list")),
  copied: v.boolean("true or false"),
  settings: json,
  device: deviceSchema,
  plan: json,
  image: v.exactOptional(imageSchema),
  tasks: whole(1, mostTasks),
  output: json,
} as const;

const bodySchema = v.strictObject(fields);
const jobSchema = v.strictObject({ ...fields, id: sha256 });

/** Makes a job of its parts. Rejects with `input`, which names the field. */
export async function createJob(body: Omit<JobBody, "format" | "version">): Promise<Job> {
  // What JSON does not keep must not be in the digest.
  const plain: unknown = JSON.parse(JSON.stringify({ format: jobFormat, version: jobVersion, ...body }));
  const checked = checkedJob(bodySchema, plain, "job");
  return { ...checked, id: await parametersDigest(checked) };
}

/** The bytes of a job's document. */
export const encodeJob = (job: Job): Uint8Array => new TextEncoder().encode(`${JSON.stringify(job, undefined, 2)}\n`);

/** Reads a document. `file` names it in messages. Rejects with `input`, which names the field, and if the id is not that of the content. */
export async function parseJob(bytes: Uint8Array, file: string): Promise<Job> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    throw new RadarError("input", `${file}: it must be JSON in UTF-8`, { file }, error);
  }
  const job = checkedJob(jobSchema, value, file);
  const { id, ...body } = job;
  const digest = await parametersDigest(body);
  if (id !== digest)
    throw new RadarError("input", `${file}: id must be the digest of the job, ${digest}, not ${id}`, {
      file,
      field: "id",
      expected: digest,
      actual: id,
    });
  return job;
}

/** A value that a schema accepts. `file` says what has it, for messages. Throws `input`, which names the field. */
export function checkedJob<S extends v.GenericSchema>(schema: S, value: unknown, file: string): v.InferOutput<S> {
  const parsed = v.safeParse(schema, value, { abortEarly: true });
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const field = v.getDotPath(issue) ?? "";
  const actual = (issue as { input?: unknown }).input;
  const expected = issue.message;
  const place = field === "" ? "it" : field;
  throw new RadarError("input", `${file}: ${place} must be ${expected}`, { file, field, expected, actual });
}
