/** Names of folders for the results of several inputs: those of the input folders, made different from each other on every file system. */
import { basename, resolve } from "node:path";

/** The longest name that usual file systems take. */
const mostBytes = 255;

/** What Windows forbids, and what steers terminals: control characters, halves of surrogate pairs, line breaks, directions of text. */
const forbidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_C}<>:"/\\|?*]+/gu;

/** Names that are devices on Windows, whatever stands behind a dot. */
const device = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i;

const bytes = (text: string): number => Buffer.byteLength(text);

/**
 * A name for each of `inputs`, which are paths of folders: the folder's own without characters that some file system
 * forbids, of at most 255 bytes, with -2, -3 and so on behind it where an earlier one is the same. Names that differ in case or in
 * Unicode normalisation only count as the same, as they do to many file systems.
 */
export function folderNames(inputs: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return inputs.map((input) => {
    const plain = plainName(basename(resolve(input)));
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

/** Without dots and spaces at its end, which Windows leaves out. */
function trimmed(name: string): string {
  let end = name.length;
  while (end > 0 && /[.\s]/.test(name[end - 1])) end--;
  return name.slice(0, end);
}

/** As many whole characters from the start as `most` bytes hold: what a reader takes for one, or a code point where that is longer. */
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

/** What equal names have in common where file systems do not tell cases and normalisations apart. */
const sameName = (name: string): string => name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKD");
