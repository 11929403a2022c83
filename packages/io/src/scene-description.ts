/**
 * scene.json, dechirp's own description of a scene beside its raw data in a .npy file: its fields and strict checks. `scene-json.ts` makes
 * a scene of it.
 */

import { inputError, RadarError } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";
import type { PointTarget, RecordedCollection } from "@dechirp/radar";
import * as v from "valibot";
import { sceneFolderLimits } from "./facts.ts";
import { createNameCheck } from "./field-names.ts";
import { fieldError, pathError, stateError } from "./file-error.ts";
import { type SceneRadar, type SensorPreset, sensorPresets } from "./scene.ts";

/** The version that this package writes, and the only one that it reads. */
export const sceneVersion = 1;

/** The longest scene.json that is read or written. It leaves room for gains of half a million lines, or a hundred thousand targets. */
export const maxDescriptionBytes = sceneFolderLimits.descriptionBytes.most;

const finite = v.pipe(v.number("a number"), v.finite("a finite number"));
const positive = v.pipe(
  finite,
  v.check((value) => value > 0, "a positive number"),
);
const nonZero = v.pipe(
  finite,
  v.check((value) => value !== 0, "different from zero"),
);
const text = v.pipe(v.string("text"), v.maxLength(4096, "at most 4096 characters"));
const expected = "a known field that is present and an object";
const plainName = v.pipe(
  v.string("a file name"),
  // No path separators, parent folders, drives, streams or control characters: the file must be in the scene's folder.
  v.regex(/^[A-Za-z0-9_][A-Za-z0-9_. -]{0,199}$/, "a plain file name in the scene's folder"),
  v.endsWith(".npy", "the name of a .npy file"),
);

/** Limit on the number of state vectors. It is above that of any product, and so low that checking them takes almost no time. */
const mostVectors = 2 ** 16;

/** Checks the length of a list before its items. */
const listed = v.custom<unknown>((value) => !Array.isArray(value) || value.length <= mostVectors, `a list of at most ${mostVectors} items`);
const vectors = v.pipe(
  listed,
  v.array(v.pipe(v.array(finite, "a list of three numbers"), v.length(3, "three numbers")), "a list of vectors"),
);

const orbitSchema = v.strictObject(
  {
    timesSeconds: v.pipe(listed, v.array(finite, "a list of times"), v.minLength(4, "at least four times")),
    positionsMeters: vectors,
    velocitiesMetersPerSecond: v.exactOptional(vectors),
    lookSide: v.picklist(["left", "right"], "left or right"),
    groundHeightMeters: v.exactOptional(finite),
  },
  expected,
);

const radarSchema = v.strictObject(
  {
    carrierHz: positive,
    samplingRateHz: positive,
    prfHz: positive,
    chirpRateHzPerSecond: nonZero,
    pulseSeconds: positive,
    velocityMetersPerSecond: v.exactOptional(positive),
    orbit: v.exactOptional(orbitSchema),
    nearRangeMeters: positive,
    dopplerCentroidHz: v.exactOptional(finite),
    startSeconds: v.exactOptional(finite),
  },
  expected,
);

const targetSchema = v.strictObject(
  { name: text, azimuthSeconds: finite, slantRangeMeters: positive, amplitude: finite, phaseRadians: finite },
  expected,
);

const polarisation = v.picklist(["V", "H", "RHC", "LHC", "OTHER", "UNKNOWN"], "V, H, RHC, LHC, OTHER or UNKNOWN");

const collectionSchema = v.strictObject(
  {
    collector: v.exactOptional(text),
    name: v.exactOptional(text),
    mode: v.exactOptional(v.picklist(["spotlight", "stripmap", "dynamic stripmap"], "spotlight, stripmap or dynamic stripmap")),
    modeName: v.exactOptional(text),
    classification: v.exactOptional(text),
    polarisation: v.exactOptional(v.strictObject({ transmit: polarisation, receive: polarisation }, expected)),
  },
  expected,
);

const utc = v.pipe(
  v.string("a time in UTC"),
  v.check(
    (time) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(time) && Number.isFinite(Date.parse(time)),
    "a time in UTC such as 2026-03-14T11:00:00.25Z",
  ),
);

/** A checked scene.json: the fields of a `Scene`, with the name of the file that holds the samples. */
export interface SceneDescription {
  readonly format: "dechirp-scene";
  readonly version: typeof sceneVersion;
  readonly name: string;
  readonly radar: SceneRadar;
  /** Name of the .npy file in the same folder. */
  readonly raw: string;
  /** Linear gain of each line. Default: 1. */
  readonly lineGain?: readonly number[];
  /** Slow time of each line, or the name of a .npy file that holds them (see `SceneFacts`). */
  readonly pulseSeconds?: readonly number[] | string;
  /** Delay of the first sample of each line, or the name of a .npy file that holds them. */
  readonly firstSampleSeconds?: readonly number[] | string;
  /** Lines that are marked as bad, or the name of a .npy file that holds them. */
  readonly badPulses?: readonly number[] | string;
  readonly preset?: SensorPreset;
  readonly processedBandwidthHz?: number;
  /** UTC of slow time 0, such as `2026-03-14T11:00:00.25Z`. */
  readonly startUtc?: string;
  readonly collection?: RecordedCollection;
  /** Default: none. */
  readonly targets?: readonly PointTarget[];
  readonly notes?: readonly string[];
}

/** A list of numbers, or the name of the file that holds them. */
const vector = v.lazy((value) =>
  typeof value === "string" ? plainName : v.array(finite, "a list of numbers or the name of a .npy file"),
) as v.GenericSchema<unknown, readonly number[] | string>;

