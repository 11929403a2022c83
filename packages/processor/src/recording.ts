/**
 * The recordings that can be processed. A recording is plain facts and one function, `pulses`, which returns its pulses in order, so a
 * recording need not be in memory as a whole. The readers of `@dechirp/io` return objects of these types; any other object of the same
 * shape will do. This file checks the types of the facts; the packages sar and stap check their meaning.
 */

import { dtypes, inputError, isRadarError, type Pause, RadarError, type TypedArrayOf } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkObject, firstNotFinite, isArrayOf, unlessAborted } from "@dechirp/core/internal";
import type {
  EarthFrame,
  EchoType,
  HistoryGeometry,
  PointTarget,
  PulseCorrections,
  RecordedCollection,
  RecordedRadar,
} from "@dechirp/radar";
import type { SceneArea } from "@dechirp/sar";
import { recordingError } from "./blame.ts";

/** Echoes as interleaved real and imaginary parts. */
export type Echoes = TypedArrayOf<EchoType>;

/** Facts about a sensor that its recordings do not state. */
export interface SensorKnowledge {
  readonly name: string;
  /** Effective velocity. */
  readonly velocityMetersPerSecond?: number;
  /** Doppler centroid, correct to within half a PRF. It resolves the ambiguity of a measured centroid. */
  readonly dopplerCentroidHz?: number;
}

/** The raw echoes of one stripmap acquisition and what is needed to focus them. */
export interface StripmapRecording {
  readonly name: string;
  /** Number of lines (pulses), and number of range samples per line. */
  readonly shape: readonly [lines: number, samples: number];
  readonly dtype: EchoType;
  readonly radar: RecordedRadar;
  /** Linear gain by which each line is to be multiplied, [line]. Default: 1. */
  readonly lineGain?: ArrayLike<number>;
  /** Slow time in seconds at which each line was sent, [line], on the axis of `radar.startSeconds`. Default: evenly spaced at the PRF. */
  readonly pulseSeconds?: Float64Array;
  /** Delay in seconds of the first sample of each line after its pulse was sent, [line]. Default: that of `radar.nearRangeMeters`. */
  readonly firstSampleSeconds?: Float64Array;
  /** Lines that the files mark as bad, in increasing order. Default: none. */
  readonly badPulses?: readonly number[];
  /** Doppler bandwidth to process, centred on the Doppler centroid. Default: the whole PRF. */
  readonly processedBandwidthHz?: number;
  readonly sensor?: SensorKnowledge;
  /** UTC of slow time 0, such as `2026-03-14T11:00:00.25Z`. Default: not known. */
  readonly startUtc?: string;
  /** Who collected it, and how. Default: not known. */
  readonly collection?: RecordedCollection;
  /** Point targets that are known to be in the recording. */
  readonly targets?: readonly PointTarget[];
  /** Remarks about what was read, one sentence each. The report lists them. */
  readonly notes?: readonly string[];
  /**
   * Whether `pulses` can read lines into memory that it is given, which saves a copy. After a signal, the memory stays in use until the promise of
   * `pulses` settles. Default: false.
   */
  readonly readsInto?: boolean;
  /**
   * Returns lines `from` to `from + count − 1`, [count][samples], interleaved. The processor reads the array immediately and never
   * changes it. If `readsInto`, `into` may be an array of the type and length of the result; lines that are read into it are its result.
   * The signal cancels a read that takes long; the promise should reject soon after it has fired.
   */
  pulses(from: number, count: number, options?: LinesOptions): Echoes | Promise<Echoes>;
}

/** Options of a stripmap recording's `pulses`. */
export interface LinesOptions {
  /** Cancels the read. */
  readonly signal?: AbortSignal;
  /** Memory for the lines, which the recording may use or ignore. Threads may share it. Only given to recordings with `readsInto`. */
  readonly into?: Echoes;
}

