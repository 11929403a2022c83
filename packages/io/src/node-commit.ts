/**
 * Moves the files that a writer has staged into place: all or none, one writer after another, even if a process is killed.
 *
 * A writer stages its files in a hidden folder of its own (`.dechirp-OWNER.tmp`). If the target folder does not exist, the folder of
 * staged files is renamed to it in one step. If it exists, the hidden folder is first renamed to `.dechirp-commit`. The system allows
 * this rename only if no non-empty folder of that name exists. The rename does three things in one step: it takes the lock, it decides
 * that these files are the result, and it records what remains to be done. Then each file is moved to its place. A process that finds a
 * `.dechirp-commit` whose owner has ended moves the remaining files. The paths inside contain the owner's name, which is never used
 * twice. Two processes can therefore move the same files, and a late one moves nothing that belongs to the next writer.
 */
import { existsSync, linkSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { checkPath, systemError } from "./node-files.ts";
import { type Owner, ownerOf, stateOf } from "./node-owner.ts";

const commitName = ".dechirp-commit";
/** Prefix of the folder beside the new files that holds second names (hard links) of the files that the result replaces. */
export const beforePrefix = "before-";
/**
 * Another process that takes over the move renames the folder of second names to this prefix. From then on the owner neither keeps nor
 * undoes anything.
 */
const takenPrefix = "taken-";
const secondNames: readonly string[] = [beforePrefix, takenPrefix];
/** Moving a few files takes milliseconds. If a writer takes longer than this, it has stopped, or help does no harm. */
const patienceMilliseconds = 5000;
const pollMilliseconds = 5;
const mostRefusals = 200;
/** A reader retries at least this often, and at least for `patienceMilliseconds`. */
const mostReads = 10;

/** The system's error code (such as `ENOENT`) of an error, if it has one. */
export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** A write in progress. */
export interface Write {
  /** The target folder as the caller named it (`dir`), and as an absolute path (`folder`). */
  readonly dir: string;
  readonly folder: string;
  readonly names: readonly string[];
  /** The hidden folder. It holds a folder of the new files and a folder for second names of the files that they replace. */
  readonly hidden: string;
  readonly owner: string;
  readonly what: string;
  readonly signal: AbortSignal | undefined;
}

/** Removes a file or folder with all its contents. Errors are ignored: it is called after another failure, which the caller reports. */
export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

/** Moves the staged files into place, after waiting for other writers that are doing the same. */
export async function commit(write: Write): Promise<void> {
  const { dir, folder, what, signal } = write;
  const held = createPatience();
  for (let refused = 0; ; ) {
    throwIfAborted(signal, what);
    const outcome = tryCommit(write);
    if (outcome === "done") return;
    if (await held(dir, folder)) continue;
    // The other writer has gone. On Windows another program that looks at the files can also be in the way.
    if (outcome !== "taken" && ++refused > mostRefusals) throw systemError(dir, "rename it into place", outcome);
    if (outcome !== "taken") await setTimeout(pollMilliseconds);
  }
}

/**
 * Tries once, without awaiting, so that no signal handler of this process runs in between. Returns `taken` if another writer is at
 * work, or an error that may go away.
 */
function tryCommit({ dir, folder, names, hidden, owner }: Write): "done" | "taken" | Error {
  const place = join(folder, commitName);
  try {
    if (!existsSync(folder)) {
      try {
        renameSync(join(hidden, owner), folder);
        remove(hidden);
        return "done";
      } catch (error) {
        // Another process has created the folder in the meantime.
        if (!existsSync(folder)) throw error;
      }
    }
    renameSync(hidden, place);
  } catch (error) {
    const refused = codeOf(error) ?? "";
    // A folder with content that no dechirp writer made stays where it is, and is an error. An empty folder is in the way on Windows
    // only.
    if (["ENOTEMPTY", "EEXIST"].includes(refused) && holderIn(folder) !== "somebody else") return "taken";
    if (process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(refused))
      return removeEmpty(place) ? "taken" : (error as Error);
    throw systemError(dir, "rename it into place", error);
  }
  moveAll(dir, folder, owner, names);
  return "done";
}

/** Removes the folder at `path` if it is empty. Returns whether it did. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Creates a function that deals with another writer that is moving files into a folder. It waits a moment, or finishes the move if that
 * writer has ended or is stuck. It resolves with whether there was such a writer. Throws `input` if the move can't be finished.
 */
function createPatience(): (dir: string, folder: string) => Promise<boolean> {
  let held = { name: "", since: 0 };
  return async (dir, folder) => {
    const holder = committer(folder);
    if (holder === undefined) return false;
    if (holder.name !== held.name) held = { name: holder.name, since: performance.now() };
    if (stateOf(holder.owner) !== "ended" && performance.now() - held.since < patienceMilliseconds)
      await setTimeout(pollMilliseconds * (1 + Math.random()));
    else finishCommit(dir, folder);
    return true;
  };
}

/**
 * Reads several files of folder `dir` that were written together, and returns the result of `read`. Calls `read` again if a writer
 * replaces the files meanwhile, which shows in the file `first`. If a killed process has left files to be moved into place, they are
 * moved first. Rejects with what `read` throws, with `input` if the folder keeps changing, and with `aborted` if `signal` fires.
 */
export async function readConsistently<T>(dir: string, first: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  checkPath(dir, "dir");
  checkPath(first, "first");
  if (typeof read !== "function") throw inputError("read", "a function", read);
  const held = createPatience();
  const version = async (): Promise<string> => {
    const found = await stat(join(dir, first), { bigint: true }).catch(() => undefined);
    return found ? `${found.dev} ${found.ino} ${found.ctimeNs} ${found.size}` : "";
  };
  const start = performance.now();
  for (let turn = 0; turn < mostReads || performance.now() - start < patienceMilliseconds; turn++) {
    // The version is read first. A writer that starts after this moves `first` before it finishes, so the version changes.
    let before = await version();
    while (await held(dir, dir)) {
      throwIfAborted(signal, `reading ${dir}`);
      before = await version();
    }
    const value = await read().then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    throwIfAborted(signal, `reading ${dir}`);
    if (!committer(dir) && before === (await version())) {
      if ("error" in value) throw value.error;
      return value.result;
    }
  }
  throw new RadarError("input", `${dir}: can't read it: other processes keep writing there`, { file: dir, reason: "EBUSY" });
}

/** The writer that is moving files into place, and the name of its staged folder. */
interface Holder {
  readonly name: string;
  readonly owner: Owner;
}

/** Finds who is moving files into `folder`. `somebody else` means that the commit folder holds files that no dechirp writer made. */
function holderIn(folder: string): Holder | "nobody" | "somebody else" {
  let names: string[];
  try {
    names = readdirSync(join(folder, commitName));
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "nobody" : "somebody else";
  }
  for (const name of names) {
    const prefix = secondNames.find((one) => name.startsWith(one)) ?? "";
    const plain = name.slice(prefix.length);
    const owner = ownerOf(plain, "", "");
    if (owner) return { name: plain, owner };
  }
  return names.length === 0 ? "nobody" : "somebody else";
}

/** The writer that is moving files into `folder`, if there is one. */
function committer(folder: string): Holder | undefined {
  const holder = holderIn(folder);
  return typeof holder === "string" ? undefined : holder;
}

/** Moves all files of this process's own write, or none. */
function moveAll(dir: string, folder: string, owner: string, names: readonly string[]): void {
  const [fresh, before] = [join(folder, commitName, owner), join(folder, commitName, beforePrefix + owner)];
  const done: { readonly name: string; readonly was: "nothing" | "kept" }[] = [];
  try {
    for (const name of names) {
      try {
        const was = keep(join(folder, name), join(before, name));
        done.push({ name, was });
        move(join(fresh, name), join(folder, name));
      } catch (error) {
        throw systemError(join(dir, name), "rename it into place", error);
      }
    }
  } catch (error) {
    // If another process has taken over the move, nothing is undone: the files that are there now may be its own.
    if (existsSync(before)) {
      for (const { name, was } of done.reverse()) restore(folder, fresh, before, name, was);
      remove(fresh);
      removeCommit(folder, owner);
      throw error;
    }
    // The other process has moved everything, unless something is still left.
    if (existsSync(fresh) || !existsSync(folder)) throw error;
  }
  removeCommit(folder, owner);
}

/**
 * Gives the file at `path` a second name. If the file system has no hard links, renames the file instead. Returns whether there was a
 * file.
 */
function keep(path: string, before: string): "nothing" | "kept" {
  try {
    linkSync(path, before);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "nothing";
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(path), { code: "EISDIR" });
    try {
      renameSync(path, before);
    } catch (failed) {
      // Another process has taken over and renamed the folder of second names.
      if (codeOf(failed) === "ENOENT") return "nothing";
      throw failed;
    }
  }
  return "kept";
}

