/**
 * Chooses the effective velocity for focusing and says why: from the setting, from the recording, from its orbit state vectors, or from
 * what is known about its sensor. Also warns about the phase error that one velocity for the whole swath leaves.
 */
import type { StripmapRadar } from "@dechirp/radar";
import { type SwathVelocity, velocityFromOrbit, velocityPhaseErrorRadians } from "@dechirp/sar";
import type { StripmapRecording } from "../recording.ts";
import type { UsedParameter } from "../used.ts";

/** The chosen effective velocity. */
export interface ChosenVelocity {
  readonly used: UsedParameter<number>;
  /** The velocities over the swath that follow from the recording's state vectors, if it has any. */
  readonly swath?: SwathVelocity;
}

/** A quadratic phase error at the ends of an exposure beyond this causes a warning. */
const mostPhaseRadians = Math.PI / 4;
/** A stated velocity that differs from that of the orbit by more than this share causes a warning, however little it blurs. */
const mostDifference = 0.01;

/**
 * Chooses the effective velocity. `wanted` is the setting. Throws `input`, which names the field, if an orbit gives no velocity, even
 * if a velocity is stated.
 */
export function chooseVelocity({ radar, shape, sensor }: StripmapRecording, wanted: number | undefined): ChosenVelocity {
  const [lines, samples] = shape;
  const swath = radar.orbit && velocityFromOrbit(radar, lines, samples);
  const settled = (used: UsedParameter<number>): ChosenVelocity => ({ used, ...(swath && { swath }) });
  if (wanted !== undefined) return settled({ value: wanted, source: "option" });
  const value = radar.velocityMetersPerSecond;
  const known = sensor?.velocityMetersPerSecond;
  if (sensor && known !== undefined && (value === known || (value === undefined && !swath)))
    return settled({ value: known, source: "preset", why: `the known effective velocity of ${sensor.name}` });
  if (value !== undefined) return settled({ value, source: "scene" });
  // If there is no source of a velocity, velocityFromOrbit throws the error.
  const found = swath ?? velocityFromOrbit(radar, lines, samples);
  const { velocityMetersPerSecond, slantRangeMeters, timeSeconds, nearMetersPerSecond: near, farMetersPerSecond: far } = found;
  const place = `slant range ${(slantRangeMeters / 1000).toFixed(3)} km at ${timeSeconds.toFixed(3)} s, looking ${radar.orbit?.lookSide}`;
  const why = `from the orbit at ${place}; ${near.toFixed(2)} m/s at the near edge and ${far.toFixed(2)} m/s at the far edge of the swath`;
  return { used: { value: velocityMetersPerSecond, source: "scene", why }, swath: found };
}

/**
 * Returns warnings, one sentence each. Warns if the velocity differs from that of the state vectors by 1 %, or causes a quadratic phase
 * error of π/4 at the ends of the exposure. Otherwise warns if one velocity for the whole swath causes such an error at its edges.
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
    const from = used.source === "option" ? "the velocity given" : "the velocity that the recording states";
    return [
      `${from} is ${used.value} m/s, but the orbit gives ${middle.toFixed(2)} m/s at mid swath: a quadratic phase error of ${off.toFixed(1)} rad at the ends of an exposure`,
    ];
  }
  const halfMeters = slantRangeMeters - radar.nearRangeMeters;
  const edges = Math.max(phase(near, radar.nearRangeMeters), phase(far, slantRangeMeters + halfMeters));
  if (edges <= mostPhaseRadians) return [];
  return [
    `the effective velocity changes from ${near.toFixed(2)} to ${far.toFixed(2)} m/s over the swath, but all of it is focused with ${used.value.toFixed(2)} m/s: a quadratic phase error of up to ${edges.toFixed(1)} rad at the edges; focus narrower swaths to reduce it`,
  ];
}
