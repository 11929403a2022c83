/** How complex data is held in memory. */

/** Interleaved complex samples in floating point: re, im, re, im, … */
export type ComplexSamples = Float32Array | Float64Array;
