/** Makes the report of a focused image from its parts. */
import type { Device } from "@dechirp/core";
import { formatWindow } from "@dechirp/radar";
import { defaultWindow, type ImageGeometry, type RangeDopplerProgram } from "@dechirp/sar";
import type { Clock } from "../clock.ts";
import { describeFocused, reported } from "../description.ts";
import type { StripmapRecording } from "../recording.ts";
import { deviceReport, optionOr, type StageReport, type UsedParameter } from "../used.ts";
import { foldingWarnings } from "./exposure.ts";
import type { LineReport } from "./lines.ts";
import type { Prepared } from "./prepare.ts";
import { type BlocksReport, type Report, reportFormat, reportVersion } from "./report.ts";
import type { RegularRecording } from "./segments.ts";
import type { FocusSettings } from "./settings.ts";
import type { ImageTheory } from "./theory.ts";
import { velocityWarnings } from "./velocity.ts";

/** What a report is made of. */
export interface ReportParts {
  readonly recording: StripmapRecording;
  readonly settings: FocusSettings;
  readonly device: Device;
  readonly inputs: readonly string[];
  readonly whyDevice: string | undefined;
  readonly clock: Clock;
  readonly prepared: Prepared;
  /** Of the whole image. */
  readonly geometry: ImageGeometry;
  readonly src: RangeDopplerProgram["src"];
  readonly theory: ImageTheory;
  readonly measures: Pick<Report, "entropy" | "contrast" | "targets">;
  readonly stages: readonly StageReport[];
  readonly blocks?: BlocksReport;
}

/** Makes the report. */
export function focusReport(parts: ReportParts): Report {
  const { lines }: RegularRecording = parts.recording;
  const { recording, settings, device, inputs, whyDevice, clock, prepared, geometry, theory, measures, stages, blocks } = parts;
  const { radar, velocity, centroid, questions } = prepared;
  const { axes } = geometry;
  return {
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
      processedBandwidthHz: bandwidthOf(recording, settings, geometry),
      rangeWindow: optionOr(settings.rangeWindow && formatWindow(settings.rangeWindow), formatWindow(defaultWindow)),
      azimuthWindow: optionOr(settings.azimuthWindow && formatWindow(settings.azimuthWindow), formatWindow(defaultWindow)),
      rcmc: optionOr<string>(settings.rcmc, "sinc8"),
      src: srcOf(settings, parts.src),
      azimuthLength: lengthOf(settings, geometry, blocks),
      rows: optionOr<string>(settings.rows, "all"),
      lineGain: recording.lineGain ? { value: "per line", source: "scene" } : { value: "none", source: "default" },
    },
    ...(centroid.estimate === undefined ? {} : { dopplerEstimate: centroid.estimate }),
    axes,
    ...reported(describeFocused(recording, geometry, settings)),
    ...(lines && { lines }),
    ...(blocks && { blocks }),
    ...theory,
    ...measures,
    stages,
    timings: [...clock.timings],
    notes: [...(recording.notes ?? []), ...(lines ? lineNotes(lines) : [])],
    warnings: [
      ...centroid.warnings,
      ...velocityWarnings(velocity, radar, geometry.processedBandwidthHz, recording.shape[0]),
      ...foldingWarnings(geometry),
    ],
    questions,
  };
}

function bandwidthOf(
  recording: StripmapRecording,
  settings: FocusSettings,
  { processedBandwidthHz: value }: ImageGeometry,
): UsedParameter<number> {
  if (settings.processedBandwidthHz !== undefined) return { value, source: "option" };
  if (recording.processedBandwidthHz !== undefined) return { value, source: "scene" };
  return { value, source: "default", why: "the whole PRF" };
}

function srcOf(settings: FocusSettings, src: RangeDopplerProgram["src"]): UsedParameter<string> {
  const degrees = (src.foldingErrorRadians * 180) / Math.PI;
  const left = `if folded into the range filter, it leaves a phase error of ${degrees.toFixed(1)}° at the band edges`;
  return { value: src.mode, source: settings.src === undefined ? "default" : "option", ...(src.mode === "off" ? {} : { why: left }) };
}

function lengthOf(
  settings: FocusSettings,
  { azimuthLength, lines, rows }: ImageGeometry,
  blocks: BlocksReport | undefined,
): UsedParameter<number> {
  if (blocks) return { value: blocks.lines, source: "default", why: "the lines of a block" };
  if (settings.azimuthLength !== undefined) return { value: azimuthLength, source: "option" };
  const why =
    settings.rows === "full" ? `a fast length for ${lines} lines` : `a fast length for the ${rows} rows that ${lines} lines expose`;
  return { value: azimuthLength, source: "default", why };
}

/** What was found among the lines, one sentence for each kind. */
function lineNotes({ missing, repeated, bad, stray, shifted, segments }: LineReport): readonly string[] {
  const counted = Object.entries({ missing, repeated, "marked bad": bad, "off the regular lines": stray, "moved in range": shifted });
  const found = counted.filter(([, count]) => count > 0).map(([what, count]) => `${count} ${what}`);
  return [
    ...(found.length > 0 ? [`lines: ${found.join(", ")}; lines without a good pulse are zeros`] : []),
    ...(segments > 1 ? [`the recording has ${segments} segments of different PRF or sampling window, with an image each`] : []),
  ];
}
