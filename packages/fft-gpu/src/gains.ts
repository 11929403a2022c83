/**
 * What a transform's results are multiplied with, shared by its parts: 1/n of an inverse, spread over passes and stages so that no
 * number on the way is much larger than the largest of the line and of its result, or much smaller than the smallest. All shares but
 * the last are powers of two and cost no precision.
 */
/** What is done to a line: a transform, its inverse, or both with a product between them. */
export type TransformKind = "forward" | "inverse" | "filter";

/** Factors of the forward and of the inverse stages. */
export interface Gains {
  readonly forward: number;
  readonly inverse: number;
}

/** The power of two next to the root of a positive number. */
export const rootNear = (value: number): number => 2 ** Math.round(Math.log2(value) / 2);

/** Of a transform of n points: inverses divide by n. Filters do so half before and half after the product, as unitary transforms would. */
export function gainsOf(kind: TransformKind, n: number): Gains {
  const forward = kind === "filter" ? rootNear(1 / n) : 1;
  return { forward, inverse: kind === "forward" ? 1 : 1 / n / forward };
}

/** Shares of `gain`, whose product it is, for parts of so many points each. */
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
