/**
 * Writes PNG images of 8-bit gray or RGBA pixels (PNG specification, third edition; no filter, no interlace). The host's zlib compresses
 * them: Node's, on another thread, or `CompressionStream` piece by piece, so that a cancelling signal can take effect in between.
 * Converting radar data to gray levels is left to the caller.
 */
import { createPause, inputError, type Pause } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { type HostZlib, hostPieceBytes, hostZlib } from "./host-zlib.ts";
import { joinedBytes } from "./numbers.ts";
import { checkOptions } from "./random-access.ts";
import { unlessAborted } from "./signals.ts";

/** An image to be encoded as PNG. */
export interface PngImage {
  readonly width: number;
  readonly height: number;
  /** Rows from the top: width·height gray levels, or four times as many bytes for red, green, blue and alpha. */
  readonly data: Uint8Array | Uint8ClampedArray;
}

/** Name of the work in errors. */
const what = "encoding a picture";
/** The longest side that all common PNG decoders accept. */
const maxSide = 65535;
/** Approximate number of bytes that are passed to the compressor at once. */
const pieceBytes = 2 ** 15;
/** Compressed bytes of a chunk. */
const chunkBytes = 2 ** 18;

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const grey = 0;
const rgba = 6;

/**
 * Encodes a PNG file and resolves with its bytes. Rejects with `input` if the sides or the length of the data are wrong, and with
 * `aborted` if `signal` fires.
 */
export async function encodePng(image: PngImage, options: { readonly signal?: AbortSignal } = {}): Promise<Uint8Array> {
  const { signal } = checkOptions(options, { signal: true }, "encodePng");
  if (typeof image !== "object" || image === null) throw inputError("image", "an image", image);
  const { width, height, data } = image;
  for (const [side, extent] of Object.entries({ width, height })) {
    if (!Number.isInteger(extent) || extent < 1 || extent > maxSide)
      throw inputError(`image.${side}`, `an integer from 1 to ${maxSide}`, extent);
  }
  const pixels = width * height;
  if (!isArrayOf(data, Uint8Array, Uint8ClampedArray) || (data.length !== pixels && data.length !== 4 * pixels)) {
    throw inputError("image.data", `${pixels} gray bytes or ${4 * pixels} RGBA bytes`, data);
  }
  const pause = createPause(what, signal);
  await pause();
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, width);
  view.setUint32(4, height);
  header.set([8, data.length === pixels ? grey : rgba], 8);
  const chunks: Uint8Array[] = [signature, chunk("IHDR", header)];
  const zlib = data.length <= mostWholeBytes ? hostZlib() : undefined;
  const parts = zlib ? [await compressedByHost(zlib, image, signal)] : await compressedInPieces(image, pause);
  for (const part of parts) {
    for (let at = 0; at < part.length; at += chunkBytes) {
      chunks.push(chunk("IDAT", part.subarray(at, at + chunkBytes)));
      await pause();
    }
  }
  chunks.push(chunk("IEND", new Uint8Array(0)));
  return joinedBytes(chunks);
}

/** The largest image that is compressed as a whole. It takes some 0.3 s. */
const mostWholeBytes = 2 ** 24;

/** The rows of an image from `row` on, each with the filter type "none". */
function filteredRows({ height, data }: PngImage, row: number, rows: number): Uint8Array<ArrayBuffer> {
  const rowBytes = data.length / height;
  const filtered = new Uint8Array(rows * (1 + rowBytes));
  for (let i = 0; i < rows; i++) filtered.set(data.subarray((row + i) * rowBytes, (row + i + 1) * rowBytes), i * (1 + rowBytes) + 1);
  return filtered;
}

/** Compresses the rows of an image on another thread. Rejects with `aborted` as soon as the signal fires. */
function compressedByHost(zlib: HostZlib, image: PngImage, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const packing = new Promise<Uint8Array>((resolve, reject) => {
    const rows = filteredRows(image, 0, image.height);
    zlib.deflate(rows, { chunkSize: hostPieceBytes }, (error, packed) => (error ? reject(error) : resolve(packed)));
  });
  return unlessAborted(packing, signal, what);
}

/** Compresses the rows of an image by a stream. */
async function compressedInPieces(image: PngImage, pause: Pause): Promise<readonly Uint8Array[]> {
  const compressor = new CompressionStream("deflate");
  const feeding = feed(compressor.writable.getWriter(), image, pause);
  const reader = compressor.readable.getReader();
  const parts: Uint8Array[] = [];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  } catch (error) {
    // If feeding the compressor failed, its error is the cause and is thrown instead.
    await feeding;
    throw error;
  }
  await feeding;
  return parts;
}

/**
 * Passes the rows of an image to a compressor. If `pause` rejects, this function and the compressor's output reject with the same error.
 */
async function feed(writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>, image: PngImage, pause: Pause): Promise<void> {
  const { height, data } = image;
  const rowBytes = data.length / height;
  const rowsAtOnce = Math.max(1, Math.floor(pieceBytes / (1 + rowBytes)));
  try {
    for (let row = 0; row < height; row += rowsAtOnce) {
      const rows = Math.min(rowsAtOnce, height - row);
      await writer.write(filteredRows(image, row, rows));
      await pause();
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
    throw error;
  }
}

/** Builds a PNG chunk: length, type, data and checksum. */
function chunk(type: string, data: Uint8Array): Uint8Array {
  const out = new Uint8Array(12 + data.length);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) out[4 + i] = type.charCodeAt(i);
  out.set(data, 8);
  view.setUint32(8 + data.length, crc32(out.subarray(4, 8 + data.length)));
  return out;
}

/** CRC-32 (PNG specification, annex D), computed four bits at a time. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) {
    crc ^= bytes[i];
    crc = (crc >>> 4) ^ crcTable[crc & 15];
    crc = (crc >>> 4) ^ crcTable[crc & 15];
  }
  return ~crc;
}

/** CRC remainders of the sixteen 4-bit values. */
const crcTable = /* @__PURE__ */ Uint32Array.from({ length: 16 }, (_, n) => {
  let crc = n;
  for (let bit = 0; bit < 4; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
