/** Line plots: on logarithmic axes for times, sizes and rates, and on linear axes for example for decibels. */
import { inputError } from "@dechirp/core";
import type { Axis } from "vega";
import { checkList, checkNote, checkNumbers, checkTexts } from "./check.ts";
import { seriesColours } from "./colours.ts";
import { legend, legendLine } from "./legend.ts";
import { mainEnds, mainTicks, rangeOf, shortNumber } from "./logarithmic.ts";
import type { PictureOptions } from "./options.ts";
import { header, plotArea, svgOf, textSize, titleBelow, titleBeside, valuesOf } from "./sheet.ts";
import { textWidth } from "./text.ts";
import { niceLength } from "./units.ts";

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
  /** Default: `log`. Points that are not positive are not drawn on a logarithmic axis. */
  readonly xScale?: AxisScale;
  readonly yScale?: AxisScale;
  /** Ends of linear axes, the lower one first. Lines are cut off there. Default: the least and the largest value, for y widened to round numbers. */
  readonly xEnds?: readonly [number, number];
  readonly yEnds?: readonly [number, number];
  /** Draw symbols at the points. Default: true. Leave them out for curves of many points. */
  readonly symbols?: boolean;
}

/** How values are spread over an axis. */
export type AxisScale = "log" | "linear";

const width = 720;
const plotHeight = 344;
const margin = { right: 28, left: 84, bottom: 52 };
/** Symbols of points. Lines that share a colour have different ones. */
const shapes = ["circle", "square", "triangle-up", "diamond", "cross"] as const;
/** Smallest distance between the names of two ticks. */
const tickGap = 10;

/**
 * Draws lines through points and resolves with an SVG document. On a logarithmic axis the ticks of x are at points. Points that are not finite,
 * or not positive on a logarithmic axis, are left out, and so are lines without any other points. Rejects with `input` if `plot` is not valid,
 * and with `aborted` if the signal fires.
 */
