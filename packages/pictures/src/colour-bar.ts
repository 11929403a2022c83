/** The bar beside a picture that says which colour stands for how many decibels. */
import type { Mark } from "vega";
import { type ColourMap, stopsOf } from "./colours.ts";
import { plotArea, rectMark, textMark, textSize } from "./sheet.ts";

export interface ColourBar {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly colours: ColourMap;
  /** What the first and the last colour stand for. */
  readonly lowDb: number;
  readonly highDb: number;
  /** Above the bar: what the numbers are of. */
  readonly unit: string;
}

export const barWidth = 14;
/** Room to the right of a bar for its numbers. */
export const barLabels = 58;

/** A bar with its scale, the highest colour at the top. */
export function colourBar({ left, top, height, colours, lowDb, highDb, unit }: ColourBar): readonly Mark[] {
  const gradient = { gradient: "linear", x1: 0, y1: 1, x2: 0, y2: 0, stops: stopsOf(colours) };
  return [
    plotArea({
      name: "colour-bar",
      left,
      top,
      width: barWidth,
      height,
      scales: [{ name: "decibels", type: "linear", domain: [lowDb, highDb], range: [height, 0], zero: false }],
      axes: [{ orient: "right", scale: "decibels", tickCount: Math.max(2, Math.round(height / 65)), format: "f", domain: false }],
      marks: [rectMark("colours", [0, 0, barWidth, height], { fill: gradient, stroke: "#000" })],
    }),
    textMark("unit", unit, left, top - 8, { size: textSize.label }),
  ];
}
