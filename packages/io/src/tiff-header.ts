/**
 * What a TIFF or BigTIFF file says of its images without their pixels: sizes, types, tiles, overviews, and the place on earth of a GeoTIFF.
 * Only directories are read, by ranges, and only the values of the tags that are used here; no number of the file determines how much.
 * Sources: TIFF revision 6.0 (Adobe, 1992), section 2; BigTIFF design of libtiff; OGC GeoTIFF standard 19-008r4.
 */
import { createPause } from "@dechirp/core";
import { fileError } from "./file-error.ts";
import { accessTo, type ByteSource, checkOptions, type RandomAccess, type ReadOptions, readExactly } from "./random-access.ts";

/** An image of a TIFF file: the image itself, an overview, or a mask. */
export interface TiffImage {
  readonly rows: number;
  readonly columns: number;
  /** Whether it is an overview of the image before it. */
  readonly isOverview: boolean;
  /** Numbers of a pixel. */
  readonly samples: number;
  /** Type of a number: `uint8`, `int16`, `float32`, `complex64`, …; `unknown` for a combination that is not known. */
  readonly type: string;
  /** Rows and columns of a tile. Absent if the image is in strips. */
  readonly tile?: readonly [rows: number, columns: number];
  /** Name of the compression, or its number: `none`, `deflate`, `lzw`, `packbits`, `jpeg`, `zstd`, … */
  readonly compression: string;
}

/** Where a GeoTIFF is on earth. */
export interface TiffPlace {
  /** Whether coordinates are those of a map or longitudes and latitudes in degrees. `other` if the file does not say. */
  readonly model: "projected" | "geographic" | "other";
  /** Code of the map or of the coordinates. Absent if the file defines them by itself or says nothing. */
  readonly epsg?: number;
  /** Centre of an orthographic map of the WGS 84 ellipsoid, which is a local tangent plane. */
  readonly orthographic?: { readonly latitudeDegrees: number; readonly longitudeDegrees: number };
  /** Text of the file about its map. */
  readonly citation?: string;
  /**
   * Map coordinates of a pixel's corner: x = a·column + b·row + c, y = d·column + e·row + f, with (0, 0) the outer corner of the first pixel.
   * Absent if the file has control points instead.
   */
  readonly transform?: readonly [a: number, b: number, c: number, d: number, e: number, f: number];
  /** Control points, in pixels from the outer corner of the first one and in coordinates of the map. Absent if there is a transform. */
  readonly controlPoints?: readonly { readonly column: number; readonly row: number; readonly x: number; readonly y: number }[];
}

/** What a TIFF file says of its images. */
export interface TiffHeader {
  readonly isBig: boolean;
  /** The first image of the file, then the others in its order. */
  readonly images: readonly TiffImage[];
  readonly place?: TiffPlace;
}

/** Bytes of one value by the code of the type. */
const valueBytes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 4, 6: 1, 7: 1, 8: 2, 9: 4, 11: 4, 12: 8, 13: 4, 16: 8, 17: 8 };
const [mostDirectories, mostFields, mostValues] = [64, 4096, 65536] as const;
/** Tags whose values are read: sizes, types, tiles, place. */
const wanted = new Set([254, 256, 257, 258, 259, 277, 322, 323, 339, 33550, 33922, 34264, 34735, 34736, 34737]);
const compressions: Readonly<Record<number, string>> = {
  1: "none",
  5: "lzw",
  6: "jpeg",
  7: "jpeg",
  8: "deflate",
  32773: "packbits",
  32946: "deflate",
  34887: "lerc",
  34925: "lzma",
  50000: "zstd",
  50001: "webp",
};
const sampleNames = ["uint", "uint", "int", "float", "unknown", "cint", "complex"] as const;

type Fields = ReadonlyMap<number, readonly number[]>;

/**
 * Reads the directories of a TIFF or BigTIFF file. Rejects with `input`, which names the byte, if the file is no TIFF, is cut short, or has
 * directories that follow each other in a circle; and with `aborted`.
 */
