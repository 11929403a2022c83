/**
 * Detection of misspelt names in objects that may have additional fields, such as scenes and settings. An unknown field is accepted
 * unless its name is close to that of a known field; then it is probably a typing error.
 */
import { RadarError, type RadarErrorCode } from "./errors.ts";
import { checkFields, checkObject, type FieldsOf } from "./fields.ts";

/** Longer names are not compared: they are hardly typing errors, and comparing them takes time. */
const longestName = 64;
/** Largest number of unknown names of one object that are compared. */
const mostNames = 1000;

/** The name's letters and digits in lower case: prf_hz and PRF-Hz mean the same. */
const letters = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/**
 * The name in `names` that is closest to `name`. Ignores case and punctuation, and allows one typing error for every three letters.
 * Undefined if no name is close enough.
 */
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

/**
 * Number of typing errors between two names: letters replaced, missing, added, or swapped with their neighbour (Damerau 1964, without
 * overlaps).
 */
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
 * Throws `code`, naming the field, if `value` is not an object, has a known field of the wrong type, or has an unknown field whose name
 * is close to a known one. Accepts other unknown fields. `what` says what `value` is. Default of `code`: `input`.
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
