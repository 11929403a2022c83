/** Parses texts of the command line into checked values. Every error is of kind `argument` and names the option. */

import { isRadarError } from "@dechirp/core";
import type { Window, WindowChoice } from "@dechirp/radar";
import { argumentError, CommandError } from "./errors.ts";
import type { Drawing } from "./quicklook.ts";

/** The expression is unambiguous, so that long texts take linear time. */
const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** Parses a decimal number for which `accepts` returns true. `expected` says which numbers those are. */
export function parseNumber(option: string, text: string, expected: string, accepts: (value: number) => boolean): number {
  const value = numberText.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || !accepts(value)) throw argumentError(option, expected, text);
  return value;
}

/** Parses a positive number. */
export const parsePositive = (option: string, text: string): number => parseNumber(option, text, "a positive number", (value) => value > 0);

/** Parses an integer from `low` to `high`. */
export const parseInteger = (option: string, text: string, low: number, high: number): number =>
  parseNumber(option, text, `an integer from ${low} to ${high}`, (value) => Number.isInteger(value) && value >= low && value <= high);

/** The largest height above the ellipsoid, or below it, in metres. */
const mostHeight = 1e5;

/** Parses a height above the ellipsoid. */
export const parseHeight = (option: string, text: string): number =>
  parseNumber(option, text, `a height of at most ${mostHeight} m in magnitude`, (z) => Math.abs(z) <= mostHeight);

/** Parses a window, such as `kaiser:2.5`. */
export interface WindowTexts extends WindowChoice {
  /** Whether `none` stands for the rectangular window. */
  readonly none?: boolean;
}

/** Parses a window, such as `kaiser:2.5`, with `parseWindow` of the radar package. Throws `argument`. */
export async function parseWindowOption(option: string, text: string, { none = false, ...choice }: WindowTexts = {}): Promise<Window> {
  if (none && text === "none") return { kind: "rect" };
  const { parseWindow } = await import("@dechirp/radar");
  try {
    return parseWindow(text, choice);
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const { field, expected, actual } = error.fields;
    const parameter = String(field).split(".", 2)[1];
    throw parameter === undefined
      ? argumentError(option, `${none ? "none, " : ""}${expected}`, actual)
      : argumentError(`${option} ${parameter}`, String(expected), actual);
  }
}

/** Makes a parser that refuses an empty text and another option: in `--out --json` the folder is missing. */
export function parseText(option: string): (text: string) => string {
  return (text) => {
    if (text === "") throw argumentError(option, "non-empty text", text);
    if (text.startsWith("--"))
      throw new CommandError("argument", `${option} needs a value, but ${text} follows it`, { option, actual: text });
    return text;
  };
}

/** Returns `{ key: f(value) }` if there is a value, else `{}`. For objects with optional fields. */
export function optional<K extends string, T, R>(key: K, value: T | undefined, f: (value: T) => R): { [P in K]?: R } {
  return (value === undefined ? {} : { [key]: f(value) }) as { [P in K]?: R };
}

/** Options of image pictures, as the command line gives them. */
export interface DrawingArguments {
  readonly bare?: boolean;
  readonly dynamicRange?: string;
}

/** Checks the options of image pictures. Throws `argument`. */
export const drawingOf = ({ bare, dynamicRange }: DrawingArguments): Drawing => ({
  ...(bare ? { bare } : {}),
  ...optional("dynamicRangeDb", dynamicRange, (text) =>
    parseNumber("--dynamic-range", text, "a positive number of dB of at most 400", (db) => db > 0 && db <= 400),
  ),
});

/** Makes a parser that refuses a second value too, because only one place could get the result. */
export function parseOnce(option: string): (text: string) => string {
  const parse = parseText(option);
  let given: string | undefined;
  return (text) => {
    parse(text);
    if (given !== undefined) throw new CommandError("argument", `${option} is given twice`, { option, actual: [given, text] });
    given = text;
    return text;
  };
}

/**
 * Makes the parser of --out. Throws `argument` if the option is given twice, because only one folder could get the result, and for `-`.
 */
export function parseOut(): (text: string) => string {
  const once = parseOnce("--out");
  return (text) => {
    if (text === "-")
      throw argumentError(
        "--out",
        "a folder: a result is several files and can't be written to stdout (write ./- for a folder of that name)",
        text,
      );
    return once(text);
  };
}

/** Returns the folder of a command that needs one. Throws `argument` if it is missing. */
export function neededOut(out: string | undefined): string {
  if (out === undefined) throw new CommandError("argument", "--out is missing: the folder to write the result to", { option: "--out" });
  return out;
}
