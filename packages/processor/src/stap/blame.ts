/** Whose fault it is where the algorithm refuses its input: a setting's that was given, else the recording's. */
import { blame } from "../blame.ts";
import type { ArrayData } from "./recording.ts";
import type { StapSettings } from "./settings.ts";

type Sources = Readonly<Record<string, readonly (keyof StapSettings)[]>>;

/** Which settings a field of the algorithm's may come from; the first that was given is blamed. */
const sources: Sources = {
  dopplerBins: ["dopplerBins"],
  temporalTaps: ["temporalTaps"],
  blockRanges: ["blockRanges"],
  "training.cells": ["cells"],
  "training.guardBlocks": ["guard"],
  "training.guardCells": ["guard"],
  "training.blocks": ["guard", "blockRanges", "training"],
  // As many cells as were asked for are too few, whatever is left out beside them.
  training: ["cells", "guard", "blockRanges", "temporalTaps", "training"],
  replica: ["chirp"],
  chirp: ["chirp"],
  spatial: ["steering", "azimuth"],
  steering: ["steering", "azimuth"],
  steeringVectors: ["steering", "azimuth"],
  window: ["window"],
  n: ["window"],
};

/** The same of thresholds from neighbouring ranges, which are found as training cells are. */
export const cfarSources: Sources = { cells: ["cfarCells"], training: ["cfarGuard", "cfarCells"] };

/** Runs `work`; an `input` error is the fault of the setting that the field comes from, where that was given, else of the recording. */
export async function blameStap<T>(
  { where, axesNote }: Pick<ArrayData, "where" | "axesNote">,
  settings: StapSettings,
  work: () => T | Promise<T>,
  known = sources,
): Promise<T> {
  // Too few ranges may be pulses, or channels.
  const more = (field: string): string => (field.startsWith("training") && axesNote !== undefined ? ` (${axesNote})` : "");
  return blame(
    where,
    (field, { blocks }) => {
      // How many blocks there are is no matter of taps: only too few cells are.
      const about = field === "training" && blocks !== undefined ? "training.blocks" : field;
      const candidates = known[about] ?? known[about.split(/[.[]/, 1)[0]] ?? [];
      return candidates.find((name) => settings[name] !== undefined);
    },
    work,
    more,
  );
}
