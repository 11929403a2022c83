/**
 * Which effective velocity to focus a recording with, and why: the setting, what the recording states, what follows from its state vectors, or
 * what is known of its sensor; and what one velocity for the whole swath leaves.
 */
import type { StripmapRadar } from "@dechirp/radar";
import { type SwathVelocity, velocityFromOrbit, velocityPhaseErrorRadians } from "@dechirp/sar";
import type { StripmapRecording } from "../recording.ts";
import type { Used } from "../used.ts";

export interface ChosenVelocity {
  readonly used: Used<number>;
  /** What the recording's state vectors make of it, where there are some. */
  readonly swath?: SwathVelocity;
}

/** Quadratic phase error at the ends of an exposure beyond which a warning is due. */
const mostPhaseRadians = Math.PI / 4;
/** Share of the velocity by which a stated one may differ from that of the orbit, however little it blurs. */
const mostDifference = 0.01;

/** `wanted`: the setting's. Throws `input`, naming the field, for an orbit that gives no velocity, also where one is stated. */
export function chooseVelocity({ radar, shape, sensor }: StripmapRecording, wanted: number | undefined): ChosenVelocity {
  const [lines, samples] = shape;
  const swath = radar.orbit && velocityFromOrbit(radar, lines, samples);
  const settled = (used: Used<number>): ChosenVelocity => ({ used, ...(swath && { swath }) });
  if (wanted !== undefined) return settled({ value: wanted, source: "option" });
  const value = radar.velocityMetersPerSecond;
  const known = sensor?.velocityMetersPerSecond;
  if (sensor && known !== undefined && (value === known || (value === undefined && !swath)))
    return settled({ value: known, source: "preset", why: `the effective velocity known of ${sensor.name}` });
  if (value !== undefined) return settled({ value, source: "scene" });
  // Where nothing gives a velocity, velocityFromOrbit says so.
  const found = swath ?? velocityFromOrbit(radar, lines, samples);
  const { velocityMetersPerSecond, slantRangeMeters, timeSeconds, nearMetersPerSecond: near, farMetersPerSecond: far } = found;
  const place = `slant range ${(slantRangeMeters / 1000).toFixed(3)} km at ${timeSeconds.toFixed(3)} s, looking ${radar.orbit?.lookSide}`;
  const why = `from radar.orbit at ${place}; ${near.toFixed(2)} m/s at the near edge and ${far.toFixed(2)} m/s at the far edge of the swath`;
  return { used: { value: velocityMetersPerSecond, source: "scene", why }, swath: found };
}

/**
 * Warnings, a sentence each: of a velocity in use that is not that of the state vectors, by 1 % or by a quadratic phase error of π/4 at
 * the ends of the exposure; else of edges of the swath where one velocity leaves as much.
 */
export function velocityWarnings(
  { used, swath }: ChosenVelocity,
  radar: StripmapRadar,
  processedBandwidthHz: number,
  lines: number,
): readonly string[] {
  if (!swath) return [];
  const seconds = lines / radar.prfHz;
  const phase = (velocity: number, slantRangeMeters: number): number =>
    velocityPhaseErrorRadians({ ...radar, velocityMetersPerSecond: velocity }, used.value, slantRangeMeters, processedBandwidthHz, seconds);
  const { velocityMetersPerSecond: middle, slantRangeMeters, nearMetersPerSecond: near, farMetersPerSecond: far } = swath;
  const off = phase(middle, slantRangeMeters);
  if (off > mostPhaseRadians || Math.abs(used.value / middle - 1) > mostDifference) {
    const from = used.source === "option" ? "the velocity asked for" : "radar.velocityMetersPerSecond";
    return [
      `${from} is ${used.value} m/s, but radar.orbit gives ${middle.toFixed(2)} m/s at mid swath: a quadratic phase error of ${off.toFixed(1)} rad at the ends of an exposure`,
    ];
  }
  const halfMeters = slantRangeMeters - radar.nearRangeMeters;
  const edges = Math.max(phase(near, radar.nearRangeMeters), phase(far, slantRangeMeters + halfMeters));
  if (edges <= mostPhaseRadians) return [];
  return [
    `the effective velocity changes from ${near.toFixed(2)} to ${far.toFixed(2)} m/s over the swath, and all of it is focused with ${used.value.toFixed(2)} m/s: a quadratic phase error of up to ${edges.toFixed(1)} rad at the edges; focus narrower swaths to have less`,
  ];
}
