/**
 * How the arrays between the steps of a range-Doppler program are stored: as they are computed, or as scaled numbers of half
 * precision, written by store hooks and read by load hooks. Scales are powers of two, computed from the largest possible
 * sample, so that nothing overflows whatever the scene. The azimuth filter reverses them.
 *
 * The bounds: for the DFT of `lines` samples |y| ≤ lines·max|x|; for a filtered line |y| ≤ ‖h‖₂·‖x‖₂ (Cauchy and Schwarz), with
 * ‖h‖₂² the mean of |H|² (Parseval). Values of half precision from 2⁻¹⁴ to 2¹⁵ have 11 bits, a span of 175 dB, so that noise far
 * below the bound keeps them.
 */
import { type ComplexDType, inputError, type Layout, type Load, type Store } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import type { RangeDopplerParams } from "./params.ts";

/** What a step adds to read an array between steps: a load hook or nothing, and the port that the array is bound to. */
export interface StoredSource {
  readonly hook: { readonly load?: Load };
  readonly port: string;
}

export interface Stores {
  /** Layout of an array between steps. */
  array(rows: number, columns: number): Layout;
  /** The scale (stored value over true value) of an array whose values are at most `largest` for samples of at most 1. */
  scale(largest: number): number;
  /** The store hook, if any, of a step whose results are to be multiplied by `scale`. */
  store(scale: number): { readonly store?: Store };
  /** How a step that has no load hook of its own reads the array `name`. */
  source(name: string, layout: Layout): StoredSource;
}

/** The stores of a program. Throws `input` if half precision is asked for and not possible. */
export function storesOf(params: RangeDopplerParams, dtype: ComplexDType): Stores {
  const { storage = "f32", rawPeak = integerPeak(params) } = params;
  if (storage !== "f32" && storage !== "f16") throw inputError("storage", "f32 or f16", storage);
  if (storage === "f32") {
    return {
      array: (rows, columns) => ({ dtype, shape: [rows, columns] }),
      scale: () => 1,
      store: () => ({}),
      source: () => ({ hook: {}, port: "in" }),
    };
  }
  if (dtype !== "c64") throw inputError("storage", "f32 if precision is f64", storage);
  if (!(typeof rawPeak === "number" && rawPeak > 1e-30 && rawPeak < 1e30))
    throw inputError("rawPeak", "the largest magnitude of a sample, from 1e-30 to 1e30, if f16 storage holds floats", rawPeak);
  return {
    array: (rows, columns) => ({ dtype: "cf16", shape: [rows, columns] }),
    scale: (largest) => 2 ** Math.floor(Math.log2(2 ** 15 / (largest * rawPeak))),
    store: (scale) => ({ store: halfStore(scale) }),
    source: (name, layout) => ({ hook: { load: halfLoad(name, layout) }, port: name }),
  };
}

/** The largest magnitude of integers times the gain of their line; undefined if samples are floats. */
function integerPeak({ rawType, lineGain }: RangeDopplerParams): number | undefined {
  const largest = rawType === "ci8" ? 2 ** 7 : rawType === "ci16" ? 2 ** 15 : undefined;
  if (largest === undefined) return undefined;
  const gain = lineGain ? Array.from(lineGain).reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 1;
  return largest * Math.SQRT2 * gain;
}

/** Square root of the energy of a filter's response, from its spectrum H in interleaved complex numbers. */
export function responseNorm(spectrum: Float64Array): number {
  return Math.sqrt(spectrum.reduce((sum, value) => sum + value * value, 0) / (spectrum.length / 2));
}

/** Stores the results times `scale`. */
export function halfStore(scale: number): Store {
  return {
    name: "half",
    dtype: "cf16",
    constants: { scale },
    sources: {},
    recipe: { name: "sar/half-store", parameters: { scale } },
    wgsl: () => `return ${wgslFloat(scale)} * value;`,
    reference: (_, [re, im]) => [re * scale, im * scale],
  };
}

/** Reads [rows][columns] as it is stored. */
export function halfLoad(name: string, layout: Layout): Load {
  const columns = layout.shape[1];
  return {
    name: "half",
    constants: { columns },
    sources: { [name]: layout },
    recipe: { name: "sar/half-load", parameters: { name, layout } },
    wgsl: () => `return load_${name}(at[0] * ${columns}u + at[1]);`,
    reference: ([row, column], sources) => [sources[name].re(row * columns + column), sources[name].im(row * columns + column)],
  };
}
