/** Opens images in Zarr stores that are folders on a disk. `zarr-image.ts` reads. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@dechirp/core";
import { pathError } from "./file-error.ts";
import { checkPath, readBytes, translated } from "./node-files.ts";
import { checkOptions } from "./random-access.ts";
import { openZarrStore, type ZarrImage } from "./zarr-image.ts";

/**
 * Opens the image of a Zarr store that `zarrSink` has written, such as `image.zarr`. Its documents are read now, and chunks with the windows.
 * Rejects with `input`, which names the path and the member, if there is no such store, if it is not complete, and if another program wrote
 * it; and with `aborted`.
 */
export async function openZarrImage(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<ZarrImage> {
  checkPath(path);
  const { signal } = checkOptions(options, { signal: true }, "openZarrImage");
  throwIfAborted(signal, `reading ${path}`);
  if (!(await translated(path, "read it", () => stat(path))).isDirectory()) throw pathError(path, "a folder, a Zarr store", "a file");
  return openZarrStore(path, (name, maxBytes, heard) => readBytes(join(path, name), { maxBytes, ...(heard && { signal: heard }) }), signal);
}
