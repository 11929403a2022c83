/** What a command may use of its process. It is passed as a value, so that tests can run commands in their own process. */
import type { Readable } from "node:stream";
import { oneLine } from "@dechirp/core/internal";

/** A stream for text, such as `process.stdout`. */
export interface TextStream {
  /** Writes a piece of text. */
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** Streams, signal and environment of a command. */
export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** What is read if a file is given as `-`. If left out, there is no stdin. */
  readonly stdin?: Readable;
  /** Fires when the work must end. Its reason is the signal's name. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Runs the command line again in a process from which device files are hidden, and resolves with its exit status. `why` begins the message
   * if that is not permitted. Absent where the command line is not that of a process: `--device gpu:K` is then refused if there are several
   * equal cards.
   */
  readonly restart?: (hidden: readonly string[], why: string) => Promise<number>;
  /**
   * Says that the command takes its time to end after a signal, such as to complete a task. Returns a signal that fires when the process is told to
   * end once more. Absent where the command line is not that of a process.
   */
  readonly linger?: () => AbortSignal;
}

/**
 * Replaces characters that control terminals, except line breaks, by question marks. Names of files and in files may contain any
 * characters.
 */
const printable = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Bidi_C}]/gu, "?");

/** Prints a result: as JSON if requested, else as text. Both end with a line break. */
export function print(io: Io, json: boolean | undefined, value: unknown, text: () => string): void {
  io.stdout.write(json ? `${JSON.stringify(value)}\n` : `${printable(text())}\n`);
}

/** Writes each warning to stderr as one line `warning: SENTENCE`, with `where` before it if there are several results. */
export function printWarnings(io: Io, warnings: readonly string[], where?: string): void {
  for (const warning of warnings)
    io.stderr.write(`warning: ${printable(oneLine(where === undefined ? warning : `${where}: ${warning}`))}\n`);
}

/** Writes each question to stderr as one line `question: SENTENCE`, with `where` before it if there are several inputs. */
export function printQuestions(io: Io, questions: readonly { readonly text: string }[], where?: string): void {
  for (const { text } of questions) io.stderr.write(`question: ${printable(oneLine(where === undefined ? text : `${where}: ${text}`))}\n`);
}
