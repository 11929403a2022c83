/**
 * The published transforms in the bundle, for machines that have a GPU driver and nothing else: every kernel of the laboratory beside the
 * processor, and FFTW if Python and the library are there. Writes the report, its plots and the result file that can be contributed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { open } from "@dechirp/core";
import {
  fftPaperExperiment,
  fftPaperPlots,
  fftPaperTables,
  reportMarkdown,
  startFftw,
  writeFftResult,
  wrongFftRows,
} from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import { openLaboratory } from "../papers.ts";

/** Options of the command line. */
export interface FftPaperValues {
  readonly seconds?: string | undefined;
  readonly sizes?: string | undefined;
  readonly quick?: boolean | undefined;
  readonly out?: string | undefined;
}

/** Runs the experiment. Throws if there is no GPU, if an option is wrong, and if a result is wrong. */
export async function runFftPaper({ seconds, sizes, quick, out }: FftPaperValues): Promise<void> {
  using device = await openLaboratory();
  using processor = await open(cpu());
  const fftw = await startFftw();
  using peer = typeof fftw === "string" ? undefined : fftw;
  let last = "";
  const onProgress = (what: string): void => {
    if (what !== last) console.error(`bench: ${what}`);
    last = what;
  };
  const options = {
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(sizes !== undefined && { sizes: sizes.split(",").map(Number) }),
    ...(quick !== undefined && { quick }),
    ...(peer && { peer }),
    absent: typeof fftw === "string" ? { FFTW: fftw } : {},
    versions: {
      Node: process.versions.node,
      system: `${process.platform} ${process.arch}`,
      processor: `${cpus()[0]?.model.trim() || "unknown"}, ${cpus().length} threads`,
    },
  };
  const report = await fftPaperExperiment([{ device }, { device: processor }], options, { onProgress });
  const pictures = await fftPaperPlots(report);
  const markdown = reportMarkdown(fftPaperTables(report), Object.keys(pictures));
  if (out !== undefined) {
    mkdirSync(out, { recursive: true });
    const files = { "report.json": `${JSON.stringify(report, null, 2)}\n`, "report.md": markdown, "result.json": writeFftResult(report) };
    for (const [name, text] of Object.entries({ ...files, ...pictures })) writeFileSync(join(out, name), text);
  }
  console.log(markdown);
  const wrong = wrongFftRows(report);
  if (wrong.length > 0) throw new Error(`${wrong.length} results are wrong: ${[...new Set(wrong.map(({ name }) => name))].join(", ")}`);
}
