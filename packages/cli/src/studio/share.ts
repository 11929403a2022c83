/**
 * The files that the studio's server may hand out: the given files, what is in the given folders, and single files outside of a given folder that the
 * readers of recordings look for, such as the AGC file above a RADARSAT-1 scene. Each given file or folder has an address `files/NAME`. The address of
 * a folder, or of all together, ends with a slash and answers with a list of the files in it, as JSON. Nothing else can be reached: no parent
 * folders, no hidden files, no links that lead out of a given folder.
 */
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { blame, CommandError } from "../errors.ts";
import { statInput } from "../inputs.ts";

/** A given file or folder. */
interface Thing {
  /** As it was given. */
  readonly path: string;
  /** The address that opens it, relative to the studio's. */
  readonly url: string;
}

/** A file or folder that can be reached. */
interface Mount {
  /** Names of folders and its own name in addresses, below `files/`. */
  readonly names: readonly string[];
  /** Its path on the disk. */
  readonly path: string;
  /** Its place without links. */
  readonly place: string;
  readonly isFolder: boolean;
}

/** The list of the files of a folder, as JSON. */
export interface FileList {
  readonly format: "dechirp.files";
  readonly version: 1;
  /** Paths relative to the list's own address, with `/` between folders, sorted; and sizes in bytes. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Where files are on the disk: what a path begins with, or is, and the absolute path that it stands for. */
  readonly places: readonly { readonly path: string; readonly place: string }[];
}

/** What may be handed out. */
export interface Share {
  readonly things: readonly Thing[];
  /** The place of the file at a path below `files/`, split and decoded. Undefined if there is none, or if it may not be read. */
  file(path: readonly string[]): Promise<string | undefined>;
  /** The list of a folder, or of all if `path` is empty. Undefined if there is no such folder. */
  list(path: readonly string[]): Promise<FileList | undefined>;
}

/** The most files that a list has. A folder with more is no recording, but perhaps a home folder. */
const mostFiles = 10_000;

/** Checks the given paths. Throws `file` if one does not exist or can't be read. */
export async function shareOf(paths: readonly string[]): Promise<Share> {
  const things: Thing[] = [];
  const mounts: Mount[] = [];
  for (const path of paths) {
    const facts = await statInput(path, "file or folder");
    const isFolder = facts.isDirectory();
    if (!isFolder && !facts.isFile()) throw new CommandError("file", `${path}: must be a file or a folder`, { file: path });
    const given = { path: resolve(path), place: await readable(path), isFolder };
    const others = isFolder ? await filesAbove(given) : [];
    // The files above and the given folder are in one folder of the addresses, as they are on the disk.
    const top = others.reduce((highest, file) => (dirname(file).length < highest.length ? dirname(file) : highest), given.path);
    const isAlone = others.length === 0;
    const name = freeName(basename(isAlone ? given.place : top) || "files", mounts);
    const namesOf = (below: string): readonly string[] => [name, ...relative(top, below).split(sep).filter(Boolean)];
    mounts.push({ ...given, names: namesOf(given.path) });
    for (const file of others) mounts.push({ path: file, place: await readable(file), isFolder: false, names: namesOf(file) });
    things.push({ path, url: `files/${encodeURIComponent(name)}${isFolder ? "/" : ""}` });
  }
  // So that a folder with too many files is an error at once.
  if (paths.length > 0) await listOf(mounts, []);
  return { things, list: (path) => listOf(mounts, path), file: (path) => fileOf(mounts, path) };
}

async function fileOf(mounts: readonly Mount[], path: readonly string[]): Promise<string | undefined> {
  for (const { names, place, isFolder } of mounts) {
    if (!begins(path, names) || isFolder !== path.length > names.length) continue;
    const found = isFolder ? await inside(place, path.slice(names.length)) : place;
    return found !== undefined && (await stat(found)).isFile() ? found : undefined;
  }
  return undefined;
}

