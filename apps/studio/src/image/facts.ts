/** What the page and its workers say about images to each other. */
import type { ColourMapName } from "@dechirp/pictures";
import type { ImageWindow } from "@dechirp/radar";

/** An axis of an image. Values are those of pixel centres. */
export interface AxisFacts {
  /** Name without unit: `slant range`. */
  readonly label: string;
  readonly unit: string;
  /** Value of the first pixel. */
  readonly start: number;
  readonly step: number;
  /** Length in metres that one unit stands for. Default: 1 if the unit is `m`, else unknown. */
  readonly metersPerUnit?: number;
}

/** An image that a viewer shows. */
export interface ImageFacts {
  readonly rows: number;
  readonly columns: number;
  readonly rowAxis: AxisFacts;
  readonly columnAxis: AxisFacts;
  /** Whether the first row is the lowest one on the screen, as on a map where y ascends. Default: false. */
  readonly upwards?: boolean;
  /** Direction of north on the screen, clockwise from upwards, in radians. Unknown if absent. */
  readonly northRadians?: number;
}

/** How power becomes colours. */
export interface Display {
  /** Decibels of the first and the last colour, relative to the image's largest pixel so far. */
  readonly lowDb: number;
  readonly highDb: number;
  readonly colours: ColourMapName;
  /** Looks: powers of this many rows and columns are averaged before they are shown. */
  readonly looks: Looks;
}

/** Rows and columns of pixels whose powers are averaged. */
export type Looks = readonly [rows: number, columns: number];

/** Levels of the pyramid: at levels [m, n], a pixel is the mean power of 2^m rows × 2^n columns of the image. */
export type Levels = readonly [rows: number, columns: number];

/** A window of the image at levels of the pyramid, to be drawn. The window counts pixels of these levels, and lies inside the image. */
export interface TileRequest {
  readonly levels: Levels;
  readonly window: ImageWindow;
  readonly display: Display;
}

/** Drawn pixels. */
export interface Tile {
  readonly rows: number;
  readonly columns: number;
  /** Red, green, blue, opacity [row][column]. Pixels without power (that have not arrived) are transparent. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
}

/** The state of an image that arrives in parts. */
export interface ImageState {
  /** Share of the image's pixels that are there, 0 to 1. */
  readonly share: number;
  /** Largest power |z|² so far, and where it is. */
  readonly peakPower: number;
  readonly peakRow: number;
  readonly peakColumn: number;
  /** Mean power of the pixels so far. */
  readonly meanPower: number;
  /** Where the pixels are kept. */
  readonly kept: "memory" | "file";
}

/** A part of the image has arrived. */
export interface Arrival {
  readonly window: ImageWindow;
  readonly state: ImageState;
}

/** Ends of a colour scale. */
export interface DbRange {
  readonly lowDb: number;
  readonly highDb: number;
}

/** Pixels of an axis of `count` pixels at a level. */
export const pixelsAt = (count: number, level: number): number => Math.ceil(count / 2 ** level);

/** Metres from one pixel to the next, or undefined if the unit is not a length. */
export const metersOf = ({ unit, step, metersPerUnit }: AxisFacts): number | undefined => {
  const each = metersPerUnit ?? (unit === "m" ? 1 : undefined);
  return each === undefined ? undefined : Math.abs(step) * each;
};
