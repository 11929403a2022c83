/** Draws legends: names of series, one below the other, each beside a sample of its line or symbol. */
import type { Mark } from "vega";
import { ruleMark, textMark, textSize, valuesOf } from "./sheet.ts";
import { shortened } from "./text.ts";

/** Height of a legend line in pixels. */
export const legendLine = 18;
const sampleWidth = 28;

/** A name with its sample. */
export interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly sample: "line" | "dashes" | "dot" | "bar" | "box";
  /** The symbol at the middle of a line's sample. Default: none. */
  readonly shape?: string;
}

/** Draws entries in a number of columns, downwards first. Names are shortened to the width of their column. */
export function legend(entries: readonly LegendEntry[], left: number, top: number, width: number, columns = 1): readonly Mark[] {
  const rows = Math.ceil(entries.length / columns);
  const wide = width / columns;
  return entries.flatMap(({ name, colour, sample, shape }, i) => {
    const x = left + wide * Math.floor(i / rows);
    const y = top + legendLine * (i % rows) + legendLine / 2;
    const room = wide - sampleWidth - 16;
    return [
      sampleMark(sample, colour, x, y),
      ...(shape === undefined ? [] : [symbolMark(colour, x + sampleWidth / 2, y, shape, 48)]),
      textMark("legend", shortened(name, textSize.label, room), x + sampleWidth + 8, y + 4, { size: textSize.label }),
    ];
  });
}

function sampleMark(sample: LegendEntry["sample"], colour: string, x: number, y: number): Mark {
  const middle = x + sampleWidth / 2;
  if (sample === "line" || sample === "dashes") {
    const style = { stroke: colour, strokeWidth: 2, ...(sample === "dashes" && { strokeDash: [6, 4] }) };
    return ruleMark("legend-sample", [x, y, x + sampleWidth, y], style);
  }
  if (sample === "bar") return ruleMark("legend-sample", [middle, y - 8, middle, y + 8], { stroke: colour, strokeWidth: 2.5 });
  return sample === "box" ? symbolMark(colour, middle, y, "square", 120) : symbolMark(colour, middle, y, "circle", 64);
}

const symbolMark = (fill: string, x: number, y: number, shape: string, size: number): Mark => ({
  type: "symbol",
  name: "legend-sample",
  encode: { enter: valuesOf({ x, y, fill, shape, size }) },
});
