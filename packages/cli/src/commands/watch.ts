/** `dechirp watch`: runs a command line for each new file of a folder, once for each content. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { messageOf, throwIfAborted } from "@dechirp/core";
import { argumentError, blame, CommandError } from "../errors.ts";
import { statInput } from "../inputs.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { parseInteger, parseNumber } from "../options.ts";
import { realPath } from "../output.ts";
import { createProgress } from "../progress.ts";
import { exitCodes } from "../status.ts";
import { runLine, wordsFor, wordsOf } from "../watch/line.ts";
import { createScanner, type FoundFile, sameFile } from "../watch/scan.ts";
import { openState, type WatchRecord } from "../watch/state.ts";

/** The options as commander passes them. */
export interface WatchArguments {
  readonly then?: string;
  readonly state?: string;
  readonly once?: boolean;
  readonly subfolders?: boolean;
  readonly ending?: string;
  readonly settle?: string;
  readonly every?: string;
  readonly attempts?: string;
  readonly again?: boolean;
  readonly json?: boolean;
}

/** Folder of the state, in the folder that is watched. Its name begins with a dot, so it is not watched itself. */
const usualState = ".dechirp-watch";

/** What `--json` prints of each file, a line each. */
export interface WatchLine {
  readonly path: string;
  readonly sha256: string;
  /** `repeated`: the same content was handled before. `given-up`: it failed so often in earlier runs that it is not tried again. */
  readonly outcome: "done" | "failed" | "repeated" | "given-up";
  /** Exit status of the command. Null if a signal ended it. */
  readonly status?: number | null;
  readonly seconds?: number;
  readonly attempt?: number;
  /** Whether the command will be run again for this file. */
  readonly retry?: boolean;
  /** What the command has printed: JSON if it is JSON, else text. */
  readonly printed?: unknown;
}

/** Seconds before a command that failed is run again, doubled with each attempt. */
const retrySeconds = 2;

/**
 * Runs `dechirp watch`. `commands` are the names of all commands. `finish` is called with the exit status if files failed with --once, also in earlier runs. `program`
 * is the command `dechirp`, by default that of this process.
 */
