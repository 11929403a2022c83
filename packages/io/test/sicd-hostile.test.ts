/** Hostile SICD files: each must end in one error that names the file and the byte, field or element, before anything large is read. */
import { createRandom, isRadarError, type RadarError } from "@dechirp/core";
import { beforeAll, describe, expect, it } from "vitest";
import type { RandomAccess } from "../src/index.ts";
import { openSicd } from "../src/sicd.ts";
import { refusal } from "./refusal.ts";
import { knownBackprojection, slantSteps } from "./sicd-support.ts";
import { sicdFile } from "./sicd-target.ts";

const file = "x.nitf";
let sound: Uint8Array;
beforeAll(async () => {
  sound = await sicdFile(knownBackprojection(slantSteps));
});

const latin1 = new TextDecoder("latin1");
const textOf = (bytes: Uint8Array): string => latin1.decode(bytes);
/** Bytes of Latin-1 text. */
const bytesOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** The file with other text at a byte. */
function withText(at: number, text: string): Uint8Array {
  const out = sound.slice();
  out.set(bytesOf(text), at);
  return out;
}

/** Where the subheaders begin: of the image, and of the data extension segment. */
const imageAt = (): number => textOf(sound).indexOf("IMSICD000");
const extensionAt = (): number => textOf(sound).indexOf("DEXML_DATA_CONTENT");
/** Bytes from the beginning of an image subheader to a field. */
const fieldOffset = {
  NROWS: 333,
  NCOLS: 341,
  PVTYPE: 349,
  NICOM: 432,
  IC: 433,
  NBANDS: 435,
  ISUBCAT: 438,
  IMODE: 463,
  NBPR: 464,
  NBPP: 480,
};

/** The file with other XML; its length and those of the file are set. */
function withXml(change: (xml: string) => string): Uint8Array {
  const text = textOf(sound);
  const xmlAt = text.indexOf("<SICD");
  const xml = change(text.slice(xmlAt));
  const lengthAt = text.indexOf("0973", 363 + 16) + 4;
  const out = `${text.slice(0, xmlAt)}${xml}`;
  const digits = (at: number, length: number, value: number, all: string): string =>
    all.slice(0, at) + String(value).padStart(length, "0") + all.slice(at + length);
  return bytesOf(digits(342, 12, out.length, digits(lengthAt, 9, xml.length, out)));
}

const refused = (bytes: Uint8Array): Promise<RadarError> => refusal(() => openSicd(bytes, { file }));

