/**
 * Checks of objects that users pass: unknown fields and values of the wrong type. They exist so that a misspelt option is an error and is
 * not taken for an absent one.
 */
import { fieldError, RadarError, type RadarErrorCode } from "./errors.ts";

/**
 * A table of all fields of `T`: the type that `typeof` must return for the value, or true if any value is accepted here. The compiler
 * checks that the table has all fields of `T` and no others.
 */
export type FieldsOf<T> = { readonly [K in keyof Required<T>]: true | "boolean" | "function" | "number" | "object" | "string" };

/** Whether `value` has a method `name`. False if that can't be read, as of a proxy that throws. */
export function hasMethod(value: unknown, name: string): boolean {
  try {
    return typeof (value as Record<string, unknown> | undefined | null)?.[name] === "function";
  } catch {
    return false;
  }
}

/** Throws `layout` unless `device` is a device. */
export function checkDevice(device: unknown): void {
  if (!hasMethod(device, "plan")) throw fieldError("layout", "device", "a device, as open() returns", device);
}

/** Returns the entries of an object. Throws `code`, naming `field`, if `value` is not an object with named fields or can't be read. */
export function checkObject(value: unknown, field: string, code: RadarErrorCode = "layout"): readonly (readonly [string, unknown])[] {
  try {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Object.entries(value);
  } catch {
    // A proxy, or a getter that throws.
  }
  throw fieldError(code, field, "an object", value);
}

/**
 * Throws `code` if `value` is not an object, or has a field that is not in `known`. `field` is the name of `value`. `kind` is the word
 * for its fields in the message, such as "port". `path` precedes the field's name in the error's fields; `where` follows it in the
 * message.
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
 * Throws `code`, naming the field, if `value` has a field that is not in `fields` or has the wrong type. An undefined field counts as
 * absent; null does not. `what` says what `value` is: "there is no field norm in an op fft; the fields are op, layout, …". `path`
 * precedes the field's name in the error's fields. Default of `code`: `input`.
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
