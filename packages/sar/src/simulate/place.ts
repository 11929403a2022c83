/** How targets of a scene are placed in terms of the raw data. */
import type { PointTarget, StripmapRadar } from "@dechirp/radar";
import { beamOffsetSeconds, rangeSpacingMeters } from "../radar.ts";

/**
 * A target whose closest approach is at range cell `cell` and which the middle of the beam sees in pulse `line`, both
 * fractional; amplitude 1 and phase 0 unless given.
 */
export function place(radar: StripmapRadar, name: string, line: number, cell: number, amplitude = 1, phaseRadians = 0): PointTarget {
  const slantRangeMeters = radar.nearRangeMeters + cell * rangeSpacingMeters(radar);
  const azimuthSeconds =
    (radar.startSeconds ?? 0) + line / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, radar.dopplerCentroidHz);
  return { name, azimuthSeconds, slantRangeMeters, amplitude, phaseRadians };
}
