/**
 * STAP input and settings to a plan: every parameter settled and told where it comes from, the cube compressed, steering vectors
 * made, all before a device is chosen. No files, no device.
 */
import { isRadarError } from "@dechirp/core";
import { windowSamples, windowText } from "@dechirp/sar";
import {
  type ComplexSamples,
  type Cube,
  chebyshevWindow,
  chirpReplica,
  compressPulses,
  type EfaGeometry,
  type EfaOptions,
  efaGeometry,
  efaSteering,
  speedOfLight,
  type Training,
  ulaCycles,
  uniformSteering,
} from "@dechirp/stap";
import type { AdaptiveWork } from "../devices.ts";
import { argumentError, CommandError } from "../errors.ts";
import type { Used } from "../report.ts";
import type { StapInput, SteeringVectors } from "./input.ts";
import type { StapParameters } from "./report.ts";
import {
  type ArrayFacts,
  type AzimuthScan,
  type Chirp,
  type Processing,
  type PulseWindow,
  type StapSettings,
  stapPresets,
} from "./settings.ts";

/** A uniform line of elements. */
export interface LineArray {
  readonly spacingWavelengths: number;
  readonly broadsideDegrees: number;
}

export interface StapPlan {
  readonly input: StapInput;
  readonly settings: StapSettings;
  readonly options: EfaOptions;
  readonly geometry: EfaGeometry;
  /** [channel][pulse][range], compressed. */
  readonly cube: Float32Array;
  /** [vector][channel · taps + tap] */
  readonly steering: Float32Array;
  /** Of the steering vectors, where they are a scan. */
  readonly azimuthDegrees?: readonly number[];
  readonly array?: LineArray;
  readonly prfHz?: number;
  readonly rangeAxis?: NonNullable<ArrayFacts["rangeAxis"]>;
  /** What the cube was compressed with. */
  readonly chirp?: Chirp;
  readonly falseAlarm: number;
  readonly parameters: StapParameters;
  readonly notes: readonly string[];
}

const defaults = { training: "adjacent", loading: 0, solver: "cholesky", output: "amf", falseAlarm: 1e-6 } as const;
const maxAzimuths = 4096;

/** Which options a field of the algorithm's may come from; the first that was given is blamed. */
const optionsOf: Readonly<Record<string, readonly (readonly [option: string, key: keyof StapSettings])[]>> = {
  dopplerBins: [["--doppler-bins", "dopplerBins"]],
  temporalTaps: [["--tdof", "temporalTaps"]],
  blockRanges: [["--block", "blockRanges"]],
  "training.cells": [["--cells", "cells"]],
  "training.guardBlocks": [["--guard", "guard"]],
  "training.guardCells": [["--guard", "guard"]],
  "training.blocks": [
    ["--guard", "guard"],
    ["--block", "blockRanges"],
    ["--training", "training"],
  ],
  training: [
    ["--guard", "guard"],
    ["--cells", "cells"],
    ["--block", "blockRanges"],
    ["--tdof", "temporalTaps"],
    ["--training", "training"],
  ],
  replica: [["--chirp", "chirp"]],
  pulseSeconds: [["--chirp", "chirp"]],
  spatial: [["--azimuth", "azimuth"]],
  steeringVectors: [["--azimuth", "azimuth"]],
  sidelobeDb: [["--window", "window"]],
  n: [["--window", "window"]],
};

/** The same of thresholds from neighbouring ranges, which are found as training cells are. */
export const cfarOptionsOf: typeof optionsOf = {
  cells: [["--cfar-cells", "cfarCells"]],
  training: [
    ["--cfar-guard", "cfarGuard"],
    ["--cfar-cells", "cfarCells"],
  ],
};

/** Runs `work`; an `input` error is the fault of the option that the field comes from, where that was given, else of the input. */
export async function blameStap<T>(
  { file }: { file: string },
  settings: StapSettings,
  work: () => T | Promise<T>,
  options = optionsOf,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const field = String(error.fields["field"]);
    // How many blocks there are is no matter of taps: only too few cells are.
    const about = field === "training" && error.fields["blocks"] !== undefined ? "training.blocks" : field;
    const known = options[about] ?? options[about.split(/[.[]/)[0]] ?? [];
    const [option] = known.find(([, key]) => settings[key] !== undefined) ?? [];
    if (option !== undefined)
      throw new CommandError("argument", `${option} does not suit ${file}: ${error.message}`, { option, ...error.fields }, error);
    throw new CommandError("file", `${file}: ${error.message}`, { file, ...error.fields }, error);
  }
}

