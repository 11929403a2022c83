/**
 * The table of formats of recordings: a new format is one file and one row here. Detection and readers, help texts, tables of the
 * documentation and the fuzzer's targets follow from it. It loads no parser.
 */
import { inputError } from "@dechirp/core";
import { arrayMat } from "./array-mat.ts";
import { arrayNpy } from "./array-npy.ts";
import type { Format, RecordingKind } from "./format.ts";
import { gotcha } from "./gotcha-format.ts";
import { mountainTop } from "./mountain-top.ts";
import { perfect } from "./perfect-format.ts";
import { radarsat } from "./radarsat-format.ts";
import { sceneFolder } from "./scene-folder.ts";

/** The table. Where a place could be several, the first one is taken. */
export const formats: readonly Format[] = [sceneFolder, radarsat, gotcha, perfect, mountainTop, arrayNpy, arrayMat];

export const kinds: readonly RecordingKind[] = ["stripmap", "phase-history", "array"];

/** Titles of the formats of a kind, for sentences: `scene folder or RADARSAT-1 CD folder`. Throws `input` for no kind. */
export function titlesOf(kind: RecordingKind): string {
  if (!kinds.includes(kind)) throw inputError("kind", `one of ${kinds.join(", ")}`, kind);
  const titles = formats.flatMap((one) => (one.kind === kind ? one.title : []));
  return titles.length < 2 ? titles.join("") : `${titles.slice(0, -1).join(", ")} or ${titles[titles.length - 1]}`;
}
