/**
 * .npy files that are written in parts, in Node, and files of other formats: those that have parts at their own places (`FileWriter`), and
 * those that are made of a .npy file when it is complete. The data is written to a file in a hidden folder beside the target. It, or what is
 * made of it, is renamed to the target in the end. Without a digest the folder is one of those of node-writing.ts, which belong to a process
 * and are removed after it. With a digest it is a partial folder (node-partial.ts), from which a later run goes on.
 */
import { renameSync } from "node:fs";
import { type FileHandle, mkdir, open, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  createPause,
  type DType,
  dtypes,
  inputError,
  type Layout,
  type Pause,
  RadarError,
  type TypedArrayOf,
  throwIfAborted,
  typedArray,
} from "@dechirp/core";
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
import { remove } from "./node-commit.ts";
import { checkPath, checkReplaceable, systemError, translated } from "./node-files.ts";
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
import { type ByteTarget, npyWriter } from "./npy-sink.ts";

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
  open: (path, layout, metadata, options = {}) =>
    openFileSink(path, layout, metadata, options, { ...sinkOptionFields, syncBytes: "number" }, { name: "npy", types: npyTypes }),
};

/** What is known of a file that is made of a complete image. */
export interface MakeFile {
  readonly folder: string;
  readonly metadata: ImageMetadata;
  /** Reads a window of the image. */
  read(window: ImageWindow, pause: Pause): Promise<TypedArrayOf>;
  readonly pause: Pause;
}

/** A format of files that are written in parts. */
export interface FileSinkFormat {
  readonly name: string;
  readonly types: readonly DType[];
  /** What else the parts depend on. A run with another value is not resumed. */
  readonly storage?: unknown;
  /** Checks metadata. Throws `input`. */
  check?(metadata: ImageMetadata): void;
  /** Writes the parts to the file. Default: as .npy data. */
  readonly writer?: (target: ByteTarget) => FileWriter;
  /** Makes the file in the folder, syncs it, and returns its path. Default: the parts are the file. */
  make?(file: MakeFile): Promise<string>;
}

