/**
 * Stores echoes as an analogue-to-digital converter would: complex 8- or 16-bit integers with one scale. A stored
 * value times `scale` is the echo. There is no companding and no gain control.
 */
import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";

/** Complex samples as integers. */
export interface Quantised {
  readonly dtype: "ci8" | "ci16";
  /** Interleaved re, im. */
  readonly data: Int8Array | Int16Array;
  /** Value of the echo ≈ data·scale. */
  readonly scale: number;
  /** How many numbers (not complex samples) did not fit and were set to the nearest end of the range. */
  readonly clipped: number;
}

/** How samples become integers. */
export interface QuantiseOptions {
  readonly dtype: "ci8" | "ci16";
  /** Factor from integers to samples. Default: such that the largest part of a sample becomes the largest integer. */
  readonly scale?: number;
}

/** How many numbers one piece of work reads. */
const pieceNumbers = 2 ** 17;

/**
 * Rounds `values`/scale to the nearest integer (ties towards +∞) and clips to −127…127 or −32767…32767, symmetric so
 * that clipping adds no offset. Without a scale the largest magnitude becomes full scale and nothing is clipped. Throws
 * `input` for a dtype or scale that is not valid, and for values that are not finite.
 */
export const quantise = (values: Float32Array | Float64Array, options: QuantiseOptions): Quantised =>
  runToEnd(quantiseSteps(values, options));

/**
 * `quantise` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the same
 * cases.
 */
export function* quantiseSteps(values: Float32Array | Float64Array, options: QuantiseOptions): Generator<void, Quantised> {
  const { dtype } = options;
  if (dtype !== "ci8" && dtype !== "ci16") throw inputError("dtype", "ci8 or ci16", dtype);
  const full = dtype === "ci8" ? 127 : 32767;
  let peak = 0;
  for (let i = 0; i < values.length; i++) {
    if (i % pieceNumbers === 0) yield;
    const size = Math.abs(values[i]);
    if (!(size < Number.POSITIVE_INFINITY)) throw inputError(`values[${i}]`, "a finite number", values[i]);
    if (size > peak) peak = size;
  }
  const scale = options.scale ?? (peak > 0 ? peak / full : 1);
  if (!(Number.isFinite(scale) && scale > 0)) throw inputError("scale", "a positive number", scale);
  const data = dtype === "ci8" ? new Int8Array(values.length) : new Int16Array(values.length);
  let clipped = 0;
  for (let i = 0; i < values.length; i++) {
    if (i % pieceNumbers === 0) yield;
    let value = Math.round(values[i] / scale);
    if (value > full || value < -full) {
      value = value > 0 ? full : -full;
      clipped++;
    }
    data[i] = value;
  }
  return { dtype, data, scale, clipped };
}
