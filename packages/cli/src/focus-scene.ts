/**
 * One scene to one focused image and its report: settles every parameter (and says why), runs sar's range-Doppler program
 * on a device, measures the result. `focus` and `demo` share it. No files, no terminal, no signal processing of its own.
 */
import { type Buffer, bytes, compile, createPause, type Device, isRadarError, layout, throwIfAborted } from "@dechirp/core";
import { type Scene, sensorPresets } from "@dechirp/io";
import {
  defaultWindow,
  type ImageGeometry,
  type InterpolatorSpec,
  imageContrastSteps,
  imageEntropySteps,
  imageGeometry,
  type Question,
  questionRadar,
  type RangeDopplerProgram,
  rangeDopplerSteps,
  type StripmapRadar,
  type UncentredParams,
  type Window,
  windowText,
} from "@dechirp/sar";
import { chooseCentroid } from "./centroid.ts";
import { type Clock, createClock } from "./clock.ts";
import { deviceReport, type ImageWork } from "./devices.ts";
import { CommandError } from "./errors.ts";
import { exposureReport, foldingWarnings, middleExposure, resolutionReport } from "./exposure.ts";
import { heeding } from "./heed-signal.ts";
import { writeInSlices } from "./in-slices.ts";
import { expectedTargets, measureTargets, theoryOf } from "./measure.ts";
import { type Report, reportFormat, reportVersion, type StageReport, type Used } from "./report.ts";
import { chooseVelocity, velocityWarnings } from "./velocity.ts";

const rcmcModes = {
  off: "off",
  nearest: "nearest",
  sinc8: { kind: "sinc", taps: 8, window: "kaiser" },
  sinc16: { kind: "sinc", taps: 16, window: "kaiser" },
} as const satisfies Record<string, InterpolatorSpec | "off">;

/** What the command line may settle; the scene, its sensor, the data or a default settle the rest. */
export interface FocusOptions {
  readonly dopplerCentroidHz?: number | "auto";
  readonly velocityMetersPerSecond?: number;
  readonly processedBandwidthHz?: number;
  readonly rangeWindow?: Window;
  readonly azimuthWindow?: Window;
  readonly rcmc?: keyof typeof rcmcModes;
  readonly src?: "on" | "off";
  readonly azimuthLength?: number;
  readonly rows?: "all" | "full";
}

export interface FocusHooks {
  /** Paths for the report. */
  readonly inputs?: readonly string[];
  /** For the report: why this device, where nobody named it. */
  readonly whyDevice?: string;
  /** Goes on with a clock that has timed what came before. */
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  /** What seems implausible about the scene's radar, before anything is made of it. */
  readonly onQuestions?: (questions: readonly Question[]) => void;
  /** What is being done, and the share of the whole that is done. */
  readonly onProgress?: (what: string, share: number) => void;
}

export interface FocusedScene extends Disposable {
  /** [azimuth][range] complex, interleaved; the device's own memory where that is the host's, so gone once disposed. */
  readonly image: Float32Array;
  readonly axes: Report["axes"];
  readonly report: Report;
  /** Metres between rows and between columns. */
  readonly spacingMeters: readonly [rows: number, columns: number];
}

/** Which option a parameter of the processor comes from, for blaming the right one. */
const optionOf: Readonly<Record<string, readonly [option: string, key: keyof FocusOptions]>> = {
  processedBandwidthHz: ["--bandwidth", "processedBandwidthHz"],
  azimuthLength: ["--azimuth-length", "azimuthLength"],
  rows: ["--rows", "rows"],
  "radar.dopplerCentroidHz": ["--doppler-centroid", "dopplerCentroidHz"],
  "radar.velocityMetersPerSecond": ["--velocity", "velocityMetersPerSecond"],
};

/**
 * Focuses `scene` on `device`. Throws a CommandError of kind `argument` for options that this scene does not allow and of
 * kind `file` for a scene that makes no image; what the device throws; `aborted` where the signal fires. Dispose the result.
 */
