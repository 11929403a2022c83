/**
 * Turns one stripmap recording into one focused image and its report. It chooses every parameter (and says why), runs sar's
 * range-Doppler program on a device, and measures the result. It does no file access and no signal processing of its own.
 */

import {
  type Buffer,
  byteLength,
  compile,
  createPause,
  type Device,
  isRadarError,
  layout,
  type Pause,
  throwIfAborted,
} from "@dechirp/core";
import { checkDevice, runAbortable } from "@dechirp/core/internal";
import { formatWindow, type StripmapRadar } from "@dechirp/radar";
import {
  defaultWindow,
  type ImageGeometry,
  imageContrastSteps,
  imageEntropySteps,
  imageGeometry,
  type Question,
  questionRadar,
  type RangeDopplerProgram,
  rangeDopplerSteps,
  type UncentredParams,
} from "@dechirp/sar";
import { blame } from "../blame.ts";
import { createClock } from "../clock.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { checkStripmap, type Echoes, linesOf, pulsesAtOnce, type StripmapRecording, statedRadar } from "../recording.ts";
import { runStages, writeInSlices } from "../run-stages.ts";
import { deviceReport, optionOr, type StageReport, type UsedParameter } from "../used.ts";
import type { TransformWork } from "../work.ts";
import { chooseCentroid } from "./centroid.ts";
import { exposureReport, foldingWarnings, middleExposure, resolutionReport } from "./exposure.ts";
import { expectedTargets, measureTargets, theoreticalResponse } from "./measure.ts";
import { type Report, reportFormat, reportVersion } from "./report.ts";
import { checkFocusSettings, type FocusSettings, interpolatorOf } from "./settings.ts";
import { chooseVelocity, velocityWarnings } from "./velocity.ts";

/** Hooks of `focusRecording`. */
export interface FocusHooks extends ProcessHooks {
  /** Called with what seems implausible about the recording's radar parameters, before processing starts. */
  readonly onQuestions?: (questions: readonly Question[]) => void;
}

