/**
 * The MAT-file reader: tells versions apart and bounds what a file may allocate; `mat4.ts` and `mat5.ts` decode.
 *
 * Written by hand: the npm library for it, mat-for-js, is under the GPL, reads level 5 only and makes every complex
 * number an object of its own (a scene of 3 million samples, 3 million objects). HDF5-based files (version 7.3) are refused, not read; `foreign.ts` names them.
 */
import { inputError } from "@dechirp/core";
import { fileError } from "./file-error.ts";
import { foreignError } from "./foreign.ts";
import type { MatFile } from "./mat-types.ts";
import { looksLikeMat4, readMat4 } from "./mat4.ts";
import { readMat5 } from "./mat5.ts";

export interface ReadMatOptions {
  /** Name for messages. */
  readonly file: string;
  /** The most bytes that inflated and decoded data may take together; 1 GiB where left out. */
  readonly maxBytes?: number;
}

/**
 * Reads a MAT-file of version 4 or 5 (`save -v4`, `-v6`, `-v7`), of either byte order.
 * Throws `input` with fields `{ file, offset, expected, actual }` where the bytes are anything else, are cut short, or
 * stand for more than `maxBytes`. Sparse matrices, objects and function handles become `skipped` values with a note.
 */
export function readMat(bytes: Uint8Array, options: ReadMatOptions): MatFile {
  const { file, maxBytes = 2 ** 30 } = options;
  if (!(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const budget = { left: maxBytes, total: maxBytes };
  const notes: string[] = [];
  const order = String.fromCharCode(bytes[126], bytes[127]);
  const little = order === "IM";
  const version = little ? bytes[124] | (bytes[125] << 8) : bytes[125] | (bytes[124] << 8);
  // Text of a version 5 header has no zero among its first four bytes, and a version 4 file has one.
  if ((little || order === "MI") && version === 0x0100 && !looksLikeMat4(bytes))
    return { file, version: 5, variables: readMat5(file, bytes, little, budget, notes), notes };
  const foreign = foreignError(file, bytes, "mat");
  if (foreign) throw foreign;
  if (looksLikeMat4(bytes)) return { file, version: 4, variables: readMat4(file, bytes, budget, notes), notes };
  if (bytes.length < 128) throw fileError(file, 0, "a MAT-file header of 128 bytes", `${bytes.length} bytes`);
  if (order !== "IM" && order !== "MI") throw fileError(file, 126, "the byte order mark MI or IM of a MAT-file", order);
  throw fileError(file, 124, "MAT-file version 0x0100", `0x${version.toString(16).padStart(4, "0")}`);
}
