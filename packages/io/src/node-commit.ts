/**
 * How files that a writer has staged are put into place: all or none, one writer after another, whatever ends a process.
 *
 * A writer stages files in a hidden folder of its own (`.dechirp-OWNER.tmp`). Where the target folder is absent, the folder of
 * files is renamed to it in one step. Where it is there, the hidden folder is first renamed to `.dechirp-commit`, which
 * the system does only where nothing of that name holds anything: that is the lock, the decision that these files are the
 * result, and the list of what is to be done, in one step. Then each file is moved to its place. Whoever finds
 * `.dechirp-commit` of a process that has ended moves the rest. The paths in it hold the owner's name, which is never used
 * twice, so that two processes can move the same files, and one that comes late moves nothing of the next writer.
 */
import { existsSync, linkSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { checkPath, systemError } from "./node-files.ts";
import { type Owner, ownerOf, stateOf } from "./node-owner.ts";

const commitName = ".dechirp-commit";
/** Second names of files that a result replaces are in a folder beside the new ones. */
export const beforePrefix = "before-";
/** The folder of second names gets this name where another process moves the files: from then on, the owner keeps and undoes nothing. */
const takenPrefix = "taken-";
const secondNames: readonly string[] = [beforePrefix, takenPrefix];
/** Moving a few files takes milliseconds: whoever has not done it by then does not go on, or does not mind help. */
const patienceMilliseconds = 5000;
const pollMilliseconds = 5;
const mostRefusals = 200;
/** A reader reads again so often at least, and for so long as its patience lasts. */
const mostReads = 10;

export const codeOf = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** A write under way. */
export interface Write {
  /** The target as the caller names it, and in full. */
  readonly dir: string;
  readonly folder: string;
  readonly names: readonly string[];
  /** The hidden folder, and what it holds: a folder of the new files and one for second names of those they replace. */
  readonly hidden: string;
  readonly owner: string;
  readonly what: string;
  readonly signal: AbortSignal | undefined;
}

/** Removes a file or a folder with all it holds. What can't be removed stays: something else has failed, which is to be told. */
export function remove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {}
}

/** Puts what is staged into place, after other writers that are doing so. */
export async function commit(write: Write): Promise<void> {
  const { dir, folder, what, signal } = write;
  const held = createPatience();
  for (let refused = 0; ; ) {
    throwIfAborted(signal, what);
    const outcome = tryCommit(write);
    if (outcome === "done") return;
    if (await held(dir, folder)) continue;
    // Nobody is there any more; on Windows a look of somebody else at the files may be in the way, too.
    if (outcome !== "taken" && ++refused > mostRefusals) throw systemError(dir, "rename it into place", outcome);
    if (outcome !== "taken") await setTimeout(pollMilliseconds);
  }
}

/** In one go, so that no signal of this process comes between. `taken` where somebody else is at it; an error that may go away. */
function tryCommit({ dir, folder, names, hidden, owner }: Write): "done" | "taken" | Error {
  const place = join(folder, commitName);
  try {
    if (!existsSync(folder)) {
      try {
        renameSync(join(hidden, owner), folder);
        remove(hidden);
        return "done";
      } catch (error) {
        // Somebody has made it meanwhile.
        if (!existsSync(folder)) throw error;
      }
    }
    renameSync(hidden, place);
  } catch (error) {
    const refused = codeOf(error) ?? "";
    // What nobody put there who writes results stays, and is in the way; an empty folder is in the way on Windows only.
    if (["ENOTEMPTY", "EEXIST"].includes(refused) && holderIn(folder) !== "somebody else") return "taken";
    if (process.platform === "win32" && ["EPERM", "EACCES", "EBUSY"].includes(refused))
      return removeEmpty(place) ? "taken" : (error as Error);
    throw systemError(dir, "rename it into place", error);
  }
  moveAll(dir, folder, owner, names);
  return "done";
}

