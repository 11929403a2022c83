/**
 * The published experiments on the GPU that is measured, with its unrounded clock: `dechirp bench fused-sar-paper`, `dechirp
 * bench backprojection-paper`, `dechirp bench efa-paper` and `dechirp bench realtime-paper` where there is a driver and nothing else. Leaves
 * paper-LINESxSAMPLES.json and .md, or backprojection-paper.json, .md and pictures, or efa-paper.json, .md and pictures, or
 * the same of realtime-paper.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { type Device, inputError, open } from "@dechirp/core";
import {
  backprojectionExperiment,
  backprojectionPlots,
  backprojectionTables,
  efaExperiment,
  efaPlots,
  efaTables,
  fusedSarExperiment,
  fusedSarTables,
  type RealtimePaperOptions,
  type RealtimeReport,
  type ReportTables,
  realtimeExperiment,
  realtimePlots,
  realtimeTables,
  reportMarkdown,
  wrongEfaRows,
  wrongRealtimeRows,
} from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";

const onProgress = (what: string, share: number): void => console.error(`bench: ${(100 * share).toFixed(0)} % ${what}`);

/** `sizes`: as `4096,1536x2048`, lines by samples. Throws what the experiment throws. */
export async function runPaper(device: Device, sizes: string, turns: number, out: string | undefined): Promise<void> {
  for (const size of sizes.split(",")) {
    const [lines, samples = lines] = size.split("x").map(Number);
    if (!(lines > 0 && samples > 0)) throw inputError("--paper", "sizes as 4096,1536x2048", sizes);
    const report = await fusedSarExperiment(device, { lines, samples, turns }, { onProgress });
    const markdown = reportMarkdown(fusedSarTables(report));
    console.log(markdown);
    if (out === undefined) continue;
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, `paper-${lines}x${samples}.json`), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(out, `paper-${lines}x${samples}.md`), markdown);
  }
}

/** `sizes`: as `512,1024`. Throws what the experiment throws. */
export async function runBackprojectionPaper(
  device: Device,
  sizes: string,
  pulses: number | undefined,
  out: string | undefined,
): Promise<void> {
  const sides = sizes.split(",").map(Number);
  const report = await backprojectionExperiment([{ device }], { sides, ...(pulses !== undefined && { pulses }) }, { onProgress });
  leave(out, "backprojection-paper", { report, plots: await backprojectionPlots(report), tables: backprojectionTables(report) });
}

/** `watts`: the device's power limit. Throws what the experiment throws, and where a result is wrong, after writing. */
export async function runEfaPaper(device: Device, watts: number | undefined, out: string | undefined): Promise<void> {
  const report = await efaExperiment([{ device }], { ...(watts !== undefined && { watts }) }, { onProgress });
  leave(out, "efa-paper", { report, plots: await efaPlots(report), tables: efaTables(report) });
  const wrong = wrongEfaRows(report);
  if (wrong.length > 0) throw new Error(`WRONG: ${wrong.map(({ section, name }) => `${section}, ${name}`).join("; ")}`);
}

/** As the command line gives them. */
export interface RealtimeTexts {
  readonly exponents: string;
  readonly workers?: string | undefined;
  readonly runs?: string | undefined;
  readonly tasks?: string | undefined;
  readonly ways?: string | undefined;
  readonly rhos?: string | undefined;
}

/**
 * On `gpu`, or on the processor where there is none; one size after the other, and written after each. Throws what the experiment
 * throws, and where a result is wrong, after writing.
 */
export async function runRealtimePaper(gpu: Device | undefined, texts: RealtimeTexts, out: string | undefined): Promise<void> {
  const [first, last = first] = texts.exponents.split("-").map(Number);
  const options = {
    ...(texts.runs !== undefined && { runs: Number(texts.runs) }),
    ...(texts.tasks !== undefined && { tasks: texts.tasks.includes(",") ? texts.tasks.split(",").map(Number) : Number(texts.tasks) }),
    ...(texts.ways !== undefined && { ways: texts.ways.split(",") as NonNullable<RealtimePaperOptions["ways"]> }),
  };
  const rhos = texts.rhos === undefined ? undefined : texts.rhos === "none" ? [] : texts.rhos.split(",").map(Number);
  const units = texts.workers === undefined ? Math.max(1, availableParallelism() - 1) : Number(texts.workers);
  const device = gpu ?? (await open(cpu({ workers: units })));
  const name = `realtime-paper-${gpu ? "gpu" : "cpu"}`;
  let whole: RealtimeReport | undefined;
  for (let exponent = first; exponent <= last; exponent++) {
    const own = { ...options, exponents: [exponent], ...(exponent < last ? { rhos: [] } : rhos && { rhos }) };
    const report = await realtimeExperiment([{ device }], own, { onProgress });
    whole = whole ? joined(whole, report) : report;
    leave(out, name, { report: whole, plots: await realtimePlots(whole), tables: realtimeTables(whole) }, exponent < last);
  }
  if (device !== gpu) device[Symbol.dispose]();
  const wrong = whole ? wrongRealtimeRows(whole) : [];
  if (wrong.length > 0) throw new Error(`WRONG: ${wrong.join("; ")}`);
}

/** Sizes of the second report behind those of the first, of the same device and settings. */
const joined = (one: RealtimeReport, other: RealtimeReport): RealtimeReport => ({
  ...one,
  devices: one.devices.map((device, d) => ({
    ...device,
    results: [...device.results, ...other.devices[d].results],
    pictures: { ...device.pictures, ...other.devices[d].pictures },
  })),
});

interface Left {
  readonly report: object;
  /** By file name. */
  readonly plots: Readonly<Record<string, string>>;
  readonly tables: ReportTables;
}

/** `quietly`: without telling, as there is more to come. */
function leave(out: string | undefined, name: string, { report, plots, tables }: Left, quietly = false): void {
  if (!quietly) console.log(reportMarkdown(tables));
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, `${name}.md`), reportMarkdown(tables, Object.keys(plots)));
  for (const [file, svg] of Object.entries(plots)) writeFileSync(join(out, file), svg);
}
