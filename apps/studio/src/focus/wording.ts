/** The names that the page has for settings, and sentences of the packages in these names. */
import { isRadarError, RadarError } from "@dechirp/core";
import { mustBe } from "../ui/words.ts";

/** What the page calls its settings: rows of the table of parameters, and what addresses name. */
export const titles = {
  channel: "Channel",
  segment: "Segment of equal PRF",
  centroid: "Doppler centroid",
  velocity: "Effective velocity",
  bandwidth: "Doppler bandwidth",
  rangeWindow: "Range window",
  azimuthWindow: "Azimuth window",
  rcmc: "Range migration correction",
  src: "Secondary range compression",
  rows: "Rows",
  window: "Window over frequencies",
  mode: "Precision",
  memory: "Memory for blocks",
  lines: "Lines of a block",
} as const;

/** A setting that the page names. */
export type Titled = keyof typeof titles;

/** Settings by the names that the processor has for them. */
const fields: Readonly<Record<string, Titled>> = {
  "settings.dopplerCentroidHz": "centroid",
  "settings.velocityMetersPerSecond": "velocity",
  "settings.processedBandwidthHz": "bandwidth",
  "settings.rangeWindow": "rangeWindow",
  "settings.azimuthWindow": "azimuthWindow",
  "settings.rcmc": "rcmc",
  "settings.src": "src",
  "settings.rows": "rows",
  "settings.window": "window",
  "settings.mode": "mode",
  memoryBytes: "memory",
  mostLines: "lines",
};

/** Parameters of the algorithms that follow from settings, or from the recording. */
const parameters: Readonly<Record<string, Titled>> = {
  "radar.dopplerCentroidHz": "centroid",
  "radar.velocityMetersPerSecond": "velocity",
  processedBandwidthHz: "bandwidth",
  rows: "rows",
};

/** Units of settings whose numbers have one. */
const units: Partial<Readonly<Record<Titled, string>>> = { centroid: "Hz", velocity: "m/s", bandwidth: "Hz" };

const mebi = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MiB`;

/** An error about a setting as the page names it, with the field `setting`; any other error as it is. */
export function inPageWords(error: unknown): unknown {
  if (!isRadarError(error, "input")) return error;
  const { field, expected, actual, problem, about } = error.fields;
  const setting = typeof field === "string" && Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (setting === undefined) return error;
  // A setting may be wrong for what follows from it or from the recording: a velocity for a Doppler centroid.
  const wrong = typeof about === "string" && Object.hasOwn(parameters, about) ? parameters[about]! : setting;
  const isKnown = typeof expected === "string" && (about === undefined || Object.hasOwn(parameters, String(about)));
  let what = typeof problem === "string" ? problem : error.message;
  if (setting === "memory" && typeof expected === "string" && typeof actual === "number")
    what = `must be ${expected.replace(/(\d+) bytes/g, (_, bytes) => mebi(Number(bytes)))}, not ${mebi(actual)}`;
  else if (isKnown) {
    const must = mustBe({ label: titles[wrong], unit: units[wrong] }, expected, actual);
    return inPage(setting, wrong === setting ? must : `${titles[setting]} does not suit the recording: the ${must}`, error);
  }
  return inPage(setting, `${titles[setting]} ${what}`, error);
}

const inPage = (setting: Titled, sentence: string, error: RadarError): RadarError =>
  new RadarError("input", sentence, { ...error.fields, setting }, error);

/** The setting of the page that an error is about. */
export function settingIn(error: unknown): Titled | undefined {
  const setting = isRadarError(error, "input") ? error.fields["setting"] : undefined;
  return typeof setting === "string" && Object.hasOwn(titles, setting) ? (setting as Titled) : undefined;
}

/** A need without the name of the recording's field in brackets, which only programs use. */
export const withoutField = (need: string): string => need.replace(/ \((radar\.)?[a-zA-Z]+\)$/, "");
