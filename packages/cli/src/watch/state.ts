/**
 * What a watch has handled: one value for each content, under its SHA-256, in a folder that survives the process. Values appear as a whole or
 * not at all. A lock keeps a second watch of the same folder on this machine away.
 */
import { unlinkSync } from "node:fs";
import { readFile, stat, unlink, utimes } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { JobStore } from "@dechirp/jobs";
import * as v from "valibot";
import { blame, CommandError } from "../errors.ts";
import type { FoundFile } from "./scan.ts";

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const schema = v.strictObject({
  format: v.literal("dechirp watch"),
  version: v.literal(1),
  sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/)),
  /** Names under which the content was found. */
  files: v.array(v.strictObject({ path: v.string(), bytes: count, mtimeMs: v.number() })),
  done: v.boolean(),
  attempts: v.array(v.strictObject({ status: v.nullable(v.number()), seconds: v.number() })),
});

/** What is known of a content. */
export type WatchRecord = v.InferOutput<typeof schema>;

/** The state of a watch. Dispose of it to let another watch have the folder. */
export interface WatchState extends AsyncDisposable {
  /** The record of a content. */
  get(sha256: string): WatchRecord | undefined;
  /** The record of a file that was found before, has the same name, and has not changed. */
  of(file: FoundFile): WatchRecord | undefined;
  /** Keeps a record. Throws `write` if that fails. */
  put(record: WatchRecord): Promise<void>;
}

const lockKey = "lock.json";
/** How often a watch shows that it runs, and when it counts as ended, for watches on other hosts. */
const [beatMilliseconds, mostSilence] = [10_000, 60_000];
const nameOf = ({ path, bytes, mtimeMs }: FoundFile): string => `${bytes} ${mtimeMs} ${path}`;

/** Opens the state in a folder. Throws `file` if a record is damaged, `argument` if a watch that runs has it, and `write`. */
export async function openState(folder: string, signal: AbortSignal): Promise<WatchState> {
  const { openStore } = await import("@dechirp/jobs");
  const store = await blame("argument", "--state", () => openStore(folder));
  await lock(store, folder);
  const records = new Map<string, WatchRecord>();
  const names = new Map<string, string>();
  const keep = (record: WatchRecord): void => {
    records.set(record.sha256, record);
    for (const file of record.files) names.set(nameOf(file), record.sha256);
  };
  for (const key of await store.list("files/", { signal })) keep(await read(store, key));
  await store.sweep(3600, { signal });
  const lockFile = join(folder, lockKey);
  // A second Ctrl-C, or the end of the patience with this one, ends the process before the state is disposed of.
  const unlock = (): void => {
    try {
      unlinkSync(lockFile);
    } catch {
      // It is not there any more.
    }
  };
  process.once("exit", unlock);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(lockFile, now, now).catch(() => {});
  }, beatMilliseconds).unref();
  return {
    get: (sha256) => records.get(sha256),
    of: (file) => records.get(names.get(nameOf(file)) ?? ""),
    async put(record) {
      await blame("write", undefined, () => store.write(`files/${record.sha256}.json`, encode(record)));
      keep(record);
    },
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      process.off("exit", unlock);
      await unlink(lockFile).catch(() => {});
    },
  };
}

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(value)}\n`);

async function read(store: JobStore, key: string): Promise<WatchRecord> {
  const file = `${store.address}/${key}`;
  try {
    const record = v.parse(schema, JSON.parse(new TextDecoder().decode(await store.read(key, { maxBytes: 2 ** 24 }))));
    if (key !== `files/${record.sha256}.json`) throw new Error("another content");
    return record;
  } catch (error) {
    const message = `${file}: it is not a record of a watch; without it, its file is handled again`;
    throw new CommandError("file", message, { file }, error);
  }
}

/** Takes the folder. A lock of a process that has ended counts for nothing. */
async function lock(store: JobStore, folder: string): Promise<void> {
  const own = { pid: process.pid, host: hostname() };
  const file = join(folder, lockKey);
  const found = await Promise.all([readFile(file, "utf8"), stat(file)]).catch(() => undefined);
  const other = v.safeParse(v.object({ pid: v.pipe(v.number(), v.integer(), v.minValue(1)), host: v.string() }), parsed(found?.[0] ?? ""));
  if (found && other.success) {
    const { pid, host } = other.output;
    const isRunning = host === own.host ? pid !== own.pid && isAlive(pid) : Date.now() - found[1].mtimeMs < mostSilence;
    if (isRunning) {
      const message = `--state ${store.address}: process ${pid} on ${host} watches with this state; if it has ended, remove ${lockKey}`;
      throw new CommandError("argument", message, { option: "--state", actual: store.address });
    }
  }
  await blame("write", undefined, () => store.write(lockKey, encode(own)));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
