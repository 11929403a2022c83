/** An image by definition in float64, computed only from a file's numbers and the grid. The command's images are compared with it. */

export interface Pulses {
  /** [pulse][3], metres. */
  readonly positions: ArrayLike<number>;
  readonly referenceRangeMeters: ArrayLike<number>;
  /** The frequency of each sample, with any spacing. */
  readonly frequenciesHz: ArrayLike<number>;
  /** [pulse][frequency], interleaved re, im. */
  readonly samples: ArrayLike<number>;
}

export interface Square {
  readonly x0: number;
  readonly y0: number;
  readonly z?: number;
  readonly dx: number;
  readonly dy: number;
  readonly nx: number;
  readonly ny: number;
}

/**
 * Σ_p Σ_k fp[p][k]·exp(+j4πf_k(|A_p − x| − r₀_p)/c) over the number of frequencies: [ny][nx], interleaved. Added to `image` if one is
 * given.
 */
export function directSum(
  { positions, referenceRangeMeters, frequenciesHz, samples }: Pulses,
  grid: Square,
  image?: Float64Array,
): Float64Array {
  const { x0, y0, z = 0, dx, dy, nx, ny } = grid;
  const count = frequenciesHz.length;
  const out = image ?? new Float64Array(2 * nx * ny);
  for (let pixel = 0; pixel < nx * ny; pixel++) {
    const [x, y] = [x0 + dx * (pixel % nx), y0 + dy * Math.floor(pixel / nx)];
    for (let p = 0; p < referenceRangeMeters.length; p++) {
      const range = Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2] - z) - referenceRangeMeters[p];
      const delay = (2 * range) / 299792458;
      for (let k = 0, at = 2 * p * count; k < count; k++, at += 2) {
        const angle = 2 * Math.PI * ((frequenciesHz[k] * delay) % 1);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        out[2 * pixel] += (samples[at] * c - samples[at + 1] * s) / count;
        out[2 * pixel + 1] += (samples[at] * s + samples[at + 1] * c) / count;
      }
    }
  }
  return out;
}
