/**
 * .npy files that are written in parts, in Node. The data is written to a file in a hidden folder beside the target, and renamed to the
 * target when it is complete. Without a digest the folder is one of those of node-writing.ts, which belong to a process and are removed
 * after it. With a digest it is a partial folder (node-partial.ts), from which a later run goes on.
 */
import { renameSync } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { createPause, inputError, type Layout, RadarError, throwIfAborted } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { createImageRegion, type ImageWindow } from "@dechirp/radar";
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
  checkHead,
  claimPartial,
  dataName,
  type Journal,
  type JournalHead,
  partialPath,
  readJournal,
  releasePartial,
  removePartials,
  startJournal,
} from "./node-partial.ts";
import { hiddenIn, madeFolders, makeFolders, removeEmptyFolders, removeLeftovers, syncFolder, temporaries } from "./node-writing.ts";
import { npyTypes } from "./npy.ts";
import { npyWriter } from "./npy-sink.ts";

/** Options of `npySink`. */
export interface NpySinkOptions extends SinkOptions {
  /**
   * After so many bytes what has been written is synced to the disk and, with a `digest`, kept for a later run. Default: 16 MiB. Less
   * costs time.
   */
  readonly syncBytes?: number;
}

const usualSyncBytes = 2 ** 24;

/**
 * .npy files. The target is a path. The file appears under its name, and replaces another file, when it is complete; until then it is a
 * hidden file of its final size beside it. Parts that are whole rows are written in one piece. What is written is synced to the disk, and
 * kept for a later run, every 16 MiB (`syncBytes`). Metadata is not stored, as .npy files have no place for it.
 */
export const npySink: SinkFormat<string, NpySinkOptions> = {
  name: "npy",
  title: "NumPy file",
  extension: ".npy",
  open: openNpy,
};

/** The hidden folder of an image, as it was found or made. */
interface Started {
  readonly folder: string;
  readonly handle: FileHandle;
  readonly journal: Journal | undefined;
}

async function openNpy(path: string, layout: Layout, metadata: ImageMetadata = {}, options: NpySinkOptions = {}): Promise<ImageSink> {
  const fields: FieldsOf<NpySinkOptions> = { ...sinkOptionFields, syncBytes: "number" };
  const {
    digest,
    signal,
    resume = false,
    takeOver = false,
    syncBytes = usualSyncBytes,
  } = checkSinkOptions(options, fields, "npySink.open");
  if (!(syncBytes >= 1)) throw inputError("syncBytes", "a positive number of bytes", syncBytes);
  checkPath(path);
  checkImageLayout(layout, npyTypes);
  checkMetadata(metadata);
  const what = `writing ${path}`;
  throwIfAborted(signal, what);
  const target = resolve(path);
  const [place, base] = [dirname(target), `.${basename(target)}`];
  const head: JournalHead | undefined = digest === undefined ? undefined : { journal: 1, format: "npy", digest, layout, metadata };
  let data: { write(at: number, bytes: Uint8Array): Promise<number> } | undefined;
  const writer = npyWriter({ write: async (at, bytes) => data?.write(at, bytes) }, layout, path);

  await refuseFolder(path, target);
  await removeLeftovers(target);
  const earlier = head && resume ? await claimPartial(place, base, path, takeOver) : undefined;
  if (!earlier) await removePartials(place, base);
  const found = head && earlier ? await reopen(path, earlier, head, writer.end, place, base) : undefined;
  if (earlier && !found) remove(earlier);
  const made = found ? undefined : await makeFolders(place).catch((error) => Promise.reject(systemError(path, "make the folder", error)));
  const folder = earlier && found ? earlier : head ? partialPath(place, base) : hiddenIn(place, ownName());
  if (!head) temporaries.add(folder);
  if (made) madeFolders.add(made);

  let handle: FileHandle | undefined = found?.handle;
  const clear = (): void => {
    remove(folder);
    if (made) removeEmptyFolders(made);
    temporaries.delete(folder);
    if (made) madeFolders.delete(made);
  };
  const started = await (async (): Promise<Started> => {
    try {
      if (!found) {
        await mkdir(folder);
        handle = await open(join(folder, dataName), "wx+");
        await handle.truncate(writer.end);
      }
      const file = handle as FileHandle;
      const write = async (at: number, bytes: Uint8Array) => (await file.write(bytes, 0, bytes.length, at)).bytesWritten;
      data = { write: (at, bytes) => write(at, bytes).catch((error) => Promise.reject(systemError(path, "write it", error))) };
      await writer.begin(createPause(what, signal));
      await file.sync();
      // The journal comes last: a folder without one has nothing to go on with.
      return { folder, handle: file, journal: head && (await startJournal(folder, head, found?.windows ?? [])) };
    } catch (error) {
      await handle?.close().catch(() => undefined);
      if (found) releasePartial(folder, place, base);
      else clear();
      throw systemError(path, "write it", error);
    }
  })();
  return sinkOf({ path, target, place, base, layout, writer, syncBytes, clear, earlier: found?.windows ?? [], ...started });
}

