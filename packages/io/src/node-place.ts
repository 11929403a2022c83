/** Files and folders of a disk as places. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { throwIfAborted } from "@dechirp/core";
import { whileUnchanged } from "./node-commit.ts";
import { checkPath, isFile, listFolder, openFile, systemError } from "./node-files.ts";
import type { Place } from "./place.ts";
import { descriptionFile } from "./scene-folder.ts";

/** What is at `path`. Rejects with `input` where nothing is there, or the system does not let look; with `aborted`. */
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
    // A process that was killed may have left files to be put into place.
    ...(isDirectory ? { names: await whileUnchanged(path, descriptionFile, () => listFolder(path), signal) } : {}),
    pathOf: (name) => join(folder, name),
    resolved: (file) => resolve(file),
    has: isFile,
    open: (file, options) => openFile(file, options),
    together: (first, read, heard) => (isDirectory ? whileUnchanged(path, first, read, heard) : read()),
  };
}