/** Renames a file. It is no error if another process has already moved it. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || existsSync(from) || !existsSync(to)) throw error;
  }
}

/** Undoes the move of one file. */
function restore(folder: string, fresh: string, before: string, name: string, was: "nothing" | "kept"): void {
  try {
    if (was === "kept") renameSync(join(before, name), join(folder, name));
    // If the new file is no longer at its old place, it was moved here.
    else if (!existsSync(join(fresh, name))) rmSync(join(folder, name), { force: true });
  } catch {
    // The old file keeps its second name, under which a user can find it.
  }
}

/** Removes the remains of a commit whose files are all in place. */
function removeCommit(folder: string, owner: string): void {
  const path = join(folder, commitName);
  for (const prefix of secondNames) {
    const before = join(path, prefix + owner);
    try {
      for (const name of readdirSync(before)) {
        // Undoing could not put this file back.
        if (!existsSync(join(folder, name))) renameSync(join(before, name), join(folder, name));
      }
      remove(before);
    } catch {}
  }
  // Each is removed only if it is empty.
  removeEmpty(join(path, owner));
  removeEmpty(path);
}

/** Moves the files of a process that has ended or is stuck into place. Throws `input` if it can't. */
function finishCommit(dir: string, folder: string): void {
  const holder = committer(folder);
  if (holder === undefined) return;
  const path = join(folder, commitName);
  const fresh = join(path, holder.name);
  let names: string[] = [];
  try {
    renameSync(join(path, beforePrefix + holder.name), join(path, takenPrefix + holder.name));
  } catch {
    // Another process has done this already, or the owner was about to finish.
  }
  try {
    names = readdirSync(fresh);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw systemError(dir, `read ${fresh}, which process ${holder.owner.pid} has left behind`, error);
  }
  for (const name of names) {
    try {
      move(join(fresh, name), join(folder, name));
    } catch (error) {
      // Another process has moved everything, and the next writer may already be at work.
      if (!existsSync(fresh) && existsSync(folder)) break;
      throw systemError(join(dir, name), `move into place what process ${holder.owner.pid} has left in ${fresh}`, error);
    }
  }
  removeCommit(folder, holder.name);
  if (committer(folder)?.name === holder.name) {
    const message = `${dir}: can't write there: can't remove ${path}, which process ${holder.owner.pid} has left behind`;
    throw new RadarError("input", message, { file: path, reason: "EACCES" });
  }
}
