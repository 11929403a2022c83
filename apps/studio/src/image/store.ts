/**
 * Keeps a complex image of any size in a worker: takes its parts in any order, as sinks do, and answers requests for drawn tiles, for pixels and
 * for statistics. Small images are in memory, large ones in a file of the browser, if it has such files.
 */
import { inputError, RadarError } from "@dechirp/core";
import { type ColourMapName, colourMap } from "@dechirp/pictures";
import type { PartSink } from "@dechirp/processor";
import { checkImageWindow, createImageRegion, type ImageWindow } from "@dechirp/radar";
import { type Chunks, memoryChunks } from "./chunks.ts";
import type { Arrival, DbRange, ImageFacts, ImageState, Tile, TileRequest } from "./facts.ts";
import { canKeepFiles, fileChunks } from "./file-chunks.ts";
import { percentileOf } from "./percentile.ts";
import { createPyramid, layoutOf } from "./pyramid.ts";
import { drawTile } from "./tiles.ts";

/** Where a store keeps an image. */
export interface StoreOptions {
  /** Default: `auto`, in a file if the image is larger than `mostMemoryBytes` / 16, and in memory if it is smaller or there are no files. */
  readonly keep?: "auto" | "memory" | "file";
  /** The most bytes in memory. Default: 1.5 GiB. */
  readonly mostMemoryBytes?: number;
}

/** An image that is kept. */
export interface ImageStore extends PartSink {
  readonly facts: ImageFacts;
  readonly state: ImageState;
  /** Writes a part: [rows][columns] complex, interleaved. Throws `input`, and `limit` or `out-of-memory` if there is no room left. */
  write(window: ImageWindow, data: Float32Array): void;
  /** Whether all pixels of a window have been written. */
  has(window: ImageWindow): boolean;
  /** Complex pixels, interleaved. Those that were not written are zero. */
  read(window: ImageWindow): Promise<Float32Array<ArrayBuffer>>;
  /** Draws a window. Rejects with `input`. */
  tile(request: TileRequest): Promise<Tile>;
  /**
   * Ends of a colour scale as in the command's pictures: the last colour at `percentile` (99.5) of the pixels of an overview, the first colour
   * `dynamicRangeDb` (40) below. In decibels relative to the largest pixel. 0 and −40 if there are no pixels.
   */
  range(percentile?: number, dynamicRangeDb?: number): DbRange;
  /** Calls `listener` after each part. Returns a function that ends it. */
  onArrival(listener: (arrival: Arrival) => void): () => void;
  /** Frees the memory, or removes the file. */
  close(): void;
}

/** Pixels of the overview that percentiles are of, at most. */
const overviewPixels = 2 ** 20;

/**
 * Makes a store. Rejects with `input` for a size that is not one, and with `limit` if neither memory nor the browser's files have room for the
 * image.
 */
export async function createImageStore(facts: ImageFacts, options: StoreOptions = {}): Promise<ImageStore> {
  const { rows, columns } = facts;
  for (const [field, count] of Object.entries({ rows, columns }))
    if (!Number.isInteger(count) || count < 1) throw inputError(field, "a positive integer", count);
  const layout = layoutOf(rows, columns);
  const chunks = await chunksFor(layout, options);
  const pyramid = createPyramid(facts, chunks);
  const arrived = createImageRegion();
  const listeners = new Set<(arrival: Arrival) => void>();
  const maps = new Map<ColourMapName, Uint8Array>();
  const peak = { power: 0, row: 0, column: 0 };
  const one = new Float32Array(1);
  let isClosed = false;

  function checkOpen(): void {
    if (isClosed) throw new RadarError("disposed", "the image was closed");
  }
  function stateNow(): ImageState {
    const share = arrived.pixels / (rows * columns);
    if (!isClosed) pyramid.readPower(pyramid.levels - 1, { row: 0, column: 0, rows: 1, columns: 1 }, one);
    const meanPower = share > 0 ? one[0]! / share : 0;
    return { share, peakPower: peak.power, peakRow: peak.row, peakColumn: peak.column, meanPower, kept: chunks.kept };
  }
  function range(percentile = 99.5, dynamicRangeDb = 40): DbRange {
    checkOpen();
    const level = Math.min(pyramid.levels - 1, Math.max(0, Math.ceil(Math.log2((rows * columns) / overviewPixels) / 2)));
    const highPower = percentileOf(pyramid, facts, level, percentile);
    const highDb = highPower > 0 ? 10 * Math.log10(highPower / peak.power) : 0;
    return { lowDb: highDb - dynamicRangeDb, highDb };
  }
  return {
    facts,
    get state() {
      return stateNow();
    },
    write(window, data) {
      checkOpen();
      checkImageWindow(window, rows, columns);
      const pixels = window.rows * window.columns;
      if (!(data instanceof Float32Array) || data.length !== 2 * pixels) throw inputError("data", `${2 * pixels} float32 numbers`, data);
      for (let i = 0; i < pixels; i++) {
        const power = data[2 * i]! ** 2 + data[2 * i + 1]! ** 2;
        if (!(power > peak.power) || power === Number.POSITIVE_INFINITY) continue;
        peak.power = power;
        peak.row = window.row + Math.floor(i / window.columns);
        peak.column = window.column + (i % window.columns);
      }
      pyramid.write(window, data);
      arrived.add(window);
      const state = listeners.size > 0 ? stateNow() : undefined;
      for (const listener of listeners) listener({ window, state: state! });
    },
    has: (window) => arrived.missing(window) === undefined,
    async read(window) {
      checkOpen();
      checkImageWindow(window, rows, columns);
      const data = new Float32Array(2 * window.rows * window.columns);
      pyramid.read(window, data);
      return data;
    },
    async tile(request) {
      const { colours } = request.display;
      const map = maps.get(colours) ?? (await colourMap(colours));
      maps.set(colours, map);
      checkOpen();
      return drawTile(pyramid, facts, request, peak.power, map);
    },
    range,
    onArrival(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      chunks.close();
    },
  };
}

async function chunksFor(
  layout: ReturnType<typeof layoutOf>,
  { keep = "auto", mostMemoryBytes = 1.5 * 2 ** 30 }: StoreOptions,
): Promise<Chunks> {
  const bytes = 4 * layout.total;
  const fits = bytes <= mostMemoryBytes;
  const gigabytes = (bytes / 1e9).toFixed(1);
  if (keep === "file" || (keep === "auto" && bytes > mostMemoryBytes / 16 && canKeepFiles())) {
    try {
      return await fileChunks(layout);
    } catch (error) {
      if (keep === "file" || !fits)
        throw new RadarError(
          "limit",
          `this image needs ${gigabytes} GB, and the browser gives this page no file of that size`,
          { bytes },
          error,
        );
    }
  }
  if (fits) return memoryChunks(layout);
  throw new RadarError("limit", `this image needs ${gigabytes} GB, and this browser keeps no files for a page, so it must fit in memory`, {
    bytes,
  });
}
