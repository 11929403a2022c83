/**
 * Runs the published experiment on a device: simulates the scene, makes the image in every variant, compares the images, measures their
 * targets, and times variants and parts in turns. It takes a device and returns a report; it uses no files and no terminal. Only one
 * variant is compiled at a time, so the device's memory must hold only the largest one.
 */

import {
  type Buffer,
  type CompiledProgram,
  compile,
  type Device,
  inputError,
  isRadarError,
  layout,
  RadarError,
  throwIfAborted,
} from "@dechirp/core";
import { addCosts } from "@dechirp/core/backend";
import { differenceSteps } from "@dechirp/core/compare";
import { type FieldsOf, nextTurn, runAbortable } from "@dechirp/core/internal";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { deviceReport, expectedTargets, measureTargets, type TargetReport, targetsIn, theoreticalResponse } from "@dechirp/processor";
import { formatWindow } from "@dechirp/radar";
import { defaultWindow, fusedSarScene, type RangeDopplerParams, rangeDoppler, simulateStripmap } from "@dechirp/sar";
import { checkExperiment, type ExperimentHooks, experimentFormat } from "../experiment.ts";
import { median } from "../timing.ts";
import { differenceBound, type Part, published } from "./published.ts";
import type { PaperReport, VariantReport } from "./report.ts";
import { unfusedName, type Variant, variantsOf } from "./variants.ts";

/** Options of `fusedSarExperiment`. */
export interface PaperOptions {
  /** Number of pulses, at least 256, with at most 2²⁶ samples in all. Default: 4096. */
  readonly lines?: number;
  /** Number of samples per pulse, at least 256. Default: 4096. */
  readonly samples?: number;
  /** Number of turns. Each variant is timed once per turn. Default: 5. A variant that takes seconds has one turn. */
  readonly turns?: number;
  /** Why this device was chosen, for the report. */
  readonly whyDevice?: string;
}

const fieldsOfOptions: FieldsOf<PaperOptions> = { lines: "number", samples: "number", turns: "number", whyDevice: "string" };

const fewest = 256;
const mostSamples = 2 ** 26;
/** Variants that take longer than this after warm-up are timed in one turn only. */
const slowMilliseconds = 3000;
/** The approximate length of a turn on the device's clock, and the largest number of runs in it. */
const turnMilliseconds = 100;
const mostRuns = 30;

/**
 * Runs the experiment on the device and returns its report. Throws `input` for invalid sizes, `aborted`, and `out-of-memory` as the device
 * does.
 */
