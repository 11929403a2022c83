/**
 * The files that the studio's server may hand out: the given files, and what is in the given folders. Each given file or folder has an address
 * `files/NAME`. The address of a folder, or of all together, ends with a slash and answers with a list of the files in it, as JSON. Nothing else
 * can be reached: no parent folders, no hidden files, no links that lead out of a given folder.
 */
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { blame, CommandError } from "../errors.ts";
import { statInput } from "../inputs.ts";

/** A given file or folder. */
interface Thing {
  /** As it was given. */
  readonly path: string;
  /** Its address relative to the studio's. */
  readonly url: string;
  /** Its name in addresses. */
  readonly name: string;
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
  for (const path of paths) {
    const facts = await statInput(path, "file or folder");
    const isFolder = facts.isDirectory();
    if (!isFolder && !facts.isFile()) throw new CommandError("file", `${path}: must be a file or a folder`, { file: path });
    const place = await readable(path);
    const name = freeName(basename(place), things);
    things.push({ path, name, place, isFolder, url: `files/${encodeURIComponent(name)}${isFolder ? "/" : ""}` });
  }
  const share: Share = {
    things,
    async file([first, ...rest]) {
      const thing = things.find(({ name }) => name === first);
      if (!thing || thing.isFolder !== rest.length > 0) return undefined;
      const place = thing.isFolder ? await inside(thing.place, rest) : thing.place;
      return place !== undefined && (await stat(place)).isFile() ? place : undefined;
    },
    async list([first, ...rest]) {
      const files: { path: string; bytes: number }[] = [];
      if (first === undefined) {
        for (const { name, place, isFolder } of things) {
          if (isFolder) await addFiles(place, place, `${name}/`, files);
          else files.push({ path: name, bytes: (await stat(place)).size });
        }
      } else {
        const thing = things.find(({ name, isFolder }) => isFolder && name === first);
        const place = thing && (await inside(thing.place, rest));
        if (!thing || place === undefined || !(await stat(place)).isDirectory()) return undefined;
        await addFiles(thing.place, place, "", files);
      }
      return { format: "dechirp.files", version: 1, files: files.sort((a, b) => (a.path < b.path ? -1 : 1)) };
    },
  };
  // So that a folder with too many files is an error at once.
  if (paths.length > 0) await share.list([]);
  return share;
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
function freeName(name: string, things: readonly Thing[]): string {
  const isTaken = (wanted: string): boolean => things.some((thing) => thing.name === wanted);
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
