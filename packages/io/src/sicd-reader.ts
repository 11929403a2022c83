/**
 * Reads SICD images: complex images in NITF files whose metadata is XML in a data extension segment. Headers and XML are read when the image
 * is opened; pixels are read window by window. The pixels of an image are in one image segment, or in several that follow each other by
 * rows. Source: NGA.STND.0024-2, SICD Volume 2, File Format Description Document.
 */
import { createPause, inputError, type Layout, type Pause, throwIfAborted } from "@dechirp/core";
import { checkImageWindow, type ImageWindow } from "@dechirp/radar";
import { fileError, stateError } from "./file-error.ts";
import { imageFieldError, type NitfExtension, type NitfFile, type NitfImage, readNitf } from "./nitf.ts";
import { type Access, accessTo, type ByteSource, checkOptions, type ReadOptions } from "./random-access.ts";
import { pixelTypes, type SicdMetadata } from "./sicd-metadata.ts";
import { disagreement, parseSicdMetadata } from "./sicd-parse.ts";
import { type DecodePixels, pixelDecoder } from "./sicd-pixels.ts";
import { parseXml, type XmlElement, xmlLimits } from "./xml.ts";

/** A SICD image, open for reading. It is not closed here; close the source. */
export interface SicdImage {
  /** Complex64, [rows][columns]. Rows go from near to far range. */
  readonly layout: Layout<"c64">;
  readonly metadata: SicdMetadata;
  /** The whole XML: its root. `xmlFind`, `xmlAll` and `xmlText` find its elements by path. */
  readonly xml: XmlElement;
  /** The fields of the NITF file header by their names in the standard, such as `FTITLE`. */
  readonly header: Readonly<Record<string, string>>;
  /** What is not as the standard demands, but can be read; one sentence each. */
  readonly notes: readonly string[];
  /**
   * Reads a window: [rows][columns], interleaved re, im. Pixels of integers become floats of the same values. Windows may be read at the
   * same time. Rejects with `input` for a window outside the image, for one of more than 2^30 pixels, and if the file has been cut short;
   * and with `aborted`.
   */
  read(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<Float32Array>;
}

/** Most pixels of one window. */
const mostPixels = 2 ** 30;
/** Bytes of one read. The signal is checked between reads. */
const pieceBytes = 2 ** 21;
/** Rows of a narrow window that are read at the same time. */
const rowsAtOnce = 16;

const options: Record<keyof ReadOptions, true> = { file: true, signal: true };

/**
 * Opens a SICD image: versions 1.x, pixels RE32F_IM32F, RE16I_IM16I or AMP8I_PHS8I. Headers and XML are read, no pixel. Rejects with
 * `input`, which names the file and the byte, field or element, if the file is not a NITF with a SICD image, if headers and XML do not
 * agree, or if pixels are compressed or stored in blocks, which SICD excludes; and with `aborted`.
 */
export async function openSicd(source: ByteSource, given: ReadOptions): Promise<SicdImage> {
  const { file, signal } = checkOptions(given, options, "openSicd", ["file"]);
  const access = accessTo(source, "source", file);
  throwIfAborted(signal, `reading ${file}`);
  const nitf = await readNitf(access, file, signal);
  const notes = [...nitf.notes];
  const des = extensionOf(nitf, file, notes);
  if (des.bytes > xmlLimits.bytes.most) throw fileError(file, des.at, `at most ${xmlLimits.bytes.most} bytes of XML`, `${des.bytes}`);
  const text = await access.read(des.at, des.bytes, signal ? { signal } : {});
  if (text.length !== des.bytes) throw fileError(file, des.at + text.length, `${des.bytes} bytes of XML`, "the end of the file");
  const xml = parseXml(withoutPadding(text), { file, at: des.at });
  const metadata = parseSicdMetadata(xml);
  const segments = segmentsOf(nitf, metadata, file, notes);
  const { rows, columns, pixelType, amplitudes } = metadata.image;
  const decode = pixelDecoder(pixelType, amplitudes);
  const pixelBytes = pixelTypes[pixelType].bytes;
  const layout: Layout<"c64"> = { dtype: "c64", shape: [rows, columns] };
  const stored: Stored = { access, file, columns, pixelBytes, segments, decode };
  return {
    layout,
    metadata,
    xml,
    header: nitf.fields,
    notes,
    async read(window, asked = {}) {
      const { signal: heard } = checkOptions(asked, { signal: true }, "read");
      checkImageWindow(window, rows, columns);
      if (window.rows * window.columns > mostPixels) throw inputError("window", `at most ${mostPixels} pixels`, window);
      const pause = createPause(`reading ${file}`, heard);
      await pause();
      const out = new Float32Array(2 * window.rows * window.columns);
      await readWindow(stored, window, out, heard, pause);
      return out;
    },
  };
}

/** The segment with the XML: the first one whose target namespace is that of SICD. */
function extensionOf(nitf: NitfFile, file: string, notes: string[]): NitfExtension {
  const all = nitf.extensions.filter(({ fields }) => fields.DESID === "XML_DATA_CONTENT" || fields.DESID === "SICD_XML");
  const named = all.find(({ content }) => content.DESSHTN?.startsWith("urn:SICD"));
  const found = named ?? all.find(({ content }) => !content.DESSHTN);
  if (!found) {
    const others = nitf.extensions.map(({ fields, content }) => content.DESSHTN || fields.DESID).slice(0, 4);
    throw stateError(
      file,
      "the file",
      "a NITF with the XML of a SICD image",
      others.length > 0 ? `one with ${others.join(", ")}` : "one without a data extension segment",
    );
  }
  if (!named) notes.push(`${file}: the namespace DESSHTN of the segment with the XML is blank`);
  return found;
}

/** XML without spaces, line breaks and zeros behind it, with which some writers fill the segment. */
function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === 0 || bytes[end - 1] === 0x20 || bytes[end - 1] === 0x0a || bytes[end - 1] === 0x0d)) end--;
  return bytes.subarray(0, end);
}

