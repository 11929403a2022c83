/** Heat maps: power over two axes in decibels, panels side by side, each with its scale of colours. */
import { createPause, inputError, type Pause, runInPieces } from "@dechirp/core";
import type { Mark } from "vega";
import { checkSignal } from "./check.ts";
import { barLabels, barWidth, colourBar } from "./colour-bar.ts";
import { type ColourMap, viridis } from "./colours.ts";
import type { PictureOptions } from "./options.ts";
import { cellPixels, pngUrl } from "./raster.ts";
import { header, plotArea, rasterUrl, svgOf, titleBelow, titleBeside, valuesOf } from "./sheet.ts";

/** Evenly spaced values of the cells' middles. */
export interface HeatAxis {
  /** With its unit: `Doppler, Hz`. */
  readonly label: string;
  /** Value of the first cell's middle. */
  readonly start: number;
  /** From one cell to the next, not 0; the axis descends where it is negative. */
  readonly step: number;
  readonly count: number;
}

/** An array of powers with its axes. */
export interface HeatPanel {
  readonly title: string;
  readonly x: HeatAxis;
  /** Upwards. */
  readonly y: HeatAxis;
  /** Power [y][x], the first row lowest. */
  readonly power: ArrayLike<number>;
  /** Ends of the colours, in dB: 10·log₁₀ of power. */
  readonly lowDb: number;
  readonly highDb: number;
  /** What the decibels are of, above the colour bar: `dB`, or `AMF, dB`. */
  readonly unit: string;
  /** A ring about a place, in the axes' values; none where it is off the axes. */
  readonly mark?: { readonly x: number; readonly y: number };
}

const plot = { width: 460, height: 400 };
const margin = { left: 96, right: 16, bottom: 56 };
const barGap = 14;
const panelWidth = margin.left + plot.width + barGap + barWidth + barLabels + margin.right;

/**
 * Heat maps from left to right as an SVG document. Cells are drawn without smoothing; a pixel that several cells share shows the largest
 * of them, so that no single one is lost. Power without decibels (zero, negative, NaN) has the lowest colour. Rejects with `input` for
 * panels that can't be drawn, with `aborted` where the signal fires.
 */
export async function heatMap(panels: readonly HeatPanel[], options: PictureOptions = {}): Promise<string> {
  if (!Array.isArray(panels) || panels.length === 0) throw inputError("panels", "a list of at least one panel", panels);
  checkSignal(options);
  for (const [i, panel] of panels.entries()) checkPanel(panel, `panels[${i}]`);
  const heads = panels.map(({ title }, i) => header(title, [], i * panelWidth + margin.left, plot.width));
  const top = Math.max(...heads.map(({ bottom }) => bottom)) + 16;
  const colours = await viridis();
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

/** The cells of a panel as an image. */
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
  const left = i * panelWidth + margin.left;
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

/** A red ring with a pale rim, which is seen on any colour. */
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

/** Throws where a list, which may hold anything, holds something else. */
function* numbersOnly(values: ArrayLike<unknown>, path: string): Generator<void> {
  if (!Array.isArray(values)) return;
  for (let i = 0; i < values.length; i++) {
    if (typeof values[i] !== "number") throw inputError(`${path}[${i}]`, "a number", values[i]);
    if (i % 2 ** 16 === 0) yield;
  }
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
