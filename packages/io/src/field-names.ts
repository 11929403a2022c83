/**
 * Finds misspelt field names in JSON files. An unknown field whose name resembles a known one is reported as an error, so that a typing
 * mistake is not taken for an absent field.
 */
import { inputError, RadarError } from "@dechirp/core";
import { nearestSpelling, oneLine } from "@dechirp/core/internal";
import { brief } from "./file-error.ts";

/** At most this many names of one file are compared with the known ones, because comparing takes time. */
const mostNames = 1000;

/**
 * Creates a check for the fields of objects in JSON file `file`. Call the result with the path of an object (`radar.`, as messages name
 * its fields), the object and the known names. It throws `input` with fields `{ file, field, expected, actual }` for an unknown name
 * that resembles a known one. Other unknown names, and values that are not objects, pass.
 */
export function createNameCheck(file: string): (path: string, value: unknown, known: readonly string[]) => void {
  if (typeof file !== "string") throw inputError("file", "a name, a text", file);
  let left = mostNames;
  return (path, value, known) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return;
    for (const [name, actual] of Object.entries(value)) {
      if (known.includes(name)) continue;
      if (left-- <= 0) return;
      const expected = nearestName(name, known);
      if (expected === undefined) continue;
      const field = `${path}${name}`;
      throw new RadarError("input", oneLine(`${file}: ${brief(field)}: did you mean ${expected}? There is no such field`), {
        file,
        field,
        expected,
        actual,
      });
    }
  };
}

/** Keeps letters and digits only, in lower case, so that prf_hz and PRF-Hz compare equal. */
const letters = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Longer names are compared by spelling only. */
const longest = 64;

/** The first word of a name: chirp of chirpRateHzPerSecond. */
const firstWord = (name: string): string => letters(/^[^A-Z_-]*/.exec(name)?.[0] ?? "");

/** First letters of the words of a name: prfh of pulseRepetitionFrequencyHz. */
const initials = (name: string): string =>
  letters(
    name
      .match(/[A-Z]?[a-z0-9]+/g)
      ?.map((word) => word[0])
      .join("") ?? "",
  );

/**
 * Finds the one of `names` that `name` most likely stands for, or returns `undefined`. It tries in this order: equal except for case,
 * hyphens and typing mistakes (`nearestSpelling` of core); a name that begins with `name`; a name that `name` begins with; a name that
 * begins with its initials; a name with the same first word.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const slip = nearestSpelling(name, names);
  const given = letters(name);
  if (slip !== undefined || given.length < 3 || name.length > longest) return slip;
  const first = initials(name);
  const rules: readonly ((known: string) => boolean)[] = [
    (known) => letters(known).startsWith(given),
    (known) => letters(known).length >= 3 && given.startsWith(letters(known)),
    (known) => first.length >= 3 && letters(known).startsWith(first),
    (known) => firstWord(known).length >= 3 && firstWord(known) === firstWord(name),
  ];
  for (const rule of rules) {
    const found = names.find(rule);
    if (found !== undefined) return found;
  }
  return undefined;
}
