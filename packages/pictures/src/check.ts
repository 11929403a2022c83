/** Checks of the data that pictures are drawn from. Each throws `input`, which names the field. */
import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";

/** Throws if `value` is not an object whose fields `names` are texts. */
export function checkTexts(value: object, names: readonly string[], field: string): void {
  const fields = new Map(checkObject(value, field, "input"));
  for (const name of names) if (typeof fields.get(name) !== "string") throw inputError(path(field, name), "text", fields.get(name));
}

/** Throws if `value` is neither a text nor left out. */
export function checkNote(value: unknown, field: string): void {
  if (value !== undefined && typeof value !== "string") throw inputError(field, "text", value);
}

/** Throws if `value` is not a list, or if an item fails `check`. */
export function checkList<T>(value: readonly T[], field: string, check: (item: T, field: string) => void): void {
  if (!Array.isArray(value)) throw inputError(field, "a list", value);
  for (let i = 0; i < value.length; i++) check(value[i], `${field}[${i}]`);
}

/** Throws if `value` is not a text. */
export function checkText(value: unknown, field: string): void {
  if (typeof value !== "string") throw inputError(field, "text", value);
}

/** Throws if `value` is not a list of numbers. The numbers need not be finite. */
export const checkNumbers = (value: readonly number[], field: string): void =>
  checkList(value, field, (number, at) => {
    if (typeof number !== "number") throw inputError(at, "a number", number);
  });

/** Throws if `options` is not an object or its signal is not an AbortSignal. */
export function checkSignal(options: { readonly signal?: AbortSignal }): void {
  const [, signal] = checkObject(options, "options", "input").find(([name]) => name === "signal") ?? [];
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function")
    throw inputError("options.signal", "an AbortSignal", signal);
}

const path = (field: string, name: string): string => (field === "" ? name : `${field}.${name}`);
