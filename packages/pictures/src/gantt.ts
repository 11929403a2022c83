/**
 * Gantt charts of a trace: units upwards, time to the right, a box for every grant in the colour of its task, and the number of waiting
 * jobs below. Of a long trace only a part is drawn; a note says which.
 */
import { createPause, runInPieces } from "@dechirp/core";
import type { Mark } from "vega";
import { checkNote, checkSignal } from "./check.ts";
import { isDark, mixed, seriesColours } from "./colours.ts";
import { type GanttJob, type GanttOptions, type GanttPart, ganttPart } from "./gantt-part.ts";
import { legend, legendLine } from "./legend.ts";
import type { PictureOptions } from "./options.ts";
import { header, plotArea, svgOf, textMark, textSize, titleBelow, titleBeside, valuesOf } from "./sheet.ts";
import { plain, textWidth } from "./text.ts";

export type { GanttJob, GanttOptions } from "./gantt-part.ts";

const width = 960;
const margin = { right: 20, left: 70, bottom: 52 };
const waitingHeight = 38;
const waitingGap = 18;
const legendColumns = 4;
const maxLegend = 24;
/**
 * The series colours without black, which is used for text and borders, then darker and paler versions. They repeat if there are more
 * tasks.
 */
const base = ["#f0e442", ...seriesColours.slice(0, -1)];
const colours = [...base, ...base.map((colour) => mixed(colour, 0, 0.4)), ...base.map((colour) => mixed(colour, 255, 0.55))];

/**
 * Draws the jobs of `trace` and resolves with an SVG document. Rejects with `input` for bad options and if there is nothing to draw,
 * and with `aborted` if the signal fires.
 */
export async function gantt(trace: { readonly jobs: readonly GanttJob[] }, given: GanttOptions & PictureOptions = {}): Promise<string> {
  checkSignal(given);
  const { signal, ...options } = given;
  checkNote(options.title, "options.title");
  const part = await runInPieces(ganttPart(trace?.jobs, options), createPause("drawing a Gantt chart", signal));
  const { drawn, tasks, from, to, start, units } = part;
  const { title = "Grants by unit" } = options;
  const wide = width - margin.left - margin.right;
  const head = header(title, [part.text], margin.left, wide);
  const top = head.bottom + 8;
  const row = Math.min(24, Math.max(420, 8 * Math.min(units, 64)) / units);
  const high = row * units;
  const unit = to - from >= 2000 ? { name: "ms", per: 1000 } : { name: "µs", per: 1 };
  const colourOf = new Map(tasks.map((task, i) => [task, colours[i % colours.length]]));
  const x = (time: number): number => (wide * (Math.min(Math.max(time, from), to) - from)) / (to - from);
  const grants = drawn.map((job) => grantOf(job, colourOf.get(job.task)!, x, (n) => high - row * (n + 1), row));
  const most = part.waiting.reduce((top, { count }) => Math.max(top, count), 0);
  const waitingTop = top + high + waitingGap;
  const legendTop = waitingTop + waitingHeight + margin.bottom;
  const shown = tasks.slice(0, maxLegend);
  const entries = shown.map((task) => ({ name: inShort(plain(task)), colour: colourOf.get(task)!, sample: "box" as const }));
  const more = tasks.length - shown.length;
  const rows = Math.ceil(entries.length / legendColumns);
  const time = {
    name: "time",
    type: "linear",
    domain: [(from - start) / unit.per, (to - start) / unit.per],
    range: [0, wide],
    zero: false,
  };
  return svgOf(
    {
      width,
      height: legendTop + legendLine * (rows + (more > 0 ? 1 : 0)) + 10,
      title,
      data: [
        { name: "boxes", values: grants.flatMap(({ boxes }) => boxes) },
        { name: "grant-names", values: grants.flatMap(({ names }) => names) },
        { name: "counts", values: waitingSteps(part, x, most) },
      ],
      marks: [
        ...head.marks,
        plotArea({
          name: "units",
          left: margin.left,
          top,
          width: wide,
          height: high,
          scales: [
            { ...time, type: "linear" },
            { name: "unit", type: "linear", domain: [-0.5, units - 0.5], range: [high, 0], zero: false },
          ],
          axes: [
            { orient: "bottom", scale: "time", grid: true, labels: false, ticks: false, tickCount: 8 },
            {
              orient: "left",
              scale: "unit",
              title: "unit",
              ...titleBeside(high, margin.left),
              format: "d",
              tickCount: Math.min(units, Math.max(2, Math.floor(high / 18))),
              tickMinStep: 1,
            },
          ],
          marks: [boxMarks, nameMarks(row)],
        }),
        plotArea({
          name: "waiting",
          left: margin.left,
          top: waitingTop,
          width: wide,
          height: waitingHeight,
          scales: [{ ...time, type: "linear" }],
          axes: [
            {
              orient: "bottom",
              scale: "time",
              title: `${unit.name} since the first request`,
              tickCount: 8,
              ...titleBelow(wide),
            },
          ],
          marks: [
            {
              type: "area",
              from: { data: "counts" },
              encode: {
                enter: {
                  x: { field: "x" },
                  y: { field: "y" },
                  ...valuesOf({ y2: waitingHeight, fill: "#888", fillOpacity: 0.5, interpolate: "step-after" }),
                },
              },
            },
          ],
        }),
        textMark("waiting-text", "waiting", margin.left - 8, waitingTop + waitingHeight / 2 + 4, { align: "right" }),
        textMark("waiting-text", most === 0 ? "none" : `at most ${most}`, width - margin.right, waitingTop - 4, {
          size: textSize.note,
          align: "right",
        }),
        ...legend(entries, margin.left, legendTop, wide, legendColumns),
        ...(more > 0 ? [textMark("legend", `and ${more} more`, margin.left + 36, legendTop + legendLine * rows + 13)] : []),
      ],
    },
    signal ? { signal } : {},
  );
}

