/** Makes places of files and folders on a disk. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { throwIfAborted } from "@dechirp/core";
import { readConsistently } from "./node-commit.ts";
import { checkPath, isFile, listFolder, openFile, systemError } from "./node-files.ts";
import type { Place } from "./place.ts";
import { descriptionFile } from "./scene-folder.ts";

/**
 * Makes a place of the file or folder at `path`, for functions that take places. `field` is its name in messages about a path that is none.
 * Rejects with `input` if nothing is there or the system denies access, and with `aborted`.
 */
export async function placeAt(path: string, signal?: AbortSignal, field = "path"): Promise<Place> {
  checkPath(path, field);
  throwIfAborted(signal, `reading ${path}`);
  let isDirectory: boolean;
  try {
    isDirectory = (await stat(path)).isDirectory();
  } catch (error) {
    throw systemError(path, "read it", error);
  }
  const folder = isDirectory ? path : dirname(path);
  return {
    path,
    name: basename(resolve(path)),
    // If a killed process has left files to be moved into place, this moves them first.
    ...(isDirectory ? { names: await readConsistently(path, descriptionFile, () => listFolder(path), signal) } : {}),
    pathOf: (name) => join(folder, name),
    resolved: (file) => resolve(file),
    has: isFile,
    open: (file, options) => openFile(file, options),
    together: (first, read, heard) => (isDirectory ? readConsistently(path, first, read, heard) : read()),
  };
}
