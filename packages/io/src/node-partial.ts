/**
 * Folders of images that are not complete. Such a folder outlives its process if the image is to be resumed. It is named
 * `BASE.partial-OWNER` while a process writes, and `BASE.partial` after a process has kept it. Whoever renames a folder from either name
 * to its own has it: the rename is the lock, and only one process succeeds. A journal in the folder says which image it is and, for
 * formats that need it, which windows are written. A line of the journal is written after what it names is on the disk.
 */
import { renameSync } from "node:fs";
import { type FileHandle, open, readdir, readFile, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Layout, RadarError, sameLayout } from "@dechirp/core";
import { checkImageWindow, createImageRegion, type ImageRegion, type ImageWindow } from "@dechirp/radar";
import { canonicalJson, jsonDifferences } from "./digest.ts";
import type { ImageMetadata } from "./image-sink.ts";
import { codeOf, remove } from "./node-commit.ts";
import { systemError } from "./node-files.ts";
import { ownerOf, ownName, stateOf } from "./node-owner.ts";
import { isLeftOver, syncFolder } from "./node-writing.ts";

/** Name of the journal. */
const journalName = "journal";
/** Names of an image's data, and of a file that is renamed when it is complete. */
export const [dataName, freshName] = ["image", "part.tmp"];
/** Names of a file that is made of an image's data, and of what it is made with. */
export const [madeName, overviewsName] = ["made", "overviews"];
/** Everything that can be in a partial folder. */
const partialNames: readonly string[] = [journalName, `${journalName}.tmp`, dataName, freshName, madeName, overviewsName];
/** Stem of the name of a partial folder that is in its store. */
export const storeBase = ".dechirp";

/** The first line of a journal: which image this is. */
export interface JournalHead {
  readonly journal: 1;
  readonly format: string;
  readonly digest: string;
  readonly layout: Layout;
  /** What else the stored bytes depend on, such as the shape of chunks. */
  readonly storage?: unknown;
  readonly metadata: ImageMetadata;
}

/** Folder of an incomplete image that this process writes. */
export const partialPath = (place: string, base: string): string => join(place, `${base}.partial-${ownName()}`);

/** A partial folder that was found. `owner` is the process that its name has, or undefined if none has it. */
interface Found {
  readonly path: string;
  readonly state: "free" | ReturnType<typeof stateOf>;
  readonly pid: number | undefined;
}

/** Partial folders of an image in folder `place`. */
async function partials(place: string, base: string): Promise<Found[]> {
  const names = await readdir(place).catch(() => []);
  return names.flatMap((name): Found[] => {
    const path = join(place, name);
    if (name === `${base}.partial`) return [{ path, state: "free", pid: undefined }];
    const owner = ownerOf(name, `${base}.partial-`, "");
    return owner ? [{ path, state: stateOf(owner), pid: owner.pid }] : [];
  });
}

/** What can be done with a partial folder: take it, or not, because its process may be at work. */
async function isFree({ path, state }: Found, takeOver: boolean): Promise<boolean> {
  if (state === "unknown") return takeOver || (await isLeftOver(path, state));
  return state !== "alive";
}

/** The partial folders of processes that have ended, and a process that may be at work on another. */
export async function freePartials(place: string, base: string): Promise<{ readonly free: readonly string[]; readonly pid?: number }> {
  const free: string[] = [];
  let pid: number | undefined;
  for (const found of await partials(place, base)) {
    if (await isFree(found, false)) free.push(found.path);
    else pid = found.pid;
  }
  return { free, ...(pid !== undefined && { pid }) };
}

/** Removes the partial folders of processes that have ended. Returns whether there were any, and a process that may be at work on another. */
export async function removePartials(place: string, base: string): Promise<{ readonly removed: boolean; readonly pid?: number }> {
  const { free, ...busy } = await freePartials(place, base);
  for (const path of free) remove(path);
  return { removed: free.length > 0, ...busy };
}

/** Whether a partial folder has nothing but what sinks put there. */
export async function isOwnPartial(path: string): Promise<boolean> {
  const names = await readdir(path).catch(() => undefined);
  return names?.every((name) => partialNames.includes(name)) === true;
}

/** The error about an image that another process writes. */
export function busyError(file: string, pid: number | undefined, mayHaveEnded: boolean): RadarError {
  const known = `process ${pid} is writing it`;
  const unknown = `process ${pid} of another host, container or start of the system may be writing it; takeOver resumes it nevertheless`;
  return new RadarError("input", `${file}: can't resume it: ${mayHaveEnded ? unknown : known}`, { file, field: "resume", reason: "EBUSY" });
}

