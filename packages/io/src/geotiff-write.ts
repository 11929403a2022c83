/**
 * Cloud-optimised GeoTIFF files from an image that can be read by windows: the plan of a file, overviews, and tiles in the order that readers
 * over a network need: directories first, then the smallest overview, and the image last. Memory is a few tiles; overviews are kept in
 * scratch bytes until they are written. Knows no file system.
 * Source: Cloud Optimized GeoTIFF, OGC 21-026, and the description of GDAL's COG driver (order of bytes, and what stands around tiles).
 */
import { inputError, type Layout, type Pause, RadarError, type TypedArrayOf } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";
import { canonicalJson } from "./digest.ts";
import { type GroundControlPoint, geoFields } from "./geotiff-keys.ts";
import {
  createLevels,
  type DecibelRange,
  filePixels,
  type GeoTiffPixels,
  halve,
  type PixelForm,
  pixelForm,
  predicted,
  predictorOf,
  workingPixels,
} from "./geotiff-pixels.ts";
import { encodeDirectories, headerBytes, placeDirectories, type TiffField } from "./geotiff-tags.ts";
import type { ImageMetadata } from "./image-sink.ts";

/** What a GeoTIFF file is made with. */
export interface GeoTiffOptions {
  /** What the file has. Default: the numbers of the image as they are: `complex`, or `real`. */
  readonly pixels?: GeoTiffPixels;
  /** Rows and columns of a tile, a multiple of 16 from 16 to 4096. Default: 512. */
  readonly tile?: number;
  /** Default: `deflate`, but `none` for complex numbers, which hardly shrink. */
  readonly compression?: "deflate" | "none";
  /** Whether the file has the image at half the size, a quarter, and so on until it fits in a tile and in 512 × 512 pixels. Default: true. */
  readonly overviews?: boolean;
  /** Whether the file is a BigTIFF. Default: if it could be larger than 4 GiB. */
  readonly bigTiff?: boolean;
  /** Decibels of black and white, for `gray`. Default: white is exceeded by 0.5 % of the pixels, black is 50 dB less. */
  readonly decibelRange?: DecibelRange;
  /** Places of pixels on earth, 3 to 4096, for images that have no map. They take the place of `placement`. Default: none. */
  readonly controlPoints?: readonly GroundControlPoint[];
}

/** Size of the image or of one of its overviews, and of its tiles. */
interface Level {
  readonly rows: number;
  readonly columns: number;
  readonly down: number;
  readonly across: number;
}

/** All that is known of a file before its pixels are. */
export interface GeoTiffPlan {
  readonly form: PixelForm;
  /** The image, then its overviews by size. */
  readonly levels: readonly Level[];
  readonly tile: number;
  readonly compression: "deflate" | "none";
  readonly predictor: 1 | 2 | 3;
  readonly big: boolean;
  readonly flipped: boolean;
  readonly range: DecibelRange | undefined;
  readonly geo: readonly TiffField[];
  readonly items: Readonly<Record<string, string>>;
  /** Bytes that the overviews take in the scratch bytes. */
  readonly scratchBytes: number;
}

const usualTile = 512;
/** Positions and sizes of so many tiles are kept in memory. */
const mostTiles = 2 ** 24;
/** Sides of a TIFF are 32-bit numbers, and most software takes them as signed. */
const mostSide = 2 ** 31 - 1;

