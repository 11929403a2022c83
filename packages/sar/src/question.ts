/**
 * Asks about parameters of radars and orbits that are valid but implausible, above all because their unit was mistaken. Each rule gives a
 * question,
 * never an error: the value may be right. `checkRadar` refuses values that cannot be used.
 *
 * The rules ask about no radar that exists: satellites around Earth, Venus, Mars and the Moon, aircraft, drones,
 * cars, rails on the ground, from 1 MHz sounders to terahertz scanners (test/question.test.ts has a table of them).
 */
import { type RadarOrbit, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { checkOrbit, cross, length, platformState, vector } from "./orbit.ts";

/** A parameter that looks implausible. */
export interface Question {
  /** Path of the parameter, such as `radar.nearRangeMeters`. */
  readonly field: string;
  /** What is odd about its value, and what may have been meant, in one or two sentences. */
  readonly text: string;
}

/** A radar whose velocity or Doppler centroid may be unknown. */
export type QuestionedRadar = Omit<StripmapRadar, "velocityMetersPerSecond" | "dopplerCentroidHz"> &
  Partial<Pick<StripmapRadar, "velocityMetersPerSecond" | "dopplerCentroidHz">> & { readonly orbit?: RadarOrbit };

const short = (value: number): string => String(Number(value.toPrecision(6)));

/** A rule returns a question or nothing. Once a rule has asked about a field, later rules that build on that field do not ask. */
interface Rule {
  readonly field: keyof QuestionedRadar;
  /** Fields whose value the rule takes to be right. */
  readonly given?: readonly (keyof QuestionedRadar)[];
  ask(radar: QuestionedRadar, lines: number, samples: number): string | undefined;
}

const between = (value: number, least: number, most: number): boolean => value >= least && value <= most;
const wavelength = (radar: QuestionedRadar): number => speedOfLight / radar.carrierHz;
const bandwidth = (radar: QuestionedRadar): number => Math.abs(radar.chirpRateHzPerSecond) * radar.pulseSeconds;

/** Ranges of geosynchronous radars. Their effective velocity may be as low as a few metres per second. */
const geosynchronous = [3.4e7, 4.4e7] as const;

const rules: readonly Rule[] = [
  {
    field: "carrierHz",
    ask({ carrierHz: f }) {
      if (between(f, 1e6, 3e12)) return undefined;
      const [unit, factor] = between(f, 0.03, 1000) ? ["gigahertz", "e9"] : between(f, 1000, 1e6) ? ["megahertz", "e6"] : [];
      const meant = unit ? `: were ${unit} meant (${short(f)}${factor})?` : "; 1 MHz to 3 THz are usual.";
      return `carrierHz is ${short(f)} Hz, which no imaging radar has${meant}`;
    },
  },
  {
    field: "pulseSeconds",
    ask({ pulseSeconds: t, prfHz }) {
      if (t * prfHz <= 1.001) return undefined;
      const meant = t >= 0.1 && t * 1e-6 * prfHz <= 1 ? `were microseconds meant (${short(t)}e-6)?` : "is it right?";
      return `pulseSeconds is ${short(t)} s, longer than the ${short(1 / prfHz)} s from pulse to pulse: ${meant}`;
    },
  },
  {
    field: "samplingRateHz",
    given: ["pulseSeconds"],
    ask(radar) {
      const { samplingRateHz: rate } = radar;
      const band = bandwidth(radar);
      if (band <= rate * 1.0001) return undefined;
      const meant = between(rate * 1e6, band, 100 * band) ? `: were megahertz meant (${short(rate)}e6)?` : ".";
      return `samplingRateHz is ${short(rate)} Hz, below the chirp's bandwidth of ${short(band)} Hz${meant}`;
    },
  },
  {
    field: "chirpRateHzPerSecond",
    given: ["pulseSeconds", "samplingRateHz"],
    ask(radar) {
      const { chirpRateHzPerSecond: rate, samplingRateHz, pulseSeconds } = radar;
      const band = bandwidth(radar);
      if (band * pulseSeconds >= 2 && band * 20 >= samplingRateHz) return undefined;
      const meant = between((band * 1e12) / samplingRateHz, 0.05, 1.0001)
        ? `: were megahertz a microsecond meant (${short(rate)}e12)?`
        : ": is it right?";
      return `chirpRateHzPerSecond is ${short(rate)} Hz/s, which in a pulse sweeps over ${short(band)} Hz of the ${short(samplingRateHz)} Hz sampled${meant}`;
    },
  },
  {
    field: "carrierHz",
    given: ["carrierHz", "pulseSeconds", "samplingRateHz", "chirpRateHzPerSecond"],
    ask(radar) {
      const band = bandwidth(radar);
      if (band <= 2.0001 * radar.carrierHz) return undefined;
      return `carrierHz is ${short(radar.carrierHz)} Hz, less than half of the chirp's bandwidth of ${short(band)} Hz: is it right?`;
    },
  },
  {
    field: "velocityMetersPerSecond",
    ask({ velocityMetersPerSecond: v, nearRangeMeters: r }) {
      if (v === undefined) return undefined;
      if (v > 20_000) return `velocityMetersPerSecond is ${short(v)} m/s, faster than satellites fly: is it right?`;
      // No aircraft sees this far; a radar that does is in orbit.
      if (v < 500 && r > 600_000 && !between(r, ...geosynchronous)) {
        const meant = between(v, 1, 12) ? `: were kilometres a second meant (${short(1000 * v)})?` : ": is either of them wrong?";
        return `velocityMetersPerSecond is ${short(v)} m/s for a radar whose near range is ${short(r / 1000)} km${meant}`;
      }
      return undefined;
    },
  },
  {
    field: "nearRangeMeters",
    given: ["velocityMetersPerSecond"],
    ask({ velocityMetersPerSecond: v, nearRangeMeters: r }) {
      if (v === undefined) return undefined;
      const [least, most] = v >= 3000 ? [100e3, 1e7] : v >= 1200 ? [8e3, 1e8] : v >= 45 ? [30, 600e3] : [0, 600e3];
      if (between(r, least, most) || between(r, ...geosynchronous)) return undefined;
      const [nearest, farthest] = v >= 3000 ? [150e3, 5e6] : [least, most];
      const delay = (r * speedOfLight) / 2;
      const meant = between(1000 * r, nearest, farthest)
        ? `: were kilometres meant (${short(1000 * r)})?`
        : between(delay, nearest, farthest)
          ? `: was it the echo's delay in seconds (${short(delay)} m)?`
          : ": is it right?";
      return `nearRangeMeters is ${short(r)} m for a platform at ${short(v)} m/s${meant}`;
    },
  },
  {
    field: "prfHz",
    given: ["carrierHz", "velocityMetersPerSecond", "nearRangeMeters", "pulseSeconds"],
    ask(radar) {
      const { prfHz, velocityMetersPerSecond: v, nearRangeMeters: r } = radar;
      if (v === undefined) return undefined;
      // Doppler without aliasing needs an antenna of at least two pulse spacings; its far field begins at 2D²/λ.
      const spacing = v / prfHz;
      if ((2 * (2 * spacing) ** 2) / wavelength(radar) <= 10 * r) return undefined;
      const meant =
        (2 * (2 * (spacing / 1000)) ** 2) / wavelength(radar) <= 10 * r && prfHz < 100
          ? `: were kilohertz meant (${short(1000 * prfHz)})?`
          : ": is it right?";
      return `prfHz is ${short(prfHz)} Hz, so that pulses are ${short(spacing)} m apart, more than any antenna's Doppler band allows at this range${meant}`;
    },
  },
  {
    field: "prfHz",
    given: ["prfHz", "samplingRateHz", "pulseSeconds"],
    ask({ prfHz, samplingRateHz }, _, samples) {
      const window = samples / samplingRateHz;
      if (window * prfHz <= 1.001) return undefined;
      return `prfHz is ${short(prfHz)} Hz, but the ${samples} samples of a line take ${short(window)} s, longer than the ${short(1 / prfHz)} s from pulse to pulse: is it right, and is samplingRateHz?`;
    },
  },
];

/**
 * What is implausible about a radar that records `lines` × `samples`: at most one question for each field, none for radars that exist.
 * Questions that need a velocity or an orbit are left out if there is none. Throws `input`, naming `radar.orbit.…`, if the orbit is not
 * valid.
 */
export function questionRadar(radar: QuestionedRadar, lines: number, samples: number): Question[] {
  const asked = new Map<string, string>();
  const known = { ...radar, velocityMetersPerSecond: radar.velocityMetersPerSecond ?? (radar.orbit && meanSpeed(radar.orbit)) };
  for (const { field, given = [], ask } of rules) {
    if (asked.has(field) || given.some((one) => asked.has(one))) continue;
    const text = ask(known as QuestionedRadar, lines, samples);
    if (text !== undefined) asked.set(field, text);
  }
  const questions = [...asked].map(([field, text]) => ({ field: `radar.${field}`, text }));
  return radar.orbit ? [...questions, ...questionOrbit(radar.orbit)] : questions;
}

/** Speed along the straight line between the first two vectors, which is exact enough for questions. */
function meanSpeed(orbit: RadarOrbit): number {
  checkOrbit(orbit, "radar.orbit");
  const [from, to] = [orbit.positionsMeters[0], orbit.positionsMeters[1]];
  return length(vector((k) => to[k] - from[k])) / (orbit.timesSeconds[1] - orbit.timesSeconds[0]);
}

/** The Earth's gravitational constant in m³/s² (WGS84), and its rotation in rad/s. */
const mu = 3.986004418e14;
const rotation = 7.292115e-5;
/** Above this distance from the Earth's centre a platform moves by gravity alone. */
const spaceRadiusMeters = 6.528e6;
/**
 * Deviation in m/s² that a valid orbit may have: half a per cent of gravity. The Earth's flattening, which simulated orbits may leave out,
 * contributes up to 0.025; the interpolation of positions a minute apart contributes 0.007.
 */
const toleranceMeters = 0.04;

/**
 * Asks about an orbit above 150 km that does not move as gravity and the Earth's rotation demand: because of inertial positions, wrong
 * times or a
 * wrong digit. Acceleration in the rotating frame is −μp/|p|³ − 2Ω×v − Ω×(Ω×p) (Vallado, Fundamentals of Astrodynamics, chapter 1 for
 * gravity, section 3.4 for rotating frames). Asks nothing about aircraft. Throws in the cases of `effectiveVelocity` if the orbit is not
 * valid.
 */
export function questionOrbit(orbit: RadarOrbit): Question[] {
  checkOrbit(orbit, "radar.orbit");
  const { timesSeconds: times } = orbit;
  const middle = (times[0] + times[times.length - 1]) / 2;
  const {
    positionMeters: p,
    velocityMetersPerSecond: v,
    accelerationMetersPerSecondSquared: a,
  } = platformState(orbit, middle, undefined, "radar.orbit");
  const r = length(p);
  if (r < spaceRadiusMeters) return [];
  const g = vector((k) => (-mu * p[k]) / r ** 3);
  const spin = [0, 0, rotation] as const;
  const coriolis = cross(spin, v);
  const centrifugal = cross(spin, cross(spin, p));
  const off = (turning: boolean): number => length(vector((k) => a[k] - g[k] + (turning ? 2 * coriolis[k] + centrifugal[k] : 0)));
  const [fixed, inertial] = [off(true), off(false)];
  if (fixed <= toleranceMeters) return [];
  if (inertial < 0.3 * fixed)
    return [
      {
        field: "radar.orbit.positionsMeters",
        text: `orbit moves as in an inertial frame (ECI), ${short(fixed)} m/s² from what an Earth-fixed frame demands: were its positions converted to ECEF?`,
      },
    ];
  return [
    {
      field: "radar.orbit",
      text: `orbit does not move as gravity demands, by ${short(fixed)} of ${short(length(g))} m/s²: are all times, positions and velocities right, in seconds, metres and ECEF?`,
    },
  ];
}
