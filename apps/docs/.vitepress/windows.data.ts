/** The table of windows on the page about image quality. `windowTheory` computes it when the site is built. */
import { formatWindow, isContinuous, parseWindow, windowKinds, windowOfKind, windowTheory } from "@dechirp/radar";

export interface Row {
  readonly window: string;
  readonly irw: string;
  readonly broadening: string;
  readonly pslr: string;
  readonly islr: string;
  readonly loss: string;
}

export declare const data: readonly Row[];

/** Every window of the table at its defaults, and one more of Taylor's. */
const windows = [...windowKinds.map(windowOfKind), parseWindow("taylor:5,-35")];

/** For windows that are defined for a number of samples. */
const samples = 64;

export default {
  load: (): readonly Row[] =>
    windows.map((window) => {
      const theory = windowTheory(window, isContinuous(window.kind) ? {} : { samples });
      const { irwTimesBandwidth, broadening, pslrDb, islrDb, snrLossDb } = theory;
      return {
        window: formatWindow(window),
        irw: irwTimesBandwidth.toFixed(3),
        broadening: broadening.toFixed(3),
        pslr: pslrDb.toFixed(2),
        islr: islrDb.toFixed(2),
        loss: snrLossDb.toFixed(2),
      };
    }),
};
