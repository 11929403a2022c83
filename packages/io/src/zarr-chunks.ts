/**
 * Zarr version 3 stores of images: their documents, and chunks that are put together from windows. Knows no file system.
 *
 * Zarr has no complex numbers, so they are stored as pairs of real ones on a last axis. Chunks are not compressed: noise-like samples do
 * not shrink. The names of chunks are those of version 2 (`0.0.0`), so that the documents of version 2, which stand beside those of
 * version 3, describe the same chunks to software that knows only version 2.
 * Source: Zarr core specification version 3.0; Zarr storage specification version 2.
 */
import { type DType, dtypes, inputError, type Layout, type Pause, RadarError, type TypedArrayOf, typedArray } from "@dechirp/core";
import { createImageRegion, type ImageRegion, type ImageWindow } from "@dechirp/radar";
import type { ImageMetadata } from "./image-sink.ts";
import { arrayBytes } from "./npy.ts";
import { hostIsLittleEndian, swapBytes } from "./numbers.ts";

/** Types of real numbers as versions 3 and 2 call them. */
const realTypes: Partial<Record<DType, readonly [v3: string, v2: string]>> = {
  f32: ["float32", "<f4"],
  f64: ["float64", "<f8"],
  i8: ["int8", "|i1"],
  i16: ["int16", "<i2"],
  u8: ["uint8", "|u1"],
  u32: ["uint32", "<u4"],
};
/** Types of the parts of complex numbers. */
const partOf: Partial<Record<DType, DType>> = { c64: "f32", c128: "f64", ci8: "i8", ci16: "i16" };
/** The types of images that a store can hold. */
export const zarrTypes = [...Object.keys(realTypes), ...Object.keys(partOf)] as readonly DType[];

/** Name of the array in the store's group. */
export const arrayName = "image";
/** Names of everything in a store. */
export const storeNames: readonly string[] = [arrayName, ".zgroup", ".zattrs", "zarr.json"];
/** Default for the longest side of a chunk. */
const usualEdge = 1024;
/** The most bytes of one chunk. */
const mostChunkBytes = 2 ** 30;
/** Windows that leave chunks incomplete may take at least this much memory. */
const leastBuffered = 2 ** 26;

/** Rows and columns of a chunk. */
export type ChunkShape = readonly [rows: number, columns: number];

/** The shape of chunks that is asked for, or the usual one. Throws `input`. */
export function chunkShape(layout: Layout, asked: ChunkShape | undefined): ChunkShape {
  const [rows, columns] = layout.shape;
  const shape = asked ?? [Math.min(usualEdge, rows), Math.min(usualEdge, columns)];
  const sides = [rows, columns];
  const valid = Array.isArray(shape) && shape.length === 2 && shape.every((n, i) => Number.isInteger(n) && n >= 1 && n <= sides[i]);
  if (!valid) throw inputError("chunk", `[rows, columns] of at most ${rows} × ${columns}`, asked);
  const bytes = shape[0] * shape[1] * dtypes[layout.dtype].bytes;
  if (bytes > mostChunkBytes) throw inputError("chunk", `at most ${mostChunkBytes} bytes`, bytes);
  return [shape[0], shape[1]];
}

/** Name of a chunk in the array's folder. */
export const chunkName = (layout: Layout, r: number, c: number): string =>
  dtypes[layout.dtype].components === 2 ? `${r}.${c}.0` : `${r}.${c}`;

/** The chunk that a name in the array's folder means, or undefined. */
export function chunkOfName(layout: Layout, name: string): readonly [r: number, c: number] | undefined {
  const found = /^(\d{1,15})\.(\d{1,15})(?:\.0)?$/.exec(name);
  if (!found) return undefined;
  const [r, c] = [Number(found[1]), Number(found[2])];
  return chunkName(layout, r, c) === name ? [r, c] : undefined;
}

