/** STAP input from disk, as io reads it; what is wrong with an option is told of the option as the command line has it. */
import { isRadarError } from "@dechirp/core";
import type { RecordedArray } from "@dechirp/io";
import { type ReadArrayOptions, readArray, readSteeringVectors } from "@dechirp/io/node";
import { optionFault } from "../errors.ts";

/** Options of the reader that the command line has, too. */
const optionOf: Readonly<Record<string, string>> = { axes: "--axes", cpi: "--cpi", set: "--set" };

/**
 * Reads the input at `path`. Throws `input` naming file and field or sample, and a CommandError of kind `argument` for an option that does not
 * go with what is there.
 */
export async function readStapInput(path: string, options: ReadArrayOptions = {}): Promise<RecordedArray> {
  try {
    const read = await readArray(path, options);
    const { names, number } = read.cpi;
    if (names.length === 1 || options.cpi !== undefined) return read;
    const note = `of ${names.length} intervals in the file ${names[number - 1]} is processed; --cpi 1 to ${names.length} chooses`;
    return { ...read, notes: [...read.notes, note] };
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, optionOf)) || error;
  }
}

/** Steering vectors from a .npy file, complex [vector][element]. Throws `input` naming file and element. */
export const readSteering = (file: string, signal: AbortSignal) => readSteeringVectors(file, { signal });
