/**
 * Chooses folder names for the results of several inputs: the names of the input folders, or of other things such as channels, changed so
 * that they differ on every file system.
 */
import { basename, extname, resolve } from "node:path";

/** The longest name that common file systems accept. */
const mostBytes = 255;

/**
 * Characters that Windows forbids or that control terminals: control characters, halves of surrogate pairs, line breaks, text
 * directions.
 */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}<>:"/\\|?*]+/gu;

/** Names that are devices on Windows, whatever follows a dot. */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

const bytes = (text: string): number => Buffer.byteLength(text);

/** Chooses a name for each of `inputs`, which are paths of folders, as `distinctNames` does for the folders' own names. */
export const folderNames = (inputs: readonly string[]): readonly string[] => distinctNames(inputs.map((input) => basename(resolve(input))));

/** Chooses a name for each of `inputs`, which are paths of files or folders, as `distinctNames` does for their names without endings. */
export const productNames = (inputs: readonly string[]): readonly string[] =>
  distinctNames(inputs.map((input) => basename(resolve(input), extname(resolve(input)))));

/**
 * Chooses the name of a folder for each of `names`, which are any texts. It is the text without characters that some file
 * systems forbid, of at most 255 bytes, with -2, -3 and so on appended if an earlier name is equal. Names that differ only in case or
 * in Unicode normalisation count as equal, as they do on many file systems.
 */
export function distinctNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return names.map((given) => {
    const plain = plainName(given);
    let name = cut(plain, mostBytes);
    for (let i = 2; taken.has(sameName(name)); i++) name = `${cut(plain, mostBytes - bytes(`-${i}`))}-${i}`;
    taken.add(sameName(name));
    return name;
  });
}

function plainName(name: string): string {
  const plain = name.replace(forbidden, "-").replace(/^[.\s-]+/, "");
  const named = trimmed(plain) || "scene";
  return device.test(named) ? `_${named}` : named;
}

/** Removes dots and spaces at the end, which Windows ignores. */
function trimmed(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1])) end--;
  return name.slice(0, end);
}

/**
 * Cuts a name to at most `most` bytes without splitting a character (grapheme cluster). If the first character is longer than that,
 * splits it between code points.
 */
function cut(name: string, most: number): string {
  if (bytes(name) <= most) return name;
  const within = (parts: Iterable<string>): string => {
    let [text, size] = ["", 0];
    for (const part of parts) {
      size += bytes(part);
      if (size > most) break;
      text += part;
    }
    return trimmed(text);
  };
  return within(Array.from(new Intl.Segmenter().segment(name), ({ segment }) => segment)) || within(name);
}

/** Maps a name to a text that is equal for all names that some file system takes for the same. */
const sameName = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKD");