/** Plans a file. Throws `input` for bad options and for an image whose place can't be said. */
export function planGeoTiff(layout: Layout, metadata: ImageMetadata, options: GeoTiffOptions, file: string): GeoTiffPlan {
  const { tile = usualTile, overviews = true, bigTiff, decibelRange, controlPoints } = options;
  const form = pixelForm(layout.dtype, options.pixels);
  const { compression = form.to === "c64" ? "none" : "deflate" } = options;
  if (!(Number.isInteger(tile) && tile >= 16 && tile <= 4096 && tile % 16 === 0))
    throw inputError("tile", "a multiple of 16 up to 4096", tile);
  if (compression !== "deflate" && compression !== "none") throw inputError("compression", "deflate or none", compression);
  checkRange(form, decibelRange);
  const [rows, columns] = layout.shape;
  if (Math.max(rows, columns) > mostSide) throw inputError("layout.shape", `sides of at most ${mostSide}`, layout.shape);
  const levels: Level[] = [];
  for (let [r, c] = [rows, columns]; ; [r, c] = [Math.ceil(r / 2), Math.ceil(c / 2)]) {
    levels.push({ rows: r, columns: c, down: Math.ceil(r / tile), across: Math.ceil(c / tile) });
    if (!overviews || Math.max(r, c) <= Math.min(tile, usualTile)) break;
  }
  const tiles = levels.reduce((sum, { down, across }) => sum + down * across, 0);
  if (tiles > mostTiles) throw inputError("tile", `larger: the image has ${tiles} tiles, and at most ${mostTiles} are possible`, tile);
  const pixelBytes = { c64: 8, f32: 4, u8: 1 }[form.to];
  const { fields: geo, flipped, items } = geoFields(layout, metadata.placement, controlPoints, file);
  // What cannot be compressed grows by five bytes for every 16 KiB.
  const most = tiles * (tile * tile * pixelBytes * 1.001 + 64) + 2 ** 20;
  const smallest = levels.slice(1).reduce((sum, { down, across }) => sum + down * across, 0);
  const plan: Omit<GeoTiffPlan, "big"> = {
    form,
    levels,
    tile,
    compression,
    predictor: compression === "none" ? 1 : predictorOf[form.to],
    flipped,
    range: decibelRange,
    geo,
    items: { ...items, ...describedBy(form, metadata) },
    scratchBytes: smallest * tile * tile * form.components * 4,
  };
  const big = bigTiff ?? most >= 2 ** 32;
  return { ...plan, big };
}

function checkRange({ pixels }: PixelForm, range: DecibelRange | undefined): void {
  if (range === undefined) return;
  if (pixels !== "gray") throw inputError("decibelRange", "given for gray pixels only", range);
  const valid = Array.isArray(range) && range.length === 2 && range.every((x) => Number.isFinite(x)) && range[1] - range[0] >= 1e-3;
  if (!valid) throw inputError("decibelRange", "two numbers, black before white", range);
}

function describedBy({ pixels }: PixelForm, { units, provenance }: ImageMetadata): Record<string, string> {
  return {
    PIXELS: pixels,
    ...(units !== undefined && { UNITS: units }),
    ...(provenance !== undefined && { PROVENANCE: canonicalJson(provenance, "metadata.provenance") }),
  };
}

/** What stands between the header and the first directory, and says how tiles are stored. */
function ghostOf(): Uint8Array {
  const said =
    "LAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\nBLOCK_LEADER=SIZE_AS_UINT4\n" +
    "BLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ";
  return new TextEncoder().encode(`GDAL_STRUCTURAL_METADATA_SIZE=${String(said.length).padStart(6, "0")} bytes\n${said}`);
}

/** GDAL resolves entities twice: it also writes them twice. */
const entities: Readonly<Record<string, string>> = { "&": "&amp;amp;", "<": "&amp;lt;", ">": "&amp;gt;" };
/** A text in the XML of GDAL. Characters that XML 1.0 can't have are left out. */
const escaped = (text: string): string =>
  Array.from(text, (one) => {
    const code = one.codePointAt(0) ?? 0;
    const none = (code < 32 && !"\t\n\r".includes(one)) || (code >= 0xd800 && code <= 0xdfff) || code === 0xfffe || code === 0xffff;
    return none ? "" : (entities[one] ?? one);
  }).join("");

function fieldsOf(
  plan: GeoTiffPlan,
  level: number,
  range: DecibelRange,
  offsets: ArrayLike<number>,
  sizes: ArrayLike<number>,
): TiffField[] {
  const { form, tile, big, predictor } = plan;
  const { rows, columns } = plan.levels[level];
  const short = (tag: number, value: number): TiffField => ({ tag, type: "short", values: [value] });
  const long = (tag: number, value: number): TiffField => ({ tag, type: "long", values: [value] });
  const items =
    form.pixels === "gray" ? { ...plan.items, DECIBELS_OF_BLACK: String(range[0]), DECIBELS_OF_WHITE: String(range[1]) } : plan.items;
  const unit = form.pixels === "decibel" ? `<Item name="UNITTYPE" sample="0" role="unittype">dB</Item>` : "";
  const list = Object.entries(items).map(([name, value]) => `<Item name="${name}">${escaped(value)}</Item>`);
  const noData = form.pixels === "gray" ? "0" : form.to === "f32" ? "nan" : undefined;
  return [
    long(254, level === 0 ? 0 : 1),
    long(256, columns),
    long(257, rows),
    short(258, { c64: 64, f32: 32, u8: 8 }[form.to]),
    short(259, plan.compression === "deflate" ? 8 : 1),
    short(262, 1),
    short(277, 1),
    short(284, 1),
    ...(level === 0 ? [{ tag: 305, type: "ascii", text: "dechirp" } as const] : []),
    ...(predictor === 1 ? [] : [short(317, predictor)]),
    short(322, tile),
    short(323, tile),
    { tag: 324, type: big ? "long8" : "long", values: offsets },
    { tag: 325, type: "long", values: sizes },
    short(339, { c64: 6, f32: 3, u8: 1 }[form.to]),
    ...(level === 0
      ? [...plan.geo, { tag: 42112, type: "ascii", text: `<GDALMetadata>${list.join("")}${unit}</GDALMetadata>` } as const]
      : []),
    ...(noData === undefined ? [] : [{ tag: 42113, type: "ascii", text: noData } as const]),
  ];
}

