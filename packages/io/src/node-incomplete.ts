/** Removes images that are not complete and that no run will go on with. */
import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { remove } from "./node-commit.ts";
import { checkPath } from "./node-files.ts";
import { freePartials, isOwnPartial, storeBase } from "./node-partial.ts";
import { storeNames } from "./zarr-chunks.ts";

/**
 * Removes what runs that have ended have left of an image at `path` that is not complete, in any format of this module. Complete images
 * stay. So do files of other software, images that another process may be writing, and what the system does not let it remove. Resolves
 * with whether anything was removed. Throws `input` if `path` is not a text.
 */
export async function removeIncompleteImage(path: string): Promise<boolean> {
  checkPath(path);
  const target = resolve(path);
  let removed = false;
  const { free } = await freePartials(dirname(target), `.${basename(target)}`);
  for (const partial of free) {
    if (!(await isOwnPartial(partial))) continue;
    remove(partial);
    removed = true;
  }
  return (await removeIncompleteStore(target)) || removed;
}

/** Removes a Zarr store that is not complete. Returns whether there was one. */
async function removeIncompleteStore(store: string): Promise<boolean> {
  const { free, pid } = await freePartials(store, storeBase);
  if (free.length === 0 || pid !== undefined) return false;
  const partials = free.map((path) => basename(path));
  const others = (await readdir(store).catch(() => [""])).filter((name) => !partials.includes(name));
  if (!others.every((name) => storeNames.includes(name))) return false;
  for (const partial of free) if (!(await isOwnPartial(partial))) return false;
  // The partial folders go last: what is left of a store that is half removed is still known as incomplete.
  for (const name of others) remove(join(store, name));
  remove(store);
  return true;
}