export async function focusScene(scene: Scene, options: FocusOptions, device: Device, hooks: FocusHooks = {}): Promise<FocusedScene> {
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice } = hooks;
  const where = inputs[0] ?? scene.name;
  const sensor = scene.preset === undefined ? undefined : sensorPresets[scene.preset];
  const settled = <T>(work: () => T | Promise<T>): Promise<T> => blameScene(where, options, work);
  // What is wrong with an orbit is no option's fault.
  const questions = await blameScene(where, {}, () => questionScene(scene, options));
  hooks.onQuestions?.(questions);
  const velocity = await blameScene(where, {}, () => chooseVelocity(scene, options.velocityMetersPerSecond));
  const uncentred = paramsOf(scene, velocity.used.value, options);
  onProgress?.("Doppler centroid", 0);
  let measured = 0;
  const onStage = (stage: string): void => onProgress?.(`Doppler centroid: ${stage}`, Math.min(0.4, 0.07 * measured++));
  const presetHz = sensor?.dopplerCentroidHz;
  const centroid = await clock.time("centroid", () =>
    settled(() => chooseCentroid(scene, uncentred, device, { wanted: options.dopplerCentroidHz, presetHz, signal, onStage })),
  );
  const radar: StripmapRadar = { ...uncentred.radar, dopplerCentroidHz: centroid.used.value };
  const program = await settled(() => heeding(signal, "focus", rangeDopplerSteps({ ...uncentred, radar })));
  const share = (what: string, part: number): void => onProgress?.(what, 0.4 + 0.5 * part);
  const { buffer, image, stages } = await clock.time("focus", () => runProgram(program, scene, device, signal, share));
  try {
    throwIfAborted(signal, "focus");
    onProgress?.("measuring", 0.9);
    const { axes, geometry } = program;
    const windows = { azimuth: options.azimuthWindow ?? defaultWindow, range: options.rangeWindow ?? defaultWindow };
    const measures = await clock.time("measure", () =>
      blameScene(`the image of ${where}`, options, async () => {
        const theory = theoryOf(radar, axes, program.processedBandwidthHz, windows, middleExposure(geometry));
        const expected = await heeding(signal, measuring, expectedTargets(geometry, windows.azimuth, scene.targets));
        const targets = await measureTargets({ data: image, radar, axes, theory, azimuthLength: geometry.azimuthLength }, expected, signal);
        const entropy = await heeding(signal, measuring, imageEntropySteps(image));
        return { entropy, contrast: await heeding(signal, measuring, imageContrastSteps(image)), theory, targets };
      }),
    );
    const exposure = await heeding(signal, measuring, exposureReport(geometry));
    const resolution = await heeding(signal, measuring, resolutionReport(geometry, windows.azimuth, measures.theory));
    const report: Report = {
      format: reportFormat,
      version: reportVersion,
      scene: scene.name,
      inputs,
      device: deviceReport(device, whyDevice),
      raw: { type: scene.raw.layout.dtype, shape: scene.raw.layout.shape },
      image: { type: "c64", shape: [axes.azimuthSeconds.count, axes.slantRangeMeters.count] },
      radar,
      parameters: {
        dopplerCentroidHz: centroid.used,
        velocityMetersPerSecond: velocity.used,
        processedBandwidthHz: bandwidthOf(scene, options, program),
        rangeWindow: { value: windowText(windows.range), source: options.rangeWindow ? "option" : "default" },
        azimuthWindow: { value: windowText(windows.azimuth), source: options.azimuthWindow ? "option" : "default" },
        rcmc: { value: options.rcmc ?? "sinc8", source: options.rcmc ? "option" : "default" },
        src: srcOf(options, program),
        azimuthLength: lengthOf(options, geometry),
        rows: { value: options.rows ?? "all", source: options.rows === undefined ? "default" : "option" },
        lineGain: scene.lineGain ? { value: "per line", source: "scene" } : { value: "none", source: "default" },
      },
      ...(centroid.estimate === undefined ? {} : { dopplerEstimate: centroid.estimate }),
      axes,
      exposure,
      resolution,
      ...measures,
      stages,
      timings: [...clock.timings],
      notes: scene.notes,
      warnings: [
        ...velocityWarnings(velocity, radar, program.processedBandwidthHz, scene.raw.layout.shape[0]),
        ...foldingWarnings(geometry),
      ],
      questions,
    };
    const spacingMeters = [Math.abs(axes.azimuthMeters.step), axes.slantRangeMeters.step] as const;
    return { image, axes, report, spacingMeters, [Symbol.dispose]: () => buffer[Symbol.dispose]() };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}

/** What an interruption is said to have ended. */
const measuring = "measuring";

/** An `input` error is the fault of the option it names, where that was given, else of the scene. */
async function blameScene<T>(where: string, options: FocusOptions, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const field = String(error.fields["field"]);
    const named = optionOf[field];
    // A wrong velocity shows where Doppler frequencies are checked against 2V/λ.
    const blamed =
      named && options[named[1]] !== undefined
        ? named[0]
        : field.startsWith("radar.") && options.velocityMetersPerSecond
          ? "--velocity"
          : undefined;
    if (blamed)
      throw new CommandError("argument", `${blamed} does not suit ${where}: ${error.message}`, { option: blamed, ...error.fields }, error);
    throw new CommandError("file", `${where}: ${error.message}`, { file: where, ...error.fields }, error);
  }
}

/** What seems implausible about the radar that `scene` is to be focused with. Throws `input` for an orbit that is unusable. */
function questionScene({ radar, raw }: Scene, { velocityMetersPerSecond = radar.velocityMetersPerSecond }: FocusOptions): Question[] {
  const [lines, samples] = raw.layout.shape;
  return questionRadar({ ...radar, ...(velocityMetersPerSecond === undefined ? {} : { velocityMetersPerSecond }) }, lines, samples);
}

