/**
 * What can go wrong for somebody at a terminal, and the exit status that says so. Every error becomes one line; whose
 * fault it is (an argument, a file, the device, the place to write to) is decided here and where `blame` is called. No
 * printing: run.ts does that.
 */
import { isRadarError, messageOf, type RadarError, type RadarErrorCode } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";
import { exitCodes, limitOf, type SignalName, signalCodes } from "./status.ts";

/** `unschedulable` is no error: a result that --strict makes a status of. */
export type ErrorKind = Exclude<keyof typeof exitCodes, "ok" | "unschedulable"> | "interrupted";

/** An error whose kind is decided. */
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

/** `--window must be …, not …` */
export function argumentError(option: string, expected: string, actual: unknown): CommandError {
  return new CommandError("argument", `${option} must be ${expected}, not ${describe(actual)}`, { option, expected, actual });
}

/** Runs `work`; an `input` error of it is the fault of `kind`. `where` is put before the message. */
export async function blame<T>(kind: ErrorKind, where: string | undefined, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    throw new CommandError(kind, where === undefined ? error.message : `${where}: ${error.message}`, error.fields, error);
  }
}

/** A setting in a message of the processor, and no part of a path. */
const settingName = /(?<![\w./\\-])settings\.(\w+)(?![.\-/\\]?\w)/g;

/**
 * Runs `work` of the processor. Where it says that a setting is wrong, or does not suit the recording, that is the fault of the option
 * that `optionOf` has for it; any other `input` error is the input's. Messages name options where the processor's name settings.
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
    // Who types options knows of no settings: `about` is the parameter that the option does not suit.
    const { problem = error.message, field: _, about, ...others } = fields;
    throw new CommandError(
      "argument",
      `${option} ${said(String(problem))}`,
      { option, ...(about === undefined ? {} : { field: about }), ...others },
      error,
    );
  }
}

/** The error about the option that `options` has for the field of `error`; undefined where it has none. */
export function optionFault(error: RadarError, options: Readonly<Record<string, string>>): CommandError | undefined {
  const { field, expected, actual } = error.fields;
  if (typeof field !== "string" || !Object.hasOwn(options, field)) return undefined;
  return argumentError(options[field], String(expected), actual);
}

/**
 * Runs `work` on what was read from `file`; an `input` error of it is the fault of the option that `options` has by the error's field, else
 * the file's.
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

/** What is told about an error. */
export interface Failure {
  readonly kind: ErrorKind;
  readonly exitCode: number;
  /** One line without control characters. */
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `reason`: of the signal that the work had to end by, which names the process's where there was one; SIGINT where it does not. */
export function failureOf(error: unknown, reason?: unknown): Failure {
  const signalName = isSignalName(reason) ? reason : "SIGINT";
  const failure = (kind: ErrorKind, message: string, fields: Readonly<Record<string, unknown>> = {}): Failure => ({
    kind,
    exitCode: kind === "interrupted" ? signalCodes[signalName] : exitCodes[kind],
    message: shortened(oneLine(message)),
    fields,
  });
  // A file that can't be opened for want of a number is no bad file.
  const blamed = (kind: ErrorKind, { reason }: Readonly<Record<string, unknown>>): ErrorKind =>
    kind === "file" && limitOf({ code: reason }) !== undefined ? "device" : kind;
  if (isA(CommandError, error)) return failure(blamed(error.kind, error.fields), error.message, error.fields);
  if (isRadarError(error)) {
    const kind = kinds[error.code];
    return kind === "interrupted"
      ? failure(kind, `interrupted by ${signalName}`)
      : failure(blamed(kind, error.fields), error.message, error.fields);
  }
  const message = messageOf(error);
  if (isA(RangeError, error) && /allocation|array (buffer )?length|typed array length/i.test(message)) {
    return failure("device", `out of memory: ${message}`);
  }
  const limit = limitOf(error);
  if (limit !== undefined) return failure("device", `${limit}: ${message}`, { reason: (error as NodeJS.ErrnoException).code });
  if (isA(Error, error) && (error as { syscall?: unknown }).syscall === "uv_cwd")
    return failure("file", "the working folder is not there any more");
  return failure("internal", `internal error: ${message}`);
}

/** `error instanceof type`, also of what throws when it is looked at. */
export function isA<T>(type: abstract new (...args: never[]) => T, error: unknown): error is T {
  try {
    return error instanceof type;
  } catch {
    return false;
  }
}

const isSignalName = (reason: unknown): reason is SignalName => typeof reason === "string" && Object.hasOwn(signalCodes, reason);

/** `{ error: … }` as JSON, of bounded size: long lists, typed arrays and what is nested deeply become short texts. */
export function failureJson({ kind, exitCode, message, fields }: Failure): string {
  return JSON.stringify({ error: { code: kind, exitCode, message, fields: plain(fields, 3) } });
}

/** Items of a list, and characters of a text: a path has fewer. */
const mostItems = 16;
const mostCharacters = 4096;

const shortened = (text: string): string => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}...` : text);

/** What JSON can hold of a value, which may be anything that a file had in a field's place. */
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
