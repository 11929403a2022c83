/**
 * Reads images in the Zarr stores that `zarrSink` writes, window by window, through a function that reads files of the store. The documents of
 * a store are checked: stores of other programs, with compressed chunks or other types, are refused. Knows no file system.
 */
import { createPause, type DType, dtypes, inputError, type Layout, type TypedArrayOf } from "@dechirp/core";
import { checkImageWindow, type ImageWindow } from "@dechirp/radar";
import { canonicalJson } from "./digest.ts";
import { fieldError, pathError } from "./file-error.ts";
import { checkMetadata, type ImageMetadata } from "./image-sink.ts";
import { checkOptions } from "./random-access.ts";
import { arrayName, type ChunkShape, chunkShape, readChunks, zarrDocuments, zarrTypes } from "./zarr-chunks.ts";

/** An image in a Zarr store, open for reading. Nothing needs to be closed. */
export interface ZarrImage {
  /** Type and shape [rows][columns]. */
  readonly layout: Layout;
  /** Rows and columns of a chunk. */
  readonly chunk: readonly [rows: number, columns: number];
  /** What the store says of its image. */
  readonly metadata: ImageMetadata;
  /**
   * Reads a window: [rows][columns], complex numbers interleaved. Rejects with `input` for a window outside the image, for one of more than
   * 2^30 pixels and for a chunk that is missing or has another size, and with `aborted`.
   */
  read(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<TypedArrayOf>;
}

/** Most pixels of one window. */
const mostPixels = 2 ** 30;

/** Reads a file of a store by its name, such as `zarr.json` or `image/0.0.0`. `most` is the most bytes that it may have. */
export type ReadStoreFile = (name: string, most: number, signal: AbortSignal | undefined) => Promise<Uint8Array>;

/** Opens the image of a store by its documents. Throws `input`, which names the document and the member. */
export async function openZarrStore(file: string, load: ReadStoreFile, signal: AbortSignal | undefined): Promise<ZarrImage> {
  const group = await documentOf(file, "zarr.json", load, signal);
  const array = await documentOf(file, `${arrayName}/zarr.json`, load, signal);
  const { dechirp, ...rest } = (isObject(group["attributes"]) ? group["attributes"] : {}) as Record<string, unknown>;
  const mark = isObject(dechirp) ? dechirp : {};
  if (mark["image"] !== 1) throw pathError(file, "a Zarr store of an image that dechirp has written", "another Zarr store");
  const dtype = mark["dtype"] as DType;
  if (!zarrTypes.includes(dtype)) throw fieldError(file, "attributes.dechirp.dtype", zarrTypes.join(", "), dtype);
  const sides = Array.isArray(array["shape"]) ? array["shape"].slice(0, 2) : [];
  const isSide = (n: unknown): n is number => Number.isSafeInteger(n) && (n as number) >= 1;
  if (sides.length !== 2 || !sides.every(isSide)) throw fieldError(file, "image/zarr.json shape", "[rows, columns]", array["shape"]);
  const layout: Layout = { dtype, shape: sides as number[] };
  const grid = array["chunk_grid"] as { configuration?: { chunk_shape?: unknown } } | undefined;
  const stated = grid?.configuration?.chunk_shape;
  let chunk: ChunkShape;
  try {
    chunk = chunkShape(layout, (Array.isArray(stated) ? stated.slice(0, 2) : []) as unknown as ChunkShape);
  } catch {
    throw fieldError(file, "image/zarr.json chunk_grid", "chunks inside the image of at most 1 GiB", stated);
  }
  const metadata = metadataOf(file, rest);
  // All that says how chunks are stored must be as the writer writes it.
  const { attributes: _, dimension_names: __, ...own } = zarrDocuments(layout, chunk, {}).array["zarr.json"];
  for (const [field, expected] of Object.entries(own))
    if (canonicalJson(array[field] ?? null, field) !== canonicalJson(expected, field))
      throw fieldError(file, `image/zarr.json ${field}`, canonicalJson(expected, field), array[field]);
  const { array: numbers, components, bytes } = dtypes[dtype];
  return {
    layout,
    chunk,
    metadata,
    async read(window, options = {}) {
      const { signal: heard } = checkOptions(options, { signal: true }, "read");
      checkImageWindow(window, layout.shape[0], layout.shape[1]);
      if (window.rows * window.columns > mostPixels) throw inputError("window", `at most ${mostPixels} pixels`, window);
      const data = new numbers(window.rows * window.columns * components) as TypedArrayOf;
      const most = chunk[0] * chunk[1] * bytes;
      const chunkOf = (name: string): Promise<Uint8Array> => load(`${arrayName}/${name}`, most, heard);
      await readChunks({ file, layout, chunk }, window, data, chunkOf, createPause(`reading ${file}`, heard));
      return data;
    },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** A report with all measurements of an image takes less. */
const documentBytes = 2 ** 26;

async function documentOf(
  file: string,
  name: string,
  load: ReadStoreFile,
  signal: AbortSignal | undefined,
): Promise<Record<string, unknown>> {
  const bytes = await load(name, documentBytes, signal);
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isObject(value)) return value;
  } catch {
    // Said below.
  }
  throw fieldError(file, name, "a JSON object", "something else");
}

/** What the attributes of the group say of the image; other attributes are left out. */
function metadataOf(file: string, { axes, units, placement, collection, provenance }: Record<string, unknown>): ImageMetadata {
  const found = Object.fromEntries(
    Object.entries({ axes, units, placement, collection, provenance }).filter(([, value]) => value !== undefined),
  ) as ImageMetadata;
  try {
    return checkMetadata(found);
  } catch (error) {
    const {
      field = "attributes",
      expected = "metadata of an image",
      actual,
    } = (error as { fields?: Record<string, unknown> }).fields ?? {};
    throw fieldError(file, `zarr.json ${String(field)}`, String(expected), actual, error);
  }
}
