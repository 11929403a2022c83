/** Comparisons of transforms on two GPUs with cuFFT. Each card has tables of its own. */
import { type ComparisonData, comparisonData } from "./page.ts";

const tables = {
  "Rows, lines × points: 128 MiB read and 128 MiB written": {
    cases: /^fft c64 (?!(1|4|16)×(1024|4096|65536)$)\d+×\d+$/,
  },
  "A few lines, repeated on the device; the peers in CUDA graphs": { cases: /^fft c64 (1|4|16)×(1024|4096|65536)$/ },
  "Columns and both axes": { cases: /^fft c64 (columns|both)/ },
  "Filters, the range-Doppler image, transposes, real transforms": {
    cases: /^(FFT·H·IFFT|range-Doppler|transpose|(inverse )?real-fft)/,
  },
  "A run that the host waits for": { cases: /^run and wait/ },
  "Write, transform and read, compared with the CPU device": { cases: /^write, fft/ },
};

/** Further lengths, and the image that filters and columns make. */
const lines = {
  "Small factors, and lengths that are no power of two": { cases: /^fft c64/ },
};

const axes = {
  "Columns, points × columns": { cases: /^fft c64 columns/ },
  "Other axes, and several of them": { cases: /^fft c64 (axis|axes|both)/ },
  "Further rows": { cases: /^fft c64 \d/ },
};

export declare const data: Readonly<Record<"h200" | "lines" | "columns" | "h100", ComparisonData>>;

export default {
  load: () => ({
    h200: comparisonData("gpu-h200.json", tables),
    lines: comparisonData("gpu-lines-h200.json", lines),
    columns: comparisonData("gpu-columns-h200.json", axes),
    h100: comparisonData("gpu-h100.json", tables),
  }),
};
