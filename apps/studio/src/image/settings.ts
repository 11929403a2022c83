/** Settings of viewers, for tables of settings of tasks: `{ ...imageSettings, … }`. Views are in the address, so that a link shows the same pixels. */
import { inputError } from "@dechirp/core";
import type { ColourMapName } from "@dechirp/pictures";
import { choice, type Setting, type SettingValues } from "../settings.ts";
import type { DbRange, Looks } from "./facts.ts";

/** Names of colour maps, without the package, whose code the page need not load. */
const colourNames = ["grey", "viridis", "inferno", "cividis"] as const satisfies readonly ColourMapName[];

/** The middle of a view in pixels (0 is the middle of the first one), and the zoom: at zoom z, a pixel of the finer axis is 2^z pixels of the screen long. */
export interface View {
  readonly row: number;
  readonly column: number;
  readonly zoom: number;
}

/** A pixel of an image. */
export interface PixelPlace {
  readonly row: number;
  readonly column: number;
}

/** Numbers of a text that are separated as `-40,0`, or undefined if they are not `count` finite numbers. */
function numbersOf(text: string, separator: string, count: number): readonly number[] | undefined {
  const numbers = text.split(separator).map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

const shortest = (value: number): string => String(Number(value.toFixed(2)));

const view: Setting<View | undefined> = {
  default: undefined,
  parse(text, name) {
    if (text === "") return undefined;
    const [row, column, zoom] = numbersOf(text, ",", 3) ?? [];
    if (row === undefined || column === undefined || zoom === undefined || !(zoom >= -10 && zoom <= 40))
      throw inputError(name, "row,column,zoom, or empty for the whole image", text);
    return { row, column, zoom };
  },
  format: (value) => (value ? [value.row, value.column, value.zoom].map(shortest).join(",") : ""),
};

const db: Setting<DbRange | "auto"> = {
  default: "auto",
  parse(text, name) {
    if (text === "auto") return "auto";
    const [lowDb, highDb] = numbersOf(text, ",", 2) ?? [];
    if (lowDb === undefined || highDb === undefined || !(lowDb < highDb && lowDb >= -300 && highDb <= 100))
      throw inputError(name, "auto or low,high in decibels", text);
    return { lowDb, highDb };
  },
  format: (value) => (value === "auto" ? value : `${shortest(value.lowDb)},${shortest(value.highDb)}`),
};

const looks: Setting<Looks> = {
  default: [1, 1],
  parse(text, name) {
    const [rows, columns] = numbersOf(text, "x", 2) ?? [];
    for (const count of [rows, columns])
      if (!Number.isInteger(count) || count! < 1 || count! > 64) throw inputError(name, "ROWSxCOLUMNS, each from 1 to 64", text);
    return [rows!, columns!];
  },
  format: (value) => value.join("x"),
};

const point: Setting<PixelPlace | undefined> = {
  default: undefined,
  parse(text, name) {
    if (text === "") return undefined;
    const [row, column] = numbersOf(text, ",", 2) ?? [];
    if (!(row! >= 0 && column! >= 0)) throw inputError(name, "row,column, or empty", text);
    return { row: row!, column: column! };
  },
  format: (value) => (value ? `${shortest(value.row)},${shortest(value.column)}` : ""),
};

/** What a viewer shows, and how. */
export const imageSettings = {
  /** Middle and zoom; the whole image if it is undefined. */
  view,
  /** Ends of the colour scale. */
  db,
  colours: choice(colourNames, "grey"),
  looks,
  /** The pixel that was picked. */
  point,
};

/** Values of a viewer's settings. */
export type ImageValues = SettingValues<typeof imageSettings>;
