/**
 * An array recording and settings to a plan: every parameter settled and told where it comes from, the cube compressed, steering vectors
 * made, all before a device is chosen. No files, no device.
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
import { firstUsed, type Used } from "../used.ts";
import type { AdaptiveWork } from "../work.ts";
import { blameStap } from "./blame.ts";
import { checkChannels, withoutChannels } from "./channels.ts";
import { stapPresets } from "./presets.ts";
import type { StapProcessing } from "./processing.ts";
import { type ArrayData, type ArrayRecording, arrayData } from "./recording.ts";
import type { StapParameters } from "./report.ts";
import { checkStapSettings, type StapSettings, scanText } from "./settings.ts";
import { arrayOf, directionsOf, type LineArray } from "./steering.ts";

/** What callers hand over beside recordings, settings and devices. */
export interface StapHooks extends ProcessHooks {
  /**
   * Opens a device with c128 arrays, such as `() => open(cpu())`. It is asked where the given device has none and float32 is too coarse for
   * some covariance, and the device that it opens is disposed of after use. Where left out, results in float32 are taken, the report tells
   * how many of them may be wrong, and covariances that float32 can't solve at all are an error.
   */
  readonly openFloat64?: () => Promise<Device>;
}

/** Fields of `StapHooks` that other hooks lack. */
export const stapHooks: FieldsOf<Omit<StapHooks, keyof ProcessHooks>> = { openFloat64: "function" };

/** What `processStap` does: every parameter, and the arrays that a device takes. */
export interface StapPlan {
  /** The recording without the channels that are left out, [channel][pulse][range]. */
  readonly input: ArrayData;
  readonly settings: StapSettings;
  readonly options: EfaOptions;
  readonly geometry: EfaGeometry;
  /** Samples and steering vectors as devices take them, and what outputs have to be scaled by. */
  readonly inputs: EfaInputs;
  /** [channel][pulse][range], compressed. */
  readonly cube: Float32Array;
  /** [vector][channel · taps + tap] */
  readonly steering: Float32Array;
  /** Of the steering vectors, where they are a scan. */
  readonly azimuthDegrees?: readonly number[];
  /** The line of elements, where it is known. */
  readonly array?: LineArray;
  readonly prfHz?: number;
  readonly rangeAxis?: RangeAxis;
  /** What the cube was compressed with. */
  readonly chirp?: Chirp;
  /** Probability that a cell without a target is detected. */
  readonly falseAlarm: number;
  readonly parameters: StapParameters;
  readonly notes: readonly string[];
}

const defaults = { training: "adjacent", loading: 0, solver: "cholesky", output: "amf", falseAlarm: 1e-6 } as const;

/**
 * Settles every parameter of `recording`'s processing by `settings`, compresses pulses, makes steering vectors and looks for channels that
 * make covariances singular. Rejects with `input`, naming `settings.…`, for settings that are wrong, that contradict each other or that do
 * not suit the recording, and naming the recording for one that can't be processed; with `aborted` where `hooks.signal` fires.
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
  const processing = <K extends keyof StapProcessing, D>(key: K, otherwise: D): Used<NonNullable<StapProcessing[K]> | D> => {
    type Value = NonNullable<StapProcessing[K]>;
    return firstUsed<Value | D>(
      [settings[key] as Value | undefined, "option"],
      [usual[key] as Value | undefined, "preset"],
      [otherwise, "default"],
    );
  };
  const fact = <K extends keyof ArrayFacts>(key: K): Used<ArrayFacts[K] | undefined> =>
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
  // A preset's guard and cells are those of its own training.
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
    throw settingError("maxOverSteering", "left out where the output is complex, which has no largest", maxOverSteering.value);

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
        : [`samples were scaled by 2^${-arrays.cubeExponent}, whose squares float32 holds, and outputs back`]),
      ...ofChannels,
    ],
  };
}

/** Throws `input` for what is no plan. */
export function checkPlan(plan: StapPlan): void {
  const { geometry, input, settings, parameters, cube, steering } = plan ?? {};
  if (!(typeof geometry?.sets?.runs === "function" && input && settings && parameters && cube && steering))
    throw inputError("plan", "a plan, which planStap makes", plan);
}

/** How much work `plan` is, for whoever chooses a device: arithmetic of the run, and the largest array that it needs whole. Throws `input` for what is no plan. */
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

/** Of steering vectors in float64, which devices take as float32. */
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
  if (training === "own") leftOut("guard", guard, "where training is own: a block has no cells but its own");
  if (training !== "sliding") leftOut("cells", cells, `where training is ${training}: blocks train`);
  else leftOut("blockRanges", blockRanges, "where training is sliding: every range has its own");
  if (steering !== undefined) leftOut("azimuth", azimuth && scanText(azimuth), "where settings.steering is given");
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

/** The cube through its matched filter, where it needs one. */
function* compressed({ cube }: ArrayData, chirp: ArrayFacts["chirp"]): Generator<void, ComplexSamples> {
  const done: Cube = chirp === undefined || chirp === "none" ? cube : yield* compressPulsesSteps(cube, chirpReplica(chirp));
  return done.data;
}
