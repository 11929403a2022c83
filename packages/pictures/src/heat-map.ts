/** Heat maps: power over two axes in decibels, in panels side by side, each with its colour bar. */
import { createPause, inputError, type Pause, runInPieces } from "@dechirp/core";
import type { Mark } from "vega";
import { checkSignal } from "./check.ts";
import { barLabels, barWidth, colourBar } from "./colour-bar.ts";
import { type ColourMap, colourMap } from "./colours.ts";
import type { PictureOptions } from "./options.ts";
import { cellPixels, pngUrl } from "./raster.ts";
import { header, plotArea, rasterUrl, svgOf, titleBelow, titleBeside, valuesOf } from "./sheet.ts";

/** An axis of evenly spaced cells. Values are those of cell centres. */
export interface HeatAxis {
  /** Name with unit: `Doppler, Hz`. */
  readonly label: string;
  /** Value of the first cell's middle. */
  readonly start: number;
  /** Step from one cell to the next. Not 0; the axis descends if it is negative. */
  readonly step: number;
  readonly count: number;
}

/** One panel of a heat map. */
export interface HeatPanel {
  readonly title: string;
  readonly x: HeatAxis;
  /** The vertical axis, upwards. */
  readonly y: HeatAxis;
  /** Power [y][x]. The first row is the lowest. */
  readonly power: ArrayLike<number>;
  /** Ends of the colour scale in dB: 10·log₁₀ of power. */
  readonly lowDb: number;
  readonly highDb: number;
  /** Text above the colour bar: `dB`, or `AMF, dB`. */
  readonly unit: string;
  /** Draws a ring around a position, given in the axes' values. A position outside the axes is ignored. */
  readonly mark?: { readonly x: number; readonly y: number };
}

/** Where a panel's cells are drawn on the sheet, in pixels from its upper left corner. */
export interface HeatArea {
  /** Distance of the cells from the left edge of the picture, in pixels of the picture. */
  readonly left: number;
  /** Distance from its upper edge, in pixels. */
  readonly top: number;
  /** Width of all cells together, in pixels. */
  readonly width: number;
  /** Height of all cells together, in pixels. */
  readonly height: number;
}

const plot = { width: 460, height: 400 };
const margin = { left: 96, right: 16, bottom: 56 };
const barGap = 14;
const panelWidth = margin.left + plot.width + barGap + barWidth + barLabels + margin.right;

/**
 * Where the cells of each panel are drawn by `heatMap`, for programs that find the cell below a pointer. Throws `input` if a panel can't
 * be drawn.
 */
export function heatAreas(panels: readonly HeatPanel[]): readonly HeatArea[] {
  checkPanels(panels);
  const { top } = headsOf(panels);
  return panels.map((_, i) => ({ left: leftOf(i), top, width: plot.width, height: plot.height }));
}

const leftOf = (i: number): number => i * panelWidth + margin.left;

/** The titles above the panels, and the upper end of the areas below them. */
function headsOf(panels: readonly HeatPanel[]) {
  const heads = panels.map(({ title }, i) => header(title, [], leftOf(i), plot.width));
  return { heads, top: Math.max(...heads.map(({ bottom }) => bottom)) + 16 };
}

/**
 * Draws panels from left to right and resolves with an SVG document. Cells are not smoothed. If several cells share a pixel, it shows
 * the largest of them, so that no peak is lost. Power that has no decibels (zero, negative, NaN) gets the lowest colour. Rejects with
 * `input` if a panel can't be drawn, and with `aborted` if the signal fires.
 */
export async function heatMap(panels: readonly HeatPanel[], options: PictureOptions = {}): Promise<string> {
  checkPanels(panels);
  checkSignal(options);
  const { heads, top } = headsOf(panels);
  const colours = await colourMap("viridis");
  const rasters: string[] = [];
  for (const [i, panel] of panels.entries()) {
    const pause = createPause("drawing a heat map", options.signal);
    await runInPieces(numbersOnly(panel.power, `panels[${i}].power`), pause);
    rasters.push(await cellsUrl(panel, colours, pause, options));
  }
  const areas = panels.flatMap((panel, i) => panelMarks(panel, colours, i, top));
  const title = panels.map((panel) => panel.title).join("; ");
  const marks = [...heads.flatMap((head) => head.marks), ...areas];
  return svgOf({ width: panelWidth * panels.length, height: top + plot.height + margin.bottom, title, rasters, marks }, options);
}

