/** What a command may touch of the process it runs in: handed over as a value, so that tests run commands in theirs. */
import type { Readable } from "node:stream";
import { oneLine } from "@dechirp/core/internal";

export interface TextStream {
  /** Takes text as it comes. */
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

export interface Io {
  readonly stdout: TextStream;
  readonly stderr: TextStream;
  /** What `-` in place of a file reads; where left out there is none. */
  readonly stdin?: Readable;
  /** Fires where the work has to end; its reason is the signal's name. */
  readonly signal: AbortSignal;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Names in files and of files may hold anything: what would steer a terminal, but for line breaks, becomes question marks. */
const printable = (text: string): string => text.replace(/(?!\n)[\p{Cc}\p{Bidi_C}]/gu, "?");

/** Writes a result: JSON where asked for, else a text for people. Both end in a line break. */
export function print(io: Io, json: boolean | undefined, value: unknown, text: () => string): void {
  io.stdout.write(json ? `${JSON.stringify(value)}\n` : `${printable(text())}\n`);
}

/** Writes every warning to stderr, a line each: `warning: SENTENCE`, after `where` if there are several results. */
export function printWarnings(io: Io, warnings: readonly string[], where?: string): void {
  for (const warning of warnings)
    io.stderr.write(`warning: ${printable(oneLine(where === undefined ? warning : `${where}: ${warning}`))}\n`);
}

/** Writes every question to stderr, a line each: `question: SENTENCE`, after `where` if there are several inputs. */
export function printQuestions(io: Io, questions: readonly { readonly text: string }[], where?: string): void {
  for (const { text } of questions) io.stderr.write(`question: ${printable(oneLine(where === undefined ? text : `${where}: ${text}`))}\n`);
}
