/** Comparisons of transforms on a GPU with cuFFT. */
import { type ComparisonData, comparisonData } from "./page.ts";

export declare const data: ComparisonData;

export default {
  load: () =>
    comparisonData("gpu-h100.json", {
      "Rows, lines × points: 128 MiB read and 128 MiB written": { cases: /^fft c64 \d+×\d+$/ },
      "Columns and both axes": { cases: /^fft c64 (columns|both)/ },
      "Filters, transposes, real transforms": { cases: /^(FFT·H·IFFT|transpose|real-fft)/ },
      "Write, transform and read, compared with the CPU device": { cases: /^write, fft/ },
    }),
};