/** Whether there was an empty folder at `path`, which is gone now. */
function removeEmpty(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Waits a moment where somebody puts files into place in a folder, and does it for who has ended or does not go on. Resolves
 * with whether there was somebody. Throws `input` where it can't be done.
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
 * What `read` makes of several files of folder `dir` that were written together, `first` among them: read again where another
 * result takes their place meanwhile. What a process that was killed has left to be put into place is put there. Throws what
 * `read` does; `input` for a folder that does not come to rest; `aborted` where `signal` fires.
 */
export async function whileUnchanged<T>(dir: string, first: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T> {
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
    // The version comes first: a writer that begins after it moves `first` before it ends, so that the version changes.
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
  throw new RadarError("input", `${dir}: can't read it: other processes go on writing there`, { file: dir, reason: "EBUSY" });
}

/** Who puts files into place, and the name under which they are kept. */
interface Holder {
  readonly name: string;
  readonly owner: Owner;
}

/** Who puts files into place in `folder`; `somebody else` where what is there is nobody's who writes results. */
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

function committer(folder: string): Holder | undefined {
  const holder = holderIn(folder);
  return typeof holder === "string" ? undefined : holder;
}

/** Moves all files or none, the owner's part of it. */
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
    // Where somebody has begun to move the rest, nothing is undone: what is there now may be others'.
    if (existsSync(before)) {
      for (const { name, was } of done.reverse()) restore(folder, fresh, before, name, was);
      remove(fresh);
      removeCommit(folder, owner);
      throw error;
    }
    // They have moved all of it, unless there is still something.
    if (existsSync(fresh) || !existsSync(folder)) throw error;
  }
  removeCommit(folder, owner);
}

/** Gives what is at `path` a second name; where the file system has none, takes it away under that name. */
function keep(path: string, before: string): "nothing" | "kept" {
  try {
    linkSync(path, before);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "nothing";
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw Object.assign(new Error(path), { code: "EISDIR" });
    try {
      renameSync(path, before);
    } catch (failed) {
      // Somebody else moves the files by now, and has taken the place for second names away.
      if (codeOf(failed) === "ENOENT") return "nothing";
      throw failed;
    }
  }
  return "kept";
}

/** Renames; what somebody else has moved there already is fine. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || existsSync(from) || !existsSync(to)) throw error;
  }
}

function restore(folder: string, fresh: string, before: string, name: string, was: "nothing" | "kept"): void {
  try {
    if (was === "kept") renameSync(join(before, name), join(folder, name));
    // It was moved there unless it is still at its old place.
    else if (!existsSync(join(fresh, name))) rmSync(join(folder, name), { force: true });
  } catch {
    // The second name stays, which somebody may look for.
  }
}

/** Removes what is left of a commit whose files are in place. */
function removeCommit(folder: string, owner: string): void {
  const path = join(folder, commitName);
  for (const prefix of secondNames) {
    const before = join(path, prefix + owner);
    try {
      for (const name of readdirSync(before)) {
        // Where undoing could not put it back.
        if (!existsSync(join(folder, name))) renameSync(join(before, name), join(folder, name));
      }
      remove(before);
    } catch {}
  }
  // Each only where it is empty.
  removeEmpty(join(path, owner));
  removeEmpty(path);
}

/** Puts into place what a process that has ended, or does not go on, has left to be. Throws `input`. */
function finishCommit(dir: string, folder: string): void {
  const holder = committer(folder);
  if (holder === undefined) return;
  const path = join(folder, commitName);
  const fresh = join(path, holder.name);
  let names: string[] = [];
  try {
    renameSync(join(path, beforePrefix + holder.name), join(path, takenPrefix + holder.name));
  } catch {
    // Somebody else has done so, or the owner was about to end.
  }
  try {
    names = readdirSync(fresh);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw systemError(dir, `read ${fresh}, which process ${holder.owner.pid} has left`, error);
  }
  for (const name of names) {
    try {
      move(join(fresh, name), join(folder, name));
    } catch (error) {
      // Somebody else has moved all, and the next writer may already be at it.
      if (!existsSync(fresh) && existsSync(folder)) break;
      throw systemError(join(dir, name), `put into place what process ${holder.owner.pid} has left in ${fresh}`, error);
    }
  }
  removeCommit(folder, holder.name);
  if (committer(folder)?.name === holder.name) {
    const message = `${dir}: can't write there: ${path}, which process ${holder.owner.pid} has left, can't be removed`;
    throw new RadarError("input", message, { file: path, reason: "EACCES" });
  }
}
