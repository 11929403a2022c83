/**
 * A scene: the raw echoes of one stripmap acquisition with what is needed to focus them. Its fields have the names and units that the
 * packages sar and processor take, so that one fits the other without either package importing the other.
 */

import { dtypes, inputError, type Layout, type Pause, scalarCount, type TypedArrayOf } from "@dechirp/core";
import { firstNotFinite, forEachSlice, isArrayOf } from "@dechirp/core/internal";
import type { EchoType, PointTarget, RadarOrbit, RecordedRadar } from "@dechirp/radar";
import { fieldError, stateError } from "./file-error.ts";

/** The radar of a scene as its file states it. It states a velocity, an orbit, or both. */
export type SceneRadar = Omit<RecordedRadar, "orbit"> & { readonly orbit?: SceneOrbit };

/** State vectors as scene.json holds them: plain lists, and a side that must be stated. */
export interface SceneOrbit extends RadarOrbit {
  readonly timesSeconds: readonly number[];
  readonly positionsMeters: readonly (readonly number[])[];
  readonly velocitiesMetersPerSecond?: readonly (readonly number[])[];
  readonly lookSide: "left" | "right";
}

/** What a scene's files hold: plain data. */
export interface SceneData {
  readonly name: string;
  readonly radar: SceneRadar;
  /** Echoes [azimuth line][range sample], row-major, real and imaginary interleaved. */
  readonly raw: { readonly layout: Layout<EchoType>; readonly data: TypedArrayOf<EchoType> };
  /** Linear gain to multiply each line with, [azimuth line]; 1 where left out. */
  readonly lineGain?: Float32Array;
  /** The sensor whose facts `sensorPresets` holds. */
  readonly preset?: SensorPreset;
  /** Doppler band to be processed, around the centroid, at most the PRF; the processor's choice where left out. */
  readonly processedBandwidthHz?: number;
  readonly targets: readonly PointTarget[];
  /** Remarks on what was read, one sentence each. */
  readonly notes: readonly string[];
}

/** A scene as a recording that hands out its lines, as the processor package takes it. */
export interface Scene extends SceneData {
  /** Lines (pulses), range samples of a line. */
  readonly shape: readonly [lines: number, samples: number];
  /** How the samples are stored. */
  readonly dtype: EchoType;
  /** What is known of the scene's sensor beside its files. */
  readonly sensor?: SensorFacts & { readonly name: SensorPreset };
  /** Lines `from` to `from + count − 1`, [count][sample], interleaved: a view of `raw.data`. */
  pulses(from: number, count: number): TypedArrayOf<EchoType>;
}

/** The recording of plain data. Throws `input` where `raw` is not of two axes. */
export function createScene(data: SceneData): Scene {
  if (typeof data !== "object" || data === null) throw inputError("scene", "an object", data);
  const { layout, data: samples } = data.raw ?? {};
  if (layout?.shape?.length !== 2) throw inputError("scene.raw.layout.shape", "of two axes, [azimuth][range]", layout?.shape);
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

/** What data files leave out about a sensor. */
export interface SensorFacts {
  readonly chirpSign: 1 | -1;
  readonly velocityMetersPerSecond: number;
  /** Doppler centroid of the sensor's CD scenes, right to within half a PRF: a fallback that resolves the ambiguity. */
  readonly dopplerCentroidHz: number;
  /** Constants that identify the sensor in a file. */
  readonly carrierHz: number;
  readonly samplingRateHz: number;
  readonly chirpRateMagnitudeHzPerSecond: number;
}

/**
 * RADARSAT-1, Fine beam, as on the CD of Cumming & Wong, Digital Processing of Synthetic Aperture Radar Data (2005),
 * appendix A: the chirp goes down although the files state a positive rate; velocity and Doppler centroid are not in
 * the files.
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

/** Name of a sensor that `sensorPresets` describes. */
export type SensorPreset = keyof typeof sensorPresets;

/** Throws `input`, naming `file`, for a band to be processed that is wider than the PRF. */
export function checkProcessedBandwidth(
  file: string,
  { radar, processedBandwidthHz }: Pick<SceneData, "radar" | "processedBandwidthHz">,
): void {
  if (processedBandwidthHz === undefined || processedBandwidthHz <= radar.prfHz) return;
  throw fieldError(file, "processedBandwidthHz", `at most the PRF of ${radar.prfHz} Hz`, processedBandwidthHz);
}

/** Throws `input`, naming `file`, unless raw data is of two axes and finite. */
export async function checkEchoes(file: string, raw: SceneData["raw"], pause: Pause): Promise<void> {
  const { layout, data } = raw;
  if (layout.shape.length !== 2) throw fieldError(file, "raw", "of two axes, [azimuth][range]", layout.shape);
  if (!(data instanceof dtypes[layout.dtype].array) || data.length !== scalarCount(layout)) {
    throw fieldError(file, "raw", `${scalarCount(layout)} numbers of ${layout.dtype}`, data);
  }
  if (layout.dtype !== "c64") return;
  const bad = await firstNotFinite(data, pause);
  if (bad !== -1) throw fieldError(file, sampleName(bad, layout.shape), "finite", data[bad]);
}

/** Throws `input`, naming `file`, unless there is a positive gain for each of `lines`. */
export function checkLineGain(file: string, lines: number, lineGain: Float32Array | undefined): void {
  if (!lineGain) return;
  if (!isArrayOf(lineGain, Float32Array)) throw fieldError(file, "lineGain", "a Float32Array", lineGain);
  if (lineGain.length !== lines) throw stateError(file, "lineGain", `${lines} gains, one per line`, `${lineGain.length} gains`);
  const bad = lineGain.findIndex((gain) => !(gain > 0 && Number.isFinite(gain)));
  if (bad !== -1) throw fieldError(file, `lineGain[${bad}]`, "a positive number", lineGain[bad]);
}

/** The sample that the number at `index` of interleaved data is a part of. */
const sampleName = (index: number, [, samples]: readonly number[]): string =>
  `raw[${Math.floor(index / 2 / samples)}][${Math.floor(index / 2) % samples}]`;

/** Largest magnitude below which a scene's float32 samples would lose digits or vanish: 2^-102, 24 bits above the least normal number. */
const smallestPeak = 2 ** -102;

/**
 * float64 echoes as c64, each number rounded to the nearest float32. Throws `input`, naming `file` and the sample, for a
 * number that is not finite or beyond float32's range (about 3.4e38), and where all samples are too small for float32.
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
