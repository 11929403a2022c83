/**
 * The published results that measurements are compared with. "Kernel-Fused SAR Imaging on Apple Silicon" (Bergach, arXiv 2604.03585), an
 * Apple M1 with 8 GPU cores and 68 GB/s: Tables II, III and IV. The steps add up to 327 ms, but the headline is 370. Its unfused baseline
 * conjugates and scales on the CPU. Values that the text does not give are missing.
 */

/** The parts of the algorithm that times are given for. `image` is `rcmc` and `compression` in one pass. */
export type Part = "range" | "azimuth" | "rcmc" | "compression" | "image";

/** The parts' names in tables. */
export const parts: Readonly<Record<Part, string>> = {
  range: "range compression",
  azimuth: "azimuth FFT",
  rcmc: "RCMC",
  compression: "azimuth compression",
  image: "RCMC and azimuth compression in one",
};

/** The published numbers. */
export const published = {
  source: "Bergach, arXiv 2604.03585, Tables II–IV: Apple M1, 4096×4096",
  milliseconds: { fused: 370, unfused: 8160 },
  speedup: 22.3,
  partMilliseconds: { range: 29, azimuth: 132, rcmc: 37, compression: 129, image: 37 + 129 } satisfies Record<Part, number>,
  /** SNR of the targets in the order of the scene, equal for fused and unfused images. */
  snrDb: [47.3, 46.8, 47.1, 46.5, 45.2],
  later: { source: "the author's later kernels, M6, another scene", milliseconds: { f32: 8.13, f16: 6.02 } },
} as const;

/**
 * The largest relative L2 difference between fused and unfused images that float32 explains, for the published twelve butterfly passes of
 * two transforms.
 */
export const differenceBound = 3e-7 * Math.sqrt(24);
