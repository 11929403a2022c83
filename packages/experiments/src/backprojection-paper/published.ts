/**
 * The published results that measurements are compared with: dual partitioning of backprojection on a Tesla C1060 (2009), 42,208 pulses of
 * 4096 bins, Tables 1 to 4 and the figures in the text of section VI. Times are in seconds. The paper does not say which pixels, angles
 * and frequencies it used. It counts about 37 operations per pixel and pulse.
 */

/** The published numbers. */
export const published = {
  source: "backprojection by image tiles and pulse sets, Tesla C1060, 2009: Tables 1–4",
  pulses: 42_208,
  bins: 4096,
  /** Operations per backprojection in the paper's Gflop/s: 119 Gflop/s · 3.44 s / (42,208 · 512²). */
  flopsPerProjection: 37,
  sides: [512, 1024, 2048],
  /** Table 1: tiles of 32, without transfers, by edge of the image. */
  kernelSeconds: { 512: 3.44, 1024: 12.6, 2048: 48.1 } as Readonly<Record<number, number>>,
  /** Table 2: with transfers, sequential and overlapped. */
  wholeSeconds: {
    synchronous: { 512: 5.24, 1024: 14.4, 2048: 49.9 } as Readonly<Record<number, number>>,
    asynchronous: { 512: 3.84, 1024: 13.0, 2048: 48.5 } as Readonly<Record<number, number>>,
  },
  transfer: { gigabytes: 1.32, seconds: 1.8 },
  /** Tables 3 and 4: an Athlon 64 at 2.8 GHz with two cores, with one thread and four, without tiles and with tiles of 40. */
  cpuTile: 40,
  cpuSeconds: {
    one: {
      whole: { 512: 3170, 1024: 11_736 } as Readonly<Record<number, number>>,
      tiles: { 512: 3100, 1024: 11_485 } as Readonly<Record<number, number>>,
    },
    all: {
      whole: { 512: 1550, 1024: 5740 } as Readonly<Record<number, number>>,
      tiles: { 512: 1510, 1024: 5490 } as Readonly<Record<number, number>>,
    },
  },
  /** One pixel per thread on the GPU at 512², and the stated gain of tiles over it. */
  onePixel: { seconds: 20.5, gain: 5.8 },
  /** Error of the image with the device's own tangent, and with a table of 1024 entries, relative to the library's single precision. */
  sine: { native: 1e-9, table: 2e-4 },
} as const;
