/**
 * The one way this package reports a bad file: a `RadarError` `input` whose message and fields name the file, the byte
 * offset where there is one, what was expected and what was found.
 */
import { RadarError } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";

/** An `input` error about `file` at byte `offset`; fields `{ file, offset, expected, actual }`. */
export function fileError(file: string, offset: number, expected: string, actual: unknown, cause?: unknown): RadarError {
  const message = `${file}: at byte ${offset}: expected ${expected}, found ${phrase(actual)}`;
  return new RadarError("input", oneLine(message), { file, offset, expected, actual }, cause);
}

/** Short plain text as it is, in the middle of a sentence; anything else as `describe` shows it. */
const phrase = (actual: unknown): string =>
  typeof actual === "string" && /^[\w<>|][\w .,:<>|()[\]-]{0,99}$/.test(actual) ? actual : describe(actual);

/** A field's name as a file has it may be of any length. */
export const brief = (field: string): string => (field.length > 200 ? `${field.slice(0, 197)}...` : field);

/** As `fieldError`, where what was found is told in words, not a value of the file. */
export function stateError(file: string, field: string, expected: string, found: string): RadarError {
  return new RadarError("input", oneLine(`${file}: ${brief(field)} must be ${expected}, not ${found}`), {
    file,
    field,
    expected,
    actual: found,
  });
}

/** An `input` error about a named field or variable of `file`; fields `{ file, field, expected, actual }`. */
export function fieldError(file: string, field: string, expected: string, actual: unknown, cause?: unknown): RadarError {
  const message = `${file}: ${brief(field)} must be ${expected}, not ${describe(actual)}`;
  return new RadarError("input", oneLine(message), { file, field, expected, actual }, cause);
}

/** An `input` error about what is at `path` itself, found in words; fields `{ file, expected, actual }`. */
export function pathError(path: string, expected: string, found: string): RadarError {
  return new RadarError("input", oneLine(`${path}: must be ${expected}, not ${found}`), { file: path, expected, actual: found });
}

/** What a folder has, for a `pathError` about what it lacks. */
export const namesText = (names: readonly string[]): string =>
  names.length === 0 ? "an empty folder" : `a folder with ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", ..." : ""}`;
