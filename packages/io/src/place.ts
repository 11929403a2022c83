/**
 * Where a recording is: a file, or a folder of files, on a disk (node-place.ts) or in memory. What formats read, they read through this,
 * so that no format needs Node. First bytes and heads of variables are read once for each place, however many formats look at them.
 */
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { pathError } from "./file-error.ts";
import type { MatFile, MatHead } from "./mat-types.ts";
import { accessTo, type ByteSource, checkOptions, isBytes, type RandomAccess } from "./random-access.ts";

/**
 * Told of the share that is read, from 0 to 1 and never falling; awaited. Where it throws or rejects, reading fails with `failed`, whose cause is
 * what it threw.
 */
export type OnProgress = (share: number) => void;

/** The most bytes of one file that is read where the caller says nothing: 4 GiB. */
export const mostFileBytes = 2 ** 32;

/** Options that every reader of recordings has. */
export interface ReadFilesOptions {
  /** The most bytes of one file, and of what one MAT-file inflates to; 4 GiB and 1 GiB where left out. */
  readonly maxBytes?: number;
  /** Ends the work: the reader rejects with `aborted` within some tens of milliseconds. */
  readonly signal?: AbortSignal;
  /** Of the bytes of all files; that they are parsed takes time of its own. */
  readonly onProgress?: OnProgress;
}

/** A file, or a folder of files. */
export interface Place {
  /** As it was given; messages begin with it. */
  readonly path: string;
  /** Last part of the path. */
  readonly name: string;
  /** Sorted names of the folder's files; left out where the place is a file. */
  readonly names?: readonly string[];
  /** Path of a file in the folder, or beside the file that this is. `name` may begin with `../`. */
  pathOf(name: string): string;
  /** The same text for all paths of one file. */
  resolved(path: string): string;
  /** Whether there is a file at a path. */
  has(path: string): Promise<boolean>;
  /** Opens the file at a path. Close it. Rejects with `input` where there is none or it is longer than `maxBytes`; with `aborted`. */
  open(path: string, options?: ReadFilesOptions): Promise<RandomAccess>;
  /** What `read` makes of several files of one result, `first` among them: read again where another result takes their place meanwhile. */
  together<T>(first: string, read: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Whether the place is a folder. */
export const isFolder = (place: Place): place is Place & { readonly names: readonly string[] } => place.names !== undefined;

/** Opens the file at a path of the place, hands it over, and closes it. */
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

/** `signal` alone, where there is one. */
export const hearing = ({ signal }: ReadFilesOptions): { readonly signal?: AbortSignal } => (signal ? { signal } : {});

/** `maxBytes` and `signal`, where they are given. */
export const boundsOf = ({ maxBytes, signal }: ReadFilesOptions): Omit<ReadFilesOptions, "onProgress"> => ({
  ...hearing(signal ? { signal } : {}),
  ...(maxBytes === undefined ? {} : { maxBytes }),
});

/** Of several files, one after another: what to tell while the file `i` of `count` is read. */
export const partOf = (onProgress: OnProgress | undefined, i: number, count: number): { readonly onProgress?: OnProgress } =>
  onProgress ? { onProgress: (share) => onProgress((i + share) / count) } : {};

/** The MAT-file at a path of the place. */
export async function readMatOf(place: Place, path: string, options: ReadFilesOptions): Promise<MatFile> {
  const { readMat } = await import("./mat.ts");
  return withFileOf(place, path, options, (access) => readMat(access, { file: path, ...boundsOf(options) }));
}

/** Of a file, so many bytes at its beginning tell apart what is read here: the header of a .npy file has the most. */
const headBytes = 8192;

const heads = new WeakMap<Place, Promise<Uint8Array>>();
const matHeads = new WeakMap<Place, Promise<readonly MatHead[]>>();

/** What `make` answers, made once for each place; again where it has failed. */
function once<T>(made: WeakMap<Place, Promise<T>>, place: Place, make: () => Promise<T>): Promise<T> {
  const known = made.get(place);
  if (known) return known;
  const making = make();
  made.set(place, making);
  making.catch(() => made.delete(place));
  return making;
}

/** The first bytes of the file that the place is. */
export const headOf = (place: Place, options: ReadFilesOptions): Promise<Uint8Array> =>
  once(heads, place, () => withFileOf(place, place.path, boundsOf(options), (file) => file.read(0, Math.min(file.size, headBytes))));

/** What the variables of the MAT-file that the place is state before their values. */
export const matHeadsOf = (place: Place, options: ReadFilesOptions): Promise<readonly MatHead[]> =>
  once(matHeads, place, async () => {
    const { readMatHeads } = await import("./mat.ts");
    return withFileOf(place, place.path, boundsOf(options), (access) => readMatHeads(access, { file: place.path, ...hearing(options) }));
  });

/** Whether a file begins as a .npy file does. */
export const isNpy = (head: Uint8Array): boolean => head[0] === 0x93 && String.fromCharCode(...head.subarray(1, 6)) === "NUMPY";

/** Whether a file begins as a MAT-file of version 4 or 5 does. */
export function isMat(head: Uint8Array): boolean {
  if (head.length < 20) return false;
  const order = String.fromCharCode(head[126], head[127]);
  if ((order === "IM" && head[125] === 1 && head[124] === 0) || (order === "MI" && head[124] === 1 && head[125] === 0)) return true;
  const view = new DataView(head.buffer, head.byteOffset, 20);
  // Type MOPT of version 4, of either byte order, in a plausible header.
  return [true, false].some((little) => {
    const [type, rows, columns, imaginary, name] = [0, 4, 8, 12, 16].map((at) => view.getInt32(at, little));
    const digits = Math.floor(type / 100) % 10 === 0 && Math.floor(type / 10) % 10 < 6 && type % 10 < 3;
    return type >= 0 && type < 5000 && digits && rows >= 0 && columns >= 0 && (imaginary === 0 || imaginary === 1) && name >= 1;
  });
}

/** What `placeOf` is told of files in memory. */
export interface PlaceOptions {
  /** Which of the files the place is; the folder of them all where left out. */
  readonly file?: string;
  /** Name of the folder, for messages. */
  readonly path?: string;
}

/** What a file in memory is read from. What `read` answers with is a copy, which readers may change. */
function sourceOf(source: ByteSource | Blob, field: string): Pick<RandomAccess, "size" | "read"> {
  if (Object.prototype.toString.call(source) === "[object Blob]" || Object.prototype.toString.call(source) === "[object File]") {
    const blob = source as Blob;
    return { size: blob.size, read: async (at, length) => new Uint8Array(await blob.slice(at, at + length).arrayBuffer()) };
  }
  if (isBytes(source)) return { size: source.length, read: async (at, length) => source.slice(at, at + length) };
  return accessTo(source as RandomAccess, field);
}

/**
 * Files in memory or in a page (`Blob`, and so `File`) as a place: a folder of those names, or one of the files. Throws `input`, naming the field,
 * for wrong arguments.
 */
export function placeOf(files: Readonly<Record<string, ByteSource | Blob>>, options: PlaceOptions = {}): Place {
  if (typeof files !== "object" || files === null || Array.isArray(files)) throw inputError("files", "files by their names", files);
  const { file, path = "files" } = checkOptions(options, { file: true, path: true }, "placeOf");
  if (typeof path !== "string") throw inputError("path", "a name, a text", path);
  const names = Object.keys(files).sort();
  const sources = new Map(names.map((name) => [name, sourceOf(files[name], `files[${JSON.stringify(name)}]`)]));
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
