/** Matched filtering of a cube along its ranges, in float64 by definition, for data that was recorded uncompressed. */

import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { checkFinite } from "./arrays.ts";
import { type Cube, checkCube, cubeOrders, reorderCubeSteps } from "./cube.ts";

/**
 * y(r) = Σ_i replica*(i)·x(r + i), with zeros after the last range: an echo appears at the range of its first sample. Returns a cube
 * [channel][pulse][range] of the same extents; its last ranges hold only part of a pulse. `chirpReplica` of `@dechirp/radar` gives the
 * replica.
 * Throws `input`.
 */
export const compressPulses = (cube: Cube, replica: ComplexSamples): Cube => runToEnd(compressPulsesSteps(cube, replica));

/**
 * `compressPulses` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases.
 */
export function* compressPulsesSteps(cube: Cube, replica: ComplexSamples): Generator<void, Cube> {
  checkCube(cube);
  checkFinite(cube.data, "cube.data");
  const { channels, pulses, ranges } = cube;
  const samples = replica.length / 2;
  if (!(Number.isInteger(samples) && samples >= 1 && samples <= ranges))
    throw inputError("replica.length", `re and im of 1 to ${ranges} samples`, replica.length);
  checkFinite(replica, "replica");
  const { data } = yield* reorderCubeSteps(cube, cubeOrders.paper);
  const out = new Float64Array(data.length);
  for (let base = 0; base < data.length; base += 2 * ranges) {
    for (let i = 0; i < samples; i++) {
      const [re, im] = [replica[2 * i], -replica[2 * i + 1]];
      for (let to = base, from = base + 2 * i; from < base + 2 * ranges; to += 2, from += 2) {
        out[to] += re * data[from] - im * data[from + 1];
        out[to + 1] += re * data[from + 1] + im * data[from];
      }
      yield;
    }
  }
  return { data: out, channels, pulses, ranges, order: cubeOrders.paper };
}
