/**
 * A stripmap scene: the raw echoes of one acquisition and what is needed to focus them. The fields have the names and units that the
 * packages sar and processor take, so that the packages need not import each other.
 */

import { dtypes, inputError, type Layout, type Pause, scalarCount, type TypedArrayOf } from "@dechirp/core";
import { firstNotFinite, forEachSlice, isArrayOf } from "@dechirp/core/internal";
import type { EchoType, PointTarget, RadarOrbit, RecordedRadar } from "@dechirp/radar";
import { fieldError, stateError } from "./file-error.ts";

/** Radar parameters of a scene, as its file states them: a velocity, an orbit, or both. */
export type SceneRadar = Omit<RecordedRadar, "orbit"> & { readonly orbit?: SceneOrbit };

/** Orbit state vectors as scene.json holds them: plain lists on the slow-time axis of the lines, and the look side, which is required. */
export interface SceneOrbit extends RadarOrbit {
  /** Increasing times. At least four are needed, around the middle of the recording. */
  readonly timesSeconds: readonly number[];
  /** Earth-fixed positions (ECEF, WGS84), [vector][x, y, z]. */
  readonly positionsMeters: readonly (readonly number[])[];
  /** Velocities in the same frame. Optional. */
  readonly velocitiesMetersPerSecond?: readonly (readonly number[])[];
  readonly lookSide: "left" | "right";
}

/** The contents of a scene's files as plain data. */
export interface SceneData {
  readonly name: string;
  readonly radar: SceneRadar;
  /** Echoes [azimuth line][range sample], row-major, interleaved re, im. */
  readonly raw: { readonly layout: Layout<EchoType>; readonly data: TypedArrayOf<EchoType> };
  /** Linear gain by which each line is to be multiplied, [azimuth line]. Default: 1. */
  readonly lineGain?: Float32Array;
  /** The sensor, if its facts are in `sensorPresets`. */
  readonly preset?: SensorPreset;
  /** Doppler bandwidth to process, centred on the Doppler centroid, at most the PRF. Default: chosen by the processor. */
  readonly processedBandwidthHz?: number;
  readonly targets: readonly PointTarget[];
  /** Remarks about what was read, one sentence each. */
  readonly notes: readonly string[];
}

/** A scene as a recording that returns its lines, in the form that the processor package takes. */
export interface Scene extends SceneData {
  /** Number of lines (pulses), and number of range samples per line. */
  readonly shape: readonly [lines: number, samples: number];
  /** Element type of the stored samples. */
  readonly dtype: EchoType;
  /** What is known about the sensor beyond the scene's files. */
  readonly sensor?: SensorFacts & { readonly name: SensorPreset };
  /** Returns lines `from` to `from + count − 1`, [count][sample], interleaved, as a view of `raw.data`. */
  pulses(from: number, count: number): TypedArrayOf<EchoType>;
}

/** Makes a scene of plain data. Throws `input` if `raw` does not have two axes. */
export function createScene(data: SceneData): Scene {
  if (typeof data !== "object" || data === null) throw inputError("scene", "an object", data);
  const { layout, data: samples } = data.raw ?? {};
  if (layout?.shape?.length !== 2) throw inputError("scene.raw.layout.shape", "[azimuth][range], two axes", layout?.shape);
  const [lines, cells] = layout.shape;
  const { preset } = data;
  return {
    ...data,
    shape: [lines, cells],
    dtype: layout.dtype,
    ...(preset === undefined ? {} : { sensor: { name: preset, ...sensorPresets[preset] } }),
    pulses: (from, count) => samples.subarray(2 * from * cells, 2 * (from + count) * cells) as TypedArrayOf<EchoType>,
  };
}

/** Facts about a sensor that its data files leave out. */
export interface SensorFacts {
  readonly chirpSign: 1 | -1;
  readonly velocityMetersPerSecond: number;
  /**
   * Doppler centroid of the sensor's CD scenes, correct to within half a PRF. It serves as a fallback that resolves the Doppler
   * ambiguity.
   */
  readonly dopplerCentroidHz: number;
  /** Constants that identify the sensor in a file. */
  readonly carrierHz: number;
  readonly samplingRateHz: number;
  readonly chirpRateMagnitudeHzPerSecond: number;
}

