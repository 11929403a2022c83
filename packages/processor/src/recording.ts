/**
 * What can be processed: recordings that hand out their pulses in order. A recording is plain facts and one function, `pulses`, so that
 * it need not be in memory; the readers of `@dechirp/io` return objects of these types, and anything else may. Checks of the facts are
 * here; what they mean is the affair of the packages sar and stap.
 */

import { dtypes, inputError, isRadarError, layout, type Pause, type TypedArrayOf } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkObject, firstNotFinite, isArrayOf } from "@dechirp/core/internal";
import type { EchoType, PointTarget, PulseCorrections, RecordedRadar } from "@dechirp/radar";
import { recordingError } from "./blame.ts";
import { unlessAborted } from "./unless-aborted.ts";

/** Interleaved real and imaginary parts. */
export type Echoes = TypedArrayOf<EchoType>;

/** What is known of a sensor beside its recordings. */
export interface SensorKnowledge {
  readonly name: string;
  /** Effective velocity. */
  readonly velocityMetersPerSecond?: number;
  /** Doppler centroid, right to within half a PRF: it resolves the ambiguity of a measured one. */
  readonly dopplerCentroidHz?: number;
}

/** The raw echoes of one stripmap acquisition, with what is needed to focus them. */
export interface StripmapRecording {
  readonly name: string;
  /** Lines (pulses), range samples of a line. */
  readonly shape: readonly [lines: number, samples: number];
  readonly dtype: EchoType;
  readonly radar: RecordedRadar;
  /** Linear gain to multiply each line with, [line]; 1 where left out. */
  readonly lineGain?: ArrayLike<number>;
  /** Doppler band to be processed, around the centroid; the whole PRF where left out. */
  readonly processedBandwidthHz?: number;
  readonly sensor?: SensorKnowledge;
  /** Point targets that are known to be in the recording. */
  readonly targets?: readonly PointTarget[];
  /** Remarks on what was read, a sentence each; the report keeps them. */
  readonly notes?: readonly string[];
  /** Lines `from` to `from + count − 1`, [count][samples], interleaved. The array is read at once and never changed. */
  pulses(from: number, count: number): Echoes | Promise<Echoes>;
}

/** The spectra of the pulses of a moving radar, motion-compensated to a range of each pulse. */
export interface PhaseHistoryRecording {
  readonly name: string;
  /** Pulses, frequencies of a pulse. */
  readonly shape: readonly [pulses: number, frequencies: number];
  /** Platform positions [pulse][3]: x, y, z, metres, z up. */
  readonly positions: Float64Array;
  /** By pulse: the range that it is motion-compensated to. */
  readonly referenceRangeMeters: Float64Array;
  /** f_k = firstHz + k·stepHz. */
  readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
  /** Corrections that are not applied yet. */
  readonly autofocus?: PulseCorrections;
  readonly notes?: readonly string[];
  /** Pulses `from` to `from + count − 1`, [count][frequency], interleaved. The array is read at once and never changed. */
  pulses(from: number, count: number): Float32Array | Promise<Float32Array>;
}

/** Names of recordings, in the errors about their fields. */
const recording = "recording";

