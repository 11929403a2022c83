/** Published experiments that can be run again on any device: what `dechirp bench` knows, without the command line. */

export type { PaperReport, PartReport, VariantReport } from "./fused-sar-paper/report.ts";
export { fusedSarExperiment, type PaperHooks, type PaperOptions } from "./fused-sar-paper/run.ts";
export { paperMarkdown, paperText } from "./fused-sar-paper/tables.ts";
