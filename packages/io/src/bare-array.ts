/**
 * Complex arrays without any description of the radar, as .npy files and MAT-files hold them: three axes (channel, pulse, range), or
 * four with an axis of CPIs.
 */
import { createPause, type Pause } from "@dechirp/core";
import { forEachSlice } from "@dechirp/core/internal";
import {
  type ArrayAxes,
  type ArrayAxis,
  allElements,
  arrayCube,
  chosenCpi,
  onlyCpi,
  optionError,
  type RecordedArray,
} from "./array-recording.ts";
import type { NumericArray } from "./numbers.ts";
import type { Place } from "./place.ts";

/**
 * Returns the given axes, or the usual ones if none are given. Throws `input` for the option `axes` if their number does not match the
 * shape.
 */
export function axesOf(file: string, given: ArrayAxes | undefined, usual: ArrayAxes, shape: readonly number[]): ArrayAxes {
  if (given === undefined || given.length === shape.length) return given ?? usual;
  throw optionError(file, "axes", `${shape.length} axes, as the array [${shape.join(", ")}] has`, given.join(","));
}

/** A complex array with the meaning of its axes. */
export interface BareArray {
  /** Row-major, interleaved re, im. */
  readonly data: NumericArray;
  readonly shape: readonly number[];
  readonly axes: ArrayAxes;
}

/**
 * Makes a recording of interval number `asked` of an array (counted from 1). Throws `input` for a bad option `cpi`, and for a sample
 * that is not finite, naming the first.
 */
export async function bareRecording(
  place: Place,
  { data, shape, axes }: BareArray,
  asked: number | undefined,
  notes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RecordedArray> {
  const { path: file, name } = place;
  const along = axes.indexOf("cpi");
  const several = along >= 0 && shape[along] !== 1;
  const cpi = chosenCpi(file, several ? Array.from({ length: shape[along] }, (_, i) => `interval ${i + 1}`) : onlyCpi, asked);
  const order = axes.filter((axis): axis is ArrayAxis => axis !== "cpi");
  const extents = shape.filter((_, axis) => axis !== along);
  const interval = along < 0 ? data : await intervalOf(data, shape, along, cpi.number - 1, createPause(`reading ${file}`, signal));
  const cube = await arrayCube(file, interval, extents, order, signal);
  return { name, file, cube, ...allElements(cube), cpi, facts: {}, axesOpen: true, notes };
}

/** Copies the samples at index `at` along an axis. */
async function intervalOf(data: NumericArray, shape: readonly number[], axis: number, at: number, pause: Pause): Promise<NumericArray> {
  const inner = 2 * shape.slice(axis + 1).reduce((product, extent) => product * extent, 1);
  const outer = shape.slice(0, axis).reduce((product, extent) => product * extent, 1);
  const out = new (data.constructor as Float32ArrayConstructor)(inner * outer);
  for (let i = 0; i < outer; i++) {
    const from = (i * shape[axis] + at) * inner;
    await forEachSlice(inner, pause, (start, end) => out.set(data.subarray(from + start, from + end), i * inner + start));
  }
  return out;
}
