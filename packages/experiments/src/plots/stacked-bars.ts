/** Horizontal bars of shares of a whole, one bar a row, as SVG text: what takes which part of a time. Names beside, colours below. */
import { scaleLinear } from "d3-scale";
import { colours, escaped, opening, round } from "./line-plot.ts";

export interface StackedBars {
  readonly title: string;
  /** Smaller, below the title. */
  readonly note?: string;
  readonly x: string;
  /** What the parts of every bar are, from left to right. */
  readonly parts: readonly string[];
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[];
}

const width = 720;
const barHeight = 28;
const pitch = 44;
const margin = { top: 44, right: 24, left: 200 };
const legendLine = 18;

/** A plot as an SVG document, every bar normalised to 100 %. Bars without a positive sum are left out. */
export function stackedBars({ title, note, x: xName, parts, bars }: StackedBars): string {
  const drawn = bars
    .map(({ name, values }) => ({ name, values, sum: values.reduce((a, b) => a + b, 0) }))
    .filter(({ sum }) => sum > 0 && Number.isFinite(sum));
  const x = scaleLinear([0, 100], [margin.left, width - margin.right]);
  const bottom = margin.top + pitch * drawn.length;
  const height = bottom + 64 + legendLine * parts.length;
  return [
    ...opening(width, height, 24, title, note),
    ...x
      .ticks(10)
      .map(
        (tick) =>
          `<path d="M${round(x(tick))},${margin.top}V${bottom}" stroke="#ddd"/><text x="${round(x(tick))}" y="${bottom + 18}" text-anchor="middle">${tick}</text>`,
      ),
    `<text x="${(margin.left + width - margin.right) / 2}" y="${bottom + 38}" text-anchor="middle">${escaped(xName)}</text>`,
    ...drawn.flatMap(({ name, values, sum }, row) => {
      const top = margin.top + row * pitch + (pitch - barHeight) / 2;
      let before = 0;
      const boxes = values.map((value, part) => {
        const [left, right] = [x((100 * before) / sum), x((100 * (before + value)) / sum)];
        before += value;
        return `<rect x="${round(left)}" y="${top}" width="${round(right - left)}" height="${barHeight}" fill="${colours[part % colours.length]}"/>`;
      });
      return [`<text x="${margin.left - 8}" y="${top + barHeight / 2 + 4}" text-anchor="end">${escaped(name)}</text>`, ...boxes];
    }),
    ...parts.map((part, i) => {
      const y = bottom + 62 + legendLine * i;
      return `<rect x="${margin.left}" y="${y - 10}" width="28" height="12" fill="${colours[i % colours.length]}"/><text x="${margin.left + 36}" y="${y + 1}">${escaped(part)}</text>`;
    }),
    "</svg>",
    "",
  ].join("\n");
}
