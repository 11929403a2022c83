/** Reads STAP input from disk through the io package, and reports errors about its options under the command line's names. */
import { isRadarError } from "@dechirp/core";
import type { RecordedArray } from "@dechirp/io";
import { type ReadArrayOptions, readArray, readSteeringVectors } from "@dechirp/io/node";
import { optionFault } from "../errors.ts";

/** The option that gives each option of the reader. */
const optionOf: Readonly<Record<string, string>> = { axes: "--axes", cpi: "--cpi", set: "--set" };

/**
 * Reads the input at `path`. Throws `input`, which names the file and the field or sample, and a CommandError of kind `argument` for an
 * option that does not apply to the input.
 */
export async function readStapInput(path: string, options: ReadArrayOptions = {}): Promise<RecordedArray> {
  try {
    const read = await readArray(path, options);
    const { names, number } = read.cpi;
    if (names.length === 1 || options.cpi !== undefined) return read;
    const note = `the file has ${names.length} CPIs, of which ${names[number - 1]} is processed; choose another with --cpi 1 to ${names.length}`;
    return { ...read, notes: [...read.notes, note] };
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, optionOf)) || error;
  }
}

/** Reads steering vectors from a .npy file, complex [vector][element]. Throws `input`, which names the file and the element. */
export const readSteering = (file: string, signal: AbortSignal) => readSteeringVectors(file, { signal });