/** Bytes that are written and read again. Reads are of what has been written. */
export interface ScratchBytes {
  /** `length` bytes from byte `at` on. */
  read(at: number, length: number): Uint8Array | Promise<Uint8Array>;
  write(at: number, bytes: Uint8Array): unknown;
}

/** What a file is written with. */
export interface GeoTiffWork {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Pixels of a window of the image. */
  read(window: ImageWindow): Promise<TypedArrayOf>;
  /** Takes all of `bytes` from byte `at` of the file. */
  write(at: number, bytes: Uint8Array): Promise<void>;
  readonly scratch: ScratchBytes;
  readonly pause: Pause;
}

/** Tiles that are compressed at the same time. */
const tilesAtOnce = 4;

/** Writes a planned file. */
export async function writeGeoTiff(plan: GeoTiffPlan, work: GeoTiffWork): Promise<void> {
  const { form, levels, tile, big } = plan;
  const { pause } = work;
  const range = await makeOverviews(plan, work);
  const offsets = levels.map(({ down, across }) => new Float64Array(down * across));
  const sizes = levels.map(({ down, across }) => new Float64Array(down * across));
  const directories = () => levels.map((_, level) => fieldsOf(plan, level, range, offsets[level], sizes[level]));
  const ghost = ghostOf();
  let end = placeDirectories(directories(), headerBytes(big) + ghost.length, big).end;

  const waiting: { readonly level: number; readonly at: number; readonly bytes: Promise<Uint8Array> }[] = [];
  const place = async (): Promise<void> => {
    const next = waiting.shift();
    if (!next) return;
    const bytes = await next.bytes;
    // The size before a tile, and its last bytes again after it, let readers see that a tile is as it was written.
    const block = new Uint8Array(bytes.length + 8);
    new DataView(block.buffer).setUint32(0, bytes.length, true);
    block.set(bytes, 4);
    block.set(bytes.subarray(bytes.length - 4), bytes.length + 4);
    offsets[next.level][next.at] = end + 4;
    sizes[next.level][next.at] = bytes.length;
    if (!big && end + block.length > 2 ** 32)
      throw new RadarError("input", `${work.file}: the file must be a BigTIFF: it is larger than 4 GiB`, {
        file: work.file,
        field: "bigTiff",
      });
    await work.write(end, block);
    end += block.length;
  };
  try {
    for (let level = levels.length - 1; level >= 0; level--) {
      const { down, across } = levels[level];
      for (let r = 0; r < down; r++)
        for (let c = 0; c < across; c++) {
          await pause();
          const pixels = filePixels(form, await tileOf(plan, work, level, r, c), range);
          const bytes = predicted(pixels, tile, plan.predictor);
          const packed = plan.compression === "deflate" ? deflate(bytes) : Promise.resolve(bytes);
          // The error is that of the wait for the tile; a second one that nobody waits for must not end the process.
          packed.catch(() => undefined);
          waiting.push({ level, at: r * across + c, bytes: packed });
          if (waiting.length >= tilesAtOnce) await place();
        }
    }
    while (waiting.length > 0) await place();
  } finally {
    await Promise.allSettled(waiting.map(({ bytes }) => bytes));
  }
  await pause();
  await work.write(0, encodeDirectories(directories(), ghost, big));
}

/** A window of the image as numbers between, rows in the order of the file. */
async function readImage(plan: GeoTiffPlan, work: GeoTiffWork, row: number, column: number, rows: number, columns: number) {
  const { form, flipped, levels } = plan;
  const first = flipped ? levels[0].rows - row - rows : row;
  const data = workingPixels(form, await work.read({ row: first, column, rows, columns }));
  if (!flipped) return data;
  const out = new Float32Array(data.length);
  const width = columns * form.components;
  for (let r = 0; r < rows; r++) out.set(data.subarray(r * width, (r + 1) * width), (rows - 1 - r) * width);
  return out;
}

