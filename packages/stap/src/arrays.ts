/**
 * Checks of counts, lengths and finiteness of interleaved complex arrays. Each throws one `input`
 * error that names the field. Nothing is allocated here.
 */

import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";

/** Largest array that this package makes, as a count of numbers: 2 GiB of float64. */
export const maxNumbers = 2 ** 28;

/** Throws `input`, naming `field`, unless `value` is an integer from `least` to `most`. */
export function checkInteger(value: number, field: string, least: number, most: number): void {
  if (!(Number.isInteger(value) && value >= least && value <= most)) throw inputError(field, `an integer from ${least} to ${most}`, value);
}

/** Throws `input`, naming `field`, unless `value` is a finite number from `least` to `most`. */
export function checkNumber(value: number, field: string, least: number, most: number): void {
  if (!(typeof value === "number" && value >= least && value <= most)) throw inputError(field, `a number from ${least} to ${most}`, value);
}

/** Throws `input`, naming `field`, unless `data` holds `elements` complex numbers. `what` describes them in words. */
export function checkComplex(data: ComplexSamples, elements: number, field: string, what: string): void {
  if (!isArrayOf(data, Float32Array, Float64Array)) throw inputError(field, "a Float32Array or Float64Array", data);
  if (data.length !== 2 * elements) throw inputError(`${field}.length`, `${2 * elements}, re and im of ${what}`, data.length);
}

/** Throws `input`, naming the length of `field`, unless `r` has re and im of n × n elements. */
export function checkSquare(r: ArrayLike<number>, n: number, field = "r"): void {
  if (r?.length !== 2 * n * n) throw inputError(`${field}.length`, `${2 * n * n}, re and im of ${n} × ${n}`, r?.length);
}

/** Number of rows of n complex numbers in `data`. Throws `input`, naming the length of `field`, unless it is a whole number. */
export function rowsOf(data: ArrayLike<number>, n: number, field: string): number {
  const rows = data?.length / (2 * n);
  if (!(Number.isInteger(rows) && rows >= 1))
    throw inputError(`${field}.length`, `a multiple of ${2 * n}, re and im of ${n}`, data?.length);
  return rows;
}

/** Throws `input`, naming `field` and the first bad index, if a number is NaN or infinite. */
export function checkFinite(data: ArrayLike<number>, field: string): void {
  for (let i = 0; i < data.length; i++) {
    if (!Number.isFinite(data[i])) throw inputError(`${field}[${i}]`, "a finite number", data[i]);
  }
}

/** Throws `input`, naming `field`, if an array of this many numbers would be too large to make. */
export function checkSize(numbers: number, field: string): void {
  if (!(numbers <= maxNumbers)) throw inputError(field, `small enough for arrays of at most ${maxNumbers} numbers`, numbers);
}