export async function readTiffHeader(source: ByteSource, options: ReadOptions): Promise<TiffHeader> {
  const { file, signal } = checkOptions(options, { file: true, signal: true }, "readTiffHeader", ["file"]);
  const access = accessTo(source, "source", file);
  const pause = createPause(`reading ${file}`, signal);
  await pause();
  const head = await access.read(0, Math.min(access.size, 16), signal ? { signal } : {});
  const order = String.fromCharCode(head[0], head[1]);
  const little = order === "II";
  const reader: Reader = { access, file, little, isBig: false, ...(signal && { signal }) };
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  const version = head.length >= 8 ? view.getUint16(2, little) : 0;
  if (!((little || order === "MM") && (version === 42 || version === 43)))
    throw fileError(file, 0, "the first bytes of a TIFF file", order);
  const isBig = version === 43;
  if (isBig && head.length < 16) throw fileError(file, head.length, "a BigTIFF header of 16 bytes", "the end of the file");
  const images: TiffImage[] = [];
  let place: TiffPlace | undefined;
  const seen = new Set<number>();
  for (let at = isBig ? wide(view, 8, little) : view.getUint32(4, little); at !== 0; ) {
    await pause();
    if (seen.has(at)) throw fileError(file, at, "a directory that is not one of those before it", "the same one again");
    if (seen.size >= mostDirectories) break;
    seen.add(at);
    const { fields, next } = await directoryAt({ ...reader, isBig }, at);
    images.push(imageOf(fields, file, at));
    place ??= placeOfFields(fields);
    at = next;
  }
  if (images.length === 0) throw fileError(file, 4, "the position of a directory", "0");
  return { isBig, images, ...(place && { place }) };
}

interface Reader {
  readonly access: RandomAccess;
  readonly file: string;
  readonly little: boolean;
  readonly isBig: boolean;
  readonly signal?: AbortSignal;
}

const wide = (view: DataView, at: number, little: boolean): number => Number(view.getBigUint64(at, little));