describe("headers", () => {
  const cases: readonly (readonly [name: string, make: () => Uint8Array, expected: RegExp])[] = [
    ["another file", () => bytesOf("II*\0 and more bytes"), /at byte 0: expected NITF02\.10 or NSIF01\.00/],
    ["an empty file", () => new Uint8Array(0), /at byte 0: expected NITF02\.10/],
    ["NITF 2.0", () => withText(0, "NITF02.00"), /NITF of another version/],
    ["a file that ends in the header", () => sound.slice(0, 300), /expected the file header, found the end of the file/],
    ["a header length that is no number", () => withText(354, "00x404"), /at byte 354: expected HL, 6 digits/],
    ["a header length that is too short", () => withText(354, "000100"), /HL, the length of the file header, at least/],
    ["a header length beyond the file", () => withText(354, "999999"), /HL, the length of the file header, at most/],
    ["a number of segments that is none", () => withText(360, " -1"), /at byte 360: expected NUMI, 3 digits/],
    ["more segments than the header has", () => withText(360, "999"), /expected L|the end of the header/],
    ["no image segment", () => withText(360, "000"), /NUM|byte/],
    ["a segment beyond the file", () => withText(369, "9999999999"), /LISH001 and LI001, the lengths of a segment/],
    ["an image subheader that is none", () => withText(imageAt(), "XX"), /expected IM, with which an image subheader begins/],
    [
      "rows that the XML does not have",
      () => withText(imageAt() + fieldOffset.NROWS, "00000076"),
      /NROWS of all image segments: 77, as the XML/,
    ],
    ["no row", () => withText(imageAt() + fieldOffset.NROWS, "00000000"), /NROWS, 8 digits, a number from 1 on/],
    ["columns that the XML does not have", () => withText(imageAt() + fieldOffset.NCOLS, "00000091"), /NCOLS 90, as the XML says/],
    ["another pixel type", () => withText(imageAt() + fieldOffset.PVTYPE, "SI "), /PVTYPE of the image segment .* must be R for RE32F/],
    ["comments beyond the header", () => withText(imageAt() + fieldOffset.NICOM, "9"), /expected .*the end of the header|bytes/],
    ["compressed pixels", () => withText(imageAt() + fieldOffset.IC, "C8"), /NBANDS|IC of the image|digits/],
    ["masked pixels", () => withText(imageAt() + fieldOffset.IC, "NM"), /IC of the image segment at byte \d+ must be NC, not compressed/],
    ["other bands", () => withText(imageAt() + fieldOffset.ISUBCAT, "M     "), /bands I, Q for RE32F_IM32F, as the XML says/],
    ["pixels in blocks of bands", () => withText(imageAt() + fieldOffset.IMODE, "B"), /IMODE .* must be P, interleaved by pixel/],
    ["several blocks", () => withText(imageAt() + fieldOffset.NBPR, "0002"), /NBPR .* must be 1, one block/],
    ["pixels of 64 bits", () => withText(imageAt() + fieldOffset.NBPP, "64"), /NBPP .* must be 32 for RE32F_IM32F/],
    [
      "no extension",
      () => withText(extensionAt() + 2, "OTHER           "),
      /the file must be a NITF with the XML of a SICD image, not one with/,
    ],
    [
      "an image of derived data",
      () => withText(textOf(sound).indexOf("urn:SICD:1.3.0"), "urn:SIDD:1.3.0"),
      /not one with urn:SIDD:1\.3\.0/,
    ],
    ["a file that was cut", () => sound.slice(0, sound.length - 10), /a segment that ends before byte/],
  ];
  for (const [name, make, expected] of cases)
    it(`refuses ${name}`, async () => {
      const { message, fields } = await refused(make());
      expect(message).toMatch(expected);
      expect(message.startsWith(`${file}: `)).toBe(true);
      expect(fields.file).toBe(file);
    });

  it("notes blank classifications and wrong lengths, and reads the file", async () => {
    const text = textOf(sound);
    const changed = text.split("");
    changed[119] = " ";
    changed[imageAt() + 123] = " ";
    changed[extensionAt() + 29] = " ";
    const { notes } = await openSicd(bytesOf(changed.join("")), { file });
    expect(notes.map((note) => /FSCLAS|ISCLAS|DESCLAS/.exec(note)?.[0])).toEqual(["FSCLAS", "ISCLAS", "DESCLAS"]);
    const longer = new Uint8Array(sound.length + 7);
    longer.set(sound);
    expect((await openSicd(longer, { file })).notes).toEqual([expect.stringContaining("length of the file FL")]);
  });
});

