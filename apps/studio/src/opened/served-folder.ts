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
}

/** The most files of a list. */
const mostFiles = 10_000;

function isList(value: unknown): value is Listed {
  const { format, files } = (value ?? {}) as { format?: unknown; files?: unknown };
  if (format !== "dechirp.files" || !Array.isArray(files) || files.length > mostFiles) return false;
  return files.every((file) => typeof file?.path === "string" && Number.isSafeInteger(file.bytes) && file.bytes >= 0);
}

/** The files of a folder by their paths in it. Rejects with `input` if the server lists none, and with `aborted`. */
export async function servedFolder(url: string, signal: AbortSignal): Promise<Readonly<Record<string, RandomAccess>>> {
  const answer = await ask(addressOf(url), {}, signal);
  let list: unknown;
  try {
    list = await answer.json();
  } catch (cause) {
    if (signal.aborted) throw new RadarError("aborted", "reading was cancelled", {}, cause);
  }
  if (!isList(list)) throw inputError("url", "the address of a file, or of a folder of dechirp studio, which lists its files", url);
  return Object.fromEntries(
    list.files.map(({ path, bytes }) => {
      const address = path.split("/").map(encodeURIComponent).join("/");
      // Its path can't lead to another server, which the user has not agreed to contact.
      return [path, onDemand(new URL(`./${address}`, url).href, bytes, signal)];
    }),
  );
}

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
