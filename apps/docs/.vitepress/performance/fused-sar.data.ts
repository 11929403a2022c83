/** The published experiment on fused SAR kernels. */
import { type ReportData, reportData } from "./page.ts";

export declare const data: ReportData;

export default { load: () => reportData({ what: "fused-sar-paper-h100", file: "4096x4096.md" }) };
