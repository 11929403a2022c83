/**
 * Pulses for measurements: a full circle around the scene, or a part of it, in the geometry of the public X-band data set on which
 * backprojectors are compared. The samples are noise. Every pulse has its own position, but samples repeat after a few hundred pulses, so
 * that 1.4 GB of profiles need not be stored. Echoes are not simulated: noise takes the same time, and since no pixel stands out, its
 * signal-to-error ratio is a strict measure of accuracy.
 */

import { createRandom, inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import type { HistoryGeometry } from "@dechirp/radar";
import {
  type BackprojectionSource,
  backprojectReference,
  circularTrack,
  compressProfiles,
  type GroundGrid,
  type ProfileInterpolation,
  planCompression,
  type RangeProfiles,
  signalToErrorDb,
} from "@dechirp/sar";

/** Number of pulses of a full circle. */
export const circlePulses = 42_208;
/** Number of pulses after which samples repeat, which is four degrees. */
const ringPulses = 469;
const frequency = { firstHz: 9.288e9, stepHz: 1.4713e6, count: 424 };
const track = { radiusMeters: 7089, altitudeMeters: 7276, firstRadians: 0 };
const sceneMeters = 100;

/** Options of `createBackprojectionWorkload`. */
export interface BackprojectionWorkloadOptions {
  /** Number of pulses. */
  readonly pulses: number;
  /** The arc that the pulses are spread over, in radians. Default: a full circle. */
  readonly arcRadians?: number;
}

/** The samples that repeat from pulse to pulse. */
export interface NoiseSamples {
  /** Number of different pulses. */
  readonly pulses: number;
  /** Number of bins of a profile. */
  readonly bins: number;
  /** Phase histories [pulse][frequency] in float32, complex and interleaved. */
  readonly history: Float32Array;
  /** Profiles [pulse][bin] in float32, complex and interleaved. */
  readonly profiles: Float32Array;
  /** The profiles in float64. */
  readonly exact: Float64Array;
}

/** Creates the samples. Throws `input` if `bins` is not a power of two of at least 512, or too large. */
export const createNoiseSamples = (bins = 4096, pulses = ringPulses): NoiseSamples => runToEnd(ringSteps(bins, pulses));

/** Number of pulses that are compressed, or projected in float64, between two yields. */
const piecePulses = 16;

/** `createNoiseSamples` as a generator that yields every few milliseconds. */
export function* ringSteps(bins = 4096, pulses = ringPulses): Generator<void, NoiseSamples> {
  const random = createRandom(1);
  const history = Float32Array.from({ length: 2 * pulses * frequency.count }, () => random.uniform() - 0.5);
  // Compression does not depend on positions, so they are zero.
  let exact = new Float64Array(0);
  for (let p = 0; p < pulses; p += piecePulses) {
    const some = Math.min(piecePulses, pulses - p);
    const aperture = { positions: new Float64Array(3 * some), referenceRangeMeters: new Float64Array(some) };
    const part = history.subarray(2 * p * frequency.count, 2 * (p + some) * frequency.count);
    const { samples } = compressProfiles({ ...aperture, frequency, samples: part }, { bins, dtype: "c128" });
    // Allocated only after the first call of `compressProfiles` has accepted `bins`.
    if (p === 0) exact = new Float64Array(2 * bins * pulses);
    exact.set(samples, 2 * bins * p);
    yield;
  }
  return { pulses, bins, history, profiles: Float32Array.from(exact), exact };
}

/** The form in which samples are sent: phase histories, which the device compresses, or profiles. */
export type SampleForm = "history" | "profiles";

/** The interpolation between bins in the published experiment. */
export const publishedInterpolation = "linear";

type PulseRun = readonly [first: number, count: number];

/** Pulses of a circular aperture with samples. */
export interface BackprojectionWorkload {
  /** Number of pulses. */
  readonly pulses: number;
  /** Number of bins of a profile. */
  readonly bins: number;
  /** The geometry of the aperture in a form, without samples. */
  source(form: SampleForm): BackprojectionSource;
  /** The samples of consecutive pulses, in portions that are contiguous in memory. */
  portions(form: SampleForm, first: number, count: number): Iterable<Float32Array>;
  /** Bytes of a pulse. */
  pulseBytes(form: SampleForm): number;
  /**
   * Computes a patch of the image of consecutive pulses in float64: [patch.side][patch.side], complex and interleaved. Interpolation
   * defaults to linear, as published.
   */
  reference(grid: GroundGrid, pulses: PulseRun, interpolation?: ProfileInterpolation): Float64Array;
  /** `reference` as a generator that yields every few milliseconds. */
  referenceSteps(grid: GroundGrid, pulses: PulseRun, interpolation?: ProfileInterpolation): Generator<void, Float64Array>;
}

/** A square grid of side × side pixels over 100 m. With fewer than 512 pixels, it covers only the middle, in pixels of 20 cm. */
export function squareGrid(side: number): GroundGrid {
  const step = sceneMeters / Math.max(side, 512);
  const half = (-side / 2) * step;
  return { kind: "ground", nx: side, ny: side, originMeters: [half, half, 0], xStepMeters: [step, 0, 0], yStepMeters: [0, step, 0] };
}

/** Creates the pulses of an aperture. Throws `input` for an invalid number of pulses. */
export function createBackprojectionWorkload(
  ring: NoiseSamples,
  { pulses, arcRadians = 2 * Math.PI }: BackprojectionWorkloadOptions,
): BackprojectionWorkload {
  if (!Number.isInteger(pulses) || pulses < 1 || pulses > circlePulses)
    throw inputError("pulses", `an integer from 1 to ${circlePulses}`, pulses);
  const positions = circularTrack({ ...track, stepRadians: arcRadians / pulses, pulses });
  const referenceRangeMeters = Float64Array.from({ length: pulses }, (_, p) =>
    Math.hypot(positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]),
  );
  const history: HistoryGeometry = { positions, referenceRangeMeters, frequency };
  const { bins } = ring;
  const profiles = planCompression(history, { bins }).geometry;
  const forms = {
    history: { numbers: 2 * frequency.count, samples: ring.history, source: history },
    profiles: { numbers: 2 * bins, samples: ring.profiles, source: profiles },
  } as const;
  return {
    pulses,
    bins,
    source: (form) => forms[form].source,
    portions: (form, from, count) => inTurns(forms[form], ring.pulses, from, count),
    pulseBytes: (form) => 4 * forms[form].numbers,
    reference: (grid, pulses, interpolation) => runToEnd(referenceSteps(grid, pulses, interpolation)),
    referenceSteps,
  };

  function* referenceSteps(
    grid: GroundGrid,
    [from, count]: PulseRun,
    interpolation: ProfileInterpolation = publishedInterpolation,
  ): Generator<void, Float64Array> {
    const { grid: part, side } = patchOf(grid);
    const into = new Float64Array(2 * side * side);
    for (let p = from; p < from + count; ) {
      const at = p % ring.pulses;
      const some = Math.min(piecePulses, ring.pulses - at, from + count - p);
      const run: RangeProfiles = {
        ...profiles,
        positions: positions.subarray(3 * p, 3 * (p + some)),
        referenceRangeMeters: referenceRangeMeters.subarray(p, p + some),
        samples: ring.exact.subarray(2 * bins * at, 2 * bins * (at + some)),
      };
      backprojectReference(run, part, { interpolation, into });
      p += some;
      yield;
    }
    return into;
  }
}