describe("XML", () => {
  const cases: readonly (readonly [name: string, change: (xml: string) => string, expected: RegExp])[] = [
    ["a document type", (xml) => `<!DOCTYPE SICD [<!ENTITY a "b">]>${xml}`, /without a document type/],
    ["an open element", (xml) => xml.slice(0, -7), /well-formed XML/],
    ["another root", (xml) => xml.replace("<SICD ", "<SIDD ").replace("</SICD>", "</SIDD>"), /a SICD document of version 1\.x/],
    ["another version", (xml) => xml.replace("urn:SICD:1.3.0", "urn:SICD:2.0.0"), /a SICD document of version 1\.x/],
    ["no rows", (xml) => xml.replaceAll("NumRows", "NumLows"), /SICD\/ImageData\/NumRows must be in the XML, not absent/],
    ["rows that are no number", (xml) => xml.replace("<NumRows>77<", "<NumRows>many<"), /NumRows must be an integer/],
    ["huge rows", (xml) => xml.replace("<NumRows>77<", "<NumRows>1e300<"), /NumRows must be an integer/],
    ["more rows than the file has", (xml) => xml.replace("<NumRows>77<", "<NumRows>99999999999<"), /NROWS of all image segments/],
    ["an unknown pixel type", (xml) => xml.replace("RE32F_IM32F", "RE64F_IM64F"), /PixelType must be one of/],
    [
      "an order that is huge",
      (xml) => xml.replace('order1="0" order2="0"', 'order1="999999999" order2="0"'),
      /order1 must be an integer from 0 to 63/,
    ],
    [
      "an exponent beyond the order",
      (xml) => xml.replace('exponent1="0" exponent2="0"', 'exponent1="1" exponent2="0"'),
      /exponent1 must be/,
    ],
    ["a vector that is not finite", (xml) => xml.replace(/<ECF><X>[^<]*</, "<ECF><X>NaN<"), /SCP\/ECF\/X must be a number/],
    ["no corner", (xml) => xml.replace("3:LRLC", "3:XXXX"), /four corners, not without 3:LRLC/],
    ["two grids", (xml) => xml.replace("<Grid>", "<Grid></Grid><Grid>"), /Grid must be one element/],
    ["a side that is none", (xml) => xml.replace("<SideOfTrack>R<", "<SideOfTrack>UP<"), /SideOfTrack must be one of L, R/],
  ];
  for (const [name, change, expected] of cases)
    it(`refuses ${name}`, async () => {
      const { message, fields } = await refused(withXml(change));
      expect(message).toMatch(expected);
      expect(fields.file).toBe(file);
    });
});

/** A source that counts how much was asked for. */
function counted(bytes: Uint8Array, size: number) {
  let asked = 0;
  const access: RandomAccess = {
    name: file,
    size,
    async read(at, length) {
      asked += length;
      const out = new Uint8Array(Math.min(length, size - at));
      out.set(bytes.subarray(at, at + out.length));
      return out;
    },
    close: async () => {},
  };
  return { access, asked: () => asked };
}

it("reads headers and XML only, and never what sizes claim", async () => {
  const source = counted(sound, sound.length);
  const image = await openSicd(source.access, { file });
  expect(source.asked()).toBeLessThan(40_000);
  await image.read({ row: 3, column: 3, rows: 1, columns: 2 });
  expect(source.asked()).toBeLessThan(60_000);
  // A file of 50 GB whose extension segment claims to have 900 MB of XML.
  const text = textOf(sound);
  const claims = withText(text.indexOf("0973", 379) + 4, "900000000");
  const huge = counted(claims, 5e10);
  expect((await refusal(() => openSicd(huge.access, { file }))).message).toMatch(/at most 8388608 bytes of XML/);
  expect(huge.asked()).toBeLessThan(40_000);
});

it("ends every mutation in one error about the file, or reads it", async () => {
  const { uniform } = createRandom(2026);
  const below = (n: number): number => Math.floor(uniform() * n);
  const pixelsAt = imageAt() + 439;
  const pixelsEnd = extensionAt();
  let [accepted, rejected] = [0, 0];
  for (let n = 0; n < 1500; n++) {
    let bytes = sound.slice();
    for (let changes = 1 + below(3); changes > 0; changes--) {
      // Headers and XML, not pixels.
      let at = below(bytes.length - (pixelsEnd - pixelsAt));
      if (at >= pixelsAt) at += pixelsEnd - pixelsAt;
      const kind = below(5);
      if (kind === 0) bytes[at] = below(256);
      else if (kind === 1) bytes[at] ^= 1 << below(8);
      else if (kind === 2) bytes.set(bytesOf(["000", "999", "   ", "-1 ", "1e9"][below(5)]).subarray(0, bytes.length - at), at);
      else if (kind === 3) {
        bytes = bytes.slice(0, at);
        break;
      } else bytes.copyWithin(at, below(bytes.length), below(bytes.length));
    }
    try {
      const image = await openSicd(bytes, { file });
      const [rows, columns] = image.layout.shape;
      await image.read({ row: rows - 1, column: 0, rows: 1, columns });
      accepted++;
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      expect(error.fields.file).toBe(file);
      expect(error.message.startsWith(`${file}: `)).toBe(true);
      rejected++;
    }
  }
  expect(accepted).toBeGreaterThan(50);
  expect(rejected).toBeGreaterThan(500);
});