const boxMarks: Mark = {
  type: "rect",
  name: "grant",
  from: { data: "boxes" },
  encode: {
    enter: {
      x: { field: "x" },
      y: { field: "y" },
      width: { field: "width" },
      height: { field: "height" },
      fill: { field: "colour" },
      stroke: { value: "#000" },
      strokeWidth: { field: "border" },
    },
  },
};

const nameMarks = (row: number): Mark => ({
  type: "text",
  name: "grant-text",
  from: { data: "grant-names" },
  encode: {
    enter: {
      x: { field: "x" },
      y: { field: "y" },
      text: { field: "text" },
      fill: { field: "fill" },
      ...valuesOf({ fontSize: Math.min(textSize.note, row), align: "center", baseline: "middle" }),
    },
  },
});

interface Grant {
  readonly boxes: readonly Readonly<Record<string, unknown>>[];
  readonly names: readonly Readonly<Record<string, unknown>>[];
}

/** Makes a box for each run of adjacent units of a job. The widest box shows the task's name, or only its copy's number, if it fits. */
function grantOf(job: GanttJob, colour: string, x: (time: number) => number, y: (unit: number) => number, row: number): Grant {
  const left = x(job.granted);
  const wide = Math.max(x(job.finished) - left, 0.2);
  const runs: [first: number, last: number][] = [];
  for (const unit of [...job.units].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === unit - 1) run[1] = unit;
    else runs.push([unit, unit]);
  }
  const boxes = runs.map(([low, high]) => ({
    x: left,
    y: y(high),
    width: wide,
    height: row * (high - low + 1),
    colour,
    border: row < 3 ? 0.2 : 0.6,
  }));
  if (runs.length === 0) return { boxes, names: [] };
  const [first, last] = runs.reduce((widest, run) => (run[1] - run[0] > widest[1] - widest[0] ? run : widest));
  const task = plain(job.task);
  const text =
    row * (last - first + 1) < 12 ? undefined : [task, task.split("/").at(-1)!].find((name) => textWidth(name, textSize.note) + 6 <= wide);
  const fill = isDark(colour) ? "#fff" : "#000";
  return { boxes, names: text === undefined ? [] : [{ x: left + wide / 2, y: (y(first) + row + y(last)) / 2, text, fill }] };
}

/** The number of waiting jobs inside the picture, from its left edge to its right edge. */
function waitingSteps({ waiting, from, to }: GanttPart, x: (time: number) => number, most: number): readonly object[] {
  if (most === 0) return [];
  const y = (count: number): number => waitingHeight - (waitingHeight * count) / most;
  const before = waiting.filter(({ time }) => time <= from).at(-1)?.count ?? 0;
  const inside = waiting.filter(({ time }) => time > from && time < to);
  const last = inside.at(-1)?.count ?? before;
  return [{ time: from, count: before }, ...inside, { time: to, count: last }].map(({ time, count }) => ({ x: x(time), y: y(count) }));
}

/** Shortens a long name to its beginning and its end, because the end has the number of the copy. */
const inShort = (name: string): string => (name.length > 24 ? `${name.slice(0, 16)}…${name.slice(-7)}` : name);
