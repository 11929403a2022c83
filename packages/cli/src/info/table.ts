/** The table of everything that `dechirp info` knows. A new format is one row; rows are asked in this order. */
import { oneLine } from "@dechirp/core/internal";
import { CommandError } from "../errors.ts";
import { npy, perfect } from "./arrays.ts";
import { cphd } from "./cphd.ts";
import { foreign, unreadRadar } from "./foreign.ts";
import { gotcha } from "./histories.ts";
import { mat } from "./mat.ts";
import { png, tiff } from "./pictures.ts";
import type { InfoThing } from "./report.ts";
import { resultFolder, zarr } from "./results.ts";
import { radarsat, sceneFolder } from "./scenes.ts";
import { sicd } from "./sicd.ts";
import { type InfoRow, type Thing, thingAt } from "./thing.ts";

/** All rows. */
export const infoRows: readonly InfoRow[] = [
  sceneFolder,
  radarsat,
  cphd,
  sicd,
  gotcha,
  perfect,
  npy,
  zarr,
  resultFolder,
  tiff,
  png,
  unreadRadar,
  foreign,
  mat,
];

/** Says what is at a path. Throws `file` if it is of no known kind or damaged, and `aborted`. */
export async function describeThing(path: string, signal: AbortSignal): Promise<InfoThing> {
  const thing = await thingAt(path, signal);
  for (const row of infoRows) {
    if (!row.matches(thing)) continue;
    const found = await row.describe(thing);
    if (!found) continue;
    const { format, isRead, kind, name, bytes = thing.bytes, commands = [], notes = [], ...rest } = found;
    return { file: path, format, isRead, kind, ...(name !== undefined && { name }), bytes, ...rest, commands, notes };
  }
  const actual = lookOf(thing);
  const expected = "a recording, an image or a result in a format that dechirp knows";
  throw new CommandError("file", oneLine(`${path}: must be ${expected}, not ${actual}`), { file: path, expected, actual });
}

/** What an unknown thing looks like. */
function lookOf({ names, head, bytes }: Thing): string {
  if (names)
    return names.length === 0 ? "an empty folder" : `a folder with ${names.slice(0, 5).join(", ")}${names.length > 5 ? ", …" : ""}`;
  if (bytes === 0) return "an empty file";
  const first = head.subarray(0, 16);
  const isText = first.every((byte) => (byte >= 32 && byte < 127) || byte === 10 || byte === 13 || byte === 9);
  if (isText) return `a file that begins with ${JSON.stringify(String.fromCharCode(...first).trim())}`;
  return `a file that begins with the bytes ${Array.from(first, (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}
