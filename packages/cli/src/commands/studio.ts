/** `dechirp studio`: serves the studio and given files to a browser on this machine, until a signal ends it. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { throwIfAborted } from "@dechirp/core";
import { CommandError } from "../errors.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { parseInteger } from "../options.ts";
import { serve } from "../studio/server.ts";
import { shareOf } from "../studio/share.ts";
import { siteFolder } from "../studio/site.ts";

/** The options as commander passes them. */
export interface StudioArguments {
  readonly port?: string;
  readonly open?: boolean;
  readonly json?: boolean;
}

/** What `--json` prints when the server is ready. */
export interface StudioReport {
  /** Address of the studio that opens what was given. */
  readonly url: string;
  /** Address of each given file or folder. */
  readonly files: readonly { readonly path: string; readonly url: string }[];
}

/** Runs `dechirp studio`. It ends only by a signal or an error. */
export async function studioCommand(paths: readonly string[], options: StudioArguments, io: Io): Promise<void> {
  const port = options.port === undefined ? 0 : parseInteger("--port", options.port, 1, 65535);
  const share = await shareOf(paths);
  const server = await serve(siteFolder(), share, port);
  try {
    const addressOf = (path: string): string => new URL(path, server.address).href;
    // A single file or folder is opened; several are opened together.
    const opened = share.things.length === 0 ? undefined : addressOf(share.things.length === 1 ? share.things[0].url : "files/");
    const query = opened === undefined ? "" : `#/${await taskOf(paths, io.signal)}?${new URLSearchParams({ source: "url", url: opened })}`;
    const report: StudioReport = {
      url: server.address + query,
      files: share.things.map(({ path, url }) => ({ path, url: addressOf(url) })),
    };
    print(io, options.json, report, () => `The studio is at ${report.url}\nCtrl-C ends it.`);
    if (options.open) await openBrowser(report.url, io);
    await new Promise<void>((resolve, reject) => {
      if (io.signal.aborted) resolve();
      io.signal.addEventListener("abort", () => resolve(), { once: true });
      server.failed.catch(reject);
    });
    throwIfAborted(io.signal, "the studio");
  } finally {
    await server.close();
  }
}

/**
 * The task that can use what was given: that of array data if it holds array data and no echoes or phase history. Focus says of anything else
 * what it is.
 */
async function taskOf(paths: readonly string[], signal: AbortSignal): Promise<"focus" | "adaptive"> {
  const kinds = new Set<string>();
  for (const path of paths) for (const kind of await kindsAt(path, signal)) kinds.add(kind);
  return kinds.has("array") && !kinds.has("stripmap") && !kinds.has("phase-history") ? "adaptive" : "focus";
}

/** The most files of a folder whose first bytes are looked at. */
const mostLooked = 200;

/** Kinds of the recordings at a path: of a file or a folder that is one recording, or else of the files in the folder. */
async function kindsAt(path: string, signal: AbortSignal): Promise<readonly string[]> {
  const kind = await kindAt(path, signal);
  if (kind !== undefined || !(await stat(path)).isDirectory()) return kind === undefined ? [] : [kind];
  const files = (await readdir(path, { withFileTypes: true })).filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  const found: string[] = [];
  for (const { name } of files.slice(0, mostLooked)) {
    const one = await kindAt(join(path, name), signal);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/** The kind of recording that a path is. Undefined if it is none, or can't be read. */
async function kindAt(path: string, signal: AbortSignal): Promise<string | undefined> {
  const [{ detectFormat }, { placeAt }] = await Promise.all([import("@dechirp/io/formats"), import("@dechirp/io/node")]);
  try {
    return (await detectFormat(await placeAt(path, signal), { signal })).kind;
  } catch {
    throwIfAborted(signal, "the studio");
    return undefined;
  }
}

/** Opens the browser. If none starts, that is a warning: the address was printed. */
async function openBrowser(url: string, io: Io): Promise<void> {
  try {
    const { default: open } = await import("open");
    const started = await open(url);
    started.on("error", () => undefined);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    printWarnings(io, ["no browser could be started; open the address yourself"]);
  }
}
