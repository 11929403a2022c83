/**
 * Wrong CPHD files: every check gives one `input` error that names what is wrong, for at least five changes of each kind; and any change of
 * bytes gives a recording or one error.
 */
import { RadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openCphd } from "../src/cphd.ts";
import { type CphdSpec, makeCphd } from "./cphd-builder.ts";

const small: CphdSpec = { pulses: 8, samples: 24 };

async function refusal(bytes: Uint8Array): Promise<RadarError> {
  try {
    const file = await openCphd(bytes, { file: "a.cphd" });
    for (const { identifier, vectors } of file.metadata.channels) await (await file.history(identifier)).pulses(0, vectors);
  } catch (error) {
    expect(error).toBeInstanceOf(RadarError);
    expect((error as RadarError).code).toBe("input");
    expect((error as RadarError).message.startsWith("a.cphd: ")).toBe(true);
    return error as RadarError;
  }
  throw new Error("the file was read");
}

const made = (spec: CphdSpec): Uint8Array => makeCphd({ ...small, ...spec }).bytes;
const header = (from: string | RegExp, to: string): CphdSpec => ({ header: (lines) => lines.map((line) => line.replace(from, to)) });
const xml = (from: string | RegExp, to: string): CphdSpec => ({ xml: (text) => text.replace(from, to) });
const column = (name: string, vector: number, value: number | ((old: number) => number), more: CphdSpec = {}): CphdSpec => ({
  ...more,
  columns: (columns) => {
    columns[name][vector] = typeof value === "number" ? value : value(columns[name][vector]);
  },
});
const two = { channels: [{ id: "a" }, { id: "b" }] } as const;
/** Sets a number of the header to what it is, changed. */
const number = (key: string, change: (value: number) => number | string): CphdSpec => ({
  header: (lines) =>
    lines.map((line) => line.replace(new RegExp(`^(${key} := )(\\d+)$`), (_, begin, value) => `${begin}${change(Number(value))}`)),
});
const field = (name: string, what: string, value: string | number): CphdSpec => ({
  xml: (text) => text.replace(new RegExp(`(<${name}>.*?<${what}>)[^<]*`), `$1${value}`),
});

