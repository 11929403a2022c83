/** The CPHD format as a row of the table: finds it by its first bytes, and opens one channel. `cphd-file.ts` reads. */
import { callListener } from "@dechirp/core/internal";
import { isCphd } from "./cphd-magic.ts";
import { cphdLimits } from "./facts.ts";
import { pathError } from "./file-error.ts";
import type { Format } from "./format.ts";
import { headOf, isFolder, signalOption } from "./place.ts";

/** CPHD files of one or several channels. */
export const cphd: Format<"phase-history"> = {
  name: "cphd",
  kind: "phase-history",
  title: "CPHD file",
  file: "a CPHD file (CPHD/1.0.1 or CPHD/1.1.0)",
  reads: "CPHD 1.0.1 and 1.1.0, domains FX and TOA, CI2, CI4 and CF8, any order of vector parameters; one channel (`channel`)",
  refuses: "compressed samples, other versions, vectors that contradict each other or the XML",
  limits: cphdLimits,
  inParts: "this one: samples are read in parts",
  options: ["channel", "frequencies"],
  detect: async (place, options) => (!isFolder(place) && isCphd(await headOf(place, options)) ? "yes" : "no"),
  async read(place, options) {
    if (isFolder(place)) throw pathError(place.path, "a CPHD file", "a folder");
    const { openCphd } = await import("./cphd-file.ts");
    const { signal } = options;
    // Opened without the signal, which is for opening only; each read has its own. The file may be of any size.
    const access = await place.open(place.path, { maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY });
    try {
      const file = await openCphd(access, { file: place.path, ...signalOption(options) });
      const history = await file.history(options.channel, { ...signalOption(options), close: () => access.close() });
      await callListener(() => options.onProgress?.(1), "onProgress", signal, `reading ${place.path}`);
      return history;
    } catch (error) {
      await access.close();
      throw error;
    }
  },
};
