/** Scenes from and to folders: finds the files, reads them and hands them to the parsers, which know no folders. */
import { basename, dirname, join, resolve } from "node:path";
import { createPause } from "@dechirp/core";
import { fieldError, namesText, pathError } from "./file-error.ts";
import type { MatFile } from "./mat-types.ts";
import { whileUnchanged } from "./node-commit.ts";
import { checkPath, isFile, listFolder, readBytes, withFile } from "./node-files.ts";
import { matFileReader, type ReadFilesOptions } from "./node-mat.ts";
import { writeFolderAtomically } from "./node-writing.ts";
import { readNpy } from "./npy.ts";
import { radarsatParams, radarsatScene } from "./radarsat.ts";
import { checkOptions } from "./random-access.ts";
import type { Scene, SceneData } from "./scene.ts";
import { checkDescription, descriptionText, maxDescriptionBytes, parseJson, sceneFiles, sceneFromDescription } from "./scene-json.ts";

export type ReadSceneOptions = ReadFilesOptions;

export interface ReadRadarsatOptions extends ReadSceneOptions {
  /** AGC_attenuation_values.mat where it is neither in the folder nor in the two above it. */
  readonly agcFile?: string;
}

const sceneFields = { maxBytes: true, signal: true, onProgress: true } as const;
const radarsatFields = { ...sceneFields, agcFile: true } as const;

const descriptionFile = "scene.json";
const paramsFile = "CD_run_params.mat";
const agcName = "AGC_attenuation_values.mat";
const isBlock = (name: string): boolean => /^CDdata\d+\.mat$/.test(name);
/** Folders above the scene's that are searched for the AGC file. */
const agcLevels = 2;
const maxBlocks = 1000;

/**
 * Reads the scene in folder `dir`: a scene folder (scene.json) or a RADARSAT-1 CD extraction (CD_run_params.mat and
 * CDdata*.mat). Throws `input` for a path that is absent, a file or a folder of anything else, and for bad files; `aborted` where the signal fires.
 */
export async function readScene(dir: string, options: ReadRadarsatOptions = {}): Promise<Scene> {
  const { agcFile: _, ...sceneOptions } = checkOptions(options, radarsatFields, "readScene");
  checkPath(dir, "dir");
  // A process that was killed may have left files to be put into place.
  const names = await whileUnchanged(dir, descriptionFile, () => listFolder(dir), options.signal);
  if (names.includes(descriptionFile)) return readSceneFolder(dir, sceneOptions);
  if (names.includes(paramsFile) || names.some(isBlock)) return readRadarsatScene(dir, options);
  throw pathError(dir, `a folder with ${descriptionFile}, or with ${paramsFile} and CDdata1.mat`, namesText(names));
}

/**
 * Reads a scene folder: scene.json and the .npy file that it names, of one writer where others write there meanwhile. Throws
 * `input`, naming file and field.
 */
export async function readSceneFolder(dir: string, options: ReadSceneOptions = {}): Promise<Scene> {
  checkOptions(options, sceneFields, "readSceneFolder");
  await listFolder(dir);
  return whileUnchanged(dir, descriptionFile, () => readDescribed(dir, options), options.signal);
}

async function readDescribed(dir: string, options: ReadSceneOptions): Promise<Scene> {
  const { signal, maxBytes = maxDescriptionBytes } = options;
  const file = join(dir, descriptionFile);
  const hear = signal ? { signal } : {};
  const json = await readBytes(file, { ...hear, maxBytes: Math.min(maxDescriptionBytes, maxBytes) });
  // Each of these can take a tenth of a second.
  const pause = createPause(`reading ${file}`, signal);
  const value = parseJson(descriptionText(json, file), file);
  await pause();
  const description = checkDescription(value, file);
  await pause();
  const rawFile = join(dir, description.raw);
  const raw = await withFile(rawFile, options, (access) => readNpy(access, { file: rawFile, complexPairs: true, ...hear }));
  return sceneFromDescription(description, raw, file, rawFile, hear);
}

/**
 * Writes a scene as a scene folder: scene.json and raw.npy, both or neither (see `writeFolderAtomically`).
 * Throws `input` for a scene that could not be read back or a path that can't be written.
 */
export async function writeSceneFolder(dir: string, scene: SceneData, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
  checkPath(dir, "dir");
  await writeFolderAtomically(dir, await sceneFiles(scene, options), options);
}

/**
 * Reads the RADARSAT-1 CD extraction in folder `dir`: CD_run_params.mat, its CDdata blocks one after another along
 * azimuth, and the AGC values in the folder or at most two above it. Throws `input`, naming file and variable.
 */
export async function readRadarsatScene(dir: string, options: ReadRadarsatOptions = {}): Promise<Scene> {
  checkOptions(options, radarsatFields, "readRadarsatScene");
  const read = matFileReader(options);
  const names = await listFolder(dir);
  // Parameters and AGC values are a few kilobytes: progress is that of the blocks.
  const readSmall = matFileReader({ ...options, onProgress: () => {} });
  const params = await readSmall(join(dir, paramsFile), 0, 1);
  const { blocks: blockCount } = radarsatParams(params);
  if (blockCount > maxBlocks) throw fieldError(params.file, "variable Nblocks", `at most ${maxBlocks}`, blockCount);
  const blocks: MatFile[] = [];
  for (let i = 1; i <= blockCount; i++) blocks.push(await read(join(dir, `CDdata${i}.mat`), i - 1, blockCount));
  const agcFile = options.agcFile ?? (await findAgc(dir));
  const agc = agcFile === undefined ? undefined : await readSmall(agcFile, 0, 1);
  const hear = options.signal ? { signal: options.signal } : {};
  const scene = await radarsatScene({ name: basename(resolve(dir)), params, blocks, ...(agc ? { agc } : {}) }, hear);
  const surplus = names.filter(isBlock).length - blockCount;
  if (surplus <= 0) return scene;
  return { ...scene, notes: [...scene.notes, `${dir}: ${surplus} CDdata files beyond Nblocks = ${blockCount} were left out`] };
}

async function findAgc(dir: string): Promise<string | undefined> {
  let folder = resolve(dir);
  for (let level = 0; level <= agcLevels; level++) {
    const path = join(folder, agcName);
    if (await isFile(path)) return path;
    folder = dirname(folder);
  }
  return undefined;
}