function bandwidthOf(scene: Scene, options: FocusOptions, program: RangeDopplerProgram): Used<number> {
  const value = program.processedBandwidthHz;
  if (options.processedBandwidthHz !== undefined) return { value, source: "option" };
  if (scene.processedBandwidthHz !== undefined) return { value, source: "scene" };
  return { value, source: "default", why: "the whole PRF" };
}

function srcOf(options: FocusOptions, { src }: RangeDopplerProgram): Used<string> {
  const degrees = (src.foldingErrorRadians * 180) / Math.PI;
  const left = `folded into the range filter it leaves ${degrees.toFixed(1)}° at the band edges`;
  return { value: src.mode, source: options.src === undefined ? "default" : "option", ...(src.mode === "off" ? {} : { why: left }) };
}

function lengthOf(options: FocusOptions, { azimuthLength, lines, rows }: ImageGeometry): Used<number> {
  if (options.azimuthLength !== undefined) return { value: azimuthLength, source: "option" };
  const why =
    options.rows === "full" ? `a fast length for ${lines} lines` : `a fast length for the ${rows} rows that ${lines} lines expose`;
  return { value: azimuthLength, source: "default", why };
}

/** How much work the image of `scene` is. Guard cells may take range transforms over a power of two, to the next. */
export function imageWork(scene: Scene, options: FocusOptions): ImageWork {
  const { raw } = scene;
  const [lines, samples] = raw.layout.shape;
  const padded = (length: number): number => 2 ** Math.ceil(Math.log2(length));
  const { azimuthLength = defaultLength(scene, options) ?? padded(lines) } = options;
  return {
    bytes: bytes(layout("c64", [lines, samples])),
    largestBytes: bytes(layout("c64", [azimuthLength, 2 * padded(samples)])),
  };
}

/** The azimuth length that the image will have about, as its centroid may have to be measured; undefined where parameters make no image. */
function defaultLength(scene: Scene, options: FocusOptions): number | undefined {
  const sensor = scene.preset === undefined ? undefined : sensorPresets[scene.preset];
  const wanted = typeof options.dopplerCentroidHz === "number" ? options.dopplerCentroidHz : undefined;
  const dopplerCentroidHz = wanted ?? scene.radar.dopplerCentroidHz ?? sensor?.dopplerCentroidHz ?? 0;
  try {
    const { used } = chooseVelocity(scene, options.velocityMetersPerSecond);
    const uncentred = paramsOf(scene, used.value, options);
    return imageGeometry({ ...uncentred, radar: { ...uncentred.radar, dopplerCentroidHz } }).azimuthLength;
  } catch (error) {
    // Focusing will say what is wrong.
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}

/** What the processor is asked, but for the Doppler centroid. */
function paramsOf(scene: Scene, velocityMetersPerSecond: number, options: FocusOptions): UncentredParams {
  const [lines, samples] = scene.raw.layout.shape;
  const { rangeWindow = defaultWindow, azimuthWindow = defaultWindow, rcmc = "sinc8", src, azimuthLength, rows } = options;
  const processedBandwidthHz = options.processedBandwidthHz ?? scene.processedBandwidthHz;
  const { orbit: _, ...radar } = scene.radar;
  return {
    radar: { ...radar, velocityMetersPerSecond },
    lines,
    samples,
    rawType: scene.raw.layout.dtype,
    rangeWindow,
    azimuthWindow,
    rcmc: rcmcModes[rcmc],
    ...(scene.lineGain ? { lineGain: scene.lineGain } : {}),
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

/** Runs a program stage by stage, each timed; the raw data and all temporaries are freed, the image stays. */
async function runProgram(
  program: RangeDopplerProgram,
  scene: Scene,
  device: Device,
  signal: AbortSignal | undefined,
  onShare: (what: string, share: number) => void,
): Promise<Focused> {
  using compiled = await compile(program, device);
  using raw = device.alloc(program.inputs["raw"], "raw");
  const buffer = device.alloc(compiled.layouts["image"], "image");
  try {
    await writeInSlices(raw, scene.raw.data, createPause("focus", signal));
    await device.ready();
    const starts: number[] = [];
    await compiled.run(
      { raw, image: buffer },
      {
        ...(signal ? { signal } : {}),
        onProgress({ stage, finished, stages }) {
          starts.push(performance.now());
          onShare(stage, finished / stages);
        },
      },
    ).done;
    const stages = compiled.stages.map(({ name, plan }, i) => ({
      name,
      milliseconds: Math.round(10 * (starts[i + 1] - starts[i])) / 10,
      text: plan.text,
    }));
    const image = (buffer.view ? buffer.view() : await buffer.read()) as Float32Array;
    return { buffer, image, stages };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}
