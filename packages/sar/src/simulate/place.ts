/** What a ready-made scene is, and how its targets are placed in terms of the raw data. */
import { beamOffsetSeconds, type PointTarget, rangeSpacingMeters, type StripmapRadar } from "../radar.ts";
import type { SimulationOptions } from "./options.ts";

export interface ScenePreset extends Omit<SimulationOptions, "dtype" | "blockLines" | "seed"> {
  readonly title: string;
  readonly seed: number;
  /** Doppler band to be processed, around the Doppler centroid. */
  readonly processedBandwidthHz: number;
  /** Range transform length that the scene is meant for; the processor's own choice where left out. */
  readonly rangeLength?: number;
}

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