/**
 * Takes the newest partial folder of an image for this process. Resolves with its new path, or undefined if there is none. Rejects with
 * `input` if another process may be at work on it.
 */
export async function claimPartial(place: string, base: string, file: string, takeOver: boolean): Promise<string | undefined> {
  for (;;) {
    const free: { readonly path: string; readonly changed: number }[] = [];
    for (const found of await partials(place, base)) {
      if (!(await isFree(found, takeOver))) throw busyError(file, found.pid, found.state === "unknown");
      const times = await stat(join(found.path, journalName)).catch(() => undefined);
      free.push({ path: found.path, changed: times?.mtimeMs ?? 0 });
    }
    const newest = free.sort((a, b) => b.changed - a.changed)[0];
    if (!newest) return undefined;
    const path = partialPath(place, base);
    try {
      await rename(newest.path, path);
      return path;
    } catch (error) {
      // Another process was faster. The next turn sees it at work.
      if (codeOf(error) !== "ENOENT") throw systemError(file, "resume it", error);
    }
  }
}

/** Gives a partial folder up, so that any process can take it. */
export function releasePartial(path: string, place: string, base: string): void {
  const free = join(place, `${base}.partial`);
  remove(free);
  renameSync(path, free);
}

/** The journal of a partial folder that this process has. */
export interface Journal {
  /** Windows that the journal names. */
  readonly region: ImageRegion;
  /** Adds windows. They must be on the disk. */
  add(windows: readonly ImageWindow[]): Promise<void>;
  close(): Promise<void>;
}

/** What a journal says, up to its first line that is torn or makes no sense. Undefined if there is no first line. */
export async function readJournal(
  folder: string,
): Promise<{ readonly head: JournalHead; readonly windows: readonly ImageWindow[] } | undefined> {
  const text = await readFile(join(folder, journalName), "utf8").catch((error) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return "";
  });
  // What follows the last line break is torn.
  const [first, ...lines] = text.split("\n").slice(0, -1);
  const head = parsed(first ?? "") as JournalHead | undefined;
  const windows: ImageWindow[] = [];
  if (head?.journal !== 1 || !Array.isArray(head.layout?.shape) || head.layout.shape.length !== 2) return undefined;
  for (const line of lines) {
    const given = parsed(line);
    if (!Array.isArray(given) || given.length !== 4) break;
    const [row, column, rows, columns] = given;
    const window: ImageWindow = { row, column, rows, columns };
    try {
      checkImageWindow(window, head.layout.shape[0], head.layout.shape[1]);
    } catch {
      break;
    }
    windows.push(window);
  }
  return { head, windows };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** So many differences are named. */
const mostDifferences = 8;

/** Throws `input` for the field `resume`, which says what differs, unless a journal belongs to the image that is to be written. */
export function checkHead(file: string, was: JournalHead, now: JournalHead): void {
  const same =
    was.format === now.format &&
    was.digest === now.digest &&
    sameLayout(was.layout, now.layout) &&
    canonicalJson(was.storage ?? null) === canonicalJson(now.storage ?? null);
  if (same) return;
  const { metadata: old = {}, ...rest } = was;
  const { metadata, ...others } = now;
  const differences = jsonDifferences(
    { ...rest, ...old, digest: undefined },
    { ...others, ...metadata, digest: undefined },
    mostDifferences,
  );
  const known = differences.length === 0 ? "" : `: ${differences.join("; ")}`;
  throw new RadarError("input", `${file}: can't resume it: it was begun with other parameters${known}`, {
    file,
    field: "resume",
    expected: was.digest,
    actual: now.digest,
    differences,
  });
}

/** Writes a journal anew, which replaces the one that is there in one step, and opens it. */
export async function startJournal(folder: string, head: JournalHead, windows: readonly ImageWindow[]): Promise<Journal> {
  const region = createImageRegion();
  for (const window of windows) region.add(window);
  const path = join(folder, journalName);
  const fresh = join(folder, `${journalName}.tmp`);
  const handle = await open(fresh, "w");
  try {
    await append(handle, `${JSON.stringify(head)}\n${linesOf(region.windows())}`);
    await handle.sync();
    await rename(fresh, path);
    await syncFolder(folder);
  } catch (error) {
    await handle.close();
    throw error;
  }
  return {
    region,
    async add(added) {
      await append(handle, linesOf(added));
      await handle.datasync();
      for (const window of added) region.add(window);
    },
    close: () => handle.close(),
  };
}

const linesOf = (windows: readonly ImageWindow[]): string =>
  windows.map(({ row, column, rows, columns }) => `[${row},${column},${rows},${columns}]\n`).join("");

async function append(handle: FileHandle, text: string): Promise<void> {
  await handle.appendFile(text);
}
