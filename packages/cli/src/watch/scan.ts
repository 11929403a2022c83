/**
 * The files of a watched folder that are complete. Looking at the folder is what counts; changes that the system tells of only make the next
 * look earlier, as some file systems, such as those of networks, tell of none.
 */
import { type FSWatcher, watch } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { systemError } from "@dechirp/io/node";

/** A file as it is found. */
export interface FoundFile {
  readonly path: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** Which files of a folder count. */
export interface ScanOptions {
  /** Whether files in its folders count, too. */
  readonly subfolders: boolean;
  /** Endings of names, without capitals. None: all files. */
  readonly endings: readonly string[];
  /** How long a file must not have changed to be complete. */
  readonly settleMilliseconds: number;
  /** A folder whose files do not count. */
  readonly without: string;
}

/** Names of files that programs write before they rename them. */
const temporary = /^[.~]|~$|\.(tmp|temp|part|partial|filepart|crdownload|download|swp|lock)$/i;

/** Looks at a folder, again and again. */
export interface Scanner extends Disposable {
  /** Looks. `complete`: files that are complete, sorted by time; `growing`: how many are not yet. Rejects with `input` if the folder can't be read. */
  look(): Promise<{ readonly complete: readonly FoundFile[]; readonly growing: number }>;
  /** Resolves when the system tells of a change, or after `milliseconds`, or when `signal` fires. */
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Creates a scanner of a folder. `tells`: whether it asks the system to tell of changes. */
export function createScanner(folder: string, options: ScanOptions, tells: boolean): Scanner {
  const { subfolders, endings, settleMilliseconds, without } = options;
  const watchers = new Map<string, FSWatcher>();
  let wake: (() => void) | undefined;
  let hasChanged = false;
  const changed = (): void => {
    hasChanged = true;
    wake?.();
  };
  const listen = (path: string): void => {
    if (!tells || watchers.has(path)) return;
    try {
      const watcher = watch(path, { persistent: false }, changed);
      watcher.on("error", () => forget(path));
      watchers.set(path, watcher);
    } catch {
      // The system tells of nothing here, or has no watches left: the folder is looked at from time to time.
    }
  };
  const forget = (path: string): void => {
    watchers.get(path)?.close();
    watchers.delete(path);
  };
  /** What is known of each file that is not known to be complete: since when it has been as it is. */
  let unsettled = new Map<string, FoundFile & { readonly since: number }>();
  const settled = new Map<string, FoundFile>();

  async function filesIn(path: string, isRoot: boolean, seen: Set<string>): Promise<readonly FoundFile[]> {
    seen.add(path);
    listen(path);
    const found: FoundFile[] = [];
    const entries = await readdir(path, { withFileTypes: true }).catch((error) => {
      // A folder that has just been removed has no files.
      if (isRoot) throw systemError(path, "read it", error);
      return [];
    });
    for (const entry of entries) {
      if (temporary.test(entry.name)) continue;
      const file = join(path, entry.name);
      if (entry.isDirectory()) {
        if (subfolders && file !== without) found.push(...(await filesIn(file, false, seen)));
        continue;
      }
      if (!(entry.isFile() || entry.isSymbolicLink()) || !hasEnding(entry.name)) continue;
      const one = await stat(file).catch(() => undefined);
      if (one?.isFile() && one.size > 0) found.push({ path: file, bytes: one.size, mtimeMs: one.mtimeMs });
    }
    return found;
  }
  const hasEnding = (name: string): boolean => endings.length === 0 || endings.some((ending) => name.toLowerCase().endsWith(ending));

  return {
    async look() {
      hasChanged = false;
      const folders = new Set<string>();
      const files = await filesIn(folder, true, folders);
      for (const path of watchers.keys()) if (!folders.has(path)) forget(path);
      const now = Date.now();
      const before = unsettled;
      unsettled = new Map();
      const complete: FoundFile[] = [];
      for (const file of files) {
        const known = settled.get(file.path);
        if (known && sameFile(known, file)) {
          complete.push(file);
          continue;
        }
        settled.delete(file.path);
        const earlier = before.get(file.path);
        const since = earlier && sameFile(earlier, file) ? earlier.since : now;
        // A file whose time lies far enough back need not be seen twice.
        if (now - since >= settleMilliseconds || now - file.mtimeMs >= settleMilliseconds) {
          settled.set(file.path, file);
          complete.push(file);
        } else unsettled.set(file.path, { ...file, since });
      }
      const present = new Set(files.map(({ path }) => path));
      for (const path of settled.keys()) if (!present.has(path)) settled.delete(path);
      return { complete: complete.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1)), growing: unsettled.size };
    },
    wait(milliseconds, signal) {
      if (hasChanged || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          wake = undefined;
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal.addEventListener("abort", end, { once: true });
        wake = end;
      });
    },
    [Symbol.dispose]() {
      for (const path of watchers.keys()) forget(path);
    },
  };
}

/** Whether a file has not changed, as far as its size and its time say. */
export const sameFile = (a: FoundFile, b: FoundFile): boolean => a.bytes === b.bytes && a.mtimeMs === b.mtimeMs;