const sceneSchema = v.strictObject(
  {
    format: v.literal("dechirp-scene", '"dechirp-scene"'),
    version: v.literal(sceneVersion, `${sceneVersion}, the only version known here`),
    name: text,
    radar: radarSchema,
    raw: plainName,
    lineGain: v.exactOptional(v.array(positive, "a list")),
    pulseSeconds: v.exactOptional(vector),
    firstSampleSeconds: v.exactOptional(vector),
    badPulses: v.exactOptional(vector),
    preset: v.exactOptional(v.picklist(Object.keys(sensorPresets) as SensorPreset[], `one of ${Object.keys(sensorPresets).join(", ")}`)),
    processedBandwidthHz: v.exactOptional(positive),
    startUtc: v.exactOptional(utc),
    collection: v.exactOptional(collectionSchema),
    targets: v.exactOptional(v.array(targetSchema, "a list")),
    notes: v.exactOptional(v.array(text, "a list")),
  },
  expected,
) satisfies v.GenericSchema<unknown, SceneDescription>;

/**
 * Parses the text of a scene.json of at most 16 MiB. Throws `input` with fields `{ file, field, expected, actual }`, and with `{ field
 * }` for wrong arguments.
 */
export const parseSceneDescription = (json: string, file: string): SceneDescription => checkDescription(parseJson(json, file), file);

/** Decodes the bytes of a scene.json. Throws `input` if they are not UTF-8. */
export function descriptionText(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const [expected, actual] = ["JSON", "text that is not UTF-8"];
    throw new RadarError("input", `${file}: not JSON: the text is not UTF-8`, { file, field: "the document", expected, actual }, cause);
  }
}

/** Parses the JSON of a scene.json without checking its fields. Throws `input`. */
export function parseJson(json: string, file: string): unknown {
  if (typeof json !== "string") throw inputError("json", "a text", json);
  if (typeof file !== "string") throw inputError("file", "a name, a text", file);
  if (json.length > maxDescriptionBytes) throw pathError(file, `at most ${maxDescriptionBytes} characters long`, `${json.length}`);
  try {
    return JSON.parse(json);
  } catch (cause) {
    const actual = cause instanceof Error ? cause.message : describe(cause);
    throw new RadarError(
      "input",
      oneLine(`${file}: not JSON: ${actual}`),
      { file, field: "the document", expected: "JSON", actual },
      cause,
    );
  }
}

/** Checks the fields of a scene.json. Throws `input`, which names the file and the field. */
export function checkDescription(value: unknown, file: string): SceneDescription {
  checkFieldNames(value, file);
  const result = v.safeParse(sceneSchema, value, { abortEarly: true });
  if (result.success) {
    checkOrbit(file, result.output.radar);
    return result.output;
  }
  const issue = result.issues[0];
  const path = issue.path ?? [];
  const last = path.at(-1);
  // valibot treats a list as an object without fields.
  const list = last && typeof last.key !== "number" && Array.isArray(last.input) ? last.input : undefined;
  const field = (list ? path.slice(0, -1) : path).reduce(
    (whole, { key }) => (typeof key === "number" ? `${whole}[${key}]` : whole === "" ? String(key) : `${whole}.${String(key)}`),
    "",
  );
  const actual = list ?? (last ? last.value : value);
  if (!list && issue.expected === "never") throw fieldError(file, field, "absent: there is no such field", actual);
  if (actual === undefined) throw stateError(file, field, "present", "absent");
  const wanted = list || issue.message === expected ? "an object" : issue.message;
  throw fieldError(file, field === "" ? "the document" : field, wanted, actual);
}

/** Reports misspelt field names, before the correctly spelt field would be reported as absent. */
function checkFieldNames(value: unknown, file: string): void {
  const check = createNameCheck(file);
  const { radar, targets, collection } = (value ?? {}) as {
    readonly radar?: { readonly orbit?: unknown } | null;
    readonly targets?: unknown;
    readonly collection?: unknown;
  };
  check("", value, Object.keys(sceneSchema.entries));
  check("radar.", radar, Object.keys(radarSchema.entries));
  check("radar.orbit.", radar?.orbit, Object.keys(orbitSchema.entries));
  check("collection.", collection, Object.keys(collectionSchema.entries));
  if (Array.isArray(targets)) targets.forEach((target, i) => void check(`targets[${i}].`, target, Object.keys(targetSchema.entries)));
}

/**
 * Throws if there is neither a velocity nor an orbit, if the times of the orbit do not increase, or if it does not have a position (and
 * a velocity, if any are given) for each time.
 */
function checkOrbit(file: string, { velocityMetersPerSecond, orbit }: SceneDescription["radar"]): void {
  if (orbit === undefined) {
    if (velocityMetersPerSecond === undefined)
      throw stateError(file, "radar.velocityMetersPerSecond", "present, because there is no radar.orbit to compute it from", "absent");
    return;
  }
  const { timesSeconds: times } = orbit;
  const late = times.findIndex((time, i) => i > 0 && time <= times[i - 1]);
  if (late !== -1) throw fieldError(file, `radar.orbit.timesSeconds[${late}]`, `after ${times[late - 1]}, the time before it`, times[late]);
  for (const name of ["positionsMeters", "velocitiesMetersPerSecond"] as const) {
    const list = orbit[name];
    if (list && list.length !== times.length)
      throw stateError(file, `radar.orbit.${name}`, `${times.length} vectors, one for each time`, `${list.length}`);
  }
}

/** Names of the fields of a scene.json's radar and targets. Only these are written. */
export const radarFields = Object.keys(radarSchema.entries) as readonly (keyof SceneRadar)[];
export const targetFields = Object.keys(targetSchema.entries) as readonly (keyof PointTarget)[];
