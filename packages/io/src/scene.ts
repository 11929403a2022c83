/**
 * A stripmap scene: the raw echoes of one acquisition and what is needed to focus them. The fields have the names and units that the
 * packages sar and processor take, so that the packages need not import each other.
 */

import { createPause, dtypes, inputError, type Layout, type Pause, scalarCount, type TypedArrayOf } from "@dechirp/core";
import { firstNotFinite, forEachSlice, isArrayOf } from "@dechirp/core/internal";
import type { EchoType, PointTarget, RadarOrbit, RecordedCollection, RecordedRadar } from "@dechirp/radar";
import { fieldError, stateError } from "./file-error.ts";
import { createPulseReader, type PulseReader } from "./pulses.ts";
import { checkOptions } from "./random-access.ts";

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

/** Everything about a scene but its echoes, as plain data. */
export interface SceneFacts {
  readonly name: string;
  readonly radar: SceneRadar;
  /** Linear gain by which each line is to be multiplied, [azimuth line]. Default: 1. */
  readonly lineGain?: Float32Array;
  /** Slow time in seconds at which each recorded line was sent, [azimuth line], on the axis of `radar.startSeconds`. Default: even. */
  readonly pulseSeconds?: Float64Array;
  /** Delay in seconds of the first sample of each line after its pulse was sent, [azimuth line]. Default: that of the near range. */
  readonly firstSampleSeconds?: Float64Array;
  /** Lines that the files mark as bad, in increasing order. Default: none. */
  readonly badPulses?: readonly number[];
  /** The sensor, if its facts are in `sensorPresets`. */
  readonly preset?: SensorPreset;
  /** Doppler bandwidth to process, centred on the Doppler centroid, at most the PRF. Default: chosen by the processor. */
  readonly processedBandwidthHz?: number;
  /** UTC of slow time 0, such as `2026-03-14T11:00:00.25Z`. Default: not known. */
  readonly startUtc?: string;
  /** Who collected it, and how. Default: not known. */
  readonly collection?: RecordedCollection;
  readonly targets: readonly PointTarget[];
  /** Remarks about what was read, one sentence each. */
  readonly notes: readonly string[];
}

/** The contents of a scene's files as plain data. */
export interface SceneData extends SceneFacts {
  /** Echoes [azimuth line][range sample], row-major, interleaved re, im. */
  readonly raw: { readonly layout: Layout<EchoType>; readonly data: TypedArrayOf<EchoType> };
}

/**
 * A scene as a recording that returns its lines, in the form that the processor package takes. If it was read from files, they stay open
 * until `close`, and lines are read when they are asked for.
 */
export interface Scene extends SceneFacts, PulseReader<TypedArrayOf<EchoType>> {
  /** Number of lines (pulses), and number of range samples per line. */
  readonly shape: readonly [lines: number, samples: number];
  /** Element type of the samples. */
  readonly dtype: EchoType;
  /** Whether `pulses` reads into memory that it is given. Absent if it does not. */
  readonly readsInto?: true;
  /** What is known about the sensor beyond the scene's files. */
  readonly sensor?: SensorFacts & { readonly name: SensorPreset };
}

/**
 * Makes a scene of plain data. `pulses` returns views of `raw.data`. Throws `input` if `raw` does not have two axes or its data does not
 * fit its layout.
 */
export function createScene(data: SceneData): Scene {
  if (typeof data !== "object" || data === null) throw inputError("scene", "an object", data);
  const { raw, ...facts } = data;
  const { layout, data: samples } = raw ?? {};
  if (layout?.shape?.length !== 2) throw inputError("scene.raw.layout.shape", "[azimuth][range], two axes", layout?.shape);
  if (!["ci8", "ci16", "c64"].includes(layout.dtype)) throw inputError("scene.raw.layout.dtype", "ci8, ci16 or c64", layout.dtype);
  const [lines, cells] = layout.shape;
  const length = 2 * lines * cells;
  if (!isArrayOf(samples, dtypes[layout.dtype].array) || samples.length !== length)
    throw inputError("scene.raw.data", `${length} numbers of ${layout.dtype}`, samples);
  return sceneOf(facts, [lines, cells], layout.dtype, {
    read: async (from, count, signal) => {
      const some = samples.subarray(2 * from * cells, 2 * (from + count) * cells) as TypedArrayOf<EchoType>;
      await checkFinite("scene", layout.dtype, cells, from, some, createPause(`reading ${facts.name}`, signal));
      return some;
    },
  });
}

/** Reads the lines of a scene: the part of a `PulseSource` that differs between formats. */
export interface EchoSource {
  /** Whether `read` reads into `into`. Default: false. */
  readonly readsInto?: boolean;
  /** Reads lines that exist, checked. */
  read(from: number, count: number, signal: AbortSignal, into?: TypedArrayOf<EchoType>): Promise<TypedArrayOf<EchoType>>;
  close?(): Promise<void>;
}

/** Makes a scene of its facts and of a function that reads its lines. */
export function sceneOf(facts: SceneFacts, shape: readonly [lines: number, samples: number], dtype: EchoType, source: EchoSource): Scene {
  const { name, preset } = facts;
  return {
    ...facts,
    shape,
    dtype,
    ...(source.readsInto && { readsInto: true }),
    ...(preset === undefined ? {} : { sensor: { name: preset, ...sensorPresets[preset] } }),
    ...createPulseReader({ ...source, name, shape, pulseBytes: shape[1] * dtypes[dtype].bytes }),
  };
}

