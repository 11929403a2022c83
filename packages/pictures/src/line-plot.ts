/** Line plots on logarithmic axes, for times, sizes and rates. */
import type { Mark } from "vega";
import { checkList, checkNote, checkNumbers, checkTexts } from "./check.ts";
import { seriesColours } from "./colours.ts";
import { drawFramed, type FrameSizes, plotWidth } from "./line-frame.ts";
import { mainEnds, mainTicks, rangeOf, shortNumber } from "./logarithmic.ts";
import type { PictureOptions } from "./options.ts";
import { textSize, valuesOf } from "./sheet.ts";
import { textWidth } from "./text.ts";

/** One line of a plot. */
export interface PlotLine {
  readonly name: string;
  /** Points in the axes' units, from left to right. */
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Draw with dashes, for published or predicted values. Default: false. */
  readonly dashed?: boolean;
}

/** The data of a line plot. */
export interface LinePlot {
  readonly title: string;
  /** Smaller text below the title. */
  readonly note?: string;
  /** Names of the axes with their units: `edge of the image, pixels`. */
  readonly x: string;
  readonly y: string;
  readonly lines: readonly PlotLine[];
}

const sizes: FrameSizes = { width: 720, plotHeight: 344, margin: { right: 28, left: 84, bottom: 52 }, gap: 10 };
/** Symbols of points. Lines that share a colour have different ones. */
const shapes = ["circle", "square", "triangle-up", "diamond", "cross"] as const;
/** Smallest distance between the names of two ticks. */
const tickGap = 10;

const isDrawn = ([x, y]: readonly [number, number]): boolean => x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y);

/**
 * Draws lines through points on logarithmic axes and resolves with an SVG document. The ticks of x are at points. Points that are not
 * positive and finite are left out, and so are lines without any other points. Rejects with `input` if `plot` is not valid, and with
 * `aborted` if the signal fires.
 */
export async function linePlot(plot: LinePlot, options: PictureOptions = {}): Promise<string> {
  checkPlot(plot);
  const { title, note, x: xName, y: yName, lines } = plot;
  const drawn = lines
    .map((one, i) => ({
      ...one,
      points: one.points.filter(isDrawn),
      colour: seriesColours[i % seriesColours.length],
      shape: shapes[Math.floor(i / seriesColours.length) % shapes.length],
    }))
    .filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const wide = plotWidth(sizes);
  const xRange = rangeOf(all.map(([x]) => x));
  const yRange = mainEnds(rangeOf(all.map(([, y]) => y)));
  const at = (value: number): number => (wide * Math.log(value / xRange[0])) / Math.log(xRange[1] / xRange[0]);
  const ticks = apart(
    [...new Set(all.map(([x]) => x))].sort((a, b) => a - b),
    at,
  );
  const marks = drawn.flatMap(({ dashed, colour, shape }, i): readonly Mark[] => {
    const from = { data: `values-${i}` };
    const place = { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" } } as const;
    const line = valuesOf({ stroke: colour, strokeWidth: 2, ...(dashed && { strokeDash: [6, 4] }) });
    const point = valuesOf({ fill: colour, size: shape === "circle" ? 28 : 48, shape });
    return [
      { type: "line", name: "line", from, encode: { enter: { ...place, ...line } } },
      { type: "symbol", name: "point", from, encode: { enter: { ...place, ...point } } },
    ];
  });
  return drawFramed(
    sizes,
    {
      ...{ title, note, titles: [xName, yName], marks },
      scales: [
        { type: "log", domain: xRange },
        { type: "log", domain: yRange },
      ],
      axes: [namedTicks(ticks), { grid: true, ...namedTicks(drawn.length > 0 ? mainTicks(yRange, sizes.plotHeight, 20) : []) }],
      data: drawn.map(({ points }, i) => ({ name: `values-${i}`, values: points.map(([x, y]) => ({ x, y })) })),
      legend: drawn.map(({ name, colour, shape, dashed }) => ({
        name,
        colour,
        sample: dashed ? ("dashes" as const) : ("line" as const),
        ...(drawn.length > seriesColours.length && { shape }),
      })),
    },
    options,
  );
}

function checkPlot(plot: LinePlot): void {
  checkTexts(plot, ["title", "x", "y"], "plot");
  checkNote(plot.note, "plot.note");
  checkList(plot.lines, "plot.lines", (line, field) => {
    checkTexts(line, ["name"], field);
    checkList(line.points, `${field}.points`, checkNumbers);
  });
}

/** Ticks with short names, without thousands separators. */
export const namedTicks = (ticks: readonly number[]) => ({
  values: [...ticks],
  labelOverlap: false,
  encode: {
    labels: {
      update: {
        text: { signal: `({${ticks.map((tick) => `"${tick}":"${shortNumber(tick)}"`).join(",")}})[datum.value]` },
      },
    },
  },
});

/** Drops ticks whose names would touch those before them or the last one. */
function apart(ticks: readonly number[], at: (value: number) => number): readonly number[] {
  const half = (tick: number): number => textWidth(shortNumber(tick), textSize.label) / 2;
  const last = ticks.at(-1);
  if (last === undefined) return [];
  const kept: number[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const tick of ticks.slice(0, -1)) {
    if (at(tick) - half(tick) < end + tickGap || at(tick) + half(tick) + tickGap > at(last) - half(last)) continue;
    kept.push(tick);
    end = at(tick) + half(tick);
  }
  return [...kept, last];
}