/** Rows of an image that follow each other in the file. */
interface Segment {
  readonly row: number;
  readonly rows: number;
  readonly at: number;
}

/** The image segments, checked against the XML. */
function segmentsOf(nitf: NitfFile, { image }: SicdMetadata, file: string, notes: string[]): readonly Segment[] {
  const ours = nitf.images.filter(({ fields }) => fields.IID1.startsWith("SICD"));
  const all = ours.length > 0 ? ours : nitf.images;
  if (all.length === 0) throw stateError(file, "NUMI", "at least 1, the number of image segments", "0");
  if (ours.length === 0) notes.push(`${file}: no image segment is named SICD, so all are taken`);
  const inOrder = [...all].sort((a, b) => (a.fields.IID1 < b.fields.IID1 ? -1 : a.fields.IID1 > b.fields.IID1 ? 1 : 0));
  const segments: Segment[] = [];
  let row = 0;
  for (const one of inOrder) {
    checkSegment(one, image, file);
    const bytes = one.rows * one.columns * pixelTypes[image.pixelType].bytes;
    if (one.bytes < bytes) throw fileError(file, one.at, `${bytes} bytes of pixels`, `${one.bytes}`);
    if (one.bytes > bytes) notes.push(`${file}: the image segment at byte ${one.at} has ${one.bytes - bytes} bytes behind its pixels`);
    segments.push({ row, rows: one.rows, at: one.at });
    row += one.rows;
  }
  if (row !== image.rows) throw disagreement(file, inOrder[0].headerAt, "NROWS of all image segments:", image.rows, row);
  return segments;
}

