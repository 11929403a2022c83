/** The image of a job as a Zarr store: one chunk for each task, so that no two tasks write the same value. */
import { createPause, inputError, type Layout, RadarError } from "@dechirp/core";
import type { ImageMetadata } from "@dechirp/io";
import { arrayName, type ChunkShape, chunkName, chunkWindow, readChunks, zarrDocuments } from "@dechirp/io/zarr";
import type { PartSink } from "@dechirp/processor";
import type { ImageWindow } from "@dechirp/radar";
import type { Job } from "./document.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";

/** Folder of the image in the store of the job. */
export const imageFolder = "image.zarr";

/** Folder of what tasks make from sets of pulses. */
const partialFolder = "partial";

/** Where the chunks of an image are. */
export interface ChunkedImage {
  readonly layout: Layout;
  readonly chunk: ChunkShape;
  readonly tasks: number;
  /** Number of chunks of the image. */
  readonly tiles: number;
  /** Sets of pulses. With more than one, a task makes a chunk from one set, and the chunk of the image is their sum (sums.ts). */
  readonly sets: number;
  /** The part of the image that a task makes. */
  windowOf(task: number): ImageWindow;
  /** Which set of pulses it is made from. */
  setOf(task: number): number;
  /** Where a task writes what it makes. */
  keyOf(task: number): string;
  /** Where a chunk of the image is. */
  tileKeyOf(tile: number): string;
}

/**
 * The chunks of a job's image: tasks go through rows of chunks, for one set of pulses after the other. Throws `input` if the job has no image, or
 * not as many tasks as chunks and sets.
 */
export function chunkedImage({ image, tasks }: Pick<Job, "image" | "tasks">): ChunkedImage {
  if (!image) throw inputError("job.image", "given: this job makes no single image", undefined);
  const layout: Layout = { dtype: "c64", shape: image.shape };
  const chunk = image.chunk;
  const [down, across] = [0, 1].map((axis) => Math.ceil(image.shape[axis] / chunk[axis]));
  if (chunk[0] > image.shape[0] || chunk[1] > image.shape[1] || chunk[0] * chunk[1] > 2 ** 27)
    throw inputError("job.image.chunk", "inside the image, of at most 2^27 pixels", chunk);
  const { sets = 1 } = image;
  const tiles = down * across;
  if (tasks !== tiles * sets)
    throw inputError("job.tasks", `${tiles * sets}, the chunks of the image${sets > 1 ? " and sets of pulses" : ""}`, tasks);
  const checked = (task: number): number => {
    if (!(Number.isInteger(task) && task >= 0 && task < tasks)) throw inputError("task", `an integer from 0 to ${tasks - 1}`, task);
    return task;
  };
  const placeOf = (tile: number): readonly [number, number] => [Math.floor(tile / across), tile % across];
  const setOf = (task: number): number => Math.floor(checked(task) / tiles);
  const nameOf = (tile: number): string => chunkName(layout, ...placeOf(tile));
  const tileKeyOf = (tile: number): string => `${imageFolder}/${arrayName}/${nameOf(tile)}`;
  return {
    layout,
    chunk,
    tasks,
    tiles,
    sets,
    windowOf: (task) => chunkWindow(layout, chunk, ...placeOf(checked(task) % tiles)) as ImageWindow,
    setOf,
    keyOf: (task) => (sets === 1 ? tileKeyOf(checked(task)) : `${partialFolder}/${setOf(task)}/${nameOf(task % tiles)}`),
    tileKeyOf,
  };
}

const encode = (document: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(document, undefined, 2)}\n`);

/** The documents of an image, by keys: those of its array, without which its chunks mean nothing, or those of its group, which show that it is complete. */
export function imageDocuments(job: Job, part: "array" | "group", metadata: ImageMetadata): ReadonlyMap<string, Uint8Array> {
  const { layout, chunk } = chunkedImage(job);
  const folder = part === "array" ? `${imageFolder}/${arrayName}` : imageFolder;
  const documents = zarrDocuments(layout, chunk, metadata)[part];
  return new Map(Object.entries(documents).map(([name, document]) => [`${folder}/${name}`, encode(document)]));
}

/** Writes the documents of an image. Rejects with what the store throws. */
export async function writeImageDocuments(
  job: Job,
  store: JobStore,
  part: "array" | "group",
  metadata: ImageMetadata,
  options: JobStoreOptions = {},
): Promise<void> {
  for (const [key, bytes] of imageDocuments(job, part, metadata)) await store.write(key, bytes, options);
}

/** Puts the parts of one chunk together: a sink that takes windows inside the chunk, and its bytes. */
export function createChunk({ chunk }: ChunkedImage, whole: ImageWindow): PartSink & { bytes(): Uint8Array } {
  const [height, width] = chunk;
  const data = new Float32Array(2 * height * width);
  let left = whole.rows * whole.columns;
  return {
    write({ row, column, rows, columns }, part) {
      for (let y = 0; y < rows; y++) {
        const at = 2 * ((row - whole.row + y) * width + column - whole.column);
        data.set(part.subarray(2 * y * columns, 2 * (y + 1) * columns), at);
      }
      left -= rows * columns;
    },
    bytes() {
      if (left !== 0) throw new RadarError("failed", `a task left ${left} pixels of its chunk out`);
      return littleEndian(data);
    },
  };
}

/** Bytes of numbers, the lowest byte first. */
export function littleEndian(numbers: Float32Array): Uint8Array {
  const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  if (new Uint8Array(Uint32Array.of(1).buffer)[0] === 1) return bytes;
  return new Uint8Array(bytes).map((_, i) => bytes[(i & ~3) + 3 - (i & 3)]);
}

/** Reads windows of the image of a job whose tasks are all done. Rejects with `input`, which names the chunk, if one is missing. */
export function imageReader(job: Job, store: JobStore): Required<PartSink> {
  const { layout, chunk } = chunkedImage(job);
  const file = `${store.address}/${imageFolder}`;
  return {
    write() {
      throw new RadarError("failed", `${file}: an image that is assembled is not written`);
    },
    has: () => true,
    async read(window, { signal } = {}) {
      const data = new Float32Array(2 * window.rows * window.columns);
      const load = async (name: string): Promise<Uint8Array> => {
        const key = `${imageFolder}/${arrayName}/${name}`;
        const bytes = await store.read(key, signal ? { signal } : {});
        if (!bytes) throw new RadarError("input", `${file}: chunk ${name} is missing`, { file, chunk: name });
        return bytes;
      };
      await readChunks({ file, layout, chunk }, window, data, load, createPause(`reading ${file}`, signal));
      return data;
    },
  };
}
