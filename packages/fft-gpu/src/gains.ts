/**
 * Distributes the factor of a transform's results, such as 1/n of an inverse, over passes and stages. No intermediate value becomes much
 * larger than the largest of the line and its result, or much smaller than the smallest. All shares except the last are powers of two,
 * which cost no precision.
 */

/** What a kernel does to a line: a transform, an inverse transform, or a filter (transform, product, inverse transform). */
export type TransformKind = "forward" | "inverse" | "filter";

/** Total factors of the forward stages and of the inverse stages. */
export interface Gains {
  readonly forward: number;
  readonly inverse: number;
}

/** The power of two nearest to the square root of a positive number. */
export const rootNear = (value: number): number => 2 ** Math.round(Math.log2(value) / 2);

/**
 * The factors for n points. Inverse transforms divide by n. Filters divide by about √n before and after the product, as unitary transforms
 * would.
 */
export function gainsOf(kind: TransformKind, n: number): Gains {
  const forward = kind === "filter" ? rootNear(1 / n) : 1;
  return { forward, inverse: kind === "forward" ? 1 : 1 / n / forward };
}

/** Splits `gain` into shares for parts of the given numbers of points. Their product is `gain`. */
export function sharesOf(points: readonly number[], gain: number): readonly number[] {
  const all = points.reduce((sum, count) => sum + Math.log2(count), 0);
  let done = 0;
  let given = 1;
  return points.map((count, i) => {
    done += Math.log2(count);
    const until = i === points.length - 1 ? gain : 2 ** Math.round((Math.log2(gain) * done) / all);
    const share = until / given;
    given = until;
    return share;
  });
}

/**
 * A factor as a product of two that round to float32 with a smaller error in all. The error of a single factor would be in all results: other
 * stages have the factor in their twiddle factors, which are rounded one by one, but a single stage has none.
 */
export function inTwo(factor: number): readonly [before: number, after: number] {
  const error = ([before, after]: readonly [number, number]): number => Math.abs((before * after) / factor - 1);
  let best: readonly [number, number] = [Math.fround(factor), 1];
  for (let k = 1; k < 64 && error(best) > 0; k++) {
    const before = Math.fround(factor * (1 + k / 64));
    const pair = [before, Math.fround(factor / before)] as const;
    if (error(pair) < error(best)) best = pair;
  }
  return best;
}
