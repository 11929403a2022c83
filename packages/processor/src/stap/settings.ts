/**
 * What the caller may settle of a STAP run, and the checks of it. Where several say something, a setting comes first, then the recording
 * for facts of the radar, or the preset for how it is processed, then a default.
 */

import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import { settingError } from "../blame.ts";
import { checkSetting, checkWindowSetting } from "../settings.ts";
import { checkFacts, degreesExpected, isDegrees } from "./facts.ts";
import { type StapPresetName, stapPresets } from "./presets.ts";
import type { AzimuthScan, StapProcessing } from "./processing.ts";
import { checkSteering } from "./recording.ts";

/** A cell to look at. */
export interface StapTarget {
  /** Range bin, from 0. */
  readonly range: number;
  /** Hz where the PRF is known, else cycles a pulse. */
  readonly doppler: number;
  /** The strongest direction of the cell where left out. */
  readonly azimuthDegrees?: number;
}

/** What the caller may settle of a STAP run. */
export interface StapSettings extends ArrayFacts, StapProcessing {
  /** What the recording names, else none, where left out. */
  readonly preset?: StapPresetName;
  /** Channels that are left out, by their numbers in the whole array, from 0. */
  readonly withoutChannels?: readonly number[];
  /** Steering vectors in place of a scan of azimuths or of the recording's own. */
  readonly steering?: SteeringVectors;
  /** Probability of a false alarm of a cell and steering vector, 1e-15 to 0.5; 1e-6 where left out. */
  readonly falseAlarm?: number;
  /** `ca` or `os`: a threshold from neighbouring ranges, by their mean or an order statistic, in place of that of theory. */
  readonly cfar?: "ca" | "os";
  /** Neighbours that make such a threshold; 32 where left out. */
  readonly cfarCells?: number;
  /** Ranges on each side that are no neighbours; 3 where left out. */
  readonly cfarGuard?: number;
  /** The strongest detection where left out. */
  readonly target?: StapTarget;
}

const fields: FieldsOf<StapSettings> = {
  prfHz: "number",
  carrierHz: "number",
  spacing: "object",
  broadsideDegrees: "number",
  chirp: true,
  rangeAxis: "object",
  dopplerBins: "number",
  temporalTaps: "number",
  blockRanges: "number",
  training: "string",
  cells: "number",
  guard: "number",
  loading: "number",
  solver: "string",
  output: "string",
  maxOverSteering: "boolean",
  window: "object",
  centred: "boolean",
  azimuth: "object",
  preset: "string",
  withoutChannels: "object",
  steering: "object",
  falseAlarm: "number",
  cfar: "string",
  cfarCells: "number",
  cfarGuard: "number",
  target: "object",
};
const scanFields: FieldsOf<AzimuthScan> = { from: true, to: true, step: true };
const targetFields: FieldsOf<StapTarget> = { range: true, doppler: true, azimuthDegrees: true };

const choices = {
  training: ["adjacent", "own", "sliding"],
  solver: ["cholesky", "gauss-jordan"],
  output: ["amf", "mvdr", "paper-literal", "complex"],
  cfar: ["ca", "os"],
  preset: Object.keys(stapPresets) as StapPresetName[],
} as const satisfies { readonly [K in keyof StapSettings]: readonly StapSettings[K][] };

/** Least and largest integers. */
const integers = {
  dopplerBins: [1, 2 ** 16],
  temporalTaps: [1, 1024],
  blockRanges: [1, 2 ** 24],
  cells: [1, 2 ** 24],
  guard: [0, 2 ** 24],
  cfarCells: [1, 2 ** 16],
  cfarGuard: [0, 2 ** 16],
} as const satisfies { readonly [K in keyof StapSettings]: readonly [number, number] };

const mostAzimuths = 4096;
const mostLoading = 1e6;

/** Throws `input`, naming the setting. What depends on the recording is checked with it. */
export function checkStapSettings(settings: StapSettings): void {
  checkFields(settings, fields, "settings of STAP", "input", "settings.");
  checkFacts(settings, "settings.", settingError);
  for (const [name, known] of Object.entries(choices) as [keyof typeof choices, readonly string[]][])
    checkSetting(settings, name, `one of ${known.join(", ")}`, (value) => known.includes(value));
  for (const [name, [low, high]] of Object.entries(integers) as [keyof typeof integers, readonly [number, number]][])
    checkSetting(settings, name, `an integer from ${low} to ${high}`, (n) => Number.isInteger(n) && n >= low && n <= high);
  checkSetting(settings, "loading", `a number from 0 to ${mostLoading}`, (share) => share >= 0 && share <= mostLoading);
  checkSetting(settings, "falseAlarm", "a number from 1e-15 to 0.5", (pfa) => pfa >= 1e-15 && pfa <= 0.5);
  checkSetting(settings, "withoutChannels", "a list of channels, integers of at least 0", (list) => {
    return Array.isArray(list) && list.every((channel) => Number.isSafeInteger(channel) && channel >= 0);
  });
  const { azimuth, window, steering, target } = settings;
  if (azimuth) checkScan(azimuth);
  checkWindowSetting("window", window);
  if (steering) checkSteering(steering, "settings.steering");
  if (target) checkTarget(target);
}

function checkScan(scan: AzimuthScan): void {
  checkFields(scan, scanFields, "settings.azimuth", "input", "settings.azimuth.");
  const { from, to, step } = scan;
  for (const name of ["from", "to"] as const)
    if (!isDegrees(scan[name])) throw settingError(`azimuth.${name}`, degreesExpected, scan[name]);
  if (!(typeof step === "number" && step > 0 && step <= 720)) throw settingError("azimuth.step", "a positive number of degrees", step);
  if (to < from) throw settingError("azimuth.to", `at least settings.azimuth.from, ${from}`, to);
  if ((to - from) / step >= mostAzimuths) throw settingError("azimuth", `of at most ${mostAzimuths} azimuths`, scanText(scan));
}

/** A scan in few characters: FROM:TO:STEP, or the one azimuth. */
export const scanText = ({ from, to, step }: AzimuthScan): string => (from === to ? `${from}` : `${from}:${to}:${step}`);

function checkTarget(target: StapTarget): void {
  checkFields(target, targetFields, "settings.target", "input", "settings.target.");
  for (const name of ["range", "doppler", "azimuthDegrees"] as const) {
    const value = target[name];
    if (!(Number.isFinite(value) || (name === "azimuthDegrees" && value === undefined)))
      throw settingError(`target.${name}`, "a number", value);
  }
}
