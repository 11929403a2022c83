/**
 * Every kind of operation, one row each. To add an op: write its file in this folder, and add it to `Op`, `opRows` and `opBases` here.
 * Backends may then give it rules of their own; until they do, they run its lowering.
 */
import { type Convert, convertBasis, convertRow } from "./convert.ts";
import { type Fft, fftBasis, fftRow } from "./fft.ts";
import {
  type FilterInverse,
  filterInverseBasis,
  filterInverseRow,
  type SpectralFilter,
  spectralFilterBasis,
  spectralFilterRow,
} from "./filters.ts";
import { type Kernel, kernelBasis, kernelRow } from "./kernel.ts";
import { type Multiply, multiplyBasis, multiplyRow } from "./multiply.ts";
import { type RealFft, realFftBasis, realFftRow } from "./real-fft.ts";
import type { OpBasis, OpRow } from "./row.ts";
import { type Transpose, transposeBasis, transposeRow } from "./transpose.ts";

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

/** What backends need of every op, by name. */
export const opBases: { readonly [K in Op["op"]]: OpBasis<OpNamed<K>> } = {
  fft: fftBasis,
  "real-fft": realFftBasis,
  "spectral-filter": spectralFilterBasis,
  "filter-inverse": filterInverseBasis,
  multiply: multiplyBasis,
  transpose: transposeBasis,
  convert: convertBasis,
  kernel: kernelBasis,
};

/** The row of an op's kind. */
export const rowOf = <T extends Op>(op: T): OpRow<T> => opRows[op.op] as unknown as OpRow<T>;
