/** Writes the files of a STAP run, all or none. */
import { runAbortable } from "@dechirp/core/internal";
import { arrayBytes, npyHeader } from "@dechirp/io";
import { heatMap } from "@dechirp/pictures";
import { pngOfSvg } from "@dechirp/pictures/png";
import {
  angleDopplerPanels,
  rangeDopplerPanels,
  type StapPanel,
  type StapPlan,
  type StapReport,
  type StapResult,
} from "@dechirp/processor";
import type { Clock } from "@dechirp/processor/clock";
import { encoded } from "../json-text.ts";
import { type Written, writeReportFolder } from "../output.ts";
import { detectionsCsv } from "./detections-csv.ts";

/** Draws the pictures and writes all files. */
export async function writeStapFolder(
  folder: string,
  plan: StapPlan,
  result: StapResult,
  clock: Clock,
  signal: AbortSignal,
): Promise<Written<StapReport>> {
  const { output, report, detections, angleDoppler } = result;
  const pictures = async () => {
    const drawn = async (panels: Generator<void, readonly StapPanel[]>): Promise<Uint8Array> =>
      pngOfSvg(await heatMap(await runAbortable(signal, "drawing", panels), { signal }), { signal });
    // The second is laid out while a process draws the first.
    return Promise.all([drawn(rangeDopplerPanels(plan, result, report.target)), drawn(angleDopplerPanels(plan, result, report.target))]);
  };
  const [rangeDoppler, ofTarget] = await clock.time("pictures", pictures);
  const files = {
    "output.npy": [npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)],
    "range-doppler.png": rangeDoppler,
    "angle-doppler.png": ofTarget,
    "angle-doppler.npy": [npyHeader({ dtype: "f32", shape: angleDoppler.report.shape }), arrayBytes(angleDoppler.pattern)],
    "detections.csv": encoded(detectionsCsv(detections)),
  };
  return writeReportFolder(folder, files, report, clock, signal);
}
