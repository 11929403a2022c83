/**
 * From where on it pays to move work to a GPU, as measured (packages/bench/notes/fft-gpu.md, H100 against 16 cores of the CPU
 * backend; the result files have every figure). One transform of host data, written, run and read back, is faster on the GPU
 * from 128 KiB on whatever the lines' length: 64 lines of 256, 16 of 1024, 8 of 4096 are even or ahead, one of 16384 is ahead.
 * Below, a GPU waits longer than the processor works. Work that stays on the device between passes gains more.
 */

/** Bytes of input from which on a GPU is the better device, transfers included. */
export const crossoverBytes = 2 ** 17;
