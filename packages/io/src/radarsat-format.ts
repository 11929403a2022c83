/**
 * The format of RADARSAT-1 CD extractions as a row of the table: finds the parameter file, the data blocks and the AGC values.
 * `radarsat.ts` parses them.
 */
import { matLimits, radarsatLimits } from "./facts.ts";
import { fieldError } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import type { MatFile } from "./mat-types.ts";
import { isFolder, type Place, partOf, type ReadFilesOptions, readMatOf, signalOption } from "./place.ts";
import type { Scene } from "./scene.ts";

const paramsFile = "CD_run_params.mat";
const agcName = "AGC_attenuation_values.mat";
const isBlock = (name: string): boolean => /^CDdata\d+\.mat$/.test(name);

/** RADARSAT-1 data that was extracted from the CEOS CD of Cumming and Wong's textbook into MAT-files. */
export const radarsat: Format<"stripmap"> = {
  name: "radarsat-1-cd",
  kind: "stripmap",
  title: "RADARSAT-1 CD folder (CD_run_params.mat)",
  folder: `${paramsFile} and CDdata1.mat`,
  reads:
    "`CD_run_params.mat`, `CDdata1.mat` …, `AGC_attenuation_values.mat` in the folder or up to two above it; `parseRadarsat` from bytes",
  refuses: "parameters that are not within 1 % of the Fine beam's, blocks that do not add up",
  limits: { ...radarsatLimits, ...matLimits },
  options: ["agcFile"],
  detect: (place) => (isFolder(place) && (place.names.includes(paramsFile) || place.names.some(isBlock)) ? "yes" : "no"),
  read,
};

/**
 * Reads the blocks one after another and joins them along azimuth. Progress counts the blocks only: the parameters and AGC values are a
 * few kilobytes.
 */
async function read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Scene> {
  const { radarsatParams, parseRadarsat } = await import("./radarsat.ts");
  const { onProgress, ...quiet } = options;
  const params = await readMatOf(place, place.pathOf(paramsFile), quiet);
  const { blocks: count } = radarsatParams(params);
  if (count > radarsatLimits.blocks.most) throw fieldError(params.file, "variable Nblocks", `at most ${radarsatLimits.blocks.most}`, count);
  const blocks: MatFile[] = [];
  for (let i = 0; i < count; i++)
    blocks.push(await readMatOf(place, place.pathOf(`CDdata${i + 1}.mat`), { ...quiet, ...partOf(onProgress, i, count) }));
  const agcFile = options.agcFile ?? (await findAgc(place));
  const agc = agcFile === undefined ? undefined : await readMatOf(place, agcFile, quiet);
  const scene = await parseRadarsat({ name: place.name, params, blocks, ...(agc ? { agc } : {}) }, signalOption(options));
  const surplus = (place.names ?? []).filter(isBlock).length - count;
  if (surplus <= 0) return scene;
  return { ...scene, notes: [...scene.notes, `${place.path}: ${surplus} CDdata files beyond Nblocks = ${count} were left out`] };
}

/** Looks for the AGC file in the scene's folder and in the two folders above it. */
async function findAgc(place: Place): Promise<string | undefined> {
  for (const above of ["", "../", "../../"]) {
    const path = place.pathOf(`${above}${agcName}`);
    if (await place.has(path)) return path;
  }
  return undefined;
}
