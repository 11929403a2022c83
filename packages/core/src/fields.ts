/** Fields that nothing knows, and values of the wrong type: a misspelt option must not pass as one that was left out. */
import { fieldError, RadarError, type RadarErrorCode } from "./errors.ts";

/**
 * Every field of `T` by name, with what `typeof` must say of its value, or true where anything may stand there. The compiler sees to it that
 * none is missing and none is there that `T` lacks.
 */
export type FieldsOf<T> = { readonly [K in keyof Required<T>]: true | "boolean" | "function" | "number" | "object" | "string" };

/** Throws for what is no device. */
export function checkDevice(device: { readonly plan?: unknown } | undefined | null): void {
  if (typeof device?.plan !== "function") throw fieldError("layout", "device", "a device, which open() makes", device);
}

/** The entries of an object. Throws `code`, naming `field`, where `value` is no object with named fields, or they can't be read. */
export function checkObject(value: unknown, field: string, code: RadarErrorCode = "layout"): readonly (readonly [string, unknown])[] {
  try {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  } catch {
    // A proxy, or a field that throws.
  }
  throw fieldError(code, field, "an object", value);
}

/**
 * Throws `code` where `value`, which is called `field`, is no object or has a name that is not among `known`. `kind` says what the names are
 * of, `path` comes before the name in the error's fields, `where` after it in the message.
 */
export function checkNames(
  value: object,
  known: object,
  kind: string,
  field: string,
  code: RadarErrorCode = "layout",
  path = `${field}.`,
  where = "",
): void {
  for (const [name, given] of checkObject(value, field, code)) {
    if (given === undefined || Object.hasOwn(known, name)) continue;
    const expected = Object.keys(known).join(", ");
    throw new RadarError(code, `there is no ${kind} ${name}${where}; the ${kind}s are ${expected}`, { field: `${path}${name}`, expected });
  }
}

/**
 * Throws `code` (`input` where left out), naming the field, where `value` has one that is not among `fields` or is of another type; a field
 * that is undefined counts as left out, one that is null does not. `what` says what `value` is: "there is no field norm in an op fft; the
 * fields are op, layout, …". `path` comes before the field's name in the error's fields.
 */
export function checkFields<T extends object>(
  value: T,
  fields: FieldsOf<T>,
  what: string,
  code: RadarErrorCode = "input",
  path = "",
): void {
  checkNames(value, fields, "field", what, code, path, ` in ${what}`);
  for (const [name, given] of Object.entries(value)) {
    const type = fields[name as keyof T];
    if (given !== undefined && type !== true && (given === null || typeof given !== type))
      throw fieldError(code, `${path}${name}`, `of type ${type}`, given);
  }
}
