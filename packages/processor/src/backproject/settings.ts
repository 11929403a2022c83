/**
 * The settings of a backprojected image, the conventions, and the checks of both. Whatever is not set follows from the convention, the
 * recording or a default.
 */
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Window } from "@dechirp/radar";
import { maxImagePixels, type Scheme } from "@dechirp/sar";
import type { MapGridBounds } from "@dechirp/sar/geocoding";
import { settingError, settingProblem } from "../blame.ts";
import { checkSetting, checkWindowSetting, oneOf } from "../settings.ts";

/** A grid of pixels: the position of the first pixel, the steps in metres, and the numbers of pixels. */
export interface GridSetting {
  readonly xMeters: number;
  readonly yMeters: number;
  readonly xStepMeters: number;
  readonly yStepMeters: number;
  readonly nx: number;
  readonly ny: number;
}

/** A part of a map: the edges of its pixels, in the unit of the map. */
export type MapSetting = Omit<MapGridBounds, "heightMeters">;

/**
 * How an image is computed and scaled, if no other setting says so. `exact`: the sum over pulses and frequencies, to 70 dB or better.
 * `gorham-moore`: as the MATLAB toolbox of L. A. Gorham and L. J. Moore does it ("SAR image formation toolbox for MATLAB", Proceedings
 * of SPIE 7699, 2010). Images made with that toolbox can be compared number by number; they match the sum to about 36 dB.
 */
export type Convention = "exact" | "gorham-moore";

/** Settings of a backprojected image. All are optional. */
export interface BackprojectSettings {
  /** Default: `exact`. */
  readonly convention?: Convention;
  /** Pixel grid. Default: the scene and the resolution that the recording supports. */
  readonly grid?: GridSetting;
  /** A part of a map instead of a grid. The recording must say where its frame is on earth. */
  readonly map?: MapSetting;
  /**
   * z of the image plane in metres. Default: 0. Of a map: height above the ellipsoid; default: that of the origin of the recording's frame.
   */
  readonly heightMeters?: number;
  /** Whether the recording's autofocus corrections are applied. Default: true. */
  readonly autofocus?: boolean;
  /** `precise`: 80 dB or better against float64 with the same interpolation; `fast`: 60 dB or better. Default: `precise`. */
  readonly mode?: "precise" | "fast";
  /** Interpolation of range profiles: a parabola around a bin, a line between two bins, or a windowed sinc with this number of taps. */
  readonly interpolation?: "quadratic" | "linear" | number;
  /** Number of bins of the range profiles, a power of two. */
  readonly bins?: number;
  /** Window over the frequencies. Default: rectangular. */
  readonly window?: Window;
  /** The frequency that is shifted to zero in the profiles: the centre or the first one. */
  readonly carrier?: "centre" | "first";
  /**
   * How the image is scaled. `ifft`: profiles are the plain inverse transform of the tapered samples, divided by the number of bins, as
   * in images of other software. `amplitude`: divided by the sum of the taper, so that a point of amplitude a adds a for every pulse,
   * whatever the bins and the window.
   */
  readonly scale?: "ifft" | "amplitude";
  /** How the work is divided. Default: the scheme with the least predicted memory traffic. */
  readonly scheme?: Scheme;
  /** Edge of a tile in pixels, a multiple of 8. */
  readonly tile?: number;
  /** Number of pulse sets that are processed in parallel. */
  readonly sets?: number;
}

/** Defaults of settings. */
export const usual = { convention: "exact", mode: "precise", window: { kind: "rect" } } as const;

/** What a convention decides if no setting does. */
interface ConventionTerms {
  /**
   * Which line replaces frequencies that are not quite evenly spaced: the best fit (`fit`), or the line through the first and the last
   * (`ends`).
   */
  readonly frequencies: "fit" | "ends";
  readonly carrier: "centre" | "first";
  readonly scale: "ifft" | "amplitude";
  /** Default: the backprojector's choice. */
  readonly interpolation?: "linear";
  /** Number of bins for a number of frequencies. Default: the backprojector's choice. */
  bins?(frequencies: number): number;
}

const conventions: Readonly<Record<Convention, ConventionTerms>> = {
  exact: { frequencies: "fit", carrier: "centre", scale: "amplitude" },
  "gorham-moore": {
    frequencies: "ends",
    carrier: "first",
    scale: "ifft",
    interpolation: "linear",
    bins: (frequencies) => 2 ** (3 + Math.ceil(Math.log2(frequencies))),
  },
};

