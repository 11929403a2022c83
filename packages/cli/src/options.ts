/** Texts of the command line to checked values. Every error is of kind `argument` and names the option. */

import { isRadarError } from "@dechirp/core";
import type { Window, WindowChoice } from "@dechirp/radar";
import { argumentError, CommandError } from "./errors.ts";
import type { Drawing } from "./quicklook.ts";

/** Of no text do two ways lead to one place, so that a long one takes no longer than it is. */
const numberText = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** A decimal number that `accepts` takes; `expected` says which those are. */
export function parseNumber(option: string, text: string, expected: string, accepts: (value: number) => boolean): number {
  const value = numberText.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value) || !accepts(value)) throw argumentError(option, expected, text);
  return value;
}

export const parsePositive = (option: string, text: string): number => parseNumber(option, text, "a positive number", (value) => value > 0);

export const parseInteger = (option: string, text: string, low: number, high: number): number =>
  parseNumber(option, text, `an integer from ${low} to ${high}`, (value) => Number.isInteger(value) && value >= low && value <= high);

/** What a command takes for a window. */
export interface WindowTexts extends WindowChoice {
  /** Whether `none` stands for the rectangular window. */
  readonly none?: boolean;
}

/** The window that a text states, read by `parseWindow` of radar. Throws `argument`. */
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

/** A text that is not empty and no other option: `--out --json` lacks its folder. */
export function parseText(option: string): (text: string) => string {
  return (text) => {
    if (text === "") throw argumentError(option, "a text that is not empty", text);
    if (text.startsWith("--"))
      throw new CommandError("argument", `${option} lacks its value: ${text} follows it`, { option, actual: text });
    return text;
  };
}

/** `f(value)` under `key` where there is a value, else nothing: for objects with optional fields. */
export function optional<K extends string, T, R>(key: K, value: T | undefined, f: (value: T) => R): { [P in K]?: R } {
  return (value === undefined ? {} : { [key]: f(value) }) as { [P in K]?: R };
}

/** What pictures of images are drawn with, as the command line gives it. */
export interface DrawingArguments {
  readonly bare?: boolean;
  readonly dynamicRange?: string;
}

/** Checks it. Throws `argument`. */
export const drawingOf = ({ bare, dynamicRange }: DrawingArguments): Drawing => ({
  ...(bare ? { bare } : {}),
  ...optional("dynamicRangeDb", dynamicRange, (text) =>
    parseNumber("--dynamic-range", text, "a positive number of dB of at most 400", (db) => db > 0 && db <= 400),
  ),
});

/** The folder of --out. Throws `argument` where it is given twice, as only one of the two could get the result, and for `-`. */
export function parseOut(): (text: string) => string {
  let given: string | undefined;
  return (text) => {
    parseText("--out")(text);
    if (text === "-") throw argumentError("--out", "a folder: a result is several files, and can't go to stdout (./- is a folder)", text);
    if (given !== undefined) throw new CommandError("argument", "--out is given twice", { option: "--out", actual: [given, text] });
    given = text;
    return text;
  };
}

/** The folder, where a command can't do without it. Throws `argument`. */
export function neededOut(out: string | undefined): string {
  if (out === undefined) throw new CommandError("argument", "--out is missing: the folder to write the result to", { option: "--out" });
  return out;
}
