/**
 * Measures point targets of an image: where they should lie, what theory expects of them, and what is there. It relates the sar
 * package's measurements to axes and parameters and measures nothing itself.
 */

import { inputError, isRadarError } from "@dechirp/core";
import { checkObject, runAbortable } from "@dechirp/core/internal";
import {
  type ComplexSamples,
  formatWindow,
  type PointTarget,
  partialIrwTimesBandwidth,
  type StripmapRadar,
  type Window,
  windowTheory,
} from "@dechirp/radar";
import {
  type CutMetrics,
  chirpBandwidthHz,
  exposedBand,
  type ImageGeometry,
  imageContrastSteps,
  imageEntropySteps,
  imageSpectrum,
  interpolatePhase,
  type PixelPosition,
  type PointTargetQuality,
  pointTargetSteps,
  twoWayCycles,
} from "@dechirp/sar";
import type { AxisMeasures, AxisTheory, Report, TargetMeasures, TargetReport } from "./report.ts";
import type { MeasurableReport } from "./report-schema.ts";

type Axes = Report["axes"];
type Theory = Report["theory"];

/**
 * Computes the theoretical impulse response of the windows, in image samples and metres. `exposure` is the share of the processed
 * Doppler band that the recording holds of the target; it applies along azimuth.
 */
export function theoreticalResponse(
  radar: StripmapRadar,
  axes: Axes,
  processedBandwidthHz: number,
  windows: { readonly azimuth: Window; readonly range: Window },
  exposure = 1,
): Theory {
  const along = (window: Window, samplesPerCell: number, step: number, share = 1): AxisTheory => {
    const { irwTimesBandwidth, pslrDb, islrDb, islrTotalDb } = windowTheory(window, { share });
    return {
      window: formatWindow(window),
      irwPixels: irwTimesBandwidth * samplesPerCell,
      irwMeters: irwTimesBandwidth * samplesPerCell * step,
      pslrDb,
      islrDb,
      islrTotalDb,
    };
  };
  return {
    azimuth: along(windows.azimuth, radar.prfHz / processedBandwidthHz, axes.azimuthMeters.step, exposure),
    range: along(windows.range, radar.samplingRateHz / chirpBandwidthHz(radar), axes.slantRangeMeters.step),
  };
}

/**
 * Azimuth impulse response width (at half power, in rows) of a target at a row and column. It follows from the window and the part of
 * the processed band that the recording holds of the target. Infinite if it holds nothing.
 */
export function azimuthIrwRows(geometry: ImageGeometry, window: Window, row: number, column: number): number {
  const { radar, processedBandwidthHz } = geometry;
  const { lowHz, highHz } = exposedBand(geometry, row, column);
  const place = (hz: number): number => Math.max(-0.5, Math.min(0.5, (hz - radar.dopplerCentroidHz) / processedBandwidthHz));
  return (partialIrwTimesBandwidth(window, [place(lowHz), place(Math.max(lowHz, highHz))]) * radar.prfHz) / processedBandwidthHz;
}

/**
 * Yields the targets that the image shows, with the positions where they should lie: inside its rows and columns, and at least partly
 * in the recording. If the image has all rows of its azimuth transform, rows are periodic. Works in pieces of one target.
 */
export function* expectedTargets(
  geometry: ImageGeometry,
  window: Window,
  targets: readonly PointTarget[],
): Generator<void, TargetReport[]> {
  const { axes, rows, azimuthLength } = geometry;
  const { azimuthSeconds, slantRangeMeters } = axes;
  const expected: TargetReport[] = [];
  for (const target of targets) {
    yield;
    const column = (target.slantRangeMeters - slantRangeMeters.start) / slantRangeMeters.step;
    const unwrapped = (target.azimuthSeconds - azimuthSeconds.start) / azimuthSeconds.step;
    const row = rows === azimuthLength ? unwrapped - rows * Math.floor(unwrapped / rows) : unwrapped;
    if (!(column >= 0 && column <= slantRangeMeters.count - 1 && row >= 0 && row <= rows - (rows === azimuthLength ? 0 : 1))) continue;
    const exposure = exposedBand(geometry, unwrapped, column).fraction;
    const azimuthIrwPixels = azimuthIrwRows(geometry, window, unwrapped, column);
    if (Number.isFinite(azimuthIrwPixels)) expected.push({ ...target, expected: { row, column, exposure, azimuthIrwPixels } });
  }
  return expected;
}

/** How targets are measured: in an image in memory (`targetsIn`), or in what was kept of one that passed by. */
export interface TargetMeasurer {
  /** Measures target `index`, which is expected at a position. */
  quality(index: number, at: PixelPosition): Generator<void, PointTargetQuality>;
  /** Phase in radians at exactly the expected position. */
  phase(index: number, at: PixelPosition): number;
}

