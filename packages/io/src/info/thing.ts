/** A file or folder that `describePlace` looks at, and the type of the rows of its table. Files are opened by ranges. */
import type { ImagePlacement } from "@dechirp/radar";
import type { Vector3 } from "@dechirp/radar/geodesy";
import { foreignBytes } from "../foreign.ts";
import { isFolder, type Place, withFileOf } from "../place.ts";
import type { RandomAccess } from "../random-access.ts";
import type { InfoThing } from "./report.ts";

/** Where the pixels of an image are on the ground. */
export interface GroundGeometry {
  /** The Earth-fixed position at a height above the ellipsoid that a pixel shows, or undefined if it shows none. */
  toGround(row: number, column: number, heightMeters: number): Vector3 | undefined;
}

/** Options of `describePlace`. */
export interface DescribeOptions {
  /** Cancels the work: `describePlace` rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * Makes the geometry of an image of `rows` rows: `createImageGeometry` of `@dechirp/sar/geocoding`, or a function that loads it. Without
   * it, the places of scenes with an orbit and of images that state a placement are not computed, and a note says so.
   */
  readonly geometry?: (placement: ImagePlacement, rows: number) => GroundGeometry | Promise<GroundGeometry>;
}

/** A file or folder with what can be known of it at once. */
export interface Thing {
  readonly place: Place;
  /** The path as it was given. */
  readonly path: string;
  /** Sorted names in the folder. Absent if it is a file. */
  readonly names?: readonly string[];
  /** Bytes of the file, or of all files that are directly in the folder. */
  readonly bytes: number;
  /** The first bytes of the file, 64 KiB and a few at most. Empty for a folder. */
  readonly head: Uint8Array;
  /** Options of everything that reads. */
  readonly reading: Pick<DescribeOptions, "signal">;
  readonly geometry: DescribeOptions["geometry"];
}

/** What a row says of a thing: everything but its path. */
export type Description = Omit<InfoThing, "file" | "bytes" | "commands" | "notes"> &
  Partial<Pick<InfoThing, "bytes" | "commands" | "notes">>;

/** A kind of thing. Rows are asked one after another, and the first that answers describes the thing. */
export interface InfoRow {
  /** Name of the kind, for the order of the table and its tests. */
  readonly name: string;
  /** Whether the thing is of the kind, by its names and first bytes. */
  matches(thing: Thing): boolean;
  /** Describes it. Undefined if a closer look shows that it is something else. Rejects with `input` if it is damaged. */
  describe(thing: Thing): Promise<Description | undefined>;
}

/** Looks at a place. Rejects with `input` if it can't be read, and with `aborted`. */
export async function thingAt(place: Place, { signal, geometry }: DescribeOptions): Promise<Thing> {
  const { path } = place;
  const reading = signal ? { signal } : {};
  const common = { place, path, reading, geometry };
  if (isFolder(place)) {
    const { names } = place;
    let bytes = 0;
    for (const name of names) if (await place.has(place.pathOf(name))) bytes += await sizeOf(place, place.pathOf(name), reading);
    return { ...common, names, bytes, head: new Uint8Array(0) };
  }
  return withFileOf(place, path, { ...reading, maxBytes: Number.POSITIVE_INFINITY }, async (file) => ({
    ...common,
    bytes: file.size,
    head: await file.read(0, Math.min(file.size, foreignBytes)),
  }));
}

/** Bytes of a file in a folder. A file that can't be read counts as empty. */
async function sizeOf(place: Place, path: string, reading: Thing["reading"]): Promise<number> {
  const file = await place.open(path, { ...reading, maxBytes: Number.POSITIVE_INFINITY }).catch(() => undefined);
  await file?.close();
  return file?.size ?? 0;
}

/** Opens the file that the thing is, passes it to `work` and closes it. */
export const withFile = <T>({ place, path, reading }: Thing, work: (file: RandomAccess) => Promise<T>): Promise<T> =>
  withFileOf(place, path, { ...reading, maxBytes: Number.POSITIVE_INFINITY }, work);

/** The last part of the thing's path. */
export const nameOf = ({ place }: Thing): string => place.name.split(/[\\/]/).at(-1) ?? "";

/** Whether the file begins with these bytes, as Latin-1 text. */
export function begins({ head }: Thing, text: string, at = 0): boolean {
  return head.length >= at + text.length && Array.from(text).every((letter, i) => head[at + i] === letter.charCodeAt(0));
}

/** Quotes a word of a command line where a shell needs it. */
export const quoted = (word: string): string => (/^[\w./:=,+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
