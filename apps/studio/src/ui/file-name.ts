/** Names of files: of those that are opened, and of those that are saved, after the recording and the task, with nothing that a file system refuses. */

/** Endings that names of recordings have because they are names of files. */
const endings = /\.(cphd|mat|npy|bin|json|nitf|ntf|tiff?|h5)$/i;
/** The longest part of a name that is taken from a recording: most systems allow 255 bytes in all, and a letter may have four. */
const longest = 50;

/** The name `RECORDING-TASK.ENDING` of a file: `scene-focus.png`. */
export function fileNameOf(recording: string, task: string, ending: string): string {
  const safe = recording
    .normalize("NFC")
    .replace(endings, "")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[-.]+/, "");
  const stem = [...safe]
    .slice(0, longest)
    .join("")
    .replace(/[-.]+$/, "");
  return `${stem === "" ? "recording" : stem}-${task}.${ending}`;
}

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** What files are called that were opened together: the one folder that they are in, or else the largest of them, which has the data. */
export function nameOfFiles(files: Readonly<Record<string, { readonly size: number }>>): string {
  const paths = Object.keys(files);
  const [folder, ...others] = new Set(paths.map((path) => (path.includes("/") ? path.slice(0, path.indexOf("/")) : "")));
  if (folder && others.length === 0) return folder;
  const [first] = Object.entries(files).sort(([a, { size: x }], [b, { size: y }]) => y - x || (a < b ? -1 : 1));
  return nameOf(first?.[0] ?? "");
}
