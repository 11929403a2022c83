/**
 * Errors about bad files. Each is a `RadarError` with code `input` whose message and fields name the file, the byte offset if there is
 * one, what was expected and what was found.
 */
import { RadarError } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";

/** Makes an `input` error about byte `offset` of `file`, with fields `{ file, offset, expected, actual }`. */
export function fileError(file: string, offset: number, expected: string, actual: unknown, cause?: unknown): RadarError {
  const message = `${file}: at byte ${offset}: expected ${expected}, found ${phrase(actual)}`;
  return new RadarError("input", oneLine(message), { file, offset, expected, actual }, cause);
}

/** Formats a found value for a message: short plain text without quotes, anything else as `describe` formats it. */
const phrase = (actual: unknown): string =>
  typeof actual === "string" && /^[\w<>|][\w .,:<>|()[\]-]{0,99}$/.test(actual) ? actual : describe(actual);

/** Shortens a field name for a message: the name comes from a file and can have any length. */
export const brief = (field: string): string => (field.length > 200 ? `${field.slice(0, 197)}...` : field);

/** Like `fieldError`, but `found` is a description in words instead of a value from the file. */
export function stateError(file: string, field: string, expected: string, found: string): RadarError {
  return new RadarError("input", oneLine(`${file}: ${brief(field)} must be ${expected}, not ${found}`), {
    file,
    field,
    expected,
    actual: found,
  });
}

/** Makes an `input` error about a named field or variable of `file`, with fields `{ file, field, expected, actual }`. */
export function fieldError(file: string, field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  const message = `${file}: ${brief(field)} must be ${expected}, not ${describe(actual)}`;
  return new RadarError("input", oneLine(message), { file, field, expected, actual }, cause);
}

/**
 * Makes an `input` error about the file or folder at `path` itself; `found` says in words what is there. Fields: `{ file, expected,
 * actual }`.
 */
export function pathError(path: string, expected: string, found: string): RadarError {
  return new RadarError("input", oneLine(`${path}: must be ${expected}, not ${found}`), { file: path, expected, actual: found });
}

/** Describes the contents of a folder for a `pathError` about a missing file. */
export const namesText = (names: readonly string[]): string =>
  names.length === 0 ? "an empty folder" : `a folder with ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""}`;
