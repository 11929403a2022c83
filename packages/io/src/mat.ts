/**
 * The MAT-file reader: tells versions apart and bounds what a file may allocate; `mat4.ts` and `mat5.ts` decode.
 *
 * Written by hand: the npm library for it, mat-for-js, is under the GPL, reads level 5 only and makes every complex
 * number an object of its own (a scene of 3 million samples, 3 million objects). HDF5-based files (version 7.3) are refused, not read; `foreign.ts` names them.
 */
import { createPause, inputError } from "@dechirp/core";
import { matLimits } from "./facts.ts";
import { fileError } from "./file-error.ts";
import { foreignBytes, foreignError } from "./foreign.ts";
import type { MatInput } from "./mat-context.ts";
import type { MatFile, MatHead } from "./mat-types.ts";
import { looksLikeMat4, readMat4, readMat4Heads } from "./mat4.ts";
import { readMat5, readMat5Heads } from "./mat5.ts";
import { accessTo, type ByteSource, checkOptions, type RandomAccess, type ReadOptions, windowed } from "./random-access.ts";

export interface ReadMatOptions extends ReadOptions {
  /** The most bytes that inflated and decoded data may take together; 1 GiB where left out. */
  readonly maxBytes?: number;
}

/**
 * Reads a MAT-file of version 4 or 5 (`save -v4`, `-v6`, `-v7`), of either byte order, variable after variable: what a variable states
 * about itself is checked before its numbers are read.
 * Rejects with `input`, fields `{ file, offset, expected, actual }`, where the bytes are anything else, are cut short, or
 * stand for more than `maxBytes`, and `{ field }` for wrong arguments; with `aborted` where the signal fires. Sparse matrices, objects and
 * function handles become `skipped` values with a note.
 */
export async function readMat(source: ByteSource, options: ReadMatOptions): Promise<MatFile> {
  const {
    file,
    maxBytes = matLimits.decodedBytes.most,
    signal,
  } = checkOptions(options, { file: true, maxBytes: true, signal: true }, "readMat", ["file"]);
  if (!(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const { input, version, little } = await beginMat(accessTo(source), file, maxBytes, signal);
  return { file, version, variables: version === 5 ? await readMat5(input, little) : await readMat4(input), notes: input.notes };
}

/** What the first bytes tell. Throws `input` for what is no MAT-file of version 4 or 5. */
async function beginMat(access: RandomAccess, file: string, maxBytes: number, signal: AbortSignal | undefined) {
  const { size } = access;
  const pause = createPause(`reading ${file}`, signal);
  await pause();
  const load = windowed(access, signal);
  const input: MatInput = { file, size, load, budget: { left: maxBytes, total: maxBytes }, notes: [], pause };
  const head = await load(0, Math.min(size, 128));
  const order = String.fromCharCode(head[126], head[127]);
  const little = order === "IM";
  const version = little ? head[124] | (head[125] << 8) : head[125] | (head[124] << 8);
  // Text of a version 5 header has no zero among its first four bytes, and a version 4 file has one.
  if ((little || order === "MI") && version === 0x0100 && !looksLikeMat4(head)) return { input, version: 5, little } as const;
  const foreign = foreignError(file, await load(0, Math.min(size, foreignBytes)), "mat");
  if (foreign) throw foreign;
  if (looksLikeMat4(head)) return { input, version: 4, little } as const;
  if (size < 128) throw fileError(file, 0, "a MAT-file header of 128 bytes", `${size} bytes`);
  if (order !== "IM" && order !== "MI") throw fileError(file, 126, "the byte order mark MI or IM of a MAT-file", order);
  throw fileError(file, 124, "MAT-file version 0x0100", `0x${version.toString(16).padStart(4, "0")}`);
}

/**
 * What the variables of a MAT-file state before their values, which are not read: for telling formats apart. Rejects as `readMat` does, but for what
 * is wrong with values.
 */
export async function readMatHeads(access: RandomAccess, { file, signal }: ReadOptions): Promise<readonly MatHead[]> {
  const { input, version, little } = await beginMat(access, file, matLimits.decodedBytes.most, signal);
  return version === 5 ? readMat5Heads(input, little) : readMat4Heads(input);
}
