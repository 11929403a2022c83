/**
 * The published experiments on the GPU that is measured, with its unrounded clock: `dechirp bench fused-sar-paper` and `dechirp
 * bench backprojection-paper` where there is a driver and nothing else. Leaves paper-LINESxSAMPLES.json and .md, or
 * backprojection-paper.json, .md and pictures.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Device, inputError } from "@dechirp/core";
import {
  backprojectionExperiment,
  backprojectionMarkdown,
  backprojectionPlots,
  fusedSarExperiment,
  paperMarkdown,
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
  console.log(backprojectionMarkdown(report));
  if (out === undefined) return;
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "backprojection-paper.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(out, "backprojection-paper.md"), backprojectionMarkdown(report, Object.keys(plots)));
  for (const [file, svg] of Object.entries(plots)) writeFileSync(join(out, file), svg);
}
