/** Comparisons of transforms on two GPUs with cuFFT. Each card has tables of its own. */
import { type ComparisonData, comparisonData } from "./page.ts";

const tables = {
  "Rows, lines × points: 128 MiB read and 128 MiB written": {
    cases: /^fft c64 (?!(1|4|16)×(1024|4096|65536)$)\d+×\d+$/,
  },
  "A few lines, repeated on the device; the peers in CUDA graphs": { cases: /^fft c64 (1|4|16)×(1024|4096|65536)$/ },
  "Columns and both axes": { cases: /^fft c64 (columns|both)/ },
  "Filters, transposes, real transforms": { cases: /^(FFT·H·IFFT|transpose|(inverse )?real-fft)/ },
  "A run that the host waits for": { cases: /^run and wait/ },
  "Write, transform and read, compared with the CPU device": { cases: /^write, fft/ },
};

/** Those that were measured again with later kernels. */
const lines = {
  "Long rows, lines × points: 128 MiB read and 128 MiB written": { cases: /^fft c64/ },
  "Filters, and the range-Doppler image": { cases: /^(FFT·H·IFFT|range-Doppler)/ },
};

export declare const data: { readonly h200: ComparisonData; readonly lines: ComparisonData; readonly h100: ComparisonData };

export default {
  load: () => ({
    h200: comparisonData("gpu-h200.json", tables, "gpu-lines-h200.json"),
    lines: comparisonData("gpu-lines-h200.json", lines),
    h100: comparisonData("gpu-h100.json", tables),
  }),
};
