/**
 * Fields of NITF 2.1 headers (MIL-STD-2500C, appendix A): tables of names and lengths, in the order of the file, and functions that read
 * and write them. All fields are text of a fixed length, padded with spaces, but for the colour FBKGC, which SICD does not use. The same
 * tables serve the reader (nitf.ts) and the writer (nitf-write.ts).
 */
import { RadarError } from "@dechirp/core";
import { oneLine } from "@dechirp/core/internal";
import { fileError } from "./file-error.ts";

/** Names and lengths of fields that follow each other. */
export type FieldTable = readonly (readonly [name: string, length: number])[];

/** Fields by name, without the spaces at their ends. */
export type Fields = Readonly<Record<string, string>>;

/** The security fields of a header; `prefix` is FS, IS or DES. */
const security = (prefix: string): FieldTable => [
  [`${prefix}CLAS`, 1],
  [`${prefix}CLSY`, 2],
  [`${prefix}CODE`, 11],
  [`${prefix}CTLH`, 2],
  [`${prefix}REL`, 20],
  [`${prefix}DCTP`, 2],
  [`${prefix}DCDT`, 8],
  [`${prefix}DCXM`, 4],
  [`${prefix}DG`, 1],
  [`${prefix}DGDT`, 8],
  [`${prefix}CLTX`, 43],
  [`${prefix}CATP`, 1],
  [`${prefix}CAUT`, 40],
  [`${prefix}CRSN`, 1],
  [`${prefix}SRDT`, 8],
  [`${prefix}CTLN`, 15],
];

/** The file header up to the number of image segments, which NUMI has. */
export const fileFields: FieldTable = [
  ["FHDR", 4],
  ["FVER", 5],
  ["CLEVEL", 2],
  ["STYPE", 4],
  ["OSTAID", 10],
  ["FDT", 14],
  ["FTITLE", 80],
  ...security("FS"),
  ["FSCOP", 5],
  ["FSCPYS", 5],
  ["ENCRYP", 1],
  ["FBKGC", 3],
  ["ONAME", 24],
  ["OPHONE", 18],
  ["FL", 12],
  ["HL", 6],
];

/** The kinds of segments in the order of the file header: the field of their number, and the lengths of the fields of their sizes. */
export const segmentKinds = [
  { count: "NUMI", subheader: ["LISH", 6], data: ["LI", 10] },
  { count: "NUMS", subheader: ["LSSH", 4], data: ["LS", 6] },
  { count: "NUMX" },
  { count: "NUMT", subheader: ["LTSH", 4], data: ["LT", 5] },
  { count: "NUMDES", subheader: ["LDSH", 4], data: ["LD", 9] },
  { count: "NUMRES", subheader: ["LRESH", 4], data: ["LRE", 7] },
] as const satisfies readonly { count: string; subheader?: readonly [string, number]; data?: readonly [string, number] }[];

/** An image subheader up to the kind of its coordinates. */
export const imageFields: FieldTable = [
  ["IM", 2],
  ["IID1", 10],
  ["IDATIM", 14],
  ["TGTID", 17],
  ["IID2", 80],
  ...security("IS"),
  ["ENCRYP", 1],
  ["ISORCE", 42],
  ["NROWS", 8],
  ["NCOLS", 8],
  ["PVTYPE", 3],
  ["IREP", 8],
  ["ICAT", 8],
  ["ABPP", 2],
  ["PJUST", 1],
  ["ICORDS", 1],
];

/** One band of an image, without its look-up tables. */
export const bandFields: FieldTable = [
  ["IREPBAND", 2],
  ["ISUBCAT", 6],
  ["IFC", 1],
  ["IMFLT", 3],
  ["NLUTS", 1],
];

/** An image subheader from the bands on. */
export const blockFields: FieldTable = [
  ["ISYNC", 1],
  ["IMODE", 1],
  ["NBPR", 4],
  ["NBPC", 4],
  ["NPPBH", 4],
  ["NPPBV", 4],
  ["NBPP", 2],
  ["IDLVL", 3],
  ["IALVL", 3],
  ["ILOC", 10],
  ["IMAG", 4],
];

