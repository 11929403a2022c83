/**
 * A store that is a folder, also on a file system that several machines share. A value is written to a temporary file beside its place,
 * synced, and renamed; then the folder is synced. So a value is whole or absent, whatever kills the process.
 */
import { randomBytes } from "node:crypto";
import { open, readdir, rename, stat, unlink } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { inputError, isRadarError, RadarError, throwIfAborted } from "@dechirp/core";
import { makeFolders, systemError } from "@dechirp/io/node";
import { checkKey, checkPrefix, type JobStore, mostValueBytes } from "./store.ts";

/** Names of temporary files: `.dechirp-DIGITS.tmp`. */
const temporary = /^\.dechirp-[0-9a-f]{16}\.tmp$/;
const temporaryName = (): string => `.dechirp-${randomBytes(8).toString("hex")}.tmp`;

/** What is done to a store that changes it. */
const changes = ["write it", "remove it"];

const isAbsent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException | undefined)?.code ?? "");

/** Opens a store in a folder, which is made with the first value. Throws `input` if `path` is not a text. */
export function openFolderStore(path: string): JobStore {
  if (typeof path !== "string" || path === "") throw inputError("store", "a path", path);
  const folder = resolve(path);
  const pathOf = (key: string): string => {
    checkKey(key);
    return join(folder, ...key.split("/"));
  };
  /** Runs work on a key. What the system refuses is an error that names the path; if something was to be changed, also the store. */
  const on = async <T>(key: string, what: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> => {
    throwIfAborted(signal, `${what} ${key}`);
    try {
      return await work();
    } catch (error) {
      const known = systemError(join(path, key), what, error);
      if (!changes.includes(what) || !isRadarError(known, "input") || known.fields["reason"] === undefined) throw known;
      throw new RadarError("input", known.message, { ...known.fields, store: folder }, error);
    }
  };
  return {
    address: folder,
    folder,
    read(key, { signal, maxBytes = mostValueBytes } = {}) {
      const file = pathOf(key);
      return on(key, "read it", signal, async () => {
        try {
          await using handle = await open(file, "r");
          const { size } = await handle.stat();
          if (size > maxBytes) throw inputError("value", `at most ${maxBytes} bytes long (${join(path, key)})`, size);
          const bytes = new Uint8Array(size);
          for (let at = 0; at < size; ) {
            const { bytesRead } = await handle.read(bytes, at, size - at, at);
            if (bytesRead === 0) throw inputError("value", `${size} bytes long (${join(path, key)})`, at);
            at += bytesRead;
          }
          return bytes;
        } catch (error) {
          if (isAbsent(error)) return undefined;
          throw error;
        }
      });
    },
    write(key, bytes, { signal } = {}) {
      const file = pathOf(key);
      return on(key, "write it", signal, async () => {
        await makeFolders(dirname(file));
        const fresh = join(dirname(file), temporaryName());
        try {
          {
            await using handle = await open(fresh, "wx");
            for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at)).bytesWritten;
            await handle.sync();
          }
          throwIfAborted(signal, `writing ${key}`);
          await rename(fresh, file);
        } catch (error) {
          await unlink(fresh).catch(() => {});
          throw error;
        }
        await syncFolder(dirname(file));
      });
    },
    list(prefix, { signal } = {}) {
      checkPrefix(prefix);
      return on(prefix, "list it", signal, async () => {
        const files = await filesIn(prefix === "" ? folder : join(folder, ...prefix.slice(0, -1).split("/")));
        const keys = files.filter((file) => !temporary.test(basename(file)));
        return keys.map((file) => relative(folder, file).split(sep).join("/")).sort();
      });
    },
    remove(key, { signal } = {}) {
      const file = pathOf(key);
      return on(key, "remove it", signal, async () => {
        await unlink(file).catch((error) => {
          if (!isAbsent(error)) throw error;
        });
      });
    },
    sweep(ageSeconds, { signal } = {}) {
      return on("", "remove temporary files of it", signal, async () => {
        const oldest = Date.now() - 1000 * ageSeconds;
        let removed = 0;
        for (const file of await filesIn(folder)) {
          if (!temporary.test(basename(file))) continue;
          const found = await stat(file).catch(() => undefined);
          if (!found || found.mtimeMs > oldest) continue;
          // Another process may remove it, too.
          await unlink(file).then(
            () => void removed++,
            () => {},
          );
        }
        return removed;
      });
    },
  };
}

/** The files in a folder and its folders. None if it does not exist. */
async function filesIn(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Makes the names in a folder last. Some systems can't sync folders. */
async function syncFolder(folder: string): Promise<void> {
  try {
    await using handle = await open(folder, "r");
    await handle.sync();
  } catch (error) {
    if (!["EISDIR", "EPERM", "EINVAL", "ENOTSUP", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
