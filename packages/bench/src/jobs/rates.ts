/** Rates of backprojection from the result files of the bench. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BackprojectionReport } from "@dechirp/experiments";

/** Where results are. */
export const resultsFolder = fileURLToPath(new URL("../../results", import.meta.url));

/** Rates of a device for images of several sizes, and the file that has them. */
export interface MeasuredRates {
  /** Pixels of an image that is made at once, and backprojections a second. */
  readonly rate: readonly (readonly [pixels: number, rate: number])[];
  readonly source: string;
  readonly device: string;
}

/** The rates of the kernel, without transfers, in the newest result of the published experiment with this ending. Throws if there is none. */
export function measuredRates(what: string, folder = resultsFolder): MeasuredRates {
  const name = readdirSync(folder)
    .filter((one) => one.slice(11) === what)
    .sort()
    .at(-1);
  if (name === undefined) throw new Error(`${folder} has no ${what}`);
  const report = JSON.parse(readFileSync(join(folder, name, "report.json"), "utf8")) as BackprojectionReport;
  const [{ device, kernels }] = report.devices;
  const rate = kernels
    .flatMap(({ section, side, measured }) =>
      section === "sizes" && measured ? [[side ** 2, 1e9 * measured.gigaprojections] as const] : [],
    )
    .sort(([a], [b]) => a - b);
  return { rate, source: `packages/bench/results/${name}`, device: device.description };
}
