/**
 * The effective velocity of the hyperbolic range equation, from state vectors: exact for the curved path over the rotating
 * ellipsoid. For one target, or for the near edge, middle and far edge of a stripmap recording.
 */

import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { chirpSamples, type RadarOrbit, type StripmapRadar } from "@dechirp/radar";
import type { Vec3 } from "./backprojection/grid.ts";
import { pulseSeconds } from "./geometry.ts";
import { cross, dot, length, type PlatformState, platformState, vector } from "./orbit.ts";
import { azimuthRateHzPerSecond, rangeSpacingMeters } from "./radar.ts";

/** Where and when the target is seen. */
export interface EffectiveVelocityOptions {
  /**
   * The side of the flight direction that the radar looks to. Default: that of the orbit; one of the two must state it. The Earth's
   * rotation makes V of a satellite differ by up to 1 % between the sides.
   */
  readonly lookSide?: "left" | "right";
  /** Time of closest approach of the target. Default: the middle of the orbit's times. */
  readonly timeSeconds?: number;
  /** Height of the target above the WGS84 ellipsoid. Default: that of the orbit, or 0. */
  readonly groundHeightMeters?: number;
  /** Seconds of state vectors around the time that are used. Default: 400 for a satellite, all for an aircraft. */
  readonly spanSeconds?: number;
}

const fieldsOfOptions: FieldsOf<EffectiveVelocityOptions> = {
  lookSide: true,
  timeSeconds: true,
  groundHeightMeters: true,
  spanSeconds: true,
};

/** The parameters of a radar that decide which ranges it images and when. */
export type OrbitRadar = Pick<StripmapRadar, "prfHz" | "samplingRateHz" | "pulseSeconds" | "nearRangeMeters" | "startSeconds"> & {
  readonly orbit?: RadarOrbit;
};

/** The effective velocity of a recording, in the middle of the swath and at its edges. */
export interface SwathVelocity {
  /** At `slantRangeMeters`, the middle of the ranges that the image shows. */
  readonly velocityMetersPerSecond: number;
  readonly slantRangeMeters: number;
  /** Slow time of the middle of the recording. */
  readonly timeSeconds: number;
  readonly nearMetersPerSecond: number;
  readonly farMetersPerSecond: number;
}

/** WGS84: semi-axes of the ellipsoid. */
const equatorMeters = 6_378_137;
const poleMeters = 6_356_752.314245179;

/**
 * The effective velocity V of R²(η) = R₀² + V²η² for a target on the ground at the slant range R₀ of closest approach. From the second
 * derivative at closest approach, where R′ = 0: V² = R₀·R″ = |v|² + (p − t)·a, with platform position p, velocity v and acceleration a
 * and the target t in the frame that rotates with the Earth. The target lies in the plane through p at right angles to v (zero Doppler),
 * at `slantRangeMeters` from p, on the ellipsoid. Model: Cumming & Wong, Digital Processing of Synthetic Aperture Radar Data (2005),
 * section 4.3 (range equation and effective radar velocity).
 *
 * For an orbit the result is within one per cent of √(V_s·V_g), where V_s and V_g are the speeds of the platform and of its footprint.
 * Throws
 * `input`, naming the field, if the orbit is not valid, if it does not cover the time, or if the range ends above the ground or beyond the
 * horizon.
 */
export function effectiveVelocity(orbit: RadarOrbit, slantRangeMeters: number, options: EffectiveVelocityOptions = {}): number {
  checkFields(options, fieldsOfOptions, "the options of effectiveVelocity", "input");
  return velocityAt(orbit, slantRangeMeters, options, { orbit: "orbit", range: "slantRangeMeters", of: "" });
}

/** What errors call the parameters; `of` comes before the names of options. */
interface Names {
  readonly orbit: string;
  readonly range: string;
  readonly of: string;
}

function velocityAt(orbit: RadarOrbit, range: number, options: EffectiveVelocityOptions, names: Names): number {
  const { lookSide = orbit?.lookSide, groundHeightMeters: height = orbit?.groundHeightMeters ?? 0, spanSeconds } = options;
  const field = (name: string): string => `${names.of}${name}`;
  if (!(typeof range === "number" && range > 0 && range < Number.POSITIVE_INFINITY))
    throw inputError(names.range, "a positive number", range);
  if (lookSide !== "left" && lookSide !== "right") throw inputError(field("lookSide"), "left or right", lookSide);
  if (!(Math.abs(height) <= 20_000)) throw inputError(field("groundHeightMeters"), "a number within ±20000", height);
  if (spanSeconds !== undefined && !(spanSeconds > 0)) throw inputError(field("spanSeconds"), "a positive number", spanSeconds);
  const times = orbit?.timesSeconds;
  const time = options.timeSeconds ?? (times?.[0] + times?.[times.length - 1]) / 2;
  const state = platformState(orbit, time, spanSeconds, names.orbit);
  const target = targetOnGround(state, range, lookSide, height, names);
  const { positionMeters: p, velocityMetersPerSecond: v, accelerationMetersPerSecondSquared: a } = state;
  const square =
    dot(v, v) +
    dot(
      vector((k) => p[k] - target[k]),
      a,
    );
  if (!(square > 0)) throw inputError(names.orbit, "a path along which a target on the ground has a closest approach", square);
  return Math.sqrt(square);
}

