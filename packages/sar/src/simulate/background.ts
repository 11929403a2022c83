/**
 * Distributed clutter: very many scatterers with complex Gaussian amplitudes, whose echoes add up to speckle. For each pulse,
 * every illuminated scatterer is spread, with its exact delay and carrier phase, onto a range profile of twice the
 * sampling rate (a non-uniform FFT of type 1: Dutt & Rokhlin 1993, with the Kaiser–Bessel kernel of Jackson et al.
 * 1991). One filter in the frequency domain then undoes the spreading and convolves with the pulse. The caller's `Convolve`
 * does the transforms.
 *
 * The model, which the spreading approximates to about 10⁻⁷: with P the DFT over N = n2/2 points of the sampled pulse,
 * raw[i] = 1/N·Σ_{|k| < N/2} P[k]·Σₛ cₛ·exp(−j2πkδₛ/N)·exp(j2πki/N), that is, the sampled pulse moved by δₛ samples as a
 * band-limited (periodic) signal, with cₛ the amplitude, beam gain and carrier phase of scatterer s.
 */

import { createRandom, inputError, type Pause } from "@dechirp/core";
import { besselI0, chirpReplica, chirpSamples, type StripmapRadar, wavelengthMeters } from "@dechirp/radar";
import { type Beam, beamGain, illuminatedPulses, pulseSeconds, twoWayCycles } from "../geometry.ts";
import { chirpBandwidthHz, rangeSpacingMeters } from "../radar.ts";
import { type Reflectivity, terrainReflectivity } from "./terrain.ts";

/**
 * IDFT(DFT(row)·h) of every row. `rows` [rowCount][n2] and `h` [n2] are interleaved complex, h is in natural frequency
 * order, n2 is a power of two, and the inverse divides by n2. Returns [rowCount][n2]; it may reuse `rows`. All calls of one
 * simulation have the same rowCount, n2 and h.
 */
export type Convolve = (rows: Float64Array, rowCount: number, n2: number, h: Float64Array) => Promise<Float64Array>;

/** Distributed clutter. */
export interface Background {
  /**
   * Mean clutter power of a resolution cell (1/chirp bandwidth by 1/beam bandwidth) relative to a target of amplitude 1, in
   * dB. Around a unit target, a focused image shows this level times beam bandwidth over processed bandwidth.
   */
  readonly levelDb: number;
  /** Scatterers per resolution cell. Default: 1, which gives fully developed speckle. */
  readonly density?: number;
  /** `terrain` modulates the power with an invented landscape of mean 1. Default: `uniform`. */
  readonly texture?: "uniform" | "terrain";
}

export interface Scatterers {
  readonly count: number;
  /** Slow times of closest approach, ascending. */
  readonly azimuthSeconds: Float64Array;
  readonly slantRangeMeters: Float64Array;
  /** Complex amplitudes (interleaved), including the carrier phase at closest approach, exp(−j4πR₀/λ). */
  readonly amplitudes: Float64Array;
}

export const maxScatterers = 2 ** 23;

/** (√5 − 1)/2 */
const goldenRatio = 0.6180339887498949;

/** Throws `input` naming the field unless `background` is valid. */
export function checkBackground(background: Background): void {
  if (typeof background !== "object" || background === null) throw inputError("background", "{ levelDb, density, texture }", background);
  const { levelDb, density = 1, texture = "uniform" } = background;
  if (!(Number.isFinite(levelDb) && Math.abs(levelDb) <= 200)) throw inputError("background.levelDb", "from -200 to 200", levelDb);
  if (!(typeof density === "number" && density > 0 && density <= 1000))
    throw inputError("background.density", "above 0, up to 1000", density);
  if (texture !== "uniform" && texture !== "terrain") throw inputError("background.texture", "uniform or terrain", texture);
}

interface Extent {
  readonly radar: StripmapRadar;
  readonly beam: Beam;
  readonly lines: number;
  readonly samples: number;
}

/**
 * Scatterers over the whole swath (closest approaches in range cells 0 to samples − chirpSamples) and over every slow
 * time that a pulse sees any part of. Throws `input` if that needs more than 2^23 of them.
 */