/**
 * Known sensors. RADARSAT-1 in Fine beam, as on the CD of Cumming & Wong, Digital Processing of Synthetic Aperture Radar Data (2005),
 * appendix A: the chirp is a down-chirp although the files state a positive rate, and the files do not state the velocity and the
 * Doppler centroid.
 */
export const sensorPresets = {
  "radarsat-1-fine": {
    chirpSign: -1,
    velocityMetersPerSecond: 7062,
    dopplerCentroidHz: -6900,
    carrierHz: 5.3e9,
    samplingRateHz: 32.317e6,
    chirpRateMagnitudeHzPerSecond: 0.72135e12,
  },
} as const satisfies Record<string, SensorFacts>;

/** Name of a sensor in `sensorPresets`. */
export type SensorPreset = keyof typeof sensorPresets;

/** Throws `input`, which names `file`, if the processed bandwidth is wider than the PRF. */
export function checkProcessedBandwidth(
  file: string,
  { radar, processedBandwidthHz }: Pick<SceneData, "radar" | "processedBandwidthHz">,
): void {
  if (processedBandwidthHz === undefined || processedBandwidthHz <= radar.prfHz) return;
  throw fieldError(file, "processedBandwidthHz", `at most the PRF of ${radar.prfHz} Hz`, processedBandwidthHz);
}

/** Throws `input`, which names `file`, if the raw data does not have two axes or holds a sample that is not finite. */
export async function checkEchoes(file: string, raw: SceneData["raw"], pause: Pause): Promise<void> {
  const { layout, data } = raw;
  if (layout.shape.length !== 2) throw fieldError(file, "raw", "[azimuth][range], two axes", layout.shape);
  if (!(data instanceof dtypes[layout.dtype].array) || data.length !== scalarCount(layout)) {
    throw fieldError(file, "raw", `${scalarCount(layout)} numbers of ${layout.dtype}`, data);
  }
  if (layout.dtype !== "c64") return;
  const bad = await firstNotFinite(data, pause);
  if (bad !== -1) throw fieldError(file, sampleName(bad, layout.shape), "finite", data[bad]);
}

/** Throws `input`, which names `file`, if `lineGain` is given and does not hold a positive gain for each of `lines`. */
export function checkLineGain(file: string, lines: number, lineGain: Float32Array | undefined): void {
  if (!lineGain) return;
  if (!isArrayOf(lineGain, Float32Array)) throw fieldError(file, "lineGain", "a Float32Array", lineGain);
  if (lineGain.length !== lines) throw stateError(file, "lineGain", `${lines} gains, one per line`, `${lineGain.length} gains`);
  const bad = lineGain.findIndex((gain) => !(gain > 0 && Number.isFinite(gain)));
  if (bad !== -1) throw fieldError(file, `lineGain[${bad}]`, "a positive number", lineGain[bad]);
}

/** Names the sample that contains the number at `index` of interleaved data. */
const sampleName = (index: number, [, samples]: readonly number[]): string =>
  `raw[${Math.floor(index / 2 / samples)}][${Math.floor(index / 2) % samples}]`;

/**
 * If the largest magnitude of a scene is below this, its float32 samples would lose digits or vanish: 2^-102, 24 bits above the
 * smallest normal number.
 */
const smallestPeak = 2 ** -102;

/**
 * Rounds float64 echoes to the nearest float32 (c64). Throws `input`, which names `file` and the sample, for a number that is not
 * finite or beyond the range of float32 (about 3.4e38), and if all samples are too small for float32.
 */
export async function roundedEchoes(file: string, shape: readonly number[], data: Float64Array, pause: Pause): Promise<SceneData["raw"]> {
  const rounded = new Float32Array(data.length);
  let peak = 0;
  await forEachSlice(data.length, pause, (from, to) => {
    for (let i = from; i < to; i++) {
      rounded[i] = data[i];
      if (!Number.isFinite(rounded[i])) {
        const expected = Number.isFinite(data[i]) ? "within the range of float32 (3.4e38): scale the samples" : "finite";
        throw fieldError(file, sampleName(i, shape), expected, data[i]);
      }
      peak = Math.max(peak, Math.abs(data[i]));
    }
  });
  if (peak > 0 && peak < smallestPeak)
    throw fieldError(file, "the largest sample", `at least ${smallestPeak.toExponential(1)} for float32 to hold: scale the samples`, peak);
  return { layout: { dtype: "c64", shape }, data: rounded };
}
