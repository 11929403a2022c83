/**
 * Reads tasks.json from a file or stdin and checks it. The package @dechirp/realtime defines its fields; this file handles the bytes
 * and the JSON and attributes errors.
 */
import { addAbortSignal } from "node:stream";
import { RadarError, throwIfAborted } from "@dechirp/core";
import { readBytes } from "@dechirp/io/node";
import { checkTaskSet, type TaskSet } from "@dechirp/realtime";
import { checkRunTasks, type RunTasks, taskFields, taskSetFields } from "@dechirp/realtime/reports";
import { type ParseError, type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";
import { argumentError, blame, CommandError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Limit on the size of tasks.json. Ten thousand tasks with a hundred times each take only a fraction of it. */
export const maxTasksBytes = 2 ** 24;

/** A checked task set and its source. */
export interface TasksInput {
  /** The path as it was given; `stdin` for `-`. */
  readonly file: string;
  readonly set: TaskSet;
}

/**
 * Reads and checks `path`, or stdin if it is `-`. Throws `argument` if the path is empty, else `file`, which names the file and the
 * position or field.
 */
export async function readTasks(path: string, io: Io): Promise<TasksInput> {
  const { file, value } = await readTasksJson(path, io);
  return { file, set: await blame("file", file, () => checkTaskSet(value)) };
}

/** Reads and checks tasks for `schedule run`. `lines`: every task must have `line`. Throws as `readTasks` does. */
export async function readRunTasks(path: string, lines: boolean, io: Io): Promise<{ readonly file: string; readonly tasks: RunTasks }> {
  const { file, value } = await readTasksJson(path, io);
  return { file, tasks: await blame("file", file, () => checkRunTasks(value, lines)) };
}

/** Reads the JSON of `path`, or of stdin if it is `-`, without checking its fields. Throws as `readTasks` does. */
async function readTasksJson(path: string, io: Io): Promise<{ readonly file: string; readonly value: unknown }> {
  if (path === "") throw argumentError("TASKS", "a tasks.json, or - for stdin", path);
  const file = path === "-" ? "stdin" : path;
  const bytes = await blame("file", undefined, () =>
    path === "-" ? readStdin(io) : readBytes(path, { signal: io.signal, maxBytes: maxTasksBytes }),
  );
  const value = parseJson(bytes, file);
  await checkNames(value, file);
  return { file, value };
}

/** Throws `file` for a misspelt field: if it were ignored, its task might have no deadline. Other unknown fields are allowed. */
async function checkNames(value: unknown, file: string): Promise<void> {
  const { createNameCheck } = await import("@dechirp/io");
  const check = createNameCheck(file);
  await blame("file", undefined, () => {
    check("", value, taskSetFields);
    const tasks = (value as { readonly tasks?: unknown } | null)?.tasks;
    if (Array.isArray(tasks)) tasks.forEach((task, i) => void check(`tasks[${i}].`, task, taskFields));
  });
}

async function readStdin({ stdin, signal }: Io): Promise<Uint8Array> {
  throwIfAborted(signal, "reading stdin");
  if (stdin === undefined) throw new CommandError("file", "stdin: it is not available", { file: "stdin" });
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    // Aborting destroys the stream, so that a process that must end does not wait for the other end of a pipe.
    for await (const chunk of addAbortSignal(signal, stdin)) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxTasksBytes) {
        const expected = `at most ${maxTasksBytes} bytes long`;
        throw new RadarError("input", `stdin: must be ${expected}`, { file: "stdin", expected, actual: "more" });
      }
    }
  } catch (error) {
    throwIfAborted(signal, "reading stdin");
    throw error;
  }
  return Buffer.concat(chunks);
}

/** Parses JSON. Throws `file`, which names line and column. */
export function parseJson(bytes: Uint8Array, file: string): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new CommandError("file", `${file}: not JSON: the text is not UTF-8`, { file }, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = firstError(text);
    if (!found) throw new CommandError("file", `${file}: not JSON: ${cause instanceof Error ? cause.message : cause}`, { file }, cause);
    const before = text.slice(0, found.offset).split(/\r\n|[\r\n]/);
    const [line, column] = [before.length, before[before.length - 1].length + 1];
    const reason = printParseErrorCode(found.error)
      .replace(/\B[A-Z]/g, (letter) => ` ${letter}`)
      .toLowerCase();
    throw new CommandError("file", `${file}: not JSON: line ${line}, column ${column}: ${reason}`, { file, line, column, reason }, cause);
  }
}

/**
 * Finds the first JSON error and its position, which engines do not always tell. Stops there, because after it every character may be
 * an error.
 */
function firstError(text: string): ParseError | undefined {
  let first: ParseError | undefined;
  const stop = new Error("found");
  const onError = (error: ParseErrorCode, offset: number, length: number): void => {
    first = { error, offset, length };
    throw stop;
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser is recursive, and a text of nothing but brackets overflows the stack.
    if (error !== stop && !(error instanceof RangeError)) throw error;
  }
  return first;
}
