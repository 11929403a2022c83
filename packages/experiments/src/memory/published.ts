/**
 * Published parameters of GPUs: Tables I to III and section IV.A of "Beating vDSP: A 138 GFLOPS Radix-8 Stockham FFT on Apple Silicon via Two-Tier
 * Register-Threadgroup Memory Decomposition". Rates are bytes per second.
 */

/** The numbers of the paper. */
export const publishedMemory = {
  source: "the radix-8 Stockham paper, Tables I, II and III: Apple M1 GPU, measured in Metal",
  /** Table I. */
  m1: {
    name: "Apple M1",
    cores: 8,
    alusPerCore: 128,
    /** Fused multiplications and additions of a core in a cycle, and the flops that the paper counts for them. */
    fusedPerCycle: 128,
    flopsPerCycle: 256,
    halfFlopsPerCycle: 512,
    subgroup: 32,
    invocations: 1024,
    subgroupsPerWorkgroup: 32,
    registersPerThread: 128,
    registerBytes: 208 * 1024,
    workgroupBytes: 32 * 1024,
    memoryRate: 68e9,
    clock: 1278e6,
  },
  /** Table II. */
  measured: {
    sequential: 688e9,
    strided: 217e9,
    shuffle: 262e9,
    copyLow: 407e9,
    copyHigh: 420e9,
    bestThreads: 1024,
    registersAtDrop: 128,
  },
  /** Section IV.A, Eq. 2 and the register-resident extension: the longest transforms of complex float32 numbers in each tier. */
  longest: { inWorkgroup: 2 ** 12, inRegisters: 2 ** 13 },
  /** Section VI.E: the cycles of a barrier. */
  barrierCycles: 2,
  /** Table III, the column of the GPU of 2015. */
  intel: { name: "Intel Ivy Bridge EU", subgroup: "8-16", workgroup: "~2 KiB", registers: "~2 KiB", longest: 2 ** 10, memoryRate: 25.6e9 },
  /** Section V.C: products of matrices, in fused multiplications and additions of float32 numbers in a cycle. */
  matrixFusedPerCycle: 102,
  /** Section IX, on larger chips. */
  m4Max: { name: "Apple M4 Max", cores: 40, memoryRate: 546e9 },
} as const;
