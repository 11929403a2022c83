/** Checks of settings that do not depend on a recording. */
import { formatWindow, type Window } from "@dechirp/sar";
import { settingError } from "./blame.ts";

/** Throws `input`, naming the setting, where it is there and `accepts` does not take its value; `expected` says what it takes. */
export function checkSetting<S extends object, K extends keyof S & string>(
  settings: S,
  name: K,
  expected: string,
  accepts: (value: NonNullable<S[K]>) => boolean,
): void {
  const value = settings[name];
  if (value !== undefined && (value === null || !accepts(value))) throw settingError(name, expected, value);
}

export const isPositive = (value: number): boolean => value > 0 && value < Number.POSITIVE_INFINITY;

/** Throws `input`, naming the setting, where it is there and no window of sar's. */
export function checkWindowSetting(name: string, window: Window | undefined): void {
  if (window === undefined) return;
  try {
    formatWindow(window);
  } catch {
    throw settingError(name, "a window", window);
  }
}

/** Whether a value is one of `values`. */
export const oneOf =
  (...values: readonly string[]) =>
  (value: string): boolean =>
    values.includes(value);
