/**
 * Whose fault it is where something does not suit: a setting's that the caller gave, else the recording's. Both are `RadarError`s of code
 * `input`; `settingOf` tells them apart, so that a program with names of its own for settings can say them.
 */
import { isRadarError, RadarError } from "@dechirp/core";
import { describe } from "@dechirp/core/internal";

const prefix = "settings.";

/** The name of the setting that `error` is about, where a setting is at fault: wrong in itself, or not suiting the recording. */
export function settingOf(error: unknown): string | undefined {
  if (!isRadarError(error, "input")) return undefined;
  const { field } = error.fields;
  return typeof field === "string" && field.startsWith(prefix) ? field.slice(prefix.length).split(/[.[]/, 1)[0] : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** `settings.NAME PROBLEM`; the error's fields hold `problem`, for programs that call the setting by another name. */
export const settingProblem = (setting: string, problem: string, fields: Fields = {}, cause?: unknown): RadarError =>
  new RadarError("input", `${prefix}${setting} ${problem}`, { ...fields, field: `${prefix}${setting}`, problem }, cause);

/** `settings.NAME must be EXPECTED, not ACTUAL` */
export const settingError = (setting: string, expected: string, actual: unknown): RadarError =>
  settingProblem(setting, `must be ${expected}, not ${describe(actual)}`, { expected, actual });

/** `WHERE: PROBLEM`, for a recording that is called `where`. */
export const recordingError = (where: string, problem: string, fields: Fields, cause?: unknown): RadarError =>
  new RadarError("input", `${where}: ${problem}`, { recording: where, ...fields }, cause);

/**
 * Runs `work`. Where it throws `input`, `settingFor` says which setting the error's field comes from; without one the recording, called
 * `where`, is at fault. `more` is what follows the message. Errors that name a setting or a recording already pass.
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