export async function drawScatterers(extent: Extent, background: Background, seed: number, pause: Pause): Promise<Scatterers> {
  checkBackground(background);
  const { radar, beam, lines, samples } = extent;
  const { levelDb, density = 1, texture = "uniform" } = background;
  const near = radar.nearRangeMeters;
  const depth = (samples - chirpSamples(radar)) * rangeSpacingMeters(radar);
  // Slow times seen by the first and the last pulse, over both edges of the swath.
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const slantRangeMeters of [near, near + depth]) {
    const [enter, leave] = illuminatedPulses(radar, beam, { azimuthSeconds: radar.startSeconds ?? 0, slantRangeMeters });
    first = Math.min(first, pulseSeconds(radar, 0) - leave / radar.prfHz);
    last = Math.max(last, pulseSeconds(radar, lines - 1) - enter / radar.prfHz);
  }
  const cells = (depth / rangeSpacingMeters(radar)) * (chirpBandwidthHz(radar) / radar.samplingRateHz) * (last - first) * beam.bandwidthHz;
  const count = Math.max(1, Math.round(cells * density));
  if (!(count <= maxScatterers)) throw inputError("background.density", `small enough for ${maxScatterers} scatterers`, density);

  const random = createRandom(seed, 1);
  // Positions on a golden-ratio lattice, jittered by half a cell: they cover any aspect ratio evenly, in ascending order.
  // Even cover makes speckle fully developed at one scatterer per cell, where independent positions need many.
  const size = Math.max(depth, (last - first) * radar.velocityMetersPerSecond);
  const reflectivity: Reflectivity = texture === "terrain" ? terrainReflectivity(seed, size) : () => 1;
  const jitter = (0.5 * radar.samplingRateHz) / chirpBandwidthHz(radar) / (samples - chirpSamples(radar));
  const azimuthSeconds = new Float64Array(count);
  const slantRangeMeters = new Float64Array(count);
  const amplitudes = new Float64Array(2 * count);
  let power = 0;
  for (let s = 0; s < count; s++) {
    if (s % 4096 === 0) await pause();
    azimuthSeconds[s] = first + ((s + random.uniform()) / count) * (last - first);
    const across = s * goldenRatio + random.uniform() * jitter;
    slantRangeMeters[s] = near + (across - Math.floor(across)) * depth;
    const mean = reflectivity((azimuthSeconds[s] - first) * radar.velocityMetersPerSecond, slantRangeMeters[s] - near);
    power += mean;
    const deviation = Math.sqrt(mean);
    // A circular Gaussian amplitude stays circular under the rotation of the carrier. The rotation is applied all the same, so that
    // positions are exact.
    const angle = -2 * Math.PI * twoWayCycles(radar, slantRangeMeters[s]);
    const [re, im] = [deviation * random.gaussian(), deviation * random.gaussian()];
    amplitudes[2 * s] = re * Math.cos(angle) - im * Math.sin(angle);
    amplitudes[2 * s + 1] = re * Math.sin(angle) + im * Math.cos(angle);
  }
  // Two components of variance ½ each, times the level, over the scatterers of a cell. The texture has mean 1.
  const scale = Math.sqrt((10 ** (levelDb / 10) * count) / (2 * density * power));
  for (let i = 0; i < amplitudes.length; i++) amplitudes[i] *= scale;
  return { count, azimuthSeconds, slantRangeMeters, amplitudes };
}

/** Width of the spreading kernel in cells of the twofold grid: error about 10^(1 − taps). */
const taps = 8;
/** Parameter of the Kaiser–Bessel kernel for twofold oversampling (Beatty, Nishimura & Pauly 2005, eq. 5). */
const shape = Math.PI * Math.sqrt(taps ** 2 * 0.5625 - 0.8);
/** Rows of the kernel's table. Blending neighbours has an error below 10⁻⁸. */
const phases = 4096;

/** Points of the twofold grid: enough that no echo that starts in the recording wraps round to its beginning. */
export function profileLength(radar: StripmapRadar, samples: number): number {
  let n2 = 64;
  while (n2 < 2 * (samples + chirpSamples(radar) + taps)) n2 *= 2;
  return n2;
}

/** The filter for `Convolve`: the spectrum of the pulse over |f| < Fr/2, divided by that of the kernel; zero beyond. */
export async function profileFilter(radar: StripmapRadar, samples: number, pause: Pause): Promise<Float64Array> {
  const n2 = profileLength(radar, samples);
  const n = n2 / 2;
  const pulse = chirpReplica(radar);
  const roots = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    roots[2 * k] = Math.cos((2 * Math.PI * k) / n);
    roots[2 * k + 1] = -Math.sin((2 * Math.PI * k) / n);
  }
  const h = new Float64Array(2 * n2);
  for (let k = -n / 2 + 1; k < n / 2; k++) {
    let re = 0;
    let im = 0;
    const turn = (k + n) % n;
    for (let i = 0, at = 0; i < pulse.length; i += 2, at = (at + turn) % n) {
      re += pulse[i] * roots[2 * at] - pulse[i + 1] * roots[2 * at + 1];
      im += pulse[i] * roots[2 * at + 1] + pulse[i + 1] * roots[2 * at];
    }
    const r = Math.sqrt(shape ** 2 - ((Math.PI * taps * k) / n2) ** 2);
    const kernel = (taps * Math.sinh(r)) / (r * besselI0(shape));
    // Times two, because the inverse over n2 points divides by 2N.
    h[2 * ((k + n2) % n2)] = (2 * re) / kernel;
    h[2 * ((k + n2) % n2) + 1] = (2 * im) / kernel;
    await pause();
  }
  return h;
}

