/**
 * Phase histories of point targets from any platform track, by definition and in float64, and two tracks: a circle around
 * the scene, and a straight line. Not simulated: antenna patterns, range fall-off, motion during a pulse. Targets are
 * isotropic and always seen.
 */

import { createRandom, inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { type PhaseHistory, type PulseFrequencies, speedOfLight } from "@dechirp/radar";
import { type Noise, noiseSigma } from "../simulate/options.ts";
import { checkVector, type Vec3 } from "./grid.ts";
import { checkPhaseHistory, maxPulses } from "./profiles.ts";

/** A point scatterer in the frame of the track. */
export interface PlacedTarget {
  readonly positionMeters: Vec3;
  /** Linear amplitude. */
  readonly amplitude: number;
  /** Phase of its reflectivity. Default: 0. */
  readonly phaseRadians?: number;
}

/** What `simulatePhaseHistory` simulates. */
export interface PhaseHistoryOptions {
  /** Platform positions [pulse][3], metres. */
  readonly positions: Float64Array;
  readonly frequency: PhaseHistory["frequency"];
  /** Frequencies of each pulse, if they differ. Default: `frequency`. */
  readonly pulseFrequencies?: PulseFrequencies;
  readonly targets: readonly PlacedTarget[];
  /**
   * The point whose range from the platform is r₀ of each pulse (spotlight), or one range for all pulses (stripmap). Default: the origin.
   */
  readonly reference?: Vec3 | number;
  /** Noise of each frequency and pulse. Default: none. */
  readonly noise?: Noise;
  /** Integer from 0 to 2³² − 1 that noise is drawn from. Default: 0. */
  readonly seed?: number;
}

const mostTerms = 2 ** 32;
/** Streams of the seed: this plus p for the noise of pulse p. */
const noiseStream = 0x20000;

/** fp[p][k] = Σ a·exp(jφ − j4πf_k(|A_p − s| − r₀_p)/c) + noise. Throws `input` naming the field. */
export function simulatePhaseHistory(options: PhaseHistoryOptions): PhaseHistory {
  const { positions, frequency, pulseFrequencies, targets, reference = [0, 0, 0], noise, seed = 0 } = options;
  const pulses = isArrayOf(positions, Float64Array) ? Math.floor(positions.length / 3) : 0;
  const count = frequency?.count;
  if (!(pulses * count <= 2 ** 27))
    throw inputError("frequency.count", "a number of frequencies that, times pulses, is at most 2^27", count);
  const referenceRangeMeters = new Float64Array(pulses);
  const history: PhaseHistory = {
    positions,
    referenceRangeMeters,
    frequency,
    ...(pulseFrequencies && { pulseFrequencies }),
    samples: new Float32Array(2 * pulses * count),
  };
  checkPhaseHistory(history);
  checkTargets(targets, pulses * count);
  if (typeof reference !== "number") checkVector(reference, "reference");
  else if (!Number.isFinite(reference)) throw inputError("reference", "a point or a finite range", reference);
  const sigma = noise === undefined ? 0 : noiseSigma(noise);

  const line = new Float64Array(2 * count);
  for (let p = 0; p < pulses; p++) {
    const [firstHz, stepHz] = pulseFrequencies
      ? [pulseFrequencies.firstHz[p], pulseFrequencies.stepHz[p]]
      : [frequency.firstHz, frequency.stepHz];
    referenceRangeMeters[p] = typeof reference === "number" ? reference : distance(positions, p, reference);
    line.fill(0);
    for (const { positionMeters, amplitude, phaseRadians = 0 } of targets) {
      const delay = (2 * (distance(positions, p, positionMeters) - referenceRangeMeters[p])) / speedOfLight;
      for (let k = 0; k < count; k++) {
        const cycles = (firstHz + k * stepHz) * delay;
        const angle = phaseRadians - 2 * Math.PI * (cycles - Math.round(cycles));
        line[2 * k] += amplitude * Math.cos(angle);
        line[2 * k + 1] += amplitude * Math.sin(angle);
      }
    }
    if (sigma > 0) {
      const random = createRandom(seed, noiseStream + p);
      for (let i = 0; i < line.length; i++) line[i] += sigma * Math.SQRT1_2 * random.gaussian();
    }
    history.samples.set(line, 2 * count * p);
  }
  return history;
}

function distance(positions: Float64Array, p: number, [x, y, z]: Vec3): number {
  const dx = positions[3 * p] - x;
  const dy = positions[3 * p + 1] - y;
  const dz = positions[3 * p + 2] - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

function checkTargets(targets: readonly PlacedTarget[], samples: number): void {
  const most = Math.min(100_000, Math.floor(mostTerms / samples));
  if (!Array.isArray(targets) || targets.length > most) throw inputError("targets", `a list of at most ${most} targets`, targets);
  targets.forEach((target: PlacedTarget, i) => {
    checkVector(target?.positionMeters, `targets[${i}].positionMeters`);
    for (const field of ["amplitude", "phaseRadians"] as const) {
      const value = target[field] ?? (field === "phaseRadians" ? 0 : undefined);
      if (!Number.isFinite(value)) throw inputError(`targets[${i}].${field}`, "a finite number", value);
    }
  });
}

function checkPulseCount(pulses: number): void {
  if (!Number.isInteger(pulses) || pulses < 1 || pulses > maxPulses)
    throw inputError("pulses", `an integer from 1 to ${maxPulses}`, pulses);
}

function checkNumber(value: number, field: string): void {
  if (!Number.isFinite(value)) throw inputError(field, "a finite number", value);
}

/** Positions [pulses][3] on a level circle about the z axis: pulse p at azimuth first + p·step, counter-clockwise from +x. Throws `input`. */
export function circularTrack(track: {
  readonly radiusMeters: number;
  readonly altitudeMeters: number;
  readonly firstRadians: number;
  readonly stepRadians: number;
  readonly pulses: number;
}): Float64Array {
  for (const field of ["radiusMeters", "altitudeMeters", "firstRadians", "stepRadians"] as const) checkNumber(track[field], field);
  const { radiusMeters, altitudeMeters, firstRadians, stepRadians, pulses } = track;
  checkPulseCount(pulses);
  const positions = new Float64Array(3 * pulses);
  for (let p = 0; p < pulses; p++) {
    const angle = firstRadians + p * stepRadians;
    positions.set([radiusMeters * Math.cos(angle), radiusMeters * Math.sin(angle), altitudeMeters], 3 * p);
  }
  return positions;
}

/** Positions [pulses][3] on a straight line, evenly spaced, `middleMeters` half-way between the first and the last. Throws `input`. */
export function linearTrack(track: { readonly middleMeters: Vec3; readonly stepMeters: Vec3; readonly pulses: number }): Float64Array {
  const { middleMeters, stepMeters, pulses } = track;
  checkVector(middleMeters, "middleMeters");
  checkVector(stepMeters, "stepMeters");
  checkPulseCount(pulses);
  const positions = new Float64Array(3 * pulses);
  for (let i = 0; i < positions.length; i++)
    positions[i] = middleMeters[i % 3] + (Math.floor(i / 3) - (pulses - 1) / 2) * stepMeters[i % 3];
  return positions;
}
