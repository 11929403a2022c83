/**
 * A trace as a picture: units upwards, time to the right, a box for every grant, one colour a task, and how many jobs waited below. SVG
 * text, put together by hand. Of a long trace it draws a part and says which.
 */
import { atOnce, inputError } from "@dechirp/core";
import type { JobRecord } from "../executors/executor.ts";
import { checkInteger, maxUnits } from "../validate.ts";
import { pieces, selected, sorted } from "./pieces.ts";
import type { Trace } from "./summary.ts";

export interface GanttOptions {
  /** ℋ; where left out, up to the highest unit of the trace. */
  readonly units?: number;
  /** `Grants by unit` where left out. */
  readonly title?: string;
  /** Microseconds after the first request between which to draw; all of the trace where left out. */
  readonly from?: number;
  readonly to?: number;
  /** Ends the picture when so many jobs of that time have been granted; 1 to 5,000, 300 where left out. */
  readonly jobs?: number;
}

const width = 960;
const margin = { top: 46, right: 20, left: 56 };
const waitingHeight = 48;
const legendLine = 18;
const legendColumns = 6;
const maxLegend = 24;
/** Okabe and Ito's colours without black, which most eyes tell apart; then darker and paler, then again. */
const base = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"];
const colours = [...base, ...base.map((colour) => mixed(colour, 0, 0.4)), ...base.map((colour) => mixed(colour, 255, 0.55))];

/** `trace` as an SVG document. Throws `input` for bad options and where there is nothing to draw. */
export const ganttSvg = (trace: Trace, options: GanttOptions = {}): string => atOnce(ganttSteps(trace, options));

