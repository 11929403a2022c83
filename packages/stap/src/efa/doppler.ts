/**
 * Doppler processing in float64, by definition: every pulse times its weight, zero-padded, and a DFT along pulses (Section
 * III-A of the paper). It computes N_D·N_CPI products a line and is the reference that fast transforms are measured against.
 */
import { checkFinite } from "../arrays.ts";
import { type Cube, checkCube, type DopplerCube, reorderCube } from "../cube.ts";
import { mismatch } from "./mismatch.ts";
import type { EfaGeometry } from "./options.ts";

/**
 * X[channel][bin][range] = Σ_t window[t]·x(channel, t, range)·exp(−j2πkt/N_D), with k the bin, minus ⌊N_D/2⌋ if centred.
 * Takes cubes of any axis order. Throws `input` for sizes that differ from the geometry's and samples that are not finite.
 */
export function dopplerReference(cube: Cube, geometry: EfaGeometry): DopplerCube {
  checkCube(cube);
  const { channels, pulses, ranges, dopplerBins, window, centred } = geometry;
  mismatch("cube", cube, { channels, pulses, ranges });
  checkFinite(cube.data, "cube.data");
  const { data } = reorderCube(cube, ["channel", "pulse", "range"]);
  const cos = Float64Array.from({ length: dopplerBins }, (_, i) => Math.cos((2 * Math.PI * i) / dopplerBins));
  const sin = Float64Array.from({ length: dopplerBins }, (_, i) => Math.sin((2 * Math.PI * i) / dopplerBins));
  const out = new Float64Array(2 * channels * dopplerBins * ranges);
  for (let m = 0; m < channels; m++) {
    for (let bin = 0; bin < dopplerBins; bin++) {
      const k = centred ? bin - (dopplerBins >> 1) + dopplerBins : bin;
      const row = out.subarray(2 * (m * dopplerBins + bin) * ranges, 2 * (m * dopplerBins + bin + 1) * ranges);
      for (let t = 0; t < pulses; t++) {
        const turn = (k * t) % dopplerBins;
        const re = window[t] * cos[turn];
        const im = -window[t] * sin[turn];
        for (let i = 0, from = 2 * (m * pulses + t) * ranges; i < row.length; i += 2, from += 2) {
          row[i] += re * data[from] - im * data[from + 1];
          row[i + 1] += re * data[from + 1] + im * data[from];
        }
      }
    }
  }
  return { data: out, channels, bins: dopplerBins, ranges };
}
