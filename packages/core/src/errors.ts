/**
 * The one error class of dechirp. Everything that can go wrong for a caller is a `RadarError` with a `code` from a
 * closed list and typed `fields` that name what was wrong; the message is one sentence for people. The brand, not
 * `instanceof`, decides, so that two copies of core in one process agree.
 */

export type RadarErrorCode =
  /** No backend of those given to `open` could be opened. */
  | "no-backend"
  /** The device can't do this operation, dtype or option. */
  | "unsupported"
  /** A layout, a port or a binding does not fit the operation. */
  | "layout"
  /** A size is beyond a limit of the device. */
  | "limit"
  | "out-of-memory"
  /** A program, a shader or a module did not compile. */
  | "compile"
  /** A run failed on the device: a kernel threw or trapped, a worker died. */
  | "failed"
  | "device-lost"
  /** Use after `dispose`. */
  | "disposed"
  /** A bad file or parameter. */
  | "input"
  | "aborted";

/** What an error is about: `field` or `port` or `file`, `expected`, `actual`, `offset`… Values are plain data. */
export type ErrorFields = Readonly<Record<string, unknown>>;

const brand = Symbol.for("dechirp.RadarError");

/** The only error that is thrown on purpose: `code` says what kind, `fields` what was wrong. */
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

/** Narrows `error` to a `RadarError`, of the given code where one is named. */
export function isRadarError(error: unknown, code?: RadarErrorCode): error is RadarError {
  try {
    const { [brand]: known, code: actual } = error as { [brand]?: unknown; code?: unknown };
    return known === true && (code === undefined || actual === code);
  } catch {
    return false; // null, or a proxy that throws
  }
}

/** What a caught value says, in one line. The value may be anything, also one that no text can be made of. */
export function messageOf(error: unknown): string {
  try {
    const said = typeof error === "string" ? error : (error as Error).message;
    if (typeof said === "string" && said !== "") return oneLine(said);
  } catch {
    // It has no message, or none that can be read.
  }
  return describe(error);
}

/** `error` itself where it is a `RadarError`; otherwise one which says that `what` failed, with `error` as its cause. */
export const asRadarError = (error: unknown, what: string, code: RadarErrorCode = "failed", fields: ErrorFields = { what }): RadarError =>
  isRadarError(error) ? error : new RadarError(code, `${what} failed: ${messageOf(error)}`, fields, error);

/** An `input` error about one field: `field must be <expected>, not <actual>`, or `…; there is none` where that is undefined. */
export function inputError(field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  return fieldError("input", field, expected, actual, cause);
}

/** The same about a field of an operation or array. */
export function layoutError(field: string, expected: string, actual: unknown): RadarError {
  return fieldError("layout", field, expected, actual);
}

export function fieldError(code: RadarErrorCode, field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  const found = actual === undefined ? "; there is none" : `, not ${describe(actual)}`;
  return new RadarError(code, `${field} must be ${expected}${found}`, { field, expected, actual }, cause);
}

/** Line breaks become spaces, other control characters and bidirectional ones (a file or its name may hold any) question marks. */
export const oneLine = (message: string): string =>
  message
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[\p{Cc}\p{Bidi_C}]/gu, "?");

/** A short, safe text of any value for an error message. */
export function describe(value: unknown): string {
  try {
    return text(value, 2);
  } catch {
    return `a value of type ${typeof value}`; // such as a proxy that throws
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
    // Of parsed JSON, it may be anything.
    const name: unknown = value.constructor?.name;
    return typeof name === "string" && name !== "" ? shortened(name) : "an object";
  }
  if (typeof value === "function") return `function ${value.name}`.trim();
  return String(value);
}

const shortened = (name: string): string => (name.length > 60 ? `${name.slice(0, 57)}...` : name);

/** Throws `aborted` where `signal` has fired. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new RadarError("aborted", `${what} was aborted`, { what }, signal.reason);
}
