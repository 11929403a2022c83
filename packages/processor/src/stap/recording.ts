/**
 * Recordings for adaptive processing: one coherent processing interval of an antenna array, in memory, with facts about the radar. The
 * readers of `@dechirp/io` return objects of this type; any other object of the same shape will do. Fields that a caller may leave out
 * are optional in `ArrayRecording` and have values in `ArrayData`, which the other files of this folder use.
 */

import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import { type Cube, checkCube } from "@dechirp/stap";
import { checkFacts } from "./facts.ts";
import { type StapPresetName, stapPresets } from "./presets.ts";

/** The recording of an antenna array: one coherent processing interval. */
export interface ArrayRecording {
  readonly name: string;
  /**
   * Channels, pulses and ranges, with the axes in any order. Samples are complex interleaved. Of float64 samples only 32 bits per part
   * are used.
   */
  readonly cube: Cube;
  /** Which channels of the whole array the cube holds, [channel], each a number from 0. Default: the first ones, in order. */
  readonly elements?: readonly number[];
  /** Number of channels of the whole array. Default: one more than the largest of `elements`. */
  readonly fileChannels?: number;
  /** Which of several coherent processing intervals this is, counted from 1, and the names of all. Default: the only one. */
  readonly cpi?: { readonly number: number; readonly names: readonly string[] };
  /** The preset of settings that suits the recording, and why. Default: none. */
  readonly preset?: { readonly name: StapPresetName; readonly why: string };
  /** Facts about the radar. Settings take precedence over them. */
  readonly facts?: ArrayFacts;
  /** Ranges of a training block, if the data set prescribes it. */
  readonly blockRanges?: number;
  /** Steering vectors that belong to the recording. */
  readonly steering?: SteeringVectors;
  /** Whether the order of the axes was assumed because the file does not state it. Notes and errors then say so. */
  readonly axesOpen?: boolean;
  /** Text to append to that remark, such as how to state another order. */
  readonly axesHint?: string;
  /** Remarks about what was read, one sentence each. The report lists them. */
  readonly notes?: readonly string[];
}

/** A recording with all defaults filled in. `where` is its name in errors. */
export interface ArrayData extends Required<Omit<ArrayRecording, "preset" | "blockRanges" | "steering" | "axesOpen" | "axesHint">> {
  readonly where: string;
  readonly preset?: NonNullable<ArrayRecording["preset"]>;
  readonly blockRanges?: number;
  readonly steering?: SteeringVectors;
  /** The remark that the order of the axes was assumed, if it was. */
  readonly axesNote?: string;
}

const recording = "recording";
/** The most channels of an array. */
const mostChannels = 2 ** 16;
const atLeastOne = "an integer of at least 1";

/**
 * Fills in the defaults of `given`. Throws `input`, which names the field, if it is not a recording. Samples are checked where they are
 * used.
 */
export function arrayData(given: ArrayRecording, input?: string): ArrayData {
  checkObject(given, recording, "input");
  checkText(given.name, "name");
  checkCube(given.cube, `${recording}.cube`);
  const { channels, order } = given.cube;
  const { elements = Array.from({ length: channels }, (_, c) => c), facts = {}, notes = [], axesOpen = false } = given;
  const numbered =
    isList(elements, (c) => Number.isInteger(c) && c >= 0 && c < mostChannels) &&
    elements.length === channels &&
    new Set(elements).size === channels;
  if (!numbered) throw wrong("elements", `${channels} different channels, each a number from 0 to ${mostChannels - 1}`, elements);
  const least = Math.max(...elements) + 1;
  const { fileChannels = least } = given;
  if (!(Number.isInteger(fileChannels) && fileChannels >= least && fileChannels <= mostChannels))
    throw wrong(
      "fileChannels",
      `an integer from ${least}, one more than the largest of ${recording}.elements, to ${mostChannels}`,
      fileChannels,
    );
  checkObject(facts, `${recording}.facts`, "input");
  // Unknown facts are allowed: files may state more than is used.
  checkFacts(facts, `${recording}.facts.`, (field, expected, actual) => wrong(`facts.${field}`, expected, actual));
  const { preset, blockRanges, steering, axesHint } = given;
  if (preset !== undefined) checkPreset(preset);
  if (blockRanges !== undefined && !isCount(blockRanges)) throw wrong("blockRanges", atLeastOne, blockRanges);
  if (steering !== undefined) checkSteering(steering, `${recording}.steering`);
  if (typeof axesOpen !== "boolean") throw wrong("axesOpen", "true or false", axesOpen);
  if (axesHint !== undefined) checkText(axesHint, "axesHint");
  if (!isList(notes, isText)) throw wrong("notes", "a list of texts", notes);
  return {
    where: input ?? given.name,
    name: given.name,
    cube: given.cube,
    elements,
    fileChannels,
    cpi: cpiOf(given.cpi),
    facts,
    notes,
    ...(preset ? { preset } : {}),
    ...(blockRanges === undefined ? {} : { blockRanges }),
    ...(steering ? { steering } : {}),
    ...(axesOpen ? { axesNote: `axes are taken as ${order.join(",")}${axesHint === undefined ? "" : `; ${axesHint}`}` } : {}),
  };
}

const wrong = (field: string, expected: string, actual: unknown) => inputError(`${recording}.${field}`, expected, actual);
const isText = (value: unknown): value is string => typeof value === "string";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 1;
const isList = <T>(list: readonly T[], accepts: (item: T) => boolean): boolean => Array.isArray(list) && list.every(accepts);

function checkText(value: string, field: string): void {
  if (!isText(value)) throw wrong(field, "a text", value);
}

function checkPreset(preset: NonNullable<ArrayRecording["preset"]>): void {
  checkObject(preset, `${recording}.preset`, "input");
  if (!(isText(preset.name) && Object.hasOwn(stapPresets, preset.name)))
    throw wrong("preset.name", `one of ${Object.keys(stapPresets).join(", ")}`, preset.name);
  checkText(preset.why, "preset.why");
}

function cpiOf(cpi: ArrayRecording["cpi"]): ArrayData["cpi"] {
  if (cpi === undefined) return { number: 1, names: ["the only one"] };
  checkObject(cpi, `${recording}.cpi`, "input");
  const { number, names } = cpi;
  if (!(isList(names, isText) && names.length > 0)) throw wrong("cpi.names", "a non-empty list of texts", names);
  if (!(isCount(number) && number <= names.length)) throw wrong("cpi.number", `an integer from 1 to ${names.length}`, number);
  return cpi;
}

const steeringFields: FieldsOf<SteeringVectors> = { file: "string", vectors: "number", elements: "number", data: "object" };

/** Throws `input`, which names the field below `path`, if `steering` is not steering vectors. Does not check their numbers. */
export function checkSteering(steering: SteeringVectors, path: string): void {
  checkFields(steering, steeringFields, path, "input", `${path}.`);
  const { vectors, elements, data } = steering;
  for (const name of ["vectors", "elements"] as const)
    if (!isCount(steering[name])) throw inputError(`${path}.${name}`, atLeastOne, steering[name]);
  if (!(isArrayOf(data, Float32Array, Float64Array) && data.length === 2 * vectors * elements))
    throw inputError(`${path}.data`, `Float32Array or Float64Array of ${2 * vectors * elements}, re and im of each element`, data);
}
