/**
 * Reads the headers of NITF 2.1 files (MIL-STD-2500C) and of NSIF 1.0 files, which have the same layout: where the image segments and data
 * extension segments are, and what their subheaders say. No pixel is read here. Every size is checked against the file before anything of
 * that size is read, and headers can't be longer than their size fields can say (1 MB each, 999 segments).
 */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";
import { fileError } from "./file-error.ts";
import {
  bandFields,
  blockFields,
  createFieldCursor,
  extensionFields,
  type FieldCursor,
  type Fields,
  fieldsLength,
  fileFields,
  imageFields,
  segmentKinds,
  xmlContentFields,
} from "./nitf-fields.ts";
import type { RandomAccess } from "./random-access.ts";

/** A part of a NITF file: a subheader and data. */
export interface NitfSegment {
  /** First byte of the subheader. */
  readonly headerAt: number;
  readonly headerBytes: number;
  /** First byte of the data. */
  readonly at: number;
  readonly bytes: number;
}

/** An image segment. */
export interface NitfImage extends NitfSegment {
  readonly rows: number;
  readonly columns: number;
  /** The other fields of the subheader by their names in the standard, without spaces at their ends. */
  readonly fields: Fields;
  /** The bands: IREPBAND, ISUBCAT and so on. */
  readonly bands: readonly Fields[];
}

/** A data extension segment. */
export interface NitfExtension extends NitfSegment {
  readonly fields: Fields;
  /** The own fields of a segment with XML, if it has all of them. */
  readonly content: Fields;
}

/** What the headers of a NITF file say. */
export interface NitfFile {
  /** The file header's fields. */
  readonly fields: Fields;
  readonly images: readonly NitfImage[];
  readonly extensions: readonly NitfExtension[];
  /** What is not as the standard demands, but can be read. */
  readonly notes: readonly string[];
}

const startBytes = fieldsLength(fileFields);

/**
 * Reads the headers of a NITF 2.1 or NSIF 1.0 file. Rejects with `input`, which names the file, the byte and the field, if a header can't be
 * read or sizes do not agree with the file, and with `aborted`.
 */
export async function readNitf(access: RandomAccess, file: string, signal: AbortSignal | undefined): Promise<NitfFile> {
  const what = `reading ${file}`;
  const read = async (at: number, length: number): Promise<Uint8Array> => {
    throwIfAborted(signal, what);
    const bytes = await access.read(at, length, signal ? { signal } : {});
    if (bytes.length !== length) throw fileError(file, at + bytes.length, `${length - bytes.length} more bytes`, "the end of the file");
    return bytes;
  };
  const magic = String.fromCharCode(...(await read(0, Math.min(9, access.size))));
  if (magic !== "NITF02.10" && magic !== "NSIF01.00") throw fileError(file, 0, "NITF02.10 or NSIF01.00", foreignMagic(magic));
  if (access.size < startBytes) throw fileError(file, access.size, "the file header", "the end of the file");
  const first = createFieldCursor(file, await read(0, startBytes), 0);
  const fields = first.fields(fileFields);
  const headerBytes = headerLength(file, fields, access.size);
  const cursor = createFieldCursor(file, (await read(0, headerBytes)).subarray(startBytes), startBytes);
  const segments = segmentsOf(cursor, file, headerBytes, access.size);
  const notes: string[] = [];
  checkFileLength(file, fields, segments.end, access.size, notes);
  if (fields.FSCLAS === "") notes.push(`${file}: the classification FSCLAS of the file is blank`);
  const images: NitfImage[] = [];
  for (const segment of segments.images) images.push(imageOf(file, await read(segment.headerAt, segment.headerBytes), segment, notes));
  const extensions: NitfExtension[] = [];
  for (const segment of segments.extensions) {
    const header = createFieldCursor(file, await read(segment.headerAt, segment.headerBytes), segment.headerAt);
    extensions.push(extensionOf(file, header, segment, notes));
  }
  return { fields, images, extensions, notes };
}

const foreignMagic = (magic: string): string =>
  magic.startsWith("NITF") ? `NITF of another version (${magic.slice(4)})` : magic === "" ? "an empty file" : magic;

/** The length of the file header, from HL. */
function headerLength(file: string, { HL }: Fields, size: number): number {
  const at = startBytes - 6;
  if (!/^\d{6}$/.test(HL)) throw fileError(file, at, "HL, 6 digits", HL);
  const length = Number(HL);
  // After HL come at least the numbers of six kinds of segments and the lengths of two kinds of user's data.
  const least = startBytes + 6 * 3 + 2 * 5;
  if (length < least) throw fileError(file, at, `HL, the length of the file header, at least ${least}`, HL);
  if (length > size) throw fileError(file, at, `HL, the length of the file header, at most ${size}, as the file has`, HL);
  return length;
}

