/**
 * A cube of an array of antennas with what its files say of the radar, as plain data whose fields have the names and units of the stap
 * package's cube, so that one fits the other without either package importing the other; and what every format of arrays needs to make one.
 */

import { createPause, type Pause, RadarError } from "@dechirp/core";
import { describe, firstNotFinite, forEachSlice, oneLine } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import type { NumericArray } from "./numbers.ts";
import type { PerfectSet } from "./perfect.ts";

export type ArrayAxis = "channel" | "pulse" | "range";

/** Axes of an array on disk; `cpi` where there are several coherent processing intervals. */
export type ArrayAxes = readonly (ArrayAxis | "cpi")[];

/** One coherent processing interval, interleaved re, im in row-major order of `order`. */
export interface ArrayCube {
  /** Samples [channel][pulse][range], interleaved re, im. */
  readonly data: Float32Array | Float64Array;
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  /** Outermost axis first. */
  readonly order: readonly ["channel", "pulse", "range"];
}

export interface RecordedArray {
  readonly name: string;
  /** Path as it was given. */
  readonly file: string;
  /** [channel][pulse][range] */
  readonly cube: ArrayCube;
  /** Which of the file's channels those are, from 0. */
  readonly elements: readonly number[];
  /** Channels of the file. */
  readonly fileChannels: number;
  /** Which coherent processing interval of the file it is, from 1, and what those that there are, are called. */
  readonly cpi: { readonly number: number; readonly names: readonly string[] };
  /** How such data is usually processed, by a name that the stap command knows, and how the data is known. */
  readonly preset?: { readonly name: "perfect" | "mountain-top"; readonly why: string };
  readonly facts: ArrayFacts;
  /** Ranges of a training block, where the files go with one. */
  readonly blockRanges?: number;
  readonly steering?: SteeringVectors;
  /** The PERFECT set that the path itself names. */
  readonly namedSet?: PerfectSet;
  /** Whether the file left the order of its axes open. */
  readonly axesOpen: boolean;
  /** Remarks on what was read, one sentence each. */
  readonly notes: readonly string[];
}

/** Usual order, outermost axis first. */
export const cubeOrder = ["channel", "pulse", "range"] as const;

/** An `input` error about an option that does not fit a file; fields `{ file, field, expected, actual }`. */
export function optionError(file: string, field: string, expected: string, actual: unknown): RadarError {
  const where = expected.includes(file) ? "" : `${file}: `;
  return new RadarError("input", oneLine(`${where}${field} must be ${expected}, not ${describe(actual)}`), {
    file,
    field,
    expected,
    actual,
  });
}

/** The interval that was asked for, from 1, else the first. Throws `input` for option `cpi`, listing what there is. */
export function chosenCpi(file: string, names: readonly string[], cpi = 1): RecordedArray["cpi"] {
  if (Number.isInteger(cpi) && cpi >= 1 && cpi <= names.length) return { number: cpi, names };
  const listed = names.length > 12 ? `${names.slice(0, 10).join(", ")} … ${names[names.length - 1]}` : names.join(", ");
  const expected = names.length === 1 ? `1: ${file} has one interval` : `from 1 to ${names.length}: ${file} has ${listed}`;
  throw optionError(file, "cpi", expected, cpi);
}

/** What a file without intervals has. */
export const onlyCpi: readonly string[] = ["the only one"];

/** Facts of a cube that has all channels of its file. */
export const allElements = ({ channels }: ArrayCube): Pick<RecordedArray, "elements" | "fileChannels"> => ({
  elements: Array.from({ length: channels }, (_, c) => c),
  fileChannels: channels,
});

/** `data` of `shape` with the axes `order` as [channel][pulse][range]. Throws `input` naming the first sample that is not finite. */
export async function arrayCube(
  file: string,
  data: NumericArray,
  shape: readonly number[],
  order: readonly ArrayAxis[],
  signal: AbortSignal | undefined,
): Promise<ArrayCube> {
  const pause = createPause(`reading ${file}`, signal);
  let samples: ArrayCube["data"];
  if (data instanceof Float32Array || data instanceof Float64Array) {
    samples = data;
    await checkSamples(file, samples, shape, order, pause);
  } else {
    samples = new Float32Array(data.length);
    await forEachSlice(data.length, pause, (from, to) => samples.set(data.subarray(from, to), from));
  }
  const [channels, pulses, ranges] = cubeOrder.map((axis) => shape[order.indexOf(axis)]);
  if (!order.every((axis, i) => axis === cubeOrder[i])) {
    const { transposeArray } = await import("./transpose.ts");
    const permutation = cubeOrder.map((axis) => order.indexOf(axis));
    samples = await transposeArray(samples, shape, permutation, 2, signal ? { signal } : {});
  }
  return { data: samples, channels, pulses, ranges, order: cubeOrder };
}

/** Throws `input` naming the first sample that is not finite, by its axes. */
async function checkSamples(
  file: string,
  samples: ArrayCube["data"],
  [, columns, depth]: readonly number[],
  order: readonly ArrayAxis[],
  pause: Pause,
): Promise<void> {
  const bad = await firstNotFinite(samples, pause);
  if (bad < 0) return;
  const at = bad >> 1;
  const places = [Math.floor(at / (columns * depth)), Math.floor(at / depth) % columns, at % depth].map((i, axis) => `${order[axis]} ${i}`);
  throw new RadarError("input", `${file}: the sample at ${places.join(", ")} must be a finite number, not ${samples[bad]}`, {
    file,
    field: "samples",
    index: at,
    expected: "a finite number",
    actual: samples[bad],
  });
}
