/**
 * Point targets of an image: where they should lie, what theory expects of them and what is there. Puts the sar package's
 * measures in relation to axes and parameters; measures nothing itself.
 */
import { isRadarError } from "@dechirp/core";
import {
  analysePointTarget,
  beamOffsetSeconds,
  type ComplexSamples,
  type CutMetrics,
  chirpBandwidthHz,
  imageSpectrum,
  type PointTarget,
  phaseAt,
  type StripmapRadar,
  twoWayCycles,
  type Window,
  windowText,
  windowTheory,
} from "@dechirp/sar";
import { heedSignal } from "./heed-signal.ts";
import type { AxisMeasures, AxisTheory, Report, TargetMeasures, TargetReport } from "./report.ts";

type Axes = Report["axes"];
type Theory = Report["theory"];

/** What the windows in use make of a point, in image samples and metres. */
export function theoryOf(
  radar: StripmapRadar,
  axes: Axes,
  processedBandwidthHz: number,
  windows: { readonly azimuth: Window; readonly range: Window },
): Theory {
  const along = (window: Window, samplesPerCell: number, step: number): AxisTheory => {
    const { irwCells, pslrDb, islrDb, islrTotalDb } = windowTheory(window);
    return {
      window: windowText(window),
      irwCells: irwCells * samplesPerCell,
      irwMeters: irwCells * samplesPerCell * step,
      pslrDb,
      islrDb,
      islrTotalDb,
    };
  };
  return {
    azimuth: along(windows.azimuth, radar.prfHz / processedBandwidthHz, axes.azimuthMeters.step),
    range: along(windows.range, radar.samplingRateHz / chirpBandwidthHz(radar), axes.slantRangeMeters.step),
  };
}

/**
 * The targets that the image shows, where they should lie: inside the swath, and with the middle of the beam on them
 * during one of the `lines` pulses. Rows are periodic.
 */
export function expectedTargets(radar: StripmapRadar, axes: Axes, lines: number, targets: readonly PointTarget[]): TargetReport[] {
  const { azimuthSeconds, slantRangeMeters } = axes;
  return targets.flatMap((target) => {
    const column = (target.slantRangeMeters - slantRangeMeters.start) / slantRangeMeters.step;
    const seen = target.azimuthSeconds + beamOffsetSeconds(radar, target.slantRangeMeters, radar.dopplerCentroidHz);
    const pulse = (seen - (radar.startSeconds ?? 0)) * radar.prfHz;
    if (!(column >= 0 && column <= slantRangeMeters.count - 1 && pulse >= 0 && pulse <= lines - 1)) return [];
    const turn = (target.azimuthSeconds - azimuthSeconds.start) / azimuthSeconds.step / azimuthSeconds.count;
    return [{ ...target, expected: { row: (turn - Math.floor(turn)) * azimuthSeconds.count, column } }];
  });
}

export interface MeasuredImage {
  readonly data: ComplexSamples;
  readonly radar: StripmapRadar;
  readonly axes: Axes;
  readonly theory: Theory;
}

/** Every target with its measures, or why it has none. Throws `aborted` between two of them where `signal` has fired. */
export async function measureTargets(
  { data, radar, axes, theory }: MeasuredImage,
  targets: readonly TargetReport[],
  signal?: AbortSignal,
): Promise<TargetReport[]> {
  const image = { data, rows: axes.azimuthSeconds.count, columns: axes.slantRangeMeters.count };
  const spectrum = { wrapRows: true, ...imageSpectrum(radar) };
  const along = (errorCells: number, cut: CutMetrics, expected: AxisTheory, step: number): AxisMeasures => ({
    errorCells,
    irwCells: cut.irwPixels,
    irwMeters: cut.irwPixels * step,
    irwRatio: cut.irwPixels / expected.irwCells,
    pslrDb: cut.pslrDb,
    islrDb: cut.islrDb,
    islrTotalDb: cut.islrTotalDb,
  });
  const measure = (target: TargetReport): TargetMeasures => {
    const found = analysePointTarget(image, target.expected, spectrum);
    const phase = phaseAt(image, target.expected, spectrum);
    const turns = (phase - target.phaseRadians) / (2 * Math.PI) + twoWayCycles(radar, target.slantRangeMeters);
    return {
      azimuth: along(found.rowOffset, found.azimuth, theory.azimuth, axes.azimuthMeters.step),
      range: along(found.columnOffset, found.range, theory.range, axes.slantRangeMeters.step),
      peakMagnitude: found.peakMagnitude,
      snrDb: found.snrDb,
      phaseErrorDegrees: 360 * (turns - Math.round(turns)),
    };
  };
  const measured: TargetReport[] = [];
  for (const target of targets) {
    await heedSignal(signal, "measuring");
    try {
      measured.push({ ...target, measured: measure(target) });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      measured.push({ ...target, why: error.message });
    }
  }
  return measured;
}