async function listOf(mounts: readonly Mount[], path: readonly string[]): Promise<FileList | undefined> {
  const files: { path: string; bytes: number }[] = [];
  const places: { path: string; place: string }[] = [];
  for (const { names, path: own, place, isFolder } of mounts) {
    const rest = path.slice(names.length);
    if (begins(names, path) && (isFolder || path.length < names.length)) {
      const below = names.slice(path.length).join("/");
      places.push({ path: below, place: slashed(own) });
      if (isFolder) await addFiles(place, place, below === "" ? "" : `${below}/`, files);
      else files.push({ path: below, bytes: (await stat(place)).size });
    } else if (isFolder && begins(path, names)) {
      const found = await inside(place, rest);
      if (found === undefined || !(await stat(found)).isDirectory()) continue;
      places.push({ path: "", place: slashed(join(own, ...rest)) });
      await addFiles(place, found, "", files);
    }
  }
  if (places.length === 0 && path.length > 0) return undefined;
  return { format: "dechirp.files", version: 1, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), places };
}

/** A path with `/` between folders, which all systems understand. */
const slashed = (path: string): string => path.split(sep).join("/");

/** Whether `path` begins with all of `names`. */
const begins = (path: readonly string[], names: readonly string[]): boolean =>
  path.length >= names.length && names.every((name, i) => path[i] === name);

/** Files outside of a given folder that the readers of the recordings in it look for. */
async function filesAbove({ path, place }: Pick<Mount, "path" | "place">): Promise<readonly string[]> {
  const [{ formats }, { placeAt }] = await Promise.all([import("@dechirp/io/formats"), import("@dechirp/io/node")]);
  const files: { path: string; bytes: number }[] = [];
  await addFiles(place, place, "", files);
  const found = new Set<string>();
  for (const folder of new Set(files.map((file) => dirname(file.path)))) {
    const there = await placeAt(join(path, folder));
    for (const { detect, fileOptions } of formats) {
      if (!fileOptions || (await detect(there, {})) !== "yes") continue;
      for (const file of Object.values(await fileOptions(there)))
        if (typeof file === "string" && relative(path, file).startsWith(`..${sep}`)) found.add(file);
    }
  }
  return [...found];
}

/** The place of a path without links. Throws `file` if it can't be read. */
async function readable(path: string): Promise<string> {
  try {
    await access(path, constants.R_OK);
    return await realpath(path);
  } catch (error) {
    const { systemError } = await import("@dechirp/io/node");
    return blame("file", undefined, () => {
      throw systemError(path, "read it", error);
    });
  }
}

/** The name, or the name with a number if another thing has it already. */
function freeName(name: string, mounts: readonly Mount[]): string {
  const isTaken = (wanted: string): boolean => mounts.some(({ names }) => names[0] === wanted);
  let free = name;
  for (let i = 2; isTaken(free); i++) free = `${name}-${i}`;
  return free;
}

/** The place of a path in a folder, without links. Undefined if nothing is there, or if it is hidden or outside. */
async function inside(folder: string, path: readonly string[]): Promise<string | undefined> {
  if (path.some((name) => name === "" || name.startsWith(".") || /[/\\\0]/.test(name))) return undefined;
  try {
    const place = await realpath(join(folder, ...path));
    return place === folder || place.startsWith(folder.endsWith(sep) ? folder : folder + sep) ? place : undefined;
  } catch {
    return undefined;
  }
}

/** Adds the files that can be read of a folder and the folders in it. Links to folders are not followed, as they may lead back. */
async function addFiles(root: string, folder: string, prefix: string, files: { path: string; bytes: number }[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const place = await inside(root, [...folder.slice(root.length).split(sep).filter(Boolean), entry.name]);
    if (place === undefined) continue;
    const facts = await stat(place);
    if (entry.isDirectory()) await addFiles(root, join(folder, entry.name), `${prefix}${entry.name}/`, files);
    else if (facts.isFile()) files.push({ path: prefix + entry.name, bytes: facts.size });
    if (files.length > mostFiles)
      throw new CommandError("file", `${root}: has more than ${mostFiles} files; give the folder of one recording`, { file: root });
  }
}
