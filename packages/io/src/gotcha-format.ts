/**
 * The Gotcha format as a row of the table: selects the files of a folder, reports progress over them and joins them into one phase
 * history. `gotcha.ts` parses.
 */
import { inputError } from "@dechirp/core";
import { gotchaLimits, gotchaName, matLimits } from "./facts.ts";
import { namesText, pathError } from "./file-error.ts";
import type { Format, FormatOptions } from "./format.ts";
import type { GotchaPart } from "./gotcha.ts";
import type { NumericArray } from "./numbers.ts";
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
 * Reads all files, one after the other, and joins what they say about their pulses. Their samples stay in memory as far as they fit the
 * cache; the others are read again when they are asked for. Files of a folder are sorted by pass and azimuth; others keep the given
 * order. Rejects with `input` if a folder has no Gotcha file.
 */
async function readAll(places: readonly Place[], options: FormatOptions & ReadFilesOptions): Promise<RecordedPhaseHistory> {
  const { checkUnchanged, gotchaPart, joinGotcha } = await import("./gotcha.ts");
  const { createPartReader } = await import("./parts.ts");
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
  const { maxBytes } = options;
  const parts: GotchaPart[] = [];
  const fresh: [number, NumericArray][] = [];
  let bytes = 0;
  for (const [i, { place, path }] of files.entries()) {
    const mat = await readMatOf(place, path, { ...options, ...partOf(options.onProgress, i, files.length) });
    const { part, samples } = await gotchaPart(mat, parts, parsing);
    parts.push(part);
    bytes += samples.byteLength;
    if (bytes <= cacheBytes) fresh.push([i, samples]);
  }
  const sources = parts.map((before, i) => ({
    pulses: before.pulses,
    async load(signal: AbortSignal | undefined) {
      const { place, path } = files[i];
      const hear = signal ? { signal } : {};
      const mat = await readMatOf(place, path, { ...hear, ...(maxBytes === undefined ? {} : { maxBytes }) });
      const { part, samples } = await gotchaPart(mat, [], { ...hear, ...(frequencies ? { frequencies } : {}) });
      checkUnchanged(part, before);
      return samples;
    },
  }));
  const readerOf = (name: string, width: number) => {
    const reader = createPartReader(sources, { name, width, array: Float32Array, cacheBytes });
    for (const [i, samples] of fresh) reader.keep(i, samples);
    return reader;
  };
  return joinGotcha(parts, readerOf, parsing);
}

/** Samples of the files stay in memory up to this size, as they are stored. */
const cacheBytes = 2 ** 26;

function filesOf(place: Place & { readonly names: readonly string[] }) {
  const found = place.names.flatMap((name) => {
    const match = gotchaName.exec(name);
    return match ? [{ path: place.pathOf(name), place, pass: Number(match[1]), azimuth: Number(match[2]) }] : [];
  });
  if (found.length === 0) throw pathError(place.path, `a folder with ${gotcha.folder}`, namesText(place.names));
  return found.sort((a, b) => a.pass - b.pass || a.azimuth - b.azimuth);
}
