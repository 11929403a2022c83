/**
 * Makes regular recordings of one that has gaps: lines that are missing, repeated or marked bad become zeros or are left out, and where the
 * PRF or the sampling window changes, a new recording begins. Each is focused into an image of its own, as images have one PRF and one
 * range axis.
 */
import { type RecordedRadar, speedOfLight } from "@dechirp/radar";
import { checkStripmap, type StripmapRecording } from "../recording.ts";
import { type LineReport, mapLines } from "./lines.ts";
import { regularLines } from "./regular-lines.ts";

/** A recording with one PRF and one sampling window, all of whose lines are there. */
export interface RegularRecording extends StripmapRecording {
  /** What was found in the whole recording. Absent if it states no times of pulses and no bad ones. */
  readonly lines?: LineReport;
}

/**
 * Divides a recording into regular ones: itself, if it states neither times of pulses nor sampling windows nor bad pulses. Recordings after
 * the first have the name of the whole and a number. Throws `input`, which names the entry, if a vector is not valid.
 */
export function regularRecordings(recording: StripmapRecording): readonly RegularRecording[] {
  checkStripmap(recording);
  const { pulseSeconds, firstSampleSeconds, badPulses, ...same } = recording;
  if (!pulseSeconds && !firstSampleSeconds && !badPulses) return [recording];
  const { segments, report } = mapLines(recording);
  return segments.map((segment, i) => {
    const { shape, lineGain, pulses } = regularLines(recording, segment);
    const { lineGain: _, ...facts } = same;
    return {
      ...facts,
      name: segments.length === 1 ? recording.name : `${recording.name}, segment ${i + 1}`,
      shape,
      radar: radarOf(recording.radar, segment, segments[0].firstSampleSeconds),
      ...(lineGain && { lineGain }),
      pulses,
      lines: report,
    };
  });
}

/** The radar of a segment. The near range of the recording is that of its first segment. */
function radarOf(
  radar: RecordedRadar,
  {
    prfHz,
    startSeconds,
    firstSampleSeconds,
  }: { readonly prfHz: number; readonly startSeconds: number; readonly firstSampleSeconds?: number },
  first: number | undefined,
): RecordedRadar {
  const later = firstSampleSeconds === undefined || first === undefined ? 0 : firstSampleSeconds - first;
  return { ...radar, prfHz, startSeconds, nearRangeMeters: radar.nearRangeMeters + (later * speedOfLight) / 2 };
}