export async function fusedSarExperiment(device: Device, options: PaperOptions = {}, given: ExperimentHooks = {}): Promise<PaperReport> {
  const { signal, onProgress } = checkExperiment([{ device }], options, fieldsOfOptions, given);
  const { lines = 4096, samples = 4096, turns = 5, whyDevice } = options;
  for (const [field, value] of Object.entries({ lines, samples })) {
    if (!Number.isInteger(value) || value < fewest || lines * samples > mostSamples)
      throw inputError(field, `an integer of at least ${fewest}, with at most 2^26 samples in all`, value);
  }
  if (!Number.isInteger(turns) || turns < 1 || turns > 1000) throw inputError("turns", "an integer from 1 to 1000", turns);
  const scene = fusedSarScene(lines, samples);
  const simulation = await simulateStripmap(scene, {
    ...(signal && { signal }),
    onProgress: (share) => onProgress?.("simulating", 0.1 * share),
  });
  const raw = simulation.raw as Float32Array;
  // Without padding, unless the scene's preset asks for it.
  const { rangeLength = samples, radar, processedBandwidthHz } = scene;
  const params: RangeDopplerParams = { radar, lines, samples, processedBandwidthHz, rangeLength, azimuthLength: lines };
  const program = rangeDoppler(params);
  await nextTurn(signal, "the experiment");
  const variants = variantsOf(params, await runAbortable(signal, "the experiment", peakOf(raw)));
  const { axes } = program;
  const theory = theoreticalResponse(radar, axes, processedBandwidthHz, { azimuth: defaultWindow, range: defaultWindow });
  const expected = await runAbortable(signal, "the experiment", expectedTargets(program.geometry, defaultWindow, scene.targets));

  using rawBuffer = device.alloc(layout("c64", [lines, samples]), "raw");
  using image = device.alloc(layout("c64", [axes.azimuthSeconds.count, axes.slantRangeMeters.count]), "image");
  rawBuffer.write(raw);
  const hasClock = await clocked(device);
  const buffers = { raw: rawBuffer, image };
  const blank = new Float32Array(2 * image.layout.shape[0] * image.layout.shape[1]).fill(Number.NaN);
  const results = new Map<Variant, Result>();
  let reference: Float32Array | undefined;
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, variant] of variants.entries()) {
      throwIfAborted(signal, "the experiment");
      const result = results.get(variant);
      if (result && (result.why !== undefined || result.slow)) continue;
      // The first turn also measures the images, so it is half of the work.
      const share = turn === 0 ? i / variants.length / 2 : 0.5 + (turn - 1 + i / variants.length) / Math.max(1, turns - 1) / 2;
      onProgress?.(`${variant.name}, turn ${turn + 1} of ${turns}`, 0.1 + 0.9 * share);
      // Filled with NaN, so that an image that was not written is detected.
      if (!result) image.write(blank);
      const timed = await timeVariant(device, variant, buffers, hasClock, signal);
      if (typeof timed === "string") {
        results.set(variant, { why: timed, slow: false, times: [], targets: [] });
        continue;
      }
      if (result) {
        result.times.push(timed);
        continue;
      }
      const data = (await image.read()) as Float32Array;
      if (await runAbortable(signal, "the experiment", hasNaN(data))) {
        const fields = { variant: variant.name };
        throw new RadarError("failed", `${variant.name} made no image, or left a part of it unwritten`, fields);
      }
      if (variant.name === unfusedName) reference = data;
      const difference = await runAbortable(signal, "the experiment", differenceSteps(image.layout, data, reference as Float32Array));
      const targets = await measureTargets({ measurer: targetsIn(data, radar, axes, lines), radar, axes, theory }, expected, signal);
      results.set(variant, { slow: timed.slow, times: [timed], difference, targets });
    }
  }
  onProgress?.("done", 1);
  return {
    format: experimentFormat,
    version: 1,
    experiment: "fused-sar-paper",
    date: new Date().toISOString(),
    device: deviceReport(device, whyDevice),
    scene: {
      title: scene.title,
      radar,
      lines,
      samples,
      image: [axes.azimuthSeconds.count, axes.slantRangeMeters.count],
      processedBandwidthHz,
      rawSnrDb: -20 * Math.log10(simulation.noiseSigma),
      windows: formatWindow(defaultWindow),
    },
    theory,
    variants: variants.map((variant) => reportOf(variant, results.get(variant) as Result)),
    published,
    differenceBound,
  };
}

/** Whether the device has a clock. */
async function clocked(device: Device): Promise<boolean> {
  const shape = layout("f32", [64]);
  using plan = await device.plan({ op: "convert", layout: shape, to: "f32", scale: 2 });
  using from = device.alloc(shape, "clock");
  using to = device.alloc(shape, "clock");
  return (await timeOnDevice(device, () => void plan.run({ in: from, out: to }))) !== undefined;
}

/** Number of values that are processed between two yields. */
const pieceNumbers = 2 ** 18;

function* hasNaN(data: Float32Array): Generator<void, boolean> {
  for (let start = 0; start < data.length; start += pieceNumbers) {
    if (data.subarray(start, start + pieceNumbers).some(Number.isNaN)) return true;
    yield;
  }
  return false;
}

function* peakOf(raw: Float32Array): Generator<void, number> {
  let most = 0;
  for (let i = 0; i < raw.length; i += 2) {
    most = Math.max(most, raw[i] * raw[i] + raw[i + 1] * raw[i + 1]);
    if (i % pieceNumbers === 0) yield;
  }
  return Math.sqrt(most);
}

interface Timed {
  readonly clock: "device" | "host";
  readonly milliseconds: number;
  readonly wallMilliseconds: number;
  /** By part, in the order of the steps. */
  readonly parts: ReadonlyMap<Part, { readonly milliseconds: number; readonly plans: readonly string[] }>;
  readonly passes: number;
  readonly bytes: number;
  readonly slow: boolean;
}

interface Result {
  readonly why?: string;
  readonly slow: boolean;
  readonly times: Timed[];
  readonly difference?: { readonly relativeL2: number; readonly maxAbsolute: number };
  readonly targets: readonly TargetReport[];
}

type Buffers = Readonly<Record<"raw" | "image", Buffer>>;

/** Milliseconds of work before times are read from a device's clock. */
const warmMilliseconds = 150;