/**
 * Reads all lines of a scene into memory: plain data, which `createScene` and the writers take. The scene stays open. Rejects as `pulses`
 * does.
 */
export async function sceneData(scene: Scene, options: { readonly signal?: AbortSignal } = {}): Promise<SceneData> {
  const { signal } = checkOptions(options, { signal: true }, "sceneData");
  if (typeof scene !== "object" || scene === null || typeof scene.pulses !== "function") throw inputError("scene", "a scene", scene);
  const { shape, dtype, readsInto: _, sensor: __, pulses, blocks: ___, close: ____, [Symbol.asyncDispose]: _____, ...facts } = scene;
  return { ...facts, raw: { layout: { dtype, shape }, data: await pulses(0, shape[0], signal ? { signal } : {}) } };
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
  await checkFinite(file, layout.dtype, layout.shape[1], 0, data, pause);
}

/** Throws `input`, which names `file`, for a sample that is not finite. `data` are lines of `cells` samples from line `from`. */
export async function checkFinite(
  file: string,
  dtype: EchoType,
  cells: number,
  from: number,
  data: TypedArrayOf<EchoType>,
  pause: Pause,
): Promise<void> {
  if (dtype !== "c64") return;
  const bad = await firstNotFinite(data, pause);
  if (bad !== -1) throw fieldError(file, sampleName(bad, cells, from), "finite", data[bad]);
}

/** Throws `input`, which names `file`, if a number of a line is missing or not finite, or if bad lines are not lines in order. */
export function checkPulseFacts(file: string, lines: number, facts: Omit<SceneFacts, "name" | "radar" | "targets" | "notes">): void {
  for (const name of ["pulseSeconds", "firstSampleSeconds"] as const) {
    const seconds = facts[name];
    if (seconds === undefined) continue;
    if (!isArrayOf(seconds, Float64Array)) throw fieldError(file, name, "a Float64Array", seconds);
    if (seconds.length !== lines) throw stateError(file, name, `${lines} numbers, one per line`, `${seconds.length} numbers`);
    const bad = seconds.findIndex((value) => !Number.isFinite(value));
    if (bad !== -1) throw fieldError(file, `${name}[${bad}]`, "a finite number", seconds[bad]);
  }
  const { badPulses } = facts;
  if (badPulses === undefined) return;
  if (!Array.isArray(badPulses)) throw fieldError(file, "badPulses", "a list of lines", badPulses);
  const wrong = badPulses.findIndex((line, i) => !(Number.isInteger(line) && line >= 0 && line < lines && !(line <= badPulses[i - 1])));
  if (wrong !== -1)
    throw fieldError(file, `badPulses[${wrong}]`, `a line from 0 to ${lines - 1}, after the one before it`, badPulses[wrong]);
}

/** Throws `input`, which names `file`, if `lineGain` is given and does not hold a positive gain for each of `lines`. */
export function checkLineGain(file: string, lines: number, lineGain: Float32Array | undefined): void {
  if (!lineGain) return;
  if (!isArrayOf(lineGain, Float32Array)) throw fieldError(file, "lineGain", "a Float32Array", lineGain);
  if (lineGain.length !== lines) throw stateError(file, "lineGain", `${lines} gains, one per line`, `${lineGain.length} gains`);
  const bad = lineGain.findIndex((gain) => !(gain > 0 && Number.isFinite(gain)));
  if (bad !== -1) throw fieldError(file, `lineGain[${bad}]`, "a positive number", lineGain[bad]);
}

/** Names the sample that contains the number at `index` of interleaved lines from line `from`. */
const sampleName = (index: number, cells: number, from: number): string =>
  `raw[${from + Math.floor(index / 2 / cells)}][${Math.floor(index / 2) % cells}]`;

/**
 * If the largest magnitude of a scene is below this, its float32 samples would lose digits or vanish: 2^-102, 24 bits above the
 * smallest normal number.
 */
const smallestPeak = 2 ** -102;

/**
 * Rounds lines of float64 echoes, from line `from`, to the nearest float32 (c64). Throws `input`, which names `file` and the sample, for a
 * number that is not finite or beyond the range of float32 (about 3.4e38).
 */
export async function roundedEchoes(
  file: string,
  cells: number,
  from: number,
  data: Float64Array,
  pause: Pause,
): Promise<{ readonly data: Float32Array; readonly peak: number }> {
  const rounded = new Float32Array(data.length);
  let peak = 0;
  await forEachSlice(data.length, pause, (start, end) => {
    for (let i = start; i < end; i++) {
      rounded[i] = data[i];
      if (!Number.isFinite(rounded[i])) {
        const expected = Number.isFinite(data[i]) ? "within the range of float32 (3.4e38): scale the samples" : "finite";
        throw fieldError(file, sampleName(i, cells, from), expected, data[i]);
      }
      peak = Math.max(peak, Math.abs(data[i]));
    }
  });
  return { data: rounded, peak };
}

/** Whether float32 can hold echoes whose largest magnitude is at least `peak`. */
export const isLargeEnough = (peak: number): boolean => peak >= smallestPeak;

/** Throws `input`, which names `file`, if the largest magnitude of a scene is not zero and too small for float32. */
export function checkPeak(file: string, peak: number): void {
  if (peak > 0 && !isLargeEnough(peak))
    throw fieldError(file, "the largest sample", `at least ${smallestPeak.toExponential(1)} for float32 to hold: scale the samples`, peak);
}
