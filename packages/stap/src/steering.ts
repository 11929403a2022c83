/**
 * Steering vectors: how a source at an angle and a Doppler frequency appears across channels and pulses, interleaved
 * re, im. Phases advance with the index: exp(+j2π·frequency·index). A space-time vector is spatial ⊗ temporal, index
 * channel·(temporal length) + pulse, the order of snapshots throughout this package. Nothing is normalised.
 */

import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { checkFinite, checkInteger, checkNumber, checkSize } from "./arrays.ts";

const maxLength = 2 ** 16;

/** exp(j2π·cycles·m), m = 0 … n − 1: the vector of a uniform line of elements, or of pulses. Throws `input`. */
export function uniformSteering(n: number, cycles: number): Float64Array {
  checkInteger(n, "n", 1, maxLength);
  checkNumber(cycles, "cycles", -maxLength, maxLength);
  const v = new Float64Array(2 * n);
  for (let m = 0; m < n; m++) {
    const turns = cycles * m;
    const angle = 2 * Math.PI * (turns - Math.round(turns));
    v[2 * m] = Math.cos(angle);
    v[2 * m + 1] = Math.sin(angle);
  }
  return v;
}

/**
 * Spatial frequency ϑ = (d/λ)·cosψ·sinφ of a uniform linear array in cycles an element, with φ the azimuth from broadside and ψ
 * the elevation or depression (Ward, TR-1015, eq. 8).
 */
export const ulaCycles = (spacingWavelengths: number, azimuthRadians: number, elevationRadians = 0): number =>
  spacingWavelengths * Math.cos(elevationRadians) * Math.sin(azimuthRadians);

/**
 * exp(j2π p_m·u/λ) of elements at any positions: `positionsMeters` [channel][3], u the unit vector towards the source with x along
 * broadside, y along the line of a linear array and z up, so that azimuth and elevation are those of `ulaCycles`. Throws `input`.
 */
export function arraySteering(
  positionsMeters: Float64Array,
  wavelengthMeters: number,
  azimuthRadians: number,
  elevationRadians = 0,
): Float64Array {
  if (!(isArrayOf(positionsMeters, Float64Array) && positionsMeters.length > 0 && positionsMeters.length % 3 === 0))
    throw inputError("positionsMeters", "a Float64Array of three coordinates an element", positionsMeters);
  checkInteger(positionsMeters.length / 3, "positionsMeters.length / 3", 1, maxLength);
  checkFinite(positionsMeters, "positionsMeters");
  if (!(wavelengthMeters > 0 && wavelengthMeters < Number.POSITIVE_INFINITY))
    throw inputError("wavelengthMeters", "a positive number", wavelengthMeters);
  checkFinite([azimuthRadians], "azimuthRadians");
  checkFinite([elevationRadians], "elevationRadians");
  const n = positionsMeters.length / 3;
  const level = Math.cos(elevationRadians);
  const u = [level * Math.cos(azimuthRadians), level * Math.sin(azimuthRadians), Math.sin(elevationRadians)];
  const v = new Float64Array(2 * n);
  for (let m = 0; m < n; m++) {
    const along = positionsMeters[3 * m] * u[0] + positionsMeters[3 * m + 1] * u[1] + positionsMeters[3 * m + 2] * u[2];
    const turns = along / wavelengthMeters;
    const angle = 2 * Math.PI * (turns - Math.round(turns));
    v[2 * m] = Math.cos(angle);
    v[2 * m + 1] = Math.sin(angle);
  }
  return v;
}

/** a ⊗ b: element i·|b| + j is a_i·b_j. With a spatial and b temporal, a space-time steering vector. Throws `input`. */
export function kronecker(a: ComplexSamples, b: ComplexSamples): Float64Array {
  const [na, nb] = [a.length / 2, b.length / 2];
  checkSize(2 * na * nb, "a.length · b.length");
  const v = new Float64Array(2 * na * nb);
  for (let i = 0, to = 0; i < na; i++) {
    for (let j = 0; j < nb; j++, to += 2) {
      v[to] = a[2 * i] * b[2 * j] - a[2 * i + 1] * b[2 * j + 1];
      v[to + 1] = a[2 * i] * b[2 * j + 1] + a[2 * i + 1] * b[2 * j];
    }
  }
  return v;
}

/** Vectors of equal length one after another: [P][n]. Throws `input` if there are none, or if lengths differ. */
export function stackVectors(vectors: readonly ComplexSamples[]): Float64Array {
  if (vectors.length === 0) throw inputError("vectors", "at least one", vectors);
  const { length } = vectors[0];
  checkSize(vectors.length * length, "vectors");
  const out = new Float64Array(vectors.length * length);
  for (const [p, vector] of vectors.entries()) {
    if (vector.length !== length) throw inputError(`vectors[${p}].length`, `${length}, as the first's`, vector.length);
    out.set(vector, p * length);
  }
  return out;
}
