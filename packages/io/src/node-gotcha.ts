/** Gotcha phase histories from files and folders: finds the files, reads them and hands them to the parser, which knows no folders. */
import { join, resolve } from "node:path";
import { inputError } from "@dechirp/core";
import { namesText, pathError } from "./file-error.ts";
import { checkFrequencies, type GotchaOptions, type GotchaPart, gotchaName, gotchaPart, joinGotcha } from "./gotcha.ts";
import { isFile, listFolder } from "./node-files.ts";
import { matFileReader, type ReadFilesOptions } from "./node-mat.ts";
import type { PhaseHistory } from "./phase-history.ts";
import { checkOptions } from "./random-access.ts";

export interface ReadGotchaOptions extends ReadFilesOptions, GotchaOptions {}

const fields = { maxBytes: true, signal: true, onProgress: true, frequencies: true } as const;

/** A pass has 360. */
const maxFiles = 4096;

/**
 * Reads Gotcha files as one phase history (see `gotchaHistory`). `source` is a file, a folder, or a list of them: files
 * in the order given, those of a folder (data_3dsar_pass1_az001_HH.mat …) by pass and azimuth. Throws `input`, naming
 * the path, or file and field.
 */
export async function readGotcha(source: string | readonly string[], options: ReadGotchaOptions = {}): Promise<PhaseHistory> {
  checkOptions(options, fields, "readGotcha");
  checkFrequencies(options);
  const read = matFileReader(options);
  if (typeof source !== "string" && !(Array.isArray(source) && source.every((path) => typeof path === "string")))
    throw inputError("source", "a path, or a list of one at least", source);
  const sources = typeof source === "string" ? [source] : source;
  if (sources.length === 0) throw inputError("source", "a path, or a list of one at least", source);
  const files: string[] = [];
  for (const path of sources) {
    for (const file of (await isFile(path)) ? [path] : await gotchaFiles(path)) files.push(file);
  }
  if (files.length > maxFiles) throw inputError("source", `at most ${maxFiles} files`, files.length);
  const seen = new Set<string>();
  for (const file of files) {
    if (seen.has(resolve(file))) throw inputError("source", "files that differ from each other", file);
    seen.add(resolve(file));
  }
  const parts: GotchaPart[] = [];
  for (const [i, file] of files.entries()) parts.push(await gotchaPart(await read(file, i, files.length), parts, options));
  return joinGotcha(parts, options);
}

/** The Gotcha files of a folder. Throws `input` where there are none. */
async function gotchaFiles(dir: string): Promise<string[]> {
  const names = await listFolder(dir);
  const found = names.flatMap((name) => {
    const match = gotchaName.exec(name);
    return match ? [{ name, pass: Number(match[1]), azimuth: Number(match[2]) }] : [];
  });
  if (found.length === 0) throw pathError(dir, "a folder with files data_3dsar_pass*_az*_*.mat", namesText(names));
  return found.sort((a, b) => a.pass - b.pass || a.azimuth - b.azimuth).map(({ name }) => join(dir, name));
}