/** A focused image and its report. Dispose it after use. */
export interface FocusedImage extends Disposable {
  /** [azimuth][range] complex, interleaved. On a CPU device this is the device's own memory, so it must not be used after `dispose`. */
  readonly image: Float32Array;
  readonly axes: Report["axes"];
  readonly report: Report;
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
 * Focuses `recording` on `device`. Dispose the result after use. Rejects with `input` if a setting is wrong or does not suit the
 * recording (see `settingOf`), and if the recording can't be imaged; with what the device throws; and with `aborted` if the signal
 * fires.
 */
export async function focusRecording(
  recording: StripmapRecording,
  settings: FocusSettings,
  device: Device,
  hooks: FocusHooks = {},
): Promise<FocusedImage> {
  const checked = checkedHooks(hooks, { onQuestions: "function" });
  const { signal, onProgress, onQuestions, inputs = [], clock = createClock(), whyDevice } = checked;
  checkDevice(device);
  checkStripmap(recording);
  checkFocusSettings(settings);
  const where = inputs[0] ?? recording.name;
  const settled = <T>(work: () => T | Promise<T>): Promise<T> => blameRecording(where, settings, work);
  // A faulty orbit is never attributed to a setting.
  const questions = await blameRecording(where, {}, () => questionsOf(recording, settings));
  onQuestions?.(questions);
  const velocity = await blameRecording(where, {}, () => chooseVelocity(recording, settings.velocityMetersPerSecond));
  const uncentred = paramsOf(recording, velocity.used.value, settings);
  onProgress?.("Doppler centroid", 0);
  let measured = 0;
  const onStage = (stage: string): void => onProgress?.(`Doppler centroid: ${stage}`, Math.min(0.4, 0.07 * measured++));
  const pause = createPause("focus", signal);
  let all: Echoes | undefined;
  const readLines = async (from: number, count: number): Promise<Echoes> => {
    const lines = await linesOf(recording, where, from, count, pause, signal);
    if (count === recording.shape[0]) all = lines;
    return lines;
  };
  const centroid = await clock.time("centroid", () =>
    settled(() => chooseCentroid(recording, uncentred, device, readLines, { wanted: settings.dopplerCentroidHz, signal, onStage })),
  );
  const radar: StripmapRadar = { ...uncentred.radar, dopplerCentroidHz: centroid.used.value };
  const program = await settled(() => runAbortable(signal, "focus", rangeDopplerSteps({ ...uncentred, radar })));
  const share = (what: string, part: number): void => onProgress?.(what, 0.4 + 0.5 * part);
  const { buffer, image, stages } = await clock.time("focus", () => runProgram(program, recording, where, all, device, signal, share));
  try {
    throwIfAborted(signal, "focus");
    onProgress?.("measuring", 0.9);
    const { axes, geometry } = program;
    const windows = { azimuth: settings.azimuthWindow ?? defaultWindow, range: settings.rangeWindow ?? defaultWindow };
    const measures = await clock.time("measure", () =>
      blameRecording(`the image of ${where}`, settings, async () => {
        const theory = theoreticalResponse(radar, axes, program.processedBandwidthHz, windows, middleExposure(geometry));
        const expected = await runAbortable(signal, measuring, expectedTargets(geometry, windows.azimuth, recording.targets ?? []));
        const targets = await measureTargets({ data: image, radar, axes, theory, azimuthLength: geometry.azimuthLength }, expected, signal);
        const entropy = await runAbortable(signal, measuring, imageEntropySteps(image));
        return { entropy, contrast: await runAbortable(signal, measuring, imageContrastSteps(image)), theory, targets };
      }),
    );
    const exposure = await runAbortable(signal, measuring, exposureReport(geometry));
    const resolution = await runAbortable(signal, measuring, resolutionReport(geometry, windows.azimuth, measures.theory));
    const report: Report = {
      format: reportFormat,
      version: reportVersion,
      scene: recording.name,
      inputs,
      device: deviceReport(device, whyDevice),
      raw: { type: recording.dtype, shape: recording.shape },
      image: { type: "c64", shape: [axes.azimuthSeconds.count, axes.slantRangeMeters.count] },
      radar,
      parameters: {
        dopplerCentroidHz: centroid.used,
        velocityMetersPerSecond: velocity.used,
        processedBandwidthHz: bandwidthOf(recording, settings, program),
        rangeWindow: optionOr(settings.rangeWindow && formatWindow(settings.rangeWindow), formatWindow(defaultWindow)),
        azimuthWindow: optionOr(settings.azimuthWindow && formatWindow(settings.azimuthWindow), formatWindow(defaultWindow)),
        rcmc: optionOr<string>(settings.rcmc, "sinc8"),
        src: srcOf(settings, program),
        azimuthLength: lengthOf(settings, geometry),
        rows: optionOr<string>(settings.rows, "all"),
        lineGain: recording.lineGain ? { value: "per line", source: "scene" } : { value: "none", source: "default" },
      },
      ...(centroid.estimate === undefined ? {} : { dopplerEstimate: centroid.estimate }),
      axes,
      exposure,
      resolution,
      ...measures,
      stages,
      timings: [...clock.timings],
      notes: recording.notes ?? [],
      warnings: [
        ...centroid.warnings,
        ...velocityWarnings(velocity, radar, program.processedBandwidthHz, recording.shape[0]),
        ...foldingWarnings(geometry),
      ],
      questions,
    };
    onProgress?.("done", 1);
    return { image, axes, report, [Symbol.dispose]: () => buffer[Symbol.dispose]() };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}

/** Name of this step in the error of an interruption. */
const measuring = "measuring";

/**
 * Runs `work`. If it throws `input`, the error is about the setting from which the parameter comes, if that was given, else about the
 * recording.
 */
const blameRecording = <T>(where: string, settings: FocusSettings, work: () => T | Promise<T>): Promise<T> =>
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

function bandwidthOf(recording: StripmapRecording, settings: FocusSettings, program: RangeDopplerProgram): UsedParameter<number> {
  const value = program.processedBandwidthHz;
  if (settings.processedBandwidthHz !== undefined) return { value, source: "option" };
  if (recording.processedBandwidthHz !== undefined) return { value, source: "scene" };
  return { value, source: "default", why: "the whole PRF" };
}

function srcOf(settings: FocusSettings, { src }: RangeDopplerProgram): UsedParameter<string> {
  const degrees = (src.foldingErrorRadians * 180) / Math.PI;
  const left = `if folded into the range filter, it leaves a phase error of ${degrees.toFixed(1)}° at the band edges`;
  return { value: src.mode, source: settings.src === undefined ? "default" : "option", ...(src.mode === "off" ? {} : { why: left }) };
}

function lengthOf(settings: FocusSettings, { azimuthLength, lines, rows }: ImageGeometry): UsedParameter<number> {
  if (settings.azimuthLength !== undefined) return { value: azimuthLength, source: "option" };
  const why =
    settings.rows === "full" ? `a fast length for ${lines} lines` : `a fast length for the ${rows} rows that ${lines} lines expose`;
  return { value: azimuthLength, source: "default", why };
}

/**
 * Estimates the work of focusing `recording`, for programs that choose a device. The estimate doubles range transforms, because guard
 * cells may push them beyond a power of two. Throws `input` if the recording or a setting is not valid.
 */
export function focusWork(recording: StripmapRecording, settings: FocusSettings = {}): TransformWork {
  checkStripmap(recording);
  checkFocusSettings(settings);
  const [lines, samples] = recording.shape;
  const padded = (length: number): number => 2 ** Math.ceil(Math.log2(length));
  const { azimuthLength = defaultLength(recording, settings) ?? padded(lines) } = settings;
  return {
    kind: "transforms",
    bytes: byteLength(layout("c64", [lines, samples])),
    largestBytes: byteLength(layout("c64", [azimuthLength, 2 * padded(samples)])),
  };
}

/**
 * The approximate default azimuth length of the image; it is not exact because the centroid may still have to be measured. Returns
 * `undefined` if the parameters make no image.
 */
function defaultLength(recording: StripmapRecording, settings: FocusSettings): number | undefined {
  const wanted = typeof settings.dopplerCentroidHz === "number" ? settings.dopplerCentroidHz : undefined;
  const dopplerCentroidHz = wanted ?? recording.radar.dopplerCentroidHz ?? recording.sensor?.dopplerCentroidHz ?? 0;
  try {
    const { used } = chooseVelocity(recording, settings.velocityMetersPerSecond);
    const uncentred = paramsOf(recording, used.value, settings);
    return imageGeometry({ ...uncentred, radar: { ...uncentred.radar, dopplerCentroidHz } }).azimuthLength;
  } catch (error) {
    // Focusing will report the error.
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}

/** The parameters of sar's program, without the Doppler centroid. */
function paramsOf(recording: StripmapRecording, velocityMetersPerSecond: number, settings: FocusSettings): UncentredParams {
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

interface Focused {
  readonly buffer: Buffer;
  readonly image: Float32Array;
  readonly stages: readonly StageReport[];
}

/**
 * Runs the program and measures the time of each stage. The recording's lines are written block by block, or from `all` if they have
 * been read already. The raw data and all temporary buffers are freed; the image stays.
 */
async function runProgram(
  program: RangeDopplerProgram,
  recording: StripmapRecording,
  where: string,
  all: Echoes | undefined,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: (what: string, share: number) => void,
): Promise<Focused> {
  using compiled = await compile(program, device);
  using raw = device.alloc(program.inputs["raw"], "raw");
  const buffer = device.alloc(compiled.layouts["image"], "image");
  try {
    const pause = createPause("focus", signal);
    if (all) await writeInSlices(raw, all, 0, pause);
    else await writeLines(raw, recording, where, pause, signal);
    const stages = await runStages(compiled, device, { raw, image: buffer }, signal, onShare);
    const image = (buffer.view ? buffer.view() : await buffer.read()) as Float32Array;
    return { buffer, image, stages };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}

async function writeLines(
  raw: Buffer,
  recording: StripmapRecording,
  where: string,
  pause: Pause,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [lines, samples] = recording.shape;
  const linesPerBlock = pulsesAtOnce(samples, recording.dtype);
  for (let from = 0; from < lines; from += linesPerBlock) {
    const block = await linesOf(recording, where, from, Math.min(linesPerBlock, lines - from), pause, signal);
    await writeInSlices(raw, block, from * samples, pause);
  }
}