/** Checks by what the message must contain, with changes that must be found. */
const checks: readonly (readonly [string, RegExp, readonly CphdSpec[]])[] = [
  [
    "version",
    /version CPHD\/1\.0\.1 or CPHD\/1\.1\.0/,
    ["0.3", "3.0", "1.0.0", "1.2.0", "2.0.1", "", "1.1.0 "].map((version) => header(/^CPHD\/.*/, `CPHD/${version}`)),
  ],
  [
    "namespace",
    /the namespace of CPHD must be/,
    ["", "urn:CPHD:1.0.1", "http://api.nsgreg.nga.mil/schema/cphd/1.0.1", "http://api.nsgreg.nga.mil/schema/crsd/1.0", "x"].map((ns) =>
      xml(/xmlns="[^"]*"/, `xmlns="${ns}"`),
    ),
  ],
  [
    "header lines",
    /KEY := VALUE|in the header/,
    [
      header(/^XML_BLOCK_SIZE.*/, ""),
      header(/^PVP_BLOCK_BYTE_OFFSET.*/, ""),
      header(/^SIGNAL_BLOCK_SIZE := /, "SIGNAL_BLOCK_SIZE="),
      header(/^GENERATOR.*/, "XML_BLOCK_SIZE := 5"),
      header(/^GENERATOR.*/, "SUPPORT_BLOCK_SIZE := 5"),
    ],
  ],
  [
    "numbers of the header",
    /whole number below 2\^53/,
    ["-1", "1.5", "9007199254740993", "x", "1e3", ""].map((value) => number("PVP_BLOCK_SIZE", () => value)),
  ],
  [
    "blocks in the file",
    /ends within the file's|where the part before it ends|at least 1|XML_BLOCK_SIZE/,
    [
      number("SIGNAL_BLOCK_SIZE", (size) => size + 1),
      number("SIGNAL_BLOCK_BYTE_OFFSET", (at) => at + 8),
      number("PVP_BLOCK_BYTE_OFFSET", () => 1030),
      number("XML_BLOCK_BYTE_OFFSET", () => 0),
      number("SIGNAL_BLOCK_BYTE_OFFSET", () => 2000),
      number("PVP_BLOCK_SIZE", () => 2 ** 50),
      number("PVP_BLOCK_SIZE", () => 0),
      number("XML_BLOCK_SIZE", () => 2 ** 30),
    ],
  ],
  [
    "the end of the XML",
    /form feed and a line feed after the XML/,
    [-9, -1, 1, 2, 7].map((by) => number("XML_BLOCK_SIZE", (size) => size + by)),
  ],
  [
    "XML",
    /well-formed XML|document type|one element|prefix/,
    [
      xml("</Global>", ""),
      xml("<Global>", "<Global><Global>"),
      { xml: (text) => `<!DOCTYPE CPHD [<!ENTITY a "b">]>${text}` },
      xml("<CoreName>", "<CoreName>&unknown;"),
      xml("<Data>", "<x:Data>"),
    ],
  ],
  [
    "elements",
    /CPHD\/[\w/[\]]+ must be (in the XML, not absent|a text, not empty|one element)/,
    [
      xml(/<DomainType>.*?<\/DomainType>/, ""),
      xml(/<SGN>.*?<\/SGN>/, "<SGN></SGN>"),
      xml(/<IARP>.*?<\/IARP>/, ""),
      xml(/<SCSS>.*?<\/SCSS>/, ""),
      xml(/<RefChId>.*?<\/RefChId>/, ""),
      xml("</PVP>", "</PVP><PVP></PVP>"),
    ],
  ],
  [
    "choices",
    /must be (one of|WGS_84|an integer|a time)/,
    [
      xml(">FX<", ">KX<"),
      xml("<SGN>-1", "<SGN>2"),
      xml(">CF8<", ">CF16<"),
      xml(">WGS_84<", ">GRS_80<"),
      xml(">MONOSTATIC<", ">MULTISTATIC<"),
      xml("2026-03-14T", "yesterday"),
    ],
  ],
  [
    "compressed samples",
    /can't be read/,
    ["LZW", "1", "JPEG 2000"]
      .map((id) => xml("<NumBytesPVP>", `<SignalCompressionID>${id}</SignalCompressionID><NumBytesPVP>`))
      .concat(
        ["1", "4096"].map((size) =>
          xml("<PVPArrayByteOffset>", `<CompressedSignalSize>${size}</CompressedSignalSize><PVPArrayByteOffset>`),
        ),
      ),
  ],
  [
    "sizes of arrays",
    /end within the block|must be an integer from|identifier|elements|channels that follow/,
    [
      xml("<NumVectors>8", "<NumVectors>9"),
      xml("<NumSamples>24", "<NumSamples>25"),
      xml("<NumSamples>24", "<NumSamples>0"),
      xml("<NumVectors>8", "<NumVectors>4294967296"),
      xml("<SignalArrayByteOffset>0", "<SignalArrayByteOffset>8"),
      xml("<PVPArrayByteOffset>0", "<PVPArrayByteOffset>8"),
      xml("<NumCPHDChannels>1", "<NumCPHDChannels>2"),
    ],
  ],
  [
    "channels",
    /identifier of one channel only|there for the channel|identifier of a channel|where a ends/,
    [
      { ...two, channels: [{ id: "a" }, { id: "a" }] },
      { ...two, ...xml("<Parameters><Identifier>b<", "<Parameters><Identifier>a<") },
      { ...two, ...xml("<Parameters><Identifier>b<", "<Parameters><Identifier>c<") },
      { ...two, ...xml("<RefChId>a<", "<RefChId>z<") },
      { ...two, ...xml(/<SignalArrayByteOffset>[1-9]\d*</, "<SignalArrayByteOffset>16<") },
      { ...two, ...xml(/<PVPArrayByteOffset>[1-9]\d*</, "<PVPArrayByteOffset>0<") },
    ],
  ],
  [
    "parameters in the record",
    /CPHD\/(PVP|Data)\/[\w/[\]]+ must be/,
    [
      xml(/<NumBytesPVP>\d+/, "<NumBytesPVP>220"),
      xml(/<NumBytesPVP>\d+/, "<NumBytesPVP>16"),
      field("SCSS", "Offset", 28),
      field("SCSS", "Offset", -1),
      field("SCSS", "Offset", 0),
      field("TxPos", "Size", 4),
      field("TxPos", "Format", "F8"),
      field("SIGNAL", "Format", "F8"),
      field("FX1", "Format", "F4"),
      field("RcvPos", "Offset", 26),
    ],
  ],
  ["FX1", /FX1 must be a positive number/, [0, -1, -9e9, -1e-9, -1e300].map((value, v) => column("FX1", v, value))],
  [
    "FX2",
    /FX2 must be above FX1|FX2 must be that of vector 0/,
    [0, 9e9, -1, 9.5e9, 1].map((value, v) => column("FX2", v + 1, value, xml(/<FXFixed>true/, "<FXFixed>false"))),
  ],
  ["SCSS", /SCSS must be (a positive number|at most 1)/, [0, -1, 1e9, -1e6, 3.1e7].map((value, v) => column("SCSS", v, value))],
  ["SC0", /SC0 must be (a positive number|such that)/, [0, -9e9, 1e12, 1, 2e10].map((value, v) => column("SC0", v, value))],
  ["AmpSF", /AmpSF must be a positive number/, [0, -1, -0, -1e-30, -5].map((value, v) => column("AmpSF", v, value, { ampSF: true }))],
  [
    "times",
    /(TxTime|RcvTime) must be after/,
    [
      column("TxTime", 3, -1),
      column("TxTime", 7, 0.01),
      column("RcvTime", 2, 0),
      column("RcvTime", 0, (t) => t - 1),
      column("TxTime", 4, 2),
      column("RcvTime", 5, (t) => t - 0.3),
    ],
  ],
  [
    "swath",
    /TOA2 must be above TOA1|SCSS must be at most/,
    [-1e-7, -1, -0.4e-6, 1e-3, 1].map((value, v) => column("TOA2", v, value, xml("<TOAFixed>true", "<TOAFixed>false"))),
  ],
  [
    "fixed parameters",
    /must be that of vector 0, as (FX|TOA|SRP)Fixed is true/,
    [
      ...(["FX1", "FX2", "TOA1", "TOA2"] as const).map((name, i) =>
        column(name, i + 1, (x) => x * (1 + 1e-9), { xml: (text) => text.replaceAll(/(<\w+Fixed>)false/g, "$1true") }),
      ),
      { srpMeters: 1, xml: (text) => text.replaceAll(/(<\w+Fixed>)false/g, "$1true") },
      { jitterHz: 1, xml: (text) => text.replaceAll(/(<\w+Fixed>)false/g, "$1true") },
    ],
  ],
  [
    "SIGNAL",
    /SIGNAL/,
    [
      { channels: [{ dead: [0, 1, 2, 3, 4, 5, 6, 7] }] },
      ...[0, 3, 7, 2].map((v) => ({ channels: [{ dead: [v] }], ...xml("<SignalNormal>false", "<SignalNormal>true") })),
    ],
  ],
  [
    "finite parameters",
    /must be finite/,
    (["TxPos", "RcvPos", "SRPPos", "TDTropoSRP", "aFDOP", "TxVel", "RcvTime"] as const).map((name, i) =>
      column(name, i, i % 2 === 0 ? Number.NaN : Number.POSITIVE_INFINITY),
    ),
  ],
  [
    "positions",
    /must be away from SRPPos/,
    [0, 1, 2, 5, 7].map((v) => ({
      columns: (columns: Record<string, number[]>) => {
        for (let k = 0; k < 3; k++) columns[v % 2 === 0 ? "TxPos" : "RcvPos"][3 * v + k] = columns["SRPPos"][3 * v + k];
      },
    })),
  ],
  [
    "axes of the scene",
    /uIAX|uIAY|X2Y2/,
    [
      xml(/<uIAX><X>[^<]*/, "<uIAX><X>2"),
      xml(/<uIAY><X>[^<]*/, "<uIAY><X>0.9"),
      { xml: (text) => text.replace(/<uIAX>(.*?)<\/uIAX><uIAY>(.*?)<\/uIAY>/, "<uIAX>$2</uIAX><uIAY>$1</uIAY>") },
      xml(/(<X2Y2><X>)[^<]*/, "$1-40"),
      xml(/<uIAX>.*?<\/uIAX>/, ""),
    ],
  ],
];

