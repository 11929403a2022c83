/**
 * What theory says of an image, whatever its pixels: the windows that it is made with, its impulse response, the rows that the recording
 * exposes, the resolution, and where point targets should lie.
 */
import { runAbortable } from "@dechirp/core/internal";
import type { StripmapRadar, Window } from "@dechirp/radar";
import { defaultWindow, type ImageGeometry } from "@dechirp/sar";
import type { StripmapRecording } from "../recording.ts";
import { exposureReport, middleExposure, resolutionReport } from "./exposure.ts";
import { expectedTargets, theoreticalResponse } from "./measure.ts";
import type { Report, TargetReport } from "./report.ts";
import type { FocusSettings } from "./settings.ts";

/** Name of this step in the error of an interruption. */
export const measuring = "measuring";

/** The windows of an image. */
export const windowsOf = (settings: FocusSettings): { readonly azimuth: Window; readonly range: Window } => ({
  azimuth: settings.azimuthWindow ?? defaultWindow,
  range: settings.rangeWindow ?? defaultWindow,
});

/** What the report says of an image that does not depend on its pixels. */
export type ImageTheory = Pick<Report, "theory" | "exposure" | "resolution">;

/** Computes it. Rejects with `aborted`. */
export async function theoryOf(
  radar: StripmapRadar,
  geometry: ImageGeometry,
  settings: FocusSettings,
  signal: AbortSignal | undefined,
): Promise<ImageTheory> {
  const windows = windowsOf(settings);
  const theory = theoreticalResponse(radar, geometry.axes, geometry.processedBandwidthHz, windows, middleExposure(geometry));
  return {
    theory,
    exposure: await runAbortable(signal, measuring, exposureReport(geometry)),
    resolution: await runAbortable(signal, measuring, resolutionReport(geometry, windows.azimuth, theory)),
  };
}

/** The targets of a recording that its image shows. Rejects with `aborted`. */
export const targetsOf = (
  recording: StripmapRecording,
  geometry: ImageGeometry,
  settings: FocusSettings,
  signal: AbortSignal | undefined,
): Promise<TargetReport[]> =>
  runAbortable(signal, measuring, expectedTargets(geometry, windowsOf(settings).azimuth, recording.targets ?? []));
