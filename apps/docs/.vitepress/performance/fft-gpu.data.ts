/** Transforms on a GPU beside cuFFT, for the page about them. */
import { type ComparisonData, comparisonData } from "./page.ts";

export declare const data: ComparisonData;

export default {
  load: () =>
    comparisonData("gpu-h100.json", {
      "Rows, 128 MiB in and as much out, lines × points": { cases: /^fft c64 \d+×\d+$/ },
      "Columns and both axes": { cases: /^fft c64 (columns|both)/ },
      "Filters, transposes, real transforms": { cases: /^(FFT·H·IFFT|transpose|real-fft)/ },
      "The CPU device in the peer's place, host to host": { cases: /^write, fft/ },
    }),
};
