/**
 * Every kind of operation, one row each. To add an op: write its file in this folder, and add it to `Op` and the three tables here (the
 * compiler says which is missing).
 * Backends may then give it rules of their own; until they do, they run its lowering.
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
import { type Multiply, multiplyLowering, multiplyRow, multiplySamples } from "./multiply.ts";
import { type RealFft, realFftLowering, realFftRow, realFftSamples } from "./real-fft.ts";
import type { OpLowering, OpRow } from "./row.ts";
import { type Transpose, transposeLowering, transposeRow, transposeSamples } from "./transpose.ts";

/** The operations that hooks attach to. */
export type TransformOp = Fft | RealFft | SpectralFilter | FilterInverse;

/** An operation: plain data that any device may plan. It says what to compute on which layouts, and nothing about how. */
export type Op = TransformOp | Multiply | Transpose | Convert | Kernel;

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
  kernel: kernelRow,
};

/** How core composes every op of simpler ones, by name. */
export const opLowerings: { readonly [K in Op["op"]]: OpLowering<OpNamed<K>> } = {
  fft: fftLowering,
  "real-fft": realFftLowering,
  "spectral-filter": spectralFilterLowering,
  "filter-inverse": filterInverseLowering,
  multiply: multiplyLowering,
  transpose: transposeLowering,
  convert: convertLowering,
  kernel: kernelLowering,
};

/** Small ops of every kind, by name. The conformance kit runs each on a device and compares it with its lowering. */
export const opSamples: { readonly [K in Op["op"]]: () => readonly OpNamed<K>[] } = {
  fft: fftSamples,
  "real-fft": realFftSamples,
  "spectral-filter": spectralFilterSamples,
  "filter-inverse": filterInverseSamples,
  multiply: multiplySamples,
  transpose: transposeSamples,
  convert: convertSamples,
  kernel: kernelSamples,
};

/** The row of an op's kind. */
export const rowOf = <T extends Op>(op: T): OpRow<T> => opRows[op.op] as unknown as OpRow<T>;
