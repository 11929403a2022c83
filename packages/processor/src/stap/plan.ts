/**
 * Turns an array recording and settings into a plan, before a device is chosen: it decides every parameter and records where it comes
 * from, compresses the cube and makes the steering vectors. It does no file access.
 */

import { type Device, inputError } from "@dechirp/core";
import { type FieldsOf, isArrayOf, runAbortable } from "@dechirp/core/internal";
import { type ArrayFacts, type Chirp, type ComplexSamples, chirpReplica, formatWindow, type RangeAxis, type Window } from "@dechirp/radar";
import {
  type Cube,
  compressPulsesSteps,
  type EfaGeometry,
  type EfaInputs,
  type EfaOptions,
  efaGeometry,
  efaInputSteps,
  type Training,
} from "@dechirp/stap";
import { settingError } from "../blame.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { firstUsed, type UsedParameter } from "../used.ts";
import type { AdaptiveWork } from "../work.ts";
import { blameStap } from "./blame.ts";
import { checkChannels, withoutChannels } from "./channels.ts";
import type { StapFindings } from "./findings.ts";
import { stapPresets } from "./presets.ts";
import type { StapProcessing } from "./processing.ts";
import { type ArrayData, type ArrayRecording, arrayData } from "./recording.ts";
import type { StapParameters } from "./report.ts";
import { checkStapSettings, type StapSettings, scanText } from "./settings.ts";
import { arrayOf, directionsOf, type LineArray } from "./steering.ts";

/** Hooks of `planStap` and `processStap`. */
export interface StapHooks extends ProcessHooks {
  /**
   * Opens a device with c128 arrays, for example `() => open(cpu())`. It is called if the given device has none and float32 is too
   * coarse for some covariance; the opened device is disposed of after use. If this is left out, float32 results are used, the report
   * says how many of them may be wrong, and covariances that float32 can't solve at all are an error.
   */
  readonly openFloat64?: () => Promise<Device>;
  /**
   * Called with maps and detections as soon as they are there, before `processStap` judges them: condition numbers, interference and
   * homogeneity often take longer than the processing. A page can show the maps meanwhile.
   */
  readonly onFindings?: (findings: StapFindings) => void;
}

/** Fields of `StapHooks` that other hooks do not have. */
export const stapHooks: FieldsOf<Omit<StapHooks, keyof ProcessHooks>> = { openFloat64: "function", onFindings: "function" };

/** Everything that `processStap` needs: every parameter, and the arrays for the device. Made by `planStap`. */
export interface StapPlan {
  /** The recording without the left-out channels, [channel][pulse][range]. */
  readonly input: ArrayData;
  readonly settings: StapSettings;
  readonly options: EfaOptions;
  readonly geometry: EfaGeometry;
  /** Samples and steering vectors in the form that devices take, and the scale factors of the outputs. */
  readonly inputs: EfaInputs;
  /** The pulse-compressed cube [channel][pulse][range]. */
  readonly cube: Float32Array;
  /** Steering vectors [vector][channel · taps + tap]. */
  readonly steering: Float32Array;
  /** Azimuths of the steering vectors, if they are a scan. */
  readonly azimuthDegrees?: readonly number[];
  /** The linear array, if it is known. */
  readonly array?: LineArray;
  readonly prfHz?: number;
  readonly rangeAxis?: RangeAxis;
  /** The chirp with which the cube was compressed. */
  readonly chirp?: Chirp;
  /** Probability that a cell without a target is detected. */
  readonly falseAlarm: number;
  readonly parameters: StapParameters;
  readonly notes: readonly string[];
}

const defaults = { training: "adjacent", loading: 0, solver: "cholesky", output: "amf", falseAlarm: 1e-6 } as const;

/**
 * Decides every parameter of the processing, compresses pulses, makes steering vectors, and looks for channels that make covariances
 * singular. Rejects with `input`, naming `settings.…`, if a setting is wrong, contradicts another or does not suit the recording; with
 * `input`, naming the recording, if it can't be processed; and with `aborted` if `hooks.signal` fires.
 */