export async function watchCommand(
  folder: string,
  options: WatchArguments,
  io: Io,
  commands: readonly string[],
  finish: (status: number) => void,
  program: readonly string[] = [process.execPath, ...process.execArgv, process.argv[1]],
): Promise<void> {
  const { once = false, subfolders = false, again = false, json } = options;
  if (options.then === undefined)
    throw new CommandError("argument", "--then is missing: the command line that is run for each file", { option: "--then" });
  const words = wordsOf(options.then, commands);
  const seconds = (option: string, text: string | undefined, usual: number): number =>
    text === undefined ? usual : parseNumber(option, text, "a number of seconds from 0.05 to 86400", (s) => s >= 0.05 && s <= 86400);
  const settle = 1000 * seconds("--settle", options.settle, 2);
  const every = 1000 * seconds("--every", options.every, 10);
  const mostAttempts = options.attempts === undefined ? 3 : parseInteger("--attempts", options.attempts, 1, 100);
  const endings = options.ending === undefined ? [] : options.ending.split(",").map((one) => one.trim().toLowerCase());
  if (endings.includes(""))
    throw new CommandError("argument", "--ending must have no empty ending", { option: "--ending", actual: options.ending });
  if (!(await statInput(folder, "folder")).isDirectory())
    throw new CommandError("file", `${folder}: it is a file, not a folder`, { file: folder });
  const root = resolve(folder);
  if (options.state !== undefined && /^[a-z][a-z\d+.-]+:\/\//i.test(options.state))
    throw argumentError("--state", "a folder of this machine", options.state);
  const stateFolder = resolve(options.state ?? join(root, usualState));
  const [realRoot, realState] = [await realPath(root), await realPath(stateFolder)];
  if (realState === realRoot) throw argumentError("--state", "another folder than the one that is watched", options.state);
  // Its path by the names of the watched folder, whichever links lead to it.
  const without = join(root, relative(realRoot, realState));
  await using state = await openState(stateFolder, io.signal);
  using scanner = createScanner(root, { subfolders, endings, settleMilliseconds: settle, without }, !once);
  using progress = createProgress(io, "watch");
  const counts = { done: 0, failed: 0, repeated: 0, givenUp: 0 };
  /** Whether files have the content of another one that has failed. */
  let hasFailedBefore = false;
  /** When the command may be run again for a content. */
  const notBefore = new Map<string, number>();
  const isEarly = (sha256: string): boolean => (notBefore.get(sha256) ?? 0) > Date.now();
  /** Files that this process has looked at to the end, as they were then. */
  const handled = new Map<string, FoundFile>();
  /** Contents whose attempts of earlier runs do not count any more. */
  const renewed = new Set<string>();

  const tell = (line: WatchLine, text: string): void => {
    progress.clear();
    if (json) print(io, true, line, () => "");
    else if (line.outcome === "failed" || line.outcome === "given-up") printWarnings(io, [text]);
    else print(io, false, line, () => text);
  };

  /** Handles a file that is complete. Resolves with false if it has changed or is to be tried later. */
  const handle = async (file: FoundFile): Promise<boolean> => {
    const shown = relative(root, file.path);
    const known = state.of(file);
    if (known && isEarly(known.sha256)) return false;
    progress.update(`reading ${shown}`, 0);
    let sha256: string;
    try {
      sha256 = known?.sha256 ?? (await digestOf(file.path, io.signal));
      const now = await stat(file.path);
      if (!sameFile(file, { path: file.path, bytes: now.size, mtimeMs: now.mtimeMs })) return false;
    } catch (error) {
      throwIfAborted(io.signal, "watching");
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return true;
      progress.clear();
      printWarnings(io, [`${shown}: it can't be read (${code ?? messageOf(error)}), and is left out until it changes`]);
      counts.failed++;
      return true;
    }
    let record: WatchRecord = state.get(sha256) ?? { format: "dechirp watch", version: 1, sha256, files: [], done: false, attempts: [] };
    if (again && !record.done && !renewed.has(sha256)) record = { ...record, attempts: [] };
    renewed.add(sha256);
    const isNew = !record.files.some((one) => one.path === file.path && sameFile(one, file));
    const { path, bytes, mtimeMs } = file;
    if (isNew) record = { ...record, files: [...record.files.filter((one) => one.path !== path), { path, bytes, mtimeMs }] };
    if (record.done || record.attempts.length >= mostAttempts) {
      if (!isNew) {
        if (record.done) return true;
        counts.givenUp++;
        const [last] = record.attempts.slice(-1);
        const text = `${shown}: given up after ${attemptsText(record.attempts.length)} (${endText(last.status)}); --again takes it up again`;
        tell({ path, sha256, outcome: "given-up", status: last.status, attempt: record.attempts.length }, text);
        return true;
      }
      await state.put(record);
      counts.repeated++;
      hasFailedBefore ||= !record.done;
      const other = record.files.find((one) => one.path !== path)?.path;
      const how = record.done ? "was handled before" : "has failed before";
      tell(
        { path, sha256, outcome: "repeated" },
        `${shown}: the same content ${how}${other === undefined ? "" : `, as ${relative(root, other)}`}`,
      );
      return true;
    }
    if (isNew && isEarly(sha256)) await state.put(record);
    if (isEarly(sha256)) return false;
    progress.update(shown, 0.5);
    progress.clear();
    const { status, seconds, printed } = await runLine(wordsFor(words, { path, sha256 }), io, json === true, program);
    throwIfAborted(io.signal, "watching");
    const isDone = status === 0;
    record = { ...record, done: isDone, attempts: [...record.attempts, { status, seconds: Math.round(seconds * 1000) / 1000 }] };
    await state.put(record);
    const attempt = record.attempts.length;
    const retry = !isDone && attempt < mostAttempts;
    const line = { path, sha256, status, seconds, attempt, ...(json && { printed: jsonOr(printed) }) };
    if (isDone) {
      counts.done++;
      tell({ ...line, outcome: "done" }, `${shown}: done in ${seconds.toFixed(1)} s`);
      return true;
    }
    const wait = retrySeconds * 2 ** (attempt - 1);
    const next = retry ? `again in ${wait} s` : "given up";
    tell({ ...line, outcome: "failed", retry }, `${shown}: ${endText(status)}, attempt ${attempt} of ${mostAttempts}; ${next}`);
    if (retry) notBefore.set(sha256, Date.now() + 1000 * wait);
    else counts.failed++;
    return !retry;
  };

  /** How long this process has waited for files that change, since it last had something to do. */
  let waited = 0;
  for (;;) {
    throwIfAborted(io.signal, "watching");
    const { complete, growing } = await blame("file", undefined, () => scanner.look());
    let open = 0;
    let changed = 0;
    const present = new Set(complete.map(({ path }) => path));
    for (const path of handled.keys()) if (!present.has(path)) handled.delete(path);
    for (const file of complete) {
      throwIfAborted(io.signal, "watching");
      const before = handled.get(file.path);
      if (before && sameFile(before, file)) continue;
      if (await handle(file)) {
        handled.set(file.path, file);
        waited = 0;
      } else if (state.of(file)) {
        open++;
        waited = 0;
      } else changed++;
    }
    if (once && open === 0 && (growing + changed === 0 || waited >= 2 * settle)) {
      report(io, json, { ...counts, growing: growing + changed }, folder);
      if (counts.failed + counts.givenUp > 0 || hasFailedBefore) finish(exitCodes.incomplete);
      return;
    }
    progress.update(growing > 0 ? `waiting for ${growing} files that grow` : "waiting for files", 1);
    const soon = Math.max(50, settle / 4);
    // What grows is looked at often, whatever the system tells.
    if (growing + changed + open > 0) {
      await pause(soon, io.signal);
      waited += soon;
    } else await scanner.wait(every, io.signal);
  }
}

const attemptsText = (count: number): string => (count === 1 ? "1 attempt" : `${count} attempts`);

/** How a command ended, by its exit status. */
const endText = (status: number | null): string =>
  status === null ? "a signal ended the command" : `the command ended with status ${status}`;

/** Says at the end of a single look what was done. */
function report(
  io: Io,
  json: boolean | undefined,
  counts: Readonly<Record<"done" | "failed" | "repeated" | "givenUp" | "growing", number>>,
  folder: string,
): void {
  print(io, json, counts, () => {
    const { done, failed, repeated, givenUp, growing } = counts;
    const before = givenUp > 0 ? `, ${givenUp} given up before` : "";
    const left = growing > 0 ? `, ${growing} left because they change` : "";
    return `${folder}: ${done} done, ${failed} failed, ${repeated} with the content of another${before}${left}`;
  });
}

/** SHA-256 of a file. Rejects with the system's error. */
async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 2 ** 20, signal })) hash.update(piece as Uint8Array);
  return hash.digest("hex");
}

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
