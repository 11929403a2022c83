/** Recordings from paths, through the table of formats; and scenes into folders. */

import { inputError } from "@dechirp/core";
import type { SteeringVectors } from "@dechirp/radar";
import { steeringOf } from "./array-npy.ts";
import type { RecordedArray } from "./array-recording.ts";
import type { Format, RecordingKind } from "./format.ts";
import { checkPath } from "./node-files.ts";
import { placeAt } from "./node-place.ts";
import { writeFolderAtomically } from "./node-writing.ts";
import type { RecordedPhaseHistory } from "./phase-history.ts";
import type { Place } from "./place.ts";
import { checkOptions } from "./random-access.ts";
import { checkReadOptions, detectFormat, type ReadRecordingOptions, type Recording, recordingOf } from "./recording.ts";
import type { Scene, SceneData } from "./scene.ts";
import { sceneFolder } from "./scene-folder.ts";

/** Options of `readScene`. */
export type ReadSceneOptions = Pick<ReadRecordingOptions, "format" | "maxBytes" | "signal" | "onProgress" | "agcFile">;
/** Options of `readPhaseHistory`. */
export type ReadPhaseHistoryOptions = Pick<ReadRecordingOptions, "format" | "maxBytes" | "signal" | "onProgress" | "frequencies">;
/** Options of `readArray`. */
export type ReadArrayOptions = Pick<ReadRecordingOptions, "format" | "maxBytes" | "signal" | "onProgress" | "axes" | "cpi" | "set">;

/**
 * The recording at a path, or at several that make one, in any format of the table (`formats` of `@dechirp/io/formats`); of one `kind`, or of
 * one `format`, where the options say so. Rejects with `input`, naming file and field or byte, where nothing is there, it is of no format or
 * damaged, and naming the option for one that does not go with it; with `aborted` where the signal fires.
 */
export async function readRecording<K extends RecordingKind = RecordingKind>(
  source: string | readonly string[],
  options: ReadRecordingOptions<K> = {},
): Promise<Recording<K>> {
  checkReadOptions(options, "readRecording");
  return read(source, options);
}

async function read<K extends RecordingKind>(source: string | readonly string[], options: ReadRecordingOptions<K>): Promise<Recording<K>> {
  const paths: unknown = typeof source === "string" ? [source] : source;
  if (!Array.isArray(paths) || paths.length === 0 || !paths.every((path) => typeof path === "string"))
    throw inputError("source", "a path, or a list of one at least", source);
  const places: Place[] = [];
  for (const path of paths) places.push(await placeAt(path, options.signal));
  return recordingOf(places, options);
}

/**
 * Which format of the table is at a path, of one `kind` where the options say so. Reads first bytes, and of MAT-files the variables. Rejects with
 * `input`, naming all that was looked for, where it is none; with `aborted` where the signal fires.
 */
export async function formatAt<K extends RecordingKind = RecordingKind>(
  path: string,
  options: ReadRecordingOptions<K> = {},
): Promise<Format<K>> {
  checkReadOptions(options, "formatAt");
  return detectFormat(await placeAt(path, options.signal), options);
}

/**
 * Reads the scene at `path`: a scene folder (scene.json), a RADARSAT-1 CD extraction (CD_run_params.mat and CDdata*.mat), or what else of
 * kind `stripmap` is in the table. Rejects as `readRecording` does.
 */
export async function readScene(path: string, options: ReadSceneOptions = {}): Promise<Scene> {
  checkPath(path);
  checkOptions(options, { format: true, maxBytes: true, signal: true, onProgress: true, agcFile: true }, "readScene");
  return (await read(path, { ...checkReadOptions(options, "readScene"), kind: "stripmap" })).recording;
}

/**
 * Reads a phase history: Gotcha files (see `parseGotcha`), or what else of kind `phase-history` is in the table. `source` is a file, a
 * folder, or a list of them that make one history: files in the order given, those of a folder (data_3dsar_pass1_az001_HH.mat …) by pass
 * and azimuth. Rejects as `readRecording` does.
 */
export async function readPhaseHistory(
  source: string | readonly string[],
  options: ReadPhaseHistoryOptions = {},
): Promise<RecordedPhaseHistory> {
  const known = { format: true, maxBytes: true, signal: true, onProgress: true, frequencies: true } as const;
  checkOptions(options, known, "readPhaseHistory");
  return (await read(source, { ...checkReadOptions(options, "readPhaseHistory"), kind: "phase-history" })).recording;
}

/**
 * Reads the cube of an array of antennas: PERFECT's STAP input, a Mountain Top file, a complex array of three axes (.npy, .mat), or what else
 * of kind `array` is in the table. Rejects as `readRecording` does.
 */
export async function readArray(path: string, options: ReadArrayOptions = {}): Promise<RecordedArray> {
  checkPath(path);
  const known = { format: true, maxBytes: true, signal: true, onProgress: true, axes: true, cpi: true, set: true } as const;
  checkOptions(options, known, "readArray");
  return (await read(path, { ...checkReadOptions(options, "readArray"), kind: "array" })).recording;
}

/**
 * Reads steering vectors from a .npy file, complex [vector][element]: over channels, or over the elements of a snapshot. Rejects with `input`,
 * naming file and element; with `aborted` where the signal fires.
 */
export async function readSteeringVectors(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<SteeringVectors> {
  checkPath(path);
  const { signal } = checkOptions(options, { signal: true }, "readSteeringVectors");
  return steeringOf(await placeAt(path, signal), signal ? { signal } : {});
}

/**
 * Writes a scene as a scene folder: scene.json and raw.npy, both or neither (see `writeFolderAtomically`).
 * Throws `input` for a scene that could not be read back or a path that can't be written.
 */
export async function writeSceneFolder(dir: string, scene: SceneData, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
  checkPath(dir, "dir");
  await writeFolderAtomically(dir, await (sceneFolder.writes as NonNullable<typeof sceneFolder.writes>).make(scene, options), options);
}
