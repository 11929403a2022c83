/**
 * The Gotcha format as a row of the table: selects the files of a folder, reports progress over them and joins them into one phase
 * history. `gotcha.ts` parses.
 */
import { inputError } from "@dechirp/core";
import { gotchaLimits, gotchaName, matLimits } from "./facts.ts";
import { namesText, pathError } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import type { GotchaPart } from "./gotcha.ts";
import type { RecordedPhaseHistory } from "./phase-history.ts";
import { headOf, isFolder, isMat, matHeadsOf, type Place, partOf, type ReadFilesOptions, readMatOf, signalOption } from "./place.ts";

/** MAT-files of the AFRL Gotcha volumetric SAR data set. */
export const gotcha: Format<"phase-history"> = {
  name: "gotcha",
  kind: "phase-history",
  title: "Gotcha files (data_3dsar_pass*_az*_*.mat)",
  folder: "files data_3dsar_pass*_az*_*.mat",
  file: "a Gotcha file (MAT-file with the struct data)",
  reads: "`data_3dsar_pass*_az*_*.mat` of one pass and polarisation, joined, also under other names; `parseGotcha` from bytes",
  refuses: "frequencies that are not evenly spaced, files that differ in them",
  limits: { ...gotchaLimits, ...matLimits },
  options: ["frequencies"],
  async detect(place, options) {
    if (isFolder(place)) return place.names.some((name) => gotchaName.test(name)) ? "yes" : "no";
    if (gotchaName.test(place.path)) return "yes";
    if (!isMat(await headOf(place, options))) return "maybe";
    return (await matHeadsOf(place, options)).some(({ name, kind }) => name === "data" && kind === "struct") ? "yes" : "maybe";
  },
  read: (place, options) => readAll([place], options),
  join: readAll,
};

/**
 * Reads all files and joins them. Files of a folder are sorted by pass and azimuth; others keep the given order. Rejects with `input`
 * if a folder has no Gotcha file.
 */
async function readAll(places: readonly Place[], options: FormatOptions & ReadFilesOptions): Promise<RecordedPhaseHistory> {
  const { gotchaPart, joinGotcha } = await import("./gotcha.ts");
  const files = places.flatMap((place) => (isFolder(place) ? filesOf(place) : [{ place, path: place.path }]));
  if (files.length > gotchaLimits.files.most) throw inputError("source", `at most ${gotchaLimits.files.most} files`, files.length);
  const seen = new Set<string>();
  for (const { place, path } of files) {
    const one = place.resolved(path);
    if (seen.has(one)) throw inputError("source", "files that differ from each other", path);
    seen.add(one);
  }
  const { frequencies } = options;
  const parsing = { ...signalOption(options), ...(frequencies ? { frequencies } : {}) };
  const parts: GotchaPart[] = [];
  for (const [i, { place, path }] of files.entries()) {
    const mat = await readMatOf(place, path, { ...options, ...partOf(options.onProgress, i, files.length) });
    parts.push(await gotchaPart(mat, parts, parsing));
  }
  return joinGotcha(parts, parsing);
}

function filesOf(place: Place & { readonly names: readonly string[] }) {
  const found = place.names.flatMap((name) => {
    const match = gotchaName.exec(name);
    return match ? [{ path: place.pathOf(name), place, pass: Number(match[1]), azimuth: Number(match[2]) }] : [];
  });
  if (found.length === 0) throw pathError(place.path, `a folder with ${gotcha.folder}`, namesText(place.names));
  return found.sort((a, b) => a.pass - b.pass || a.azimuth - b.azimuth);
}
