/** What the text that solves on chip has in common with its two methods: sizes, names in scope, how filters are stored. */
import { wgslFloat } from "@dechirp/core";

/**
 * In scope of a method's text: matrix, lane, and `base`, where the matrix begins in `r`: its lower triangle, row after row, real
 * diagonal, loaded; `diagonals`, `failed`, and `origin`, the first steering vector of the chunk.
 */
export interface Shape {
  readonly n: number;
  /** Elements of a triangle. */
  readonly size: number;
  /** vec4f of a filter. */
  readonly pairs: number;
  readonly chunk: number;
  readonly lanes: number;
  /** Rows of a column that a lane has. */
  readonly rows: number;
  /** P. */
  readonly vectors: number;
  /** What a filter is multiplied by, of `gain`, if at all. */
  readonly scaled: string | undefined;
}

export interface Method {
  declarations(matrices: number): string;
  /** Once for a matrix. */
  readonly prepare: string;
  /** Once for a chunk of steering vectors. */
  readonly solve: string;
}

export const series = (count: number, text: (i: number) => string, join = "\n"): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(join);

/** Of element (row, column) in a lower triangle. */
export const place = (row: number, column: number): number => (row * (row + 1)) / 2 + column;

/**
 * A pivot of at most four roundings of its diagonal is none: of the means', which are float32, whatever it is worked out in. Of singular
 * covariances rounding leaves 80 to 90 % such pivots (orders 4 to 54, K = 3n, drawn at random), so that hardly any data set of them
 * passes; clutter 60 dB above the noise, whose pivots are some 10⁻⁶, does.
 */
export const pivotShare = 2 ** -22;

/** Whether pivot `k`, text, is one. */
export const isGood = (n: number, pivot: string, k: string): string =>
  `${pivot} > ${wgslFloat(pivotShare)} * diagonals[matrix * ${n}u + ${k}]`;

/** Writes y0 … of a vector, which has `gain`, as filter `v` of the chunk; zeros where the matrix has failed, whose y may be no numbers. */
export function storeFilter({ n, pairs, chunk, scaled }: Shape): string {
  const element = (i: number): string => (i < n ? `y${i}` : "vec2f()");
  return `    let bad = failed[matrix] != 0u;
    let scale = select(0.0, ${scaled ?? "1.0"}, gain > 0.0 && !bad);
    gains[matrix * ${chunk}u + v] = select(0.0, gain, scale != 0.0);
${series(pairs, (i) => `    filters[(matrix * ${pairs}u + ${i}u) * ${chunk}u + v] = select(vec4f(${element(2 * i)}, ${element(2 * i + 1)}) * scale, vec4f(), bad);`)}`;
}
