/** Files that the user drops or chooses, by their paths below what was dropped. Folders are read with all folders in them. */

/** Files by their paths. */
export type Files = Readonly<Record<string, File>>;

/** The most files that are taken: a folder that was dropped by mistake may have any number. */
const mostFiles = 10_000;

/** Files of an input element, whose paths begin with the chosen folder if it is one. */
export const filesOfInput = (list: FileList | readonly File[]): Files =>
  Object.fromEntries([...list].slice(0, mostFiles).map((file) => [file.webkitRelativePath || file.name, file]));

/** Files of a drop. Call it in the event's handler, as browsers empty the list after that. */
export async function filesOfDrop({ items, files }: DataTransfer): Promise<Files> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  const loose = filesOfInput(files);
  if (entries.length === 0) return loose;
  const found: Record<string, File> = {};
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: Record<string, File>): Promise<void> {
  if (Object.keys(found).length >= mostFiles) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found[entry.fullPath.replace(/^\//, "")] = file;
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives some entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await collect(one, found);
  }
}
