/**
 * Makes scenes of scene.json (`scene-description.ts`) and the arrays that it names, and the files of a scene folder of a scene. This file
 * does no file access; `scene-folder.ts` reads the folder.
 */

import { createPause, dtypes, inputError, type Layout, type TypedArrayOf } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import type { EchoType } from "@dechirp/radar";
import { stateError } from "./file-error.ts";
import { arrayBytes, type NpyArray, npyHeader } from "./npy.ts";
import type { NpyRows } from "./npy-rows.ts";
import { roundedNote } from "./numbers.ts";
import type { OnProgress } from "./place.ts";
import { checkOptions } from "./random-access.ts";
import {
  checkEchoes,
  checkFinite,
  checkLineGain,
  checkPeak,
  checkProcessedBandwidth,
  checkPulseFacts,
  isLargeEnough,
  roundedEchoes,
  type Scene,
  type SceneData,
  type SceneFacts,
  sceneOf,
} from "./scene.ts";
import {
  checkDescription,
  maxDescriptionBytes,
  radarFields,
  type SceneDescription,
  sceneVersion,
  targetFields,
} from "./scene-description.ts";

/** The fields of a scene.json that may name a .npy file with a number for each line, or each bad line. */
export const vectorFields = ["pulseSeconds", "firstSampleSeconds", "badPulses"] as const;

