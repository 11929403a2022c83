/** Curves on linear axes: cuts, responses and losses over an angle, a frequency or a distance. */
import { inputError } from "@dechirp/core";
import type { Mark } from "vega";
import { checkList, checkNote, checkNumbers, checkTexts } from "./check.ts";
import { seriesColours } from "./colours.ts";
import { drawFramed, type FrameSizes, plotWidth } from "./line-frame.ts";
import type { PictureOptions } from "./options.ts";
import { valuesOf } from "./sheet.ts";

/** A linear axis. */
export interface CurveAxis {
  /** Name with unit: `Doppler, Hz`. */
  readonly label: string;
  /** Lower end of the axis. Default: the smallest value. Parts of curves below it are cut off. */
  readonly low?: number;
  /** Upper end of the axis. Default: the largest value. Parts of curves above it are cut off. */
  readonly high?: number;
}

/** One curve. */
export interface Curve {
  readonly name: string;
  /** Points along the x axis in its unit, in the order in which they are connected. The curve is interrupted at numbers that are not finite. */
  readonly x: readonly number[];
  /** The same points along the y axis in its unit, as many as `x`. */
  readonly y: readonly number[];
  /** Draw with dashes, for references. Default: false. */
  readonly dashed?: boolean;
}

/** The data of a plot of curves. */
export interface CurvePlot {
  readonly title: string;
  /** Smaller text below the title. */
  readonly note?: string;
  readonly x: CurveAxis;
  readonly y: CurveAxis;
  readonly curves: readonly Curve[];
  /** Positions on the x axis at which thin vertical lines are drawn. */
  readonly marks?: readonly number[];
}

const sizes: FrameSizes = { width: 640, plotHeight: 300, margin: { right: 24, left: 76, bottom: 52 }, gap: 12 };

/**
 * Draws curves on linear axes and resolves with an SVG document. Rejects with `input` if `plot` is not valid, and with `aborted` if the
 * signal fires.
 */
export async function curvePlot(plot: CurvePlot, options: PictureOptions = {}): Promise<string> {
  checkPlot(plot);
  const { title, note, x: xAxis, y: yAxis, curves, marks = [] } = plot;
  const drawn = curves.map((curve, i) => ({ ...curve, colour: seriesColours[i % seriesColours.length] }));
  const xEnds = endsOf(xAxis, drawn.map(({ x }) => x).concat([[...marks]]));
  const yEnds = endsOf(
    yAxis,
    drawn.map(({ y }) => y),
  );
  const isInside = (at: number): boolean => at >= xEnds[0] && at <= xEnds[1];
  const markLines = marks.filter(isInside).map((at): Mark => {
    const line = valuesOf({ y: 0, y2: sizes.plotHeight, stroke: "#666", strokeDash: [2, 3] });
    return { type: "rule", name: "mark", encode: { enter: { x: { scale: "x", value: at }, ...line } } };
  });
  const lines = drawn.map(({ colour, dashed }, i): Mark => {
    const place = { x: { scale: "x", field: "x" }, y: { scale: "y", field: "y" }, defined: { field: "defined" } } as const;
    const style = valuesOf({ stroke: colour, strokeWidth: 1.75, ...(dashed && { strokeDash: [6, 4] }) });
    return { type: "line", name: "curve", from: { data: `values-${i}` }, encode: { enter: { ...place, ...style } } };
  });
  const clip = { enter: valuesOf({ width: plotWidth(sizes), height: sizes.plotHeight, clip: true }) };
  return drawFramed(
    sizes,
    {
      ...{ title, note, titles: [xAxis.label, yAxis.label] },
      scales: [
        { type: "linear", domain: xEnds, zero: false },
        { type: "linear", domain: yEnds, zero: false },
      ],
      axes: [
        { tickCount: 7, format: "~f", grid: true },
        { tickCount: 6, format: "~f", grid: true },
      ],
      data: drawn.map(({ x, y }, i) => ({
        name: `values-${i}`,
        values: x.map((at, k) => ({ x: at, y: y[k], defined: Number.isFinite(at) && Number.isFinite(y[k]) })),
      })),
      marks: [...markLines, { type: "group", name: "curves", encode: clip, marks: lines }],
      legend: drawn.map(({ name, colour, dashed }) => ({ name, colour, sample: dashed ? ("dashes" as const) : ("line" as const) })),
    },
    options,
  );
}

/** Ends of an axis, made to differ from each other. */
function endsOf({ low, high }: CurveAxis, values: readonly (readonly number[])[]): [number, number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of values)
    for (const value of list) if (Number.isFinite(value)) [least, most] = [Math.min(least, value), Math.max(most, value)];
  if (least > most) [least, most] = [low ?? (high ?? 1) - 1, high ?? (low ?? 0) + 1];
  const [from, to] = [low ?? least, high ?? most];
  return from < to ? [from, to] : [from - 0.5, from + 0.5];
}

function checkPlot(plot: CurvePlot): void {
  checkTexts(plot, ["title"], "plot");
  checkNote(plot.note, "plot.note");
  for (const name of ["x", "y"] as const) {
    const axis = plot[name];
    checkTexts(axis, ["label"], `plot.${name}`);
    for (const end of ["low", "high"] as const)
      if (axis[end] !== undefined && !Number.isFinite(axis[end])) throw inputError(`plot.${name}.${end}`, "a finite number", axis[end]);
    if (axis.low !== undefined && axis.high !== undefined && axis.low >= axis.high)
      throw inputError(`plot.${name}.high`, "a number above low", axis.high);
  }
  checkList(plot.curves, "plot.curves", (curve, field) => {
    checkTexts(curve, ["name"], field);
    checkNumbers(curve.x, `${field}.x`);
    checkNumbers(curve.y, `${field}.y`);
    if (curve.x.length !== curve.y.length) throw inputError(`${field}.y`, `${curve.x.length} numbers, as many as x`, curve.y);
  });
  if (plot.marks !== undefined) checkNumbers(plot.marks, "plot.marks");
}
