/**
 * The laboratory in the bundle, for machines that have a GPU driver and nothing else: the published transforms, by every kernel beside the
 * processor, and FFTW if Python and the library are there; and the microbenchmarks of memory. Writes reports, plots, and the result file that
 * can be contributed.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { open } from "@dechirp/core";
import {
  fftPaperExperiment,
  fftPaperPlots,
  fftPaperTables,
  memoryExperiment,
  memoryPlots,
  memoryTables,
  reportMarkdown,
  startFftw,
  writeFftResult,
  wrongFftRows,
  wrongMemoryRows,
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

/** Runs the microbenchmarks. Throws if there is no GPU, if an option is wrong, and if a result is wrong. */
export async function runMemory({ seconds, quick, out }: FftPaperValues): Promise<void> {
  using device = await openLaboratory();
  const options = { ...(seconds !== undefined && { seconds: Number(seconds) }), ...(quick !== undefined && { quick }) };
  const report = await memoryExperiment(device, options, { onProgress: progress() });
  const pictures = await memoryPlots(report);
  const markdown = reportMarkdown(memoryTables(report), Object.keys(pictures));
  write(out, { "memory.json": jsonOf(report), "memory.md": markdown, ...pictures });
  console.log(markdown);
  const wrong = wrongMemoryRows(report);
  if (wrong.length > 0) throw new Error(`${wrong.length} results are wrong: ${[...new Set(wrong.map(({ name }) => name))].join(", ")}`);
}

const jsonOf = (report: object): string => `${JSON.stringify(report, null, 2)}\n`;

/** Prints each activity once. */
function progress(): (what: string) => void {
  let last = "";
  return (what) => {
    if (what !== last) console.error(`bench: ${what}`);
    last = what;
  };
}

function write(folder: string | undefined, files: Readonly<Record<string, string>>): void {
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/**
 * Versions for the report. bundle.mjs puts those of this project and of webgpu into the module, and on-device.sh passes the GPU's name, which
 * WebGPU does not tell on all drivers.
 */
function versions(): Readonly<Record<string, string>> {
  const gpu = process.env["DECHIRP_GPU_NAME"];
  return {
    ...(gpu && { GPU: gpu }),
    ...(JSON.parse(process.env["DECHIRP_VERSIONS"] ?? "{}") as Readonly<Record<string, string>>),
    Node: process.versions.node,
    system: `${process.platform} ${process.arch}`,
    processor: `${cpus()[0]?.model.trim() || "unknown"}, ${cpus().length} threads`,
  };
}

/** Runs the experiment. Throws if there is no GPU, if an option is wrong, and if a result is wrong. */
export async function runFftPaper({ seconds, sizes, quick, out }: FftPaperValues): Promise<void> {
  using device = await openLaboratory();
  using processor = await open(cpu());
  const fftw = await startFftw();
  using peer = typeof fftw === "string" ? undefined : fftw;
  const onProgress = progress();
  const options = {
    ...(seconds !== undefined && { seconds: Number(seconds) }),
    ...(sizes !== undefined && { sizes: sizes.split(",").map(Number) }),
    ...(quick !== undefined && { quick }),
    ...(peer && { peer }),
    absent: typeof fftw === "string" ? { FFTW: fftw } : {},
    versions: versions(),
  };
  const report = await fftPaperExperiment([{ device }, { device: processor }], options, { onProgress });
  const pictures = await fftPaperPlots(report);
  const markdown = reportMarkdown(fftPaperTables(report), Object.keys(pictures));
  write(out, { "report.json": jsonOf(report), "report.md": markdown, "result.json": writeFftResult(report), ...pictures });
  console.log(markdown);
  const wrong = wrongFftRows(report);
  if (wrong.length > 0) throw new Error(`${wrong.length} results are wrong: ${[...new Set(wrong.map(({ name }) => name))].join(", ")}`);
}
