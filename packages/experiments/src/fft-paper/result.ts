/**
 * Results as files that anyone can contribute. A file has the measurements, the device and the versions, and no names of machines, users
 * or folders: texts that look like paths are replaced when it is written, and refused when it is read. Nothing in a file is trusted.
 */
import { inputError, messageOf } from "@dechirp/core";
import * as v from "valibot";
import { experimentFormat } from "../experiment.ts";
import { type FftPaperReport, type FftPaperResult, sections } from "./report.ts";

/** Paths of Unix and Windows, and home folders. Plans' texts such as `fft/gpu` are not. */
const path = /(?:^|[\s"'(=:])(?:~[\\/]|[A-Za-z]:[\\/]|\/(?:[\w.@+-]+\/)+)[^\s"')]*/g;
/** Control characters, and characters that change the direction of text. */
const unprintable = /[\p{Cc}\p{Cf}]/u;

const text = v.pipe(
  v.string(),
  v.maxLength(1000),
  v.check((value) => !unprintable.test(value), "must have printable characters only"),
  v.check((value) => value.search(path) < 0, "must not contain the path of a file"),
);
const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const size = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(2 ** 32));
/** JSON has no NaN; an error that is not a number is null. */
const error = v.pipe(
  v.nullable(v.pipe(v.number(), v.minValue(0))),
  v.transform((value) => value ?? Number.NaN),
);
const names = v.record(v.pipe(v.string(), v.regex(/^[@\w][\w ./@-]{0,60}$/)), text);

const measured = v.strictObject({
  clock: v.picklist(["device", "host"]),
  milliseconds: positive,
  quartiles: v.strictTuple([positive, positive]),
  turns: size,
  runs: size,
  ofCopy: v.optional(positive),
  error,
  allowed: positive,
  text,
  passes: v.optional(size),
});
const row = v.strictObject({
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
const device = v.strictObject({
  device: v.strictObject({
    id: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,30}$/)),
    description: text,
    notes: v.pipe(v.array(text), v.maxLength(100)),
    software: v.boolean(),
    units: size,
    why: v.optional(text),
  }),
  groups: v.optional(v.strictObject({ workgroupBytes: size, invocations: size, subgroups: v.optional(v.strictTuple([size, size])) })),
  copies: v.pipe(v.array(v.strictObject({ bytes: positive, gigabytesPerSecond: positive })), v.maxLength(1000)),
  rows: v.pipe(v.array(row), v.maxLength(20_000)),
  memory: v.optional(v.pipe(v.array(v.strictObject({ metric: text, value: text })), v.maxLength(1000))),
  predictions: v.optional(
    v.pipe(v.array(v.strictObject({ n: size, batch: size, name: text, milliseconds: positive })), v.maxLength(20_000)),
  ),
});
const result = v.strictObject({
  format: v.literal(experimentFormat),
  version: v.literal(1),
  experiment: v.literal("fft-paper"),
  date: v.pipe(v.string(), v.isoTimestamp()),
  quick: v.boolean(),
  versions: names,
  devices: v.pipe(v.array(device), v.minLength(1), v.maxLength(100)),
  absent: names,
});

/** The largest file that is read, in characters. */
const mostCharacters = 2 ** 25;

/** Makes the text of a result file from a report. */
export function writeFftResult(report: FftPaperReport): string {
  const { published: _, ...own } = report;
  const clean = (_key: string, value: unknown): unknown =>
    typeof value === "string" ? value.replace(path, (found) => `${/^[\s"'(=:]/.test(found) ? found[0] : ""}(path)`).slice(0, 1000) : value;
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
  const parsed = v.safeParse(result, document, { abortEarly: true });
  if (parsed.success) return parsed.output as FftPaperResult;
  const [issue] = parsed.issues;
  throw inputError(v.getDotPath(issue) ?? "content", `a value of a result file of fft-paper (${issue.message})`, issue.input);
}
