/**
 * scene.json, dechirp's own description of a scene beside its raw data in a .npy file: its fields, strict checks, and conversion from
 * and to a `Scene`. This file does no file access; `scene-folder.ts` reads the folder.
 */

import { createPause, dtypes, inputError, type Layout, RadarError, type TypedArrayOf } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";
import type { EchoType, PointTarget } from "@dechirp/radar";
import * as v from "valibot";
import { sceneFolderLimits } from "./facts.ts";
import { createNameCheck } from "./field-names.ts";
import { fieldError, pathError, stateError } from "./file-error.ts";
import { arrayBytes, type NpyArray, npyHeader } from "./npy.ts";
import { roundedNote } from "./numbers.ts";
import { checkOptions } from "./random-access.ts";
import {
  checkEchoes,
  checkLineGain,
  checkProcessedBandwidth,
  createScene,
  roundedEchoes,
  type Scene,
  type SceneData,
  type SceneRadar,
  type SensorPreset,
  sensorPresets,
} from "./scene.ts";

/** The version that this package writes, and the only one that it reads. */
export const sceneVersion = 1;

/** The longest scene.json that is read or written. It leaves room for gains of half a million lines, or a hundred thousand targets. */
const maxDescriptionBytes = sceneFolderLimits.descriptionBytes.most;

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
  readonly preset?: SensorPreset;
  readonly processedBandwidthHz?: number;
  /** Default: none. */
  readonly targets?: readonly PointTarget[];
  readonly notes?: readonly string[];
}

const sceneSchema = v.strictObject(
  {
    format: v.literal("dechirp-scene", '"dechirp-scene"'),
    version: v.literal(sceneVersion, `${sceneVersion}, the only version known here`),
    name: text,
    radar: radarSchema,
    raw: plainName,
    lineGain: v.exactOptional(v.array(positive, "a list")),
    preset: v.exactOptional(v.picklist(Object.keys(sensorPresets) as SensorPreset[], `one of ${Object.keys(sensorPresets).join(", ")}`)),
    processedBandwidthHz: v.exactOptional(positive),
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
  const { radar, targets } = (value ?? {}) as { readonly radar?: { readonly orbit?: unknown } | null; readonly targets?: unknown };
  check("", value, Object.keys(sceneSchema.entries));
  check("radar.", radar, Object.keys(radarSchema.entries));
  check("radar.orbit.", radar?.orbit, Object.keys(orbitSchema.entries));
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

/**
 * Makes a scene from its description and its raw data. Rejects with `input` if shapes, types or values do not fit each other, and with
 * `aborted` if `signal` fires.
 */
export async function parseScene(
  description: SceneDescription,
  raw: NpyArray,
  file: string,
  rawFile: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Scene> {
  const { signal } = checkOptions(options, { signal: true }, "parseScene");
  if (typeof description !== "object" || description === null)
    throw inputError("description", "a result of parseSceneDescription", description);
  if (!Array.isArray(raw?.layout?.shape)) throw inputError("raw", "an array with its layout", raw);
  const pause = createPause(`reading ${file}`, signal);
  const { dtype, shape } = raw.layout;
  if ((dtype !== "ci8" && dtype !== "ci16" && dtype !== "c64" && dtype !== "c128") || shape.length !== 2) {
    throw stateError(
      rawFile,
      "the array",
      "complex64 or complex128 [azimuth][range], or int8, int16, float32 or float64 [azimuth][range][2]",
      `${dtype}[${shape.join(", ")}]`,
    );
  }
  const echoes =
    dtype === "c128"
      ? await roundedEchoes(rawFile, shape, raw.data as Float64Array, pause)
      : { layout: raw.layout as Layout<EchoType>, data: raw.data as TypedArrayOf<EchoType> };
  const lineGain = description.lineGain && Float32Array.from(description.lineGain);
  await checkEchoes(rawFile, echoes, pause);
  checkLineGain(file, shape[0], lineGain);
  const { processedBandwidthHz } = description;
  checkProcessedBandwidth(file, description);
  return createScene({
    name: description.name,
    radar: description.radar,
    raw: echoes,
    ...(lineGain ? { lineGain } : {}),
    ...(description.preset ? { preset: description.preset } : {}),
    ...(processedBandwidthHz === undefined ? {} : { processedBandwidthHz }),
    targets: description.targets ?? [],
    notes: [...(description.notes ?? []), ...(dtype === "c128" ? [roundedNote(rawFile)] : [])],
  });
}

/**
 * Makes the files of a scene folder by name, as chunks of bytes; the raw data is not copied. Rejects with `input` if the scene could
 * not be read back, and with `aborted` if `signal` fires.
 */
export async function encodeScene(
  scene: SceneData,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Record<"scene.json" | "raw.npy", Uint8Array[]>> {
  const { signal } = checkOptions(options, { signal: true }, "encodeScene");
  for (const [field, there] of [
    ["scene", scene],
    ["scene.radar", scene?.radar],
    ["scene.raw", scene?.raw],
    ["scene.raw.layout", scene?.raw?.layout],
  ] as const)
    if (typeof there !== "object" || there === null) throw inputError(field, "an object", there);
  for (const [field, list] of [
    ["scene.targets", scene.targets],
    ["scene.notes", scene.notes],
  ] as const)
    if (!Array.isArray(list)) throw inputError(field, "a list", list);
  if (!Object.hasOwn(dtypes, scene.raw.layout.dtype))
    throw inputError("scene.raw.layout.dtype", "ci8, ci16 or c64", scene.raw.layout.dtype);
  await checkEchoes("scene", scene.raw, createPause("writing a scene", signal));
  checkLineGain("scene", scene.raw.layout.shape[0], scene.lineGain);
  const pick = <T extends object, K extends keyof T>(value: T, keys: readonly K[]) =>
    Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));
  const description = {
    format: "dechirp-scene",
    version: sceneVersion,
    name: scene.name,
    // Only known fields are written: callers may pass objects with more.
    radar: pick(scene.radar, Object.keys(radarSchema.entries) as (keyof SceneData["radar"])[]),
    raw: "raw.npy",
    ...(scene.lineGain ? { lineGain: Array.from(scene.lineGain) } : {}),
    ...(scene.preset ? { preset: scene.preset } : {}),
    ...(scene.processedBandwidthHz === undefined ? {} : { processedBandwidthHz: scene.processedBandwidthHz }),
    targets: scene.targets.map((target) => pick(target, Object.keys(targetSchema.entries) as (keyof typeof target)[])),
    ...(scene.notes.length > 0 ? { notes: scene.notes } : {}),
  };
  checkProcessedBandwidth("scene", checkDescription(description, "scene"));
  const json = new TextEncoder().encode(`${JSON.stringify(description, null, 2)}\n`);
  if (json.length > maxDescriptionBytes)
    throw stateError("scene", "scene.json", `at most ${maxDescriptionBytes} bytes long`, `${json.length}: fewer targets or lines`);
  return {
    "scene.json": [json],
    "raw.npy": [npyHeader(scene.raw.layout), arrayBytes(scene.raw.data)],
  };
}
