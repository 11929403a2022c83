/**
 * Keeps the chunks of an image in a file of the browser's private file system (OPFS), with the chunks that were used last in memory. Works in
 * workers only. The files of stores that were not closed, because their page went away, are removed when the next store is made.
 */
import { RadarError } from "@dechirp/core";
import type { ChunkLayout, Chunks } from "./chunks.ts";

/** What TypeScript's library for pages lacks: it is for workers only. */
interface SyncAccessHandle {
  read(into: ArrayBufferView, options: { readonly at: number }): number;
  write(from: ArrayBufferView, options: { readonly at: number }): number;
  truncate(bytes: number): void;
  close(): void;
}

const folderName = "dechirp-images";
/** Bytes of chunks in memory. */
const cacheBytes = 2 ** 26;

/** Whether this worker can keep images in files. */
export const canKeepFiles = (): boolean =>
  "FileSystemFileHandle" in globalThis && "createSyncAccessHandle" in FileSystemFileHandle.prototype;

/** Makes a file for chunks. Rejects with the browser's error if it allows this page no file of this size. */
export async function fileChunks(layout: ChunkLayout): Promise<Chunks> {
  const { folder, name, handle } = await withLock(openFile);
  const remove = async (): Promise<void> => {
    handle.close();
    await folder.removeEntry(name).catch(() => {});
  };
  try {
    // Some browsers make a file longer than they will store.
    const { quota = Number.POSITIVE_INFINITY, usage = 0 } = await navigator.storage.estimate();
    if (4 * layout.total > quota - usage) throw new Error(`${quota - usage} bytes are free`);
    handle.truncate(4 * layout.total);
  } catch (error) {
    await remove();
    throw error;
  }
  return cached(layout, handle, () => void remove());
}

/** Two pages must not remove files that the other has made but not yet opened. */
const withLock = <T>(work: () => Promise<T>): Promise<T> =>
  navigator.locks ? (navigator.locks.request(folderName, work) as Promise<T>) : work();

async function openFile() {
  const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(folderName, { create: true });
  for await (const left of (folder as unknown as { keys(): AsyncIterable<string> }).keys()) {
    // The file of a store that is open can't be removed.
    await folder.removeEntry(left).catch(() => {});
  }
  const name = `${Date.now()}-${Math.random().toString(36).slice(2)}`;
  const file = (await folder.getFileHandle(name, { create: true })) as FileSystemFileHandle & {
    createSyncAccessHandle(): Promise<SyncAccessHandle>;
  };
  return { folder, name, handle: await file.createSyncAccessHandle() };
}

interface Held {
  readonly numbers: Float32Array;
  isChanged: boolean;
}

function cached({ place }: ChunkLayout, handle: SyncAccessHandle, end: () => void): Chunks {
  /** In the order of use: the first one was not used for longest. */
  const held = new Map<number, Held>();
  let bytes = 0;

  function save(chunk: number, { numbers, isChanged }: Held): void {
    if (!isChanged) return;
    try {
      handle.write(numbers, { at: 4 * place(chunk)[0] });
    } catch (error) {
      throw new RadarError("limit", "the browser has no room left for the file of this image", { bytes: numbers.byteLength }, error);
    }
  }

  function free(needed: number): void {
    for (const [chunk, one] of held) {
      if (bytes + needed <= cacheBytes) return;
      save(chunk, one);
      held.delete(chunk);
      bytes -= one.numbers.byteLength;
    }
  }

  return {
    kept: "file",
    get(chunk) {
      const known = held.get(chunk);
      if (known) {
        held.delete(chunk);
        held.set(chunk, known);
        return known.numbers;
      }
      const [first, length] = place(chunk);
      free(4 * length);
      const numbers = new Float32Array(length);
      handle.read(numbers, { at: 4 * first });
      held.set(chunk, { numbers, isChanged: false });
      bytes += 4 * length;
      return numbers;
    },
    changed(chunk) {
      held.get(chunk)!.isChanged = true;
    },
    close() {
      held.clear();
      end();
    },
  };
}
