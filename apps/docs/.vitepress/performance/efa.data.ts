/** The published experiment on the extended factored algorithm, and comparisons of the same workload with PyTorch and numpy. */
import { type ComparisonData, comparisonData, type ReportData, reportData } from "./page.ts";

export declare const data: {
  readonly gpu: ReportData;
  readonly cpu: ReportData;
  readonly torch: ComparisonData;
  readonly numpy: ComparisonData;
};

export default {
  load: () => ({
    gpu: reportData({ what: "efa-paper-h100" }),
    cpu: reportData({ what: "efa-paper-epyc-2-cores", sections: /Table|Ways|PERFECT/, pictures: /stages/ }),
    torch: comparisonData("efa-h100.json", { "Compared with PyTorch": { cases: /^EFA/ } }),
    numpy: comparisonData("efa-epyc-2-cores-node-20.json", {
      "One core, compared with one process of numpy": { cases: /^EFA/, ours: /one unit/, peers: /1 process/ },
      "Two cores, compared with two processes of numpy": { cases: /^EFA/, ours: /2 units/, peers: /2 processes/ },
    }),
  }),
};
