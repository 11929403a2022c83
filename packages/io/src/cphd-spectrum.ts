/** The spectrum of one compressed pulse in float64, by a transform of a power of two. Files need no device to be read. */

/**
 * Writes the frequencies −half to half of `line`, the first `samples` samples, interleaved, to `into` from `at` on: frequency k is
 * scale·Σ_n line[n]·exp(sign·j2π·k·(n/length + shift)).
 */
export type Spectrum = (
  line: Float64Array,
  samples: number,
  scale: number,
  shift: number,
  half: number,
  into: Float32Array,
  at: number,
  sign: 1 | -1,
) => void;

/** Makes the function for lines of at most `length` samples, a power of two. */
export function createSpectrum(length: number): Spectrum {
  const bits = Math.log2(length);
  const data = new Float64Array(2 * length);
  const turns = new Float64Array(length);
  for (let k = 0; k < length / 2; k++) {
    turns[2 * k] = Math.cos((2 * Math.PI * k) / length);
    turns[2 * k + 1] = -Math.sin((2 * Math.PI * k) / length);
  }
  const places = new Uint32Array(length);
  for (let i = 1; i < length; i++) places[i] = (places[i >> 1] >> 1) | ((i & 1) << (bits - 1));

  return (line, samples, scale, shift, half, into, at, sign) => {
    data.fill(0);
    for (let n = 0; n < samples; n++) {
      data[2 * places[n]] = line[2 * n];
      data[2 * places[n] + 1] = line[2 * n + 1];
    }
    for (let size = 2; size <= length; size *= 2) {
      const stride = length / size;
      for (let start = 0; start < length; start += size) {
        for (let k = 0; k < size / 2; k++) {
          const [p, q] = [2 * (start + k), 2 * (start + k + size / 2)];
          const [c, s] = [turns[2 * k * stride], turns[2 * k * stride + 1]];
          const re = data[q] * c - data[q + 1] * s;
          const im = data[q] * s + data[q + 1] * c;
          data[q] = data[p] - re;
          data[q + 1] = data[p + 1] - im;
          data[p] += re;
          data[p + 1] += im;
        }
      }
    }
    for (let k = -half; k <= half; k++) {
      // The transform has the sign −1.
      const from = 2 * ((length - sign * k) % length);
      const cycles = sign * k * shift;
      const angle = 2 * Math.PI * (cycles - Math.round(cycles));
      const [c, s] = [scale * Math.cos(angle), scale * Math.sin(angle)];
      const to = at + 2 * (k + half);
      into[to] = data[from] * c - data[from + 1] * s;
      into[to + 1] = data[from] * s + data[from + 1] * c;
    }
  };
}
