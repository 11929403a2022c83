/**
 * One stripmap recording to one focused image and its report: settles every parameter (and says why), runs sar's range-Doppler program
 * on a device, measures the result. No files, no terminal, no signal processing of its own.
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
import { deviceReport, optionOr, type StageReport, type Used } from "../used.ts";
import type { TransformWork } from "../work.ts";
import { chooseCentroid } from "./centroid.ts";
import { exposureReport, foldingWarnings, middleExposure, resolutionReport } from "./exposure.ts";
import { expectedTargets, measureTargets, theoryOf } from "./measure.ts";
import { type Report, reportFormat, reportVersion } from "./report.ts";
import { checkFocusSettings, type FocusSettings, interpolatorOf } from "./settings.ts";
import { chooseVelocity, velocityWarnings } from "./velocity.ts";

/** Hooks of `focusRecording`. */
export interface FocusHooks extends ProcessHooks {
  /** Hears what seems implausible about the recording's radar, before anything is made of it. */
  readonly onQuestions?: (questions: readonly Question[]) => void;
}

/** A focused image with its report. Dispose of it to free its memory. */
export interface FocusedImage extends Disposable {
  /** [azimuth][range] complex, interleaved; the device's own memory where that is the host's, so gone once disposed. */
  readonly image: Float32Array;
  readonly axes: Report["axes"];
  readonly report: Report;
}

/** Which setting a parameter of the processor comes from. */
const sources: Readonly<Record<string, keyof FocusSettings>> = {
  processedBandwidthHz: "processedBandwidthHz",
  azimuthLength: "azimuthLength",
  rows: "rows",
  "radar.dopplerCentroidHz": "dopplerCentroidHz",
  "radar.velocityMetersPerSecond": "velocityMetersPerSecond",
};

/**
 * Focuses `recording` on `device`. Rejects with `input` for settings that are wrong or that this recording does not allow
 * (`settingOf`), and for a recording that makes no image; with what the device throws; with `aborted` where the signal fires. Dispose
 * the result.
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
  // What is wrong with an orbit is no setting's fault.
  const questions = await blameRecording(where, {}, () => questionsOf(recording, settings));
  onQuestions?.(questions);
  const velocity = await blameRecording(where, {}, () => chooseVelocity(recording, settings.velocityMetersPerSecond));
  const uncentred = paramsOf(recording, velocity.used.value, settings);
  onProgress?.("Doppler centroid", 0);
  let measured = 0;
  const onStage = (stage: string): void => onProgress?.(`Doppler centroid: ${stage}`, Math.min(0.4, 0.07 * measured++));
  const pause = createPause("focus", signal);
  let all: Echoes | undefined;
  const echoes = async (): Promise<Echoes> => {
    all = await linesOf(recording, where, 0, recording.shape[0], pause, signal);
    return all;
  };
  const centroid = await clock.time("centroid", () =>
    settled(() => chooseCentroid(recording, uncentred, device, echoes, { wanted: settings.dopplerCentroidHz, signal, onStage })),
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
        const theory = theoryOf(radar, axes, program.processedBandwidthHz, windows, middleExposure(geometry));
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
      warnings: [...velocityWarnings(velocity, radar, program.processedBandwidthHz, recording.shape[0]), ...foldingWarnings(geometry)],
      questions,
    };
    onProgress?.("done", 1);
    return { image, axes, report, [Symbol.dispose]: () => buffer[Symbol.dispose]() };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}

/** What an interruption is said to have ended. */
const measuring = "measuring";

/** Runs `work`; an `input` error of it is the fault of the setting that it is about, where that was given, else of the recording. */
const blameRecording = <T>(where: string, settings: FocusSettings, work: () => T | Promise<T>): Promise<T> =>
  blame(
    where,
    (field) => {
      const setting = Object.hasOwn(sources, field) ? sources[field] : undefined;
      if (setting && settings[setting] !== undefined) return setting;
      // A wrong velocity shows where Doppler frequencies are checked against 2V/λ.
      return field.startsWith("radar.") && settings.velocityMetersPerSecond !== undefined ? "velocityMetersPerSecond" : undefined;
    },
    work,
  );

/** What seems implausible about the radar that `recording` is to be focused with. Throws `input` for an orbit that is unusable. */
function questionsOf(
  { radar, shape: [lines, samples] }: StripmapRecording,
  { velocityMetersPerSecond = radar.velocityMetersPerSecond }: FocusSettings,
): Question[] {
  return questionRadar({ ...radar, ...(velocityMetersPerSecond === undefined ? {} : { velocityMetersPerSecond }) }, lines, samples);
}

function bandwidthOf(recording: StripmapRecording, settings: FocusSettings, program: RangeDopplerProgram): Used<number> {
  const value = program.processedBandwidthHz;
  if (settings.processedBandwidthHz !== undefined) return { value, source: "option" };
  if (recording.processedBandwidthHz !== undefined) return { value, source: "scene" };
  return { value, source: "default", why: "the whole PRF" };
}

function srcOf(settings: FocusSettings, { src }: RangeDopplerProgram): Used<string> {
  const degrees = (src.foldingErrorRadians * 180) / Math.PI;
  const left = `folded into the range filter it leaves ${degrees.toFixed(1)}° at the band edges`;
  return { value: src.mode, source: settings.src === undefined ? "default" : "option", ...(src.mode === "off" ? {} : { why: left }) };
}

function lengthOf(settings: FocusSettings, { azimuthLength, lines, rows }: ImageGeometry): Used<number> {
  if (settings.azimuthLength !== undefined) return { value: azimuthLength, source: "option" };
  const why =
    settings.rows === "full" ? `a fast length for ${lines} lines` : `a fast length for the ${rows} rows that ${lines} lines expose`;
  return { value: azimuthLength, source: "default", why };
}

/**
 * How much work the image of `recording` is, for whoever chooses a device. Guard cells may take range transforms over a power of two, to the
 * next. Throws `input` for what is no recording and for wrong settings.
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

/** The azimuth length that the image will have about, as its centroid may have to be measured; undefined where parameters make no image. */
function defaultLength(recording: StripmapRecording, settings: FocusSettings): number | undefined {
  const wanted = typeof settings.dopplerCentroidHz === "number" ? settings.dopplerCentroidHz : undefined;
  const dopplerCentroidHz = wanted ?? recording.radar.dopplerCentroidHz ?? recording.sensor?.dopplerCentroidHz ?? 0;
  try {
    const { used } = chooseVelocity(recording, settings.velocityMetersPerSecond);
    const uncentred = paramsOf(recording, used.value, settings);
    return imageGeometry({ ...uncentred, radar: { ...uncentred.radar, dopplerCentroidHz } }).azimuthLength;
  } catch (error) {
    // Focusing will say what is wrong.
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}

/** What sar's program is asked for, but for the Doppler centroid. */
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
 * Runs the program, each stage timed, with the recording's lines sent block by block, or `all` of them where they have been read; the raw
 * data and all temporaries are freed, the image stays.
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
  const runToEnd = pulsesAtOnce(samples, recording.dtype);
  for (let from = 0; from < lines; from += runToEnd) {
    const block = await linesOf(recording, where, from, Math.min(runToEnd, lines - from), pause, signal);
    await writeInSlices(raw, block, from * samples, pause);
  }
}