/** Options of `parseScene`. */
export interface ParseSceneOptions {
  /** The arrays of other .npy files that the description names, by file name. */
  readonly arrays?: Readonly<Record<string, NpyArray>>;
  /** Cancels the work, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/**
 * Makes a scene in memory from its description and its raw data. Rejects with `input` if shapes, types or values do not fit each other,
 * and with `aborted` if `signal` fires.
 */
export async function parseScene(
  description: SceneDescription,
  raw: NpyArray,
  file: string,
  rawFile: string,
  options: ParseSceneOptions = {},
): Promise<Scene> {
  const { signal, arrays = {} } = checkOptions(options, { signal: true, arrays: true }, "parseScene");
  if (typeof description !== "object" || description === null)
    throw inputError("description", "a result of parseSceneDescription", description);
  if (!Array.isArray(raw?.layout?.shape)) throw inputError("raw", "an array with its layout", raw);
  const pause = createPause(`reading ${file}`, signal);
  const { facts, shape, dtype } = factsOf(description, raw.layout, arrays, file, rawFile);
  let data = raw.data as TypedArrayOf<EchoType>;
  if (raw.layout.dtype === "c128") {
    const rounded = await roundedEchoes(rawFile, shape[1], 0, raw.data as Float64Array, pause);
    checkPeak(rawFile, rounded.peak);
    ({ data } = rounded);
  }
  const echoes = { layout: { dtype, shape }, data };
  await checkEchoes(rawFile, echoes, pause);
  return sceneOf(facts, shape, dtype, {
    read: async (from, count) => data.subarray(2 * from * shape[1], 2 * (from + count) * shape[1]) as TypedArrayOf<EchoType>,
  });
}

/**
 * Makes a scene whose lines are read when they are asked for: `raw` is the opened .npy file, which `close` releases. Throws `input` if
 * shapes, types or values of the description do not fit each other.
 */
export function openScene(
  description: SceneDescription,
  raw: NpyRows,
  file: string,
  rawFile: string,
  { arrays, close }: { readonly arrays: Readonly<Record<string, NpyArray>>; readonly close: () => Promise<void> },
): Scene {
  const { facts, shape, dtype } = factsOf(description, raw.layout, arrays, file, rawFile);
  const [lines, cells] = shape;
  const what = `reading ${rawFile}`;
  /** Set when a sample was found that shows that float32 can hold the samples. */
  let largeEnough = false;
  /** Finds a sample that float32 can hold, usually among the first lines. */
  const checkScale = async (signal: AbortSignal): Promise<void> => {
    let most = 0;
    const step = Math.max(1, Math.floor(scaleBytes / (16 * cells)));
    for (let from = 0; from < lines && !isLargeEnough(most); from += step) {
      const some = (await raw.rows(from, Math.min(step, lines - from), { signal })) as Float64Array;
      most = Math.max(most, (await roundedEchoes(rawFile, cells, from, some, createPause(what, signal))).peak);
    }
    checkPeak(rawFile, most);
    largeEnough = true;
  };
  return sceneOf(facts, shape, dtype, {
    close,
    readsInto: raw.layout.dtype !== "c128",
    async read(from, count, signal, into) {
      const pause = createPause(what, signal);
      if (raw.layout.dtype === "c128") {
        if (!largeEnough) await checkScale(signal);
        const wide = (await raw.rows(from, count, { signal })) as Float64Array;
        return (await roundedEchoes(rawFile, cells, from, wide, pause)).data;
      }
      const data = (await raw.rows(from, count, { signal, ...(into && { into }) })) as TypedArrayOf<EchoType>;
      await checkFinite(rawFile, dtype, cells, from, data, pause);
      return data;
    },
  });
}

/** Number of bytes of float64 lines that are read at once to find their scale. */
const scaleBytes = 2 ** 24;

/** Checks a description with the layout of its raw data. Throws `input`. */
function factsOf(
  description: SceneDescription,
  { dtype, shape }: Layout,
  arrays: Readonly<Record<string, NpyArray>>,
  file: string,
  rawFile: string,
): { readonly facts: SceneFacts; readonly shape: readonly [number, number]; readonly dtype: EchoType } {
  if ((dtype !== "ci8" && dtype !== "ci16" && dtype !== "c64" && dtype !== "c128") || shape.length !== 2) {
    throw stateError(
      rawFile,
      "the array",
      "complex64 or complex128 [azimuth][range], or int8, int16, float32 or float64 [azimuth][range][2]",
      `${dtype}[${shape.join(", ")}]`,
    );
  }
  const [lines, cells] = shape;
  const lineGain = description.lineGain && Float32Array.from(description.lineGain);
  checkLineGain(file, lines, lineGain);
  const { processedBandwidthHz, pulseSeconds, firstSampleSeconds, badPulses, startUtc, collection } = description;
  checkProcessedBandwidth(file, description);
  const numbers = (field: (typeof vectorFields)[number]): ArrayLike<number> => numbersIn(file, field, description[field], arrays);
  const vectors = {
    ...(pulseSeconds === undefined ? {} : { pulseSeconds: Float64Array.from(numbers("pulseSeconds")) }),
    ...(firstSampleSeconds === undefined ? {} : { firstSampleSeconds: Float64Array.from(numbers("firstSampleSeconds")) }),
    ...(badPulses === undefined ? {} : { badPulses: Array.from(numbers("badPulses")) }),
  };
  checkPulseFacts(file, lines, vectors);
  return {
    shape: [lines, cells],
    dtype: dtype === "c128" ? "c64" : dtype,
    facts: {
      name: description.name,
      radar: description.radar,
      ...(lineGain ? { lineGain } : {}),
      ...vectors,
      ...(description.preset ? { preset: description.preset } : {}),
      ...(processedBandwidthHz === undefined ? {} : { processedBandwidthHz }),
      ...(startUtc === undefined ? {} : { startUtc }),
      ...(collection ? { collection } : {}),
      targets: description.targets ?? [],
      notes: [...(description.notes ?? []), ...(dtype === "c128" ? [roundedNote(rawFile)] : [])],
    },
  };
}

/** The numbers that a field of a description holds or names. Throws `input`. */
function numbersIn(
  file: string,
  field: string,
  value: readonly number[] | string | undefined,
  arrays: Readonly<Record<string, NpyArray>>,
): ArrayLike<number> {
  if (typeof value !== "string") return value ?? [];
  const found = Object.hasOwn(arrays, value) ? arrays[value] : undefined;
  if (found === undefined) throw stateError(file, field, "the name of a file that was read", `${value}, which was not`);
  const { dtype, shape } = found.layout;
  if (shape.length !== 1 || dtypes[dtype].components === 2)
    throw stateError(value, "the array", `real, of one axis, as ${field} of ${file}`, `${dtype}[${shape.join(", ")}]`);
  return found.data;
}

/** If there are more bad lines than this, they are written to a file of their own. */
const mostInline = 2 ** 16;

/** The .npy files for the numbers of each line, and the fields of scene.json that name them. */
function encodedVectors({ pulseSeconds, firstSampleSeconds, badPulses }: SceneFacts) {
  const fields: Record<string, string | readonly number[]> = {};
  const files: Record<string, Uint8Array[]> = {};
  const put = (field: string, name: string, layout: Layout, data: TypedArrayOf): void => {
    fields[field] = name;
    files[name] = [npyHeader(layout), arrayBytes(data)];
  };
  if (pulseSeconds) put("pulseSeconds", "pulse-seconds.npy", { dtype: "f64", shape: [pulseSeconds.length] }, pulseSeconds);
  if (firstSampleSeconds)
    put("firstSampleSeconds", "first-sample-seconds.npy", { dtype: "f64", shape: [firstSampleSeconds.length] }, firstSampleSeconds);
  if (badPulses && badPulses.length > mostInline)
    put("badPulses", "bad-pulses.npy", { dtype: "f64", shape: [badPulses.length] }, Float64Array.from(badPulses));
  else if (badPulses) fields["badPulses"] = badPulses;
  return { fields, files };
}

/** Checks everything of a scene but its samples, and makes its description and the .npy files of its vectors. Throws `input`. */
function describe(scene: SceneFacts, layout: Layout): { readonly json: Uint8Array; readonly files: Record<string, Uint8Array[]> } {
  const [lines] = layout.shape;
  for (const [field, list] of [
    ["scene.targets", scene.targets],
    ["scene.notes", scene.notes],
  ] as const)
    if (!Array.isArray(list)) throw inputError(field, "a list", list);
  checkLineGain("scene", lines, scene.lineGain);
  checkPulseFacts("scene", lines, scene);
  const vectors = encodedVectors(scene);
  const pick = <T extends object, K extends keyof T>(value: T, keys: readonly K[]) =>
    Object.fromEntries(keys.filter((key) => value[key] !== undefined).map((key) => [key, value[key]]));
  const description = {
    format: "dechirp-scene",
    version: sceneVersion,
    name: scene.name,
    // Only known fields are written: callers may pass objects with more.
    radar: pick(scene.radar, radarFields),
    raw: "raw.npy",
    ...(scene.lineGain ? { lineGain: Array.from(scene.lineGain) } : {}),
    ...vectors.fields,
    ...(scene.preset ? { preset: scene.preset } : {}),
    ...(scene.processedBandwidthHz === undefined ? {} : { processedBandwidthHz: scene.processedBandwidthHz }),
    ...(scene.startUtc === undefined ? {} : { startUtc: scene.startUtc }),
    ...(scene.collection ? { collection: scene.collection } : {}),
    targets: scene.targets.map((target) => pick(target, targetFields)),
    ...(scene.notes.length > 0 ? { notes: scene.notes } : {}),
  };
  checkProcessedBandwidth("scene", checkDescription(description, "scene"));
  const json = new TextEncoder().encode(`${JSON.stringify(description, null, 2)}\n`);
  if (json.length > maxDescriptionBytes)
    throw stateError("scene", "scene.json", `at most ${maxDescriptionBytes} bytes long`, `${json.length}: fewer targets or lines`);
  return { json, files: vectors.files };
}

/** Throws `input` unless the fields are objects, and the type is one of echoes. */
function checkParts(parts: readonly (readonly [field: string, there: unknown])[], dtype: () => unknown, field: string): void {
  for (const [name, there] of parts) if (typeof there !== "object" || there === null) throw inputError(name, "an object", there);
  if (!Object.hasOwn(dtypes, dtype() as string)) throw inputError(field, "ci8, ci16 or c64", dtype());
}

/**
 * Makes the files of a scene folder by name, as chunks of bytes: scene.json, raw.npy, and .npy files of the scene's other vectors, if it
 * has any. The raw data is not copied. Rejects with `input` if the scene could not be read back, and with `aborted` if `signal` fires.
 */
export async function encodeScene(
  scene: SceneData,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Record<"scene.json" | "raw.npy", Uint8Array[]> & Readonly<Record<string, Uint8Array[]>>> {
  const { signal } = checkOptions(options, { signal: true }, "encodeScene");
  const parts = [
    ["scene", scene],
    ["scene.radar", scene?.radar],
    ["scene.raw", scene?.raw],
    ["scene.raw.layout", scene?.raw?.layout],
  ] as const;
  checkParts(parts, () => scene.raw.layout.dtype, "scene.raw.layout.dtype");
  await checkEchoes("scene", scene.raw, createPause("writing a scene", signal));
  const { json, files } = describe(scene, scene.raw.layout);
  return { "scene.json": [json], "raw.npy": [npyHeader(scene.raw.layout), arrayBytes(scene.raw.data)], ...files };
}

/**
 * `encodeScene` of an open scene: its lines are read in blocks when their bytes are asked for. Wrong facts are found at once, and samples
 * that are not finite when they are read.
 */
export function encodeOpenScene(
  scene: Scene,
  { signal, onProgress }: { readonly signal?: AbortSignal; readonly onProgress?: OnProgress } = {},
): Readonly<Record<string, Uint8Array[] | AsyncIterable<Uint8Array>>> {
  const parts = [
    ["scene", scene],
    ["scene.radar", scene?.radar],
    ["scene.shape", scene?.shape],
  ] as const;
  checkParts(parts, () => scene.dtype, "scene.dtype");
  const layout: Layout = { dtype: scene.dtype, shape: scene.shape };
  const { json, files } = describe(scene, layout);
  async function* raw(): AsyncGenerator<Uint8Array> {
    yield npyHeader(layout);
    const [lines, cells] = scene.shape;
    const most = Math.max(1, Math.floor(blockBytes / (cells * dtypes[scene.dtype].bytes)));
    for (let from = 0; from < lines; from += most) {
      const count = Math.min(most, lines - from);
      yield arrayBytes(await scene.pulses(from, count, signal ? { signal } : {}));
      await callListener(() => onProgress?.((from + count) / lines), "onProgress", signal, "writing a scene");
    }
  }
  return { "scene.json": [json], "raw.npy": raw(), ...files };
}

/** Bytes of lines that are read and written at once. */
const blockBytes = 2 ** 24;
