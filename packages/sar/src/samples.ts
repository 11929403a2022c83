/** The check of complex images that quality, entropy and quicklook share. Internal to this package. */

import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";

/** Throws `input`, naming `field`, unless `data` holds `rows` × `columns` interleaved complex numbers. */
export function checkComplexImage(data: ComplexSamples, rows: number, columns: number, field: string): void {
  for (const [name, value] of [
    ["rows", rows],
    ["columns", columns],
  ] as const) {
    if (!Number.isInteger(value) || value < 1) throw inputError(name, "a positive integer", value);
  }
  if (!isArrayOf(data, Float32Array, Float64Array)) throw inputError(field, "a Float32Array or Float64Array", data);
  if (data.length !== 2 * rows * columns) throw inputError(`${field}.length`, `2 · ${rows} · ${columns} numbers`, data.length);
}
