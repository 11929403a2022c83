/** Horizontal bars of shares of a whole, one bar in each row, for example the stages of a run. */
import { checkList, checkNote, checkNumbers, checkText, checkTexts } from "./check.ts";
import { seriesColours } from "./colours.ts";
import { legend, legendLine } from "./legend.ts";
import type { PictureOptions } from "./options.ts";
import { header, plotArea, svgOf, textMark, textSize, titleBelow, valuesOf } from "./sheet.ts";
import { wrapped } from "./text.ts";

/** The data of stacked bars. */
export interface StackedBars {
  readonly title: string;
  /** Smaller text below the title. */
  readonly note?: string;
  /** Name of the axis, such as `per cent of the time`. */
  readonly x: string;
  /** Names of the parts of every bar, from left to right. */
  readonly parts: readonly string[];
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const width = 720;
const barHeight = 28;
const pitch = 44;
const margin = { right: 28, left: 210, bottom: 52 };
const edge = 20;

/**
 * Draws bars, each normalised to 100 %, and resolves with an SVG document. Bars without a positive sum are left out. Rejects with
 * `input` if `plot` is not valid, and with `aborted` if the signal fires.
 */
export async function stackedBars(plot: StackedBars, options: PictureOptions = {}): Promise<string> {
  checkTexts(plot, ["title", "x"], "plot");
  const { title, note, x: xName, parts, bars } = plot;
  checkNote(note, "plot.note");
  checkList(parts, "plot.parts", checkText);
  checkList(bars, "plot.bars", (bar, field) => {
    checkTexts(bar, ["name"], field);
    checkNumbers(bar.values, `${field}.values`);
  });
  const drawn = bars
    .map(({ name, values }) => ({ name, values, sum: values.reduce((a: number, b: number) => a + b, 0) }))
    .filter(({ sum }) => sum > 0 && Number.isFinite(sum));
  const wide = width - margin.left - margin.right;
  const high = pitch * Math.max(1, drawn.length);
  const head = header(title, [note], edge, width - 2 * edge);
  const top = head.bottom + 10;
  const legendTop = top + high + margin.bottom;
  const colourOf = (part: number): string => seriesColours[part % seriesColours.length];
  const boxes = drawn.flatMap(({ values, sum }, row) => {
    let before = 0;
    return values.map((value: number, part: number) => {
      const start = before;
      before += value;
      return { start: (100 * start) / sum, end: (100 * before) / sum, y: pitch * row + (pitch - barHeight) / 2, colour: colourOf(part) };
    });
  });
  return svgOf(
    {
      width,
      height: legendTop + legendLine * parts.length + 10,
      title,
      data: [{ name: "boxes", values: boxes }],
      marks: [
        ...head.marks,
        ...drawn.map(({ name }, row) => {
          const lines = wrapped(name, textSize.label, margin.left - edge - 10, { most: 2 });
          const middle = top + pitch * row + pitch / 2;
          return textMark("row", lines, margin.left - 8, middle + (lines.length > 1 ? -4 : 4), { align: "right" });
        }),
        plotArea({
          name: "plot",
          left: margin.left,
          top,
          width: wide,
          height: high,
          scales: [{ name: "x", type: "linear", domain: [0, 100], range: [0, wide] }],
          axes: [{ orient: "bottom", scale: "x", title: xName, ...titleBelow(wide), grid: true, tickCount: 10 }],
          marks: [
            {
              type: "rect",
              name: "part",
              from: { data: "boxes" },
              encode: {
                enter: {
                  x: { scale: "x", field: "start" },
                  x2: { scale: "x", field: "end" },
                  y: { field: "y" },
                  fill: { field: "colour" },
                  ...valuesOf({ height: barHeight }),
                },
              },
            },
          ],
        }),
        ...legend(
          parts.map((name, part) => ({ name, colour: colourOf(part), sample: "box" })),
          margin.left,
          legendTop,
          wide,
        ),
      ],
    },
    options,
  );
}
