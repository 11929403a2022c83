/** The settings of the task Focus, which are in the address of the page, and what the processor gets of them. */
import { inputError } from "@dechirp/core";
import type { BackprojectSettings, FocusSettings } from "@dechirp/processor";
import { formatWindow, parseWindow, type Window } from "@dechirp/radar";
import { choice, decimal, integer, optional, type Setting, type SettingValues, words } from "../settings.ts";

/** A window in its text form: `taylor:4,-35`. */
const windowText: Setting<string> = {
  default: "",
  parse(text, name) {
    try {
      return formatWindow(parseWindow(text));
    } catch (error) {
      throw inputError(name, "a window, such as kaiser:2.5, taylor:4,-35 or rect", text, error);
    }
  },
  format: (value) => value,
};

/** An absolute Doppler centroid in Hz, or `auto`. */
const centroid: Setting<number | "auto"> = {
  default: "auto",
  parse: (text, name) => (text === "auto" ? text : decimal(-1e9, 1e9, 0).parse(text, name)),
  format: String,
};

export const settings = {
  /** Where the recording comes from: a simulated scene, `url`, or `files`, which an address can't hold. */
  source: choice(["points", "farmland", "quality", "large", "spotlight", "url", "files"], "points"),
  /** Address of a recording on a server. */
  url: words(""),
  /** Seed of simulated noise and clutter. Default: the scene's own. */
  seed: optional(integer(0, 2 ** 32 - 1, 1)),
  /** `auto`: the device that gives the first picture soonest. */
  device: choice(["auto", "cpu", "gpu", "both"], "auto"),
  /** Which of several recordings that are opened together: the path of its folder or file. Default: the first. */
  part: words(""),
  /** Which of a file's channels, by its identifier. Default: the first. */
  channel: words("", 200),
  /** Which of a recording's segments of equal PRF, from 1. */
  segment: integer(1, 10_000, 1),
  centroid: optional(centroid),
  velocity: optional(decimal(1e-3, 1e9, 1)),
  bandwidth: optional(decimal(1e-6, 1e12, 1)),
  rangeWindow: optional(windowText),
  azimuthWindow: optional(windowText),
  rcmc: optional(choice(["sinc8", "sinc16", "nearest", "off"], "sinc8")),
  src: optional(choice(["on", "off"], "on")),
  rows: optional(choice(["all", "full"], "all")),
  /** Window over the frequencies of a phase history. */
  window: optional(windowText),
  /** Quality of backprojection. */
  mode: optional(choice(["precise", "fast"], "precise")),
  /** Megabytes (2²⁰ bytes) that the arrays of a block may have. Default: as many as one block needs, within limits. */
  memory: optional(integer(1, 4096, 512)),
  /** Lines of a block, at most. */
  lines: optional(integer(1, 2 ** 24, 4096)),
};

/** Values of the settings. */
export type Values = SettingValues<typeof settings>;

/** The settings that an image depends on besides its recording and the device. */
export type Choices = Omit<Values, "source" | "url" | "seed" | "device">;

/** Picks the choices. */
export function choicesOf({ source: _source, url: _url, seed: _seed, device: _device, ...choices }: Values): Choices {
  return choices;
}

const windowOf = (text: string): Window => parseWindow(text);

/** Keeps the members that are defined. */
const given = <T extends object>(members: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** The settings of a range-Doppler image. */
export const focusSettingsOf = (choices: Choices): FocusSettings =>
  given({
    dopplerCentroidHz: choices.centroid,
    velocityMetersPerSecond: choices.velocity,
    processedBandwidthHz: choices.bandwidth,
    rangeWindow: choices.rangeWindow === undefined ? undefined : windowOf(choices.rangeWindow),
    azimuthWindow: choices.azimuthWindow === undefined ? undefined : windowOf(choices.azimuthWindow),
    rcmc: choices.rcmc,
    src: choices.src,
    rows: choices.rows,
  });

/** The settings of a backprojected image. */
export const backprojectSettingsOf = (choices: Choices): BackprojectSettings =>
  given({ window: choices.window === undefined ? undefined : windowOf(choices.window), mode: choices.mode });
