/**
 * Options of a point target's measurement with their checks and defaults, and how far from the expected position a measurement may read.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import { type Axis, halfTaps, type PixelPosition } from "./bandpass.ts";

/** What is known of the image's axes and of the target's spectrum. */
export interface SpectrumOptions {
  /** Whether the azimuth axis is periodic, as after an azimuth IFFT without cropping. Default: false. */
  readonly wrapRows?: boolean;
  /** Whether the range axis is periodic. Default: false. */
  readonly wrapColumns?: boolean;
  /**
   * Centre of the target's azimuth spectrum, absolute Doppler centroid / PRF. It must NOT be reduced modulo 1, because the phase
   * between pixels depends on the whole cycles. By default it is estimated in −½…½. Every measure but the phase is right
   * then, and the phase is right, too, if the true centre lies within ±½.
   */
  readonly azimuthCentreCyclesPerSample?: number;
  /** The same along range; 0 for a centred baseband. Default: estimated. */
  readonly rangeCentreCyclesPerSample?: number;
  /** The spectrum is estimated, and clutter measured, within this many pixels of the target. Default: 32. */
  readonly chipHalfPixels?: number;
}

/** Options of `analysePointTarget`. */
export interface PointTargetOptions extends SpectrumOptions {
  /** The brightest pixel is searched within this many pixels of the expected position. Default: 4. */
  readonly searchHalfPixels?: number;
  /** Reach of the cuts to each side, in pixels. Default: 64. */
  readonly cutHalfPixels?: number;
  /** Side lobes per side that `islrDb` counts. Default: 10. */
  readonly sideLobes?: number;
  /** Rows by which the range cut moves per column. Default: 0, along the axis. */
  readonly rangeCutRowsPerColumn?: number;
}

const limits = { chipHalfPixels: 1024, searchHalfPixels: 1024, cutHalfPixels: 65_536, sideLobes: 10_000 } as const;
const defaults = { chipHalfPixels: 32, searchHalfPixels: 4, cutHalfPixels: 64, sideLobes: 10 } as const;

const fieldsOfOptions: FieldsOf<PointTargetOptions> = {
  wrapRows: "boolean",
  wrapColumns: "boolean",
  azimuthCentreCyclesPerSample: "number",
  rangeCentreCyclesPerSample: "number",
  chipHalfPixels: "number",
  searchHalfPixels: "number",
  cutHalfPixels: "number",
  sideLobes: "number",
  rangeCutRowsPerColumn: "number",
};

/** The options of a measurement, checked and complete. */
export type PointTargetSettings = ReturnType<typeof pointTargetSettings>;

/** Throws `input` unless a position lies in an image of this size and the options of its analysis are valid. */
export function pointTargetSettings(
  { rows, columns }: { readonly rows: number; readonly columns: number },
  at: PixelPosition,
  options: PointTargetOptions,
) {
  checkFields(options, fieldsOfOptions, "options of a point target's analysis");
  checkObject(at, "at", "input");
  const rowAxis: Axis = { n: rows, wrap: options.wrapRows ?? false, centre: 0, from: 0, held: rows };
  const columnAxis: Axis = { n: columns, wrap: options.wrapColumns ?? false, centre: 0, from: 0, held: columns };
  for (const [field, value, axis] of [["at.row", at.row, rowAxis] as const, ["at.column", at.column, columnAxis] as const]) {
    const inside = Number.isFinite(value) && (axis.wrap ? Math.abs(value) <= 2 ** 31 : value >= 0 && value <= axis.n - 1);
    if (!inside) throw inputError(field, `within 0…${axis.n - 1}`, value);
  }
  for (const field of ["azimuthCentreCyclesPerSample", "rangeCentreCyclesPerSample"] as const) {
    const value = options[field];
    if (value !== undefined && !Number.isFinite(value)) throw inputError(field, "a finite number", value);
  }
  const slope = options.rangeCutRowsPerColumn ?? 0;
  if (!(Math.abs(slope) <= 1e3)) throw inputError("rangeCutRowsPerColumn", "a finite number of at most 1000", slope);
  const size = (field: keyof typeof limits): number => {
    const value = options[field] ?? defaults[field];
    if (!Number.isInteger(value) || value < 1 || value > limits[field])
      throw inputError(field, `an integer from 1 to ${limits[field]}`, value);
    return value;
  };
  const chipHalf = size("chipHalfPixels");
  return {
    options,
    rowAxis,
    columnAxis,
    chipHalf,
    search: size("searchHalfPixels"),
    cutHalf: size("cutHalfPixels"),
    sideLobes: size("sideLobes"),
    slope,
  };
}

/**
 * Pixels to each side of the rounded expected position that a measurement may read, along rows and columns: the search, a pixel that the
 * refined peak may move, and from there the chip with its neighbours, or a cut with the taps at its end.
 */
export function pointTargetReach({ search, chipHalf, cutHalf, slope }: PointTargetSettings): readonly [rows: number, columns: number] {
  const reach = (cut: number): number => search + 2 + Math.max(chipHalf + 1, Math.ceil(cut) + halfTaps + 1);
  return [reach(Math.max(cutHalf, Math.abs(slope) * cutHalf)), reach(cutHalf)];
}