/** The part of the image that a chunk has, or undefined if the image has no such chunk. */
export function chunkWindow(layout: Layout, [height, width]: ChunkShape, r: number, c: number): ImageWindow | undefined {
  const [row, column] = [r * height, c * width];
  const [rows, columns] = [Math.min(height, layout.shape[0] - row), Math.min(width, layout.shape[1] - column)];
  return rows > 0 && columns > 0 ? { row, column, rows, columns } : undefined;
}

/** The documents of a store by their names, as JSON: those of the array, and those of the group, which are written when it is complete. */
export function zarrDocuments(layout: Layout, [height, width]: ChunkShape, metadata: ImageMetadata) {
  const part = partOf[layout.dtype];
  const [v3, v2] = realTypes[part ?? layout.dtype] as readonly [string, string];
  const pair = part ? [2] : [];
  const names = [...(metadata.axes?.map(({ name }) => name) ?? ["azimuth", "range"]), ...(part ? ["complex"] : [])];
  const [shape, chunks] = [
    [...layout.shape, ...pair],
    [height, width, ...pair],
  ];
  const attributes = { ...(metadata.units !== undefined && { units: metadata.units }) };
  const group = { dechirp: { image: 1, dtype: layout.dtype }, ...metadata };
  return {
    array: {
      "zarr.json": {
        zarr_format: 3,
        node_type: "array",
        shape,
        data_type: v3,
        chunk_grid: { name: "regular", configuration: { chunk_shape: chunks } },
        chunk_key_encoding: { name: "v2", configuration: { separator: "." } },
        fill_value: 0,
        codecs: [{ name: "bytes", configuration: { endian: "little" } }],
        dimension_names: names,
        attributes,
      },
      ".zarray": {
        zarr_format: 2,
        shape,
        chunks,
        dtype: v2,
        compressor: null,
        fill_value: 0,
        order: "C",
        filters: null,
        dimension_separator: ".",
      },
      // xarray looks for the names of axes here in version 2.
      ".zattrs": { ...attributes, _ARRAY_DIMENSIONS: names },
    },
    group: {
      ".zgroup": { zarr_format: 2 },
      ".zattrs": group,
      "zarr.json": { zarr_format: 3, node_type: "group", attributes: group },
    },
  };
}

/** What chunks are put together with. */
export interface ChunkOptions {
  readonly file: string;
  readonly layout: Layout;
  readonly chunk: ChunkShape;
  /** The most bytes of incomplete chunks in memory. Default: two rows or columns of chunks, whichever is more, and at least 64 MiB. */
  readonly maxBufferedBytes: number | undefined;
  /** Pixels that need not be written any more. */
  readonly durable: ImageRegion;
  /** Stores a complete chunk under its name. */
  place(name: string, bytes: Uint8Array): Promise<void>;
}

interface Buffered {
  readonly data: TypedArrayOf;
  /** Pixels that are still to come. */
  left: number;
}