/** The subheader of a data extension segment up to its own fields. */
export const extensionFields: FieldTable = [["DE", 2], ["DESID", 25], ["DESVER", 2], ...security("DES")];

/** The own fields of a data extension segment with XML (XML_DATA_CONTENT, version 01): 773 bytes. */
export const xmlContentFields: FieldTable = [
  ["DESCRC", 5],
  ["DESSHFT", 8],
  ["DESSHDT", 20],
  ["DESSHRP", 40],
  ["DESSHSI", 60],
  ["DESSHSV", 10],
  ["DESSHSD", 20],
  ["DESSHTN", 120],
  ["DESSHLPG", 125],
  ["DESSHLPT", 25],
  ["DESSHLI", 20],
  ["DESSHLIN", 120],
  ["DESSHABS", 200],
];

/** Number of bytes of a table's fields. */
export const fieldsLength = (table: FieldTable): number => table.reduce((sum, [, length]) => sum + length, 0);

/** Reads the fields of a header one after another. Errors name the field and its byte in the file. */
export interface FieldCursor {
  /** Byte of the next field, in the file. */
  readonly at: number;
  /** The next field, without the spaces at its end. */
  text(name: string, length: number): string;
  /** The next field as a whole number without a sign, from `least` to `most`. */
  count(name: string, length: number, least?: number, most?: number): number;
  /** The next fields, by name. */
  fields(table: FieldTable): Fields;
  /** Passes over bytes. */
  skip(name: string, length: number): void;
}

/** A cursor over `bytes`, a header that begins at byte `start` of the file. */
export function createFieldCursor(file: string, bytes: Uint8Array, start: number): FieldCursor {
  let at = 0;
  const take = (name: string, length: number): Uint8Array => {
    if (at + length > bytes.length)
      throw fileError(file, start + at, `${name}, ${length} bytes`, `the end of the header at byte ${start + bytes.length}`);
    at += length;
    return bytes.subarray(at - length, at);
  };
  const text = (name: string, length: number): string => {
    let out = "";
    for (const byte of take(name, length)) out += String.fromCharCode(byte);
    let end = out.length;
    while (end > 0 && out[end - 1] === " ") end--;
    return out.slice(0, end);
  };
  return {
    get at() {
      return start + at;
    },
    text,
    count(name, length, least = 0, most = Number.MAX_SAFE_INTEGER) {
      const place = start + at;
      const given = text(name, length);
      const value = /^\d+$/.test(given) && given.length === length ? Number(given) : Number.NaN;
      if (!(value >= least && value <= most)) {
        const range = most === Number.MAX_SAFE_INTEGER ? (least > 0 ? ` from ${least} on` : "") : ` from ${least} to ${most}`;
        throw fileError(file, place, `${name}, ${length} digits${range && `, a number${range}`}`, given);
      }
      return value;
    },
    fields: (table) => Object.fromEntries(table.map(([name, length]) => [name, text(name, length)])),
    skip: (name, length) => void take(name, length),
  };
}

/** Characters that a field may have: those of the basic character set, ECS-A of the standard and the Latin letters of ECS. */
const encodable = /^[\x20-\x7e\xa0-\xff]*$/;

/** Writes fields in the order of a table: text is padded with spaces, numbers with zeros. Fields that are not given are spaces. */
export function encodeFields(file: string, table: FieldTable, values: Readonly<Record<string, string | number | undefined>>): Uint8Array {
  const out = new Uint8Array(fieldsLength(table)).fill(0x20);
  let at = 0;
  for (const [name, length] of table) {
    const value = values[name] ?? "";
    const text = typeof value === "number" ? String(value).padStart(length, "0") : value;
    if (text.length > length || !encodable.test(text)) {
      const expected = `at most ${length} characters of Latin text`;
      throw new RadarError("input", oneLine(`${file}: ${name} must be ${expected}, not ${JSON.stringify(text)}`), {
        file,
        field: name,
        expected,
        actual: value,
      });
    }
    for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
    at += length;
  }
  return out;
}
