/** Images to draw: levels, axes and their units. Uses no type of Vega, so that declarations compile without DOM types. */
import type { ColourMapName } from "./colours.ts";

/** An axis of an image. Values are those of pixel centres. */
export interface ImageAxis {
  /** Name without unit: `slant range`. */
  readonly label: string;
  /**
   * `m`, `s` or another unit. Large numbers of metres are shown in kilometres, small numbers of seconds in milliseconds or
   * microseconds.
   */
  readonly unit: string;
  /** Value of the first pixel's middle. */
  readonly start: number;
  /** Step from one pixel to the next. Not 0; the axis descends if it is negative. */
  readonly step: number;
  /**
   * Length in metres, on the ground or in the slant plane, that one unit of the axis stands for. Default: 1 if the unit is `m`, else
   * unknown.
   */
  readonly metersPerUnit?: number;
}

/** An image to draw. */
export interface ImagePicture {
  readonly title: string;
  /** Smaller texts below the title, each on a new line. */
  readonly notes?: readonly string[];
  readonly width: number;
  readonly height: number;
  /** Levels [row][column]: 0 has the first colour, 255 the last. */
  readonly data: Uint8Array | Uint8ClampedArray;
  /** The horizontal axis, to the right. */
  readonly x: ImageAxis;
  /** The vertical axis, downwards or (if `upwards`) upwards. */
  readonly y: ImageAxis;
  /** Whether the first row is the lowest one, as on a map where y ascends. Default: false, the first row is at the top. */
  readonly upwards?: boolean;
  /** Decibels of levels 0 and 255. */
  readonly lowDb: number;
  readonly highDb: number;
  /** Colours of the levels. Default: `grey`. */
  readonly colours?: ColourMapName;
  /** Text above the colour bar. Default: `dB`. Say in a note what the decibels refer to. */
  readonly unit?: string;
}
