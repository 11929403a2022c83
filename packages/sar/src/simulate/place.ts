/** Places the targets of a scene by lines and cells of the raw data. */
import type { PointTarget, StripmapRadar } from "@dechirp/radar";
import { beamOffsetSeconds, rangeSpacingMeters } from "../radar.ts";

/**
 * A target whose closest approach is at range cell `cell` and which the middle of the beam sees in pulse `line`. Both may be
 * fractional. Default: amplitude 1, phase 0.
 */
export function place(radar: StripmapRadar, name: string, line: number, cell: number, amplitude = 1, phaseRadians = 0): PointTarget {
  const slantRangeMeters = radar.nearRangeMeters + cell * rangeSpacingMeters(radar);
  const azimuthSeconds =
    (radar.startSeconds ?? 0) + line / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
  return { name, azimuthSeconds, slantRangeMeters, amplitude, phaseRadians };
}
