/**
 * Errors as users of the command see them, and their exit statuses. Every error becomes one line. This file, and the places that call
 * `blame`, decide whether an error is about an argument, a file, the device or the place to write to. It prints nothing; run.ts does.
 */
import { isRadarError, messageOf, type RadarError, type RadarErrorCode } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";
import { exitCodes, limitOf, type SignalName, signalCodes } from "./status.ts";

/** Kinds of errors. `unschedulable` and `incomplete` are not among them: they are results that have an exit status of their own. */
export type ErrorKind = Exclude<keyof typeof exitCodes, "ok" | "unschedulable" | "incomplete"> | "interrupted";

/** An error whose kind is known. */
export class CommandError extends Error {
  readonly kind: ErrorKind;
  readonly fields: Readonly<Record<string, unknown>>;

  constructor(kind: ErrorKind, message: string, fields: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "CommandError";
    this.kind = kind;
    this.fields = fields;
  }
}

/** Makes the error `OPTION must be EXPECTED, not ACTUAL`. */
export function argumentError(option: string, expected: string, actual: unknown): CommandError {
  return new CommandError("argument", `${option} must be ${expected}, not ${describe(actual)}`, { option, expected, actual });
}

/** Runs `work`. If it throws `input`, throws a CommandError of `kind` instead. `where` is put before the message. */
export async function blame<T>(kind: ErrorKind, where: string | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    throw new CommandError(kind, where === undefined ? error.message : `${where}: ${error.message}`, error.fields, error);
  }
}

/** Matches the name of a setting in a message of the processor, but not as part of a path. */
const settingName = /(?<![\w./\\-])settings\.(\w+)(?![.\-/\\]?\w)/g;

/**
 * Runs `work` of the processor. If it throws `input` about a setting, throws an error about the option that `optionOf` lists for the
 * setting; any other `input` error is about the input file. In messages, names of settings are replaced by names of options.
 */
export async function blameSettings<T>(optionOf: Readonly<Record<string, string>>, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const { settingOf } = await import("@dechirp/processor");
    const setting = settingOf(error);
    const { recording: file, ...fields } = error.fields;
    const said = (text: string): string =>
      text.replace(settingName, (all, name: string) => (Object.hasOwn(optionOf, name) ? optionOf[name] : all));
    if (setting === undefined)
      throw new CommandError("file", said(error.message), { ...(file === undefined ? {} : { file }), ...fields }, error);
    const option = optionOf[setting] ?? setting;
    // Users of options do not know settings. `about` is the parameter that the option does not suit.
    const { problem = error.message, field: _, about, ...others } = fields;
    throw new CommandError(
      "argument",
      `${option} ${said(String(problem))}`,
      { option, ...(about === undefined ? {} : { field: about }), ...others },
      error,
    );
  }
}

/** Makes the error about the option that `options` lists for the field of `error`. Returns undefined if it lists none. */
export function optionFault(error: RadarError, options: Readonly<Record<string, string>>): CommandError | undefined {
  const { field, expected, actual } = error.fields;
  if (typeof field !== "string" || !Object.hasOwn(options, field)) return undefined;
  return argumentError(options[field], String(expected), actual);
}

/** Runs `work`. If it throws `input` about the memory that it may use, throws an error about `--memory`. */
export async function blameMemory<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, { memoryBytes: "--memory" })) || error;
  }
}

/**
 * Runs `work` on what was read from `file`. If it throws `input`, throws an error about the option that `options` lists for the error's
 * field, else about the file.
 */
export async function blameOptions<T>(options: Readonly<Record<string, string>>, file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    throw optionFault(error, options) ?? new CommandError("file", `${file}: ${error.message}`, error.fields, error);
  }
}

const kinds: Readonly<Record<RadarErrorCode, ErrorKind>> = {
  "no-backend": "device",
  unsupported: "device",
  limit: "device",
  "out-of-memory": "device",
  compile: "device",
  failed: "device",
  "device-lost": "device",
  input: "file",
  aborted: "interrupted",
  layout: "internal",
  disposed: "internal",
};

/** What is reported about an error. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly exitCode: number;
  /** One line without control characters. */
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Describes any error for the user. `reason` is the reason of the signal that ended the work: the name of the process's signal. If it
 * is not one, SIGINT is assumed.
 */
export function failureOf(error: unknown, reason?: unknown): Failure {
  const signalName = isSignalName(reason) ? reason : "SIGINT";
  const failure = (kind: ErrorKind, message: string, fields: Readonly<Record<string, unknown>> = {}): Failure => ({
    kind,
    exitCode: kind === "interrupted" ? signalCodes[signalName] : exitCodes[kind],
    message: shortened(oneLine(message)),
    fields,
  });
  // If a file can't be opened because the process has reached a limit, the file is not at fault. A store is written, not read, where it is named.
  const blamed = (kind: ErrorKind, { reason, store }: Readonly<Record<string, unknown>>): ErrorKind => {
    if (kind !== "file" || reason === undefined) return kind;
    return limitOf({ code: reason }) !== undefined ? "device" : store !== undefined ? "write" : kind;
  };
  if (isA(CommandError, error)) return failure(blamed(error.kind, error.fields), error.message, error.fields);
  if (isRadarError(error)) {
    const kind = kinds[error.code];
    if (kind === "interrupted") return failure(kind, `interrupted by ${signalName}`);
    // A module that could not be loaded, or a process that could not be started.
    const limit = error.code === "failed" ? limitOf(error.cause) : undefined;
    return failure(blamed(kind, error.fields), limit === undefined ? error.message : `${limit}: ${error.message}`, error.fields);
  }
  const message = messageOf(error);
  if (isA(RangeError, error) && /allocation|array (buffer )?length|typed array length/i.test(message)) {
    return failure("device", `out of memory: ${message}`);
  }
  const limit = limitOf(error);
  if (limit !== undefined) return failure("device", `${limit}: ${message}`, { reason: (error as NodeJS.ErrnoException).code });
  if (isA(Error, error) && (error as { syscall?: unknown }).syscall === "uv_cwd")
    return failure("file", "the working folder no longer exists");
  return failure("internal", `internal error: ${message}`);
}

/** `error instanceof type`, also for objects that throw when they are inspected. */
export function isA<T>(type: abstract new (...args: never[]) => T, error: unknown): error is T {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}

const isSignalName = (reason: unknown): reason is SignalName => typeof reason === "string" && Object.hasOwn(signalCodes, reason);

/** Formats `{ error: … }` as JSON of limited size: long lists, typed arrays and deeply nested values become short texts. */
export function failureJson({ kind, exitCode, message, fields }: Failure): string {
  return JSON.stringify({ error: { code: kind, exitCode, message, fields: plain(fields, 3) } });
}

/** Limits on the items of a list and the characters of a text. Paths are shorter. */
const mostItems = 16;
const mostCharacters = 4096;

const shortened = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text);

/** Converts a value of any kind, such as one from a file, to what JSON can hold. */
function plain(value: unknown, depth: number): unknown {
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  if (typeof value === "string") return shortened(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0 || ArrayBuffer.isView(value)) return describe(value);
  const entries = Object.entries(value);
  if (entries.length > mostItems) return describe(value);
  if (Array.isArray(value)) return value.map((item) => plain(item, depth - 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, plain(item, depth - 1)]));
}
