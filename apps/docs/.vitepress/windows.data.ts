/** The table of windows on the page about image quality, computed by the package itself when the site is built. */
import { parseWindow, windowTheory } from "@dechirp/radar";

export interface Row {
  readonly window: string;
  readonly irw: string;
  readonly broadening: string;
  readonly pslr: string;
  readonly islr: string;
  readonly loss: string;
}

export declare const data: readonly Row[];

const windows = ["rect", "kaiser:2.5", "taylor:4,-30", "taylor:5,-35", "hamming", "hann"];

export default {
  load: (): readonly Row[] =>
    windows.map((window) => {
      const { irwTimesBandwidth, broadening, pslrDb, islrDb, snrLossDb } = windowTheory(parseWindow(window));
      return {
        window,
        irw: irwTimesBandwidth.toFixed(3),
        broadening: broadening.toFixed(3),
        pslr: pslrDb.toFixed(2),
        islr: islrDb.toFixed(2),
        loss: snrLossDb.toFixed(2),
      };
    }),
};