/** `ganttSvg` in steps of milliseconds, for `inPieces` of core: other work and signals have their turn in between. Throws as that does. */
export function* ganttSteps(trace: Trace, options: GanttOptions = {}): Generator<void, string> {
  const { title = "Grants by unit", jobs: most = 300 } = options;
  checkInteger(most, "jobs", 1, 5000);
  if (options.units !== undefined) checkInteger(options.units, "units", 1, maxUnits);
  for (const end of ["from", "to"] as const) {
    if (options[end] !== undefined && !Number.isFinite(options[end]))
      throw inputError(end, "a finite number of microseconds", options[end]);
  }
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const names = new Set<string>();
  for (const some of pieces(trace.jobs)) {
    for (const { task, requested, finished } of some) {
      start = Math.min(start, requested);
      end = Math.max(end, finished);
      names.add(task);
    }
    yield;
  }
  const from = start + (options.from ?? 0);
  const until = Math.min(start + (options.to ?? Number.POSITIVE_INFINITY), end);
  const inside = yield* selected(trace.jobs, ({ granted, finished }) => finished > from && granted < until);
  const within = yield* sorted(inside, ({ granted }) => granted);
  if (within.length === 0 || !(until > from))
    throw inputError("from and to", "a time in which a job has units", [options.from, options.to]);
  // Where jobs are left out, the picture ends before the first of them, as there it would show units idle that are not.
  let count = Math.min(most, within.length);
  while (count < within.length && within[count].granted <= from) count++;
  const drawn = within.slice(0, count);
  const to = count < within.length ? within[count].granted : until;
  const units = options.units ?? Math.min(maxUnits, 1 + drawn.reduce((top, job) => Math.max(top, ...job.units), 0));
  if (drawn.some((job) => job.units.some((unit) => unit >= units)))
    throw inputError("units", "more than the highest unit of the trace", units);

  const row = Math.min(24, Math.max(420, 8 * Math.min(units, 64)) / units);
  const bottom = margin.top + row * units;
  const span = to - from;
  const x = (time: number): number =>
    margin.left + ((width - margin.left - margin.right) * (Math.min(Math.max(time, from), to) - from)) / span;
  const y = (unit: number): number => bottom - row * (unit + 1);
  const tasks = [...names].sort(inOrder);
  const colourOf = new Map(tasks.map((task, i) => [task, colours[i % colours.length]]));
  const shown = tasks.slice(0, maxLegend);
  const waiters = yield* selected(trace.jobs, ({ requested, granted }) => granted > requested && granted >= from && requested <= to);
  const axisBottom = bottom + 8 + waitingHeight;
  const height = axisBottom + 50 + legendLine * Math.ceil((shown.length + (tasks.length > maxLegend ? 1 : 0)) / legendColumns);
  const unit = span >= 2000 ? { name: "ms", per: 1000 } : { name: "µs", per: 1 };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" font-family="sans-serif" font-size="12">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${round(height)}" fill="#fff"/>`,
    `<text x="${margin.left}" y="20" font-size="15" font-weight="bold">${escaped(title)}</text>`,
    `<text x="${margin.left}" y="37" font-size="11">${escaped(partText(count, trace.jobs.length, [from - start, to - start, end - start]))}</text>`,
    `<rect x="${margin.left}" y="${margin.top}" width="${width - margin.left - margin.right}" height="${round(bottom - margin.top)}" fill="#f4f4f4"/>`,
    ...drawn.flatMap((job) => box(job, colourOf.get(job.task)!, x, y, row)),
    ...steps(0, units - 1, Math.max(1, roundStep(14 / row))).map(
      (at) => `<text x="${margin.left - 8}" y="${round(y(at) + row / 2 + 4)}" text-anchor="end">${at}</text>`,
    ),
    `<text transform="translate(16 ${round((margin.top + bottom) / 2)}) rotate(-90)" text-anchor="middle">unit</text>`,
    ...waiting(waiters, from, x, bottom + 8),
    ...ticks((from - start) / unit.per, (to - start) / unit.per).map((at) => {
      const left = round(x(start + at * unit.per));
      return `<path d="M${left},${margin.top}V${round(axisBottom + 5)}" stroke="#000" stroke-opacity="0.15"/><text x="${left}" y="${round(axisBottom + 18)}" text-anchor="middle">${Number(at.toPrecision(12))}</text>`;
    }),
    `<path d="M${margin.left},${margin.top}V${round(axisBottom)}H${width - margin.right}" fill="none" stroke="#000"/>`,
    `<text x="${(margin.left + width - margin.right) / 2}" y="${round(axisBottom + 34)}" text-anchor="middle">${unit.name} since the first request</text>`,
    ...shown.map((task, i) => legend(i, axisBottom + 48, task, colourOf.get(task)!)),
    ...(tasks.length > maxLegend ? [legend(maxLegend, axisBottom + 48, `and ${tasks.length - maxLegend} more`, "none")] : []),
    "</svg>",
    "",
  ].join("\n");
}

function partText(drawn: number, all: number, times: readonly number[]): string {
  if (drawn === all) return `all ${all} jobs`;
  const [from, to, end] = times.map((microseconds) => String(Number(microseconds.toPrecision(6))));
  return `${drawn} of ${all} jobs: ${from} to ${to} µs of ${end} µs`;
}

/** A job's grant: a rectangle for each run of neighbouring units, its task's name, or the copy's number, in the widest where it fits. */
function box(job: JobRecord, colour: string, x: (time: number) => number, y: (unit: number) => number, row: number): readonly string[] {
  const left = x(job.granted);
  const wide = Math.max(x(job.finished) - left, 0.2);
  const runs: [first: number, last: number][] = [];
  for (const unit of [...job.units].sort((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === unit - 1) run[1] = unit;
    else runs.push([unit, unit]);
  }
  const [first, last] = runs.reduce((widest, run) => (run[1] - run[0] > widest[1] - widest[0] ? run : widest));
  const name =
    row * (last - first + 1) < 12 ? undefined : [job.task, job.task.split("/").at(-1)!].find((text) => 6.2 * text.length + 6 <= wide);
  return [
    ...runs.map(
      ([low, high]) =>
        `<rect x="${round(left)}" y="${round(y(high))}" width="${round(wide)}" height="${round(row * (high - low + 1))}" fill="${colour}" stroke="#000" stroke-width="${row < 3 ? 0.2 : 0.6}"/>`,
    ),
    ...(name !== undefined
      ? [
          `<text x="${round(left + wide / 2)}" y="${round((y(first) + row + y(last)) / 2 + 4)}" font-size="11" text-anchor="middle" fill="${isDark(colour) ? "#fff" : "#000"}">${escaped(name)}</text>`,
        ]
      : []),
  ];
}