/** Throws `input` unless a segment has the pixels that the XML states, as SICD stores them. */
function checkSegment(segment: NitfImage, { columns, pixelType }: SicdMetadata["image"], file: string): void {
  const { bits, PVTYPE, ISUBCAT } = pixelTypes[pixelType];
  const { fields, bands, headerAt } = segment;
  if (segment.columns !== columns) throw disagreement(file, headerAt, "NCOLS", columns, segment.columns);
  const demands: readonly (readonly [field: string, holds: boolean, expected: string])[] = [
    ["IC", fields.IC === "NC", "NC, not compressed"],
    ["PVTYPE", fields.PVTYPE === PVTYPE, `${PVTYPE} for ${pixelType}`],
    ["NBPP", Number(fields.NBPP) === bits, `${bits} for ${pixelType}`],
    ["IMODE", fields.IMODE === "P", "P, interleaved by pixel"],
    ["NBPR", Number(fields.NBPR) === 1, "1, one block"],
    ["NBPC", Number(fields.NBPC) === 1, "1, one block"],
  ];
  for (const [field, holds, expected] of demands) if (!holds) throw imageFieldError(file, segment, field, expected);
  const kinds = bands.map((band) => band.ISUBCAT).join(", ");
  if (bands.length !== 2 || (kinds !== ISUBCAT.join(", ") && kinds.replaceAll(/[ ,]/g, "") !== ""))
    throw disagreement(file, headerAt, "bands", `${ISUBCAT.join(", ")} for ${pixelType}`, `${bands.length} (${kinds.slice(0, 60)})`);
}

interface Stored {
  readonly access: Access;
  readonly file: string;
  readonly columns: number;
  readonly pixelBytes: number;
  readonly segments: readonly Segment[];
  readonly decode: DecodePixels;
}

/** Reads a window into `out`. Rows are read together with what is between them unless that is more than three times their bytes. */
async function readWindow(
  stored: Stored,
  window: ImageWindow,
  out: Float32Array,
  signal: AbortSignal | undefined,
  pause: Pause,
): Promise<void> {
  const { access, file, columns, pixelBytes, segments, decode } = stored;
  const hear = signal ? { signal } : {};
  const rowBytes = columns * pixelBytes;
  const usedBytes = window.columns * pixelBytes;
  const read = async (at: number, length: number): Promise<Uint8Array> => {
    const bytes = await access.read(at, length, hear);
    if (bytes.length !== length) throw fileError(file, at + bytes.length, `${length - bytes.length} more bytes`, "the end of the file");
    return bytes;
  };
  const together = 4 * usedBytes >= rowBytes || rowBytes <= 2 ** 14;
  for (const segment of segments) {
    const first = Math.max(window.row, segment.row);
    const end = Math.min(window.row + window.rows, segment.row + segment.rows);
    const place = (row: number): number => segment.at + (row - segment.row) * rowBytes + window.column * pixelBytes;
    const each = together ? Math.max(1, Math.floor(pieceBytes / rowBytes)) : rowsAtOnce;
    for (let row = first; row < end; row += each) {
      await pause();
      const count = Math.min(each, end - row);
      const at = (row - window.row) * window.columns;
      if (together && count > 1) {
        const bytes = await read(place(row), (count - 1) * rowBytes + usedBytes);
        if (usedBytes === rowBytes) await decode(bytes, out, at, pause);
        else
          for (let i = 0; i < count; i++)
            await decode(bytes.subarray(i * rowBytes, i * rowBytes + usedBytes), out, at + i * window.columns, pause);
      } else {
        const rows = Array.from({ length: count }, (_, i) => readRow(place(row + i), at + i * window.columns));
        // All are awaited, so that nothing is read any more after an error.
        for (const one of await Promise.allSettled(rows)) if (one.status === "rejected") throw one.reason;
      }
    }
  }

  /** Reads one row of a narrow window, or of one whose rows are long, in pieces. */
  async function readRow(at: number, pixel: number): Promise<void> {
    const most = Math.floor(pieceBytes / pixelBytes);
    for (let from = 0; from < window.columns; from += most) {
      const count = Math.min(most, window.columns - from);
      await pause();
      await decode(await read(at + from * pixelBytes, count * pixelBytes), out, pixel + from, pause);
    }
  }
}
