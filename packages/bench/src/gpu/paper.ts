/**
 * Runs the published experiments on a GPU with its unrounded clock, on a machine with a driver and nothing else: the same as `dechirp
 * bench fused-sar-paper`, `backprojection-paper`, `efa-paper` and `realtime-paper`. Writes paper-LINESxSAMPLES.json and .md, or .json, .md
 * and plots with the name of the experiment.
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

/** Runs the fused SAR experiment. `sizes` are lines by samples, such as `4096,1536x2048`. Throws as the experiment does. */
export async function runPaper(device: Device, sizes: string, turns: number, out: string | undefined): Promise<void> {
  for (const size of sizes.split(",")) {
    const [lines, samples = lines] = size.split("x").map(Number);
    if (!(lines > 0 && samples > 0)) throw inputError("--paper", "sizes such as 4096,1536x2048", sizes);
    const report = await fusedSarExperiment(device, { lines, samples, turns }, { onProgress });
    const markdown = reportMarkdown(fusedSarTables(report));
    console.log(markdown);
    if (out === undefined) continue;
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, `paper-${lines}x${samples}.json`), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(out, `paper-${lines}x${samples}.md`), markdown);
  }
}

/** Runs the backprojection experiment. `sizes` are edges of images, such as `512,1024`. Throws as the experiment does. */
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

/** Runs the EFA experiment. `watts` is the device's power limit. Throws as the experiment does, and after writing if a result is wrong. */
export async function runEfaPaper(device: Device, watts: number | undefined, out: string | undefined): Promise<void> {
  const report = await efaExperiment([{ device }], { ...(watts !== undefined && { watts }) }, { onProgress });
  leave(out, "efa-paper", { report, plots: await efaPlots(report), tables: efaTables(report) });
  const wrong = wrongEfaRows(report);
  if (wrong.length > 0) throw new Error(`WRONG: ${wrong.map(({ section, name }) => `${section}, ${name}`).join("; ")}`);
}

/** Options as texts from the command line. */
export interface RealtimeTexts {
  readonly exponents: string;
  readonly workers?: string | undefined;
  readonly runs?: string | undefined;
  readonly tasks?: string | undefined;
  readonly ways?: string | undefined;
  readonly rhos?: string | undefined;
}

/**
 * Runs the real-time experiment on `gpu`, or on the CPU if it is undefined: one size after another, writing the report after each. Throws
 * as the experiment does, and after writing if a result is wrong.
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

/** Appends the sizes of the second report to those of the first. Both must have the same device and settings. */
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

/** Prints and writes a report. `quietly` suppresses printing. */
function leave(out: string | undefined, name: string, { report, plots, tables }: Left, quietly = false): void {
  if (!quietly) console.log(reportMarkdown(tables));
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, `${name}.md`), reportMarkdown(tables, Object.keys(plots)));
  for (const [file, svg] of Object.entries(plots)) writeFileSync(join(out, file), svg);
}