/** How many of the jobs that waited then did so at once, as a grey area of steps, below the units. */
function waiting(jobs: readonly JobRecord[], from: number, x: (time: number) => number, top: number): readonly string[] {
  const changes = jobs
    .flatMap(({ requested, granted }): [number, number][] => [
      [requested, 1],
      [granted, -1],
    ])
    .sort((a, b) => a[0] - b[0]);
  let count = 0;
  let most = 0;
  const points: [time: number, count: number][] = [];
  for (const [i, [time, change]] of changes.entries()) {
    count += change;
    if (i + 1 < changes.length && changes[i + 1][0] === time) continue;
    points.push([time, count]);
    most = Math.max(most, count);
  }
  const height = waitingHeight - 10;
  const base = top + waitingHeight;
  const label = `<text x="${margin.left - 8}" y="${round(base - height / 2 + 4)}" text-anchor="end">waiting</text><text x="${width - margin.right}" y="${round(base - height - 2)}" font-size="10" text-anchor="end">${most === 0 ? "none" : `at most ${most}`}</text>`;
  if (most === 0) return [label];
  const path = points.map(([time, n]) => `H${round(x(time))}V${round(base - (height * n) / most)}`).join("");
  return [`<path d="M${round(x(from))},${round(base)}${path}V${round(base)}Z" fill="#888" fill-opacity="0.5"/>`, label];
}

function legend(i: number, top: number, name: string, colour: string): string {
  const left = margin.left + ((width - margin.left - margin.right) / legendColumns) * (i % legendColumns);
  const middle = top + legendLine * Math.floor(i / legendColumns);
  const short = name.length > 18 ? `${name.slice(0, 11)}…${name.slice(-6)}` : name;
  const square =
    colour === "none"
      ? ""
      : `<rect x="${round(left)}" y="${round(middle - 9)}" width="11" height="11" fill="${colour}" stroke="#000" stroke-width="0.6"/>`;
  return `${square}<text x="${round(left + 16)}" y="${round(middle + 1)}">${escaped(short)}</text>`;
}

/** About eight round numbers between two. */
function ticks(low: number, high: number): readonly number[] {
  const step = roundStep((high - low) / 8);
  return steps(Math.ceil(low / step), Math.floor(high / step), 1).map((i) => i * step);
}

/** The least of 1, 2 and 5 of a decade that is not below `rough`. */
function roundStep(rough: number): number {
  const decade = 10 ** Math.floor(Math.log10(rough));
  return decade * ([1, 2, 5].find((main) => main * decade >= rough) ?? 10);
}

const steps = (low: number, high: number, step: number): readonly number[] =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, i) => low + i * step);

/** Names with numbers in the order of the numbers. */
const { compare: inOrder } = new Intl.Collator("en", { numeric: true });

const round = (value: number): number => Math.round(100 * value) / 100;

/** As XML's text: marks as references, what XML does not know as a space. */
const escaped = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, " ").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

function channels(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** `colour` with a share of grey `level` in it. */
function mixed(colour: string, level: number, share: number): string {
  return `#${channels(colour)
    .map((of) =>
      Math.round(of + (level - of) * share)
        .toString(16)
        .padStart(2, "0"),
    )
    .join("")}`;
}

const isDark = (colour: string): boolean => {
  const [red, green, blue] = channels(colour);
  return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
};
