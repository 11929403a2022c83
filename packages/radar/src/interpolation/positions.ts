/**
 * Positions and phases of `gather` as tables of 32-bit integers. A device computes positions from them in integers, so that all devices
 * use the same samples and weights: float32 would lose a position's fraction where the position is large.
 *
 * A fixed-point number is a position relative to the own index along the gathered axis, in units of 2^−fineBits samples. A polynomial
 * c₀ + x·(c₁ + x·(c₂ + …)) of it is computed for x = index/2^bits in [0, 1), where 2^bits is the extent, rounded up: `product` is ⌊c·x⌋, or up
 * to two less for more than 2¹⁶ indices.
 * Phases are fractions of a cycle in units of 2⁻³² cycles. Their integers overflow, which removes whole cycles.
 */

import { inputError, RadarError } from "@dechirp/core";
import { and, asI32, asU32, i32, plus, shiftRight, times, u32, type Value } from "@dechirp/core/expression";
import { checkFields } from "@dechirp/core/internal";

/**
 * Bits of the fraction of a position in a table, unless the table says otherwise: tables of positions are right to 2⁻¹⁹ of a sample,
 * polynomials to (degree + 1)·2⁻¹⁸. Positions may differ from the index by 2^(31 − 18) = 8192 samples, and those of polynomials by a
 * constant more.
 */
export const fineBits = 18;
/** The largest extent along the gathered axis for polynomials: of positions, and of phases of degree 0 and 1. */
export const maxGatheredExtent = 2 ** 26;
/** The same for phases of a higher degree. */
export const maxTurnedExtent = 2 ** 16;
/** The largest degree of polynomials of positions and phases. */
export const maxDegree = 6;

/** The tables of one gather: how many lines there are, the extent of the result along the gathered axis, and the degree. */
export interface LineTable {
  /** Number of lines: the product of the extents of all axes but the gathered one; or 1 if all lines share their polynomial. */
  readonly lines: number;
  /** Extent of the result along the gathered axis, at most 2²⁶; for phases of degree 2 and more at most 2¹⁶. */
  readonly extent: number;
  /** Degree of the polynomials: 1 to 6 for positions, 0 to 6 for phases. */
  readonly degree: number;
  /** Bits of the fraction of positions, 1 to 24. Fewer bits leave room for positions that differ more from the index. Default: `fineBits`. */
  readonly bits?: number;
}

/** Numbers of a line in a table of positions of this degree. The table has the shape [positionColumns][lines], u32. */
export const positionColumns = (degree: number): number => degree + 2;
/** Numbers of a line in a table of phases of this degree. The table has the shape [phaseColumns][lines], u32. */
export const phaseColumns = (degree: number): number => 2 * degree + 1;

/** The bits of an index along an axis of this extent. */
const bitsOf = (extent: number): number => Math.max(0, 32 - Math.clz32(extent - 1));

/** The last shape whose names were checked: programs write thousands of lines with one shape. */
let named: LineTable | undefined;

function checkTable(
  table: Uint32Array,
  shape: LineTable,
  line: number,
  columns: (degree: number) => number,
  coefficients: readonly number[],
  largest: (degree: number) => number,
) {
  if (shape !== named) checkFields(shape, { lines: true, extent: true, degree: true, bits: true }, "shape");
  named = shape;
  const { lines, extent, degree, bits = fineBits } = shape;
  const whole = (field: string, value: unknown, low: number, high: number): void => {
    if (!(Number.isInteger(value) && (value as number) >= low && (value as number) <= high))
      throw inputError(field, `a whole number from ${low} to ${high}`, value);
  };
  whole("lines", lines, 1, 2 ** 31);
  whole("bits", bits, 1, 24);
  whole("degree", degree, 0, maxDegree);
  whole("extent", extent, 1, largest(degree));
  whole("line", line, 0, lines - 1);
  if (!(table instanceof Uint32Array) || table.length !== columns(degree) * lines)
    throw inputError("table", `a Uint32Array of ${columns(degree) * lines} numbers`, table);
  if (!Array.isArray(coefficients) || coefficients.length > degree + 1 || !coefficients.every(Number.isFinite))
    throw inputError("coefficients", `at most ${degree + 1} finite numbers`, coefficients);
}