function* inTurns(
  { numbers, samples }: { readonly numbers: number; readonly samples: Float32Array },
  ring: number,
  first: number,
  count: number,
): Generator<Float32Array> {
  for (let p = first; p < first + count; ) {
    const at = p % ring;
    const some = Math.min(ring - at, first + count - p);
    yield samples.subarray(numbers * at, numbers * (at + some));
    p += some;
  }
}

const patchSide = 16;

/** The part of an image that is compared. It is off every axis of symmetry and crosses tiles. */
function patchOf(grid: GroundGrid): { readonly grid: GroundGrid; readonly side: number; readonly x: number; readonly y: number } {
  const { nx, ny, originMeters, xStepMeters, yStepMeters } = grid;
  const side = Math.min(patchSide, nx, ny);
  const x = Math.min(nx - side, Math.floor(0.62 * nx));
  const y = Math.min(ny - side, Math.floor(0.23 * ny));
  const origin = originMeters.map((o, i) => o + x * xStepMeters[i] + y * yStepMeters[i]) as [number, number, number];
  return { grid: { ...grid, nx: side, ny: side, originMeters: origin }, side, x, y };
}

/** Signal-to-error ratio of an image [ny][nx] against a patch that `reference` computed, in dB. */
export function patchErrorDb(image: Float32Array, grid: GroundGrid, reference: Float64Array): number {
  const { side, x, y } = patchOf(grid);
  const patch = new Float32Array(2 * side * side);
  for (let row = 0; row < side; row++) {
    const at = 2 * ((y + row) * grid.nx + x);
    patch.set(image.subarray(at, at + 2 * side), 2 * side * row);
  }
  return signalToErrorDb(patch, reference);
}
