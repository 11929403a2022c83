/** The response of a filter, or the spectrum of a snapshot, over angle and Doppler: data for a picture, not the picture. */

import { inputError } from "@dechirp/core";
import type { ComplexSamples } from "@dechirp/radar";
import { checkComplex, checkFinite, checkInteger, checkSize } from "../arrays.ts";
import { type EfaGeometry, windowBin } from "../efa/options.ts";
import { uniformSteering } from "../steering.ts";

/** Power [spatial][Doppler], with its axes. */
export interface AngleDoppler {
  /** Power [row][column]: rows are spatial frequencies, columns Doppler frequencies. */
  readonly data: Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** Axes of a response: a(ϑ) of any array at the caller's spatial frequencies or angles, one vector of M for each row of the picture. */
export interface AngleDopplerGrid {
  readonly spatial: readonly ComplexSamples[];
  /** Doppler frequencies ω, cycles a pulse. */
  readonly dopplerCycles: ArrayLike<number>;
}

/**
 * |wᴴ(a ⊗ b(ω))|² for every spatial vector and Doppler of `grid`; w has length M·N, index channel·N + pulse. For a filter it is
 * the response; for a snapshot, its Fourier spectrum. Throws `input` for lengths that do not fit.
 */
export function angleDopplerResponse(w: ComplexSamples, channels: number, pulses: number, grid: AngleDopplerGrid): AngleDoppler {
  checkInteger(channels, "channels", 1, 2 ** 16);
  checkInteger(pulses, "pulses", 1, 2 ** 16);
  checkComplex(w, channels * pulses, "w", `${channels} channels, ${pulses} pulses`);
  checkFinite(grid.dopplerCycles, "grid.dopplerCycles");
  const rows = grid.spatial.length;
  const columns = grid.dopplerCycles.length;
  if (rows === 0 || columns === 0) throw inputError("grid", "of at least one angle and Doppler", [rows, columns]);
  checkSize(rows * columns, "grid");
  const data = new Float64Array(rows * columns);
  const beam = new Float64Array(2 * pulses);
  const temporal = Array.from({ length: columns }, (_, i) => uniformSteering(pulses, grid.dopplerCycles[i]));
  for (const [row, a] of grid.spatial.entries()) {
    checkComplex(a, channels, `grid.spatial[${row}]`, `${channels} channels`);
    beam.fill(0);
    for (let m = 0; m < channels; m++) {
      for (let t = 0; t < pulses; t++) {
        const at = 2 * (m * pulses + t);
        beam[2 * t] += w[at] * a[2 * m] + w[at + 1] * a[2 * m + 1];
        beam[2 * t + 1] += w[at] * a[2 * m + 1] - w[at + 1] * a[2 * m];
      }
    }
    for (const [column, b] of temporal.entries()) {
      let re = 0;
      let im = 0;
      for (let t = 0; t < 2 * pulses; t += 2) {
        re += beam[t] * b[t] - beam[t + 1] * b[t + 1];
        im += beam[t] * b[t + 1] + beam[t + 1] * b[t];
      }
      data[row * columns + column] = re * re + im * im;
    }
  }
  return { data, rows, columns };
}

/**
 * The snapshots of a Doppler bin as a transform of channels and pulses, [n][M·N]: element i of a snapshot is f_iᴴx,
 * f = e_channel ⊗ window·exp(+j2πkt/N_D). It gives covariances and losses of the algorithm with a known R.
 */
export function efaTransform(geometry: EfaGeometry, bin: number): Float64Array {
  const { channels, pulses, temporalTaps, dopplerBins, window, centred, order } = geometry;
  checkInteger(bin, "bin", 0, dopplerBins - 1);
  checkSize(2 * order * channels * pulses, "geometry");
  const out = new Float64Array(2 * order * channels * pulses);
  for (let i = 0; i < order; i++) {
    const k = windowBin(geometry, bin, i % temporalTaps) - (centred ? dopplerBins >> 1 : 0);
    const b = uniformSteering(pulses, k / dopplerBins);
    const base = 2 * (i * channels * pulses + Math.floor(i / temporalTaps) * pulses);
    for (let t = 0; t < 2 * pulses; t++) out[base + t] = window[t >> 1] * b[t];
  }
  return out;
}

/** Weights w [n] of a Doppler bin as weights over channels and pulses [M·N], Σ w_i·f_i, for `angleDopplerResponse`. */
export function efaSpaceTimeWeights(geometry: EfaGeometry, bin: number, w: ComplexSamples): Float64Array {
  const { order, channels, pulses } = geometry;
  checkComplex(w, order, "w", `${order} elements of a snapshot`);
  const transform = efaTransform(geometry, bin);
  const n = channels * pulses;
  const out = new Float64Array(2 * n);
  for (let i = 0; i < order; i++) {
    const [re, im] = [w[2 * i], w[2 * i + 1]];
    for (let t = 0, at = 2 * i * n; t < 2 * n; t += 2, at += 2) {
      out[t] += re * transform[at] - im * transform[at + 1];
      out[t + 1] += re * transform[at + 1] + im * transform[at];
    }
  }
  return out;
}
