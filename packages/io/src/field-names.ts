/** Fields of a JSON file that nothing knows but that are near ones that are known: somebody's slip, which must not pass as a field left out. */
import { inputError, oneLine, RadarError } from "@dechirp/core";
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

/** The first word of a name such as chirpRateHzPerSecond. */
const firstWord = (name: string): string => letters(/^[^A-Z_-]*/.exec(name)?.[0] ?? "");

/** Longer ones are nobody's slip of the finger, and comparing them takes time. */
const longest = 64;

/**
 * Of `names` the one that is nearest to `name`: equal but for case and hyphens, the beginning of it or what it begins with, a slip of
 * the finger or two away (more in long names), or one with the same first word, in this order. Undefined where none is near.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const given = letters(name);
  if (given.length < 2 || name.length > longest) return undefined;
  const slips = Math.floor(given.length / 3);
  const rules: readonly ((known: string) => boolean)[] = [
    (known) => letters(known) === given,
    (known) => given.length >= 3 && letters(known).startsWith(given),
    (known) => letters(known).length >= 3 && given.startsWith(letters(known)),
    ...Array.from({ length: slips }, (_, i) => (known: string) => distance(given, letters(known)) === i + 1),
    (known) => given.length >= 3 && firstWord(known).length >= 3 && firstWord(known) === firstWord(name),
  ];
  for (const rule of rules) {
    const found = names.find(rule);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Letters that are exchanged, missing, superfluous or swapped with their neighbour (Damerau 1964, without overlaps). */
function distance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}
