/**
 * The table of recording formats. A new format is one file and one row here; detection, readers, help texts, documentation tables and
 * fuzz targets follow from the table. Importing it loads no parser.
 */
import { inputError } from "@dechirp/core";
import { arrayMat } from "./array-mat.ts";
import { arrayNpy } from "./array-npy.ts";
import { cphd } from "./cphd-format.ts";
import type { Format, RecordingKind } from "./format.ts";
import { gotcha } from "./gotcha-format.ts";
import { mountainTop } from "./mountain-top.ts";
import { perfect } from "./perfect-format.ts";
import { radarsat } from "./radarsat-format.ts";
import { sceneFolder } from "./scene-folder.ts";

/** All recording formats, in order of precedence: if a place matches several formats, the first one wins. */
export const formats: readonly Format[] = [sceneFolder, radarsat, cphd, gotcha, perfect, mountainTop, arrayNpy, arrayMat];

/** Every kind of recording, in the order in which messages and help texts list them. */
export const kinds: readonly RecordingKind[] = ["stripmap", "phase-history", "array"];

/**
 * Lists the titles of all formats of one kind for use in a sentence, for example `scene folder or RADARSAT-1 CD folder`. Throws `input`
 * if `kind` is not known.
 */
export function titlesOf(kind: RecordingKind): string {
  if (!kinds.includes(kind)) throw inputError("kind", `one of ${kinds.join(", ")}`, kind);
  const titles = formats.flatMap((one) => (one.kind === kind ? one.title : []));
  return titles.length < 2 ? titles.join("") : `${titles.slice(0, -1).join(", ")} or ${titles[titles.length - 1]}`;
}
