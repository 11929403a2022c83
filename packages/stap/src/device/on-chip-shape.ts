/** What the two methods of solving on chip share: sizes, names in scope, and how filters are stored. */
import { wgslFloat } from "@dechirp/core/internal";
import { kindUnit, precisionLimits, statusKinds, weakShare } from "./status.ts";

/**
 * What the text of a method may use. In scope: matrix, lane, and `base`, where the matrix begins in `r`: its lower triangle, row after row,
 * real
 * diagonal, loaded; `diagonals`, `failed`, and `origin`, the first steering vector of the chunk.
 */
export interface Shape {
  readonly n: number;
  /** Number of elements of a triangle. */
  readonly size: number;
  /** Number of vec4f of a filter. */
  readonly pairs: number;
  readonly chunk: number;
  readonly lanes: number;
  /** Number of rows of a column that a lane holds. */
  readonly rows: number;
  /** Number of steering vectors, P. */
  readonly vectors: number;
  /** Factor of a filter, as an expression of `gain`, if there is one. */
  readonly scaled: string | undefined;
}

export interface Method {
  declarations(matrices: number): string;
  /** Statements that run once for a matrix. */
  readonly prepare: string;
  /** Statements that run once for a chunk of steering vectors. */
  readonly solve: string;
}

export const series = (count: number, text: (i: number) => string, join = "\n"): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(join);

/** Index of element (row, column) in a lower triangle. */
export const place = (row: number, column: number): number => (row * (row + 1)) / 2 + column;

const { pivotShare, leastPivot, leastDiagonal, condition: mostCondition } = precisionLimits.f32;
const unit = (kind: keyof typeof statusKinds): string => `${statusKinds[kind] * kindUnit}u`;

/** The largest number that counts as finite. A compiler may assume that WGSL's numbers are finite, so there is no direct test. */
const mostFinite = 2 ** 127;

/** Declarations that `pivotChecks` and `conditionChecks` use. */
export const checkDeclarations = `fn is_pivot(pivot: f32, diagonal: f32) -> bool {
  return pivot > max(${wgslFloat(pivotShare)} * diagonal, ${wgslFloat(leastPivot)});
}
fn is_finite(x: f32) -> bool { return (bitcast<u32>(x) & 0x7f800000u) != 0x7f800000u; }
fn finite_or_zero(x: f32) -> f32 { return select(0.0, x, is_finite(x)); }
fn pivot_status(row: u32, diagonal: f32) -> u32 {
  return row + 1u + select(${unit("notFinite")}, select(0u, ${unit("noPower")}, diagonal < ${wgslFloat(leastDiagonal)}), is_finite(diagonal));
}
fn is_weak(pivot: f32, diagonal: f32) -> bool { return pivot < ${wgslFloat(weakShare)} * diagonal; }
fn is_gain(gain: f32) -> bool { return gain > 0.0 && gain < ${wgslFloat(mostFinite)}; }
fn gain_status(vector: u32) -> u32 { return ${unit("steering")} + vector; }
fn condition_status(condition: f32) -> u32 {
  return select(0u, ${unit("illConditioned")} + u32(ceil(log2(condition))), condition > ${wgslFloat(mostCondition)});
}`;

/** Checks of the pivot of step `k` (an expression): sets `good`, and reports a pivot that is zero or weak. Runs in one invocation alone. */
export const pivotChecks = (n: number, pivot: string, k: string): string => `let diagonal = diagonals[matrix * ${n}u + ${k}];
    let good = is_pivot(${pivot}, diagonal);
    if (!good && failed[matrix] == 0u) { failed[matrix] = pivot_status(${k}, diagonal); }
    if (is_weak(${pivot}, diagonal)) { weak[matrix] = 1u; }`;

/** Σ dᵢ|wᵢ|²/gain over elements w: the relative change that rounding of R may cause (status.ts). */
const conditionText = (n: number): string => `(${series(n, (i) => `dot(diagonals[matrix * ${n}u + ${i}u] * y${i}, y${i})`, " + ")}) / gain`;

/**
 * Writes y0 … of a vector, which has `gain`, as filter `v` of the chunk; zeros if the matrix has failed, because its y may not be numbers.
 */
export function storeFilter({ n, pairs, chunk, scaled, vectors }: Shape): string {
  const element = (i: number): string => (i < n ? `y${i}` : "vec2f()");
  return `    let bad = failed[matrix] != 0u;
    let usable = is_gain(gain) && !bad;
    if (!bad) {
      if (!usable) {
        atomicMax(&told[matrix], gain_status(min(origin + v, ${vectors - 1}u)));
      } else if (weak[matrix] != 0u) {
        atomicMax(&told[matrix], condition_status(${conditionText(n)}));
      }
    }
    let scale = select(0.0, ${scaled ?? "1.0"}, usable);
    gains[matrix * ${chunk}u + v] = select(0.0, gain, scale != 0.0);
${series(pairs, (i) => `    filters[(matrix * ${pairs}u + ${i}u) * ${chunk}u + v] = select(vec4f(${element(2 * i)}, ${element(2 * i + 1)}) * scale, vec4f(), !usable);`)}`;
}
