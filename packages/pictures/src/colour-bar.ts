/** Draws the colour bar beside a picture, which shows how many decibels each colour stands for. */
import type { Mark } from "vega";
import { type ColourMap, stopsOf } from "./colours.ts";
import { plotArea, rectMark, textMark, textSize } from "./sheet.ts";

/** Position and scale of a colour bar. */
export interface ColourBar {
  readonly left: number;
  readonly top: number;
  readonly height: number;
  readonly colours: ColourMap;
  /** Decibels of the first and the last colour. */
  readonly lowDb: number;
  readonly highDb: number;
  /** Text above the bar: what the numbers are. */
  readonly unit: string;
}

/** Width of a bar in pixels. */
export const barWidth = 14;
/** Width of the space to the right of a bar for its numbers, in pixels. */
export const barLabels = 58;

/** Draws a bar with its scale, the highest colour at the top. */
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
