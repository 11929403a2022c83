/**
 * Dot plots: values of several series side by side on one logarithmic axis, a row for each name. Dots are observed values; a bar is a
 * limit to compare them with.
 */
import type { Mark } from "vega";
import { checkList, checkNote, checkNumbers, checkTexts } from "./check.ts";
import { seriesColours } from "./colours.ts";
import { legend, legendLine } from "./legend.ts";
import { namedTicks } from "./line-plot.ts";
import { mainEnds, mainTicks, rangeOf } from "./logarithmic.ts";
import type { PictureOptions } from "./options.ts";
import { header, plotArea, svgOf, textMark, textSize, titleBelow, valuesOf } from "./sheet.ts";
import { shortened } from "./text.ts";

/** A series of values. */
export interface DotSeries {
  readonly name: string;
  /** Draw the values as upright black bars instead of dots. Default: false. */
  readonly limit?: boolean;
}

/** The data of a dot plot. */
export interface DotPlot {
  readonly title: string;
  /** Smaller text below the title. */
  readonly note?: string;
  /** Name of the axis with its unit. */
  readonly x: string;
  readonly series: readonly DotSeries[];
  /** The rows, each with a value for each series. Values that are not above 0 are left out. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const width = 720;
const pitch = 26;
const margin = { right: 28, left: 214, bottom: 52 };
const edge = 20;

const isDrawn = (value: number): boolean => value > 0 && Number.isFinite(value);

/**
 * Draws a dot plot and resolves with an SVG document. Rejects with `input` if `plot` is not valid, and with `aborted` if the signal
 * fires.
 */
export async function dotPlot(plot: DotPlot, options: PictureOptions = {}): Promise<string> {
  checkTexts(plot, ["title", "x"], "plot");
  const { title, note, x: xName, series, rows } = plot;
  checkNote(note, "plot.note");
  checkList(series, "plot.series", (one, field) => checkTexts(one, ["name"], field));
  checkList(rows, "plot.rows", (row, field) => {
    checkTexts(row, ["name"], field);
    checkNumbers(row.values, `${field}.values`);
  });
  const wide = width - margin.left - margin.right;
  const high = pitch * Math.max(1, rows.length);
  const head = header(title, [note], edge, width - 2 * edge);
  const top = head.bottom + 10;
  const range = mainEnds(rangeOf(rows.flatMap(({ values }) => values.filter(isDrawn))));
  const legendTop = top + high + margin.bottom;
  const colourOf = (i: number): string => (series[i].limit ? "#000" : seriesColours[i % seriesColours.length]);
  const middle = (row: number): number => pitch * row + pitch / 2;
  const marks = series.flatMap(({ limit }, i): Mark[] => {
    const from = { data: `series-${i}` };
    const x = { scale: "x", field: "value" };
    if (limit) {
      const style = valuesOf({ stroke: "#000", strokeWidth: 2.5 });
      return [{ type: "rule", name: "limit", from, encode: { enter: { x, y: { field: "above" }, y2: { field: "below" }, ...style } } }];
    }
    const style = valuesOf({ fill: colourOf(i), fillOpacity: 0.85, size: 64, shape: "circle" });
    return [{ type: "symbol", name: "dot", from, encode: { enter: { x, y: { field: "y" }, ...style } } }];
  });
  return svgOf(
    {
      width,
      height: legendTop + legendLine * series.length + 10,
      title,
      data: series.map((_, i) => ({
        name: `series-${i}`,
        values: rows.flatMap(({ values }, row) =>
          isDrawn(values[i]) ? [{ value: values[i], y: middle(row), above: middle(row) - 9, below: middle(row) + 9 }] : [],
        ),
      })),
      marks: [
        ...head.marks,
        ...rows.map(({ name }, row) => {
          const text = shortened(name, textSize.label, margin.left - edge - 10);
          return textMark("row", text, margin.left - 8, top + middle(row) + 4, { align: "right" });
        }),
        plotArea({
          name: "plot",
          left: margin.left,
          top,
          width: wide,
          height: high,
          scales: [{ name: "x", type: "log", domain: range, range: [0, wide] }],
          axes: [
            { orient: "bottom", scale: "x", title: xName, ...titleBelow(wide), grid: true, ...namedTicks(mainTicks(range, wide, 46)) },
          ],
          marks,
        }),
        ...legend(
          series.map(({ name, limit }, i) => ({ name, colour: colourOf(i), sample: limit ? "bar" : "dot" })),
          margin.left,
          legendTop,
          wide,
        ),
      ],
    },
    options,
  );
}