/** What the convention of the settings decides. */
export const termsOf = ({ convention = usual.convention }: BackprojectSettings): ConventionTerms => conventions[convention];

/**
 * Tells which line a reader should put through the stored frequencies for these settings (option `frequencies` of io's
 * `readPhaseHistory`).
 */
export const frequenciesFor = (settings: BackprojectSettings): "fit" | "ends" => termsOf(settings).frequencies;

const fields: FieldsOf<BackprojectSettings> = {
  convention: "string",
  grid: "object",
  map: "object",
  heightMeters: "number",
  autofocus: "boolean",
  mode: "string",
  interpolation: true,
  bins: "number",
  window: "object",
  carrier: "string",
  scale: "string",
  scheme: "string",
  tile: "number",
  sets: "number",
};

const gridFields: FieldsOf<GridSetting> = {
  xMeters: "number",
  yMeters: "number",
  xStepMeters: "number",
  yStepMeters: "number",
  nx: "number",
  ny: "number",
};

const mapFields: FieldsOf<MapSetting> = {
  epsg: "number",
  west: "number",
  south: "number",
  east: "number",
  north: "number",
  step: "number",
};

/** The largest distance of a pixel from the origin along an axis. */
const mostMeters = 1e9;

/** Throws `input`, which names the setting, if a value is wrong. Checks that depend on the recording come later. */
export function checkBackprojectSettings(settings: BackprojectSettings): void {
  checkFields(settings, fields, "settings of a backprojected image", "input", "settings.");
  checkSetting(settings, "convention", "exact or gorham-moore", oneOf("exact", "gorham-moore"));
  if (settings.grid) checkGrid(settings.grid);
  if (settings.map) {
    checkFields(settings.map, mapFields, "settings.map", "input", "settings.map.");
    if (settings.grid) throw settingProblem("map", "must be left out if settings.grid is given");
  }
  checkSetting(settings, "heightMeters", `a height of at most ${mostMeters} m in magnitude`, (z) => Math.abs(z) <= mostMeters);
  checkSetting(settings, "mode", "precise or fast", oneOf("precise", "fast"));
  checkSetting(
    settings,
    "interpolation",
    "quadratic, linear, or an even number of taps from 2 to 32",
    (how) => how === "quadratic" || how === "linear" || (typeof how === "number" && how >= 2 && how <= 32 && how % 2 === 0),
  );
  const powers = "a power of two from 2 to 1048576";
  checkSetting(settings, "bins", powers, (n) => n >= 2 && n <= 2 ** 20 && Number.isInteger(Math.log2(n)));
  checkWindowSetting("window", settings.window);
  checkSetting(settings, "carrier", "centre or first", oneOf("centre", "first"));
  checkSetting(settings, "scale", "ifft or amplitude", oneOf("ifft", "amplitude"));
  const schemes: readonly Scheme[] = ["unpartitioned", "pulseSets", "tiles", "dual"];
  checkSetting(settings, "scheme", `one of ${schemes.join(", ")}`, oneOf(...schemes));
  checkSetting(settings, "tile", "a multiple of 8 from 8 to 128", (n) => n >= 8 && n <= 128 && n % 8 === 0);
  checkSetting(settings, "sets", "an integer from 1 to 1024", (n) => Number.isInteger(n) && n >= 1 && n <= 1024);
  const { scheme, sets } = settings;
  if (sets !== undefined && sets > 1 && (scheme === "unpartitioned" || scheme === "tiles"))
    throw settingError("sets", `1 if settings.scheme is ${scheme}`, sets);
}

function checkGrid(grid: GridSetting): void {
  checkFields(grid, gridFields, "settings.grid", "input", "settings.grid.");
  for (const [name, value] of Object.entries(grid))
    if (!Number.isFinite(value)) throw settingError(`grid.${name}`, "a finite number", value);
  for (const name of ["xStepMeters", "yStepMeters"] as const)
    if (!(grid[name] > 0)) throw settingError(`grid.${name}`, "a positive number of metres", grid[name]);
  for (const name of ["nx", "ny"] as const)
    if (!(Number.isInteger(grid[name]) && grid[name] >= 1 && grid[name] <= 65536))
      throw settingError(`grid.${name}`, "an integer from 1 to 65536", grid[name]);
  if (grid.nx * grid.ny > maxImagePixels) throw settingError("grid", `of at most ${maxImagePixels} pixels`, `${grid.nx} · ${grid.ny}`);
}
