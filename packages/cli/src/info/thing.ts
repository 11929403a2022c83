/** A file or folder that `dechirp info` looks at, and the type of the rows of its table. Files are opened by ranges. */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { RandomAccess } from "@dechirp/io";
import { statInput } from "../inputs.ts";
import type { InfoThing } from "./report.ts";

/** A file or folder with what can be known of it at once. */
export interface Thing {
  /** The path as it was given. */
  readonly path: string;
  /** Sorted names in the folder. Absent if it is a file. */
  readonly names?: readonly string[];
  /** Bytes of the file, or of all files that are directly in the folder. */
  readonly bytes: number;
  /** The first bytes of the file, 64 KiB and a few at most. Empty for a folder. */
  readonly head: Uint8Array;
  readonly signal: AbortSignal;
}

/** What a row says of a thing: everything but its path. */
export type Description = Omit<InfoThing, "file" | "bytes" | "commands" | "notes"> &
  Partial<Pick<InfoThing, "bytes" | "commands" | "notes">>;

/** A kind of thing. Rows are asked one after another, and the first that answers describes the thing. */
export interface InfoRow {
  /** Name of the kind, for the order of the table and its tests. */
  readonly name: string;
  /** Whether the thing is of the kind, by its names and first bytes. */
  matches(thing: Thing): boolean;
  /** Describes it. Undefined if a closer look shows that it is something else. Rejects with `input` if it is damaged. */
  describe(thing: Thing): Promise<Description | undefined>;
}

/** Looks at a path. Throws `file`, and `aborted`. */
export async function thingAt(path: string, signal: AbortSignal): Promise<Thing> {
  const found = await statInput(path, "file or folder");
  if (found.isDirectory()) {
    const names = (await readdir(path)).sort();
    let bytes = 0;
    for (const name of names) {
      const one = await stat(join(path, name)).catch(() => undefined);
      if (one?.isFile()) bytes += one.size;
    }
    return { path, names, bytes, head: new Uint8Array(0), signal };
  }
  const { foreignBytes } = await import("@dechirp/io");
  const head = await withFile({ path, signal }, (file) => file.read(0, Math.min(file.size, foreignBytes)));
  return { path, bytes: found.size, head, signal };
}

/** Opens the file at a path, passes it to `work` and closes it. */
export async function withFile<T>({ path, signal }: Pick<Thing, "path" | "signal">, work: (file: RandomAccess) => Promise<T>): Promise<T> {
  const { openFile } = await import("@dechirp/io/node");
  const file = await openFile(path, { signal, maxBytes: Number.POSITIVE_INFINITY });
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Whether the file begins with these bytes, as Latin-1 text. */
export function begins({ head }: Thing, text: string, at = 0): boolean {
  return head.length >= at + text.length && Array.from(text).every((letter, i) => head[at + i] === letter.charCodeAt(0));
}

/** Quotes a word of a command line where a shell needs it. */
export const quoted = (word: string): string => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