/**
 * Writes the positions of one line: the sample of index i is taken at position Σ coefficients[m]·iᵐ of the source. `table` is the constant
 * of port `positions`. Throws `input` for a wrong table, line or coefficient, and `limit` if positions may differ from the index by more
 * than a constant and 2^(31 − bits) samples.
 */
export function setLinePositions(table: Uint32Array, shape: LineTable, line: number, coefficients: readonly number[]): void {
  checkTable(table, shape, line, positionColumns, coefficients, () => maxGatheredExtent);
  const { lines, extent, degree, bits: fine = fineBits } = shape;
  // Positions follow the index, so a constant position needs a coefficient of the index, too.
  if (degree === 0) throw inputError("degree", "from 1 to 6 for positions", degree);
  const bits = bitsOf(extent);
  const scaled = Array.from({ length: degree + 1 }, (_, m) => ((coefficients[m] ?? 0) - (m === 1 ? 1 : 0)) * 2 ** (bits * m));
  const whole = Math.floor(scaled[0]);
  scaled[0] -= whole;
  const size = scaled.reduce((sum, c) => sum + Math.abs(c), 0);
  if (!(size < 2 ** (31 - fine) - 2) || !(Math.abs(whole) < 2 ** 30)) {
    const most = 2 ** (31 - fine);
    throw new RadarError(
      "limit",
      `line ${line} has positions that differ from the index by ${size} samples and a constant; at most ${most}`,
      {
        field: "coefficients",
        limit: most,
        actual: size,
      },
    );
  }
  table[line] = whole;
  for (const [m, c] of scaled.entries()) table[(m + 1) * lines + line] = Math.round(c * 2 ** fine);
}

/**
 * Writes the phase of one line: the sample of index i is turned by Σ coefficients[m]·iᵐ cycles. `table` is the constant of port `phase`. The
 * phase is right to about 2⁻³² + extent^degree·2⁻⁴⁹ cycles. Throws `input` for a wrong table, line or coefficient.
 */
export function setLinePhase(table: Uint32Array, shape: LineTable, line: number, coefficients: readonly number[]): void {
  checkTable(table, shape, line, phaseColumns, coefficients, (degree) => (degree > 1 ? maxTurnedExtent : maxGatheredExtent));
  const { lines, degree } = shape;
  for (let m = 0; m <= degree; m++) {
    const cycles = coefficients[m] ?? 0;
    const scaled = (cycles - Math.floor(cycles)) * 2 ** 32;
    if (m === 0) {
      table[line] = Math.round(scaled) % 2 ** 32;
      continue;
    }
    // The lowest 16 bits of a coefficient are in a number of their own.
    const [high, low] = [Math.floor(scaled), Math.round((scaled - Math.floor(scaled)) * 2 ** 16)];
    table[(2 * m - 1) * lines + line] = (high + (low === 2 ** 16 ? 1 : 0)) % 2 ** 32;
    table[2 * m * lines + line] = low % 2 ** 16;
  }
}

/**
 * The table of given positions, one for each element of `shape`: the constant of port `positions` of a gather along `axis` whose positions
 * are a table. If all lines share their positions, the shape is [extent] and the axis 0. Throws `input` for a wrong number of positions,
 * `limit` if one differs from its index by 2^(31 − bits) samples or more. Default of `bits`, those of the fraction: `fineBits`.
 */
export function positionTable(
  positions: ArrayLike<number>,
  shape: readonly number[],
  axis: number,
  bits: number = fineBits,
): Uint32Array<ArrayBuffer> {
  if (!(Number.isInteger(bits) && bits >= 1 && bits <= 24)) throw inputError("bits", "a whole number from 1 to 24", bits);
  if (!Array.isArray(shape) || shape.length === 0 || !shape.every((extent) => Number.isInteger(extent) && extent > 0))
    throw inputError("shape", "a list of positive integers", shape);
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (positions?.length !== count) throw inputError("positions", `${count} numbers`, positions);
  if (!Number.isInteger(axis) || axis < 0 || axis >= shape.length) throw inputError("axis", `from 0 to ${shape.length - 1}`, axis);
  const inner = shape.slice(axis + 1).reduce((product, extent) => product * extent, 1);
  const table = new Uint32Array(count);
  for (let e = 0; e < count; e++) {
    if (typeof positions[e] !== "number") throw inputError(`positions[${e}]`, "a number", positions[e]);
    const index = Math.floor(e / inner) % shape[axis];
    const scaled = Math.round((positions[e] - index) * 2 ** bits);
    if (!(Math.abs(scaled) < 2 ** 31)) {
      const most = 2 ** (31 - bits);
      throw new RadarError(
        "limit",
        `positions[${e}] is ${positions[e]} and must differ from its index ${index} by less than ${most} samples`,
        {
          field: "positions",
          limit: most,
          actual: positions[e],
        },
      );
    }
    table[e] = scaled;
  }
  return table;
}

