/**
 * Faults of the file system, one at a time: the k-th call of a kind on a path below a folder fails as with a full or read-only disk, or
 * triggers a signal. It patches `node:fs` in this process, also for named imports; child processes are not affected.
 */
import fs from "node:fs";
import promises, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { resolve, sep } from "node:path";

const refusals = ["ENOSPC", "EROFS", "EACCES", "EMFILE", "EIO", "ENFILE", "EDQUOT", "ENOMEM"] as const;

/** Calls that writing makes, and how the system may refuse each. Removal is not among them: what can't be removed stays. */
export const refusedCalls = {
  stat: ["EIO", "EACCES", "ENAMETOOLONG"],
  mkdirSync: refusals,
  mkdir: refusals,
  open: refusals,
  write: ["ENOSPC", "EDQUOT", "EIO", "EFBIG"],
  sync: ["EIO", "ENOSPC"],
  close: ["EIO", "EDQUOT"],
  linkSync: ["EPERM", "EMLINK", "ENOTSUP"],
  renameSync: ["ENOSPC", "EROFS", "EACCES", "EPERM", "EIO"],
} as const;

export type Call = keyof typeof refusedCalls;

export const calls = Object.keys(refusedCalls) as readonly Call[];

export interface Fault {
  readonly call: Call;
  /** Which call of its kind fails, from 0. */
  readonly k: number;
  /** What happens: an error instead of the call, a write of fewer bytes, or an action before the call. */
  readonly happens: { readonly errno: string } | { readonly takes: (bytes: number) => number } | { readonly before: () => void };
}

/** Runs `work`. Resolves with the number of calls of each kind below `folder`, and whether the fault occurred. */
export async function withFault<T>(
  folder: string,
  fault: Fault | undefined,
  work: () => Promise<T>,
): Promise<{ result: T; counts: Readonly<Record<Call, number>>; fired: boolean }> {
  const counts = Object.fromEntries(calls.map((call) => [call, 0])) as Record<Call, number>;
  const top = resolve(folder) + sep;
  const under = (path: unknown): boolean => typeof path === "string" && (resolve(path) + sep).startsWith(top);
  let fired = false;

  /** Counts a call. Throws if it must fail, else returns how many of its bytes a write takes. */
  function turn(call: Call, path: string, bytes = 0): number {
    if (counts[call]++ !== fault?.k || call !== fault.call) return bytes;
    fired = true;
    const { happens } = fault;
    if ("errno" in happens) throw Object.assign(new Error(`${happens.errno}: injected, ${call} '${path}'`), { code: happens.errno });
    if ("takes" in happens) return happens.takes(bytes);
    happens.before();
    return bytes;
  }

  const original = {
    promises: { stat: promises.stat, mkdir: promises.mkdir, open: promises.open },
    fs: { mkdirSync: fs.mkdirSync, linkSync: fs.linkSync, renameSync: fs.renameSync },
  };
  const watched = (handle: FileHandle, path: string): FileHandle => {
    const { sync, close } = handle;
    const write = handle.write.bind(handle) as (data: Uint8Array, at: number, length: number) => ReturnType<FileHandle["write"]>;
    return Object.assign(handle, {
      write: async (data: Uint8Array, at: number, length: number) => write(data, at, turn("write", path, length)),
      sync: async () => {
        turn("sync", path);
        return sync.call(handle);
      },
      close: async () => {
        // The descriptor is closed, whatever the system answers.
        await close.call(handle);
        turn("close", path);
      },
    });
  };
  Object.assign(promises, {
    stat: async (...args: Parameters<typeof promises.stat>) => {
      if (under(args[0])) turn("stat", String(args[0]));
      return original.promises.stat(...args);
    },
    mkdir: async (...args: Parameters<typeof promises.mkdir>) => {
      if (under(args[0])) turn("mkdir", String(args[0]));
      return original.promises.mkdir(...args);
    },
    open: async (...args: Parameters<typeof promises.open>) => {
      const [path] = args;
      if (under(path)) turn("open", String(path));
      const handle = await original.promises.open(...args);
      return under(path) ? watched(handle, String(path)) : handle;
    },
  });
  const sync =
    <A extends readonly unknown[], R>(call: Call, work: (...args: A) => R) =>
    (...args: A): R => {
      if (under(args[0])) turn(call, String(args[0]));
      return work(...args);
    };
  Object.assign(fs, {
    mkdirSync: sync("mkdirSync", fs.mkdirSync),
    linkSync: sync("linkSync", fs.linkSync),
    renameSync: sync("renameSync", fs.renameSync),
  });
  syncBuiltinESMExports();
  try {
    return { result: await work(), counts, fired };
  } finally {
    Object.assign(promises, original.promises);
    Object.assign(fs, original.fs);
    syncBuiltinESMExports();
  }
}
