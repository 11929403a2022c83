/**
 * Zarr stores that are written in parts, in Node. A store is a folder in which chunks appear one by one, each in one step: it is written to
 * a file in the store's partial folder (node-partial.ts), synced, and renamed to its name. So a chunk that is there is whole, whatever
 * kills the process, and the chunks are the record of what is written; the journal says only which image it is. The partial folder and
 * the missing documents of the group show that a store is not complete.
 */
import { existsSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { inputError, type Layout, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { pathError } from "./file-error.ts";
import {
  checkImageLayout,
  checkMetadata,
  checkSinkOptions,
  createSink,
  type ImageMetadata,
  type ImageSink,
  type SinkFormat,
  type SinkOptions,
  sinkOptionFields,
} from "./image-sink.ts";
import { codeOf, remove } from "./node-commit.ts";
import { checkPath, systemError, translated } from "./node-files.ts";
import { ownName } from "./node-owner.ts";
import {
  busyError,
  checkHead,
  claimPartial,
  freshName,
  type JournalHead,
  partialPath,
  readJournal,
  releasePartial,
  removePartials,
  startJournal,
  storeBase,
} from "./node-partial.ts";
import { hiddenIn, madeFolders, makeFolders, removeEmptyFolders, removeLeftovers, syncFolder, temporaries } from "./node-writing.ts";
import { arrayName, type ChunkShape, chunkRegion, chunkShape, createChunks, readChunks, zarrDocuments, zarrTypes } from "./zarr-chunks.ts";

/** Options of `zarrSink`. */
export interface ZarrSinkOptions extends SinkOptions {
  /** Rows and columns of a chunk. Default: 1024 × 1024, at most the image. */
  readonly chunk?: readonly [rows: number, columns: number];
  /**
   * The most bytes of incomplete chunks in memory; beyond it a write rejects with `input`. Default: two rows or columns of chunks, whichever
   * is more, and at least 64 MiB.
   */
  readonly maxBufferedBytes?: number;
  /** Whether a complete store of dechirp at the target is removed first. Default: false, which refuses it. */
  readonly replace?: boolean;
}

/**
 * Zarr version 3 stores, also readable by software for version 2. The target is a folder that does not exist, is empty, or holds what an
 * earlier run has left. The image is the array `image` of the store, [rows][columns], or [rows][columns][2] for complex numbers (real,
 * imaginary), little-endian, not compressed. Axes, units and provenance are attributes of the group.
 *
 * A chunk appears when it is complete. Windows that cover only a part of a chunk are kept in memory until then. So memory is that of one row
 * of chunks if rows come in order, and nothing if windows are chunks. The group's documents are written by `finish`.
 */
export const zarrSink: SinkFormat<string, ZarrSinkOptions> = {
  name: "zarr",
  title: "Zarr store",
  extension: ".zarr",
  open: openZarr,
};

const optionFields: FieldsOf<ZarrSinkOptions> = { ...sinkOptionFields, chunk: "object", maxBufferedBytes: "number", replace: "boolean" };

async function openZarr(path: string, layout: Layout, metadata: ImageMetadata = {}, options: ZarrSinkOptions = {}): Promise<ImageSink> {
  const given = checkSinkOptions(options, optionFields, "zarrSink.open");
  const { digest, signal, resume = false, takeOver = false, replace = false, maxBufferedBytes } = given;
  checkPath(path);
  checkImageLayout(layout, zarrTypes);
  checkMetadata(metadata);
  const chunk = chunkShape(layout, given.chunk);
  if (maxBufferedBytes !== undefined && !(maxBufferedBytes >= 0))
    throw inputError("maxBufferedBytes", "a number of bytes", maxBufferedBytes);
  throwIfAborted(signal, `writing ${path}`);
  const store = resolve(path);
  const head: JournalHead = { journal: 1, format: "zarr", digest: digest ?? "", layout, storage: { chunk }, metadata };

  await removeLeftovers(store);
  const partial = resume ? await goOn(path, store, head, takeOver) : undefined;
  const begun = partial ? { partial, made: undefined } : await begin(path, store, head, replace);
  if (digest === undefined) temporaries.add(store);
  return sinkOf({ path, store, layout, chunk, metadata, maxBufferedBytes, keeps: digest !== undefined, ...begun });
}

/** Takes the store of an earlier run. Resolves with its partial folder, or undefined if there is no such run. */
async function goOn(path: string, store: string, head: JournalHead, takeOver: boolean): Promise<string | undefined> {
  const partial = await claimPartial(store, storeBase, path, takeOver);
  if (partial === undefined) return undefined;
  try {
    const was = await readJournal(partial);
    if (was) checkHead(path, was.head, head);
    if (was) return partial;
  } catch (error) {
    releasePartial(partial, store, storeBase);
    throw systemError(path, "resume it", error);
  }
  // A store gets its name after its journal, so a process that removed this one was killed.
  releasePartial(partial, store, storeBase);
  return undefined;
}

/** Makes an empty store beside the target and renames it to the target. */
async function begin(path: string, store: string, head: JournalHead, replace: boolean) {
  await makeRoom(path, store, replace);
  const made = await makeFolders(dirname(store)).catch((error) => Promise.reject(systemError(path, "make the folder", error)));
  const hidden = hiddenIn(dirname(store), ownName());
  const partial = partialPath(hidden, storeBase);
  if (made) madeFolders.add(made);
  temporaries.add(hidden);
  try {
    await mkdir(hidden);
    for (const folder of [partial, join(hidden, arrayName)]) await mkdir(folder);
    await (await startJournal(partial, head, [])).close();
    // The target may be an empty folder, which Windows does not replace.
    try {
      rmdirSync(store);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
    }
    renameSync(hidden, store);
    await syncFolder(dirname(store));
  } catch (error) {
    remove(hidden);
    if (made) removeEmptyFolders(made);
    throw systemError(path, "make the folder", error);
  } finally {
    temporaries.delete(hidden);
    if (made) madeFolders.delete(made);
  }
  return { partial: join(store, partial.slice(hidden.length + 1)), made };
}

/** Removes what an earlier run has left at the target, or throws `input` if something else is there. */
async function makeRoom(path: string, store: string, replace: boolean): Promise<void> {
  const found = await stat(store).catch((error) => {
    if (codeOf(error) !== "ENOENT") throw systemError(path, "make the folder", error);
  });
  if (!found) return;
  if (!found.isDirectory()) throw pathError(path, "a folder or absent", "a file");
  const left = await removePartials(store, storeBase);
  if (left.pid !== undefined) throw busyError(path, left.pid, false);
  const names = await readdir(store).catch((error) => Promise.reject(systemError(path, "read the folder", error)));
  if (names.length === 0) return;
  const complete = names.includes("zarr.json") && (await isOurs(store));
  if (!left.removed && !(replace && complete)) {
    const expected = "absent, an empty folder, or an incomplete store of dechirp";
    throw pathError(path, expected, complete ? "a complete store of dechirp (see replace)" : "a folder with other files");
  }
  remove(store);
}

async function isOurs(store: string): Promise<boolean> {
  try {
    const { attributes } = JSON.parse(await readFile(join(store, "zarr.json"), "utf8"));
    return attributes?.dechirp?.image === 1;
  } catch {
    return false;
  }
}

interface Opened {
  readonly path: string;
  readonly store: string;
  readonly partial: string;
  readonly layout: Layout;
  readonly chunk: ChunkShape;
  readonly metadata: ImageMetadata;
  readonly maxBufferedBytes: number | undefined;
  readonly keeps: boolean;
  readonly made: Awaited<ReturnType<typeof makeFolders>>;
}

async function sinkOf({ path, store, partial, layout, chunk, metadata, maxBufferedBytes, keeps, made }: Opened): Promise<ImageSink> {
  const array = join(store, arrayName);
  /** Writes a file in the partial folder and renames it to its name. */
  const place = async (folder: string, name: string, bytes: Uint8Array): Promise<void> => {
    const fresh = join(partial, freshName);
    const handle = await open(fresh, "w");
    try {
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(fresh, join(folder, name));
  };
  const placeAll = async (folder: string, documents: Readonly<Record<string, unknown>>): Promise<void> => {
    for (const [name, document] of Object.entries(documents))
      await place(folder, name, new TextEncoder().encode(`${JSON.stringify(document, undefined, 2)}\n`));
    await syncFolder(folder);
  };
  const clear = (): void => {
    // The partial folder goes last: what is left of a store that is half removed is still known as incomplete.
    for (const name of readdirSync(store)) if (join(store, name) !== partial) remove(join(store, name));
    remove(store);
    if (made) removeEmptyFolders(made);
    temporaries.delete(store);
  };

  try {
    await placeAll(array, zarrDocuments(layout, chunk, metadata).array);
  } catch (error) {
    if (keeps) releasePartial(partial, store, storeBase);
    else clear();
    throw systemError(path, "write it", error);
  }
  const durable = chunkRegion(layout, chunk, await readdir(array));
  const earlier = durable.windows();
  const chunks = createChunks({ file: path, layout, chunk, maxBufferedBytes, durable, place: (name, bytes) => place(array, name, bytes) });
  return createSink(
    {
      file: path,
      layout,
      keeps,
      durable,
      put: (window, data, pause) =>
        translated(path, "write it", async () => {
          const before = durable.pixels;
          await chunks.put(window, data, pause);
          if (durable.pixels > before) await syncFolder(array);
        }),
      get: (window, data, pause) =>
        translated(path, "read it", () =>
          readChunks({ file: path, layout, chunk }, window, data, (name) => readFile(join(array, name)), pause),
        ),
      complete: (late, pause) =>
        translated(path, "complete it", async () => {
          const { array: ofArray, group } = zarrDocuments(layout, chunk, { ...metadata, ...late });
          await placeAll(array, ofArray);
          await pause();
          await placeAll(store, group);
          // In one step: a store with a partial folder is incomplete. What a killed process leaves of the folder, the next one removes.
          const gone = hiddenIn(store, ownName());
          renameSync(partial, gone);
          remove(gone);
          await syncFolder(store);
          temporaries.delete(store);
        }),
      async discard(keep) {
        chunks.clear();
        if (keep) releasePartial(partial, store, storeBase);
        else if (existsSync(partial)) clear();
      },
    },
    earlier,
  );
}
