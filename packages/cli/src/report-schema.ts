/** The checks of a report.json that is read back: a file that anybody may have edited. */
import { createPause } from "@dechirp/core";
import * as v from "valibot";
import { CommandError } from "./errors.ts";
import { type Report, reportFormat, reportVersion } from "./report.ts";

const finite = v.pipe(v.number("a number"), v.finite("a finite number"));
const positive = v.pipe(finite, v.minValue(Number.MIN_VALUE, "a positive number"));
const count = v.pipe(finite, v.integer("an integer"), v.minValue(1, "a positive integer"), v.maxValue(2 ** 24, "at most 2^24"));
const text = v.pipe(v.string("a text"), v.maxLength(4096, "at most 4096 characters"));
const axis = v.object({ start: finite, step: finite, count }, "an object");
const theory = v.object(
  { window: text, irwCells: positive, irwMeters: positive, pslrDb: finite, islrDb: finite, islrTotalDb: finite },
  "an object",
);
const target = v.object(
  {
    name: text,
    azimuthSeconds: finite,
    slantRangeMeters: positive,
    amplitude: finite,
    phaseRadians: finite,
    expected: v.object({ row: finite, column: finite, exposure: finite, azimuthIrwCells: positive }, "an object"),
  },
  "an object",
);

const schema = v.object(
  {
    format: v.literal(reportFormat, `"${reportFormat}"`),
    version: v.literal(reportVersion, `${reportVersion}`),
    scene: text,
    image: v.object({ type: v.literal("c64", '"c64"'), shape: v.strictTuple([count, count], "a list of two") }, "an object"),
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
      "an object",
    ),
    parameters: v.object({ azimuthLength: v.object({ value: count }, "an object") }, "an object"),
    axes: v.object({ azimuthSeconds: axis, azimuthMeters: axis, slantRangeMeters: axis }, "an object"),
    theory: v.object({ azimuth: theory, range: theory }, "an object"),
    targets: v.pipe(v.array(target, "a list"), v.maxLength(100_000, "a list of at most 100000")),
  },
  "an object",
);

/** What `quality` needs of a report. */
export type CheckedReport = Pick<Report, "scene" | "image" | "radar" | "axes" | "theory" | "targets"> & {
  readonly parameters: { readonly azimuthLength: { readonly value: number } };
};

/** Characters of a wrong value that a message shows. */
const mostShown = 100;

/** Reads the text of `file`. Throws `file`, naming file and field; `aborted` where the signal fires. */
export async function parseReport(json: string, file: string, signal?: AbortSignal): Promise<CheckedReport> {
  // Of a report of a hundred thousand targets each step takes a tenth of a second or two.
  const pause = createPause(`reading ${file}`, signal);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new CommandError(
      "file",
      `${file}: not JSON: ${cause instanceof Error ? cause.message : cause}`,
      { file, field: "the document", expected: "JSON" },
      cause,
    );
  }
  await pause();
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const issue = result.issues[0];
  const field = v.getDotPath(issue) ?? "the document";
  const absent = issue.received === "undefined";
  // A text may be as long as the file.
  const received = issue.received.length > mostShown ? `${issue.received.slice(0, mostShown - 4)}..."` : issue.received;
  throw new CommandError("file", `${file}: ${field} must be ${absent ? "present" : issue.message}, not ${absent ? "absent" : received}`, {
    file,
    field,
    expected: issue.message,
    actual: received,
  });
}
