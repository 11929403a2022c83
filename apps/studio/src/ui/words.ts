/** Sentences of the packages in the words of the page: an error that names a field of a program names the control that sets it instead. */
import { isRadarError, RadarError } from "@dechirp/core";
import { describe } from "@dechirp/core/internal";

/** The label of a control, and the unit of its numbers if they have one. */
export interface Control {
  readonly label: string;
  readonly unit?: string | undefined;
}

/** Controls by the fields that errors have for them. */
export type Controls = Readonly<Record<string, Control>>;

/** The control that a field is set by: that of the field itself, or of what it is a part of. */
export function controlOf(controls: Controls, field: unknown): Control | undefined {
  if (typeof field !== "string") return undefined;
  for (let name = field; name !== ""; name = name.replace(/(^|[.[])[^.[]*$/, "")) if (Object.hasOwn(controls, name)) return controls[name];
  return undefined;
}

/** Says what a control's value must be: `LABEL must be EXPECTED, not ACTUAL`. */
export function mustBe({ label, unit }: Control, expected: string, actual: unknown): string {
  if (actual === undefined) return `${label} must be ${expected}`;
  return `${label} must be ${expected}, not ${describe(actual)}${unit && typeof actual === "number" ? ` ${unit}` : ""}`;
}

/**
 * An error about a value that a control sets, in the control's words; any other error as it is. What the value leads to may be wrong, and not the
 * value itself: the packages say so in `problem`, and name what is wrong in `about`.
 */
export function inControlWords(controls: Controls, error: unknown): unknown {
  if (!isRadarError(error, "input")) return error;
  const { field, expected, actual, problem, about, recording } = error.fields;
  const control = controlOf(controls, field);
  if (!control) return error;
  const say = (sentence: string): RadarError => new RadarError("input", sentence, error.fields, error);
  // Other sentences than `FIELD must be EXPECTED` say more than these fields.
  const isRule = typeof expected === "string" && error.message.includes(`${about ?? field} must be ${expected}`);
  if (isRule && about === undefined) return say(mustBe(control, expected, actual));
  const other = controlOf(controls, about);
  if (isRule && other) {
    const must = mustBe(other, expected, actual);
    return say(other.label === control.label ? must : `${control.label}: this does not suit the recording: ${must}`);
  }
  if (typeof problem === "string") return say(`${control.label}: ${problem.replace(/^does not suit/, "this does not suit")}`);
  // Of the recording, the packages say by themselves what is wrong.
  return recording === undefined && typeof field === "string" && error.message.startsWith(`${field} `)
    ? say(`${control.label}${error.message.slice(field.length)}`)
    : error;
}
