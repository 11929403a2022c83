/**
 * The MAT-file reader: it tells the versions apart and limits how much memory a file can make it allocate. `mat4.ts` and `mat5.ts`
 * decode.
 *
 * It is written by hand because the npm library for the format, mat-for-js, is under the GPL, reads version 5 only and makes an object
 * of every complex number (3 million objects for a scene of 3 million samples). Files based on HDF5 (version 7.3) are not supported;
 * `foreign.ts` names them in the error.
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

/** Options of `readMat`. */
export interface ReadMatOptions extends ReadOptions {
  /** The most bytes that all inflated and decoded data may take together. Default: 1 GiB. */
  readonly maxBytes?: number;
}

/**
 * Reads a MAT-file of version 4 or 5 (`save -v4`, `-v6`, `-v7`), of either byte order. It checks what each variable states about itself
 * before it reads the values. Rejects with `input`, fields `{ file, offset, expected, actual }`, if the bytes are something else, are
 * cut short, or decode to more than `maxBytes`; with `input`, fields `{ field }`, for wrong arguments; and with `aborted` if the signal
 * fires. Sparse matrices, objects and function handles become `skipped` values with a note.
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

/** Reads the first bytes to find the version and the byte order. Throws `input` if this is not a MAT-file of version 4 or 5. */
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
  // The first four bytes of a version 5 header are text without a zero byte. In a version 4 file one of them is zero.
  if ((little || order === "MI") && version === 0x0100 && !looksLikeMat4(head)) return { input, version: 5, little } as const;
  const foreign = foreignError(file, await load(0, Math.min(size, foreignBytes)), "mat");
  if (foreign) throw foreign;
  if (looksLikeMat4(head)) return { input, version: 4, little } as const;
  if (size < 128) throw fileError(file, 0, "a MAT-file header of 128 bytes", `${size} bytes`);
  if (order !== "IM" && order !== "MI") throw fileError(file, 126, "the byte order mark MI or IM of a MAT-file", order);
  throw fileError(file, 124, "MAT-file version 0x0100", `0x${version.toString(16).padStart(4, "0")}`);
}

/**
 * Reads the header of each variable of a MAT-file without its values, to tell formats apart. Rejects as `readMat` does, except for
 * errors in the values.
 */
export async function readMatHeads(source: ByteSource, options: ReadOptions): Promise<readonly MatHead[]> {
  const { file, signal } = checkOptions(options, { file: true, signal: true }, "readMatHeads", ["file"]);
  const access = accessTo(source, "source", file);
  const { input, version, little } = await beginMat(access, file, matLimits.decodedBytes.most, signal);
  return version === 5 ? readMat5Heads(input, little) : readMat4Heads(input);
}