/** A tile of a level as numbers between, [tile][tile]. What is beyond the image is 0. */
async function tileOf(plan: GeoTiffPlan, work: GeoTiffWork, level: number, r: number, c: number): Promise<Float32Array> {
  const { tile, form, levels } = plan;
  if (level > 0) return readScratch(plan, work, level, r, c);
  const [row, column] = [r * tile, c * tile];
  const [rows, columns] = [Math.min(tile, levels[0].rows - row), Math.min(tile, levels[0].columns - column)];
  const data = await readImage(plan, work, row, column, rows, columns);
  if (rows === tile && columns === tile) return data;
  const out = new Float32Array(tile * tile * form.components);
  const width = columns * form.components;
  for (let i = 0; i < rows; i++) out.set(data.subarray(i * width, (i + 1) * width), i * tile * form.components);
  return out;
}

function scratchPlace(
  { levels, tile, form }: GeoTiffPlan,
  level: number,
  r: number,
  c: number,
): { readonly at: number; readonly bytes: number } {
  const bytes = tile * tile * form.components * 4;
  const before = levels.slice(1, level).reduce((sum, { down, across }) => sum + down * across, 0);
  return { at: (before + r * levels[level].across + c) * bytes, bytes };
}

async function readScratch(plan: GeoTiffPlan, { scratch }: GeoTiffWork, level: number, r: number, c: number): Promise<Float32Array> {
  const { at, bytes } = scratchPlace(plan, level, r, c);
  const found = await scratch.read(at, bytes);
  const out = new Float32Array(bytes / 4);
  new Uint8Array(out.buffer).set(found);
  return out;
}

/** Writes all overviews to the scratch bytes, and finds black and white if they are needed and not given. */
async function makeOverviews(plan: GeoTiffPlan, work: GeoTiffWork): Promise<DecibelRange> {
  const { form, levels, tile } = plan;
  const grey = form.pixels === "gray" && plan.range === undefined ? createLevels() : undefined;
  if (grey && levels.length === 1) {
    const { down, across } = levels[0];
    for (let r = 0; r < down; r++)
      for (let c = 0; c < across; c++) {
        await work.pause();
        grey.add(await tileOf(plan, work, 0, r, c));
      }
  }
  for (let level = 1; level < levels.length; level++) {
    const [from, to] = [levels[level - 1], levels[level]];
    for (let r = 0; r < to.down; r++)
      for (let c = 0; c < to.across; c++) {
        const out = new Float32Array(tile * tile * form.components);
        for (let quarter = 0; quarter < 4; quarter++) {
          const [fromRow, fromColumn] = [2 * r + (quarter >> 1), 2 * c + (quarter % 2)];
          if (fromRow >= from.down || fromColumn >= from.across) continue;
          await work.pause();
          const [row, column] = [fromRow * tile, fromColumn * tile];
          const [rows, columns] = [Math.min(tile, from.rows - row), Math.min(tile, from.columns - column)];
          const data =
            level === 1
              ? await readImage(plan, work, row, column, rows, columns)
              : await readScratch(plan, work, level - 1, fromRow, fromColumn);
          const stored = level === 1 ? columns : tile;
          halve(
            form,
            stored === columns ? data : trimmed(data, rows, columns, stored, form.components),
            rows,
            columns,
            out,
            tile,
            (row % (2 * tile)) / 2,
            (column % (2 * tile)) / 2,
          );
        }
        if (level === 1) grey?.add(out);
        const { at } = scratchPlace(plan, level, r, c);
        await work.scratch.write(at, new Uint8Array(out.buffer));
      }
  }
  return plan.range ?? grey?.range() ?? [0, 1];
}

/** The first columns of rows of `stride` pixels. */
function trimmed(data: Float32Array, rows: number, columns: number, stride: number, components: number): Float32Array {
  const out = new Float32Array(rows * columns * components);
  const width = columns * components;
  for (let r = 0; r < rows; r++) out.set(data.subarray(r * stride * components, r * stride * components + width), r * width);
  return out;
}

/** Bytes compressed as a zlib stream, on another thread where the host has one. */
async function deflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new CompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const written = writer.write(bytes as Uint8Array<ArrayBuffer>).then(() => writer.close());
  const packed = new Uint8Array(await new Response(stream.readable).arrayBuffer());
  await written;
  return packed;
}
