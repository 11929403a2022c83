/** The table of everything that `describePlace` knows. A new format is one row; rows are asked in this order. */
import { inputError } from "@dechirp/core";
import { pathError } from "../file-error.ts";
import type { Place } from "../place.ts";
import { checkOptions } from "../random-access.ts";
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
import { type DescribeOptions, type InfoRow, type Thing, thingAt } from "./thing.ts";

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

/**
 * Says what a file or folder is, by its names and first bytes, and then by its headers: recordings, images, results of dechirp, pictures, and
 * other radar formats, which are named. Code of a format is loaded when something is of that format. Rejects with `input` if it is of no known
 * kind, damaged or unreadable, or if an argument is wrong; and with `aborted`.
 */
export async function describePlace(place: Place, options: DescribeOptions = {}): Promise<InfoThing> {
  if (typeof place?.open !== "function" || typeof place.path !== "string") throw inputError("place", "a place as made by placeOf", place);
  const { geometry } = checkOptions(options, { signal: true, geometry: true }, "describePlace");
  if (geometry !== undefined && typeof geometry !== "function")
    throw inputError("geometry", "a function that makes the geometry of an image", geometry);
  const thing = await thingAt(place, options);
  for (const row of infoRows) {
    if (!row.matches(thing)) continue;
    const found = await row.describe(thing);
    if (!found) continue;
    const { format, isRead, kind, name, bytes = thing.bytes, commands = [], notes = [], ...rest } = found;
    return { file: thing.path, format, isRead, kind, ...(name !== undefined && { name }), bytes, ...rest, commands, notes };
  }
  throw pathError(thing.path, "a recording, an image or a result in a format that dechirp knows", lookOf(thing));
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
