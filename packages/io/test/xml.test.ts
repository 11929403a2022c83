/** The reader of XML metadata: values by path, and one `input` error for everything that is not plain XML or not the asked-for value. */
import { RadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  parseXml,
  xmlAll,
  xmlBoolean,
  xmlChoice,
  xmlFind,
  xmlGet,
  xmlInteger,
  xmlLimits,
  xmlNumber,
  xmlText,
  xmlVector,
} from "../src/xml.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string, at = 0) => parseXml(bytes(text), { file: "a.xml", at });

function refusal(work: () => unknown): RadarError {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RadarError);
    expect((error as RadarError).code).toBe("input");
    return error as RadarError;
  }
  throw new Error("nothing was thrown");
}

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<!-- <Data> in a comment is not an element -->
<s:CPHD xmlns:s="urn:x" xmlns="urn:other"><s:Data note="a > b"><s:Channel><s:Id>1</s:Id></s:Channel><s:Channel><s:Id> µ &lt;&#x41; <![CDATA[<b>]]></s:Id>
</s:Channel></s:Data><Pos><X>1.5e3</X><Y>-.5</Y><Z>+2</Z></Pos><Flag>true</Flag><Empty/></s:CPHD>`;

describe("values by path", () => {
  const root = parse(sample);

  it("has names, namespaces, paths and texts", () => {
    expect([root.name, root.namespace, root.path]).toEqual(["CPHD", "urn:x", "CPHD"]);
    expect(xmlGet(root, "Pos").namespace).toBe("urn:other");
    expect(xmlGet(root, "Data").attributes).toEqual({ note: "a > b" });
    const channels = xmlAll(root, "Data/Channel");
    expect(channels.map(({ path }) => path)).toEqual(["CPHD/Data/Channel[1]", "CPHD/Data/Channel[2]"]);
    expect(channels.map((one) => xmlText(one, "Id"))).toEqual(["1", "µ <A <b>"]);
    expect(xmlAll(root, "None/Channel")).toEqual([]);
  });

  it("reads numbers, vectors, truth values and choices", () => {
    expect(xmlVector(root, "Pos", ["X", "Y", "Z"])).toEqual([1500, -0.5, 2]);
    expect(xmlInteger(root, "Pos/Z")).toBe(2);
    expect(xmlBoolean(root, "Flag")).toBe(true);
    expect(xmlChoice(root, "Flag", ["true", "maybe"])).toBe("true");
    expect(xmlFind(root, "Pos/W")).toBeUndefined();
    expect(xmlNumber(xmlGet(root, "Pos/X"))).toBe(1500);
  });

  it.each([
    ["absent", () => xmlText(root, "Data/Title"), "CPHD/Data/Title must be in the XML, not absent"],
    ["several", () => xmlGet(root, "Data/Channel/Id"), "CPHD/Data/Channel must be one element, not 2 elements"],
    ["empty", () => xmlText(root, "Empty"), "CPHD/Empty must be a text, not empty"],
    ["children", () => xmlText(root, "Pos"), "CPHD/Pos must be a text, not an element with children"],
    ["no number", () => xmlNumber(root, "Flag"), 'CPHD/Flag must be a number, not "true"'],
    ["no integer", () => xmlInteger(root, "Pos/X"), 'CPHD/Pos/X must be an integer, not "1.5e3"'],
    ["range", () => xmlNumber(root, "Pos/Y", { above: 0 }), 'CPHD/Pos/Y must be a number above 0, not "-.5"'],
    ["no truth value", () => xmlBoolean(root, "Pos/Z"), 'CPHD/Pos/Z must be true or false, not "+2"'],
    ["no choice", () => xmlChoice(root, "Pos/Z", ["FX", "TOA"]), 'CPHD/Pos/Z must be one of FX, TOA, not "+2"'],
  ])("names what is wrong: %s", (_, work, message) => {
    expect(refusal(work).message).toBe(`a.xml: ${message}`);
  });

  it.each(["NaN", "INF", "0x10", "1e999", "1,5", "1 2", "9007199254740993"])("takes %s for no integer and no finite number", (text) => {
    const one = parse(`<A>${text}</A>`);
    expect(refusal(() => xmlInteger(one)).fields.actual).toBe(text);
    if (!/^\d+$/.test(text)) refusal(() => xmlNumber(one));
  });
});

describe("documents that are refused", () => {
  const deep = (n: number): string => `${"<a>".repeat(n)}${"</a>".repeat(n)}`;

  it.each([
    ["a document type", "<!DOCTYPE a><a/>", 100],
    ["an entity of its own", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', 100],
    ["an unknown entity", "<a>µ&b;</a>", 105],
    ["an open element", "<a><b></a>", undefined],
    ["two roots", "<a/><b/>", undefined],
    ["nothing", "", undefined],
    ["an open comment", "<a><!-- </a>", undefined],
    ["an open attribute", '<a b="></a>', undefined],
    ["a prefix without a namespace", "<x:a/>", undefined],
    ["too deep", deep(xmlLimits.depth.most + 1), undefined],
    ["very deep", deep(500_000), undefined],
    ["too many elements", `<a>${"<b/>".repeat(xmlLimits.elements.most)}</a>`, undefined],
  ])("%s", (_, text, offset) => {
    const error = refusal(() => parse(text, 100));
    expect(error.fields.file).toBe("a.xml");
    if (offset !== undefined) expect(error.fields.offset).toBe(offset);
  });

  it("bytes that are not UTF-8, and too many", () => {
    expect(refusal(() => parseXml(new Uint8Array([0x3c, 0xff]), { file: "b" })).message).toContain("UTF-8");
    expect(refusal(() => parseXml(new Uint8Array(xmlLimits.bytes.most + 1), { file: "b" })).message).toContain("at most 8388608 bytes");
  });

  it("takes the deepest document that is allowed", () => {
    expect(parse(deep(xmlLimits.depth.most)).name).toBe("a");
  });

  it("gives a tree or one error for any change of a document", () => {
    const all = bytes(sample);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(all.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = all.slice();
        for (const [at, value] of changes) changed[at] = value;
        try {
          parseXml(changed, { file: "a.xml" });
        } catch (error) {
          if (!(error instanceof RadarError && error.code === "input")) throw error;
        }
      }),
      { numRuns: 2000, seed: 5 },
    );
  });
});