/** Measures targets in an image in memory, whose rows are periodic if there are `azimuthLength` of them. */
export function targetsIn(data: ComplexSamples, radar: StripmapRadar, axes: Axes, azimuthLength: number): TargetMeasurer {
  const image = { data, rows: axes.azimuthSeconds.count, columns: axes.slantRangeMeters.count };
  const spectrum = { wrapRows: image.rows === azimuthLength, ...imageSpectrum(radar) };
  return {
    quality: (_, at) => pointTargetSteps(image, at, spectrum),
    phase: (_, at) => interpolatePhase(image, at, spectrum),
  };
}

/** What is needed to measure targets. */
export interface MeasuredImage {
  readonly measurer: TargetMeasurer;
  readonly radar: StripmapRadar;
  readonly axes: Axes;
  readonly theory: Theory;
}

/** If the recording holds less than this share of a target's band, the target is too wide to be measured within its neighbourhood. */
const leastExposure = 0.1;

/** Measures every target, or says why it can't be measured. Rejects with `aborted` if `signal` fires. */
export async function measureTargets(
  { measurer, radar, axes, theory }: MeasuredImage,
  targets: readonly TargetReport[],
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const along = (errorPixels: number, cut: CutMetrics, irwPixels: number, step: number): AxisMeasures => ({
    errorPixels,
    irwPixels: cut.irwPixels,
    irwMeters: cut.irwPixels * step,
    irwRatio: cut.irwPixels / irwPixels,
    pslrDb: cut.pslrDb,
    islrDb: cut.islrDb,
    islrTotalDb: cut.islrTotalDb,
  });
  const measure = async (target: TargetReport, index: number): Promise<TargetMeasures> => {
    const found = await runAbortable(signal, "measuring", measurer.quality(index, target.expected));
    const phase = measurer.phase(index, target.expected);
    const turns = (phase - target.phaseRadians) / (2 * Math.PI) + twoWayCycles(radar, target.slantRangeMeters);
    return {
      azimuth: along(found.rowOffset, found.azimuth, target.expected.azimuthIrwPixels, axes.azimuthMeters.step),
      range: along(found.columnOffset, found.range, theory.range.irwPixels, axes.slantRangeMeters.step),
      peakMagnitude: found.peakMagnitude,
      snrDb: found.snrDb,
      phaseErrorDegrees: 360 * (turns - Math.round(turns)),
    };
  };
  const measured: TargetReport[] = [];
  for (const [index, target] of targets.entries()) {
    const { exposure } = target.expected;
    if (exposure < leastExposure) {
      measured.push({ ...target, why: `the recording holds ${(100 * exposure).toFixed(1)} % of its processed Doppler band` });
      continue;
    }
    try {
      measured.push({ ...target, measured: await measure(target, index) });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      measured.push({ ...target, why: error.message });
    }
  }
  return measured;
}

/** The measurements of a focused image. */
export interface ImageMeasures {
  /** Entropy of the power in nats, as `imageEntropy` of `@dechirp/sar` defines it; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity, as `imageContrast` of `@dechirp/sar` defines it; higher is sharper. */
  readonly contrast: number;
  readonly targets: readonly TargetReport[];
}

/**
 * Measures a focused image again. `pixels` is [row][column], interleaved, of the shape that `report` states; the targets of the report
 * are measured. Rejects with `input` if the image has another size or no signal, or if `report` is not a report (use `parseReport` to
 * check a whole file), and with `aborted` if `signal` fires.
 */
export async function measureImage(pixels: ComplexSamples, report: MeasurableReport, signal?: AbortSignal): Promise<ImageMeasures> {
  checkObject(report, "report", "input");
  const { axes, radar, theory, parameters, targets: expected } = report;
  for (const [field, value] of Object.entries({ axes, radar, theory, parameters })) checkObject(value, `report.${field}`, "input");
  for (const name of ["azimuthSeconds", "azimuthMeters", "slantRangeMeters"] as const)
    checkObject(axes[name], `report.axes.${name}`, "input");
  for (const name of ["azimuth", "range"] as const) checkObject(theory[name], `report.theory.${name}`, "input");
  checkObject(parameters.azimuthLength, "report.parameters.azimuthLength", "input");
  if (!Array.isArray(expected)) throw inputError("report.targets", "a list", expected);
  const length = 2 * axes.azimuthSeconds.count * axes.slantRangeMeters.count;
  if (pixels?.length !== length) throw inputError("pixels", `${length} numbers, as the report's axes require`, pixels);
  const measurer = targetsIn(pixels, radar, axes, parameters.azimuthLength.value);
  const targets = await measureTargets({ measurer, radar, axes, theory }, expected, signal);
  const entropy = await runAbortable(signal, "measuring", imageEntropySteps(pixels));
  return { targets, entropy, contrast: await runAbortable(signal, "measuring", imageContrastSteps(pixels)) };
}