async function bytesAt({ access, file, signal }: Reader, at: number, length: number): Promise<DataView> {
  if (!(Number.isSafeInteger(at) && at >= 8 && at + length <= access.size))
    throw fileError(file, Number.isSafeInteger(at) ? at : 4, `${length} bytes inside the file`, `a file of ${access.size} bytes`);
  const bytes = await readExactly(access, file, at, length, signal);
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

async function directoryAt(reader: Reader, at: number): Promise<{ readonly fields: Fields; readonly next: number }> {
  const { file, little, isBig } = reader;
  const [countBytes, entryBytes, inline] = isBig ? [8, 20, 8] : [2, 12, 4];
  const counted = await bytesAt(reader, at, countBytes);
  const count = isBig ? wide(counted, 0, little) : counted.getUint16(0, little);
  if (!(count >= 1 && count <= mostFields)) throw fileError(file, at, `1 to ${mostFields} fields of a directory`, count);
  const table = await bytesAt(reader, at + countBytes, count * entryBytes + inline);
  const fields = new Map<number, readonly number[]>();
  for (let i = 0; i < count; i++) {
    const entry = i * entryBytes;
    const [tag, type] = [table.getUint16(entry, little), table.getUint16(entry + 2, little)];
    const values = isBig ? wide(table, entry + 4, little) : table.getUint32(entry + 4, little);
    const size = valueBytes[type];
    if (!wanted.has(tag) || size === undefined || !(values >= 1 && values <= mostValues)) continue;
    const own = entry + (isBig ? 12 : 8);
    const length = values * size;
    const there = length <= inline;
    const from = there ? own : isBig ? wide(table, own, little) : table.getUint32(own, little);
    const view = there ? table : await bytesAt(reader, from, length);
    fields.set(
      tag,
      Array.from({ length: values }, (_, k) => numberAt(view, (there ? from : 0) + k * size, type, little)),
    );
  }
  const end = count * entryBytes;
  return { fields, next: isBig ? wide(table, end, little) : table.getUint32(end, little) };
}

function numberAt(view: DataView, at: number, type: number, little: boolean): number {
  if (type === 3) return view.getUint16(at, little);
  if (type === 8) return view.getInt16(at, little);
  if (type === 4 || type === 13) return view.getUint32(at, little);
  if (type === 9) return view.getInt32(at, little);
  if (type === 11) return view.getFloat32(at, little);
  if (type === 12) return view.getFloat64(at, little);
  if (type === 16) return wide(view, at, little);
  if (type === 17) return Number(view.getBigInt64(at, little));
  return type === 6 ? view.getInt8(at) : view.getUint8(at);
}

function imageOf(fields: Fields, file: string, at: number): TiffImage {
  const one = (tag: number, usual: number): number => fields.get(tag)?.[0] ?? usual;
  const [rows, columns] = [one(257, 0), one(256, 0)];
  if (!(rows >= 1 && columns >= 1)) throw fileError(file, at, "a directory with the size of an image", `${rows} × ${columns}`);
  const [bits, format, code] = [one(258, 1), one(339, 1), one(259, 1)];
  const name = sampleNames[format] ?? "unknown";
  return {
    rows,
    columns,
    isOverview: (one(254, 0) & 1) === 1,
    samples: one(277, 1),
    type: name === "unknown" ? name : `${name}${bits}`,
    ...(fields.has(322) && fields.has(323) && { tile: [one(323, 0), one(322, 0)] as const }),
    compression: compressions[code] ?? `${code}`,
  };
}

function placeOfFields(fields: Fields): TiffPlace | undefined {
  const [keys, scale, ties, matrix] = [34735, 33550, 33922, 34264].map((tag) => fields.get(tag));
  if (!keys && !ties && !matrix) return undefined;
  const key = new Map<number, number>();
  for (let i = 4; keys && i + 3 < keys.length; i += 4) {
    const [id, where, , value] = keys.slice(i, i + 4);
    const stored = where === 0 ? value : where === 34736 ? fields.get(34736)?.[value] : undefined;
    if (stored !== undefined) key.set(id, stored);
  }
  const model = key.get(1024) === 1 ? "projected" : key.get(1024) === 2 ? "geographic" : "other";
  const code = key.get(model === "geographic" ? 2048 : 3072);
  const [latitude, longitude] = [key.get(3089), key.get(3088)];
  // 32767 is a map that the file defines; 21 is the orthographic projection.
  const isOrthographic = key.get(3075) === 21 && latitude !== undefined && longitude !== undefined;
  const citation = String.fromCharCode(...(fields.get(34737) ?? []).slice(0, 256))
    .replace(/[|\0].*$/s, "")
    .trim();
  // If keys say that coordinates are those of a pixel's centre, its corner is half a pixel before.
  const half = key.get(1025) === 2 ? 0.5 : 0;
  const transform = transformOf(scale, ties, matrix, half);
  const points = Array.from({ length: Math.floor((ties?.length ?? 0) / 6) }, (_, i) => (ties as readonly number[]).slice(6 * i, 6 * i + 6));
  return {
    model,
    ...(code !== undefined && code < 32767 && { epsg: code }),
    ...(isOrthographic && { orthographic: { latitudeDegrees: latitude, longitudeDegrees: longitude } }),
    ...(citation !== "" && { citation }),
    ...(transform
      ? { transform }
      : points.length > 1 && { controlPoints: points.map(([column, row, , x, y]) => ({ column: column + half, row: row + half, x, y })) }),
  };
}

function transformOf(
  scale: readonly number[] | undefined,
  ties: readonly number[] | undefined,
  matrix: readonly number[] | undefined,
  half: number,
): TiffPlace["transform"] {
  const shifted = (a: number, b: number, c: number, d: number, e: number, f: number) =>
    [a, b, c - half * (a + b), d, e, f - half * (d + e)] as const;
  if (matrix && matrix.length >= 8) return shifted(matrix[0], matrix[1], matrix[3], matrix[4], matrix[5], matrix[7]);
  if (!scale || !ties || scale.length < 2 || ties.length < 6) return undefined;
  const [column, row, , x, y] = ties;
  return shifted(scale[0], 0, x - column * scale[0], 0, -scale[1], y + row * scale[1]);
}
