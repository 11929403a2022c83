/** What the page and its workers say about images to each other. */
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
  /** Direction of north, clockwise from the direction of falling row numbers (upwards on the screen), in radians. Unknown if absent. */
  readonly northRadians?: number;
}

/** How power becomes colours. */
export interface Display {
  /** Decibels of the first and the last colour, relative to the image's largest pixel so far. */
  readonly lowDb: number;
  readonly highDb: number;
  readonly colours: "grey" | "viridis" | "inferno" | "cividis";
  /** Looks: powers of this many rows and columns are averaged before they are shown. */
  readonly looks: readonly [rows: number, columns: number];
}

/** A square of the image at a level of the pyramid: at level n, a pixel is the mean power of 2ⁿ × 2ⁿ pixels. */
export interface TileRequest {
  readonly level: number;
  /** Number of the tile, from the top and from the left. */
  readonly row: number;
  readonly column: number;
  /** Pixels along an edge. */
  readonly size: number;
  readonly display: Display;
}

/** Which part of the image has arrived. */
export interface Arrival {
  readonly window: ImageWindow;
  /** Share of the image's pixels that are there, 0 to 1. */
  readonly share: number;
}
