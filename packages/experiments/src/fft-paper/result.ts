/**
 * Results as files that anyone can contribute. A file has the measurements, the device and the versions, and no names of machines, users
 * or folders: texts that look like paths are replaced when it is written, and refused when it is read. Nothing in a file is trusted.
 */
import { inputError, messageOf } from "@dechirp/core";
import * as v from "valibot";
import { experimentFormat } from "../experiment.ts";
import { parseBy, positive, size, subgroups } from "../schema.ts";
import { type FftPaperReport, type FftPaperResult, sections } from "./report.ts";

/** Paths of Unix and Windows, home folders and addresses, unless they follow a part of a word: `fft/gpu` and `GB/s` are none. */
const paths: readonly RegExp[] = [
  // file:…, https://…, user@host:…
  /(?<![\w.])file:(?=\S)[^\s"'`)\]>]*/g,
  /(?<![\w.+-])[A-Za-z][\w+-]*:\/\/[^\s"'`)\]>]*/g,
  /(?<![\w.+-])[\w.+-]+@[\w.-]+:(?=\S)[^\s"'`)\]>]*/g,
  // ~/…, ~name/…, C:\…, \\server\…
  /(?<![\w.])(?:~(?:[A-Za-z_][\w.-]*)?[\\/]|[A-Za-z]:[\\/]|\\\\(?=\w))[^\s"'`)\]>]*/g,
  // /folder/…, and folders that every system has
  /(?<![\w.])(?:\/(?:[\w.@+-]+\/)+|\/(?:root|home|tmp|etc|usr|var|opt|mnt|srv|media|run|dev|proc|Users|Volumes|private)\b)[^\s"'`)\]>]*/g,
];
/** Whether a text contains a path. */
const hasPath = (value: string): boolean => paths.some((path) => value.search(path) >= 0);
/** A text with its paths replaced. */
const withoutPaths = (value: string): string => paths.reduce((text, path) => text.replace(path, "(path)"), value);
/** Control characters, and characters that change the direction of text. */
const unprintable = /[\p{Cc}\p{Cf}]/u;

const text = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.check((value) => !unprintable.test(value), "must have printable characters only"),
  v.check((value) => !hasPath(value), "must not contain the path of a file"),
);
const milliseconds = v.pipe(v.number(), v.minValue(1e-9), v.maxValue(1e9));
/** JSON has no NaN; an error that is not a number is null. */
const error = v.pipe(
  v.nullable(v.pipe(v.number(), v.minValue(0))),
  v.transform((value) => value ?? Number.NaN),
);
const names = v.record(v.pipe(text, v.regex(/^[@\w][\w ./@-]{0,60}$/)), text);

const measuredFields = v.strictObject({
  clock: v.picklist(["device", "host"]),
  milliseconds,
  quartiles: v.strictTuple([milliseconds, milliseconds]),
  turns: size,
  runs: size,
  ofCopy: v.optional(positive),
  error,
  allowed: positive,
  text,
  passes: v.optional(size),
});
const measured = v.pipe(
  measuredFields,
  v.forward(
    v.check(({ milliseconds: median, quartiles: [low, high] }) => low <= median && median <= high, "must be around the median"),
    ["quartiles"],
  ),
);
const rowFields = v.strictObject({
  section: v.picklist(sections),
  n: v.pipe(
    size,
    v.check((n) => Number.isInteger(Math.log2(n)) && n >= 2, "must be a power of two"),
  ),
  batch: size,
  name: v.pipe(text, v.nonEmpty()),
  kind: v.picklist(["own", "peer"]),
  why: v.optional(text),
  measured: v.optional(measured),
});
const row = v.pipe(
  rowFields,
  v.check(({ why, measured: found }) => (why === undefined) !== (found === undefined), "must have either why or measured"),
);
/** More kernels of a device than anyone has measured. Each is a line of a plot. */
const mostNames = 64;
const different = (rows: readonly v.InferOutput<typeof row>[], key: (one: v.InferOutput<typeof row>) => string): number =>
  new Set(rows.map(key)).size;
const rows = v.pipe(
  v.array(row),
  v.maxLength(20_000),
  v.check((all) => different(all, ({ name }) => name) <= mostNames, `must have at most ${mostNames} names`),
  v.check((all) => different(all, (one) => `${one.section} ${one.n} ${one.batch} ${one.name}`) === all.length, "must have no row twice"),
);
const device = v.strictObject({
  device: v.strictObject({
    id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/)),
    description: text,
    notes: v.pipe(v.array(text), v.maxLength(100)),
    software: v.boolean(),
    units: size,
    why: v.optional(text),
  }),
  groups: v.optional(v.strictObject({ workgroupBytes: size, invocations: size, subgroups: v.optional(subgroups) })),
  copies: v.pipe(v.array(v.strictObject({ bytes: positive, gigabytesPerSecond: positive })), v.maxLength(1000)),
  rows,
  memory: v.optional(v.pipe(v.array(v.strictObject({ metric: text, value: text })), v.maxLength(1000))),
  predictions: v.optional(v.pipe(v.array(v.strictObject({ n: size, batch: size, name: text, milliseconds })), v.maxLength(20_000))),
});
function isDate(value: string): boolean {
  const time = Date.parse(value);
  return !Number.isNaN(time) && new Date(time).toISOString() === value;
}
const result = v.strictObject({
  format: v.literal(experimentFormat),
  version: v.literal(1),
  experiment: v.literal("fft-paper"),
  date: v.pipe(v.string(), v.check(isDate, "must be a date and time as in 2026-11-23T12:00:00.000Z")),
  quick: v.boolean(),
  versions: names,
  devices: v.pipe(
    v.array(device),
    v.minLength(1),
    v.maxLength(100),
    v.check((all) => all.filter((one) => one.device.id === "cpu").length <= 1, "must have one processor at most"),
  ),
  absent: names,
});

/** The largest file that is read, in characters. */
const mostCharacters = 2 ** 25;

/** Makes the text of a result file from a report. */
export function writeFftResult(report: FftPaperReport): string {
  const { published: _, ...own } = report;
  const clean = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? withoutPaths(value.slice(0, 4000)).slice(0, 1000) : value;
  return `${JSON.stringify(own, clean, 1)}\n`;
}

/**
 * Reads a result file. Throws `input` that names the field if it is not one: another format or version, missing, additional or impossible
 * values, or texts with paths.
 */
export function readFftResult(content: string): FftPaperResult {
  if (typeof content !== "string" || content.length > mostCharacters)
    throw inputError("content", `the text of a result file of at most ${mostCharacters} characters`, typeof content);
  let document: unknown;
  try {
    document = JSON.parse(content);
  } catch (cause) {
    throw inputError("content", `JSON (${messageOf(cause)})`, content.slice(0, 40));
  }
  return parseBy(result, document, "content", "a value of a result file of fft-paper") as FftPaperResult;
}