export async function planStap(recording: ArrayRecording, settings: StapSettings = {}, hooks: StapHooks = {}): Promise<StapPlan> {
  const { signal, onProgress, inputs = [] } = checkedHooks(hooks, stapHooks);
  const given = arrayData(recording, inputs[0]);
  checkStapSettings(settings);
  const plan = <T>(work: Generator<unknown, T>): Promise<T> => runAbortable(signal, "planning", work);
  onProgress?.("planning", 0);
  const input = await plan(withoutChannels(given, settings));
  const preset = presetOf(input, settings);
  const { processing: usual = {}, facts: known = {} } = preset.value === "none" ? {} : stapPresets[preset.value];
  checkContradictions(settings, usual);
  const processing = <K extends keyof StapProcessing, D>(key: K, otherwise: D): UsedParameter<NonNullable<StapProcessing[K]> | D> => {
    type Value = NonNullable<StapProcessing[K]>;
    return firstUsed<Value | D>(
      [settings[key] as Value | undefined, "option"],
      [usual[key] as Value | undefined, "preset"],
      [otherwise, "default"],
    );
  };
  const fact = <K extends keyof ArrayFacts>(key: K): UsedParameter<ArrayFacts[K] | undefined> =>
    firstUsed([settings[key], "option"], [input.facts[key], "scene"], [known[key], "preset"], [undefined, "none"]);
  const { channels, pulses, ranges } = input.cube;

  const [prf, carrier, spacing, broadside, chirp, rangeAxis] = [
    fact("prfHz"),
    fact("carrierHz"),
    fact("spacing"),
    fact("broadsideDegrees"),
    fact("chirp"),
    fact("rangeAxis"),
  ];
  const padded = usual.padding === undefined ? undefined : usual.padding * pulses;
  const dopplerBins = firstUsed<number>([settings.dopplerBins, "option"], [padded, "preset"], [pulses, "default"]);
  const blockRanges = firstUsed<number>(
    [settings.blockRanges, "option"],
    [usual.blockRanges, "preset"],
    [input.blockRanges, "scene"],
    [32, "default"],
  );
  const temporalTaps = processing("temporalTaps", Math.min(3, dopplerBins.value));
  const training = processing("training", defaults.training);
  // The guard and the cells of a preset apply only to the preset's own kind of training.
  const own = training.value === usual.training ? usual : {};
  const cells = firstUsed<number | string>([settings.cells, "option"], [own.cells, "preset"], ["all", "default"]);
  const guard = firstUsed<number>([settings.guard, "option"], [own.guard, "preset"], [0, "default"]);
  const [loading, solver, output, window] = [
    processing("loading", defaults.loading),
    processing("solver", defaults.solver),
    processing("output", defaults.output),
    processing("window", undefined),
  ];
  const [maxOverSteering, centred] = [processing("maxOverSteering", false), processing("centred", false)];
  if (maxOverSteering.value && output.value === "complex")
    throw settingError("maxOverSteering", "left out if the output is complex, which has no largest value", maxOverSteering.value);

  const array = arrayOf(spacing.value, carrier.value, broadside.value);
  const directions = directionsOf(input, settings, usual.azimuth, array);
  const options: EfaOptions = {
    channels,
    pulses,
    ranges,
    steeringVectors: directions.vectors,
    dopplerBins: dopplerBins.value,
    temporalTaps: temporalTaps.value,
    blockRanges: blockRanges.value,
    training: trainingOf(training.value, typeof cells.value === "number" ? cells.value : undefined, guard.value),
    loading: loading.value,
    solver: solver.value,
    output: output.value,
    maxOverSteering: maxOverSteering.value,
    centred: centred.value,
  };
  const settled = <T>(work: () => T | Promise<T>): Promise<T> => blameStap(input, settings, work);
  const geometry = await settled(() => efaGeometry(window.value === undefined ? options : { ...options, window: window.value }));
  const vectors = await settled(() => directions.make(geometry));
  if (chirp.value !== undefined && chirp.value !== "none") onProgress?.("compressing pulses", 0.2);
  const arrays = await settled(async () => plan(efaInputSteps(await plan(compressed(input, chirp.value)), vectors, geometry)));
  const { cube, steering } = arrays.arrays;
  onProgress?.("checking channels", 0.8);
  const ofChannels = await plan(checkChannels(input, cube, loading.value));
  const falseAlarm = firstUsed<number>([settings.falseAlarm, "option"], [defaults.falseAlarm, "default"]);
  return {
    input,
    settings,
    options: { ...options, window: geometry.window },
    geometry,
    inputs: arrays,
    cube,
    steering,
    ...(directions.azimuthDegrees ? { azimuthDegrees: directions.azimuthDegrees } : {}),
    ...(array ? { array } : {}),
    ...(prf.value === undefined ? {} : { prfHz: prf.value }),
    ...(rangeAxis.value ? { rangeAxis: rangeAxis.value } : {}),
    ...(chirp.value === undefined || chirp.value === "none" ? {} : { chirp: chirp.value }),
    falseAlarm: falseAlarm.value,
    parameters: {
      preset,
      dopplerBins,
      temporalTaps,
      training,
      ...(training.value === "sliding" ? { cells } : { blockRanges }),
      ...(training.value === "own" ? {} : { guard }),
      loading,
      solver,
      window: { ...window, value: windowName(window.value) },
      centred,
      output,
      maxOverSteering,
      steering: { value: directions.text, source: directions.source },
      chirp: { ...chirp, value: chirpName(chirp.value) },
      prfHz: { ...prf, value: prf.value ?? null },
      carrierHz: { ...carrier, value: carrier.value ?? null },
      spacing: { ...spacing, value: spacing.value === undefined ? null : `${spacing.value.value} ${spacing.value.unit}` },
      broadsideDegrees: { ...broadside, value: broadside.value ?? null },
      falseAlarm,
    },
    notes: [
      ...input.notes,
      ...roundedNotes(settings.steering),
      ...(input.axesNote === undefined ? [] : [input.axesNote]),
      ...(arrays.cubeExponent === 0
        ? []
        : [`samples were scaled by 2^${-arrays.cubeExponent} so that float32 can hold their squares; outputs were scaled back`]),
      ...ofChannels,
    ],
  };
}

