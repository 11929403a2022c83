/**
 * What is decided before a scene is focused, whole or in blocks: the questions that its radar parameters raise, the velocity, the Doppler
 * centroid, and the parameters of sar's program.
 */
import { createPause, type Device } from "@dechirp/core";
import type { StripmapRadar } from "@dechirp/radar";
import { defaultWindow, type Question, questionRadar, type UncentredParams } from "@dechirp/sar";
import { blame } from "../blame.ts";
import type { Clock } from "../clock.ts";
import { type Echoes, linesOf, type StripmapRecording, statedRadar } from "../recording.ts";
import { type Centroid, chooseCentroid, mostWholeSamples } from "./centroid.ts";
import { type FocusSettings, interpolatorOf } from "./settings.ts";
import { chooseVelocity } from "./velocity.ts";

/** The decisions. */
export interface Prepared {
  readonly where: string;
  readonly questions: readonly Question[];
  readonly velocity: ReturnType<typeof chooseVelocity>;
  readonly centroid: Centroid;
  readonly radar: StripmapRadar;
  /** Parameters of sar's program for the whole recording. */
  readonly params: UncentredParams & { readonly radar: StripmapRadar };
  /** All lines, if they were read to measure the centroid. */
  readonly echoes?: Echoes;
}

/** Options of `prepareFocus`. */
export interface PrepareOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Name of the recording in messages. */
  readonly where: string;
  readonly onQuestions?: ((questions: readonly Question[]) => void) | undefined;
  /** Called with the step, and the share of the whole work that is done. */
  readonly onProgress?: ((what: string, share: number) => void) | undefined;
  /** Bytes that may be used. Default: as many as measuring the whole recording takes. */
  readonly memoryBytes?: number | undefined;
  /** The Doppler centroid, if it has been chosen before. */
  readonly centroid?: Centroid | undefined;
}

/** Bytes that measuring the centroid on a whole recording takes for each of its samples, on the device and the host together. */
const measuredSampleBytes = 48;
/** Samples that are measured as a whole within any memory: blocks take as many. */
const fewestWholeSamples = 2 ** 23;

/** Makes the decisions. Throws what the recording, sar and the device throw. */
export async function prepareFocus(
  recording: StripmapRecording,
  settings: FocusSettings,
  device: Device,
  { clock, signal, where, onQuestions, onProgress, memoryBytes, centroid: known }: PrepareOptions,
): Promise<Prepared> {
  // A faulty orbit is never attributed to a setting.
  const questions = await blameRecording(where, {}, () => questionsOf(recording, settings));
  onQuestions?.(questions);
  const velocity = await blameRecording(where, {}, () => chooseVelocity(recording, settings.velocityMetersPerSecond));
  const uncentred = paramsOf(recording, velocity.used.value, settings);
  onProgress?.("Doppler centroid", 0);
  let measured = 0;
  const onStage = (stage: string): void => onProgress?.(`Doppler centroid: ${stage}`, Math.min(0.4, 0.07 * measured++));
  const pause = createPause("focus", signal);
  let echoes: Echoes | undefined;
  const readLines = async (from: number, count: number): Promise<Echoes> => {
    const lines = await linesOf(recording, where, from, count, pause, signal);
    if (count === recording.shape[0]) echoes = lines;
    return lines;
  };
  const wholeSamples =
    memoryBytes === undefined
      ? mostWholeSamples
      : Math.min(mostWholeSamples, Math.max(fewestWholeSamples, memoryBytes / measuredSampleBytes));
  const options = { wanted: settings.dopplerCentroidHz, signal, onStage, wholeSamples };
  const centroid =
    known ??
    (await clock.time("centroid", () =>
      blameRecording(where, settings, () => chooseCentroid(recording, uncentred, device, readLines, options)),
    ));
  const radar: StripmapRadar = { ...uncentred.radar, dopplerCentroidHz: centroid.used.value };
  return { where, questions, velocity, centroid, radar, params: { ...uncentred, radar }, ...(echoes && { echoes }) };
}

/** The setting from which each parameter of the processor comes. */
const sources: Readonly<Record<string, keyof FocusSettings>> = {
  processedBandwidthHz: "processedBandwidthHz",
  azimuthLength: "azimuthLength",
  rows: "rows",
  "radar.dopplerCentroidHz": "dopplerCentroidHz",
  "radar.velocityMetersPerSecond": "velocityMetersPerSecond",
};

/**
 * Runs `work`. If it throws `input`, the error is about the setting from which the parameter comes, if that was given, else about the
 * recording.
 */
export const blameRecording = <T>(where: string, settings: FocusSettings, work: () => T | Promise<T>): Promise<T> =>
  blame(
    where,
    (field) => {
      const setting = Object.hasOwn(sources, field) ? sources[field] : undefined;
      if (setting && settings[setting] !== undefined) return setting;
      // A wrong velocity is noticed when Doppler frequencies are checked against 2V/λ.
      return field.startsWith("radar.") && settings.velocityMetersPerSecond !== undefined ? "velocityMetersPerSecond" : undefined;
    },
    work,
  );

/** Lists what seems implausible about the radar parameters of `recording`. Throws `input` if the orbit is unusable. */
function questionsOf(
  { radar, shape: [lines, samples] }: StripmapRecording,
  { velocityMetersPerSecond = radar.velocityMetersPerSecond }: FocusSettings,
): Question[] {
  return questionRadar({ ...radar, ...(velocityMetersPerSecond === undefined ? {} : { velocityMetersPerSecond }) }, lines, samples);
}

/** The parameters of sar's program, without the Doppler centroid. */
export function paramsOf(recording: StripmapRecording, velocityMetersPerSecond: number, settings: FocusSettings): UncentredParams {
  const [lines, samples] = recording.shape;
  const { rangeWindow = defaultWindow, azimuthWindow = defaultWindow, rcmc = "sinc8", src, azimuthLength, rows } = settings;
  const processedBandwidthHz = settings.processedBandwidthHz ?? recording.processedBandwidthHz;
  return {
    radar: { ...statedRadar(recording.radar), velocityMetersPerSecond },
    lines,
    samples,
    rawType: recording.dtype,
    rangeWindow,
    azimuthWindow,
    rcmc: interpolatorOf(rcmc),
    ...(recording.lineGain ? { lineGain: recording.lineGain } : {}),
    ...(src === undefined ? {} : { src }),
    ...(azimuthLength === undefined ? {} : { azimuthLength }),
    ...(rows === undefined ? {} : { rows }),
    ...(processedBandwidthHz === undefined ? {} : { processedBandwidthHz }),
  };
}
