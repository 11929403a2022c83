/**
 * The recordings of a job: their digests when it is planned, and the paths under which a worker finds them. A worker computes the digest of
 * every file once before it reads it, so that a recording that has changed is refused. Inputs that were copied into a store without a
 * folder are fetched into a cache, which all workers of a machine share.
 */
import { createHash, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, join, resolve } from "node:path";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { systemError } from "@dechirp/io/node";
import type { Job, JobInput } from "./document.ts";
import type { JobStore } from "./store.ts";

/** Key of a file of an input that is kept in the store. */
export const inputKey = (input: number, name: string): string => `input/${input}/${name}`;

/** Pieces in which large inputs are kept in a store that has no folder. */
const pieceBytes = 2 ** 28;
const pieceKey = (key: string, piece: number): string => `${key}/${piece}`;
const piecesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / pieceBytes));

/** Looks at an input: lists its files and computes their digests. `onBytes` hears of bytes that are read. Rejects with `input`. */
export async function describeInput(
  path: string,
  role: JobInput["role"],
  { signal, onBytes }: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void } = {},
): Promise<JobInput> {
  const { folder, files } = await filesOf(path);
  const described: JobInput["files"][number][] = [];
  for (const { name, file, bytes } of files)
    described.push({ name, bytes, sha256: await fileDigest(file, { ...(signal && { signal }), ...(onBytes && { onBytes }) }) });
  return { path: resolve(path), role, folder, files: described };
}

/** The files of a path: itself, or the files directly in a folder. */
export async function filesOf(
  path: string,
): Promise<{ readonly folder: boolean; readonly files: readonly { name: string; file: string; bytes: number }[] }> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return { folder: false, files: [{ name: basename(resolve(path)), file: path, bytes: found.size }] };
    const entries = await readdir(path, { withFileTypes: true });
    const files = [];
    for (const { name } of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const file = join(path, name);
      const one = await stat(file);
      if (one.isFile() && !name.startsWith(".")) files.push({ name, file, bytes: one.size });
    }
    if (files.length === 0) throw inputError("input", "a file or a folder with files", path);
    return { folder: true, files };
  } catch (error) {
    throw systemError(path, "read it", error);
  }
}

const known = new Map<string, { readonly size: number; readonly mtimeMs: number; readonly sha256: string }>();

/** SHA-256 of a file as hexadecimal digits. A file that has the size and time that it had before is not read again. */
export async function fileDigest(
  file: string,
  { signal, onBytes }: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void } = {},
): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(file);
    const before = known.get(resolve(file));
    if (before && before.size === size && before.mtimeMs === mtimeMs) {
      onBytes?.(size);
      return before.sha256;
    }
    throwIfAborted(signal, `reading ${file}`);
    const hash = createHash("sha256");
    for await (const piece of createReadStream(file, { highWaterMark: 2 ** 20 })) {
      throwIfAborted(signal, `reading ${file}`);
      hash.update(piece as Uint8Array);
      onBytes?.((piece as Uint8Array).length);
    }
    const sha256 = hash.digest("hex");
    known.set(resolve(file), { size, mtimeMs, sha256 });
    return sha256;
  } catch (error) {
    throw systemError(file, "read it", error);
  }
}

/** Copies the inputs of a job into its store, unless they are there. Rejects with what the store and the system throw. */
export async function copyInputs(
  inputs: readonly JobInput[],
  store: JobStore,
  { signal, onBytes }: { readonly signal?: AbortSignal; readonly onBytes?: (bytes: number) => void } = {},
): Promise<void> {
  const on = signal ? { signal } : {};
  for (const [i, { path, folder, files }] of inputs.entries())
    for (const { name, bytes } of files) {
      const file = folder ? join(path, name) : path;
      try {
        await using handle = await open(file, "r");
        for (let piece = 0; piece < piecesOf(bytes); piece++) {
          const at = piece * pieceBytes;
          const data = new Uint8Array(Math.min(pieceBytes, bytes - at));
          for (let done = 0; done < data.length; ) {
            const { bytesRead } = await handle.read(data, done, data.length - done, at + done);
            if (bytesRead === 0) throw new RadarError("input", `${file}: it became shorter while it was read`, { file });
            done += bytesRead;
          }
          await store.write(pieceKey(inputKey(i, name), piece), data, on);
          onBytes?.(data.length);
        }
      } catch (error) {
        throw systemError(file, "read it", error);
      }
    }
}

