/** Input of the PERFECT suite's STAP application from a folder: finds the two files and hands them to the parser, which knows no folders. */
import { join } from "node:path";
import { namesText, pathError } from "./file-error.ts";
import { listFolder, type OnProgress, readBytes } from "./node-files.ts";
import { type PerfectInput, type PerfectSet, perfectInput, perfectNames, perfectSizes } from "./perfect.ts";

/**
 * Reads `<set>_app_input.bin` and `<set>_app_steering_vectors.bin` of folder `dir`; the smallest set there is, where none is
 * named. Throws `input` naming the folder or file.
 */
export async function readPerfect(
  dir: string,
  options: { readonly set?: PerfectSet; readonly signal?: AbortSignal; readonly onProgress?: OnProgress } = {},
): Promise<PerfectInput> {
  const { signal, onProgress } = options;
  const names = await listFolder(dir);
  const sets = options.set === undefined ? (Object.keys(perfectSizes) as PerfectSet[]) : [options.set];
  const set = sets.find((one) => names.includes(perfectNames(one).input));
  if (set === undefined) throw pathError(dir, `a folder with ${sets.map((one) => perfectNames(one).input).join(" or ")}`, namesText(names));
  const [file, steeringFile] = [perfectNames(set).input, perfectNames(set).steering].map((name) => join(dir, name));
  const { channels, pulses, ranges } = perfectSizes[set];
  const bounds = { maxBytes: 8 * channels * pulses * ranges, ...(signal ? { signal } : {}) };
  const input = await readBytes(file, { ...bounds, ...(onProgress ? { onProgress } : {}) });
  // So small beside the other that it counts for nothing.
  return perfectInput(input, await readBytes(steeringFile, bounds), { set, file, steeringFile });
}
