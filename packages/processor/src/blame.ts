/**
 * Decides whether an error is about a setting that the caller gave or about the recording. Both are `RadarError`s with code `input`.
 * `settingOf` tells them apart, so that a program with its own names for settings (such as command line options) can use those names in
 * its messages.
 */
import { isRadarError, RadarError } from "@dechirp/core";
import { describe } from "@dechirp/core/internal";

const prefix = "settings.";

/**
 * Returns the name of the setting that `error` is about: one with a wrong value, or one that does not suit the recording. Returns
 * `undefined` for any other error.
 */
export function settingOf(error: unknown): string | undefined {
  if (!isRadarError(error, "input")) return undefined;
  const { field } = error.fields;
  return typeof field === "string" && field.startsWith(prefix) ? field.slice(prefix.length).split(/[.[]/, 1)[0] : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Makes the error `settings.NAME PROBLEM`. Its field `problem` lets programs that call the setting by another name rephrase it. */
export const settingProblem = (setting: string, problem: string, fields: Fields = {}, cause?: unknown): RadarError =>
  new RadarError("input", `${prefix}${setting} ${problem}`, { ...fields, field: `${prefix}${setting}`, problem }, cause);

/** Makes the error `settings.NAME must be EXPECTED, not ACTUAL`. */
export const settingError = (setting: string, expected: string, actual: unknown): RadarError =>
  settingProblem(setting, `must be ${expected}, not ${describe(actual)}`, { expected, actual });

/** Makes the error `WHERE: PROBLEM` about a recording named `where`. */
export const recordingError = (where: string, problem: string, fields: Fields, cause?: unknown): RadarError =>
  new RadarError("input", `${where}: ${problem}`, { recording: where, ...fields }, cause);

/**
 * Runs `work` and attributes its `input` errors. `settingFor` returns the setting that the error's field comes from; if it returns
 * none, the error is about the recording, named `where`. `more` returns text to append to the message. Errors that already name a
 * setting or a recording pass unchanged.
 */
export async function blame<T>(
  where: string,
  settingFor: (field: string, fields: Fields) => string | undefined,
  work: () => T | Promise<T>,
  more: (field: string) => string = () => "",
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input") || settingOf(error) !== undefined || error.fields["recording"] !== undefined) throw error;
    const about = String(error.fields["field"]);
    const message = `${error.message}${more(about)}`;
    const setting = settingFor(about, error.fields);
    if (setting === undefined) throw recordingError(where, message, error.fields, error);
    const { field: _, ...fields } = error.fields;
    throw settingProblem(setting, `does not suit ${where}: ${message}`, { ...fields, about }, error);
  }
}
