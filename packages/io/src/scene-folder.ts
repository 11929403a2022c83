/** The scene folder format as a row of the table: scene.json and the .npy file that it names. `scene-json.ts` parses and writes both. */
import { createPause } from "@dechirp/core";
import { sceneFolderLimits } from "./facts.ts";
import type { Format, FormatOptions } from "./format.ts";
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
  reads: "scene.json and the .npy file that it names; `parseSceneDescription`, then `parseScene` from text and bytes",
  refuses: "shapes, types and gains that disagree, samples that are not finite",
  limits: sceneFolderLimits,
  detect: (place) => (isFolder(place) && place.names.includes(descriptionFile) ? "yes" : "no"),
  read: (place, options) => place.together(descriptionFile, () => readDescribed(place, options), options.signal),
  writes: {
    files: "scene.json and raw.npy",
    make: async (scene, options) => (await import("./scene-json.ts")).encodeScene(scene, options),
  },
};

async function readDescribed(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Scene> {
  const { checkDescription, descriptionText, parseJson, parseScene } = await import("./scene-json.ts");
  const { readNpy } = await import("./npy.ts");
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
  const raw = await withFileOf(place, rawFile, options, (access) => readNpy(access, { file: rawFile, complexPairs: true, ...hear }));
  return parseScene(description, raw, file, rawFile, hear);
}