/** A folder in which inputs from stores are kept by their digests. */
const cacheFolder = (env: NodeJS.ProcessEnv): string =>
  join(env["DECHIRP_CACHE"] ?? join(env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "dechirp"), "job-inputs");

/**
 * The path of an input of a job on this machine, when all of its files have been found to have their digests. `input` is its number in the
 * job. Rejects with `input`, which names the file, if one is missing or has changed.
 */
export async function resolveInput(
  job: Job,
  store: JobStore,
  input: number,
  { signal, env = process.env }: { readonly signal?: AbortSignal; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { path, folder, files } = job.inputs[input];
  if (job.copied) return fetched(input, job.inputs[input], store, signal, env);
  for (const file of files) await checkFile(folder ? join(path, file.name) : path, file, signal);
  return path;
}

async function checkFile(path: string, { bytes, sha256 }: JobInput["files"][number], signal: AbortSignal | undefined): Promise<void> {
  const sizes = await filesOf(path);
  const changed = `${path}: it is not the file that the job was planned with`;
  const { bytes: size = -1 } = sizes.folder ? {} : sizes.files[0];
  if (size !== bytes)
    throw new RadarError("input", `${changed}: it had ${bytes} bytes`, { file: path, field: "bytes", expected: bytes, actual: size });
  const actual = await fileDigest(path, signal ? { signal } : {});
  if (actual !== sha256)
    throw new RadarError("input", `${changed}: its SHA-256 differs`, { file: path, field: "sha256", expected: sha256, actual });
}

/** Brings an input from the store into the cache, and returns its path there. */
async function fetched(
  i: number,
  { path, folder, files }: JobInput,
  store: JobStore,
  signal: AbortSignal | undefined,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const digest = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const home = join(cacheFolder(env), digest);
  // Formats are recognised by names, also by those of folders.
  const root = folder ? join(home, basename(path)) : home;
  await mkdir(root, { recursive: true }).catch((error) => {
    throw systemError(root, "make the folder", error);
  });
  for (const { name, bytes, sha256 } of files) {
    const file = join(root, name);
    const isThere = await stat(file).then(
      ({ size }) => size === bytes,
      () => false,
    );
    if (isThere && (await fileDigest(file, signal ? { signal } : {})) === sha256) continue;
    const fresh = `${file}.${randomBytes(8).toString("hex")}.tmp`;
    try {
      const hash = createHash("sha256");
      {
        await using handle = await open(fresh, "wx");
        for (let piece = 0; piece < piecesOf(bytes); piece++) {
          const key = pieceKey(inputKey(i, name), piece);
          const data = await store.read(key, signal ? { signal } : {});
          if (!data) throw new RadarError("input", `${store.address}: ${key} is missing`, { file: store.address, field: key });
          hash.update(data);
          for (let at = 0; at < data.length; ) at += (await handle.write(data, at, data.length - at)).bytesWritten;
        }
      }
      const actual = hash.digest("hex");
      if (actual !== sha256) {
        const message = `${store.address}: ${inputKey(i, name)} must have the SHA-256 that the job states`;
        throw new RadarError("input", message, { file: store.address, field: "sha256", expected: sha256, actual });
      }
      await rename(fresh, file);
    } catch (error) {
      await unlink(fresh).catch(() => {});
      throw systemError(file, "write it", error);
    }
  }
  return folder ? root : join(root, files[0].name);
}