/** FL is the length of the file; the standard lets writers of streams leave it 999999999999. */
function checkFileLength(file: string, { FL }: Fields, end: number, size: number, notes: string[]): void {
  if (/^9{12}$/.test(FL)) return;
  if (/^\d{12}$/.test(FL) && Number(FL) === size) return;
  if (/^\d{12}$/.test(FL) && Number(FL) > size && end > size)
    throw fileError(file, size, `${Number(FL)} bytes, as FL says`, "the end of the file");
  notes.push(`${file}: the length of the file FL is ${describe(FL)}, but the file has ${size} bytes`);
}

interface Segments {
  readonly images: readonly NitfSegment[];
  readonly extensions: readonly NitfSegment[];
  /** End of the last segment. */
  readonly end: number;
}

/** Where the segments are: they follow the file header one after another, each with its subheader first. */
function segmentsOf(cursor: FieldCursor, file: string, headerBytes: number, size: number): Segments {
  const lists: Partial<Record<string, readonly NitfSegment[]>> = {};
  let place = headerBytes;
  for (const kind of segmentKinds) {
    const count = cursor.count(kind.count, 3);
    if (!("subheader" in kind)) continue;
    lists[kind.count] = Array.from({ length: count }, (_, i) => {
      const name = (field: string): string => `${field}${String(i + 1).padStart(3, "0")}`;
      const fieldAt = cursor.at;
      const header = cursor.count(name(kind.subheader[0]), kind.subheader[1]);
      const bytes = cursor.count(name(kind.data[0]), kind.data[1]);
      const segment: NitfSegment = { headerAt: place, headerBytes: header, at: place + header, bytes };
      place += header + bytes;
      if (place > size) {
        const expected = `${name(kind.subheader[0])} and ${name(kind.data[0])}, the lengths of a segment that ends before byte ${size}`;
        throw fileError(file, fieldAt, expected, `a file of ${size} bytes, whose segments end at byte ${place}`);
      }
      return segment;
    });
  }
  return { images: lists.NUMI ?? [], extensions: lists.NUMDES ?? [], end: place };
}

function imageOf(file: string, bytes: Uint8Array, segment: NitfSegment, notes: string[]): NitfImage {
  const header = createFieldCursor(file, bytes, segment.headerAt);
  const start = header.fields(imageFields);
  if (start.IM !== "IM") throw fileError(file, segment.headerAt, "IM, with which an image subheader begins", start.IM);
  if (start.ISCLAS === "") notes.push(`${file}: the classification ISCLAS of the image segment at byte ${segment.headerAt} is blank`);
  const sizes = createFieldCursor(file, bytes, segment.headerAt);
  sizes.skip(
    "subheader",
    fieldsLength(
      imageFields.slice(
        0,
        imageFields.findIndex(([name]) => name === "NROWS"),
      ),
    ),
  );
  const rows = sizes.count("NROWS", 8, 1);
  const columns = sizes.count("NCOLS", 8, 1);
  const IGEOLO = start.ICORDS === "" ? "" : header.text("IGEOLO", 60);
  const comments = header.count("NICOM", 1);
  header.skip("ICOM", 80 * comments);
  const IC = header.text("IC", 2);
  if (IC !== "NC" && IC !== "NM") header.skip("COMRAT", 4);
  const few = header.count("NBANDS", 1);
  const count = few === 0 ? header.count("XBANDS", 5, 10) : few;
  const bands = Array.from({ length: count }, () => {
    const band = header.fields(bandFields);
    // Look-up tables follow, if the image has them.
    if (/^[1-4]$/.test(band.NLUTS)) header.skip("LUTD", Number(band.NLUTS) * header.count("NELUT", 5));
    return band;
  });
  const blocks = header.fields(blockFields);
  return { ...segment, rows, columns, fields: { ...start, IGEOLO, IC, ...blocks }, bands };
}

function extensionOf(file: string, header: FieldCursor, segment: NitfSegment, notes: string[]): NitfExtension {
  const fields = header.fields(extensionFields);
  if (fields.DE !== "DE")
    throw fileError(file, segment.headerAt, "DE, with which the subheader of a data extension segment begins", fields.DE);
  if (fields.DESCLAS === "")
    notes.push(`${file}: the classification DESCLAS of the data extension segment at byte ${segment.headerAt} is blank`);
  if (fields.DESID === "TRE_OVERFLOW") return { ...segment, fields, content: {} };
  const own = header.count("DESSHL", 4);
  const content = own >= fieldsLength(xmlContentFields) ? header.fields(xmlContentFields) : {};
  return { ...segment, fields, content };
}

/** Makes the error about a field of an image segment. */
export function imageFieldError(file: string, image: NitfImage, field: string, expected: string): RadarError {
  const actual = image.fields[field];
  const message = `${file}: ${field} of the image segment at byte ${image.headerAt} must be ${expected}, not ${describe(actual)}`;
  return new RadarError("input", oneLine(message), { file, field, offset: image.headerAt, expected, actual });
}