/** Throws `input` if `plan` was not made by `planStap`. */
export function checkPlan(plan: StapPlan): void {
  const { geometry, input, settings, parameters, cube, steering } = plan ?? {};
  if (!(typeof geometry?.sets?.runs === "function" && input && settings && parameters && cube && steering))
    throw inputError("plan", "a plan made by planStap", plan);
}

/**
 * Estimates the work of `plan`, for programs that choose a device: arithmetic operations, and the largest array that must be whole.
 * Throws `input` if `plan` was not made by `planStap`.
 */
export function stapWork(plan: StapPlan): AdaptiveWork {
  checkPlan(plan);
  const { geometry } = plan;
  const { channels, dopplerBins, ranges, sets, order, steeringVectors, products, maxOverSteering, output } = geometry;
  const matrices = dopplerBins * sets.groups;
  const cells = sets.runs(sets.groups >> 1, 0).reduce((sum, [, count]) => sum + count, 0);
  const operations =
    matrices * (8 * products * cells + (4 / 3) * order ** 3 + 8 * steeringVectors * order ** 2) +
    8 * dopplerBins * ranges * steeringVectors * order;
  const planes = maxOverSteering && output === "amf" ? 1 : steeringVectors;
  return {
    kind: "adaptive",
    operations,
    largestBytes: 8 * Math.max(channels * dopplerBins * ranges, planes * dopplerBins * ranges, matrices * products),
  };
}

/** A note if steering vectors are float64, because devices take them as float32. */
const roundedNotes = (steering: StapSettings["steering"]): readonly string[] =>
  steering && isArrayOf(steering.data, Float64Array)
    ? [`${steering.file ?? "steering vectors"}: samples of 64 bits a part were rounded to 32 bits`]
    : [];

function presetOf({ preset }: ArrayData, settings: StapSettings): StapParameters["preset"] {
  if (settings.preset) return { value: settings.preset, source: "option" };
  return preset ? { value: preset.name, source: "scene", why: preset.why } : { value: "none", source: "default" };
}

function checkContradictions(settings: StapSettings, usual: StapProcessing): void {
  const { guard, cells, blockRanges, azimuth, steering, cfar, cfarCells, cfarGuard } = settings;
  const training = settings.training ?? usual.training ?? defaults.training;
  const leftOut = (setting: keyof StapSettings, given: unknown, why: string): void => {
    if (given !== undefined) throw settingError(setting, `left out ${why}`, given);
  };
  if (training === "own") leftOut("guard", guard, "if training is own: a block has no other cells to guard against");
  if (training !== "sliding") leftOut("cells", cells, `if training is ${training}: it trains with blocks`);
  else leftOut("blockRanges", blockRanges, "if training is sliding: every range has its own training cells");
  if (steering !== undefined) leftOut("azimuth", azimuth && scanText(azimuth), "if settings.steering is given");
  if (cfar === undefined) {
    leftOut("cfarCells", cfarCells, "without settings.cfar");
    leftOut("cfarGuard", cfarGuard, "without settings.cfar");
  }
}

function trainingOf(kind: StapParameters["training"]["value"], cells: number | undefined, guard: number): Training {
  if (kind === "own") return { kind };
  if (kind === "adjacent") return { kind, guardBlocks: guard };
  return { kind, guardCells: guard, ...(cells === undefined ? {} : { cells }) };
}

const windowName = (window: Window | undefined): string => (window === undefined || window.kind === "rect" ? "none" : formatWindow(window));

const chirpName = (chirp: ArrayFacts["chirp"]): string =>
  chirp === undefined || chirp === "none" ? "none" : `${chirp.bandwidthHz},${chirp.pulseSeconds},${chirp.samplingRateHz}`;

/** The cube after its matched filter, if it needs one. */
function* compressed({ cube }: ArrayData, chirp: ArrayFacts["chirp"]): Generator<void, ComplexSamples> {
  const done: Cube = chirp === undefined || chirp === "none" ? cube : yield* compressPulsesSteps(cube, chirpReplica(chirp));
  return done.data;
}
