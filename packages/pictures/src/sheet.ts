/**
 * The common part of all pictures: a sheet of fixed size on which every part has a precomputed position, so that it looks the same
 * wherever it is drawn, and its conversion to SVG text by Vega.
 */

import { createPause } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import type { Axis, Config, Data, Mark, Scale, Spec } from "vega";
import { checkSignal } from "./check.ts";
import type { PictureOptions } from "./options.ts";
import { fonts, plain, wrapped } from "./text.ts";
import { loadVega, svgOfSpec } from "./vega.ts";

/** A picture as Vega's parts, with positions in pixels from the upper left corner. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  /** Title of the document, which viewers and screen readers show. */
  readonly title: string;
  readonly data?: readonly Data[];
  /** URLs of images, to which marks refer with `rasterUrl`. Vega would be slow with texts of megabytes. */
  readonly rasters?: readonly string[];
  readonly marks: readonly Mark[];
}

/** Font sizes in pixels. */
export const textSize = { title: 15, note: 11, axis: 13, label: 12 } as const;

const config: Config = {
  axis: {
    labelFont: fonts,
    titleFont: fonts,
    labelFontSize: textSize.label,
    titleFontSize: textSize.axis,
    titleFontWeight: "normal",
    domainColor: "#000",
    tickColor: "#000",
    gridColor: "#ddd",
    labelOverlap: true,
    // With the default distance of one pixel two numbers can look like one.
    labelSeparation: 8,
  },
  text: { font: fonts, fontSize: textSize.label },
};

/** A sheet as Vega's specification. Its rasters are not part of it. */
export const specOf = ({ width, height, data = [], marks }: Sheet): Spec => ({
  $schema: "https://vega.github.io/schema/vega/v6.json",
  width,
  height,
  padding: 0,
  autosize: "none",
  background: "#fff",
  config,
  data: [...data],
  marks: numbered(marks),
});

/** Draws a sheet and resolves with an SVG document. Rejects with `failed` if Vega fails, and with `aborted` if the signal fires. */
export async function svgOf(sheet: Sheet, options: PictureOptions): Promise<string> {
  checkSignal(options);
  const pause = createPause(what, options.signal);
  await pause();
  const { title, rasters = [] } = sheet;
  const spec = specOf(sheet);
  const parts = await loadVega();
  await pause();
  const svg = await svgOfSpec(parts, spec).catch((error) => {
    throw asRadarError(error, what);
  });
  await pause();
  // Text can't contain this tag, because it would be escaped.
  const whole = svg.replace(/(<image xlink:href=")data:,(\d+)"/g, (_, tag, i) => `${tag}${rasters[i]}"`);
  return named(whole, title);
}

/** Name of the work in errors. */
const what = "drawing a picture";

/** Placeholder URL of one of a sheet's rasters. */
export const rasterUrl = (i: number): string => `data:,${i}`;

/** Vega refuses marks of equal names, so a number is appended from the second on. */
function numbered(marks: readonly Mark[], counts = new Map<string, number>()): Mark[] {
  return marks.map((mark) => {
    const { name = mark.type } = mark;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const inner = mark.type === "group" && mark.marks ? { marks: numbered(mark.marks, counts) } : {};
    return { ...mark, ...inner, name: count === 1 ? name : `${name}-${count}` };
  });
}

/** Adds the title to the document, and a line break at its end. */
function named(svg: string, title: string): string {
  const text = plain(title).replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `${svg.replace(/^<svg [^>]*>/, (opening) => `${opening.replace(' class="marks"', ' role="img"')}<title>${text}</title>`)}\n`;
}

/** Draws text at a position. Several lines are drawn downwards. */
export function textMark(
  name: string,
  text: string | readonly string[],
  x: number,
  y: number,
  { size = textSize.label, align = "left", bold = false, fill = "#000", angle = 0 }: TextStyle = {},
): Mark {
  return {
    type: "text",
    name,
    encode: {
      enter: {
        x: { value: x },
        y: { value: y },
        text: { value: typeof text === "string" ? plain(text) : [...text] },
        align: { value: align },
        fontSize: { value: size },
        lineHeight: { value: lineHeight(size) },
        fill: { value: fill },
        ...(bold && { fontWeight: { value: "bold" } }),
        ...(angle !== 0 && { angle: { value: angle } }),
      },
    },
  };
}

/** Style of a text. */
export interface TextStyle {
  readonly size?: number;
  readonly align?: "left" | "center" | "right";
  readonly bold?: boolean;
  readonly fill?: string;
  readonly angle?: number;
}

const lineHeight = (size: number): number => Math.round(1.3 * size);

/** Draws a title and notes below it, in as many lines as they need within `width` pixels. Returns their lower end as `bottom`. */
export function header(
  title: string,
  notes: readonly (string | undefined)[],
  x: number,
  width: number,
  top = 6,
): { readonly marks: readonly Mark[]; readonly bottom: number } {
  const marks: Mark[] = [];
  let bottom = top;
  for (const [name, text, size, bold] of [
    ["title", title, textSize.title, true],
    ...notes.map((note) => ["note", note ?? "", textSize.note, false] as const),
  ] as const) {
    const lines = wrapped(text, size, width, { bold });
    if (lines.length === 0) continue;
    marks.push(textMark(name, lines, x, bottom + size, { size, bold }));
    bottom += lines.length * lineHeight(size);
  }
  return { marks, bottom: bottom + 4 };
}

/** Draws a rectangle between two corners. */
export function rectMark(name: string, [x, y, x2, y2]: readonly number[], style: Readonly<Record<string, unknown>>): Mark {
  const enter = { x: { value: x }, y: { value: y }, x2: { value: x2 }, y2: { value: y2 } };
  return { type: "rect", name, encode: { enter: { ...enter, ...valuesOf(style) } } };
}

/** Draws a straight line between two points. */
export function ruleMark(name: string, [x, y, x2, y2]: readonly number[], style: Readonly<Record<string, unknown>>): Mark {
  const enter = { x: { value: x }, y: { value: y }, x2: { value: x2 }, y2: { value: y2 } };
  return { type: "rule", name, encode: { enter: { ...enter, ...valuesOf(style) } } };
}

/** Converts values to Vega's encoding. */
export const valuesOf = (values: Readonly<Record<string, unknown>>): Record<string, { value: never }> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value: value as never }]));

/** An area with axes. */
export interface PlotArea {
  readonly name: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly scales: readonly Scale[];
  readonly axes: readonly Axis[];
  readonly marks: readonly Mark[];
}

/** Position of the title of an axis below an area of `width` pixels. */
export const titleBelow = (width: number) => ({ titleX: width / 2, titleY: 26 });
/** Position of the title of an axis to the left of an area of `height` pixels, with a left margin of `margin`. */
export const titleBeside = (height: number, margin: number) => ({ titleX: 20 - margin, titleY: height / 2 });

/** Draws an area with its own axes. */
export function plotArea({ name, left, top, width, height, scales, axes, marks }: PlotArea): Mark {
  return {
    type: "group",
    name,
    encode: { enter: valuesOf({ x: left, y: top, width, height }) },
    // Vega derives the length of grid lines and the positions of titles from these signals, which otherwise are the sheet's size.
    signals: [
      { name: "width", value: width },
      { name: "height", value: height },
    ],
    scales: [...scales],
    axes: axes.map((axis) => ({ ...axis, ...(typeof axis.title === "string" && { title: plain(axis.title) }) })),
    marks: [...marks],
  };
}
