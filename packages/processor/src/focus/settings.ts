/** What the caller may settle of a focused image, and the checks of it. The recording, its sensor, the data or a default settle the rest. */

import { maxTransformLength } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Window } from "@dechirp/radar";
import type { InterpolatorSpec } from "@dechirp/sar";
import { checkSetting, checkWindowSetting, isPositive, oneOf } from "../settings.ts";

const rcmcModes = {
  off: "off",
  nearest: "nearest",
  sinc8: { kind: "sinc", taps: 8, window: "kaiser" },
  sinc16: { kind: "sinc", taps: 16, window: "kaiser" },
} as const satisfies Record<string, InterpolatorSpec | "off">;

/** Settings of a focused image; what is left out follows from the recording. */
export interface FocusSettings {
  /** Absolute Doppler centroid; `auto` measures it also where the recording states one. What the recording states, else `auto`, where left out. */
  readonly dopplerCentroidHz?: number | "auto";
  /** Effective velocity; what the recording states, else that of its orbit, else what is known of its sensor, where left out. */
  readonly velocityMetersPerSecond?: number;
  /** Doppler band to process; what the recording states, else the PRF, where left out. */
  readonly processedBandwidthHz?: number;
  /** Kaiser 2.5 where left out. */
  readonly rangeWindow?: Window;
  /** Kaiser 2.5 where left out. */
  readonly azimuthWindow?: Window;
  /** Range cell migration correction: none, the nearest cell, or a sinc of 8 or 16 taps; `sinc8` where left out. */
  readonly rcmc?: keyof typeof rcmcModes;
  /** Secondary range compression; `on` where left out. */
  readonly src?: "on" | "off";
  /** Azimuth transform, and rows of the image; as long as nothing folds where left out. */
  readonly azimuthLength?: number;
  /** `all`: rows exposed in part, too; `full`: those exposed over the whole processed band. `all` where left out. */
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

/** What sar takes for a mode of range cell migration correction. */
export const interpolatorOf = (rcmc: NonNullable<FocusSettings["rcmc"]>): InterpolatorSpec | "off" => rcmcModes[rcmc];

/** Beyond it nothing moves that a radar sees. */
const mostHertz = 1e9;

/** Throws `input`, naming the setting. What depends on the recording is checked with it. */
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