/** Returns a function that spreads scatterers pulse by pulse. It owns the table of the kernel and a scratch profile. */
export function createGridder(extent: Extent, scatterers: Scatterers): (pulse: number, row: Float64Array) => void {
  const { radar, beam, samples } = extent;
  const { count, azimuthSeconds, slantRangeMeters, amplitudes } = scatterers;
  const table = new Float64Array((phases + 2) * taps);
  const norm = besselI0(shape);
  for (let q = 0; q <= phases; q++) {
    for (let j = 0; j < taps; j++) {
      const x = (2 * (j - taps / 2 + 1 - q / phases)) / taps;
      table[q * taps + j] = Math.abs(x) <= 1 ? besselI0(shape * Math.sqrt(1 - x * x)) / norm : 0;
    }
  }
  const velocity = radar.velocityMetersPerSecond;
  const near = radar.nearRangeMeters;
  const cellsPerMeter = 2 / rangeSpacingMeters(radar);
  const cyclesPerMeter = 2 / wavelengthMeters(radar);
  const centroid = radar.dopplerCentroidHz;
  const uniform = beam.kind === "doppler-band";
  // Times of closest approach, relative to a pulse, that it may see: widest at one edge of the swath or the other.
  let before = Number.POSITIVE_INFINITY;
  let after = Number.NEGATIVE_INFINITY;
  for (const range of [near, near + samples * rangeSpacingMeters(radar)]) {
    const [enter, leave] = illuminatedPulses(radar, beam, { azimuthSeconds: radar.startSeconds ?? 0, slantRangeMeters: range });
    before = Math.min(before, -leave / radar.prfHz);
    after = Math.max(after, -enter / radar.prfHz);
  }
  const scratch = new Float64Array(2 * (2 * samples + 2 * taps));

  return (pulse, row) => {
    row.fill(0);
    scratch.fill(0);
    const now = pulseSeconds(radar, pulse);
    const end = lowerBound(azimuthSeconds, count, now + after + 1 / radar.prfHz);
    for (let s = lowerBound(azimuthSeconds, count, now + before - 1 / radar.prfHz); s < end; s++) {
      const along = velocity * (now - azimuthSeconds[s]);
      const square = along * along;
      const closest = slantRangeMeters[s];
      const range = Math.sqrt(closest * closest + square);
      const offset = (-cyclesPerMeter * velocity * along) / range - centroid;
      const gain = uniform ? (Math.abs(offset) <= beam.bandwidthHz / 2 ? 1 : 0) : beamGain(beam, offset);
      if (gain === 0) continue;
      const excess = square / (closest + range);
      const position = (closest - near + excess) * cellsPerMeter;
      if (position < 0 || position >= 2 * samples) continue;
      const turns = -cyclesPerMeter * excess;
      const angle = 2 * Math.PI * (turns - Math.round(turns));
      const cos = gain * Math.cos(angle);
      const sin = gain * Math.sin(angle);
      const re = amplitudes[2 * s] * cos - amplitudes[2 * s + 1] * sin;
      const im = amplitudes[2 * s] * sin + amplitudes[2 * s + 1] * cos;
      const cell = Math.floor(position);
      const phase = (position - cell) * phases;
      const q = Math.floor(phase);
      const blend = phase - q;
      // The scratch profile starts taps/2 cells before the grid.
      let at = 2 * (cell + 1);
      for (let j = q * taps; j < (q + 1) * taps; j++, at += 2) {
        const weight = table[j] + blend * (table[j + taps] - table[j]);
        scratch[at] += weight * re;
        scratch[at + 1] += weight * im;
      }
    }
    // What lies before the grid wraps to its end.
    row.set(scratch.subarray(taps));
    row.set(scratch.subarray(0, taps), row.length - taps);
  };
}

/** First index of ascending `values` that is not below `x`. */
function lowerBound(values: Float64Array, count: number, x: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
