/** Transforms of real lines, and back from half spectra, as cases of the GPU bench. */
import { layout } from "@dechirp/core";
import { transformFlops } from "../runner.ts";
import { dft, spreadOver } from "./reference.ts";
import type { Work } from "./work.ts";

/** Lengths of real lines: in one pass, in several, and one that is no power of two. */
export const realLengths = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 2 ** 20, 48_000] as const;

/** Real lines to half spectra. Real numbers take half the memory, so there are twice as many. */
export function realWork(n: number, elements: number): Work {
  const lines = Math.floor((2 * elements) / n);
  const half = Math.floor(n / 2) + 1;
  const real = layout("f32", [lines, n]);
  return {
    name: `real-fft f32 ${lines}×${n}`,
    arrays: { in: real, out: layout("c64", [lines, half]) },
    ways: [{ steps: [{ op: { op: "real-fft", layout: real, axis: 1, inverse: false }, bind: { in: "in", out: "out" } }] }],
    flops: transformFlops(lines, n) / 2,
    gain: n,
    weight: (k) => (k === 0 || 2 * k === n ? 1 : 2),
    samples: (x) =>
      spreadOver(lines).map((l) => {
        const line = new Float64Array(2 * n);
        for (let i = 0; i < n; i++) line[2 * i] = x[l * n + i];
        return { start: l * half, stride: 1, values: dft(line).subarray(0, 2 * half) };
      }),
    peer: { kind: "real-fft", lines, n },
  };
}

/** Half spectra of n/2 + 1 bins to real lines of n. */
export function realInverseWork(n: number, elements: number): Work {
  const half = Math.floor(n / 2) + 1;
  const lines = Math.floor(elements / half);
  const spectra = layout("c64", [lines, half]);
  return {
    name: `inverse real-fft c64 ${lines}×${half} to ${n}`,
    arrays: { in: spectra, out: layout("f32", [lines, n]) },
    ways: [{ steps: [{ op: { op: "real-fft", layout: spectra, axis: 1, n, inverse: true }, bind: { in: "in", out: "out" } }] }],
    flops: transformFlops(lines, n) / 2,
    samples: (x) =>
      spreadOver(lines).map((l) => {
        const spectrum = new Float64Array(2 * n);
        for (let k = 0; k < half; k++) {
          const re = x[2 * (l * half + k)];
          // The imaginary parts of bins 0 and n/2 have no effect.
          const im = k === 0 || 2 * k === n ? 0 : x[2 * (l * half + k) + 1];
          spectrum.set([re, im], 2 * k);
          if (k > 0 && 2 * k < n) spectrum.set([re, -im], 2 * (n - k));
        }
        return { start: l * n, stride: 1, values: dft(spectrum, true).filter((_, i) => i % 2 === 0) };
      }),
    peer: { kind: "real-ifft", lines, n },
  };
}
