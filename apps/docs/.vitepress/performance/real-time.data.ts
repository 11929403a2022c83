/** The published experiment on concurrent transforms with bounded responses, in parts: the reports have a table for every length. */
import { type ReportData, reportData } from "./page.ts";

export declare const data: { readonly cpu: ReportData; readonly gpu: ReportData };

const sections = /^Largest|^Table I|^Number of tasks|2\^18/;

export default {
  load: () => ({
    cpu: reportData({ what: "realtime-paper-xeon-16-cores", sections, pictures: /wcet|2-18|2-21/ }),
    gpu: reportData({ what: "realtime-paper-h100", sections: /^Largest|^Number of tasks/, pictures: /2-16/ }),
  }),
};
