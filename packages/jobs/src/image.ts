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

/** Where the chunks of an image are. */
export interface ChunkedImage {
  readonly layout: Layout;
  readonly chunk: ChunkShape;
  readonly tasks: number;
  /** The part of the image that a task makes. */
  windowOf(task: number): ImageWindow;
  keyOf(task: number): string;
}

/** The chunks of a job's image: tasks go through rows of chunks. Throws `input` if the job has no image, or not as many tasks as chunks. */
export function chunkedImage({ image, tasks }: Pick<Job, "image" | "tasks">): ChunkedImage {
  if (!image) throw inputError("job.image", "given: this job makes no single image", undefined);
  const layout: Layout = { dtype: "c64", shape: image.shape };
  const chunk = image.chunk;
  const [down, across] = [0, 1].map((axis) => Math.ceil(image.shape[axis] / chunk[axis]));
  if (chunk[0] > image.shape[0] || chunk[1] > image.shape[1] || chunk[0] * chunk[1] > 2 ** 27)
    throw inputError("job.image.chunk", "inside the image, of at most 2^27 pixels", chunk);
  if (tasks !== down * across) throw inputError("job.tasks", `${down * across}, the chunks of the image`, tasks);
  const placeOf = (task: number): readonly [number, number] => {
    if (!(Number.isInteger(task) && task >= 0 && task < tasks)) throw inputError("task", `an integer from 0 to ${tasks - 1}`, task);
    return [Math.floor(task / across), task % across];
  };
  return {
    layout,
    chunk,
    tasks,
    windowOf: (task) => chunkWindow(layout, chunk, ...placeOf(task)) as ImageWindow,
    keyOf: (task) => `${imageFolder}/${arrayName}/${chunkName(layout, ...placeOf(task))}`,
  };
}

const encode = (document: unknown): Uint8Array => new TextEncoder().encode(`${JSON.stringify(document, undefined, 2)}\n`);

/** Writes the documents of the image's array, without which its chunks mean nothing. */
export async function writeArrayDocuments(job: Job, store: JobStore, metadata: ImageMetadata, options: JobStoreOptions): Promise<void> {
  const { layout, chunk } = chunkedImage(job);
  for (const [name, document] of Object.entries(zarrDocuments(layout, chunk, metadata).array))
    await store.write(`${imageFolder}/${arrayName}/${name}`, encode(document), options);
}

/** Writes the documents of the image's group, which show that it is complete. */
export async function writeGroupDocuments(job: Job, store: JobStore, metadata: ImageMetadata, options: JobStoreOptions): Promise<void> {
  const { layout, chunk } = chunkedImage(job);
  for (const [name, document] of Object.entries(zarrDocuments(layout, chunk, metadata).group))
    await store.write(`${imageFolder}/${name}`, encode(document), options);
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
function littleEndian(numbers: Float32Array): Uint8Array {
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
