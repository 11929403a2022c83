/** Transforms on the processor beside fft.js, pffft and FFTW, for the page about them. */
import { type ComparisonData, comparisonData } from "./page.ts";

export declare const data: ComparisonData;

export default {
  load: () =>
    comparisonData("epyc-2-cores-node-20.json", {
      "Against the fastest": { cases: /^fft/ },
      "Against pffft in WebAssembly": { cases: /^fft/, peers: /^pffft/ },
      "Against fft.js": { cases: /^fft/, peers: /^fft\.js/ },
      "An image on both cores, against numpy as one writes it": { cases: /^range-Doppler/ },
    }),
};
