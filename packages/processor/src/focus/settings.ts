/**
 * The settings of a focused image and their checks. Whatever is not set follows from the recording, its sensor, the data or a default.
 */
import { maxTransformLength } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Window } from "@dechirp/radar";
import type { InterpolatorSpec } from "@dechirp/radar/interpolation";
import { checkSetting, checkWindowSetting, isPositive, oneOf } from "../settings.ts";

const rcmcModes = {
  off: "off",
  nearest: "nearest",
  sinc8: { kind: "sinc", taps: 8, window: "kaiser" },
  sinc16: { kind: "sinc", taps: 16, window: "kaiser" },
} as const satisfies Record<string, InterpolatorSpec | "off">;

/** Settings of a focused image. All are optional. */
export interface FocusSettings {
  /**
   * Absolute Doppler centroid in Hz. `auto` measures it even if the recording states one. Default: what the recording states, else
   * `auto`.
   */
  readonly dopplerCentroidHz?: number | "auto";
  /**
   * Effective velocity. Default: what the recording states, else the velocity that follows from its orbit, else what is known about its
   * sensor.
   */
  readonly velocityMetersPerSecond?: number;
  /** Doppler bandwidth to process. Default: what the recording states, else the PRF. */
  readonly processedBandwidthHz?: number;
  /** Window over the range spectrum. Default: Kaiser with β = 2.5. */
  readonly rangeWindow?: Window;
  /** Window over the processed Doppler band. Default: Kaiser with β = 2.5. */
  readonly azimuthWindow?: Window;
  /** Range cell migration correction (RCMC): none, the nearest cell, or a sinc of 8 or 16 taps. Default: `sinc8`. */
  readonly rcmc?: keyof typeof rcmcModes;
  /** Secondary range compression. Default: `on`. */
  readonly src?: "on" | "off";
  /** Length of the azimuth transform, and so the number of rows of the image. Default: long enough that nothing folds. */
  readonly azimuthLength?: number;
  /** `all`: includes partly exposed rows; `full`: only rows that are exposed over the whole processed band. Default: `all`. */
  readonly rows?: "all" | "full";
}

const fields: FieldsOf<FocusSettings> = {
  dopplerCentroidHz: true,
  velocityMetersPerSecond: "number",
  processedBandwidthHz: "number",
  rangeWindow: "object",
  azimuthWindow: "object",
  rcmc: "string",
  src: "string",
  azimuthLength: "number",
  rows: "string",
};

/** The interpolator of the sar package for a mode of range cell migration correction. */
export const interpolatorOf = (rcmc: NonNullable<FocusSettings["rcmc"]>): InterpolatorSpec | "off" => rcmcModes[rcmc];

/** Limit on frequencies: no target that a radar sees moves faster. */
const mostHertz = 1e9;

/** Throws `input`, which names the setting, if a value is wrong. Checks that depend on the recording come later. */
export function checkFocusSettings(settings: FocusSettings): void {
  checkFields(settings, fields, "settings of a focused image", "input", "settings.");
  checkSetting(settings, "dopplerCentroidHz", `a frequency in Hz below ${mostHertz} in magnitude, or auto`, (value) =>
    typeof value === "number" ? Math.abs(value) < mostHertz : value === "auto",
  );
  checkSetting(settings, "velocityMetersPerSecond", "a positive number", isPositive);
  checkSetting(settings, "processedBandwidthHz", "a positive number", isPositive);
  for (const name of ["rangeWindow", "azimuthWindow"] as const) checkWindowSetting(name, settings[name], { continuous: true });
  checkSetting(settings, "rcmc", `one of ${Object.keys(rcmcModes).join(", ")}`, (value) => Object.hasOwn(rcmcModes, value));
  checkSetting(settings, "src", "on or off", oneOf("on", "off"));
  const length = `an integer from 1 to ${maxTransformLength}`;
  checkSetting(settings, "azimuthLength", length, (n) => Number.isInteger(n) && n >= 1 && n <= maxTransformLength);
  checkSetting(settings, "rows", "all or full", oneOf("all", "full"));
}