interface Opened extends Started {
  readonly path: string;
  readonly target: string;
  readonly place: string;
  readonly base: string;
  readonly layout: Layout;
  readonly writer: ReturnType<typeof npyWriter>;
  readonly syncBytes: number;
  readonly earlier: readonly ImageWindow[];
  clear(): void;
}

function sinkOf({ path, target, place, base, layout, writer, syncBytes, clear, earlier, folder, handle, journal }: Opened): ImageSink {
  const handed = createImageRegion();
  let unsynced: ImageWindow[] = [];
  let bytes = 0;
  let open = true;
  /** The sync that is under way while the next parts are written. */
  let syncing: Promise<void> = Promise.resolve();
  /** Begins to sync what has been written when the sync before has ended. */
  const sync = async (): Promise<void> => {
    await syncing;
    const windows = unsynced;
    [unsynced, bytes] = [[], 0];
    syncing = (async () => {
      await handle.datasync();
      await journal?.add(windows);
    })();
    // The next sync rejects with its error.
    syncing.catch(() => undefined);
  };
  const close = async (): Promise<void> => {
    if (!open) return;
    open = false;
    await syncing.catch(() => undefined);
    await handle.close();
    await journal?.close();
  };
  return createSink(
    {
      file: path,
      layout,
      keeps: journal !== undefined,
      durable: journal?.region ?? handed,
      put: (window, data, pause) =>
        translated(path, "write it", async () => {
          await writer.put(window, data, pause);
          unsynced.push(window);
          handed.add(window);
          bytes += data.byteLength;
          if (bytes >= syncBytes) await sync();
        }),
      get: (window, data, pause) =>
        translated(path, "read it", () =>
          writer.get(
            window,
            data,
            async (at, bytes) => {
              for (let done = 0; done < bytes.length; ) {
                const { bytesRead } = await handle.read(bytes, done, bytes.length - done, at + done);
                if (bytesRead === 0) throw new RadarError("input", `${path}: can't read it: the file has been cut short`, { file: path });
                done += bytesRead;
              }
            },
            pause,
          ),
        ),
      complete: (_, pause) =>
        translated(path, "complete it", async () => {
          await sync();
          await syncing;
          await handle.sync();
          await pause();
          await close();
          await refuseFolder(path, target);
          renameSync(join(folder, dataName), target);
          await syncFolder(place);
          clear();
        }),
      async discard(keep) {
        if (keep && open) await sync().catch(() => undefined);
        await syncing.catch(() => undefined);
        await close().catch(() => undefined);
        if (keep) releasePartial(folder, place, base);
        else clear();
      },
    },
    earlier,
  );
}

/** Opens the data of an earlier run. Undefined if it was killed before there was anything to go on with. */
async function reopen(path: string, folder: string, head: JournalHead, size: number, place: string, base: string) {
  try {
    const was = await readJournal(folder);
    const data = join(folder, dataName);
    const found = await stat(data).catch(() => undefined);
    if (!was || !found) return undefined;
    checkHead(path, was.head, head);
    if (found.size !== size)
      throw new RadarError("input", `${path}: can't resume it: ${data} has been changed`, { file: path, field: "resume" });
    return { windows: was.windows, handle: await open(data, "r+") };
  } catch (error) {
    releasePartial(folder, place, base);
    throw systemError(path, "resume it", error);
  }
}

async function refuseFolder(path: string, target: string): Promise<void> {
  const found = await stat(target).catch((error) => {
    if (codeOf(error) !== "ENOENT") throw systemError(path, "write it", error);
  });
  if (found?.isDirectory()) throw new RadarError("input", `${path}: can't write it: it is a folder`, { file: path, reason: "EISDIR" });
}
