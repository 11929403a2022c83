/** The files of a STAP run, all or none of them. */
import { heeding } from "@dechirp/core";
import { arrayBytes, encodePng, npyHeader } from "@dechirp/io";
import type { StapPlan, StapReport, StapResult } from "@dechirp/processor";
import type { Clock } from "@dechirp/processor/clock";
import { encoded } from "../json-text.ts";
import { type Written, writeReportFolder } from "../output.ts";
import { detectionsCsv } from "./detections-csv.ts";
import { angleDopplerPicture, rangeDopplerPicture } from "./pictures.ts";

export async function writeStapFolder(
  folder: string,
  plan: StapPlan,
  result: StapResult,
  clock: Clock,
  signal: AbortSignal,
): Promise<Written<StapReport>> {
  const { output, report, detections, amf, beamformer, angleDoppler, raw } = result;
  const pictures = async () => {
    const rangeDoppler = await heeding(signal, "drawing", rangeDopplerPicture(amf, beamformer, plan, report.target));
    const ofTarget = await heeding(signal, "drawing", angleDopplerPicture(angleDoppler, plan, raw, report.target));
    return { rangeDoppler: await encodePng(rangeDoppler, { signal }), ofTarget: await encodePng(ofTarget, { signal }) };
  };
  const { rangeDoppler, ofTarget } = await clock.time("pictures", pictures);
  const files = {
    "output.npy": [npyHeader({ dtype: report.output.type, shape: report.output.shape }), arrayBytes(output)],
    "range-doppler.png": rangeDoppler,
    "angle-doppler.png": ofTarget,
    "angle-doppler.npy": [npyHeader({ dtype: "f32", shape: angleDoppler.report.shape }), arrayBytes(angleDoppler.pattern)],
    "detections.csv": encoded(detectionsCsv(detections)),
  };
  return writeReportFolder(folder, files, report, clock, signal);
}
