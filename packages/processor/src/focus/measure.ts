/**
 * Point targets of an image: where they should lie, what theory expects of them and what is there. Puts the sar package's
 * measures in relation to axes and parameters; measures nothing itself.
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
  pointTargetSteps,
  twoWayCycles,
} from "@dechirp/sar";
import type { AxisMeasures, AxisTheory, Report, TargetMeasures, TargetReport } from "./report.ts";
import type { MeasurableReport } from "./report-schema.ts";

type Axes = Report["axes"];
type Theory = Report["theory"];

/**
 * What the windows in use make of a point, in image samples and metres; along azimuth of one of which the recording holds `exposure` of
 * the processed Doppler band.
 */
export function theoryOf(
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
 * Width at half power along azimuth, in rows, of a target at a row and column: what the window makes of the part of the processed band
 * over which the recording holds it. Infinite where it holds nothing.
 */
export function azimuthIrwRows(geometry: ImageGeometry, window: Window, row: number, column: number): number {
  const { radar, processedBandwidthHz } = geometry;
  const { lowHz, highHz } = exposedBand(geometry, row, column);
  const place = (hz: number): number => Math.max(-0.5, Math.min(0.5, (hz - radar.dopplerCentroidHz) / processedBandwidthHz));
  return (partialIrwTimesBandwidth(window, [place(lowHz), place(Math.max(lowHz, highHz))]) * radar.prfHz) / processedBandwidthHz;
}

/**
 * The targets that the image shows, where they should lie: in its rows and columns, and in the recording at least in part. Rows of an
 * image of all rows of its azimuth transform are periodic. A target is a piece of work.
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

/** An image with what its point targets are measured with. */
export interface MeasuredImage {
  /** Pixels [row][column], interleaved re, im. */
  readonly data: ComplexSamples;
  readonly radar: StripmapRadar;
  readonly axes: Axes;
  readonly theory: Theory;
  readonly azimuthLength: number;
}

/** A target of which the recording holds less is too wide for its neighbourhood to tell its measures. */
const leastExposure = 0.1;

/** Every target with its measures, or why it has none. Throws `aborted` where `signal` has fired. */
export async function measureTargets(
  { data, radar, axes, theory, azimuthLength }: MeasuredImage,
  targets: readonly TargetReport[],
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const image = { data, rows: axes.azimuthSeconds.count, columns: axes.slantRangeMeters.count };
  const spectrum = { wrapRows: image.rows === azimuthLength, ...imageSpectrum(radar) };
  const along = (errorPixels: number, cut: CutMetrics, irwPixels: number, step: number): AxisMeasures => ({
    errorPixels,
    irwPixels: cut.irwPixels,
    irwMeters: cut.irwPixels * step,
    irwRatio: cut.irwPixels / irwPixels,
    pslrDb: cut.pslrDb,
    islrDb: cut.islrDb,
    islrTotalDb: cut.islrTotalDb,
  });
  const measure = async (target: TargetReport): Promise<TargetMeasures> => {
    const found = await runAbortable(signal, "measuring", pointTargetSteps(image, target.expected, spectrum));
    const phase = interpolatePhase(image, target.expected, spectrum);
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
  for (const target of targets) {
    const { exposure } = target.expected;
    if (exposure < leastExposure) {
      measured.push({ ...target, why: `the recording holds ${(100 * exposure).toFixed(1)} % of its processed Doppler band` });
      continue;
    }
    try {
      measured.push({ ...target, measured: await measure(target) });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      measured.push({ ...target, why: error.message });
    }
  }
  return measured;
}

/** Measures of a whole image and of its point targets. */
export interface ImageMeasures {
  /** Entropy of the power in nats, as `imageEntropy` of `@dechirp/sar` defines it; lower is sharper. */
  readonly entropy: number;
  /** Contrast of the intensity, as `imageContrast` of `@dechirp/sar` defines it; higher is sharper. */
  readonly contrast: number;
  readonly targets: readonly TargetReport[];
}

/**
 * Measures an image again that was focused before: `pixels` [row][column], interleaved, of the shape that `report` states, whose targets are
 * looked for. Rejects with `input` for an image of another size or without signal and for what is no report (`parseReport` checks one from a
 * file whole), with `aborted` where `signal` fires.
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
  if (pixels?.length !== length) throw inputError("pixels", `${length} numbers, as the report's axes say`, pixels);
  const image = { data: pixels, radar, axes, theory, azimuthLength: parameters.azimuthLength.value };
  const targets = await measureTargets(image, expected, signal);
  const entropy = await runAbortable(signal, "measuring", imageEntropySteps(pixels));
  return { targets, entropy, contrast: await runAbortable(signal, "measuring", imageContrastSteps(pixels)) };
}
