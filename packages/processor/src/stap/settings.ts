/**
 * The settings of a STAP run and their checks. If there are several sources for a parameter, the setting comes first, then the
 * recording (for facts about the radar) or the preset (for the processing), then a default.
 */

import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { ArrayFacts, SteeringVectors } from "@dechirp/radar";
import { settingError } from "../blame.ts";
import { checkSetting, checkWindowSetting } from "../settings.ts";
import { checkFacts, degreesExpected, isDegrees } from "./facts.ts";
import { type StapPresetName, stapPresets } from "./presets.ts";
import type { AzimuthScan, StapProcessing } from "./processing.ts";
import { checkSteering } from "./recording.ts";

/** A cell to examine. */
export interface StapTarget {
  /** Range bin, from 0. */
  readonly range: number;
  /** Hz if the PRF is known, else cycles per pulse. */
  readonly doppler: number;
  /** Default: the strongest direction of the cell. */
  readonly azimuthDegrees?: number;
}

/** Settings of a STAP run. All are optional. */
export interface StapSettings extends ArrayFacts, StapProcessing {
  /** Default: the preset that the recording names, else none. */
  readonly preset?: StapPresetName;
  /** Channels to leave out, by their numbers in the whole array, from 0. */
  readonly withoutChannels?: readonly number[];
  /** Steering vectors. They replace a scan of azimuths and the recording's own vectors. */
  readonly steering?: SteeringVectors;
  /** Probability of a false alarm for each cell and steering vector, 1e-15 to 0.5. Default: 1e-6. */
  readonly falseAlarm?: number;
  /** Use a threshold from neighbouring ranges instead of that of theory: `ca` takes their mean, `os` an order statistic. */
  readonly cfar?: "ca" | "os";
  /** Number of neighbours for such a threshold. Default: 32. */
  readonly cfarCells?: number;
  /** Guard ranges on each side, which do not count as neighbours. Default: 3. */
  readonly cfarGuard?: number;
  /** The cell to examine. Default: the strongest detection. */
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

/** Smallest and largest integers. */
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

/** Throws `input`, which names the setting, if a value is wrong. Checks that depend on the recording come later. */
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

/** Formats a scan briefly: FROM:TO:STEP, or a single azimuth. */
export const scanText = ({ from, to, step }: AzimuthScan): string => (from === to ? `${from}` : `${from}:${to}:${step}`);

function checkTarget(target: StapTarget): void {
  checkFields(target, targetFields, "settings.target", "input", "settings.target.");
  for (const name of ["range", "doppler", "azimuthDegrees"] as const) {
    const value = target[name];
    if (!(Number.isFinite(value) || (name === "azimuthDegrees" && value === undefined)))
      throw settingError(`target.${name}`, "a number", value);
  }
}
