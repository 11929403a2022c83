/** Input of the PERFECT suite's STAP application from a folder: finds the two files and hands them to the parser, which knows no folders. */
import { join } from "node:path";
import { inputError } from "@dechirp/core";
import { namesText, pathError } from "./file-error.ts";
import { listFolder, type OnProgress, withFile } from "./node-files.ts";
import { type PerfectInput, type PerfectSet, perfectInput, perfectNames, perfectSizes } from "./perfect.ts";
import { checkOptions } from "./random-access.ts";

export interface ReadPerfectOptions {
  readonly set?: PerfectSet;
  /** Ends the work: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
  readonly onProgress?: OnProgress;
}

/**
 * Reads `<set>_app_input.bin` and `<set>_app_steering_vectors.bin` of folder `dir`; the smallest set there is, where none is
 * named. Rejects with `input` naming the folder or file, with `aborted` where the signal fires.
 */
export async function readPerfect(dir: string, options: ReadPerfectOptions = {}): Promise<PerfectInput> {
  const { signal, onProgress, set: given } = checkOptions(options, { set: true, signal: true, onProgress: true }, "readPerfect");
  if (given !== undefined && !Object.hasOwn(perfectSizes, given))
    throw inputError("set", `one of ${Object.keys(perfectSizes).join(", ")}`, given);
  const names = await listFolder(dir);
  const sets = given === undefined ? (Object.keys(perfectSizes) as PerfectSet[]) : [given];
  const set = sets.find((one) => names.includes(perfectNames(one).input));
  if (set === undefined) throw pathError(dir, `a folder with ${sets.map((one) => perfectNames(one).input).join(" or ")}`, namesText(names));
  const [file, steeringFile] = [perfectNames(set).input, perfectNames(set).steering].map((name) => join(dir, name));
  const hear = signal ? { signal } : {};
  return withFile(file, { ...hear, ...(onProgress ? { onProgress } : {}) }, (input) =>
    // So small beside the other that it counts for nothing.
    withFile(steeringFile, hear, (steering) => perfectInput(input, steering, { set, file, steeringFile, ...hear })),
  );
}
