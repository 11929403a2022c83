/** Fields of a JSON file that nothing knows but that are near ones that are known: somebody's slip, which must not pass as a field left out. */
import { inputError, RadarError } from "@dechirp/core";
import { nearestSpelling, oneLine } from "@dechirp/core/internal";
import { brief } from "./file-error.ts";

/** Names of one file that are looked at: nobody misspells more, and comparing them takes time. */
const mostNames = 1000;

/**
 * A check of the fields of objects in JSON file `file`. Call it with where an object is (`radar.`, as messages name its fields), the object and the
 * names that are known: it throws `input` with fields `{ file, field, expected, actual }` for a name that is not known but near
 * one, and lets all others pass, as it does what is no object.
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

/** Letters and digits only, as prf_hz and PRF-Hz are meant alike. */
const letters = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Longer ones are looked at no further. */
const longest = 64;

/** The first word of a name such as chirpRateHzPerSecond. */
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
 * Of `names` the one that is nearest to `name`: equal but for case, hyphens and slips of the finger (`nearestSpelling` of core), what it
 * begins with or the beginning of it, what begins with its initials, or one with the same first word, in this order. Undefined where none
 * is near.
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