/** The place on the ellipsoid, raised by `height`, at `range` from the platform at zero Doppler. */
function targetOnGround(
  { positionMeters: p, velocityMetersPerSecond: v }: PlatformState,
  range: number,
  lookSide: "left" | "right",
  height: number,
  names: Names,
): Vec3 {
  const speed = length(v);
  if (!(speed > 0)) throw inputError(names.orbit, "of a platform that moves", speed);
  const along = vector((k) => v[k] / speed);
  // Up, at right angles to the flight; then to the right.
  const rising = dot(p, along);
  const level = vector((k) => p[k] - rising * along[k]);
  const up = vector((k) => level[k] / length(level));
  const right = cross(along, up);
  const side = lookSide === "right" ? 1 : -1;
  const axes = [equatorMeters + height, equatorMeters + height, poleMeters + height] as const;
  const place = (angle: number): Vec3 => vector((k) => p[k] + range * (side * Math.sin(angle) * right[k] - Math.cos(angle) * up[k]));
  /** Negative inside the ellipsoid. */
  const outside = (point: Vec3): number => (point[0] / axes[0]) ** 2 + (point[1] / axes[1]) ** 2 + (point[2] / axes[2]) ** 2 - 1;
  if (!(outside(p) > 0)) throw inputError(`${names.of}groundHeightMeters`, "below the platform", height);
  let [low, high] = [0, Math.PI / 2];
  const reach = "at least the height above the ground and at most the distance to the horizon";
  if (outside(place(low)) > 0) throw inputError(names.range, reach, range);
  // Bisects down to neighbouring numbers; the sign changes once.
  for (let middle = (low + high) / 2; middle > low && middle < high; middle = (low + high) / 2) {
    if (outside(place(middle)) > 0) high = middle;
    else low = middle;
  }
  const target = place(low);
  // The platform must be above the target's horizon.
  const normal = vector((k) => target[k] / axes[k] ** 2);
  const sight = vector((k) => p[k] - target[k]);
  if (!(dot(sight, normal) > 0)) throw inputError(names.range, reach, range);
  return target;
}

/**
 * The effective velocity over the swath of a recording of `lines` × `samples` by a radar with `orbit`, at the time of its middle line.
 * That time is right for squinted beams, too: until the closest approach of a target V changes, and its range departs from the hyperbola,
 * by
 * amounts that nearly cancel. Throws `input`, naming `radar.orbit.…` or `radar.nearRangeMeters`, in the cases of `effectiveVelocity`.
 */
export function velocityFromOrbit(radar: OrbitRadar, lines: number, samples: number): SwathVelocity {
  const { orbit } = radar;
  if (orbit === undefined) throw inputError("radar.orbit", "present", orbit);
  const timeSeconds = pulseSeconds(radar, (lines - 1) / 2);
  const far = radar.nearRangeMeters + rangeSpacingMeters(radar) * Math.max(0, samples - chirpSamples(radar));
  const names = { orbit: "radar.orbit", range: "radar.nearRangeMeters", of: "radar.orbit." };
  const velocity = (range: number): number => velocityAt(orbit, range, { timeSeconds }, names);
  const slantRangeMeters = (radar.nearRangeMeters + far) / 2;
  return {
    velocityMetersPerSecond: velocity(slantRangeMeters),
    slantRangeMeters,
    timeSeconds,
    nearMetersPerSecond: velocity(radar.nearRangeMeters),
    farMetersPerSecond: velocity(far),
  };
}

/**
 * `radar` with an effective velocity and without its orbit. The velocity is the one that the radar states, or else that of its orbit in the
 * middle of the swath. Throws `input`, naming `radar.orbit.…` or `radar.nearRangeMeters`, if it has neither.
 */
export function withVelocity<R extends OrbitRadar & { readonly velocityMetersPerSecond?: number }>(
  radar: R,
  lines: number,
  samples: number,
): Omit<R, "orbit" | "velocityMetersPerSecond"> & { readonly velocityMetersPerSecond: number } {
  const { orbit: _, velocityMetersPerSecond: stated, ...rest } = radar;
  return { ...rest, velocityMetersPerSecond: stated ?? velocityFromOrbit(radar, lines, samples).velocityMetersPerSecond };
}

/**
 * Quadratic phase error, in radians, at the ends of the exposure of a target if the range equation has `usedMetersPerSecond` in place
 * of the radar's velocity V: π·(δKa)·(T/2)², δKa/Ka ≈ 2·δV/V. T is the time that the Doppler band takes, at most `exposureSeconds`.
 * π/4 widens the response by a few per cent (Cumming & Wong, section 3.5 region: quadratic phase error).
 */
export function velocityPhaseErrorRadians(
  radar: StripmapRadar,
  usedMetersPerSecond: number,
  slantRangeMeters: number,
  bandwidthHz: number,
  exposureSeconds: number,
): number {
  const rate = azimuthRateHzPerSecond(radar, slantRangeMeters, radar.dopplerCentroidHz);
  const half = Math.min(bandwidthHz / rate, exposureSeconds) / 2;
  const share = Math.abs((usedMetersPerSecond / radar.velocityMetersPerSecond) ** 2 - 1);
  return Math.PI * rate * share * half * half;
}
