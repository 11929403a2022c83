/** Fields that nothing knows, and values of the wrong type: a misspelt option must not pass as one that was left out. */
import { fieldError, RadarError, type RadarErrorCode } from "./errors.ts";

/**
 * Every field of `T` by name, with what `typeof` must say of its value, or true where anything may stand there. The compiler sees to it that
 * none is missing and none is there that `T` lacks.
 */
export type FieldsOf<T> = { readonly [K in keyof Required<T>]: true | "boolean" | "function" | "number" | "object" | "string" };

/** Throws `code`, naming `field`, where `value` is no object with named fields. */
export function checkObject(value: unknown, field: string, code: RadarErrorCode = "layout"): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw fieldError(code, field, "an object", value);
}

/**
 * Throws `code` (`input` where left out), naming the field, where `value` has one that is not among `fields` or is of another type; a field
 * that is undefined counts as left out, one that is null does not. `what` says what `value` is: "there is no field norm in an op fft, whose
 * fields are op, layout, …". `path` comes before the field's name in the error's fields.
 */
export function checkFields<T extends object>(
  value: T,
  fields: FieldsOf<T>,
  what: string,
  code: RadarErrorCode = "input",
  path = "",
): void {
  checkObject(value, what, code);
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined) continue;
    const field = `${path}${name}`;
    if (!Object.hasOwn(fields, name)) {
      const expected = Object.keys(fields).join(", ");
      throw new RadarError(code, `there is no field ${name} in ${what}, whose fields are ${expected}`, { field, expected });
    }
    const type = fields[name as keyof T];
    if (type !== true && (given === null || typeof given !== type)) throw fieldError(code, field, `of type ${type}`, given);
  }
}
