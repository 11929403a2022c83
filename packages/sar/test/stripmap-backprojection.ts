/**
 * Stripmap recordings by backprojection in float64, onto rows and columns of a range-Doppler image, for comparison with that image.
 * Every pulse that sees a pixel within the processed Doppler band is summed, weighted by the azimuth window at the pixel's
 * Doppler frequency in that pulse. Nothing is transformed along azimuth, so that nothing can fold.
 */
import { chirpReplica, type StripmapRadar, speedOfLight, type Window, windowFunction } from "@dechirp/radar";
import { interpolatorTable } from "@dechirp/radar/interpolation";
import { chirpBandwidthHz, designSpectrum, type ImageAxes, maxDopplerHz, rangeSpacingMeters } from "../src/index.ts";

export interface Recording {
  readonly radar: StripmapRadar;
  readonly lines: number;
  readonly samples: number;
  /** [lines][samples], interleaved. */
  readonly raw: Float32Array | Float64Array;
}

export interface Profiles {
  /** [lines][bins], interleaved. */
  readonly data: Float64Array;
  readonly bins: number;
  /** From the first bin, which lies at the range of the first sample. */
  readonly binMeters: number;
}

/** Bins of a profile for each range sample. */
const finer = 4;

/** Range profiles with a window over the flat band of the chirp, `finer` times as dense as the samples. */
export function compressPulses({ radar, lines, samples, raw }: Recording, window: Window): Profiles {
  const n = 2 ** Math.ceil(Math.log2(2 * samples));
  const bins = finer * n;
  const kept = finer * samples;
  const replica = designSpectrum(chirpReplica(radar), n);
  const taper = windowFunction(window);
  const flat = radar.samplingRateHz ** 2 / Math.abs(radar.chirpRateHzPerSecond);
  const data = new Float64Array(2 * lines * kept);
  const padded = new Float64Array(2 * bins);
  for (let p = 0; p < lines; p++) {
    const line = designSpectrum(Float64Array.from(raw.subarray(2 * p * samples, 2 * (p + 1) * samples)), n);
    padded.fill(0);
    for (let k = 0; k < n; k++) {
      const f = ((2 * k < n ? k : k - n) / n) * radar.samplingRateHz;
      const [re, im] = [replica[2 * k], replica[2 * k + 1]];
      const weight = taper(f / chirpBandwidthHz(radar)) / Math.max(re * re + im * im, flat / 8) / n;
      const at = 2 * (2 * k < n ? k : bins - n + k);
      // Conjugate, as the inverse transform is the conjugate of the transform of the conjugate.
      padded[at] = weight * (line[2 * k] * re + line[2 * k + 1] * im);
      padded[at + 1] = -weight * (line[2 * k + 1] * re - line[2 * k] * im);
    }
    const profile = designSpectrum(padded, bins);
    for (let b = 0; b < kept; b++) {
      data[2 * (p * kept + b)] = profile[2 * b];
      data[2 * (p * kept + b) + 1] = -profile[2 * b + 1];
    }
  }
  return { data, bins: kept, binMeters: rangeSpacingMeters(radar) / finer };
}

/** Rows `rows` of the image with `axes`, [rows][columns]; a target has the phase −4πR₀/λ, as in a range-Doppler image. */
export function backprojectRows(
  { radar, lines }: Recording,
  profiles: Profiles,
  axes: ImageAxes,
  rows: readonly number[],
  bandwidthHz: number,
  window: Window,
): Float64Array {
  const { azimuthSeconds, slantRangeMeters } = axes;
  const { data, bins, binMeters } = profiles;
  const { taps, phases, table } = interpolatorTable({ kind: "sinc", taps: 12, window: "kaiser" }, { oversampling: finer });
  const columns = slantRangeMeters.count;
  const weight = windowFunction(window);
  const image = new Float64Array(2 * rows.length * columns);
  const start = radar.startSeconds ?? 0;
  for (const [i, row] of rows.entries()) {
    const time = azimuthSeconds.start + row * azimuthSeconds.step;
    for (let column = 0; column < columns; column++) {
      const r0 = slantRangeMeters.start + column * slantRangeMeters.step;
      let [re, im] = [0, 0];
      for (let p = 0; p < lines; p++) {
        const along = radar.velocityMetersPerSecond * (start + p / radar.prfHz - time);
        const range = Math.sqrt(r0 * r0 + along * along);
        const w = weight(((-maxDopplerHz(radar) * along) / range - radar.dopplerCentroidHz) / bandwidthHz);
        if (w === 0) continue;
        const bin = (range - radar.nearRangeMeters) / binMeters;
        const low = Math.floor(bin);
        const first = low - taps / 2 + 1;
        if (first < 0 || first + taps > bins) continue;
        const phase = Math.round((bin - low) * phases);
        let [a, b] = [0, 0];
        for (let j = 0, at = 2 * (p * bins + first); j < taps; j++, at += 2) {
          a += table[phase * taps + j] * data[at];
          b += table[phase * taps + j] * data[at + 1];
        }
        // Along the curve less at closest approach: R − R₀ without cancellation.
        const cycles = (2 * radar.carrierHz * ((along * along) / (range + r0))) / speedOfLight;
        const angle = 2 * Math.PI * (cycles - Math.round(cycles));
        const [c, s] = [w * Math.cos(angle), w * Math.sin(angle)];
        re += a * c - b * s;
        im += a * s + b * c;
      }
      image[2 * (i * columns + column)] = re;
      image[2 * (i * columns + column) + 1] = im;
    }
  }
  return image;
}

export interface RowCoherence {
  readonly row: number;
  /** |Σ a·b*| / √(Σ|a|²·Σ|b|²) over the columns. */
  readonly coherence: number;
  /** Energy of the second image's row over that of its strongest row. */
  readonly powerDb: number;
}

/** Coherence over the columns of rows of `image` [all rows][columns] with `wanted` [rows][columns]. */
export function rowCoherence(
  image: Float32Array | Float64Array,
  wanted: Float64Array,
  rows: readonly number[],
  columns: number,
): readonly RowCoherence[] {
  const sums = rows.map((row, i) => {
    let [re, im, mine, theirs] = [0, 0, 0, 0];
    for (let k = 0; k < 2 * columns; k += 2) {
      const [a, b] = [image[2 * row * columns + k], image[2 * row * columns + k + 1]];
      const [c, d] = [wanted[2 * i * columns + k], wanted[2 * i * columns + k + 1]];
      re += a * c + b * d;
      im += b * c - a * d;
      mine += a * a + b * b;
      theirs += c * c + d * d;
    }
    return { row, coherence: Math.hypot(re, im) / Math.sqrt(mine * theirs), theirs };
  });
  const strongest = sums.reduce((most, { theirs }) => Math.max(most, theirs), 0);
  return sums.map(({ row, coherence, theirs }) => ({ row, coherence, powerDb: 10 * Math.log10(theirs / strongest) }));
}
