/**
 * GeoTIFF images that are written in parts, on anything that takes bytes: a file of a browser's private file system, or bytes in memory. The
 * parts are kept in scratch bytes, from which the file is made when it is complete (geotiff-write.ts).
 */
import { createPause, inputError, type Layout } from "@dechirp/core";
import type { FieldsOf } from "@dechirp/core/internal";
import { createImageRegion } from "@dechirp/radar";
import { pixelChoices } from "./geotiff-pixels.ts";
import { type GeoTiffOptions, planGeoTiff, type ScratchBytes, writeGeoTiff } from "./geotiff-write.ts";
import { checkImageLayout, checkMetadata, createSink, type ImageMetadata, type ImageSink } from "./image-sink.ts";
import { type ByteTarget, npyWriter, targetWriter } from "./npy-sink.ts";
import { checkOptions } from "./random-access.ts";

/** Types of images that a GeoTIFF file can be made of. */
export const geoTiffTypes = Object.keys(pixelChoices) as readonly (keyof typeof pixelChoices)[];

/** The options of `GeoTiffOptions`, for tables of options. */
export const geoTiffOptionFields: FieldsOf<GeoTiffOptions> = {
  pixels: "string",
  tile: "number",
  compression: "string",
  overviews: "boolean",
  bigTiff: "boolean",
  decibelRange: "object",
  controlPoints: "object",
};

/** The options of `GeoTiffOptions` among others. */
export const geoTiffOptionsOf = (options: GeoTiffOptions): GeoTiffOptions =>
  Object.fromEntries(Object.entries(options).filter(([name]) => Object.hasOwn(geoTiffOptionFields, name)));

/** Options of `createGeoTiffSink`. */
export interface CreateGeoTiffSinkOptions extends GeoTiffOptions {
  /** What the image is, and where it is. Default: nothing is known; the file is a plain TIFF then. */
  readonly metadata?: ImageMetadata;
  /** Where parts and overviews are kept until the file is made, up to 1.4 times the size of the image. Default: in memory. */
  readonly scratch?: ScratchBytes;
  /** Name of the image for messages. Default: `image.tif`. */
  readonly file?: string;
  readonly signal?: AbortSignal;
}

/**
 * Begins a cloud-optimised GeoTIFF of an image [rows][columns] of c64, f32 or u8 on a target that takes bytes. The target is written by
 * `finish`, in tiles one after another, and the header last. Closing it is left to the caller; so is removing it after `abort`. Parts
 * can be read until `finish`. An error of the target becomes the `cause` of a `failed`, unless it is a `RadarError`. Rejects with `input` for
 * bad arguments, and with `aborted`.
 */
export async function createGeoTiffSink(target: ByteTarget, layout: Layout, options: CreateGeoTiffSinkOptions = {}): Promise<ImageSink> {
  const fields: FieldsOf<CreateGeoTiffSinkOptions> = {
    ...geoTiffOptionFields,
    metadata: "object",
    scratch: "object",
    file: true,
    signal: true,
  };
  const {
    file = "image.tif",
    signal,
    metadata = {},
    scratch = createMemory(),
    ...form
  } = checkOptions(options, fields, "createGeoTiffSink");
  if (typeof (target as ByteTarget | undefined)?.write !== "function")
    throw inputError("target", "an object with write(at, bytes)", target);
  if (typeof scratch.read !== "function" || typeof scratch.write !== "function")
    throw inputError("scratch", "an object with read(at, length) and write(at, bytes)", scratch);
  checkImageLayout(layout, geoTiffTypes);
  planGeoTiff(layout, checkMetadata(metadata), form, file);
  const out = targetWriter(target, file);
  const parts = npyWriter({ write: (at, bytes) => scratch.write(at, bytes) }, layout, file);
  const overviewsAt = 16 * Math.ceil(parts.end / 16);
  await parts.begin(createPause(`writing ${file}`, signal));
  const durable = createImageRegion();
  const fill: Parameters<typeof parts.get>[2] = async (at, bytes) => bytes.set(await scratch.read(at, bytes.length));
  return createSink({
    file,
    layout,
    keeps: false,
    durable,
    async put(window, data, pause) {
      await parts.put(window, data, pause);
      durable.add(window);
    },
    get: (window, data, pause) => parts.get(window, data, fill, pause),
    async complete(late, pause) {
      const plan = planGeoTiff(layout, { ...metadata, ...late }, form, file);
      await writeGeoTiff(plan, {
        file,
        async read(window) {
          const data = parts.array(window);
          await parts.get(window, data, fill, pause);
          return data;
        },
        write: out.write,
        scratch: {
          read: (at, length) => scratch.read(overviewsAt + at, length),
          write: (at, bytes) => targetWriter(scratch, file).write(overviewsAt + at, bytes),
        },
        pause,
      });
      await out.flush();
    },
    discard: async () => {},
  });
}

/** Bytes of a block of memory. */
const blockBytes = 2 ** 20;

/** Scratch bytes in memory, which take what has been written, in blocks of 1 MiB. */
function createMemory(): ScratchBytes {
  const blocks = new Map<number, Uint8Array>();
  const spans = function* (at: number, length: number) {
    for (let done = 0; done < length; ) {
      const [index, from] = [Math.floor((at + done) / blockBytes), (at + done) % blockBytes];
      const count = Math.min(blockBytes - from, length - done);
      yield { index, from, done, count };
      done += count;
    }
  };
  return {
    read(at, length) {
      const out = new Uint8Array(length);
      for (const { index, from, done, count } of spans(at, length)) {
        const block = blocks.get(index);
        if (block) out.set(block.subarray(from, from + count), done);
      }
      return out;
    },
    write(at, bytes) {
      for (const { index, from, done, count } of spans(at, bytes.length)) {
        const block = blocks.get(index) ?? new Uint8Array(blockBytes);
        blocks.set(index, block);
        block.set(bytes.subarray(done, done + count), from);
      }
    },
  };
}
