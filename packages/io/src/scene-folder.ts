/**
 * The scene folder format as a row of the table: scene.json and the .npy files that it names. `scene-json.ts` parses and writes them. The
 * raw data stays in its file, from which lines are read when they are asked for.
 */
import { createPause } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { sceneFolderLimits } from "./facts.ts";
import type { Format, FormatOptions } from "./format.ts";
import type { NpyArray } from "./npy.ts";
import { isFolder, type Place, type ReadFilesOptions, signalOption, withFileOf } from "./place.ts";
import type { Scene } from "./scene.ts";

/** Name of the file that describes the scene. */
export const descriptionFile = "scene.json";

/** The scene folder format, dechirp's own format for stripmap scenes. It can be read and written. */
export const sceneFolder: Format<"stripmap"> = {
  name: "scene-folder",
  kind: "stripmap",
  title: "scene folder (scene.json)",
  folder: descriptionFile,
  reads: "scene.json and the .npy files that it names; `parseSceneDescription`, then `parseScene` from text and bytes",
  refuses: "shapes, types and gains that disagree, samples that are not finite",
  limits: sceneFolderLimits,
  inParts: "raw.npy",
  detect: (place) => (isFolder(place) && place.names.includes(descriptionFile) ? "yes" : "no"),
  async read(place, options) {
    let opened: Scene | undefined;
    const read = async (): Promise<Scene> => {
      // The files that were opened before a writer replaced them.
      await opened?.close();
      opened = await openDescribed(place, options);
      return opened;
    };
    try {
      return await place.together(descriptionFile, read, options.signal);
    } catch (error) {
      await opened?.close();
      throw error;
    }
  },
  writes: {
    files: "scene.json, raw.npy, and .npy files of times of pulses, if there are any",
    make: async (scene, options) => (await import("./scene-json.ts")).encodeScene(scene, options),
  },
};

/** Reads scene.json and the vectors that it names, and opens the raw data. */
async function openDescribed(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Scene> {
  const { checkDescription, descriptionText, parseJson } = await import("./scene-description.ts");
  const { openScene, vectorFields } = await import("./scene-json.ts");
  const [{ readNpy }, { openNpy }] = await Promise.all([import("./npy.ts"), import("./npy-rows.ts")]);
  const { signal, maxBytes = sceneFolderLimits.descriptionBytes.most } = options;
  const hear = signalOption(options);
  const file = place.pathOf(descriptionFile);
  const bounds = { ...hear, maxBytes: Math.min(sceneFolderLimits.descriptionBytes.most, maxBytes) };
  const json = await withFileOf(place, file, bounds, (access) => access.read(0, access.size));
  // Each of these steps can take a tenth of a second.
  const pause = createPause(`reading ${file}`, signal);
  const value = parseJson(descriptionText(json, file), file);
  await pause();
  const description = checkDescription(value, file);
  await pause();
  const rawFile = place.pathOf(description.raw);
  // Opened without the signal, which is for opening only; each read has its own. The file may be of any size.
  const raw = await place.open(rawFile, { maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY });
  try {
    const rows = await openNpy(raw, { file: rawFile, complexPairs: true, ...hear });
    const arrays: Record<string, NpyArray> = {};
    for (const field of vectorFields) {
      const name = description[field];
      if (typeof name !== "string" || Object.hasOwn(arrays, name)) continue;
      const path = place.pathOf(name);
      const limit = { ...hear, maxBytes: Math.min(options.maxBytes ?? mostVectorBytes, mostVectorBytes) };
      arrays[name] = await withFileOf(place, path, limit, (access) => readNpy(access, { file: path, ...hear }));
    }
    const scene = openScene(description, rows, file, rawFile, { arrays, close: () => raw.close() });
    await callListener(() => options.onProgress?.(1), "onProgress", signal, `reading ${file}`);
    return scene;
  } catch (error) {
    await raw.close();
    throw error;
  }
}

/** Limit on the size of a file with a number for each line. It leaves room for 2^25 lines. */
const mostVectorBytes = 2 ** 28 + 2 ** 14;