/** Settles everything. Throws a CommandError of kind `argument` for options that contradict each other or the input, else of kind `file`. */
export async function planStap(input: StapInput, settings: StapSettings, file: SteeringVectors | undefined): Promise<StapPlan> {
  const preset = presetOf(input, settings);
  const { processing: usual = {}, facts: known = {} } = preset.value === "none" ? {} : stapPresets[preset.value];
  checkContradictions(input, settings, usual);
  const processing = <K extends keyof Processing, D>(key: K, otherwise: D): Used<NonNullable<Processing[K]> | D> => {
    type Value = NonNullable<Processing[K]>;
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
    throw argumentError("--max-over-steering", "left out where the output is complex, which has no largest", output.value);

  const array = arrayOf(spacing.value, carrier.value, broadside.value);
  const directions = directionsOf(input, settings, usual.azimuth, file, array);
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
  const settled = <T>(work: () => T): Promise<T> => blameStap(input, settings, work);
  const geometry = await settled(() =>
    efaGeometry(window.value === undefined ? options : { ...options, window: pulseWeights(window.value, pulses) }),
  );
  const steering = await settled(() => directions.make(geometry));
  const cube = await settled(() => compressed(input, chirp.value));
  const falseAlarm = firstUsed<number>([settings.falseAlarm, "option"], [defaults.falseAlarm, "default"]);
  return {
    input,
    settings,
    options: { ...options, window: geometry.window },
    geometry,
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
    notes: input.notes,
  };
}

/** Arithmetic of the run, and the largest array that it needs whole. */
export function stapWork({ geometry }: StapPlan): AdaptiveWork {
  const { channels, dopplerBins, ranges, sets, order, steeringVectors, products, maxOverSteering, output } = geometry;
  const matrices = dopplerBins * sets.groups;
  const cells = sets.runs(sets.groups >> 1, 0).reduce((sum, [, count]) => sum + count, 0);
  const operations =
    matrices * (8 * products * cells + (4 / 3) * order ** 3 + 8 * steeringVectors * order ** 2) +
    8 * dopplerBins * ranges * steeringVectors * order;
  const planes = maxOverSteering && output === "amf" ? 1 : steeringVectors;
  return { operations, largestBytes: 8 * Math.max(channels * dopplerBins * ranges, planes * dopplerBins * ranges, matrices * products) };
}

/** The first value that is there. */
function firstUsed<T>(...values: readonly (readonly [value: T | undefined, source: Used<T>["source"]])[]): Used<T> {
  const [value, source] = values.find(([one]) => one !== undefined) ?? values[values.length - 1];
  return { value: value as T, source };
}

function presetOf({ preset }: StapInput, settings: StapSettings): StapParameters["preset"] {
  if (settings.preset) return { value: settings.preset, source: "option" };
  return preset ? { value: preset.name, source: "scene", why: preset.why } : { value: "none", source: "default" };
}

function checkContradictions(input: StapInput, settings: StapSettings, usual: Processing): void {
  const { axes, set, guard, cells, blockRanges, azimuth, steeringFile, cfar, cfarCells, cfarGuard } = settings;
  const training = settings.training ?? usual.training ?? defaults.training;
  const leftOut = (option: string, given: unknown, why: string): void => {
    if (given !== undefined) throw argumentError(option, `left out ${why}`, given);
  };
  if (!input.axesOpen) leftOut("--axes", axes, `for ${input.file}, whose axes are known`);
  if (input.blockRanges === undefined) leftOut("--set", set, `for ${input.file}, which is not the PERFECT suite's`);
  else if (input.namedSet !== undefined && set !== input.namedSet) leftOut("--set", set, `for ${input.file}, of the ${input.namedSet} set`);
  if (training === "own") leftOut("--guard", guard, "where training is own: a block has no cells but its own");
  if (training !== "sliding") leftOut("--cells", cells, `where training is ${training}: blocks train`);
  else leftOut("--block", blockRanges, "where training is sliding: every range has its own");
  if (steeringFile !== undefined) leftOut("--azimuth", azimuth && scanText(azimuth), "where --steering is given");
  if (cfar === undefined) {
    leftOut("--cfar-cells", cfarCells, "without --cfar");
    leftOut("--cfar-guard", cfarGuard, "without --cfar");
  }
}

function trainingOf(kind: StapParameters["training"]["value"], cells: number | undefined, guard: number): Training {
  if (kind === "own") return { kind };
  if (kind === "adjacent") return { kind, guardBlocks: guard };
  return { kind, guardCells: guard, ...(cells === undefined ? {} : { cells }) };
}

function arrayOf(spacing: ArrayFacts["spacing"], carrierHz: number | undefined, broadsideDegrees = 0): LineArray | undefined {
  if (spacing === undefined) return undefined;
  if (spacing.unit === "wavelengths") return { spacingWavelengths: spacing.value, broadsideDegrees };
  if (carrierHz === undefined)
    throw new CommandError("argument", "--carrier is missing: a spacing in metres takes a wavelength", { option: "--carrier" });
  return { spacingWavelengths: (spacing.value * carrierHz) / speedOfLight, broadsideDegrees };
}

/** a(ϑ) of a line's elements for an azimuth. */
export const lineSteering = (channels: number, { spacingWavelengths, broadsideDegrees }: LineArray, azimuthDegrees: number): Float64Array =>
  uniformSteering(channels, ulaCycles(spacingWavelengths, ((azimuthDegrees - broadsideDegrees) * Math.PI) / 180));

interface Directions {
  readonly vectors: number;
  readonly text: string;
  readonly source: Used<string>["source"];
  readonly azimuthDegrees?: readonly number[];
  make(geometry: EfaGeometry): Float32Array;
}

function directionsOf(
  input: StapInput,
  settings: StapSettings,
  usual: AzimuthScan | undefined,
  file: SteeringVectors | undefined,
  array: LineArray | undefined,
): Directions {
  const given = file ?? (settings.azimuth ? undefined : input.steering);
  if (given) {
    const text = `${given.vectors} vectors of ${given.elements} from ${given.file}`;
    return {
      vectors: given.vectors,
      text,
      source: file ? "option" : "scene",
      make: (geometry) => stored(given, geometry, file && "--steering", settings),
    };
  }
  const scan = settings.azimuth ?? usual;
  if (scan === undefined)
    throw new CommandError("argument", `--azimuth or --steering is missing: ${input.file} has no steering vectors`, {
      option: "--azimuth",
    });
  if (array === undefined)
    throw new CommandError("argument", "--spacing is missing: --azimuth steers a uniform line of elements", { option: "--spacing" });
  const azimuthDegrees = azimuths(scan);
  const { from, to, step } = scan;
  return {
    vectors: azimuthDegrees.length,
    text: from === to ? `azimuth ${from}°` : `azimuths ${from}° to ${to}° by ${step}°`,
    source: settings.azimuth ? "option" : "preset",
    azimuthDegrees,
    make: (geometry) =>
      Float32Array.from(
        efaSteering(
          geometry,
          azimuthDegrees.map((azimuth) => lineSteering(geometry.channels, array, azimuth)),
        ),
      ),
  };
}

/** Vectors of a file: over channels, or over the elements of a snapshot. */
function stored(
  { file, vectors, elements, data }: SteeringVectors,
  geometry: EfaGeometry,
  from: "--steering" | undefined,
  settings: StapSettings,
): Float32Array {
  const { channels, order, temporalTaps } = geometry;
  const vector = (p: number): ComplexSamples => data.subarray(2 * p * elements, 2 * (p + 1) * elements);
  for (let p = 0; p < vectors; p++) {
    if (vector(p).every((x) => x === 0))
      throw new CommandError("file", `${file}: steering vector ${p} must not be all zero`, { file, vector: p });
  }
  if (elements === order) return Float32Array.from(data);
  if (elements === channels) {
    const spatial = Array.from({ length: vectors }, (_, p) => vector(p));
    return Float32Array.from(efaSteering(geometry, spatial));
  }
  if (settings.temporalTaps !== undefined && elements % channels === 0)
    throw argumentError(
      "--tdof",
      `${elements / channels}, as steering vectors of ${file} are of ${elements} elements for ${channels} channels`,
      temporalTaps,
    );
  const expected = `of length ${channels}, the channels, or ${order}, channels times ${temporalTaps} taps`;
  throw new CommandError("file", `${from === undefined ? "" : `${from} `}${file}: steering vectors must be ${expected}, not ${elements}`, {
    file,
    expected,
    actual: elements,
  });
}

/** A scan as an option gives it. */
const scanText = ({ from, to, step }: AzimuthScan): string => (from === to ? `${from}` : `${from}:${to}:${step}`);

const azimuths = ({ from, to, step }: AzimuthScan): readonly number[] =>
  // To a millionth of a step, so that the last one is not lost to rounding; to 1e-9° so that 230 + 0.1·3 reads as it was meant.
  Array.from({ length: scanLength({ from, to, step }) }, (_, i) => Number((from + i * step).toFixed(9)));

/** Azimuths of a scan. Throws `argument` for too many. */
export function scanLength({ from, to, step }: AzimuthScan): number {
  const length = Math.floor((to - from) / step + 1e-6) + 1;
  if (!(length >= 1 && length <= maxAzimuths)) throw argumentError("--azimuth", `of 1 to ${maxAzimuths} azimuths`, `${from}:${to}:${step}`);
  return length;
}

function pulseWeights(window: PulseWindow, pulses: number): Float64Array {
  return window.kind === "chebyshev" ? chebyshevWindow(pulses, window.sidelobeDb) : windowSamples(window, pulses);
}

function windowName(window: PulseWindow | undefined): string {
  if (window === undefined || window.kind === "rect") return "none";
  return window.kind === "chebyshev" ? `chebyshev:${window.sidelobeDb}` : windowText(window);
}

const chirpName = (chirp: ArrayFacts["chirp"]): string =>
  chirp === undefined || chirp === "none" ? "none" : `${chirp.bandwidthHz},${chirp.pulseSeconds},${chirp.samplingRateHz}`;

/** The cube through its matched filter, where it needs one, in float32. */
function compressed({ cube, file }: StapInput, chirp: ArrayFacts["chirp"]): Float32Array {
  const done: Cube =
    chirp === undefined || chirp === "none"
      ? cube
      : compressPulses(cube, chirpReplica(chirp.bandwidthHz, chirp.pulseSeconds, chirp.samplingRateHz));
  if (done.data instanceof Float32Array) return done.data;
  const data = Float32Array.from(done.data);
  // Float64 holds what float32 does not.
  if (!data.every(Number.isFinite))
    throw new CommandError("file", `${file}: samples must be within the range of float32`, { file, field: "samples" });
  return data;
}
