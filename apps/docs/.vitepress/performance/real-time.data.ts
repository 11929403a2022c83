/** The published experiment on concurrent transforms with bounded responses. Shows parts of the reports, which have a table for every length. */
import { type ReportData, reportData } from "./page.ts";

/** Results with workers, for the longest transforms on workers, with one dispatch at a time, and with slots of a dispatch. */
export declare const data: { readonly cpu: ReportData; readonly long: ReportData; readonly turns: ReportData; readonly slots: ReportData };

const sections = /^Largest|^Table I|^Number of tasks|2\^18/;

export default {
  load: () => ({
    cpu: reportData({ what: "realtime-paper-xeon-16-cores", sections, pictures: /wcet|2-18|2-21/ }),
    long: reportData({ what: "realtime-paper-xeon-16-cores-2-22", sections: /^Responses|^By/, pictures: /wcet|responses/ }),
    turns: reportData({
      what: "realtime-paper-h100",
      sections: /^(Largest|Number of tasks).* one dispatch at a time/,
      pictures: /chunks-2-16/,
    }),
    slots: reportData({ what: "realtime-paper-h100-slots", sections: /^Number of tasks|^Responses, µs: 256 /, pictures: /2-(16|22)/ }),
  }),
};
