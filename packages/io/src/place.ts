/**
 * A place is where a recording is: a file or a folder of files, on a disk (node-place.ts) or in memory. Formats read everything through
 * this interface, so no format needs Node. The first bytes of a file and the headers of its variables are read only once per place,
 * however many formats inspect them.
 */
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { pathError } from "./file-error.ts";
import type { MatFile, MatHead } from "./mat-types.ts";
import { accessTo, type ByteSource, checkOptions, isBlob, isBytes, openBlob, openBytes, type RandomAccess } from "./random-access.ts";
import type { WebBlob } from "./web-types.ts";

/**
 * Progress callback. It receives the share that has been read, from 0 to 1 and never falling. Its result is awaited. If it throws or
 * rejects, reading fails with `failed`, whose cause is what it threw.
 */
export type OnProgress = (share: number) => void;

/** Default limit on the size of one file: 4 GiB. */
export const mostFileBytes = 2 ** 32;

/** Options that every reader of recordings has. */
export interface ReadFilesOptions {
  /**
   * The most bytes of one file (default 4 GiB; no limit for a file whose samples are read in parts), and of the inflated contents of one
   * MAT-file (default 1 GiB).
   */
  readonly maxBytes?: number;
  /** Cancels the read: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
  /**
   * Progress over the bytes of all files that are read when a recording is opened. It does not count the time that parsing takes, and
   * samples that are read later.
   */
  readonly onProgress?: OnProgress;
}

