/** Percentiles of the power of an image, from a histogram that is fine enough for colours: its bins are 0.017 dB wide or less. */
import type { ImageFacts } from "./facts.ts";
import { pixelsAt } from "./facts.ts";
import type { Pyramid } from "./pyramid.ts";

/** Rows that are read at once. */
const rowsAtOnce = 256;
/** Float32 numbers above zero that have the same sign, exponent and first 8 bits of the fraction are in one bin. */
const droppedBits = 15;

/**
 * The power that `percentile` % of the pixels of a level do not exceed, or 0 if no pixel has power. Pixels without power, or without finite
 * power, do not count.
 */
export function percentileOf(
  pyramid: Pyramid,
  { rows, columns }: Pick<ImageFacts, "rows" | "columns">,
  level: number,
  percentile: number,
): number {
  const counts = new Uint32Array(2 ** (32 - 1 - droppedBits));
  const [height, width] = [pixelsAt(rows, level), pixelsAt(columns, level)];
  const powers = new Float32Array(Math.min(rowsAtOnce, height) * width);
  const bits = new Uint32Array(powers.buffer);
  let all = 0;
  for (let row = 0; row < height; row += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, height - row);
    pyramid.readPower(level, { row, column: 0, rows: count, columns: width }, powers);
    for (let i = 0; i < count * width; i++) {
      if (!(powers[i]! > 0 && powers[i]! < Number.POSITIVE_INFINITY)) continue;
      counts[bits[i]! >>> droppedBits]!++;
      all++;
    }
  }
  let left = Math.ceil((all * percentile) / 100);
  for (let bin = 0; bin < counts.length; bin++) {
    left -= counts[bin]!;
    if (counts[bin]! > 0 && left <= 0) return middleOf(bin);
  }
  return 0;
}

/** The number in the middle of a bin. */
const middleOf = (bin: number): number =>
  new Float32Array(Uint32Array.of(((bin << droppedBits) | (1 << (droppedBits - 1))) >>> 0).buffer)[0]!;
