/** Reads recordings from paths, through the table of formats, and writes scenes into folders. */
import { inputError } from "@dechirp/core";
import type { SteeringVectors } from "@dechirp/radar";
import { steeringOf } from "./array-npy.ts";
import type { RecordedArray } from "./array-recording.ts";
import type { Format, RecordingKind } from "./format.ts";
import { checkPath } from "./node-files.ts";
import { placeAt } from "./node-place.ts";
import { writeFolderAtomically } from "./node-writing.ts";
import type { RecordedPhaseHistory } from "./phase-history.ts";
import type { OnProgress, Place } from "./place.ts";
import { checkOptions } from "./random-access.ts";
import { checkReadOptions, detectFormat, type ReadRecordingOptions, type Recording, readRecordingFrom } from "./recording.ts";
import type { Scene, SceneData } from "./scene.ts";
import { sceneFolder } from "./scene-folder.ts";

/** Options of `readScene`. */
export type ReadSceneOptions = Pick<ReadRecordingOptions, "format" | "maxBytes" | "signal" | "onProgress" | "agcFile">;
/** Options of `readPhaseHistory`. */
export type ReadPhaseHistoryOptions = Pick<
  ReadRecordingOptions,
  "format" | "maxBytes" | "signal" | "onProgress" | "frequencies" | "channel"
>;
/** Options of `readArray`. */
export type ReadArrayOptions = Pick<ReadRecordingOptions, "format" | "maxBytes" | "signal" | "onProgress" | "axes" | "cpi" | "set">;

/**
 * Reads the recording at a path, in any format of the table (`formats` of `@dechirp/io/formats`). A list of paths is read as one
 * recording. The options can restrict it to one `kind` or one `format`. Rejects with `input` if nothing is there, no format matches or
 * the data is damaged, naming the file and the field or byte; with `input`, naming the option, if an option does not apply to the
 * format; and with `aborted` if the signal fires.
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
    throw inputError("source", "a path or a non-empty list of paths", source);
  const places: Place[] = [];
  for (const path of paths) places.push(await placeAt(path, options.signal));
  return readRecordingFrom(places, options);
}

/**
 * Finds the format at a path. The options can restrict the search to one `kind`. Reads the first bytes, and the variables' headers of a
 * MAT-file. Rejects with `input`, which lists everything that was looked for, if no format matches, and with `aborted` if the signal
 * fires.
 */
export async function formatAt<K extends RecordingKind = RecordingKind>(
  path: string,
  options: ReadRecordingOptions<K> = {},
): Promise<Format<K>> {
  checkReadOptions(options, "formatAt");
  return detectFormat(await placeAt(path, options.signal), options);
}

/**
 * Reads the stripmap scene at `path`: a scene folder (scene.json), a RADARSAT-1 CD extraction (CD_run_params.mat and CDdata*.mat), or
 * any other format of kind `stripmap` in the table. Rejects as `readRecording` does.
 */
export async function readScene(path: string, options: ReadSceneOptions = {}): Promise<Scene> {
  checkPath(path);
  checkOptions(options, { format: true, maxBytes: true, signal: true, onProgress: true, agcFile: true }, "readScene");
  return (await read(path, { ...checkReadOptions(options, "readScene"), kind: "stripmap" })).recording;
}

/**
 * Reads a phase history: a channel of a CPHD file, Gotcha files (see `parseGotcha`), or any other format of kind `phase-history` in the table. `source` is a
 * file, a folder, or a list of them that form one phase history. Files of a folder (data_3dsar_pass1_az001_HH.mat …) are sorted by pass
 * and azimuth; listed files keep their order. Rejects as `readRecording` does.
 */
export async function readPhaseHistory(
  source: string | readonly string[],
  options: ReadPhaseHistoryOptions = {},
): Promise<RecordedPhaseHistory> {
  const known = { format: true, maxBytes: true, signal: true, onProgress: true, frequencies: true, channel: true } as const;
  checkOptions(options, known, "readPhaseHistory");
  return (await read(source, { ...checkReadOptions(options, "readPhaseHistory"), kind: "phase-history" })).recording;
}

/**
 * Reads the data cube of an antenna array: PERFECT's STAP input, a Mountain Top file, a complex array of three axes (.npy, .mat), or
 * any other format of kind `array` in the table. Rejects as `readRecording` does.
 */
export async function readArray(path: string, options: ReadArrayOptions = {}): Promise<RecordedArray> {
  checkPath(path);
  const known = { format: true, maxBytes: true, signal: true, onProgress: true, axes: true, cpi: true, set: true } as const;
  checkOptions(options, known, "readArray");
  return (await read(path, { ...checkReadOptions(options, "readArray"), kind: "array" })).recording;
}

/**
 * Reads steering vectors from a .npy file, complex [vector][element]. An element is a channel, or a channel and pulse of a snapshot.
 * Rejects with `input`, which names the file and the element, and with `aborted` if the signal fires.
 */
export async function readSteeringVectors(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<SteeringVectors> {
  checkPath(path);
  const { signal } = checkOptions(options, { signal: true }, "readSteeringVectors");
  return steeringOf(await placeAt(path, signal), signal ? { signal } : {});
}

/** Options of `writeSceneFolder`. */
export interface WriteSceneOptions {
  readonly signal?: AbortSignal;
  /** Called with the share of the lines that are written, if the scene is an open one. */
  readonly onProgress?: OnProgress;
}

/**
 * Writes a scene as a scene folder: scene.json and raw.npy, both or neither (see `writeFolderAtomically`). Lines of an open scene, such as
 * `readScene` returns, are read and written in blocks. Rejects with `input` if the scene could not be read back or the path can't be written.
 */
export async function writeSceneFolder(dir: string, scene: SceneData | Scene, options: WriteSceneOptions = {}): Promise<void> {
  checkPath(dir, "dir");
  const { signal, onProgress } = checkOptions(options, { signal: true, onProgress: true }, "writeSceneFolder");
  const hear = signal ? { signal } : {};
  const isOpen = (one: SceneData | Scene): one is Scene => typeof (one as Partial<Scene> | undefined)?.pulses === "function";
  const files = isOpen(scene)
    ? (await import("./scene-json.ts")).encodeOpenScene(scene, { ...hear, ...(onProgress && { onProgress }) })
    : await (sceneFolder.writes as NonNullable<typeof sceneFolder.writes>).make(scene, hear);
  await writeFolderAtomically(dir, files, hear);
}
