/**
 * The only error class of dechirp. Every failure that a caller can meet is a `RadarError` with a `code` from a closed list, `fields` that
 * name what was wrong, and a message of one sentence.
 *
 * `isRadarError` looks for a brand instead of using `instanceof`, so that errors are recognised even if a process has two copies of core.
 */

/** The kinds of errors. */
export type RadarErrorCode =
  /** No backend of those given to `open` could be opened. */
  | "no-backend"
  /** The device can't do this operation, dtype or option. */
  | "unsupported"
  /** A layout, a port or a binding does not fit the operation. */
  | "layout"
  /** A size is beyond a limit of the device. */
  | "limit"
  /** The device or the host has no memory for an array. */
  | "out-of-memory"
  /** A program, a shader or a module did not compile. */
  | "compile"
  /** A run failed on the device: a kernel threw or trapped, a worker died. */
  | "failed"
  /** The device has gone, for example because a GPU was reset. */
  | "device-lost"
  /** The buffer, plan or device was disposed of. */
  | "disposed"
  /** A file or a parameter is wrong. */
  | "input"
  /** An `AbortSignal` stopped the work. */
  | "aborted";

/** What an error is about, as plain data: `field` or `port` or `file`, `expected`, `actual`, `offset` and so on. */
export type ErrorFields = Readonly<Record<string, unknown>>;

const brand = Symbol.for("dechirp.RadarError");

/** The error that dechirp throws. `code` gives its kind, `fields` what was wrong, and `cause` the original error if there is one. */
export class RadarError extends Error {
  readonly code: RadarErrorCode;
  readonly fields: ErrorFields;
  readonly [brand] = true;

  constructor(code: RadarErrorCode, message: string, fields: ErrorFields = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "RadarError";
    this.code = code;
    this.fields = fields;
  }
}

/** Whether `error` is a `RadarError`, and has the code `code` if one is given. */
export function isRadarError(error: unknown, code?: RadarErrorCode): error is RadarError {
  try {
    const { [brand]: known, code: actual } = error as { [brand]?: unknown; code?: unknown };
    return known === true && (code === undefined || actual === code);
  } catch {
    return false; // `error` is null, or a proxy that throws
  }
}

/** The message of a caught value, in one line. Works for any value, even one that can't be converted to text. */
export function messageOf(error: unknown): string {
  try {
    const said = typeof error === "string" ? error : (error as Error).message;
    if (typeof said === "string" && said !== "") return oneLine(said);
  } catch {
    // The value has no message that can be read.
  }
  return describe(error);
}

/**
 * Returns `error` if it is a `RadarError`. Otherwise makes one with the message "`what` failed: …" and `error` as its cause. Default
 * code: `failed`.
 */
export const asRadarError = (error: unknown, what: string, code: RadarErrorCode = "failed", fields: ErrorFields = { what }): RadarError =>
  isRadarError(error) ? error : new RadarError(code, `${what} failed: ${messageOf(error)}`, fields, error);

/**
 * Makes an `input` error about one field, with the message `field must be <expected>, not <actual>`. If `actual` is undefined, the
 * message ends with `; there is none`.
 */
export function inputError(field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  return fieldError("input", field, expected, actual, cause);
}

/** Makes a `layout` error about one field of an operation, program or array. The message is that of `inputError`. */
export function layoutError(field: string, expected: string, actual: unknown): RadarError {
  return fieldError("layout", field, expected, actual);
}

/** Makes an error of any code about one field. See `inputError` for the message. */
export function fieldError(code: RadarErrorCode, field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  const found = actual === undefined ? "; there is none" : `, not ${describe(actual)}`;
  return new RadarError(code, `${field} must be ${expected}${found}`, { field, expected, actual }, cause);
}

/**
 * The message on one line: line breaks become spaces, and other control and bidirectional characters, which files and their names may
 * contain, become question marks.
 */
export const oneLine = (message: string): string =>
  message
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Bidi_C}]/gu, "?");

/** A short text of any value for an error message. Never throws. */
export function describe(value: unknown): string {
  try {
    return text(value, 2);
  } catch {
    return `a value of type ${typeof value}`; // for example a proxy that throws
  }
}

function text(value: unknown, depth: number): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (Array.isArray(value) && depth === 0) return "[...]";
  if (Array.isArray(value))
    return `[${value
      .slice(0, 8)
      .map((v) => text(v, depth - 1))
      .join(", ")}${value.length > 8 ? ", ..." : ""}]`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${(value as Uint8Array).length ?? value.byteLength})`;
  if (typeof value === "object" && value !== null) {
    // `constructor` may be any value in parsed JSON.
    const name: unknown = value.constructor?.name;
    return typeof name === "string" && name !== "" ? shortened(name) : "an object";
  }
  if (typeof value === "function") return `function ${value.name}`.trim();
  return String(value);
}

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}...` : name);

/** Throws `aborted` if `signal` has fired. `what` names the work in the message. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new RadarError("aborted", `${what} was aborted`, { what }, signal.reason);
}
