/** Checks of settings that do not depend on a recording. */
import { isRadarError } from "@dechirp/core";
import { checkWindow, type Window } from "@dechirp/radar";
import { settingError } from "./blame.ts";

/**
 * Throws `input`, which names the setting, if it is given and `accepts` returns false for its value. `expected` says which values are
 * allowed.
 */
export function checkSetting<S extends object, K extends keyof S & string>(
  settings: S,
  name: K,
  expected: string,
  accepts: (value: NonNullable<S[K]>) => boolean,
): void {
  const value = settings[name];
  if (value !== undefined && (value === null || !accepts(value))) throw settingError(name, expected, value);
}

/** Whether a number is positive and finite. */
export const isPositive = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;

/** Throws `input`, which names the setting, if it is given and is not a window of the sar package. */
export function checkWindowSetting(name: string, window: Window | undefined, options: { readonly continuous?: boolean } = {}): void {
  if (window === undefined) return;
  try {
    checkWindow(window, name, options);
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const { field, expected, actual } = error.fields;
    throw settingError(String(field), String(expected), actual);
  }
}

/** Returns a function that tells whether a value is one of `values`. */
export const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);
