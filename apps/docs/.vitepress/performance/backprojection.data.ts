/** The published experiment on backprojection, on a GPU and on two cores. */
import { type ReportData, reportData } from "./page.ts";

export declare const data: { readonly gpu: ReportData; readonly cpu: ReportData };

export default {
  load: () => ({ gpu: reportData({ what: "backprojection-paper-h100" }), cpu: reportData({ what: "backprojection-paper-epyc-2-cores" }) }),
};
