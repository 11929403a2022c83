/** Whose fault it is where the algorithm refuses its input: an option's that was given, else the file's. */
import { isRadarError } from "@dechirp/core";
import { CommandError } from "../errors.ts";
import type { StapInput } from "./input.ts";
import type { StapSettings } from "./settings.ts";

/** Of an array that says nothing of its axes, where the command line does not either. */
export const axesTaken = "axes are taken as channel,pulse,range; --axes says another order";

/** Which options a field of the algorithm's may come from; the first that was given is blamed. */
const optionsOf: Readonly<Record<string, readonly (readonly [option: string, key: keyof StapSettings])[]>> = {
  dopplerBins: [["--doppler-bins", "dopplerBins"]],
  temporalTaps: [["--tdof", "temporalTaps"]],
  blockRanges: [["--block", "blockRanges"]],
  "training.cells": [["--cells", "cells"]],
  "training.guardBlocks": [["--guard", "guard"]],
  "training.guardCells": [["--guard", "guard"]],
  "training.blocks": [
    ["--guard", "guard"],
    ["--block", "blockRanges"],
    ["--training", "training"],
  ],
  training: [
    ["--guard", "guard"],
    ["--cells", "cells"],
    ["--block", "blockRanges"],
    ["--tdof", "temporalTaps"],
    ["--training", "training"],
  ],
  replica: [["--chirp", "chirp"]],
  pulseSeconds: [["--chirp", "chirp"]],
  spatial: [["--azimuth", "azimuth"]],
  steeringVectors: [["--azimuth", "azimuth"]],
  sidelobeDb: [["--window", "window"]],
  n: [["--window", "window"]],
};

/** The same of thresholds from neighbouring ranges, which are found as training cells are. */
export const cfarOptionsOf: typeof optionsOf = {
  cells: [["--cfar-cells", "cfarCells"]],
  training: [
    ["--cfar-guard", "cfarGuard"],
    ["--cfar-cells", "cfarCells"],
  ],
};

/** Runs `work`; an `input` error is the fault of the option that the field comes from, where that was given, else of the input. */
export async function blameStap<T>(
  { file, axesOpen }: Pick<StapInput, "file" | "axesOpen">,
  settings: StapSettings,
  work: () => T | Promise<T>,
  options = optionsOf,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const field = String(error.fields["field"]);
    // How many blocks there are is no matter of taps: only too few cells are.
    const about = field === "training" && error.fields["blocks"] !== undefined ? "training.blocks" : field;
    const known = options[about] ?? options[about.split(/[.[]/)[0]] ?? [];
    const [option] = known.find(([, key]) => settings[key] !== undefined) ?? [];
    // Too few ranges may be pulses, or channels.
    const axes = about.startsWith("training") && axesOpen && settings.axes === undefined ? ` (${axesTaken})` : "";
    const message = `${error.message}${axes}`;
    if (option !== undefined)
      throw new CommandError("argument", `${option} does not suit ${file}: ${message}`, { option, ...error.fields }, error);
    throw new CommandError("file", `${file}: ${message}`, { file, ...error.fields }, error);
  }
}