/** ⌊c·index/2^bits⌋ of an i32 and an index below 2^bits, in 32 bits; up to two less for more than 16 bits. */
function product(c: Value<"i32">, index: Value<"i32">, bits: number): Value<"i32"> {
  if (bits > 16) {
    const more = bits - 16;
    const rest = shiftRight(times(shiftRight(c, 16), and(index, 2 ** more - 1)), more);
    return plus(product(c, shiftRight(index, more), 16), rest);
  }
  const high = times(shiftRight(c, bits), index);
  const low = asI32(shiftRight(times(asU32(and(c, 2 ** bits - 1)), asU32(index)), bits));
  return plus(high, low);
}

/** A polynomial of fixed-point numbers at an index along an axis of this extent. */
export function polynomialOf(coefficients: readonly Value<"i32">[], index: Value<"i32">, extent: number): Value<"i32"> {
  const bits = bitsOf(extent);
  return coefficients.reduceRight((inner, c) => plus(c, product(inner, index, bits)));
}

/** The phase of a line at an index, in 2⁻³² cycles, from its columns of the table. */
export function phaseOf(columns: readonly Value<"u32">[], index: Value<"i32">, extent: number): Value<"u32"> {
  const i = asU32(index);
  let [high, low] = columns.slice(-2);
  if (columns.length === 1) return columns[0];
  // 16 bits times an index of more bits do not fit.
  const more = Math.max(0, bitsOf(extent) - 16);
  if (more > 0) return plus(plus(columns[0], times(high, i)), shiftRight(times(low, shiftRight(i, more)), 16 - more));
  for (let m = columns.length - 4; m > 0; m -= 2) {
    const more = plus(times(low, i), columns[m + 1]);
    high = plus(plus(times(high, i), columns[m]), shiftRight(more, 16));
    low = and(more, u32(0xffff));
  }
  return plus(plus(columns[0], times(high, i)), shiftRight(times(low, i), 16));
}

/**
 * The position offset + step·index: a whole number, and a fixed-point number with `fineBits` of fraction, to a few units of its last bit.
 * Throws `input` if a position may be beyond 2³⁰.
 */
export function affinePosition(
  offset: number,
  step: number,
  index: Value<"i32">,
  extent: number,
): { readonly whole: Value<"i32">; readonly fixed: Value<"i32">; readonly bits: number } {
  const [stride, whole] = [Math.round(step), Math.floor(offset)];
  if (!(Math.abs(whole) < 2 ** 30 && Math.abs(stride) * extent < 2 ** 30))
    throw inputError("positions", "such that positions are below 2 ** 30", { offset, step });
  const fine = (samples: number): Value<"i32"> => i32(Math.round(samples * 2 ** fineBits));
  const at = plus(times(index, stride), whole);
  const start = fine(offset - whole);
  const slope = (step - stride) * 2 ** bitsOf(extent);
  if (slope === 0) return { whole: at, fixed: start, bits: fineBits };
  if (Math.abs(slope) <= 2 ** 12) return { whole: at, fixed: polynomialOf([start, fine(slope)], index, extent), bits: fineBits };
  // What is beyond whole steps does not fit 32 bits. Blocks of 2¹³ indices have whole steps of their own, and so parts that fit.
  const [low, high] = [(step - stride) * 2 ** 13, bitsOf(extent) - 13];
  const far = Math.round(low);
  const block = shiftRight(index, 13);
  const blocks = product(fine((low - far) * 2 ** high), block, high);
  return {
    whole: plus(plus(at, times(block, far)), shiftRight(blocks, fineBits)),
    fixed: plus(plus(start, product(fine(low), and(index, 2 ** 13 - 1), 13)), and(blocks, 2 ** fineBits - 1)),
    bits: fineBits,
  };
}
