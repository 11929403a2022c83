/** The command line that is run for each file: its words, its placeholders, and the process that runs it. */
import { spawn } from "node:child_process";
import { basename, extname } from "node:path";
import parseWords from "string-argv";
import { argumentError } from "../errors.ts";
import type { Io } from "../io.ts";
import { endsWithParent } from "../status.ts";

/** What placeholders stand for. */
export interface LineFile {
  /** Absolute path of the file. */
  readonly path: string;
  /** SHA-256 of its content, as hexadecimal digits. */
  readonly sha256: string;
}

const placeholders: Readonly<Record<string, (file: LineFile) => string>> = {
  path: ({ path }) => path,
  name: ({ path }) => basename(path, extname(path)),
  hash: ({ sha256 }) => sha256,
};
const placeholder = /\{(\w+)\}/g;

/** Commands that end only by a signal. */
const endless = ["watch", "studio"];

/** Splits a command line into words, as shells do with quotes. `commands` are those that it may begin with. Throws `argument`. */
export function wordsOf(text: string, commands: readonly string[]): readonly string[] {
  if (!/^(?:[^"']|"[^"]*"|'[^']*')*$/.test(text)) throw argumentError("--then", "a command line whose quotes are closed", text);
  const words = parseWords(text);
  // `dechirp` itself may be left out.
  const own = words[0] === "dechirp" ? words.slice(1) : words;
  if (!commands.includes(own[0]) || endless.includes(own[0]))
    throw argumentError(
      "--then",
      `a command line of dechirp that begins with ${commands.filter((one) => !endless.includes(one)).join(", ")}`,
      text,
    );
  for (const word of own)
    for (const [all, name] of word.matchAll(placeholder))
      if (!Object.hasOwn(placeholders, name))
        throw argumentError(
          "--then",
          `a command line with the placeholders ${Object.keys(placeholders)
            .map((one) => `{${one}}`)
            .join(", ")}`,
          all,
        );
  return own;
}

/** The words with a file in the place of the placeholders. A value is never split into words. */
export const wordsFor = (words: readonly string[], file: LineFile): readonly string[] =>
  words.map((word) => word.replace(placeholder, (_, name: string) => placeholders[name](file)));

/** How a command ended. */
export interface LineEnd {
  /** Its exit status, or null if a signal ended it. */
  readonly status: number | null;
  readonly seconds: number;
  /** What it has printed on stdout, if that was kept. */
  readonly printed: string;
}

/** The most characters that are kept of what a command prints. */
const mostPrinted = 2 ** 20;

/**
 * Runs `dechirp ...words` in a process of its own. Its stderr is passed on; its stdout is kept with `keep`, else passed on. When the signal
 * fires, or this process ends in any way, the process is told to end. `program` is the command `dechirp`. Resolves when it has ended; throws if it can't be started.
 */
export function runLine(words: readonly string[], io: Io, keep: boolean, program: readonly string[]): Promise<LineEnd> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const [file, ...before] = program;
    const env = { ...io.env, [endsWithParent]: "1" } as NodeJS.ProcessEnv;
    // The command ends when the channel closes, also if this process is killed.
    const child = spawn(file, [...before, ...words], { stdio: ["ignore", "pipe", "inherit", "ipc"], env });
    let printed = "";
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      if (keep) printed = (printed + text).slice(0, mostPrinted);
      else io.stdout.write(text);
    });
    const stop = (): void => void child.kill("SIGTERM");
    io.signal.addEventListener("abort", stop, { once: true });
    if (io.signal.aborted) stop();
    child.once("error", reject);
    child.once("close", (status) => {
      io.signal.removeEventListener("abort", stop);
      resolve({ status, seconds: (performance.now() - start) / 1000, printed });
    });
  });
}
