/**
 * The published experiments on the GPU that is measured, with its unrounded clock: `dechirp bench fused-sar-paper`, `dechirp
 * bench backprojection-paper` and `dechirp bench efa-paper` where there is a driver and nothing else. Leaves
 * paper-LINESxSAMPLES.json and .md, or backprojection-paper.json, .md and pictures, or efa-paper.json, .md and pictures.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Device, inputError } from "@dechirp/core";
import {
  backprojectionExperiment,
  backprojectionMarkdown,
  backprojectionPlots,
  efaExperiment,
  efaMarkdown,
  efaPlots,
  fusedSarExperiment,
  paperMarkdown,
  wrongEfaRows,
} from "dechirp/experiments";

const onProgress = (what: string, share: number): void => console.error(`bench: ${(100 * share).toFixed(0)} % ${what}`);

/** `sizes`: as `4096,1536x2048`, lines by samples. Throws what the experiment throws. */
export async function runPaper(device: Device, sizes: string, turns: number, out: string | undefined): Promise<void> {
  for (const size of sizes.split(",")) {
    const [lines, samples = lines] = size.split("x").map(Number);
    if (!(lines > 0 && samples > 0)) throw inputError("--paper", "sizes as 4096,1536x2048", sizes);
    const report = await fusedSarExperiment(device, { lines, samples, turns }, { onProgress });
    console.log(paperMarkdown(report));
    if (out === undefined) continue;
    mkdirSync(out, { recursive: true });
    writeFileSync(join(out, `paper-${lines}x${samples}.json`), `${JSON.stringify(report, null, 2)}\n`);
    writeFileSync(join(out, `paper-${lines}x${samples}.md`), paperMarkdown(report));
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
  const plots = backprojectionPlots(report);
  leave(out, "backprojection-paper", { report, plots, markdown: (pictures) => backprojectionMarkdown(report, pictures) });
}

/** `watts`: the device's power limit. Throws what the experiment throws, and where a result is wrong, after writing. */
export async function runEfaPaper(device: Device, watts: number | undefined, out: string | undefined): Promise<void> {
  const report = await efaExperiment([{ device }], { ...(watts !== undefined && { watts }) }, { onProgress });
  leave(out, "efa-paper", { report, plots: efaPlots(report), markdown: (pictures) => efaMarkdown(report, pictures) });
  const wrong = wrongEfaRows(report);
  if (wrong.length > 0) throw new Error(`WRONG: ${wrong.map(({ section, name }) => `${section}, ${name}`).join("; ")}`);
}

interface Left {
  readonly report: object;
  /** By file name. */
  readonly plots: Readonly<Record<string, string>>;
  markdown(pictures: readonly string[]): string;
}

function leave(out: string | undefined, name: string, { report, plots, markdown }: Left): void {
  console.log(markdown([]));
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, `${name}.json`), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, `${name}.md`), markdown(Object.keys(plots)));
  for (const [file, svg] of Object.entries(plots)) writeFileSync(join(out, file), svg);
}