export async function linePlot(plot: LinePlot, options: PictureOptions = {}): Promise<string> {
  checkPlot(plot);
  const { title, note, x: xName, y: yName, lines, xScale = "log", yScale = "log", symbols = true } = plot;
  const isDrawn = ([x, y]: readonly [number, number]): boolean =>
    Number.isFinite(x) && Number.isFinite(y) && (xScale === "linear" || x > 0) && (yScale === "linear" || y > 0);
  const drawn = lines
    .map((one, i) => ({
      ...one,
      points: one.points.filter(isDrawn),
      colour: seriesColours[i % seriesColours.length],
      shape: shapes[Math.floor(i / seriesColours.length) % shapes.length],
    }))
    .filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const wide = width - margin.left - margin.right;
  const head = header(title, [note], margin.left, wide);
  const top = head.bottom + 10;
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const across = xScale === "log" ? acrossLog(xs, wide) : acrossLinear(xs, plot.xEnds);
  const up = yScale === "log" ? upLog(ys) : upLinear(ys, plot.yEnds);
  const legendTop = top + plotHeight + margin.bottom;
  const names = drawn.map(({ name, colour, shape, dashed }) => ({
    name,
    colour,
    sample: dashed ? ("dashes" as const) : ("line" as const),
    ...(drawn.length > seriesColours.length && { shape }),
  }));
  return svgOf(
    {
      width,
      height: legendTop + legendLine * drawn.length + 10,
      title,
      data: drawn.map(({ points }, i) => ({ name: `values-${i}`, values: points.map(([x, y]) => ({ x, y })) })),
      marks: [
        ...head.marks,
        plotArea({
          name: "plot",
          left: margin.left,
          top,
          width: wide,
          height: plotHeight,
          scales: [
            { name: "x", type: xScale, domain: across.ends, range: [0, wide], ...(xScale === "linear" && { zero: false }) },
            { name: "y", type: yScale, domain: up.ends, range: [plotHeight, 0], ...(yScale === "linear" && { zero: false }) },
          ],
          axes: [
            { orient: "bottom", scale: "x", title: xName, ...titleBelow(wide), ...across.ticks },
            {
              orient: "left",
              scale: "y",
              title: yName,
              ...titleBeside(plotHeight, margin.left),
              grid: true,
              ...up.ticks,
            },
          ],
          marks: drawn.flatMap(({ dashed, colour, shape }, i) => {
            const place = { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" } } as const;
            return [
              {
                type: "line" as const,
                name: "line",
                ...((plot.xEnds || plot.yEnds) && { clip: true }),
                from: { data: `values-${i}` },
                encode: { enter: { ...place, ...valuesOf({ stroke: colour, strokeWidth: 2, ...(dashed && { strokeDash: [6, 4] }) }) } },
              },
              ...(symbols
                ? [
                    {
                      type: "symbol" as const,
                      name: "point",
                      from: { data: `values-${i}` },
                      encode: { enter: { ...place, ...valuesOf({ fill: colour, size: shape === "circle" ? 28 : 48, shape }) } },
                    },
                  ]
                : []),
            ];
          }),
        }),
        ...legend(names, margin.left, legendTop, wide),
      ],
    },
    options,
  );
}

/** Ends and ticks of an axis. */
interface AxisEnds {
  readonly ends: [number, number];
  readonly ticks: Partial<Axis>;
}

function acrossLog(xs: readonly number[], wide: number): AxisEnds {
  const ends = rangeOf(xs);
  const at = (value: number): number => (wide * Math.log(value / ends[0])) / Math.log(ends[1] / ends[0]);
  const ticks = apart(
    [...new Set(xs)].sort((a, b) => a - b),
    at,
  );
  return { ends, ticks: namedTicks(ticks) };
}

function upLog(ys: readonly number[]): AxisEnds {
  const ends = mainEnds(rangeOf(ys));
  return { ends, ticks: namedTicks(ys.length > 0 ? mainTicks(ends, plotHeight, 20) : []) };
}

/** Distances between ticks of linear axes in pixels, at least. */
const linearRoom = { across: 70, up: 36 };

function acrossLinear(xs: readonly number[], given: LinePlot["xEnds"]): AxisEnds {
  const ends = linearEnds(xs, given);
  const count = Math.floor((width - margin.left - margin.right) / linearRoom.across);
  return { ends, ticks: { tickCount: count, labelOverlap: true } };
}

function upLinear(ys: readonly number[], given: LinePlot["yEnds"]): AxisEnds {
  const [low, high] = linearEnds(ys, given);
  const count = Math.floor(plotHeight / linearRoom.up);
  const step = niceLength((high - low) / count) * 2;
  const ends: [number, number] = given ? [low, high] : [step * Math.floor(low / step), step * Math.ceil(high / step)];
  return { ends, ticks: { tickCount: count, labelOverlap: true } };
}

/** Given ends, or those of values, made to differ from each other. Without values, 0 and 1. */
function linearEnds(values: readonly number[], given: readonly [number, number] | undefined): [number, number] {
  if (given) return [...given];
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!Number.isFinite(low)) return [0, 1];
  const room = Math.abs(low) / 2 || 1;
  return low < high ? [low, high] : [low - room, high + room];
}

function checkPlot(plot: LinePlot): void {
  checkTexts(plot, ["title", "x", "y"], "plot");
  checkNote(plot.note, "plot.note");
  for (const [name, scale, ends] of [["x", plot.xScale, plot.xEnds] as const, ["y", plot.yScale, plot.yEnds] as const]) {
    if (scale !== undefined && scale !== "log" && scale !== "linear") throw inputError(`plot.${name}Scale`, "log or linear", scale);
    if (ends === undefined) continue;
    if (scale !== "linear") throw inputError(`plot.${name}Ends`, "left out on a logarithmic axis", ends);
    checkNumbers(ends, `plot.${name}Ends`);
    if (!(ends.length === 2 && ends.every(Number.isFinite) && ends[0] < ends[1]))
      throw inputError(`plot.${name}Ends`, "two finite numbers, the lower one first", ends);
  }
  if (plot.symbols !== undefined && typeof plot.symbols !== "boolean") throw inputError("plot.symbols", "true or false", plot.symbols);
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
