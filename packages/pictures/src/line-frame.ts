/** The frame of plots of lines: title and note above the plot, two axes at it, and a legend with one name in each row below. */
import type { Axis, Data, Mark, Scale } from "vega";
import { type LegendEntry, legend, legendLine } from "./legend.ts";
import type { PictureOptions } from "./options.ts";
import { header, plotArea, svgOf, titleBelow, titleBeside } from "./sheet.ts";

/** Sizes in pixels. */
export interface FrameSizes {
  /** Width of the whole picture. */
  readonly width: number;
  /** Height of the area between the axes. */
  readonly plotHeight: number;
  readonly margin: { readonly right: number; readonly left: number; readonly bottom: number };
  /** Distance between the note and the plot. */
  readonly gap: number;
}

/** A scale of each kind without its name and its range. */
type Unplaced<T> = T extends Scale ? Omit<T, "name" | "range"> : never;

/** What a frame holds. */
export interface Framed {
  readonly title: string;
  readonly note: string | undefined;
  /** Titles of the axes. */
  readonly titles: readonly [x: string, y: string];
  /** The scales without their names and ranges. */
  readonly scales: readonly [x: Unplaced<Scale>, y: Unplaced<Scale>];
  /** What the axes have besides scale, place and title. */
  readonly axes: readonly [x: Partial<Axis>, y: Partial<Axis>];
  readonly data: readonly Data[];
  /** Marks with positions by the scales `x` and `y`. */
  readonly marks: readonly Mark[];
  readonly legend: readonly LegendEntry[];
}

/** Width of the area between the axes. */
export const plotWidth = ({ width, margin }: FrameSizes): number => width - margin.left - margin.right;

/** Draws a frame with what it holds. Rejects as `svgOf` does. */
export function drawFramed(sizes: FrameSizes, framed: Framed, options: PictureOptions): Promise<string> {
  const { width, plotHeight, margin, gap } = sizes;
  const { title, note, titles, scales, axes, data, marks, legend: entries } = framed;
  const wide = plotWidth(sizes);
  const head = header(title, [note], margin.left, wide);
  const top = head.bottom + gap;
  const legendTop = top + plotHeight + margin.bottom;
  const area = plotArea({
    ...{ name: "plot", left: margin.left, top, width: wide, height: plotHeight },
    scales: [{ ...scales[0], name: "x", range: [0, wide] } as Scale, { ...scales[1], name: "y", range: [plotHeight, 0] } as Scale],
    axes: [
      { orient: "bottom", scale: "x", title: titles[0], ...titleBelow(wide), ...axes[0] },
      { orient: "left", scale: "y", title: titles[1], ...titleBeside(plotHeight, margin.left), ...axes[1] },
    ],
    marks,
  });
  return svgOf(
    {
      ...{ width, height: legendTop + legendLine * entries.length + 10, title, data },
      marks: [...head.marks, area, ...legend(entries, margin.left, legendTop, wide)],
    },
    options,
  );
}