/** Writes an image to a file that has its parts at their places. */
export interface FileWriter {
  /** Size of the file with all parts. */
  readonly end: number;
  begin(pause: Pause): Promise<void>;
  put(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void>;
  /** Reads a window into `data`. `read` fills all of `bytes` from byte `at` of the file. */
  get(window: ImageWindow, data: TypedArrayOf, read: (at: number, bytes: Uint8Array) => Promise<void>, pause: Pause): Promise<void>;
  /** Writes what else is in the file when all parts are there; it may be longer then. `late` replaces members of the metadata. */
  finish?(late: ImageMetadata, pause: Pause): Promise<void>;
}

/** The hidden folder of an image, as it was found or made. */
interface Started {
  readonly folder: string;
  readonly handle: FileHandle;
  readonly journal: Journal | undefined;
}

/** Begins a file that is renamed to `path` when it is complete, as `SinkFormat.open` says. */
export async function openFileSink<O extends NpySinkOptions>(
  path: string,
  layout: Layout,
  metadata: ImageMetadata = {},
  options: O,
  fields: FieldsOf<O>,
  format: FileSinkFormat,
): Promise<ImageSink> {
  const {
    digest,
    signal,
    resume = false,
    takeOver = false,
    syncBytes = usualSyncBytes,
  } = checkSinkOptions(options, fields, `${format.name}Sink.open`);
  if (!(syncBytes >= 1)) throw inputError("syncBytes", "a positive number of bytes", syncBytes);
  checkPath(path);
  checkImageLayout(layout, format.types);
  checkMetadata(metadata);
  format.check?.(metadata);
  const what = `writing ${path}`;
  throwIfAborted(signal, what);
  const target = resolve(path);
  const [place, base] = [dirname(target), `.${basename(target)}`];
  const head: JournalHead | undefined =
    digest === undefined ? undefined : { journal: 1, format: format.name, digest, layout, storage: format.storage, metadata };
  let data: { write(at: number, bytes: Uint8Array): Promise<number> } | undefined;
  const toFile: ByteTarget = { write: async (at, bytes) => data?.write(at, bytes) };
  const writer: FileWriter = format.writer?.(toFile) ?? npyWriter(toFile, layout, path);

  await checkReplaceable(path, target);
  await removeLeftovers(target);
  const earlier = head && resume ? await claimPartial(place, base, path, takeOver) : undefined;
  if (!earlier) await removePartials(place, base);
  const found = head && earlier ? await reopen(path, earlier, head, writer, place, base) : undefined;
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
  return sinkOf({
    path,
    target,
    place,
    base,
    layout,
    metadata,
    format,
    writer,
    syncBytes,
    clear,
    earlier: found?.windows ?? [],
    ...started,
  });
}

interface Opened extends Started {
  readonly path: string;
  readonly target: string;
  readonly place: string;
  readonly base: string;
  readonly layout: Layout;
  readonly metadata: ImageMetadata;
  readonly format: FileSinkFormat;
  readonly writer: FileWriter;
  readonly syncBytes: number;
  readonly earlier: readonly ImageWindow[];
  clear(): void;
}

function sinkOf(opened: Opened): ImageSink {
  const { path, target, place, base, layout, metadata, format, writer, syncBytes, clear, earlier, folder, handle, journal } = opened;
  const handed = createImageRegion();
  for (const window of earlier) handed.add(window);
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
  const fill = (window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void> =>
    writer.get(window, data, (at, bytes) => readAll(path, handle, at, bytes), pause);
  return createSink(
    {
      file: path,
      layout,
      keeps: journal !== undefined,
      durable: journal?.region ?? handed,
      readable: handed,
      put: (window, data, pause) =>
        translated(path, "write it", async () => {
          await writer.put(window, data, pause);
          unsynced.push(window);
          handed.add(window);
          bytes += data.byteLength;
          if (bytes >= syncBytes) await sync();
        }),
      get: (window, data, pause) => translated(path, "read it", () => fill(window, data, pause)),
      complete: (late, pause) =>
        translated(path, "complete it", async () => {
          const known = { ...metadata, ...late };
          format.check?.(known);
          await sync();
          await syncing;
          await writer.finish?.(late, pause);
          await handle.sync();
          await pause();
          const made = await format.make?.({
            folder,
            metadata: known,
            async read(window, pause) {
              const data = typedArray(layout.dtype, window.rows * window.columns * dtypes[layout.dtype].components);
              await fill(window, data, pause);
              return data;
            },
            pause,
          });
          await close();
          await checkReplaceable(path, target);
          renameSync(made ?? join(folder, dataName), target);
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

/** Fills `bytes` from byte `at` of a file. */
export async function readAll(path: string, handle: FileHandle, at: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, at + done);
    if (bytesRead === 0) throw new RadarError("input", `${path}: can't read it: the file has been cut short`, { file: path });
    done += bytesRead;
  }
}

/** Opens the data of an earlier run. Undefined if it was killed before there was anything to go on with. */
async function reopen(path: string, folder: string, head: JournalHead, { end, finish }: FileWriter, place: string, base: string) {
  try {
    const was = await readJournal(folder);
    const data = join(folder, dataName);
    const found = await stat(data).catch(() => undefined);
    if (!was || !found) return undefined;
    checkHead(path, was.head, head);
    // A run that was killed while it completed the file may have left it longer.
    if (found.size < end || (found.size > end && !finish))
      throw new RadarError("input", `${path}: can't resume it: ${data} has been changed`, { file: path, field: "resume" });
    const handle = await open(data, "r+");
    if (found.size > end) await handle.truncate(end);
    return { windows: was.windows, handle };
  } catch (error) {
    releasePartial(folder, place, base);
    throw systemError(path, "resume it", error);
  }
}
