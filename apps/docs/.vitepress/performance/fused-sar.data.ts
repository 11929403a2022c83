/** The published experiment on fused SAR kernels, and a comparison of the same algorithm with PyTorch. */
import { type ComparisonData, comparisonData, type ReportData, reportData } from "./page.ts";

export declare const data: { readonly report: ReportData; readonly torch: ComparisonData };

export default {
  load: () => ({
    report: reportData({ what: "fused-sar-paper-h100", file: "4096x4096.md" }),
    torch: comparisonData("gpu-h100.json", { "Compared with PyTorch": { cases: /^range-Doppler/ } }),
  }),
};
