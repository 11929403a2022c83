/** Fields that nothing knows: a misspelt option must not pass as one that was left out. */
import { describe, RadarError, type RadarErrorCode } from "./errors.ts";

/** Every field of `T` by name. The compiler sees to it that none is missing and none is there that `T` lacks. */
export type FieldsOf<T> = { readonly [K in keyof Required<T>]: true };

/**
 * Throws `code` (`input` where left out), naming the field, where `value` has one that is not among `fields`; a field that is undefined
 * counts as left out. `what` says what `value` is: "there is no field norm in an op fft, whose fields are op, layout, …". `path` comes
 * before the field's name in the error's fields.
 */
export function checkFields<T extends object>(
  value: T,
  fields: FieldsOf<T>,
  what: string,
  code: RadarErrorCode = "input",
  path = "",
): void {
  const expected = Object.keys(fields).join(", ");
  if (typeof value !== "object" || value === null)
    throw new RadarError(code, `${what} must be an object, not ${describe(value)}`, { expected });
  for (const [name, given] of Object.entries(value)) {
    if (given === undefined || Object.hasOwn(fields, name)) continue;
    throw new RadarError(code, `there is no field ${name} in ${what}, whose fields are ${expected}`, { field: `${path}${name}`, expected });
  }
}
