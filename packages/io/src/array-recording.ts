/**
 * The data cube of an antenna array with what its files state about the radar, and helpers that every array format uses. The fields
 * have the names and units of the stap package's cube, so that the packages need not import each other.
 */

import { createPause, type Pause, RadarError } from "@dechirp/core";
import { describe, firstNotFinite, forEachSlice, oneLine } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import type { NumericArray } from "./numbers.ts";
import type { PerfectSet } from "./perfect.ts";

/** An axis of a data cube. */
export type ArrayAxis = "channel" | "pulse" | "range";

/** The order of the axes of an array in a file; `cpi` if it holds several coherent processing intervals. */
export type ArrayAxes = readonly (ArrayAxis | "cpi")[];

/** The data cube of one coherent processing interval: interleaved re, im, row-major in the order of `order`. */
export interface ArrayCube {
  /** Samples [channel][pulse][range], interleaved re, im. */
  readonly data: Float32Array | Float64Array;
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  /** Outermost axis first. */
  readonly order: readonly ["channel", "pulse", "range"];
}

/** The recording of an antenna array: one data cube with everything that its files state. */
export interface RecordedArray {
  readonly name: string;
  /** The path as it was given. */
  readonly file: string;
  /** The data cube [channel][pulse][range]. */
  readonly cube: ArrayCube;
  /** Which channels of the file the cube holds, counted from 0. */
  readonly elements: readonly number[];
  /** Number of channels in the file. */
  readonly fileChannels: number;
  /** Which coherent processing interval of the file the cube is, counted from 1, and the names of all intervals in the file. */
  readonly cpi: { readonly number: number; readonly names: readonly string[] };
  /** The stap command's preset for such data, and how the data was recognised. */
  readonly preset?: { readonly name: "perfect" | "mountain-top"; readonly why: string };
  readonly facts: ArrayFacts;
  /** Range cells of a training block, if the data set prescribes it. */
  readonly blockRanges?: number;
  readonly steering?: SteeringVectors;
  /** The PERFECT set that the file name states. */
  readonly namedSet?: PerfectSet;
  /** Whether the file does not state the order of its axes. */
  readonly axesOpen: boolean;
  /** Remarks about what was read, one sentence each. */
  readonly notes: readonly string[];
}

/** The default axis order, outermost first. */
export const cubeOrder = ["channel", "pulse", "range"] as const;

/** Makes an `input` error about an option that does not fit the file, with fields `{ file, field, expected, actual }`. */
export function optionError(file: string, field: string, expected: string, actual: unknown): RadarError {
  const where = expected.includes(file) ? "" : `${file}: `;
  return new RadarError("input", oneLine(`${where}${field} must be ${expected}, not ${describe(actual)}`), {
    file,
    field,
    expected,
    actual,
  });
}

/** Checks the number of the CPI to read (from 1; default 1). Throws `input` for the option `cpi`, listing the CPIs of the file. */
export function chosenCpi(file: string, names: readonly string[], cpi = 1): RecordedArray["cpi"] {
  if (Number.isInteger(cpi) && cpi >= 1 && cpi <= names.length) return { number: cpi, names };
  const listed = names.length > 12 ? `${names.slice(0, 10).join(", ")} … ${names[names.length - 1]}` : names.join(", ");
  const expected = names.length === 1 ? `1: ${file} has one interval` : `from 1 to ${names.length}: ${file} has ${listed}`;
  throw optionError(file, "cpi", expected, cpi);
}

/** The names of the intervals of a file that has only one, unnamed. */
export const onlyCpi: readonly string[] = ["the only one"];

/** The fields of a recording whose cube holds all channels of the file. */
export const allElements = ({ channels }: ArrayCube): Pick<RecordedArray, "elements" | "fileChannels"> => ({
  elements: Array.from({ length: channels }, (_, c) => c),
  fileChannels: channels,
});

/**
 * Reorders `data` of `shape`, whose axes are `order`, to [channel][pulse][range]. Throws `input`, which names the first sample that is
 * not finite.
 */
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

/** Throws `input` if a sample is not finite, and names the first one by its position on each axis. */
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
