/** Seeded random numbers and arrays, so that a failure can be seen again. Not for anything but tests. */
import { type DType, dtypes, type Layout, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";

/** Seeded random numbers. */
export interface TestRandom {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of the values. */
  pick<T>(values: readonly T[]): T;
}

/** xorshift32 (Marsaglia 2003), seeded through a multiplicative hash. */
export function random(seed: number): TestRandom {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return { next, integer, pick: (values) => values[integer(0, values.length - 1)] };
}

/** Uniform in [−0.5, 0.5) for floats, over the whole range for integers. */
export function randomArray<D extends DType>(layout: Layout<D>, source: TestRandom): TypedArrayOf<D> {
  const data = typedArray(layout.dtype, scalarCount(layout));
  const range = 2 ** (8 * data.BYTES_PER_ELEMENT);
  const one = dtypes[layout.dtype].float ? () => source.next() - 0.5 : () => Math.floor(source.next() * range);
  for (let i = 0; i < data.length; i++) data[i] = one();
  return data;
}
