/**
 * What can be processed adaptively: one coherent processing interval of an array of antennas, in memory, with what is known of the radar.
 * The readers of `@dechirp/io` return objects of this type; anything else may. Whatever a caller need not say is optional here and has
 * a value in `ArrayData`, which the other files of this folder work with.
 */

import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import { type Cube, checkCube } from "@dechirp/stap";
import { checkFacts } from "./facts.ts";
import { type StapPresetName, stapPresets } from "./presets.ts";

/** One coherent processing interval of an array of antennas. */
export interface ArrayRecording {
  readonly name: string;
  /** Channels, pulses and ranges, the axes in any order; samples are complex interleaved, and of float64 ones 32 bits a part are used. */
  readonly cube: Cube;
  /** Which channels of the whole array the cube has, [channel], each a number from 0; the first ones in order where left out. */
  readonly elements?: readonly number[];
  /** Channels of the whole array; the largest number among `elements` and one more where left out. */
  readonly fileChannels?: number;
  /** Which of several coherent processing intervals this is, from 1, and the names of all; the only one where left out. */
  readonly cpi?: { readonly number: number; readonly names: readonly string[] };
  /** Preset of settings that suits the recording, and why; none where left out. */
  readonly preset?: { readonly name: StapPresetName; readonly why: string };
  /** What is known of the radar; settings come before it. */
  readonly facts?: ArrayFacts;
  /** Ranges of a training block that goes with the recording. */
  readonly blockRanges?: number;
  /** Steering vectors that go with the recording. */
  readonly steering?: SteeringVectors;
  /** Whether the order of the axes was assumed, because nothing stated it. Then notes and errors say so. */
  readonly axesOpen?: boolean;
  /** Half a sentence that follows this remark, such as how another order can be stated. */
  readonly axesHint?: string;
  /** Remarks on what was read, a sentence each; the report keeps them. */
  readonly notes?: readonly string[];
}

/** A recording with nothing left out. `where` is what errors call it. */
export interface ArrayData extends Required<Omit<ArrayRecording, "preset" | "blockRanges" | "steering" | "axesOpen" | "axesHint">> {
  readonly where: string;
  readonly preset?: NonNullable<ArrayRecording["preset"]>;
  readonly blockRanges?: number;
  readonly steering?: SteeringVectors;
  /** Where the order of the axes was assumed: the remark that says so. */
  readonly axesNote?: string;
}

const recording = "recording";
/** Channels of an array. */
const mostChannels = 2 ** 16;
const atLeastOne = "an integer of at least 1";

/** Fills in what `given` leaves out. Throws `input`, naming the field, for what is no recording. Samples are checked by who works with them. */
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
    throw wrong("fileChannels", `an integer from ${least}, as ${recording}.elements says, to ${mostChannels}`, fileChannels);
  checkObject(facts, `${recording}.facts`, "input");
  // Files may state more than is used.
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
  if (!(isList(names, isText) && names.length > 0)) throw wrong("cpi.names", "a list of texts, one at least", names);
  if (!(isCount(number) && number <= names.length)) throw wrong("cpi.number", `an integer from 1 to ${names.length}`, number);
  return cpi;
}

const steeringFields: FieldsOf<SteeringVectors> = { file: "string", vectors: "number", elements: "number", data: "object" };

/** Throws `input`, naming the field below `path`, for what are no steering vectors. Does not look at their numbers. */
export function checkSteering(steering: SteeringVectors, path: string): void {
  checkFields(steering, steeringFields, path, "input", `${path}.`);
  const { vectors, elements, data } = steering;
  for (const name of ["vectors", "elements"] as const)
    if (!isCount(steering[name])) throw inputError(`${path}.${name}`, atLeastOne, steering[name]);
  if (!(isArrayOf(data, Float32Array, Float64Array) && data.length === 2 * vectors * elements))
    throw inputError(`${path}.data`, `Float32Array or Float64Array of ${2 * vectors * elements}, re and im of each element`, data);
}
