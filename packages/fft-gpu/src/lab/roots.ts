/** Twiddle factors of the laboratory's stages: roots of unity in float64, rounded once to float32. */
import { unitRoot } from "@dechirp/core/tables";
import type { TableBuilder } from "../tables.ts";

/**
 * Adds exp(−j2π·k·q/(span·r)) times `scale` for k < span and `first` ≤ q < r, as [q][k], so that adjacent k are adjacent. Returns the
 * offset of the section in the table.
 */
export function stageRoots(table: TableBuilder, { r, span, scale, first }: StageRoots): number {
  return table.add(`roots ${r} after ${span} from ${first} times ${scale}`, (r - first) * span, (i) => {
    const [re, im] = unitRoot((i % span) * (first + Math.floor(i / span)), span * r);
    return [scale * re, scale * im];
  });
}

/** A stage of radix r after transforms of `span` points, and the factor of its results. */
export interface StageRoots {
  readonly r: number;
  readonly span: number;
  readonly scale: number;
  /** The first row: 1 without the factors that are 1. */
  readonly first: 0 | 1;
}
