/**
 * Fields of objects that may have others: of whole scenes, settings and what users make of them. Names that nothing knows pass, unless they are
 * nearly those of known fields: a slip of the finger must not pass as a field that was left out.
 */
import { RadarError, type RadarErrorCode } from "./errors.ts";
import { checkFields, checkObject, type FieldsOf } from "./fields.ts";

/** Longer ones are nobody's slip of the finger, and comparing them takes time. */
const longestName = 64;
/** Unknown names of one object that are looked at. */
const mostNames = 1000;

/** Letters and digits only, as prf_hz and PRF-Hz are meant alike. */
const letters = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Of `names` the one that `name` is but for case, hyphens and a slip of the finger for every three letters; the nearest. Undefined where there is none. */
export function nearestSpelling(name: string, names: readonly string[]): string | undefined {
  if (name.length > longestName) return undefined;
  const given = letters(name);
  let found: string | undefined;
  let nearest = given.length < 2 ? 0 : Math.floor(given.length / 3) + 1;
  for (const known of names) {
    const apart = slips(given, letters(known));
    if (apart < nearest) [found, nearest] = [known, apart];
  }
  return found;
}

/** Letters that are exchanged, missing, superfluous or swapped with their neighbour (Damerau 1964, without overlaps). */
function slips(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[b.length];
}

/**
 * Throws `code`, naming the field, where `value` is no object, has a known field of the wrong type, or one that is unknown and nearly known.
 * Other unknown fields pass. `what` says what `value` is.
 */
export function checkSpelling<T extends object>(value: T, fields: FieldsOf<T>, what: string, code: RadarErrorCode = "input"): void {
  checkObject(value, what, code);
  const names = Object.keys(fields);
  const entries = Object.entries(value);
  checkFields(Object.fromEntries(entries.filter(([name]) => Object.hasOwn(fields, name))) as T, fields, what, code);
  for (const [name, actual] of entries.filter(([other]) => !Object.hasOwn(fields, other)).slice(0, mostNames)) {
    const expected = actual === undefined ? undefined : nearestSpelling(name, names);
    if (expected === undefined) continue;
    throw new RadarError(code, `there is no field ${name} in ${what}: did you mean ${expected}?`, { field: name, expected, actual });
  }
}