/** A file or a folder of files. */
export interface Place {
  /** The path as it was given. Messages begin with it. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  /** Sorted names of the folder's files. Left out if the place is a file. */
  readonly names?: readonly string[];
  /** Returns the path of a file in the folder, or beside the file if the place is a file. `name` may begin with `../`. */
  pathOf(name: string): string;
  /** Returns the same text for all paths of one file. */
  resolved(path: string): string;
  /** Whether a file exists at a path. */
  has(path: string): Promise<boolean>;
  /**
   * Opens the file at a path. The caller must close it. Rejects with `input` if there is no file or it is longer than `maxBytes`, and
   * with `aborted`.
   */
  open(path: string, options?: ReadFilesOptions): Promise<RandomAccess>;
  /**
   * Returns the result of `read`, which reads several files that belong together, `first` among them. Calls `read` again if a writer
   * replaces the files meanwhile.
   */
  together<T>(first: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Whether the place is a folder. */
export const isFolder = (place: Place): place is Place & { readonly names: readonly string[] } => place.names !== undefined;

/** Opens the file at a path of the place, passes it to `work` and closes it. */
export async function withFileOf<T>(
  place: Place,
  path: string,
  options: ReadFilesOptions,
  work: (file: RandomAccess) => Promise<T>,
): Promise<T> {
  const { onProgress } = options;
  const file = await place.open(path, { ...boundsOf(options), ...(onProgress ? { onProgress } : {}) });
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** Picks `signal`, if given, out of the options. */
export const signalOption = ({ signal }: ReadFilesOptions): { readonly signal?: AbortSignal } => (signal ? { signal } : {});

/** Picks `maxBytes` and `signal`, if given, out of the options. */
export const boundsOf = ({ maxBytes, signal }: ReadFilesOptions): Omit<ReadFilesOptions, "onProgress"> => ({
  ...signalOption(signal ? { signal } : {}),
  ...(maxBytes === undefined ? {} : { maxBytes }),
});

/** Progress option for reading file `i` of `count`: maps the share of one file to the share of all. */
export const partOf = (onProgress: OnProgress | undefined, i: number, count: number): { readonly onProgress?: OnProgress } =>
  onProgress ? { onProgress: (share) => onProgress((i + share) / count) } : {};

/** Reads the MAT-file at a path of the place. */
export async function readMatOf(place: Place, path: string, options: ReadFilesOptions): Promise<MatFile> {
  const { readMat } = await import("./mat.ts");
  return withFileOf(place, path, options, (access) => readMat(access, { file: path, ...boundsOf(options) }));
}

/** Number of bytes at the beginning of a file that suffice to tell the formats apart. A .npy header needs the most. */
const headBytes = 8192;

const heads = new WeakMap<Place, Promise<Uint8Array>>();
const matHeads = new WeakMap<Place, Promise<readonly MatHead[]>>();

/** Calls `make` once per place and keeps its result. Calls it again if it has failed. */
function once<T>(made: WeakMap<Place, Promise<T>>, place: Place, make: () => Promise<T>): Promise<T> {
  const known = made.get(place);
  if (known) return known;
  const making = make();
  made.set(place, making);
  making.catch(() => made.delete(place));
  return making;
}

/** Reads the first bytes of the place, which must be a file. */
export const headOf = (place: Place, options: ReadFilesOptions): Promise<Uint8Array> =>
  once(heads, place, () => {
    // Files whose samples are read in parts may be of any size.
    const bounds = { ...signalOption(options), maxBytes: options.maxBytes ?? Number.POSITIVE_INFINITY };
    return withFileOf(place, place.path, bounds, (file) => file.read(0, Math.min(file.size, headBytes)));
  });

/** Reads the variables' headers of the MAT-file that the place is. */
export const matHeadsOf = (place: Place, options: ReadFilesOptions): Promise<readonly MatHead[]> =>
  once(matHeads, place, async () => {
    const { readMatHeads } = await import("./mat.ts");
    return withFileOf(place, place.path, boundsOf(options), (access) =>
      readMatHeads(access, { file: place.path, ...signalOption(options) }),
    );
  });

/** Whether the bytes begin like a .npy file. */
export const isNpy = (head: Uint8Array): boolean => head[0] === 0x93 && String.fromCharCode(...head.subarray(1, 6)) === "NUMPY";

/** Whether the bytes begin like a MAT-file of version 4 or 5. */
export function isMat(head: Uint8Array): boolean {
  if (head.length < 20) return false;
  const order = String.fromCharCode(head[126], head[127]);
  if ((order === "IM" && head[125] === 1 && head[124] === 0) || (order === "MI" && head[124] === 1 && head[125] === 0)) return true;
  const view = new DataView(head.buffer, head.byteOffset, 20);
  // Version 4: a plausible header whose first word, in either byte order, is the type MOPT.
  return [true, false].some((little) => {
    const [type, rows, columns, imaginary, name] = [0, 4, 8, 12, 16].map((at) => view.getInt32(at, little));
    const digits = Math.floor(type / 100) % 10 === 0 && Math.floor(type / 10) % 10 < 6 && type % 10 < 3;
    return type >= 0 && type < 5000 && digits && rows >= 0 && columns >= 0 && (imaginary === 0 || imaginary === 1) && name >= 1;
  });
}

/** Options of `placeOf`. */
export interface PlaceOptions {
  /** Which of the files the place is. Default: the folder of all of them. */
  readonly file?: string;
  /** Name of the folder, for messages. Default: `files`. */
  readonly path?: string;
}

/** Wraps one of the files of `placeOf`. `read` returns bytes that readers may change. */
function sourceOf(source: ByteSource | WebBlob, name: string, field: string): Pick<RandomAccess, "size" | "read"> {
  if (isBlob(source)) return openBlob(source, { name });
  return isBytes(source) ? openBytes(source, { name }) : accessTo(source as RandomAccess, field, name);
}

/**
 * Makes a place of files in memory, in a web page (`Blob`, and so `File`), or on servers (`openUrl`): a folder of all of them, or one
 * file if `options.file` is given. Recordings read from these files as long as they are open; a `RandomAccess` is never closed here.
 * Throws `input`, which names the field, for wrong arguments.
 */
export function placeOf(files: Readonly<Record<string, ByteSource | WebBlob>>, options: PlaceOptions = {}): Place {
  if (typeof files !== "object" || files === null || Array.isArray(files)) throw inputError("files", "files by their names", files);
  const { file, path = "files" } = checkOptions(options, { file: true, path: true }, "placeOf");
  if (typeof path !== "string") throw inputError("path", "a name, a text", path);
  const names = Object.keys(files).sort();
  const sources = new Map(names.map((name) => [name, sourceOf(files[name], name, `files[${JSON.stringify(name)}]`)]));
  if (file !== undefined && !sources.has(file)) throw inputError("file", `one of ${names.join(", ")}`, file);
  return {
    path: file ?? path,
    name: file ?? path,
    ...(file === undefined ? { names } : {}),
    pathOf: (name) => name,
    resolved: (name) => name,
    has: async (name) => sources.has(name),
    async open(name, { maxBytes = mostFileBytes, signal, onProgress } = {}) {
      const what = `reading ${name}`;
      throwIfAborted(signal, what);
      const source = sources.get(name);
      if (!source) throw new RadarError("input", `${name}: can't read it: there is no such file`, { file: name, reason: "ENOENT" });
      const { size } = source;
      if (size > maxBytes) throw pathError(name, `at most ${maxBytes} bytes long`, `${size}`);
      return {
        name,
        size,
        close: async () => {},
        async read(at, length, { signal: heard = signal } = {}) {
          throwIfAborted(heard, what);
          const bytes = await source.read(at, length, heard ? { signal: heard } : {});
          if (bytes.length > 0) await callListener(() => onProgress?.((at + bytes.length) / size), "onProgress", heard, what);
          return bytes;
        },
      };
    },
    together: (_, read) => read(),
  };
}
