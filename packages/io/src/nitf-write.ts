/**
 * Writes the headers of NITF 2.1 files with complex images and one data extension segment with XML, as SICD lays them out: where the segments
 * are, and the bytes of the file header and of the subheaders. Source: MIL-STD-2500C, appendix A, and NGA.STND.0024-2.
 */
import { inputError } from "@dechirp/core";
import type { GeodeticPosition } from "@dechirp/radar/geodesy";
import {
  bandFields,
  blockFields,
  encodeFields,
  extensionFields,
  fieldsLength,
  fileFields,
  imageFields,
  xmlContentFields,
} from "./nitf-fields.ts";
import { joinedBytes } from "./numbers.ts";

/** Most bytes of an image segment, as SICD has it. */
export const mostSegmentBytes = 9_999_999_998;
/** Most rows of an image segment that another one follows. */
const mostSegmentRows = 99_999;
const mostSegments = 999;
/** Most bytes of a file. */
const mostFileBytes = 999_999_999_999;
/** Room for the headers and the XML. */
const spareBytes = 2 ** 25;

/** Rows of an image in one segment of a file. */
export interface SegmentPlace {
  readonly row: number;
  readonly rows: number;
  /** First byte of the subheader, and of the pixels. */
  readonly headerAt: number;
  readonly at: number;
}

/** Where the segments of an image are in its file. */
export interface NitfPlan {
  readonly headerBytes: number;
  readonly segments: readonly SegmentPlace[];
  /** First byte behind the pixels, where the data extension segment begins. */
  readonly end: number;
}

/** Bytes of an image subheader with two bands. */
const imageHeaderBytes = fieldsLength(imageFields) + 60 + 1 + 2 + 1 + 2 * fieldsLength(bandFields) + fieldsLength(blockFields) + 5 + 5;
const extensionHeaderBytes = fieldsLength(extensionFields) + 4 + fieldsLength(xmlContentFields);

/**
 * Divides an image into segments of at most `segmentBytes` (SICD: 9,999,999,998). Throws `input` if it has more rows, columns or bytes than
 * NITF has digits for.
 */
export function planNitf(rows: number, columns: number, pixelBytes: number, segmentBytes = mostSegmentBytes): NitfPlan {
  const rowBytes = columns * pixelBytes;
  const bytes = rows * rowBytes;
  const rowsOfSegment = bytes <= segmentBytes ? rows : Math.min(Math.floor(segmentBytes / rowBytes), mostSegmentRows);
  const count = Math.ceil(rows / rowsOfSegment);
  const fits = columns <= 99_999_999 && rowsOfSegment <= 99_999_999 && count <= mostSegments && bytes <= mostFileBytes - spareBytes;
  if (!fits)
    throw inputError("layout.shape", `of at most ${mostFileBytes - spareBytes} bytes and 99,999,999 pixels a side`, [rows, columns]);
  const headerBytes = fieldsLength(fileFields) + 6 * 3 + count * 16 + 13 + 2 * 5;
  let at = headerBytes;
  const segments = Array.from({ length: count }, (_, i): SegmentPlace => {
    const row = i * rowsOfSegment;
    const segment = { row, rows: Math.min(rowsOfSegment, rows - row), headerAt: at, at: at + imageHeaderBytes };
    at = segment.at + segment.rows * rowBytes;
    return segment;
  });
  return { headerBytes, segments, end: at };
}

/** What the headers say. */
export interface NitfFacts {
  readonly columns: number;
  readonly pixelBytes: number;
  readonly bits: number;
  readonly PVTYPE: string;
  readonly ISUBCAT: readonly string[];
  /** Title of the file and of the image. */
  readonly title: string;
  /** Who made the file, and which radar collected the image. */
  readonly station: string;
  readonly source: string;
  readonly classification: string;
  /** When the file was made, and when the image was taken, in UTC as ISO 8601. */
  readonly created: string;
  readonly taken: string;
  /** Corners of each segment: first row first column, and on clockwise. */
  readonly corners: readonly (readonly GeodeticPosition[])[];
  /** The XML, and the own fields of its segment (`xmlContentFields`). */
  readonly xml: Uint8Array;
  readonly content: Readonly<Record<string, string | number>>;
}

