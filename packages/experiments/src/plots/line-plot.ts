/**
 * Line plots on logarithmic axes as SVG text: what times, sizes and rates of experiments are shown on. Scales and paths are d3's;
 * nothing else is drawn than axes, lines, points and names.
 */
import { scaleLog } from "d3-scale";
import { line } from "d3-shape";

export interface PlotLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Drawn with dashes: published or predicted. */
  readonly dashed?: boolean;
}

export interface LinePlot {
  readonly title: string;
  /** Smaller, below the title. */
  readonly note?: string;
  readonly x: string;
  readonly y: string;
  readonly lines: readonly PlotLine[];
}

const width = 720;
const height = 440;
const margin = { top: 44, right: 24, bottom: 52, left: 72 };
const legendLine = 18;
/** Okabe and Ito's colours, which most eyes tell apart. */
export const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];

const isDrawn = ([x, y]: readonly [number, number]): boolean => x > 0 && y > 0 && Number.isFinite(x) && Number.isFinite(y);

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

export const short = (value: number): string =>
  Number.isInteger(value) ? String(value) : value < 1e-3 ? value.toExponential(0) : String(Number(value.toPrecision(3)));

/** A plot as an SVG document. Points that are not positive are left out. */
export function linePlot({ title, note, x: xName, y: yName, lines }: LinePlot): string {
  const drawn = lines.map((one) => ({ ...one, points: one.points.filter(isDrawn) })).filter(({ points }) => points.length > 0);
  const all = drawn.flatMap(({ points }) => points);
  const bottom = height - margin.bottom;
  const right = width - margin.right;
  const x = scaleLog(rangeOf(all.map(([at]) => at)), [margin.left, right]).base(2);
  const [low, high] = rangeOf(all.map(([, at]) => at));
  const y = scaleLog([mainBelow(low), 1 / mainBelow(1 / high)], [bottom, margin.top]);
  const path = line<readonly [number, number]>(
    ([at]) => x(at),
    ([, at]) => y(at),
  );
  const tall = height + legendLine * drawn.length;
  const ticks = [...new Set(all.map(([at]) => at))].sort((a, b) => a - b);
  return [
    ...opening(width, tall, margin.left, title, note),
    ...y
      .ticks(8)
      .filter((tick) => drawn.length > 0 && isMain(tick))
      .map(
        (tick) =>
          `<path d="M${margin.left},${round(y(tick))}H${right}" stroke="#ddd"/><text x="${margin.left - 8}" y="${round(y(tick) + 4)}" text-anchor="end">${short(tick)}</text>`,
      ),
    ...apart(ticks, x).map(
      (tick) =>
        `<path d="M${round(x(tick))},${bottom}v5" stroke="#000"/><text x="${round(x(tick))}" y="${bottom + 20}" text-anchor="middle">${short(tick)}</text>`,
    ),
    `<path d="M${margin.left},${margin.top}V${bottom}H${right}" fill="none" stroke="#000"/>`,
    `<text x="${(margin.left + right) / 2}" y="${height - 10}" text-anchor="middle">${escaped(xName)}</text>`,
    `<text transform="translate(16 ${(margin.top + bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(yName)}</text>`,
    ...drawn.flatMap(({ name, points, dashed }, i) => {
      const colour = colours[i % colours.length];
      const dashes = dashed ? ' stroke-dasharray="6 4"' : "";
      const below = height + legendLine * i + 4;
      return [
        `<path d="${path(points)}" fill="none" stroke="${colour}" stroke-width="2"${dashes}/>`,
        ...points.map(([px, py]) => `<circle cx="${round(x(px))}" cy="${round(y(py))}" r="3" fill="${colour}"/>`),
        `<path d="M${margin.left},${below}h28" stroke="${colour}" stroke-width="2"${dashes}/><text x="${margin.left + 36}" y="${below + 4}">${escaped(name)}</text>`,
      ];
    }),
    "</svg>",
    "",
  ].join("\n");
}

/** Least and largest, apart from each other. */
export function rangeOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  if (!Number.isFinite(low)) return [1, 10];
  return low < high ? [low, high] : [low / 2, high * 2];
}

/** 1, 2 and 5 of every decade. */
export const isMain = (tick: number): boolean => ["1", "2", "5"].includes(tick.toExponential()[0]);

/** The largest of 1, 2 and 5 of a decade that is not above `value`. */
export function mainBelow(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return decade * ([5, 2].find((main) => main * decade <= value) ?? 1);
}

/** Ticks whose names do not touch. */
function apart(ticks: readonly number[], x: (value: number) => number): readonly number[] {
  const kept: number[] = [];
  for (const tick of ticks) if (kept.length === 0 || x(tick) - x(kept[kept.length - 1]) >= 36) kept.push(tick);
  return kept;
}

export const round = (value: number): number => Math.round(10 * value) / 10;

/** How a document begins: white, with its title and, where there is one, a note below it, above a plot that begins 44 pixels down. */
export const opening = (width: number, height: number, x: number, title: string, note: string | undefined): readonly string[] => [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13">`,
  `<title>${escaped(title)}</title>`,
  `<rect width="${width}" height="${height}" fill="#fff"/>`,
  `<text x="${x}" y="20" font-size="15" font-weight="bold">${escaped(title)}</text>`,
  ...(note === undefined ? [] : [`<text x="${x}" y="36" font-size="11">${escaped(note)}</text>`]),
];