/** The spectra of the pulses of a moving radar. Each pulse is motion-compensated to a reference range. */
export interface PhaseHistoryRecording extends HistoryGeometry {
  readonly name: string;
  /** Number of pulses, and number of frequencies per pulse. */
  readonly shape: readonly [pulses: number, frequencies: number];
  /** Corrections that have not been applied to the samples. */
  readonly autofocus?: PulseCorrections;
  /** The scene as the recording describes it, a rectangle of the plane z = 0. It is the default grid. */
  readonly area?: SceneArea;
  /** Where the frame of the positions is on earth. Default: not known, so that its images have no place on earth. */
  readonly frame?: EarthFrame;
  /** By pulse: seconds after `startUtc`, halfway between transmission and reception. Default: not known. */
  readonly pulseSeconds?: Float64Array;
  /** UTC of `pulseSeconds` 0, such as `2026-03-14T11:00:00.25Z`. Default: not known. */
  readonly startUtc?: string;
  /** Who collected it, and how. Default: not known. */
  readonly collection?: RecordedCollection;
  readonly notes?: readonly string[];
  /**
   * Returns pulses `from` to `from + count − 1`, [count][frequency], interleaved. The processor reads the array immediately and never
   * changes it. The signal cancels a read that takes long; the promise should reject soon after it has fired.
   */
  pulses(from: number, count: number, options?: { readonly signal?: AbortSignal }): Float32Array | Promise<Float32Array>;
}

/** Prefix of field names in errors about recordings. */
const recording = "recording";

/**
 * Throws `input`, which names the field, if `given` is not a stripmap recording. The values of its radar parameters are checked where
 * they are used.
 */
export function checkStripmap(given: StripmapRecording): void {
  checkObject(given, recording, "input");
  checkName(given);
  const [lines] = checkShape(given.shape);
  if (!["ci8", "ci16", "c64"].includes(given.dtype)) throw inputError("recording.dtype", "ci8, ci16 or c64", given.dtype);
  checkRadar(given.radar);
  const { lineGain, processedBandwidthHz, sensor, targets = [] } = given;
  if (lineGain !== undefined && lineGain?.length !== lines)
    throw inputError("recording.lineGain", `${lines} gains, one for each line`, lineGain);
  checkLineTimes(given, lines);
  checkOrigin(given);
  if (processedBandwidthHz !== undefined && !Number.isFinite(processedBandwidthHz))
    throw inputError("recording.processedBandwidthHz", "a finite number", processedBandwidthHz);
  if (sensor !== undefined) checkSensor(sensor);
  if (!Array.isArray(targets)) throw inputError("recording.targets", "a list", targets);
  if (given.readsInto !== undefined && typeof given.readsInto !== "boolean")
    throw inputError("recording.readsInto", "true or false", given.readsInto);
  targets.forEach(checkTarget);
  checkNotes(given);
  checkPulses(given);
}

function checkLineTimes(given: StripmapRecording, lines: number): void {
  for (const name of ["pulseSeconds", "firstSampleSeconds"] as const) {
    const seconds = given[name];
    if (seconds === undefined) continue;
    if (!isArrayOf(seconds, Float64Array) || seconds.length !== lines)
      throw inputError(`recording.${name}`, `a Float64Array of ${lines} numbers`, seconds);
    const bad = seconds.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw inputError(`recording.${name}[${bad}]`, "a finite number", seconds[bad]);
  }
  const { badPulses } = given;
  if (badPulses === undefined) return;
  if (!Array.isArray(badPulses)) throw inputError("recording.badPulses", "a list of lines", badPulses);
  const wrong = badPulses.findIndex((line, i) => !(Number.isInteger(line) && line >= 0 && line < lines && !(line <= badPulses[i - 1])));
  if (wrong >= 0)
    throw inputError(`recording.badPulses[${wrong}]`, `a line from 0 to ${lines - 1}, after the one before it`, badPulses[wrong]);
}

function checkSensor(sensor: SensorKnowledge): void {
  checkObject(sensor, "recording.sensor", "input");
  if (typeof sensor.name !== "string") throw inputError("recording.sensor.name", "a text", sensor.name);
  for (const name of ["velocityMetersPerSecond", "dopplerCentroidHz"] as const)
    if (sensor[name] !== undefined && !Number.isFinite(sensor[name]))
      throw inputError(`recording.sensor.${name}`, "a finite number", sensor[name]);
}

