/**
 * Values of several series beside each other, one row a name, on one logarithmic axis, as SVG text: what responses of tasks are shown on.
 * Dots are what was observed; a bar is a limit to hold them against.
 */
import { scaleLog } from "d3-scale";
import { colours, escaped, isMain, mainBelow, opening, rangeOf, round, short } from "./line-plot.ts";

export interface DotSeries {
  readonly name: string;
  /** Drawn as an upright bar, in black. */
  readonly limit?: boolean;
}

export interface DotPlot {
  readonly title: string;
  /** Smaller, below the title. */
  readonly note?: string;
  readonly x: string;
  readonly series: readonly DotSeries[];
  /** A value for each of the series; those that are not above 0 are left out. */
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const width = 720;
const pitch = 26;
const margin = { top: 52, right: 24, left: 190 };
const legendLine = 18;
const longestName = 26;

/** A plot as an SVG document. */
export function dotPlot({ title, note, x: xName, series, rows }: DotPlot): string {
  const isDrawn = (value: number): boolean => value > 0 && Number.isFinite(value);
  const [low, high] = rangeOf(rows.flatMap(({ values }) => values.filter(isDrawn)));
  const right = width - margin.right;
  const bottom = margin.top + pitch * rows.length;
  const height = bottom + 64 + legendLine * series.length;
  const x = scaleLog([mainBelow(low), 1 / mainBelow(1 / high)], [margin.left, right]);
  const colourOf = (i: number): string => (series[i].limit ? "#000" : colours[i % colours.length]);
  const mark = (i: number, at: number, y: number): string =>
    series[i].limit
      ? `<path d="M${round(at)},${y - 9}v18" stroke="${colourOf(i)}" stroke-width="2.5"/>`
      : `<circle cx="${round(at)}" cy="${y}" r="4.5" fill="${colourOf(i)}" fill-opacity="0.85"/>`;
  return [
    ...opening(width, height, 24, title, note),
    ...x
      .ticks(8)
      .filter(isMain)
      .map(
        (tick) =>
          `<path d="M${round(x(tick))},${margin.top}V${bottom}" stroke="#ddd"/><text x="${round(x(tick))}" y="${bottom + 18}" text-anchor="middle">${short(tick)}</text>`,
      ),
    `<path d="M${margin.left},${margin.top}V${bottom}H${right}" fill="none" stroke="#000"/>`,
    `<text x="${(margin.left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${escaped(xName)}</text>`,
    ...rows.flatMap(({ name, values }, row) => {
      const y = margin.top + pitch * row + pitch / 2;
      const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
      return [
        `<text x="${margin.left - 8}" y="${y + 4}" text-anchor="end">${escaped(shown)}</text>`,
        ...values.flatMap((value, i) => (isDrawn(value) ? [mark(i, x(value), y)] : [])),
      ];
    }),
    ...series.map(({ name }, i) => {
      const y = bottom + 58 + legendLine * i;
      return `${mark(i, margin.left + 14, y)}<text x="${margin.left + 36}" y="${y + 4}">${escaped(name)}</text>`;
    }),
    "</svg>",
    "",
  ].join("\n");
}
