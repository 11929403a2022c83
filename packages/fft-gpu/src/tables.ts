/**
 * Twiddle factors, computed in float64 and rounded once to float32. The accuracy of every transform depends on them. A kernel has one
 * table; its sections follow each other and have constant offsets.
 */
import { layout } from "@dechirp/core";
import { legFactors, unitRoot } from "@dechirp/core/tables";
import type { TableSpec } from "./dispatch.ts";
import { splitOf } from "./wgsl/codelets.ts";

/** Writes its interleaved values to `out` in pieces. */
type Make = (out: Float32Array) => Generator<void>;

interface Section {
  readonly key: string;
  readonly length: number;
  readonly make: Make;
}

/** Number of values that are computed between two yields, which take about a millisecond. */
const pieceLength = 2 ** 12;

/** Collects the sections of one kernel's table. */
export class TableBuilder {
  readonly #sections: (Section & { readonly offset: number })[] = [];
  #length = 0;

  /** Adds a section of `length` values and returns its offset in elements. Sections with equal keys are shared. */
  add(key: string, length: number, value: (index: number) => readonly [number, number]): number {
    return this.addPieces(key, length, function* (out) {
      for (let i = 0; i < length; i++) {
        out.set(value(i), 2 * i);
        if (i % pieceLength === pieceLength - 1) yield;
      }
    });
  }

  /** Adds a section that `make` writes. */
  addPieces(key: string, length: number, make: Make): number {
    const known = this.#sections.find((s) => s.key === key);
    if (known) return known.offset;
    const offset = this.#length;
    this.#sections.push({ key, length, make, offset });
    this.#length += length;
    return offset;
  }

  /** The table, or undefined without sections. */
  build(): TableSpec | undefined {
    if (this.#length === 0) return undefined;
    const sections = [...this.#sections];
    const length = this.#length;
    return {
      key: sections.map((s) => s.key).join(" | "),
      layout: layout("c64", [length]),
      *make() {
        const data = new Float32Array(2 * length);
        for (const { offset, length: count, make } of sections) {
          yield* make(data.subarray(2 * offset, 2 * (offset + count)));
          yield;
        }
        return data;
      },
    };
  }
}

/** A factor for each leg of a codelet, by which twiddle factors compensate the rounding of its constants. */
const known = new Map<number, readonly number[]>();

function legsOf(radix: number): readonly number[] {
  const legs = known.get(radix) ?? legFactors(radix, { split: splitOf }, "inputs");
  known.set(radix, legs);
  return legs;
}

/** A row of a stage's table: factors for leg `leg`, with the stage's gain or `plain`. */
interface FactorRow {
  readonly leg: number;
  readonly plain: boolean;
}

/** Every factor whose leg is not a multiple of this is a product, if there are products. */
const apart = 4;

/**
 * The rows of the table of a stage: one for each leg but the first. With `products`, only those of the first legs and of every fourth leg, whose products are
 * the others; and the first ones once more without the gain, if there is one, as it must not come twice. If that is no fewer rows, there are no products.
 */
export function factorRows(radix: number, products: boolean | undefined, gain: number): readonly FactorRow[] {
  const legs = Array.from({ length: radix - 1 }, (_, i): FactorRow => ({ leg: i + 1, plain: false }));
  if (!products) return legs;
  const near = gain === 1 ? [] : legs.slice(0, apart - 1).map(({ leg }): FactorRow => ({ leg, plain: true }));
  const rows = [...legs.filter(({ leg }) => leg < apart || leg % apart === 0), ...near];
  return rows.length < legs.length ? rows : legs;
}

/** The rows whose product is the factor of a leg, or the one row that has it. */
export function rowsOfLeg(rows: readonly FactorRow[], leg: number): readonly number[] {
  const legs = rows.map((row) => row.leg);
  const whole = legs.indexOf(leg);
  if (whole >= 0) return [whole];
  // Plain rows come last.
  const near = leg % apart;
  return [legs.indexOf(leg - near), legs.lastIndexOf(near)];
}

/**
 * Twiddle factors of the stages of a line, [row][points so far] for each stage (`factorRows`), so that adjacent invocations read adjacent ones.
 * Those of a stage are multiplied by its gain. The first stage has none.
 */
export function stageTwiddles(
  table: TableBuilder,
  radices: readonly number[],
  gains: readonly number[] = [],
  products = false,
): readonly number[] {
  let before = 1;
  return radices.map((r, s) => {
    const span = before;
    before *= r;
    if (span === 1) return 0;
    const factor = gains[s] ?? 1;
    // The first stage has no twiddle factors, so the mean of its legs' factors goes into those of the second stage, which all legs but
    // the first have.
    const mean = s === 1 ? (legsOf(radices[0]).reduce((sum, leg) => sum + leg, 0) / radices[0]) ** (r / (r - 1)) : 1;
    const legs = legsOf(r);
    const rows = factorRows(r, products, factor);
    const key = `stage ${radices.slice(0, s).join("·")}·${r}${factor === 1 ? "" : `·${factor}`}${rows.length === r - 1 ? "" : " products"}`;
    return table.add(key, span * rows.length, (i) => {
      const { leg, plain } = rows[Math.floor(i / span)];
      const [re, im] = unitRoot((i % span) * leg, span * r);
      const scale = plain ? 1 : factor * mean * legs[leg];
      return [scale * re, scale * im];
    });
  });
}

/** W^e for e < n from two short tables: high + high·low, where low is W^i − 1. */
export interface LongTwiddle {
  readonly low: number;
  readonly high: number;
  /** Number of bits of e that index the low table. */
  readonly bits: number;
}

/**
 * exp(−j2πi/n) − 1, with a real part that does not suffer from the cancellation of 1 − cos. It is what a small angle adds to a factor, so
 * its rounding error is small if the angle is small.
 */
export function rootLessOne(i: number, n: number): readonly [re: number, im: number] {
  const sine = Math.sin((Math.PI * i) / n);
  return [-2 * sine * sine, unitRoot(i, n)[1]];
}

/** Adds the two tables for W^e to a kernel's table. */
export function longTwiddle(table: TableBuilder, n: number): LongTwiddle {
  const bits = Math.min(12, Math.max(1, Math.ceil(Math.log2(n) / 2)));
  const size = 2 ** bits;
  return {
    bits,
    low: table.add(`low ${n}/${bits}`, size, (i) => rootLessOne(i, n)),
    high: table.add(`high ${n}/${bits}`, Math.ceil(n / size), (i) => unitRoot(i * size, n)),
  };
}
