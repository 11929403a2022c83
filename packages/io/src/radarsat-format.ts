/**
 * The format of RADARSAT-1 CD extractions as a row of the table: finds the parameter file, the data blocks and the AGC values.
 * `radarsat.ts` parses them.
 */
import { createPause } from "@dechirp/core";
import type { EchoType } from "@dechirp/radar";
import { matLimits, radarsatLimits } from "./facts.ts";
import { fieldError, pathError } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import { isFolder, type Place, partOf, type ReadFilesOptions, readMatOf } from "./place.ts";
import type { EchoBlock } from "./radarsat.ts";
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
  fileOptions: async (place) => ({ agcFile: await findAgc(place) }),
};

/** Decoded blocks of the scene stay in memory up to this size. */
const cacheBytes = 2 ** 26;

/**
 * Opens the scene. Each block is decoded once, because the type of the samples depends on all values, and then again when its lines are
 * asked for and it is no longer in the cache. Progress counts the blocks only: the parameters and AGC values are a few kilobytes.
 */
async function read(place: Place, options: FormatOptions & ReadFilesOptions): Promise<Scene> {
  const { echoBlock, fits, partOptions, radarsatParams, radarsatScene } = await import("./radarsat.ts");
  const { createPartReader } = await import("./parts.ts");
  const { onProgress, ...quiet } = options;
  const { maxBytes, signal } = options;
  const pause = createPause(`reading ${place.path}`, signal);
  const params = await readMatOf(place, place.pathOf(paramsFile), quiet);
  const { blocks: count, cells } = radarsatParams(params);
  if (count > radarsatLimits.blocks.most) throw fieldError(params.file, "variable Nblocks", `at most ${radarsatLimits.blocks.most}`, count);
  const pathOf = (i: number): string => place.pathOf(`CDdata${i + 1}.mat`);
  const known: Pick<EchoBlock, "lines" | "dtype">[] = [];
  let type: EchoType = "ci8";
  const parts = Array.from({ length: count }, (_, i) => ({
    get pulses() {
      return known[i].lines;
    },
    async load(heard: AbortSignal | undefined) {
      const limits = { ...(maxBytes === undefined ? {} : { maxBytes }), ...(heard ? { signal: heard } : {}) };
      const block = await echoBlock(await readMatOf(place, pathOf(i), limits), cells, createPause(`reading ${pathOf(i)}`, heard));
      if (block.lines !== known[i].lines || !fits(block.dtype, type))
        throw pathError(pathOf(i), "as it was when the scene was opened", `${block.dtype} of ${block.lines} lines`);
      return block.data;
    },
  }));
  const notes: string[] = [];
  const fresh: [number, EchoBlock["data"]][] = [];
  for (let i = 0, bytes = 0; i < count; i++) {
    const mat = await readMatOf(place, pathOf(i), { ...quiet, ...partOf(onProgress, i, count) });
    const { data, ...block } = await echoBlock(mat, cells, pause);
    notes.push(...mat.notes);
    known.push(block);
    bytes += data.byteLength;
    if (bytes <= cacheBytes || count === 1) fresh.push([i, data]);
  }
  const agcFile = options.agcFile ?? (await findAgc(place));
  const agc = agcFile === false ? undefined : await readMatOf(place, agcFile, quiet);
  const surplus = (place.names ?? []).filter(isBlock).length - count;
  const extra = surplus > 0 ? [`${place.path}: ${surplus} CDdata files beyond Nblocks = ${count} were left out`] : [];
  const facts = { name: place.name, params, agc, notes, isAgcLeftOut: options.agcFile === false };
  const scene = await radarsatScene(
    facts,
    known,
    (dtype) => {
      type = dtype;
      const reader = createPartReader(parts, partOptions(place.path, cells, dtype, cacheBytes));
      for (const [i, data] of fresh) reader.keep(i, data);
      return reader;
    },
    pause,
  );
  return { ...scene, notes: [...scene.notes, ...extra] };
}

/** Looks for the AGC file in the scene's folder and in the two folders above it. */
async function findAgc(place: Place): Promise<string | false> {
  for (const above of ["", "../", "../../"]) {
    const path = place.pathOf(`${above}${agcName}`);
    if (await place.has(path)) return path;
  }
  return false;
}