/** Times one turn of a variant after warm-up runs, and leaves its image in `buffers`. Returns the reason if this device can not run it. */
async function timeVariant(
  device: Device,
  variant: Variant,
  buffers: Buffers,
  hasClock: boolean,
  signal: AbortSignal | undefined,
): Promise<Timed | string> {
  let compiled: CompiledProgram;
  try {
    compiled = await compile(variant.program, device, { fuse: variant.fuse });
  } catch (error) {
    if (!isRadarError(error, "limit") && !isRadarError(error, "out-of-memory") && !isRadarError(error, "unsupported")) throw error;
    return error.message;
  }
  using owned = compiled;
  const onHost = owned.stages.find(({ plan }) => plan.text.startsWith("(kernel/host "));
  if (onHost && !variant.host) return `${onHost.name}: this device's kernels can not hold a line of that length in on-chip memory`;
  const { passes, bytes } = addCosts(owned.stages.map(({ plan }) => plan.cost));
  const stagesOf = (part: Part): readonly number[] => [...variant.parts.keys()].filter((i) => variant.parts[i] === part);
  const partNames = [...new Set(variant.parts)];
  const partsOf = (milliseconds: readonly number[]): Timed["parts"] =>
    new Map(
      partNames.map((part, i) => [
        part,
        { milliseconds: milliseconds[i], plans: stagesOf(part).map((stage) => owned.stages[stage].plan.text) },
      ]),
    );
  const all = [...owned.stages.keys()];
  /** Settles when all runs have ended, also if one of them failed. */
  const queue = async (stages: readonly number[]): Promise<void> => {
    const runs = stages.map((stage) => owned.runStage(stage, buffers, signal ? { signal } : {}).done);
    await Promise.allSettled(runs);
    await Promise.all(runs);
  };
  /** Milliseconds on the host's clock until the device has finished. */
  const timeOnHost = async (stages: readonly number[]): Promise<number> => {
    const start = performance.now();
    await queue(stages);
    await device.ready();
    return performance.now() - start;
  };
  const inTurn = async (measure: (stages: readonly number[]) => Promise<number>): Promise<number[]> => {
    const times: number[] = [];
    for (const part of partNames) {
      throwIfAborted(signal, "the experiment");
      times.push(await measure(stagesOf(part)));
    }
    return times;
  };
  const onHostClock = (times: readonly number[], whole: number): Timed => ({
    clock: "host",
    milliseconds: whole,
    wallMilliseconds: whole,
    parts: partsOf(times),
    passes,
    bytes,
    slow: whole > slowMilliseconds,
  });

  // Drivers compile at the first dispatch, so the first run is not timed.
  await timeOnHost(all);
  const warm = await inTurn(timeOnHost);
  const once = warm.reduce((sum, milliseconds) => sum + milliseconds, 0);
  if (once > slowMilliseconds) return onHostClock(warm, once);
  const wallMilliseconds = await timeOnHost(all);
  const runs = Math.max(1, Math.min(mostRuns, Math.ceil(turnMilliseconds / wallMilliseconds)));
  const onDevice = async (stages: readonly number[]): Promise<number | undefined> => {
    const milliseconds = await timeOnDevice(device, () => {
      // A run that fails here also fails in the run below, which reports it.
      for (let r = 0; r < runs; r++) queue(stages).catch(() => {});
    });
    return milliseconds === undefined ? undefined : milliseconds / runs;
  };
  // GPUs lower their clocks while the host works, and take a tenth of a second of work to raise them.
  const warmFrom = performance.now();
  while (!variant.host && hasClock && performance.now() - warmFrom < warmMilliseconds) await onDevice(all);
  const milliseconds = variant.host || !hasClock ? undefined : await onDevice(all);
  if (milliseconds === undefined) return onHostClock(warm, wallMilliseconds);
  const times = await inTurn(async (stages) => (await onDevice(stages)) ?? Number.NaN);
  return { clock: "device", milliseconds, wallMilliseconds: await timeOnHost(all), parts: partsOf(times), passes, bytes, slow: false };
}

/**
 * Matches plans in JavaScript: kernels by reference except those meant for the host, and transforms with hooks that have no faster form.
 */
const slowPlan = /\((kernel\/reference (?!conjugate on the host)|[a-z-]+\/lines )/;

function reportOf({ name, title }: Variant, { why, times, difference, targets }: Result): VariantReport {
  if (why !== undefined || !difference) return { name, title, why: why ?? "it did not run" };
  const [{ clock, passes, bytes, parts }] = times;
  return {
    name,
    title,
    measured: {
      clock,
      milliseconds: median(times.map((timed) => timed.milliseconds)),
      wallMilliseconds: median(times.map((timed) => timed.wallMilliseconds)),
      turns: times.length,
      parts: [...parts].map(([part, { plans }]) => ({
        part,
        milliseconds: median(times.map((timed) => timed.parts.get(part)?.milliseconds ?? Number.NaN)),
        plans,
      })),
      byReference: [...parts].flatMap(([part, { plans }]) => (plans.some((plan) => slowPlan.test(plan)) ? [part] : [])),
      passes,
      bytes,
      difference: { relativeL2: difference.relativeL2, maxAbsolute: difference.maxAbsolute },
      targets,
    },
  };
}
