/** The files of a STAP run, all or none of them. */
import { arrayBytes, encodePng, npyHeader } from "@dechirp/io";
import type { Clock } from "../clock.ts";
import { type Written, writeReportFolder } from "../output.ts";
import { detectionsCsv } from "./detect.ts";
import { angleDopplerPicture, rangeDopplerPicture } from "./pictures.ts";
import type { StapPlan } from "./plan.ts";
import type { StapResult } from "./process.ts";
import type { StapReport } from "./report.ts";

export async function writeStapFolder(
  folder: string,
  plan: StapPlan,
  result: StapResult,
  clock: Clock,
  signal: AbortSignal,
): Promise<Written<StapReport>> {
  const { output, report, detections, amf, beamformer, angleDoppler, raw } = result;
  const files = await clock.time("pictures", async () => ({
    "output.npy": [npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)],
    "range-doppler.png": await encodePng(rangeDopplerPicture(amf, beamformer, plan, report.target), { signal }),
    "angle-doppler.png": await encodePng(angleDopplerPicture(angleDoppler, plan, raw, report.target), { signal }),
    "angle-doppler.npy": [npyHeader({ dtype: "f32", shape: angleDoppler.report.shape }), arrayBytes(angleDoppler.pattern)],
    "detections.csv": new TextEncoder().encode(detectionsCsv(detections)),
  }));
  return writeReportFolder(folder, files, report, clock, signal);
}
