/** `dechirp studio`: serves the studio and given files to a browser on this machine, until a signal ends it. */
import { throwIfAborted } from "@dechirp/core";
import { describePath } from "../describe-path.ts";
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

/** The task that can use what was given: that of array data if all of it is such data. Focus says of anything else what it is. */
async function taskOf(paths: readonly string[], signal: AbortSignal): Promise<"focus" | "adaptive"> {
  for (const path of paths) {
    try {
      if ((await describePath(path, signal)).kind !== "array") return "focus";
    } catch (error) {
      throwIfAborted(signal, "the studio");
      if (error instanceof CommandError) return "focus";
      throw error;
    }
  }
  return "adaptive";
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
