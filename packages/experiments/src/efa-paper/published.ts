/**
 * The published results that measurements are compared with: the extended factored algorithm in CUDA on three GPUs of 2011 and 2012,
 * Tables I to III and section V. Times are means over 32 data sets, from cube to output on the device, without transfers. Peak rates are
 * the vendor's; watts are the thermal design power.
 */

/** The stages that times are given for. `filter` is `solve` and `weighting` in one kernel. */
export type StageName = "doppler" | "covariance" | "solve" | "weighting" | "filter";

/** The stages' names in tables and plots. */
export const stageTitles: Readonly<Record<StageName, string>> = {
  doppler: "Doppler processing",
  covariance: "covariance estimation",
  solve: "linear system solves",
  weighting: "adaptive weighting",
  filter: "solves and weighting in one",
};

/** The stages of the published chain, in order. */
export const publishedStages = ["doppler", "covariance", "solve", "weighting"] as const;

/** A GPU of Tables II and III. */
export interface PublishedGpu {
  /** Name of the GPU. */
  readonly name: string;
  /** Peak rate in Gflop/s. */
  readonly peakGflops: number;
  /** Memory bandwidth in GB/s. */
  readonly gigabytesPerSecond: number;
  /** Thermal design power in watts. */
  readonly watts: number;
  /** Milliseconds of each stage. */
  readonly milliseconds: Readonly<Record<(typeof publishedStages)[number], number>>;
  /** Milliseconds of all stages. */
  readonly totalMilliseconds: number;
  /** Data sets per second and watt. */
  readonly dataSetsPerSecondPerWatt: number;
}

/** The numbers of the paper: Tables I to III and Fig. 1. */
export const published = {
  source: "the extended factored algorithm in CUDA, Tables I to III and Fig. 1: Tesla M2090, Tesla K20c, Quadro 3000M",
  /** Table I. */
  sizes: { channels: 4, pulses: 128, dopplerBins: 256, ranges: 512, blockRanges: 32, temporalTaps: 3, steeringVectors: 32 },
  dataSets: 32,
  /** B_T: rows per invocation in Gauss-Jordan elimination. */
  blocking: 3,
  gpus: [
    {
      name: "M2090",
      peakGflops: 1331,
      gigabytesPerSecond: 177,
      watts: 250,
      milliseconds: { doppler: 0.3, covariance: 0.82, solve: 1.21, weighting: 1.75 },
      totalMilliseconds: 4.07,
      dataSetsPerSecondPerWatt: 0.98,
    },
    {
      name: "K20c",
      peakGflops: 3519,
      gigabytesPerSecond: 208,
      watts: 225,
      milliseconds: { doppler: 0.24, covariance: 0.52, solve: 0.88, weighting: 1.31 },
      totalMilliseconds: 2.95,
      dataSetsPerSecondPerWatt: 1.51,
    },
    {
      name: "Q3000M",
      peakGflops: 432,
      gigabytesPerSecond: 80,
      watts: 75,
      milliseconds: { doppler: 0.8, covariance: 2.24, solve: 5.2, weighting: 7.69 },
      totalMilliseconds: 15.93,
      dataSetsPerSecondPerWatt: 0.84,
    },
  ] as readonly PublishedGpu[],
} as const;

/** The least SNR of a float32 chain against float64 in dB, by the manual of the PERFECT suite. Results with a lower SNR are wrong. */
export const minEfaSnrDb = 80;
