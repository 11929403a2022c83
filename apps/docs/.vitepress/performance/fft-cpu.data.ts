/** Comparisons of transforms on the CPU with fft.js, pffft and FFTW. */
import { type ComparisonData, comparisonData } from "./page.ts";

export declare const data: ComparisonData;

export default {
  load: () =>
    comparisonData("epyc-2-cores-node-20.json", {
      "Compared with the fastest peer": { cases: /^fft/ },
      "Compared with pffft in WebAssembly": { cases: /^fft/, peers: /^pffft/ },
      "Compared with fft.js": { cases: /^fft/, peers: /^fft\.js/ },
      "A range-Doppler image on both cores, compared with straightforward numpy": { cases: /^range-Doppler/ },
    }),
};
