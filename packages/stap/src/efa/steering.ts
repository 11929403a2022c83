/**
 * Steering vectors of the extended factored algorithm: a target as it appears in a snapshot of the Doppler window that is
 * centred on it. They are the same for every bin, because a window moves with its bin.
 */

import { inputError } from "@dechirp/core";
import type { ComplexSamples } from "@dechirp/radar";
import { checkNumber } from "../arrays.ts";
import { kronecker, stackVectors } from "../steering.ts";
import type { EfaGeometry } from "./options.ts";

/**
 * t_d = Σ_t window[t]·exp(j2π(⌊T/2⌋ − d + offset)t/N_D): the taps of the window for a target `offsetBins` above the middle of the bin.
 * Without zero padding, window and offset only the middle tap is not zero: (0, N, 0).
 */
export function efaTaps(geometry: EfaGeometry, offsetBins = 0): Float64Array {
  const { temporalTaps, dopplerBins, pulses, window } = geometry;
  checkNumber(offsetBins, "offsetBins", -dopplerBins, dopplerBins);
  const taps = new Float64Array(2 * temporalTaps);
  for (let d = 0; d < temporalTaps; d++) {
    for (let t = 0; t < pulses; t++) {
      const turns = (((temporalTaps >> 1) - d + offsetBins) * t) / dopplerBins;
      const angle = 2 * Math.PI * (turns - Math.round(turns));
      taps[2 * d] += window[t] * Math.cos(angle);
      taps[2 * d + 1] += window[t] * Math.sin(angle);
    }
  }
  return taps;
}

/**
 * Space-Doppler steering vectors [P][n], channel·T + tap, from spatial ones of M channels each. Throws `input` unless
 * there are P of M channels.
 */
export function efaSteering(geometry: EfaGeometry, spatial: readonly ComplexSamples[], offsetBins = 0): Float64Array {
  const { channels, steeringVectors } = geometry;
  if (spatial.length !== steeringVectors) throw inputError("spatial", `${steeringVectors} vectors, as the options say`, spatial.length);
  for (const [p, a] of spatial.entries()) {
    if (a.length !== 2 * channels) throw inputError(`spatial[${p}].length`, `${2 * channels}, re and im of ${channels} channels`, a.length);
  }
  const taps = efaTaps(geometry, offsetBins);
  return stackVectors(spatial.map((a) => kronecker(a, taps)));
}
