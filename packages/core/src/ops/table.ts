/**
 * The table of all operations. To add an operation, write its file in this folder and add it to `Op` and to the three tables here (the
 * compiler reports a missing entry). Every device can then run it by its lowering. A backend may add a rule that is faster.
 */
import { type Convert, convertLowering, convertRow, convertSamples } from "./convert.ts";
import { type Fft, fftLowering, fftRow, fftSamples } from "./fft.ts";
import {
  type FilterInverse,
  filterInverseLowering,
  filterInverseRow,
  filterInverseSamples,
  type SpectralFilter,
  spectralFilterLowering,
  spectralFilterRow,
  spectralFilterSamples,
} from "./filters.ts";
import { type Kernel, kernelLowering, kernelRow, kernelSamples } from "./kernel.ts";
import { type MapOp, mapLowering, mapRow, mapSamples } from "./map.ts";
import { type Multiply, multiplyLowering, multiplyRow, multiplySamples } from "./multiply.ts";
import { type RealFft, realFftLowering, realFftRow, realFftSamples } from "./real-fft.ts";
import { type Histogram, histogramRow, histogramSamples, type Reduce, reduceLowering, reduceRow, reduceSamples } from "./reduce.ts";
import type { OpLowering, OpRow } from "./row.ts";
import { type Transpose, transposeLowering, transposeRow, transposeSamples } from "./transpose.ts";

/** The operations that accept hooks. */
export type TransformOp = Fft | RealFft | SpectralFilter | FilterInverse;

/** An operation: plain data that says what to compute on which layouts. Any device can plan it, each in its own way. */
export type Op = TransformOp | Multiply | Transpose | Convert | MapOp | Reduce | Histogram | Kernel;

type OpNamed<K extends Op["op"]> = Extract<Op, { readonly op: K }>;

/** The facts about every op, by name. */
export const opRows: { readonly [K in Op["op"]]: OpRow<OpNamed<K>> } = {
  fft: fftRow,
  "real-fft": realFftRow,
  "spectral-filter": spectralFilterRow,
  "filter-inverse": filterInverseRow,
  multiply: multiplyRow,
  transpose: transposeRow,
  convert: convertRow,
  map: mapRow,
  reduce: reduceRow,
  histogram: histogramRow,
  kernel: kernelRow,
};

/** The lowering of every op, by name. */
export const opLowerings: { readonly [K in Op["op"]]: OpLowering<OpNamed<K>> } = {
  fft: fftLowering,
  "real-fft": realFftLowering,
  "spectral-filter": spectralFilterLowering,
  "filter-inverse": filterInverseLowering,
  multiply: multiplyLowering,
  transpose: transposeLowering,
  convert: convertLowering,
  map: mapLowering,
  reduce: reduceLowering,
  histogram: reduceLowering,
  kernel: kernelLowering,
};

/**
 * Small ops of every kind that together use every field, by name. The conformance kit compares each of them on a device with its
 * lowering.
 */
export const opSamples: { readonly [K in Op["op"]]: () => readonly OpNamed<K>[] } = {
  fft: fftSamples,
  "real-fft": realFftSamples,
  "spectral-filter": spectralFilterSamples,
  "filter-inverse": filterInverseSamples,
  multiply: multiplySamples,
  transpose: transposeSamples,
  convert: convertSamples,
  map: mapSamples,
  reduce: reduceSamples,
  histogram: histogramSamples,
  kernel: kernelSamples,
};

/** The row of an op. */
export const rowOf = <T extends Op>(op: T): OpRow<T> => opRows[op.op] as unknown as OpRow<T>;