function checkTarget(target: PointTarget, i: number): void {
  const field = `recording.targets[${i}]`;
  checkObject(target, field, "input");
  if (typeof target.name !== "string") throw inputError(`${field}.name`, "a text", target.name);
  for (const name of ["azimuthSeconds", "slantRangeMeters", "amplitude", "phaseRadians"] as const)
    if (!Number.isFinite(target[name])) throw inputError(`${field}.${name}`, "a finite number", target[name]);
}

function checkNotes({ notes = [] }: { readonly notes?: readonly string[] }): void {
  if (!(Array.isArray(notes) && notes.every((note) => typeof note === "string")))
    throw inputError("recording.notes", "a list of texts", notes);
}

/** Picks the stated radar parameters, without the orbit and without unknown fields, so that reports hold plain data. */
export function statedRadar(radar: RecordedRadar): Omit<RecordedRadar, "orbit"> {
  const facts = [...needed, ...stated].flatMap((name) => (radar[name] === undefined ? [] : [[name, radar[name]] as const]));
  return Object.fromEntries(facts) as unknown as Omit<RecordedRadar, "orbit">;
}

/** Radar parameters that every recording must state. */
const needed = ["carrierHz", "samplingRateHz", "prfHz", "chirpRateHzPerSecond", "pulseSeconds", "nearRangeMeters"] as const;
/** Radar parameters that a recording may state. */
const stated = ["velocityMetersPerSecond", "dopplerCentroidHz", "startSeconds"] as const;

function checkRadar(radar: RecordedRadar): void {
  checkObject(radar, "recording.radar", "input");
  for (const name of needed) if (!Number.isFinite(radar[name])) throw inputError(`recording.radar.${name}`, "a finite number", radar[name]);
  for (const name of stated)
    if (radar[name] !== undefined && !Number.isFinite(radar[name]))
      throw inputError(`recording.radar.${name}`, "a finite number", radar[name]);
}

/** Throws `input`, which names the field, if `given` is not a phase history. Positions and ranges are checked where they are used. */
export function checkHistory(given: PhaseHistoryRecording): void {
  checkObject(given, recording, "input");
  checkName(given);
  const [pulses, frequencies] = checkShape(given.shape);
  checkObject(given.frequency, "recording.frequency", "input");
  if (given.frequency.count !== frequencies)
    throw inputError("recording.frequency.count", `${frequencies}, as recording.shape states`, given.frequency.count);
  const { autofocus, area, frame, pulseSeconds } = given;
  if (area !== undefined) checkObject(area, "recording.area", "input");
  if (frame !== undefined) checkFrame(frame);
  checkOrigin(given);
  if (autofocus !== undefined) checkObject(autofocus, "recording.autofocus", "input");
  for (const [field, values, length] of [
    ["positions", given.positions, 3 * pulses],
    ["referenceRangeMeters", given.referenceRangeMeters, pulses],
    ...(pulseSeconds ? ([["pulseSeconds", pulseSeconds, pulses]] as const) : []),
    ...(autofocus
      ? ([
          ["autofocus.rangeMeters", autofocus.rangeMeters, pulses],
          ["autofocus.phaseRadians", autofocus.phaseRadians, pulses],
        ] as const)
      : []),
  ] as const) {
    if (!isArrayOf(values, Float64Array) || values.length !== length)
      throw inputError(`recording.${field}`, `a Float64Array of ${length} numbers`, values);
  }
  checkNotes(given);
  checkPulses(given);
}

/** Throws `input` unless a frame is a position and three vectors. */
function checkFrame({ originMeters, axes }: EarthFrame): void {
  const isVector = (value: unknown): boolean => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);
  if (!isVector(originMeters)) throw inputError("recording.frame.originMeters", "three finite numbers", originMeters);
  if (!(Array.isArray(axes) && axes.length === 3 && axes.every(isVector)))
    throw inputError("recording.frame.axes", "three vectors of three finite numbers", axes);
}

