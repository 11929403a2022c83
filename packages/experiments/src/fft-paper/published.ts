/**
 * The published results that measurements are compared with, by the papers' table numbers: M. A. Bergach, "Beating vDSP: A 138 GFLOPS
 * Radix-8 Stockham FFT on Apple Silicon" (Tables I to IX and Fig. 1), and Table I of the same author's paper on fused kernels for synthetic
 * aperture radar (arXiv 2604.03585). All were measured on an Apple M1 GPU with 8 cores, except where a table says otherwise. The rate is
 * 5·N·log₂N·batch/time.
 */

/** A published kernel: its rate and the time of a transform. */
export interface PublishedKernel {
  /** The kernel's name in the paper. */
  readonly name: string;
  /** GFLOPS = 5·N·log₂N·batch/time. */
  readonly gflops: number;
  /** Microseconds of one transform. */
  readonly microseconds: number;
}

/** The numbers of the papers. */
export const published = {
  source: "Bergach, Beating vDSP, Tables I to IX and Fig. 1; Bergach, arXiv 2604.03585, Table I: Apple M1, 8 GPU cores, 1278 MHz, 68 GB/s",
  /** Table I: parameters of the Apple M1 GPU. */
  parameters: [
    ["GPU cores", "8"],
    ["ALUs per core", "128"],
    ["FP32 FLOPs/cycle/core", "256"],
    ["FP16 FLOPs/cycle/core", "512"],
    ["SIMD group width", "32 threads"],
    ["Max threads/threadgroup", "1024"],
    ["Max SIMD groups/threadgroup", "32"],
    ["GPRs per thread", "up to 128×32 bit"],
    ["Register file per threadgroup", "208 KiB"],
    ["Threadgroup memory", "32 KiB"],
    ["Unified DRAM bandwidth", "68 GB/s"],
    ["GPU clock", "1278 MHz"],
  ],
  /** Table III: an Intel IvyBridge execution unit of 2015, and the M1. */
  hardware: [
    ["SIMD width", "8–16", "32"],
    ["Local/shared memory", "~2 KiB", "32 KiB"],
    ["Register file", "~2 KiB", "208 KiB"],
    ["Max local FFT (FP32)", "2^10", "2^12"],
    ["Memory model", "discrete", "unified"],
    ["Transfer overhead", "significant", "zero"],
    ["DRAM bandwidth", "25.6 GB/s", "68 GB/s"],
  ],
  /** Table IV: radices at N = 4096, with 128 registers a thread. */
  radices: [
    { radix: 2, flops: 10, registers: 8, stages: 12, barriers: 22 },
    { radix: 4, flops: 34, registers: 18, stages: 6, barriers: 10 },
    { radix: 8, flops: 94, registers: 38, stages: 4, barriers: 6 },
    { radix: 16, flops: 214, registers: 78, stages: 3, barriers: 4 },
  ],
  /** Table V: kernels by size. */
  kernels: [
    { n: 256, threads: 64, passes: "4", kibibytes: 2 },
    { n: 512, threads: 128, passes: "4 + 1 (radix 2)", kibibytes: 4 },
    { n: 1024, threads: 256, passes: "5", kibibytes: 8 },
    { n: 2048, threads: 512, passes: "5 + 1 (radix 2)", kibibytes: 16 },
    { n: 4096, threads: 1024, passes: "6", kibibytes: 32 },
  ],
  /** Table VI: N = 4096, batch 256. */
  batch: 256,
  transforms: {
    cpu: { name: "vDSP/Accelerate", gflops: 107, microseconds: 2.29 },
    "radix-4": { name: "Radix-4 Stockham", gflops: 113.6, microseconds: 2.16 },
    "radix-8": { name: "Radix-8 Stockham", gflops: 138.45, microseconds: 1.78 },
    shuffle: { name: "SIMD shuffle variant", gflops: 61.5, microseconds: 3.99 },
  } as Readonly<Record<string, PublishedKernel>>,
  /** Table VII: sizes at the optimal batch. */
  sizes: [
    { n: 256, decomposition: "single threadgroup", gflops: 53, microseconds: 0.29 },
    { n: 512, decomposition: "single threadgroup", gflops: 66, microseconds: 0.42 },
    { n: 1024, decomposition: "single threadgroup", gflops: 83, microseconds: 0.49 },
    { n: 2048, decomposition: "single threadgroup", gflops: 97, microseconds: 0.85 },
    { n: 4096, decomposition: "single threadgroup, radix 8", gflops: 138.45, microseconds: 1.78 },
    { n: 8192, decomposition: "four-step", gflops: 112, microseconds: 3.8 },
    { n: 16384, decomposition: "four-step", gflops: 103, microseconds: 8.87 },
  ],
  /** Fig. 1, N = 4096: the rate grows up to this batch, and passes that of vDSP from the other. */
  saturation: { batch: 128, aboveCpu: 64 },
  /** Table VIII: barriers against access patterns, N = 4096. */
  barriers: [
    { variant: "radix-8", name: "Radix-8 Stockham", barriers: 6, access: "sequential", gflops: 138.45 },
    { variant: "shuffle", name: "SIMD shuffle hybrid", barriers: 4, access: "scattered", gflops: 61.5 },
  ],
  /** Table IX: the thesis of 2015 on an Intel GPU, and the M1. */
  thesis: [
    ["Max local FFT", "2^10", "2^12"],
    ["Local memory used", "~2 KiB", "32 KiB"],
    ["Register file", "~2 KiB", "208 KiB"],
    ["Best GFLOPS", "~20", "138.45"],
    ["vs. vendor baseline", "> MKL", "1.29 × vDSP"],
    ["Radix strategy", "mixed 2/4/8", "pure radix 8"],
    ["Transfer overhead", "dominant cost", "zero"],
  ],
  /** Table I of the paper on fused kernels: N = 4096. */
  matrix: {
    "radix-8": { name: "Radix-8 Stockham (scalar)", gflops: 138, microseconds: 1.78 },
    matrix: { name: "CT MMA (stages 0–2)", gflops: 128, microseconds: 1.92 },
    "cooley-tukey": { name: "CT scalar reference", gflops: 120, microseconds: 2.04 },
  } as Readonly<Record<string, PublishedKernel>>,
} as const;