/** Throws `input`, naming the field, for what is no stripmap recording. What its radar states is checked by who works with it. */
export function checkStripmap(given: StripmapRecording): void {
  checkObject(given, recording, "input");
  checkName(given);
  const [lines] = checkShape(given.shape);
  if (!["ci8", "ci16", "c64"].includes(given.dtype)) throw inputError("recording.dtype", "ci8, ci16 or c64", given.dtype);
  checkRadar(given.radar);
  const { lineGain, processedBandwidthHz, sensor, targets = [] } = given;
  if (lineGain !== undefined && lineGain?.length !== lines)
    throw inputError("recording.lineGain", `${lines} gains, one for each line`, lineGain);
  if (processedBandwidthHz !== undefined && !Number.isFinite(processedBandwidthHz))
    throw inputError("recording.processedBandwidthHz", "a finite number", processedBandwidthHz);
  if (sensor !== undefined) checkSensor(sensor);
  if (!Array.isArray(targets)) throw inputError("recording.targets", "a list", targets);
  targets.forEach(checkTarget);
  checkNotes(given);
  checkPulses(given);
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

/** The facts of a recording's radar but for its orbit: those that it states, and no others, so that reports hold plain data. */
export function statedRadar(radar: RecordedRadar): Omit<RecordedRadar, "orbit"> {
  const facts = [...needed, ...stated].flatMap((name) => (radar[name] === undefined ? [] : [[name, radar[name]] as const]));
  return Object.fromEntries(facts) as unknown as Omit<RecordedRadar, "orbit">;
}

/** What a radar can't be without. */
const needed = ["carrierHz", "samplingRateHz", "prfHz", "chirpRateHzPerSecond", "pulseSeconds", "nearRangeMeters"] as const;
/** What it may state. */
const stated = ["velocityMetersPerSecond", "dopplerCentroidHz", "startSeconds"] as const;

function checkRadar(radar: RecordedRadar): void {
  checkObject(radar, "recording.radar", "input");
  for (const name of needed) if (!Number.isFinite(radar[name])) throw inputError(`recording.radar.${name}`, "a finite number", radar[name]);
  for (const name of stated)
    if (radar[name] !== undefined && !Number.isFinite(radar[name]))
      throw inputError(`recording.radar.${name}`, "a finite number", radar[name]);
}

/** Throws `input`, naming the field, for what is no phase history. Positions and ranges are checked by who works with them. */
export function checkHistory(given: PhaseHistoryRecording): void {
  checkObject(given, recording, "input");
  checkName(given);
  const [pulses, frequencies] = checkShape(given.shape);
  checkObject(given.frequency, "recording.frequency", "input");
  if (given.frequency.count !== frequencies)
    throw inputError("recording.frequency.count", `${frequencies}, as recording.shape says`, given.frequency.count);
  const { autofocus } = given;
  if (autofocus !== undefined) checkObject(autofocus, "recording.autofocus", "input");
  for (const [field, values, length] of [
    ["positions", given.positions, 3 * pulses],
    ["referenceRangeMeters", given.referenceRangeMeters, pulses],
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

function checkName({ name }: { readonly name: string }): void {
  if (typeof name !== "string") throw inputError("recording.name", "a text", name);
}

function checkShape(shape: readonly [number, number]): readonly [number, number] {
  const sound = Array.isArray(shape) && shape.length === 2 && shape.every((extent) => Number.isSafeInteger(extent) && extent >= 1);
  if (!sound) throw inputError("recording.shape", "two positive integers", shape);
  try {
    layout("c64", shape);
  } catch (error) {
    if (!isRadarError(error)) throw error;
    const { expected } = error.fields;
    throw inputError("recording.shape", String(expected), shape);
  }
  return shape;
}

function checkPulses({ pulses }: { readonly pulses: unknown }): void {
  if (typeof pulses !== "function") throw inputError("recording.pulses", "a function", pulses);
}

/** A recording in memory: the pulses of an array [pulse][sample], interleaved. */
export const pulsesOf =
  <A extends { subarray(from: number, to: number): A }>(data: A, samples: number): ((from: number, count: number) => A) =>
  (from, count) =>
    data.subarray(2 * from * samples, 2 * (from + count) * samples);

/** Bytes of pulses that are asked for at a time. */
const blockBytes = 2 ** 26;

/** Pulses of a block: as many as 64 MiB hold, one at least. */
export const pulsesAtOnce = (samples: number, dtype: EchoType): number =>
  Math.max(1, Math.floor(blockBytes / (2 * samples * dtypes[dtype].array.BYTES_PER_ELEMENT)));

/**
 * Lines `from` to `from + count − 1` of `given`, which is called `where`. Rejects with `input` where `pulses` gives what is not as many numbers
 * of the recording's type, or a number that is not finite, naming the sample; with `failed` where
 * `pulses` throws, with what it threw as the cause; with `aborted` as soon as `signal` fires, whatever `pulses` does then.
 */
export async function linesOf(
  given: Pick<StripmapRecording, "shape" | "dtype"> & { pulses(from: number, count: number): unknown },
  where: string,
  from: number,
  count: number,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<Echoes> {
  const { shape, dtype } = given;
  // A signal that has fired before is not heard.
  await pause();
  let data: unknown;
  try {
    data = await unlessAborted(given.pulses(from, count), signal);
  } catch (error) {
    await pause();
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
