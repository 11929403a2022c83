/**
 * Where jobs are stored: anything that keeps bytes under keys, such as a folder or a bucket. The truth about a job is in its store alone.
 */
import { join } from "node:path";
import { inputError } from "@dechirp/core";

/** Options of every call of a store. */
export interface JobStoreOptions {
  readonly signal?: AbortSignal;
}

/** Options of `JobStore.read`. */
export interface JobStoreReadOptions extends JobStoreOptions {
  /** The most bytes that the value may have. Default: 2^31. */
  readonly maxBytes?: number;
}

/**
 * Bytes under keys, such as `image.zarr/image/0.1.0`: parts with `/` between them. Every call may be made by many processes at the same
 * time. Calls reject with `input`, naming the store and the key, if the system refuses, and with `aborted`.
 */
export interface JobStore {
  /** Address for messages and for other processes. It has no credentials in it. */
  readonly address: string;
  /** The folder, if the store is one on this machine. Keys are paths in it. */
  readonly folder?: string;
  /** The bytes of a key, or undefined if there is no such key. */
  read(key: string, options?: JobStoreReadOptions): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Keeps bytes under a key. They appear as a whole or not at all, whatever ends the process, and replace what was there. */
  write(key: string, bytes: Uint8Array, options?: JobStoreOptions): Promise<void>;
  /** The keys that begin with `prefix`, a folder that ends with `/`, sorted. */
  list(prefix: string, options?: JobStoreOptions): Promise<readonly string[]>;
  /** Removes a key. Does nothing if it is not there. */
  remove(key: string, options?: JobStoreOptions): Promise<void>;
  /** Removes what processes that were killed while they wrote have left, if it is older than `ageSeconds`. Resolves with how many. */
  sweep(ageSeconds: number, options?: JobStoreOptions): Promise<number>;
}

/** Default limit on the bytes of a value. */
export const mostValueBytes = 2 ** 31;

/** Throws `input` unless `key` is a path that stays inside a store. */
export function checkKey(key: string): void {
  const parts = typeof key === "string" ? key.split("/") : [];
  const isPart = (part: string): boolean => part !== "" && part !== "." && part !== ".." && !/[\p{Cc}\\]/u.test(part);
  if (parts.length === 0 || key.length > 900 || !parts.every(isPart)) throw inputError("key", "a path inside the store", key);
}

/** Throws `input` unless `prefix` is empty or a path inside a store that ends with `/`. */
export function checkPrefix(prefix: string): void {
  if (prefix === "") return;
  if (!prefix.endsWith("/")) throw inputError("prefix", "empty or a path that ends with /", prefix);
  checkKey(prefix.slice(0, -1));
}

/** The part of a store whose keys begin with `folder/`, as a store of its own. Sweeping it sweeps the whole store. */
export function storeUnder(store: JobStore, folder: string): JobStore {
  const under = (key: string): string => `${folder}/${key}`;
  return {
    address: `${store.address}/${folder}`,
    ...(store.folder !== undefined && { folder: join(store.folder, ...folder.split("/")) }),
    read: (key, options) => store.read(under(key), options),
    write: (key, bytes, options) => store.write(under(key), bytes, options),
    async list(prefix, options) {
      return (await store.list(under(prefix), options)).map((key) => key.slice(folder.length + 1));
    },
    remove: (key, options) => store.remove(under(key), options),
    sweep: (ageSeconds, options) => store.sweep(ageSeconds, options),
  };
}

/**
 * Opens the store at an address: a path of a folder, or `s3://BUCKET/PREFIX`. A folder need not exist yet. Throws `input` for an address of
 * another kind. Credentials come from the environment alone.
 */
export async function openStore(address: string, env: Readonly<Record<string, string | undefined>> = process.env): Promise<JobStore> {
  if (typeof address !== "string" || address === "") throw inputError("store", "a folder or s3://BUCKET/PREFIX", address);
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(address)?.[1].toLowerCase();
  if (scheme === "s3") return (await import("./s3-store.ts")).openS3Store(address, env);
  if (scheme !== undefined) throw inputError("store", "a folder or s3://BUCKET/PREFIX", address);
  return (await import("./folder-store.ts")).openFolderStore(address);
}