describe("checks", () => {
  for (const [name, message, specs] of checks) {
    it(`${name}: ${specs.length} changes`, async () => {
      expect(specs.length).toBeGreaterThanOrEqual(5);
      for (const spec of specs) {
        const error = await refusal(made(spec));
        expect(error.message).toMatch(message);
        expect(error.fields).toMatchObject({ file: "a.cphd", expected: expect.any(String) });
      }
    });
  }

  it("the sound file passes", async () => {
    await expect(refusal(made({}))).rejects.toThrow("the file was read");
  });
});

describe("any change", () => {
  const sound = [made({}), made({ format: "CI2", ampSF: true, domain: "TOA", channels: [{ dead: [1] }, { id: "b" }] })];

  it("of bytes gives a recording or one error", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sound),
        fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(255)), { minLength: 1, maxLength: 6 }),
        async (bytes, changes) => {
          const changed = bytes.slice();
          // Half of the changes are in the header and the XML.
          for (const [place, value] of changes) changed[Math.floor(place ** 2 * (changed.length - 1))] = value;
          await expectSound(changed);
        },
      ),
      { numRuns: 400, seed: 11 },
    );
  });

  it("of the length gives one error", async () => {
    for (const bytes of sound) {
      for (let cut = 0; cut < bytes.length; cut += 97) expect((await refusal(bytes.slice(0, cut))).fields.file).toBe("a.cphd");
    }
  });
});

async function expectSound(bytes: Uint8Array): Promise<void> {
  try {
    const file = await openCphd(bytes, { file: "a.cphd" });
    const history = await file.history();
    await history.pulses(0, history.shape[0]);
  } catch (error) {
    if (!(error instanceof RadarError && error.code === "input")) throw error;
  }
}
