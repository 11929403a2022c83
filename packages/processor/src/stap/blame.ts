/** Decides whether an error of the STAP algorithm is about a setting that was given or about the recording. */
import { blame } from "../blame.ts";
import type { ArrayData } from "./recording.ts";
import type { StapSettings } from "./settings.ts";

type Sources = Readonly<Record<string, readonly (keyof StapSettings)[]>>;

/** The settings from which a field of the algorithm may come. The error names the first of them that was given. */
const sources: Sources = {
  dopplerBins: ["dopplerBins"],
  temporalTaps: ["temporalTaps"],
  blockRanges: ["blockRanges"],
  "training.cells": ["cells"],
  "training.guardBlocks": ["guard"],
  "training.guardCells": ["guard"],
  "training.blocks": ["guard", "blockRanges", "training"],
  // `cells` comes first: if it was given, that number is too small whatever the guard.
  training: ["cells", "guard", "blockRanges", "temporalTaps", "training"],
  replica: ["chirp"],
  chirp: ["chirp"],
  spatial: ["steering", "azimuth"],
  steering: ["steering", "azimuth"],
  steeringVectors: ["steering", "azimuth"],
  window: ["window"],
  n: ["window"],
};

/** The same for thresholds from neighbouring ranges, which are selected as training cells are. */
export const cfarSources: Sources = { cells: ["cfarCells"], training: ["cfarGuard", "cfarCells"] };

/**
 * Runs `work`. If it throws `input`, the error is about the setting from which the field comes, if that was given, else about the
 * recording.
 */
export async function blameStap<T>(
  { where, axesNote }: Pick<ArrayData, "where" | "axesNote">,
  settings: StapSettings,
  work: () => T | Promise<T>,
  known = sources,
): Promise<T> {
  // If the axes were assumed, too few ranges may mean that this axis is in fact pulses or channels.
  const more = (field: string): string => (field.startsWith("training") && axesNote !== undefined ? ` (${axesNote})` : "");
  return blame(
    where,
    (field, { blocks }) => {
      // The number of blocks does not depend on the taps; only a lack of cells does.
      const about = field === "training" && blocks !== undefined ? "training.blocks" : field;
      const candidates = known[about] ?? known[about.split(/[.[]/, 1)[0]] ?? [];
      return candidates.find((name) => settings[name] !== undefined);
    },
    work,
    more,
  );
}
