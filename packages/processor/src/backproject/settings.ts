/** What the caller may settle of a backprojected image, the conventions, and the checks. A convention, the recording or a default settles the rest. */

import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Window } from "@dechirp/radar";
import { maxImagePixels, type Scheme } from "@dechirp/sar";
import { settingError } from "../blame.ts";
import { checkSetting, checkWindowSetting, oneOf } from "../settings.ts";

/** Pixels from (x, y) of the first, so many metres apart. */
export interface GridSetting {
  readonly xMeters: number;
  readonly yMeters: number;
  readonly xStepMeters: number;
  readonly yStepMeters: number;
  readonly nx: number;
  readonly ny: number;
}

/**
 * How an image is computed and scaled where no other setting says so. `exact`: the sum over pulses and frequencies, to 70 dB and
 * more. `gorham-moore`: as L. A. Gorham and L. J. Moore's toolbox for MATLAB makes it ("SAR image formation toolbox for MATLAB",
 * Proceedings of SPIE 7699, 2010), which other images of such files are made with and can be compared with number by number; the sum to some
 * 36 dB.
 */
export type Convention = "exact" | "gorham-moore";

/** Settings of a backprojected image; what is left out follows from the recording. */
export interface BackprojectSettings {
  /** `exact` where left out. */
  readonly convention?: Convention;
  /** The scene and the resolution that the recording supports where left out. */
  readonly grid?: GridSetting;
  /** z of the image's plane; 0 where left out. */
  readonly heightMeters?: number;
  /** Whether the recording's corrections are applied; they are where left out. */
  readonly autofocus?: boolean;
  /** `precise`: 80 dB and more against float64 with the same interpolation; `fast`: 60 dB and more. `precise` where left out. */
  readonly mode?: "precise" | "fast";
  /** On a parabola around a bin, on a line between two, or the taps of a windowed sinc. */
  readonly interpolation?: "quadratic" | "linear" | number;
  /** Bins of the range profiles, a power of two. */
  readonly bins?: number;
  /** Over the band; rectangular where left out. */
  readonly window?: Window;
  /** The frequency that profiles have at zero. */
  readonly carrier?: "centre" | "first";
  /**
   * `ifft`: profiles are the inverse transform of the tapered samples as it is, divided by the bins, as in others' images.
   * `amplitude`: divided by the sum of the taper, so that a point of amplitude a adds a for every pulse, whatever bins and window are.
   */
  readonly scale?: "ifft" | "amplitude";
  /** How the work is divided; by the predicted traffic where left out. */
  readonly scheme?: Scheme;
  /** Edge of a tile in pixels, a multiple of 8. */
  readonly tile?: number;
  /** Pulse sets side by side. */
  readonly sets?: number;
}

/** What is taken where nothing else is asked for. */
export const usual = { convention: "exact", mode: "precise", window: { kind: "rect" } } as const;

/** What a convention settles where a setting does not. */
interface ConventionTerms {
  /** Which line stands for frequencies that are not quite evenly spaced: the best fit, or that through both ends. */
  readonly frequencies: "fit" | "ends";
  readonly carrier: "centre" | "first";
  readonly scale: "ifft" | "amplitude";
  /** The backprojector's choice where left out. */
  readonly interpolation?: "linear";
  /** The backprojector's choice where left out. */
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

/** What the settings' convention settles. */
export const termsOf = ({ convention = usual.convention }: BackprojectSettings): ConventionTerms => conventions[convention];

/** Which line a reader should put through stored frequencies for these settings (`frequencies` of io's `readPhaseHistory`). */
export const frequenciesFor = (settings: BackprojectSettings): "fit" | "ends" => termsOf(settings).frequencies;

const fields: FieldsOf<BackprojectSettings> = {
  convention: "string",
  grid: "object",
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

/** No pixel lies farther from the origin along an axis. */
const mostMeters = 1e9;

/** Throws `input`, naming the setting. What depends on the recording is checked with it. */
export function checkBackprojectSettings(settings: BackprojectSettings): void {
  checkFields(settings, fields, "settings of a backprojected image", "input", "settings.");
  checkSetting(settings, "convention", "exact or gorham-moore", oneOf("exact", "gorham-moore"));
  if (settings.grid) checkGrid(settings.grid);
  checkSetting(settings, "heightMeters", `a number of metres of at most ${mostMeters} in magnitude`, (z) => Math.abs(z) <= mostMeters);
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
    throw settingError("sets", `1 where settings.scheme is ${scheme}`, sets);
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
