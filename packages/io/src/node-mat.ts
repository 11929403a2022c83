/** MAT-files from paths, for the readers of folders. Internal to this package. */
import { inputError } from "@dechirp/core";
import { readMat } from "./mat.ts";
import type { MatFile } from "./mat-types.ts";
import { type OnProgress, partOf, withFile } from "./node-files.ts";

export interface ReadFilesOptions {
  /** The most bytes of one file, and of what one MAT-file inflates to; 4 GiB and 1 GiB where left out. */
  readonly maxBytes?: number;
  /** Ends the work: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
  /** Of the bytes of all files; that they are parsed takes time of its own. */
  readonly onProgress?: OnProgress;
}

/** A reader of MAT-files within the bounds of `options`: of the file `i` of `count`. Throws `input` for a bound that is none. */
export function matFileReader({
  maxBytes,
  signal,
  onProgress,
}: ReadFilesOptions): (file: string, i: number, count: number) => Promise<MatFile> {
  if (maxBytes !== undefined && !(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const bounds = { ...(signal ? { signal } : {}), ...(maxBytes === undefined ? {} : { maxBytes }) };
  return (file, i, count) =>
    withFile(file, { ...bounds, ...partOf(onProgress, i, count) }, (access) => readMat(access, { file, ...bounds }));
}
