/**
 * Sums of images of pulse sets. If a job divides its pulses into sets, a task makes a tile from one set, under `partial/`. The tile of the image
 * is their sum, in float64 and in the order of the sets, so that it does not depend on which task was done first. The worker that finds the
 * last one done makes the sum, and assembling makes those that are left. Sums are pure functions of what tasks have written, like tasks.
 */
import { isRadarError, RadarError } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import * as v from "valibot";
import { type Job, sha256, whole } from "./document.ts";
import { type ChunkedImage, chunkedImage, littleEndian } from "./image.ts";
import { readMark, readRecord, writeRecord } from "./marks.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";
import { checkStoreOf } from "./store-job.ts";
import { damageIn, sha256Of } from "./written.ts";

/** Folder of the records of sums. */
export const sumsFolder = "summed";

const keyOf = (tile: number): string => `${sumsFolder}/${tile}.json`;

const recordSchema = v.strictObject({ job: sha256, tile: whole(0, 2 ** 30), bytes: whole(0, 2 ** 40), sha256 });

/** What was written as the sum of a tile. */
export type SumRecord = v.InferOutput<typeof recordSchema>;

/** The record of a tile's sum, or undefined if there is none of this job. Rejects with `input` if it is damaged. */
export async function readSum(job: Job, store: JobStore, tile: number, options: JobStoreOptions = {}): Promise<SumRecord | undefined> {
  const record = await readRecord(store, keyOf(tile), recordSchema, options);
  return record?.job === job.id && record.tile === tile ? record : undefined;
}

/** Forgets the sum of a tile, which is then made again. */
export const removeSum = (store: JobStore, tile: number, options: JobStoreOptions = {}): Promise<void> =>
  store.remove(keyOf(tile), options);

/** The tiles with a record of their sum, in order. */
export async function summedTiles({ image }: Job, store: JobStore, options: JobStoreOptions = {}): Promise<readonly number[]> {
  if (image?.sets === undefined) return [];
  const found = (await store.list(`${sumsFolder}/`, options)).map((key) => /\/(\d{1,9})\.json$/.exec(key)?.[1]);
  return found.flatMap((digits) => (digits === undefined ? [] : [Number(digits)])).sort((a, b) => a - b);
}

/** Numbers that are added between two pauses. */
const pieceNumbers = 2 ** 18;

/** Adds the little-endian float32 numbers of `bytes` to `total`. */
function* addSteps(total: Float64Array, bytes: Uint8Array<ArrayBuffer>): Generator<void, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < total.length; ) {
    for (const end = Math.min(i + pieceNumbers, total.length); i < end; i++) total[i] += view.getFloat32(4 * i, true);
    yield;
  }
}

/** The numbers rounded to float32, in the first half of their own memory. */
function* roundSteps(total: Float64Array): Generator<void, Float32Array<ArrayBuffer>> {
  const rounded = new Float32Array(total.buffer as ArrayBuffer, 0, total.length);
  for (let i = 0; i < total.length; ) {
    for (const end = Math.min(i + pieceNumbers, total.length); i < end; i++) rounded[i] = total[i];
    yield;
  }
  return rounded;
}

/**
 * Sums a tile if the tasks of all its sets are done and it has no sum yet. Resolves with whether it has one now. Rejects with `input`, naming the
 * key, if what a task has written is missing or has changed; with what the store throws; and with `aborted`.
 */
export async function sumTile(job: Job, store: JobStore, tile: number, options: JobStoreOptions = {}): Promise<boolean> {
  const image = chunkedImage(job);
  const { chunk, sets, tiles } = image;
  const isKnown = await readSum(job, store, tile, options).catch((error) => {
    if (!isRadarError(error, "input")) throw error;
    return undefined; // A damaged record is replaced.
  });
  if (isKnown) return true;
  const digests: string[] = [];
  for (let set = 0; set < sets; set++) {
    const task = set * tiles + tile;
    const mark = await readMark(store, task, options);
    const file = mark?.job === job.id ? mark.files.find(({ key }) => key === image.keyOf(task)) : undefined;
    if (!file) return false;
    digests.push(file.sha256);
  }
  const total = new Float64Array(2 * chunk[0] * chunk[1]);
  for (const [set, digest] of digests.entries())
    await runAbortable(options.signal, "summing", addSteps(total, await readPartial(image, store, set * tiles + tile, digest, options)));
  const bytes = littleEndian(await runAbortable(options.signal, "summing", roundSteps(total)));
  await checkStoreOf(job, store, options);
  await store.write(image.tileKeyOf(tile), bytes, options);
  await checkStoreOf(job, store, options);
  const record: SumRecord = { job: job.id, tile, bytes: bytes.length, sha256: sha256Of(bytes) };
  await writeRecord(store, keyOf(tile), record, options);
  return true;
}

/** What a task has written. Rejects with `input` if it is missing or has changed. */
async function readPartial(
  { chunk, keyOf: partialOf }: ChunkedImage,
  store: JobStore,
  task: number,
  digest: string,
  options: JobStoreOptions,
) {
  const key = partialOf(task);
  const size = 8 * chunk[0] * chunk[1];
  const bytes = await store.read(key, { ...options, maxBytes: size });
  const damage = damageIn(bytes, { bytes: size, sha256: digest });
  if (bytes && !damage) return bytes;
  const what = damage === "missing" ? "is missing" : "is not what its task has written";
  const message = `${store.address}: ${key} ${what}; let the task be done again (dechirp job verify --forget)`;
  throw new RadarError("input", message, { file: store.address, field: key, task });
}

/**
 * Makes all sums that are left. Rejects with `input` if a task is not done or what it has written is missing or has changed, with what the
 * store throws, and with `aborted`.
 */
export async function sumTiles(
  job: Job,
  store: JobStore,
  options: JobStoreOptions & { readonly onProgress?: (share: number) => void } = {},
): Promise<void> {
  const { tiles, sets } = chunkedImage(job);
  if (sets === 1) return;
  const { onProgress, ...on } = options;
  for (let tile = 0; tile < tiles; tile++) {
    if (!(await sumTile(job, store, tile, on))) {
      const message = `${store.address}: tile ${tile} can't be summed, because a task of it is not done`;
      throw new RadarError("input", message, { file: store.address, tile });
    }
    onProgress?.((tile + 1) / tiles);
  }
}