/** Bytes with their place in a file. */
export interface PlacedBytes {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** The bytes of all headers and of the data extension segment. Throws `input`, which names the field, for text that does not fit. */
export function nitfHeaders(file: string, plan: NitfPlan, facts: NitfFacts): readonly PlacedBytes[] {
  const { columns, pixelBytes, xml, content, classification } = facts;
  const end = plan.end + extensionHeaderBytes + xml.length;
  const clas = classification.slice(0, 1);
  const encode = (table: Parameters<typeof encodeFields>[1], values: Parameters<typeof encodeFields>[2]): Uint8Array =>
    encodeFields(file, table, values);
  const digits = (name: string, length: number, value: number): Uint8Array => encode([[name, length]], { [name]: value });
  const none = (name: string): Uint8Array => digits(name, 3, 0);
  const header = joinedBytes([
    encode(fileFields, {
      FHDR: "NITF",
      FVER: "02.10",
      CLEVEL: complexityOf(plan, columns, end),
      STYPE: "BF01",
      OSTAID: facts.station,
      FDT: compactTime(facts.created),
      FTITLE: facts.title.slice(0, 80),
      FSCLAS: clas,
      FSCOP: 0,
      FSCPYS: 0,
      ENCRYP: "0",
      FL: end,
      HL: plan.headerBytes,
    }),
    digits("NUMI", 3, plan.segments.length),
    ...plan.segments.map(({ rows }) =>
      encode(
        [
          ["LISH", 6],
          ["LI", 10],
        ],
        { LISH: imageHeaderBytes, LI: rows * columns * pixelBytes },
      ),
    ),
    none("NUMS"),
    none("NUMX"),
    none("NUMT"),
    digits("NUMDES", 3, 1),
    encode(
      [
        ["LDSH", 4],
        ["LD", 9],
      ],
      { LDSH: extensionHeaderBytes, LD: xml.length },
    ),
    none("NUMRES"),
    digits("UDHDL", 5, 0),
    digits("XHDL", 5, 0),
  ]);
  const images = plan.segments.map((segment, i) => ({ at: segment.headerAt, bytes: imageHeader(encode, plan, facts, clas, i) }));
  const extension = joinedBytes([
    encode(extensionFields, { DE: "DE", DESID: "XML_DATA_CONTENT", DESVER: 1, DESCLAS: clas }),
    digits("DESSHL", 4, fieldsLength(xmlContentFields)),
    encode(xmlContentFields, content),
    xml,
  ]);
  return [{ at: 0, bytes: header }, ...images, { at: plan.end, bytes: extension }];
}

function imageHeader(
  encode: (table: Parameters<typeof encodeFields>[1], values: Parameters<typeof encodeFields>[2]) => Uint8Array,
  { segments }: NitfPlan,
  facts: NitfFacts,
  clas: string,
  index: number,
): Uint8Array {
  const { columns, bits } = facts;
  const { rows } = segments[index];
  const several = segments.length > 1;
  const before = index === 0 ? 0 : segments[index - 1].rows;
  return joinedBytes([
    encode(imageFields, {
      IM: "IM",
      IID1: `SICD${String(several ? index + 1 : 0).padStart(3, "0")}`,
      IDATIM: compactTime(facts.taken),
      IID2: facts.title.slice(0, 80),
      ISCLAS: clas,
      ENCRYP: "0",
      ISORCE: facts.source.slice(0, 42),
      NROWS: rows,
      NCOLS: columns,
      PVTYPE: facts.PVTYPE,
      IREP: "NODISPLY",
      ICAT: "SAR",
      ABPP: bits,
      PJUST: "R",
      ICORDS: "G",
    }),
    encode(
      [
        ["IGEOLO", 60],
        ["NICOM", 1],
        ["IC", 2],
        ["NBANDS", 1],
      ],
      { IGEOLO: facts.corners[index].map(compactPosition).join(""), NICOM: "0", IC: "NC", NBANDS: String(facts.ISUBCAT.length) },
    ),
    ...facts.ISUBCAT.map((ISUBCAT) => encode(bandFields, { ISUBCAT, IFC: "N", NLUTS: "0" })),
    encode(blockFields, {
      ISYNC: "0",
      IMODE: "P",
      NBPR: 1,
      NBPC: 1,
      NPPBH: columns > 8192 ? 0 : columns,
      NPPBV: rows > 8192 ? 0 : rows,
      NBPP: bits,
      IDLVL: index + 1,
      IALVL: index,
      ILOC: `${String(before).padStart(5, "0")}00000`,
      IMAG: "1.0 ",
    }),
    encode(
      [
        ["UDIDL", 5],
        ["IXSHDL", 5],
      ],
      { UDIDL: 0, IXSHDL: 0 },
    ),
  ]);
}

/** The complexity level: how much a reader must be able to hold (MIL-STD-2500C, table A-10). */
function complexityOf({ segments }: NitfPlan, columns: number, end: number): string {
  const rows = segments.reduce((sum, one) => sum + one.rows, 0);
  const side = Math.max(rows, columns);
  const sizes = [
    ["03", 2048, 50 * 2 ** 20 - 1, 20],
    ["05", 8192, 2 ** 30 - 1, 20],
    ["06", 65_536, 2 * 2 ** 30 - 1, 100],
    ["07", 99_999_999, 10 * 2 ** 30 - 1, 100],
  ] as const;
  return (
    sizes.find(([, mostSide, mostBytes, mostImages]) => side <= mostSide && end <= mostBytes && segments.length <= mostImages)?.[0] ?? "09"
  );
}

/** CCYYMMDDhhmmss of a time in UTC as ISO 8601. */
const compactTime = (text: string): string => text.slice(0, 19).replaceAll(/[-:T]/g, "");

/** ddmmssXdddmmssY, rounded to seconds. */
function compactPosition({ latitudeDegrees, longitudeDegrees }: GeodeticPosition): string {
  const part = (degrees: number, digits: number, letters: string): string => {
    const seconds = Math.round(Math.abs(degrees) * 3600);
    const two = (value: number): string => String(value).padStart(2, "0");
    const whole = String(Math.floor(seconds / 3600)).padStart(digits, "0");
    return `${whole}${two(Math.floor(seconds / 60) % 60)}${two(seconds % 60)}${letters[degrees < 0 ? 1 : 0]}`;
  };
  return part(latitudeDegrees, 2, "NS") + part(longitudeDegrees, 3, "EW");
}
