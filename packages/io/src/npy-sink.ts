/**
 * .npy images that are written in parts, on anything that takes bytes at a position: a file (node-npy-sink.ts), or a file of a browser's
 * private file system (OPFS). Rows that are whole follow each other in the file and are written together; rows of a narrower window are
 * written one by one, several at a time.
 */
import {
  createPause,
  dtypes,
  inputError,
  isRadarError,
  type Layout,
  messageOf,
  type Pause,
  RadarError,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import { createImageRegion, type ImageWindow } from "@dechirp/radar";
import { checkImageLayout, createSink, type ImageSink } from "./image-sink.ts";
import { arrayBytes, npyHeaderOf, npyTypes } from "./npy.ts";
import { hostIsLittleEndian, swapBytes } from "./numbers.ts";
import { checkOptions } from "./random-access.ts";

/** Something that takes bytes at any position, such as a file. */
export interface ByteTarget {
  /**
   * Writes `bytes` from byte `at` on; what is behind the present end is made. A promise resolves when the bytes may be changed. If the
   * result is a number, it says how many bytes were written; the others are then written by another call.
   */
  write(at: number, bytes: Uint8Array): unknown;
  /** Makes durable what has been written. A promise is awaited. Default: nothing. */
  flush?(): unknown;
}

/** Options of `createNpySink`. */
export interface CreateNpySinkOptions {
  /** Name of the image for messages. Default: `image.npy`. */
  readonly file?: string;
  readonly signal?: AbortSignal;
}

/** Bytes of one write. The signal is checked between them. */
const pieceBytes = 2 ** 21;
/** Pieces of consecutive bytes that are written at the same time. */
const piecesAtOnce = 4;
/** Rows of a narrow window that are written at the same time. */
const rowsAtOnce = 16;

/**
 * Begins an .npy image [rows][columns] on a target that takes bytes. The header is written first. `finish` flushes the target, and closing
 * it is left to the caller; so is removing it after `abort`. Images may have up to 2^53 bytes. An error of the target becomes the `cause`
 * of a `failed`, unless it is a `RadarError`. Rejects with `input` for bad arguments, and with `aborted`.
 */
export async function createNpySink(target: ByteTarget, layout: Layout, options: CreateNpySinkOptions = {}): Promise<ImageSink> {
  const { file = "image.npy", signal } = checkOptions(options, { file: true, signal: true }, "createNpySink");
  if (typeof (target as ByteTarget | undefined)?.write !== "function")
    throw inputError("target", "an object with write(at, bytes)", target);
  checkImageLayout(layout, npyTypes);
  const writer = npyWriter(target, layout, file);
  await writer.begin(createPause(`writing ${file}`, signal));
  const durable = createImageRegion();
  return createSink({
    file,
    layout,
    keeps: false,
    durable,
    async put(window, data, pause) {
      await writer.put(window, data, pause);
      durable.add(window);
    },
    complete: () => writer.flush(),
    discard: async () => {},
  });
}

/** Writes the header and windows of an .npy image. `end` is the size of the file. */
export function npyWriter(target: ByteTarget, layout: Layout, file: string) {
  const header = npyHeaderOf(layout);
  const pixelBytes = dtypes[layout.dtype].bytes;
  const [rows, columns] = layout.shape;
  const { write, flush } = targetWriter(target, file);
  const contiguous = async (at: number, bytes: Uint8Array, pause: Pause): Promise<void> => {
    for (let from = 0; from < bytes.length; from += piecesAtOnce * pieceBytes) {
      await pause();
      const pieces = Array.from({ length: Math.min(piecesAtOnce, Math.ceil((bytes.length - from) / pieceBytes)) }, (_, i) =>
        write(at + from + i * pieceBytes, bytes.subarray(from + i * pieceBytes, from + (i + 1) * pieceBytes)),
      );
      await allOf(pieces);
    }
  };
  return {
    end: header.length + rows * columns * pixelBytes,
    begin: (pause: Pause): Promise<void> => contiguous(0, header, pause),
    async put(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void> {
      const bytes = arrayBytes(data);
      const place = (row: number): number => header.length + (row * columns + window.column) * pixelBytes;
      if (window.columns === columns) return contiguous(place(window.row), bytes, pause);
      const rowBytes = window.columns * pixelBytes;
      const rowsOfGroup = Math.max(1, Math.min(rowsAtOnce, Math.floor(pieceBytes / rowBytes)));
      for (let row = 0; row < window.rows; row += rowsOfGroup) {
        const group = Array.from({ length: Math.min(rowsOfGroup, window.rows - row) }, (_, i) =>
          contiguous(place(window.row + row + i), bytes.subarray((row + i) * rowBytes, (row + i + 1) * rowBytes), pause),
        );
        await allOf(group);
      }
    },
    /** An array for a window's numbers. */
    array: ({ rows: height, columns: width }: ImageWindow): TypedArrayOf =>
      typedArray(layout.dtype, height * width * dtypes[layout.dtype].components),
    /** Reads a window into `data`. `read` fills all of `bytes` from byte `at` of the file. */
    async get(
      window: ImageWindow,
      data: TypedArrayOf,
      read: (at: number, bytes: Uint8Array) => Promise<void>,
      pause: Pause,
    ): Promise<void> {
      const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
      const rowBytes = window.columns * pixelBytes;
      // Whole rows follow each other in the file.
      const together = window.columns === columns ? Math.max(1, Math.floor(pieceBytes / rowBytes)) : 1;
      for (let row = 0; row < window.rows; row += together) {
        await pause();
        const part = bytes.subarray(row * rowBytes, Math.min(window.rows, row + together) * rowBytes);
        await read(header.length + ((window.row + row) * columns + window.column) * pixelBytes, part);
      }
      if (!hostIsLittleEndian) await swapBytes(bytes, data.BYTES_PER_ELEMENT, pause);
    },
    flush,
  };
}

/** Awaits all, so that nothing is written any more after an error, and rejects with the first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === "rejected") throw one.reason;
}

/** Writes of a target: all bytes of each, and its errors as those of the file. */
export function targetWriter(target: ByteTarget, file: string) {
  const asked = async <T>(call: () => T): Promise<Awaited<T>> => {
    try {
      return await call();
    } catch (error) {
      throw isRadarError(error) ? error : new RadarError("failed", `writing ${file} failed: ${messageOf(error)}`, { file }, error);
    }
  };
  return {
    async write(at: number, bytes: Uint8Array): Promise<void> {
      for (let done = 0; done < bytes.length; ) {
        const count = await asked(() => target.write(at + done, done === 0 ? bytes : bytes.subarray(done)));
        if (typeof count !== "number") return;
        if (!(count > 0)) throw new RadarError("input", `${file}: can't write it: the target takes no byte`, { file });
        done += count;
      }
    },
    flush: async (): Promise<void> => void (await asked(() => target.flush?.())),
  };
}