/** Throws `input` unless what says when and by whom a recording was made has the right types. */
function checkOrigin({ startUtc, collection }: { readonly startUtc?: string; readonly collection?: RecordedCollection }): void {
  if (startUtc !== undefined && !(typeof startUtc === "string" && Number.isFinite(Date.parse(startUtc))))
    throw inputError("recording.startUtc", "a time in UTC such as 2026-03-14T11:00:00.25Z", startUtc);
  if (collection !== undefined) checkObject(collection, "recording.collection", "input");
}

function checkName({ name }: { readonly name: string }): void {
  if (typeof name !== "string") throw inputError("recording.name", "a text", name);
}

function checkShape(shape: readonly [number, number]): readonly [number, number] {
  const sound = Array.isArray(shape) && shape.length === 2 && shape.every((extent) => Number.isSafeInteger(extent) && extent >= 1);
  if (!sound) throw inputError("recording.shape", "two positive integers", shape);
  // The pulses are read in parts, so they may be more than fit into one array.
  if (!Number.isSafeInteger(shape[0] * shape[1])) throw inputError("recording.shape", "at most 2^53 samples", shape);
  return shape;
}

function checkPulses({ pulses }: { readonly pulses: unknown }): void {
  if (typeof pulses !== "function") throw inputError("recording.pulses", "a function", pulses);
}

/** Makes the function `pulses` of a recording in memory from an array [pulse][sample], interleaved. */
export const pulsesOf =
  <A extends { subarray(from: number, to: number): A }>(data: A, samples: number): ((from: number, count: number) => A) =>
  (from, count) =>
    data.subarray(2 * from * samples, 2 * (from + count) * samples);

/** Number of bytes of pulses that are requested at once. */
const blockBytes = 2 ** 26;

/** Number of pulses that are requested at once: as many as fit into `bytes` (64 MiB by default), at least one. */
export const pulsesAtOnce = (samples: number, dtype: EchoType, bytes = blockBytes): number =>
  Math.max(1, Math.floor(bytes / (2 * samples * dtypes[dtype].array.BYTES_PER_ELEMENT)));

/**
 * Requests lines `from` to `from + count − 1` of the recording `given`, named `where`, and checks them. They may be in `into`. Rejects with `input` if
 * `pulses` returns an array of the wrong type or length, or a number that is not finite, naming the sample; with `failed` if `pulses`
 * throws, whose cause is what it threw; and with `aborted` as soon as `signal` fires, whatever `pulses` does then.
 */
export async function linesOf(
  given: Pick<StripmapRecording, "shape" | "dtype"> & {
    pulses(from: number, count: number, options?: LinesOptions): unknown;
  },
  where: string,
  from: number,
  count: number,
  pause: Pause,
  signal: AbortSignal | undefined,
  into?: Echoes,
): Promise<Echoes> {
  const { shape, dtype } = given;
  await pause();
  let data: unknown;
  try {
    data = await unlessAborted(given.pulses(from, count, { ...(signal && { signal }), ...(into && { into }) }), signal);
  } catch (error) {
    await pause();
    // An error about one of the recording's files says all that is needed.
    if (isRadarError(error, "input") && typeof error.fields["file"] === "string")
      throw new RadarError("input", error.message, { recording: where, ...error.fields }, error);
    throw asRadarError(error, `${where}: recording.pulses(${from}, ${count})`);
  }
  await pause();
  const length = 2 * count * shape[1];
  const { array } = dtypes[dtype];
  if (!isArrayOf(data, array) || data.length !== length) {
    const error = inputError(`recording.pulses(${from}, ${count})`, `${array.name} of ${length} numbers`, data);
    throw recordingError(where, error.message, error.fields, error);
  }
  const bad = dtype === "c64" ? await firstNotFinite(data as Float32Array, pause) : -1;
  if (bad >= 0) {
    const place = `sample ${Math.floor(bad / 2) % shape[1]} of pulse ${from + Math.floor(bad / 2 / shape[1])}`;
    throw recordingError(where, `${place} must be finite, not ${(data as Float32Array)[bad]}`, { field: "recording.pulses", place });
  }
  return data as Echoes;
}