/** Draws the cells of a panel and resolves with the data URL of the image. */
async function cellsUrl(
  { x, y, power, lowDb, highDb }: HeatPanel,
  colours: ColourMap,
  pause: Pause,
  options: PictureOptions,
): Promise<string> {
  const cells = { columns: x.count, rows: y.count, power, lowDb, highDb };
  return pngUrl(await runInPieces(cellPixels(cells, plot.width, plot.height, colours), pause), options);
}

function panelMarks({ x, y, lowDb, highDb, unit, mark }: HeatPanel, colours: ColourMap, i: number, top: number): readonly Mark[] {
  const { width, height } = plot;
  const left = leftOf(i);
  return [
    plotArea({
      name: "panel",
      left,
      top,
      width,
      height,
      scales: [
        { name: "x", type: "linear", domain: edges(x), range: [0, width], zero: false },
        { name: "y", type: "linear", domain: edges(y), range: [height, 0], zero: false },
      ],
      axes: [
        { orient: "bottom", scale: "x", title: x.label, tickCount: 5, format: "f", ...titleBelow(width) },
        { orient: "left", scale: "y", title: y.label, tickCount: 6, format: "f", ...titleBeside(height, margin.left) },
      ],
      marks: [
        {
          type: "image",
          name: "cells",
          encode: { enter: valuesOf({ url: rasterUrl(i), x: 0, y: 0, width, height, aspect: false, smooth: false }) },
        },
        ...(mark && isInside(mark.x, x) && isInside(mark.y, y) ? rings(mark) : []),
      ],
    }),
    ...colourBar({ left: left + width + barGap, top, height, colours, lowDb, highDb, unit }),
  ];
}

/** A red ring with a pale rim, which is visible on any colour. */
const rings = (place: { readonly x: number; readonly y: number }): readonly Mark[] =>
  [
    { stroke: "#fff", strokeWidth: 4, strokeOpacity: 0.6 },
    { stroke: "#ff4040", strokeWidth: 2 },
  ].map((style) => ({
    type: "symbol",
    name: "mark",
    encode: {
      enter: {
        x: { scale: "x", value: place.x },
        y: { scale: "y", value: place.y },
        ...valuesOf({ size: 300, shape: "circle", ...style }),
      },
    },
  }));

const isInside = (value: number, axis: HeatAxis): boolean => {
  const [a, b] = edges(axis);
  return value >= Math.min(a, b) && value <= Math.max(a, b);
};

/** Outer edges of the first and last cell. */
const edges = ({ start, step, count }: HeatAxis): [number, number] => [start - step / 2, start + (count - 0.5) * step];

/** Throws if a list contains anything but numbers. Typed arrays need no check. */
function* numbersOnly(values: ArrayLike<unknown>, path: string): Generator<void> {
  if (!Array.isArray(values)) return;
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] !== "number") throw inputError(`${path}[${i}]`, "a number", values[i]);
    if (i % 2 ** 16 === 0) yield;
  }
}

function checkPanels(panels: readonly HeatPanel[]): void {
  if (!Array.isArray(panels) || panels.length === 0) throw inputError("panels", "a list of at least one panel", panels);
  for (const [i, panel] of panels.entries()) checkPanel(panel, `panels[${i}]`);
}

function checkPanel(panel: HeatPanel, path: string): void {
  if (typeof panel !== "object" || panel === null) throw inputError(path, "a panel", panel);
  const { power, lowDb, highDb, mark } = panel;
  if (mark === null) throw inputError(`${path}.mark`, "a place", mark);
  for (const name of ["title", "unit"] as const)
    if (typeof panel[name] !== "string") throw inputError(`${path}.${name}`, "text", panel[name]);
  for (const name of ["x", "y"] as const) {
    const axis = panel[name];
    if (typeof axis?.label !== "string") throw inputError(`${path}.${name}.label`, "text", axis?.label);
    if (!Number.isInteger(axis.count) || axis.count < 1) throw inputError(`${path}.${name}.count`, "a positive integer", axis.count);
    if (!Number.isFinite(axis.start)) throw inputError(`${path}.${name}.start`, "a finite number", axis.start);
    if (!Number.isFinite(axis.step) || axis.step === 0) throw inputError(`${path}.${name}.step`, "a finite number other than 0", axis.step);
    if (mark && !Number.isFinite(mark[name])) throw inputError(`${path}.mark.${name}`, "a finite number", mark[name]);
  }
  const count = panel.x.count * panel.y.count;
  if (power?.length !== count) throw inputError(`${path}.power`, `${panel.y.count} · ${panel.x.count} numbers`, power);
  if (!Number.isFinite(lowDb)) throw inputError(`${path}.lowDb`, "a finite number", lowDb);
  if (!Number.isFinite(highDb) || highDb <= lowDb) throw inputError(`${path}.highDb`, "a number above lowDb", highDb);
}
