/**
 * Heat maps with axes as pixels: power over two axes in decibels, panels side by side, each with its scale of colours. Ticks are d3's,
 * colours matplotlib's viridis of d3, letters a font of dots; PNG is io's affair.
 */
import type { PngImage } from "@dechirp/io";
import { scaleLinear } from "d3-scale";
import { interpolateViridis } from "d3-scale-chromatic";
import font from "oled-font-5x7";

/** Values of the cells' middles. */
export interface HeatAxis {
  readonly label: string;
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

export interface HeatPanel {
  readonly title: string;
  readonly x: HeatAxis;
  /** Upwards. */
  readonly y: HeatAxis;
  /** Power [y][x]. */
  readonly power: ArrayLike<number>;
  /** Ends of the colours, in dB. */
  readonly lowDb: number;
  readonly highDb: number;
  /** What the decibels are of. */
  readonly unit: string;
  /** A ring about a place, in the axes' values. */
  readonly mark?: { readonly x: number; readonly y: number };
}

const plot = { width: 460, height: 400 };
const margin = { left: 96, top: 52, bottom: 64, right: 124 };
const bar = { gap: 14, width: 14 };
/** Pixels of a dot of the font. */
const dot = 2;
const advance = (font.width + 1) * dot;
const textHeight = font.height * dot;
const markRadius = 9;

const black = [0, 0, 0] as const;
const ringColour = [255, 64, 64] as const;
type Colour = readonly [red: number, green: number, blue: number];

const viridis: readonly Colour[] = Array.from({ length: 256 }, (_, i) => {
  const code = Number.parseInt(interpolateViridis(i / 255).slice(1), 16);
  return [code >> 16, (code >> 8) & 255, code & 255];
});

/** White, with pixels set one by one; beyond the edge is nowhere. */
function canvas(width: number, height: number): PngImage & { set(x: number, y: number, colour: Colour): void } {
  const data = new Uint8Array(4 * width * height).fill(255);
  return {
    width,
    height,
    data,
    set(x, y, colour) {
      if (x < 0 || x >= width || y < 0 || y >= height) return;
      const at = 4 * (y * width + x);
      for (let i = 0; i < 3; i++) data[at + i] = colour[i];
    },
  };
}

type Canvas = ReturnType<typeof canvas>;

/** A picture of the panels, from left to right, in pieces. */
export function* heatMap(panels: readonly HeatPanel[]): Generator<void, PngImage> {
  const wide = margin.left + plot.width + margin.right;
  const picture = canvas(wide * panels.length, margin.top + plot.height + margin.bottom);
  for (const [i, panel] of panels.entries()) yield* drawPanel(picture, panel, i * wide + margin.left, margin.top);
  const { width, height, data } = picture;
  return { width, height, data };
}

function* drawPanel(picture: Canvas, panel: HeatPanel, left: number, top: number): Generator<void> {
  const { x, y, power, lowDb, highDb, mark } = panel;
  const colourOf = (value: number): Colour => {
    const share = (10 * Math.log10(value) - lowDb) / (highDb - lowDb);
    return viridis[Math.round(255 * Math.min(1, Math.max(0, Number.isNaN(share) ? 0 : share)))];
  };
  const [columns, rows] = [spans(x.count, plot.width), spans(y.count, plot.height)];
  for (const [py, [row, rowEnd]] of rows.entries()) {
    for (const [px, [column, columnEnd]] of columns.entries()) {
      // The largest of the cells that a pixel stands for, so that a single one is not lost.
      let most = power[row * x.count + column];
      for (let r = row; r < rowEnd; r++) for (let c = column; c < columnEnd; c++) most = Math.max(most, power[r * x.count + c]);
      picture.set(left + px, top + plot.height - 1 - py, colourOf(most));
    }
    yield;
  }
  frame(picture, left, top, plot.width, plot.height);
  const xAt = scaleLinear(ends(x), [left, left + plot.width]);
  const yAt = scaleLinear(ends(y), [top + plot.height, top]);
  for (const tick of xAt.ticks(5)) {
    const at = Math.round(xAt(tick));
    for (let i = 1; i <= 6; i++) picture.set(at, top + plot.height + i, black);
    write(picture, xAt.tickFormat(5)(tick), at, top + plot.height + 10, "middle");
  }
  for (const tick of yAt.ticks(6)) {
    const at = Math.round(yAt(tick));
    for (let i = 1; i <= 6; i++) picture.set(left - i, at, black);
    write(picture, yAt.tickFormat(6)(tick), left - 10, at - textHeight / 2, "end");
  }
  write(picture, panel.title, left, top - 2 * textHeight, "start");
  write(picture, x.label, left + plot.width / 2, top + plot.height + 16 + textHeight, "middle");
  writeUpwards(picture, y.label, left - margin.left + 6, top + plot.height / 2);
  drawBar(picture, panel, left + plot.width + bar.gap, top);
  if (mark) ring(picture, Math.round(xAt(mark.x)), Math.round(yAt(mark.y)));
}

function drawBar(picture: Canvas, { lowDb, highDb, unit }: HeatPanel, left: number, top: number): void {
  for (let py = 0; py < plot.height; py++) {
    const colour = viridis[Math.round((255 * (plot.height - 1 - py)) / (plot.height - 1))];
    for (let px = 0; px < bar.width; px++) picture.set(left + px, top + py, colour);
  }
  frame(picture, left, top, bar.width, plot.height);
  const at = scaleLinear([lowDb, highDb], [top + plot.height, top]);
  for (const tick of at.ticks(6)) {
    const y = Math.round(at(tick));
    for (let i = 0; i < 5; i++) picture.set(left + bar.width + i, y, black);
    write(picture, at.tickFormat(6)(tick), left + bar.width + 8, y - textHeight / 2, "start");
  }
  write(picture, unit, left, top - 2 * textHeight, "start");
}

/** Outer edges of the first and last cell. */
const ends = ({ start, step, count }: HeatAxis): [number, number] => [start - step / 2, start + (count - 0.5) * step];

/** The cells that each of `pixels` pixels stands for: one where cells are larger, several where they are smaller. */
const spans = (cells: number, pixels: number): readonly (readonly [first: number, end: number])[] =>
  Array.from({ length: pixels }, (_, i) => {
    const first = Math.floor((i * cells) / pixels);
    return [first, Math.max(first + 1, Math.floor(((i + 1) * cells) / pixels))];
  });

function frame(picture: Canvas, left: number, top: number, width: number, height: number): void {
  for (let x = left - 1; x <= left + width; x++) for (const y of [top - 1, top + height]) picture.set(x, y, black);
  for (let y = top - 1; y <= top + height; y++) for (const x of [left - 1, left + width]) picture.set(x, y, black);
}

function ring(picture: Canvas, x: number, y: number): void {
  for (let dy = -markRadius; dy <= markRadius; dy++) {
    for (let dx = -markRadius; dx <= markRadius; dx++) {
      const distance = Math.hypot(dx, dy);
      if (distance <= markRadius && distance > markRadius - 2) picture.set(x + dx, y + dy, ringColour);
    }
  }
}

/** Calls `at` with every dot of a text, in dots from its upper left corner. Signs that the font lacks are question marks. */
function dots(text: string, at: (column: number, row: number) => void): void {
  for (const [i, sign] of [...text.replaceAll("−", "-")].entries()) {
    const known = font.lookup.indexOf(sign);
    const glyph = known < 0 ? font.lookup.indexOf("?") : known;
    for (let column = 0; column < font.width; column++) {
      const bits = font.fontData[glyph * font.width + column];
      for (let row = 0; row < 8; row++) if ((bits >> row) & 1) at(i * (font.width + 1) + column, row);
    }
  }
}

function write(picture: Canvas, text: string, x: number, y: number, anchor: "start" | "middle" | "end"): void {
  const width = text.length * advance - dot;
  const left = Math.round(x - (anchor === "start" ? 0 : anchor === "middle" ? width / 2 : width));
  dots(text, (column, row) => fillDot(picture, left + dot * column, Math.round(y) + dot * row));
}

/** Turned by a right angle, about the middle of its height. */
function writeUpwards(picture: Canvas, text: string, x: number, middle: number): void {
  const start = Math.round(middle + (text.length * advance - dot) / 2);
  dots(text, (column, row) => fillDot(picture, x + dot * row, start - dot * (column + 1)));
}

function fillDot(picture: Canvas, x: number, y: number): void {
  for (let dy = 0; dy < dot; dy++) for (let dx = 0; dx < dot; dx++) picture.set(x + dx, y + dy, black);
}