/** Makes the function that takes windows and places the chunks that they complete. */
export function createChunks({ file, layout, chunk, maxBufferedBytes, durable, place }: ChunkOptions) {
  const { components, bytes: pixelBytes } = dtypes[layout.dtype];
  const [height, width] = chunk;
  const chunkBytes = height * width * pixelBytes;
  const [down, across] = [Math.ceil(layout.shape[0] / height), Math.ceil(layout.shape[1] / width)];
  const most = maxBufferedBytes ?? Math.max(leastBuffered, 2 * Math.max(down, across) * chunkBytes);
  const buffers = new Map<string, Buffered>();

  const bufferOf = (name: string, pixels: number): Buffered => {
    const known = buffers.get(name);
    if (known) return known;
    // One chunk more than is kept is at hand while a window is written.
    if (buffers.size * chunkBytes > most) {
      const message =
        `${file}: parts must come in an order that completes chunks of ${height} × ${width} pixels; ` +
        `${buffers.size} incomplete ones take more than ${most} bytes (maxBufferedBytes)`;
      throw new RadarError("input", message, { file, field: "maxBufferedBytes", expected: most, actual: buffers.size * chunkBytes });
    }
    const fresh: Buffered = { data: typedArray(layout.dtype, height * width * components), left: pixels };
    buffers.set(name, fresh);
    return fresh;
  };

  return {
    /** Bytes of incomplete chunks. */
    buffered: (): number => buffers.size * chunkBytes,
    clear: (): void => buffers.clear(),
    async put(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void> {
      const [end, right] = [window.row + window.rows, window.column + window.columns];
      for (let r = Math.floor(window.row / height); r * height < end; r++) {
        for (let c = Math.floor(window.column / width); c * width < right; c++) {
          const whole = chunkWindow(layout, chunk, r, c) as ImageWindow;
          // An earlier run has placed this chunk.
          if (durable.missing(whole) === undefined) continue;
          const name = chunkName(layout, r, c);
          const buffer = bufferOf(name, whole.rows * whole.columns);
          const [top, bottom] = [Math.max(window.row, whole.row), Math.min(end, whole.row + whole.rows)];
          const [left, stop] = [Math.max(window.column, whole.column), Math.min(right, whole.column + whole.columns)];
          for (let row = top; row < bottom; row++) {
            const from = ((row - window.row) * window.columns + left - window.column) * components;
            const to = ((row - whole.row) * width + left - whole.column) * components;
            buffer.data.set(data.subarray(from, from + (stop - left) * components), to);
            const waiting = pause();
            if (waiting) await waiting;
          }
          buffer.left -= (bottom - top) * (stop - left);
          if (buffer.left > 0) continue;
          await place(name, arrayBytes(buffer.data));
          buffers.delete(name);
          durable.add(whole);
        }
      }
    },
  };
}

/** Reads a window of chunks that are there into `data`. `load` returns the bytes of a chunk. Throws `input` if a chunk has another size. */
export async function readChunks(
  { file, layout, chunk }: Pick<ChunkOptions, "file" | "layout" | "chunk">,
  window: ImageWindow,
  data: TypedArrayOf,
  load: (name: string) => Promise<Uint8Array>,
  pause: Pause,
): Promise<void> {
  const { bytes: pixelBytes } = dtypes[layout.dtype];
  const [height, width] = chunk;
  const out = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const [end, right] = [window.row + window.rows, window.column + window.columns];
  for (let r = Math.floor(window.row / height); r * height < end; r++) {
    for (let c = Math.floor(window.column / width); c * width < right; c++) {
      await pause();
      const name = chunkName(layout, r, c);
      const bytes = await load(name);
      if (bytes.length !== height * width * pixelBytes)
        throw new RadarError("input", `${file}: can't read it: chunk ${name} has ${bytes.length} bytes`, { file, chunk: name });
      const [top, bottom] = [Math.max(window.row, r * height), Math.min(end, (r + 1) * height)];
      const [left, stop] = [Math.max(window.column, c * width), Math.min(right, (c + 1) * width)];
      for (let row = top; row < bottom; row++) {
        const from = ((row - r * height) * width + left - c * width) * pixelBytes;
        const to = ((row - window.row) * window.columns + left - window.column) * pixelBytes;
        out.set(bytes.subarray(from, from + (stop - left) * pixelBytes), to);
      }
    }
  }
  if (!hostIsLittleEndian) await swapBytes(out, data.BYTES_PER_ELEMENT, pause);
}

/** The pixels of chunks that are there, from the names of files that have the size of a chunk. */
export function chunkRegion(layout: Layout, chunk: ChunkShape, names: readonly string[]): ImageRegion {
  const region = createImageRegion();
  for (const name of names) {
    const found = chunkOfName(layout, name);
    const window = found && chunkWindow(layout, chunk, found[0], found[1]);
    if (window) region.add(window);
  }
  return region;
}
