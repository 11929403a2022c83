/** The valibot schema of a focused image's report, and the reader of report files, which may have been edited by hand. */
import { createPause, RadarError } from "@dechirp/core";
import * as v from "valibot";
import { type Report, reportFormat, reportVersion } from "./report.ts";

const finite = v.pipe(v.number("a number"), v.finite("a finite number"));
const positive = v.pipe(finite, v.minValue(Number.MIN_VALUE, "a positive number"));
const count = v.pipe(finite, v.integer("an integer"), v.minValue(1, "a positive integer"), v.maxValue(2 ** 24, "at most 2^24"));
const index = v.pipe(finite, v.integer("an integer"), v.minValue(0, "an integer of at least 0"));
/** Names and notes have any length. */
const text = v.string("a text");
/** Entropy and contrast of an image without signal, and times, can be not finite; JSON stores these numbers as null. */
const nullable = v.nullable(v.number("a number"));
const anObject = "an object";
const listOf = <S extends v.GenericSchema>(item: S, most: number) =>
  v.pipe(v.array(item, "a list"), v.maxLength(most, `a list of at most ${most}`));
const pair = <S extends v.GenericSchema>(item: S) => v.strictTuple([item, item], "a list of two");

const source = v.picklist(
  ["option", "scene", "preset", "data", "data+preset", "fraction", "default", "none"],
  "option, scene, preset, data, data+preset, fraction, default or none",
);
const used = <S extends v.GenericSchema>(value: S) => v.object({ value, source, why: v.exactOptional(text) }, anObject);
const axis = v.object({ start: finite, step: finite, count }, anObject);
const rows = pair(index);
const theory = v.object(
  { window: text, irwPixels: positive, irwMeters: positive, pslrDb: finite, islrDb: finite, islrTotalDb: finite },
  anObject,
);
const measures = v.object(
  {
    errorPixels: finite,
    irwPixels: finite,
    irwMeters: finite,
    irwRatio: finite,
    pslrDb: nullable,
    islrDb: nullable,
    islrTotalDb: nullable,
  },
  anObject,
);
const target = v.object(
  {
    name: text,
    azimuthSeconds: finite,
    slantRangeMeters: positive,
    amplitude: finite,
    phaseRadians: finite,
    expected: v.object({ row: finite, column: finite, exposure: finite, azimuthIrwPixels: positive }, anObject),
    measured: v.exactOptional(
      v.object({ azimuth: measures, range: measures, peakMagnitude: finite, snrDb: nullable, phaseErrorDegrees: finite }, anObject),
    ),
    why: v.exactOptional(text),
  },
  anObject,
);
const timing = v.object({ name: text, milliseconds: finite }, anObject);

/** The schema of `Report`, version 1, as a valibot schema. Use it with `v.parse`, or to make a JSON Schema. It ignores unknown fields. */
export const reportSchema = v.object(
  {
    format: v.literal(reportFormat, `"${reportFormat}"`),
    version: v.literal(reportVersion, `${reportVersion}`),
    scene: text,
    inputs: listOf(text, 4096),
    device: v.object({ id: text, description: text, notes: listOf(text, 4096), why: v.exactOptional(text) }, anObject),
    raw: v.object({ type: text, shape: pair(count) }, anObject),
    image: v.object({ type: v.literal("c64", '"c64"'), shape: pair(count) }, anObject),
    radar: v.object(
      {
        carrierHz: positive,
        samplingRateHz: positive,
        prfHz: positive,
        chirpRateHzPerSecond: finite,
        pulseSeconds: positive,
        velocityMetersPerSecond: positive,
        nearRangeMeters: positive,
        dopplerCentroidHz: finite,
        startSeconds: v.exactOptional(finite),
      },
      anObject,
    ),
    parameters: v.object(
      {
        dopplerCentroidHz: used(finite),
        velocityMetersPerSecond: used(positive),
        processedBandwidthHz: used(positive),
        rangeWindow: used(text),
        azimuthWindow: used(text),
        rcmc: used(text),
        src: used(text),
        azimuthLength: used(count),
        rows: used(text),
        lineGain: used(text),
      },
      anObject,
    ),
    dopplerEstimate: v.exactOptional(v.unknown()),
    blocks: v.exactOptional(
      v.object(
        {
          count,
          lines: count,
          samples: count,
          rows: count,
          overlapLines: index,
          subSwaths: count,
          memoryBytes: positive,
          blockBytes: positive,
          resumed: index,
        },
        anObject,
      ),
    ),
    lines: v.exactOptional(v.unknown()),
    placement: v.exactOptional(v.unknown()),
    collection: v.exactOptional(v.unknown()),
    axes: v.object({ azimuthSeconds: axis, azimuthMeters: axis, slantRangeMeters: axis }, anObject),
    exposure: v.object(
      { fullyExposedRows: rows, atLeast: listOf(v.object({ fraction: finite, rows }, anObject), 4096), foldedRows: index },
      anObject,
    ),
    resolution: v.object(
      { azimuthMeters: v.object({ middle: nullable, best: nullable, worst: nullable }, anObject), rangeMeters: finite },
      anObject,
    ),
    entropy: nullable,
    contrast: nullable,
    theory: v.object({ azimuth: theory, range: theory }, anObject),
    targets: listOf(target, 100_000),
    stages: listOf(v.object({ name: text, milliseconds: finite, text }, anObject), 4096),
    timings: listOf(timing, 4096),
    notes: listOf(text, 100_000),
    warnings: listOf(text, 4096),
    questions: listOf(v.object({ field: text, text }, anObject), 4096),
  },
  anObject,
);

const { scene, image, radar, axes, theory: theories, format, version } = reportSchema.entries;

/** The fields that are needed to measure an image again. */
const measurable = v.object(
  {
    format,
    version,
    scene,
    image,
    radar,
    axes,
    theory: theories,
    // Targets are measured anew, so the file's own measurements are not read.
    targets: listOf(v.omit(target, ["measured", "why"]), 100_000),
    parameters: v.object({ azimuthLength: v.object({ value: count }, anObject) }, anObject),
  },
  anObject,
);

/** The part of a report that `measureImage` needs. */
export type MeasurableReport = Pick<Report, "scene" | "image" | "radar" | "axes" | "theory" | "targets"> & {
  /** The length of the azimuth transform, in `azimuthLength.value`. */
  readonly parameters: { readonly azimuthLength: { readonly value: number } };
};

/** Characters of a wrong value that a message quotes. */
const mostShown = 100;

/**
 * Parses the text of a report, named `file` in messages, as far as `measureImage` needs it. Rejects with `input`, which names the file
 * and the field, and with `aborted` if `signal` fires.
 */
export async function parseReport(json: string, file: string, signal?: AbortSignal): Promise<MeasurableReport> {
  // For a report of a hundred thousand targets each step takes a tenth of a second or two.
  const pause = createPause(`reading ${file}`, signal);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    const problem = `${file}: not JSON: ${cause instanceof Error ? cause.message : cause}`;
    throw new RadarError("input", problem, { file, field: "the document", expected: "JSON" }, cause);
  }
  await pause();
  const result = v.safeParse(measurable, value, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? "the document";
  const absent = issue.received === "undefined";
  // The wrong value may be a text as long as the file.
  const received = issue.received.length > mostShown ? `${issue.received.slice(0, mostShown - 4)}..."` : issue.received;
  const message = `${file}: ${field} must be ${absent ? "present" : issue.message}, not ${absent ? "absent" : received}`;
  throw new RadarError("input", message, { file, field, expected: issue.message, actual: received });
}
