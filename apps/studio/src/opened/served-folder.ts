/**
 * A folder on a server that lists its files, as that of `dechirp studio` does: its address ends with a slash and answers with a list as JSON. A
 * file is opened when it is first read.
 */
import { inputError, RadarError } from "@dechirp/core";
import { openUrl, type RandomAccess } from "@dechirp/io";
import { addressOf, ask } from "./reach.ts";

/** A list as `FileList` of the command describes it. */
interface Listed {
  readonly format: "dechirp.files";
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** Where files are on the disk of the server's machine. */
  readonly places?: readonly { readonly path: string; readonly place: string }[];
}

/** The most files of a list. */
const mostFiles = 10_000;

function isList(value: unknown): value is Listed {
  const { format, files, places = [] } = (value ?? {}) as { format?: unknown; files?: unknown; places?: unknown };
  if (format !== "dechirp.files" || !Array.isArray(files) || files.length > mostFiles || !Array.isArray(places)) return false;
  if (!places.every((one) => typeof one?.path === "string" && typeof one.place === "string")) return false;
  return files.every((file) => typeof file?.path === "string" && Number.isSafeInteger(file.bytes) && file.bytes >= 0);
}

/** A folder on a server. */
interface ServedFolder {
  /** Files by their paths in the folder. */
  readonly files: Readonly<Record<string, RandomAccess>>;
  readonly addressOf: (path: string) => string;
  /** Path on the disk of this machine, if the folder is served by `dechirp studio`, as the page is. */
  readonly diskOf: ((path: string) => string | undefined) | undefined;
}

async function listAt(url: string, signal: AbortSignal): Promise<Listed | undefined> {
  const answer = await ask(addressOf(url), {}, signal);
  try {
    const list: unknown = await answer.json();
    return isList(list) ? list : undefined;
  } catch (cause) {
    if (signal.aborted) throw new RadarError("aborted", "reading was cancelled", {}, cause);
    return undefined;
  }
}

/** Reads the list of a folder. Rejects with `input` if the server has none, and with `aborted`. */
export async function servedFolder(url: string, signal: AbortSignal): Promise<ServedFolder> {
  const list = await listAt(url, signal);
  if (!list) throw inputError("url", "the address of a file, or of a folder of dechirp studio, which lists its files", url);
  // A path can't lead to another server, which the user has not agreed to contact.
  const fileAddress = (path: string): string => new URL(`./${path.split("/").map(encodeURIComponent).join("/")}`, url).href;
  return {
    files: Object.fromEntries(list.files.map(({ path, bytes }) => [path, onDemand(fileAddress(path), bytes, signal)])),
    addressOf: fileAddress,
    diskOf: isOfCommand(url) ? diskIn(list) : undefined,
  };
}

/** Where files are on the disk beside a file that is served by `dechirp studio`. Undefined if something else serves it. Rejects with `aborted`. */
export async function diskBeside(url: string, signal: AbortSignal): Promise<ServedFolder["diskOf"]> {
  const list = isOfCommand(url) ? await listAt(new URL("./", url).href, signal) : undefined;
  return list && diskIn(list);
}

/** Whether `dechirp studio` serves the address. It serves this page, too, and the address ends with it. */
function isOfCommand(url: string): boolean {
  const { origin, hostname, pathname } = new URL(url);
  return origin === location.origin && /^(127\.0\.0\.1|localhost)$/.test(hostname) && pathname.startsWith("/files/");
}

const diskIn =
  ({ places = [] }: Listed) =>
  (path: string): string | undefined => {
    const found = places.find((one) => one.path === "" || path === one.path || path.startsWith(`${one.path}/`));
    if (!found) return undefined;
    const rest = found.path === "" ? path : path.slice(found.path.length + 1);
    return rest === "" ? found.place : `${found.place}/${rest}`;
  };

function onDemand(url: string, size: number, signal: AbortSignal): RandomAccess {
  let opened: Promise<RandomAccess> | undefined;
  return {
    name: url,
    size,
    read: async (...given) => {
      opened ??= openUrl(url, { signal });
      return (await opened).read(...given);
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}
