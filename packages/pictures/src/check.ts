/** Checks of what pictures are drawn of: each throws `input`, naming the field. */
import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";

/** Throws unless `value` is an object whose fields `names` are texts. */
export function checkTexts(value: object, names: readonly string[], field: string): void {
  const fields = new Map(checkObject(value, field, "input"));
  for (const name of names) if (typeof fields.get(name) !== "string") throw inputError(path(field, name), "text", fields.get(name));
}

/** Throws unless `value` is a text or left out. */
export function checkNote(value: unknown, field: string): void {
  if (value !== undefined && typeof value !== "string") throw inputError(field, "text", value);
}

/** Throws unless `value` is a list whose items pass a check. */
export function checkList<T>(value: readonly T[], field: string, check: (item: T, field: string) => void): void {
  if (!Array.isArray(value)) throw inputError(field, "a list", value);
  for (let i = 0; i < value.length; i++) check(value[i], `${field}[${i}]`);
}

export function checkText(value: unknown, field: string): void {
  if (typeof value !== "string") throw inputError(field, "text", value);
}

/** Throws unless `value` is a list of numbers, be they finite or not. */
export const checkNumbers = (value: readonly number[], field: string): void =>
  checkList(value, field, (number, at) => {
    if (typeof number !== "number") throw inputError(at, "a number", number);
  });

/** Throws unless there are options, and their signal is one. */
export function checkSignal(options: { readonly signal?: AbortSignal }): void {
  const [, signal] = checkObject(options, "options", "input").find(([name]) => name === "signal") ?? [];
  if (signal !== undefined && typeof (signal as AbortSignal | null)?.addEventListener !== "function")
    throw inputError("options.signal", "an AbortSignal", signal);
}

const path = (field: string, name: string): string => (field === "" ? name : `${field}.${name}`);
