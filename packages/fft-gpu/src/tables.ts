/**
 * Twiddle factors, computed in float64 and rounded once to float32: what the accuracy of every transform rests on. One
 * table a kernel: its sections are put one after the other and addressed by constant offsets.
 */
import { layout } from "@dechirp/core";
import { legFactors, unitRoot } from "@dechirp/core/tables";
import type { TableSpec } from "./dispatch.ts";
import { splitOf } from "./wgsl/codelets.ts";

/** Writes its numbers to `out`, interleaved, piece by piece. */
type Make = (out: Float32Array) => Generator<void>;

interface Section {
  readonly key: string;
  readonly length: number;
  readonly make: Make;
}

/** Values of a section that are worked out at a time, about a millisecond's. */
const pieceLength = 2 ** 12;

/** Collects the sections of one kernel's table. */
export class TableBuilder {
  readonly #sections: (Section & { readonly offset: number })[] = [];
  #length = 0;

  /** Offset, in elements, at which `length` values will be; sections of one key are one. */
  add(key: string, length: number, value: (index: number) => readonly [number, number]): number {
    return this.addPieces(key, length, function* (out) {
      for (let i = 0; i < length; i++) {
        out.set(value(i), 2 * i);
        if (i % pieceLength === pieceLength - 1) yield;
      }
    });
  }

  /** The same of values that `make` writes. */
  addPieces(key: string, length: number, make: Make): number {
    const known = this.#sections.find((s) => s.key === key);
    if (known) return known.offset;
    const offset = this.#length;
    this.#sections.push({ key, length, make, offset });
    this.#length += length;
    return offset;
  }

  /** The table, or nothing where no section was added. */
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

/** What twiddle factors make up for of the roundings of a codelet's constants: a factor for each leg. */
const known = new Map<number, readonly number[]>();

function legsOf(radix: number): readonly number[] {
  const legs = known.get(radix) ?? legFactors(radix, { split: splitOf }, "inputs");
  known.set(radix, legs);
  return legs;
}

/**
 * Twiddle factors of the stages of a line, each stage [radix − 1][points so far]: adjacent invocations read adjacent ones. Those of a
 * stage are multiplied with its gain; a first stage has none.
 */
export function stageTwiddles(table: TableBuilder, radices: readonly number[], gains: readonly number[] = []): readonly number[] {
  let before = 1;
  return radices.map((r, s) => {
    const span = before;
    before *= r;
    if (span === 1) return 0;
    const factor = gains[s] ?? 1;
    // A first stage has no factors: what its legs lack in the mean the second one's have, all but the first leg's.
    const mean = s === 1 ? (legsOf(radices[0]).reduce((sum, leg) => sum + leg, 0) / radices[0]) ** (r / (r - 1)) : 1;
    const legs = legsOf(r);
    const key = `stage ${radices.slice(0, s).join("·")}·${r}${factor === 1 ? "" : `·${factor}`}`;
    return table.add(key, span * (r - 1), (i) => {
      const leg = Math.floor(i / span) + 1;
      const [re, im] = unitRoot((i % span) * leg, span * r);
      const scale = factor * mean * legs[leg];
      return [scale * re, scale * im];
    });
  });
}

/** W^e for e < n from two short tables: high + high·low, where low is W^i − 1. */
export interface LongTwiddle {
  readonly low: number;
  readonly high: number;
  /** Bits of e that the low table takes. */
  readonly bits: number;
}

/**
 * exp(−j2πi/n) − 1, its real part without the loss of 1 − cos: what a small turn adds to a factor, so that its rounding counts as
 * little as the turn is small.
 */
export function rootLessOne(i: number, n: number): readonly [re: number, im: number] {
  const sine = Math.sin((Math.PI * i) / n);
  return [-2 * sine * sine, unitRoot(i, n)[1]];
}

export function longTwiddle(table: TableBuilder, n: number): LongTwiddle {
  const bits = Math.min(12, Math.max(1, Math.ceil(Math.log2(n) / 2)));
  const size = 2 ** bits;
  return {
    bits,
    low: table.add(`low ${n}/${bits}`, size, (i) => rootLessOne(i, n)),
    high: table.add(`high ${n}/${bits}`, Math.ceil(n / size), (i) => unitRoot(i * size, n)),
  };
}
