/**
 * Changes of CPHD files that know their parts: lines of the header, tags and values of the XML, with or without a header that fits the new
 * length, numbers of vectors, and samples.
 */
import { type Change, changeBytes, concat } from "./bytes.ts";
import type { Dice } from "./dice.ts";
import { hostileText, numberTexts } from "./text.ts";

const latin = new TextDecoder("latin1");
const doubles = [0, -0, 1, -1, 1e-300, 1e300, 5e-324, 2 ** 53, -1e9, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
const snippets = [
  "<!DOCTYPE a>",
  "<!--",
  "-->",
  "<![CDATA[",
  "]]>",
  "<?x?>",
  "&a;",
  "&#0;",
  "<a>",
  "</a>",
  "<x:y/>",
  "<Channel>",
  "\u0000",
];

interface Parts {
  /** The header without its end. */
  readonly lines: readonly string[];
  readonly xml: string;
  readonly vectors: Uint8Array;
  readonly signal: Uint8Array;
}

/** Takes a sound file apart. Throws if it is not sound. */
function partsOf(bytes: Uint8Array): Parts {
  const text = latin.decode(bytes.subarray(0, 4096));
  const lines = text.slice(0, text.indexOf("\f\n")).split("\n").filter(Boolean);
  const number = (key: string): number => {
    const value = Number(lines.find((line) => line.startsWith(`${key} := `))?.slice(key.length + 4));
    if (!(value >= 0 && value <= bytes.length)) throw new Error(`no ${key}`);
    return value;
  };
  const part = (name: string): Uint8Array => {
    const at = number(`${name}_BLOCK_BYTE_OFFSET`);
    return bytes.slice(at, at + number(`${name}_BLOCK_SIZE`));
  };
  return { lines, xml: latin.decode(part("XML")), vectors: part("PVP"), signal: part("SIGNAL") };
}

/** Puts a file together. `edit` changes the lines of a header that fits. */
function fileOf({ lines, xml, vectors, signal }: Parts, edit: (lines: string[]) => string[] = (same) => same): Uint8Array {
  const xmlBytes = new TextEncoder().encode(xml);
  const [xmlAt, vectorsAt] = [1024, 1024 + xmlBytes.length + 2];
  const numbers: Readonly<Record<string, number>> = {
    XML_BLOCK_SIZE: xmlBytes.length,
    XML_BLOCK_BYTE_OFFSET: xmlAt,
    PVP_BLOCK_SIZE: vectors.length,
    PVP_BLOCK_BYTE_OFFSET: vectorsAt,
    SIGNAL_BLOCK_SIZE: signal.length,
    SIGNAL_BLOCK_BYTE_OFFSET: vectorsAt + vectors.length,
  };
  const fitting = lines.map((line) => {
    const key = line.split(" := ")[0];
    return key in numbers ? `${key} := ${numbers[key]}` : line;
  });
  const head = new TextEncoder().encode(`${edit(fitting).join("\n")}\n\f\n`).subarray(0, xmlAt);
  return concat(head, new Uint8Array(xmlAt - head.length), xmlBytes, Uint8Array.of(12, 10), vectors, signal);
}

/** Replaces the text of a random element, or its tags. */
function changeXml(xml: string, dice: Dice): string {
  const places = [...xml.matchAll(/<(\w+)>([^<]*)<\/\w+>/g)];
  const { index, 0: whole, 1: name, 2: text } = dice.pick(places);
  const put = (replacement: string): string => xml.slice(0, index) + replacement + xml.slice(index + whole.length);
  const near = [Number(text) + 1, Number(text) - 1, Number(text) * 2, -Number(text), Number(text) / 2].map(String);
  return dice.pick([
    () => put(`<${name}>${dice.pick(numberTexts)}</${name}>`),
    () => put(`<${name}>${dice.pick(near)}</${name}>`),
    () => put(`<${name}>${hostileText(dice)}</${name}>`),
    () => put(""),
    () => put(whole + whole),
    () => put(`<${dice.pick(places)[1]}>${text}</${name}>`),
    () => put(dice.pick(snippets) + whole),
    () => put(`<${name}>${dice.pick(places)[2]}</${name}>`),
  ])();
}

function changeVectors(vectors: Uint8Array, dice: Dice): Uint8Array {
  const changed = vectors.slice();
  const view = new DataView(changed.buffer);
  const at = 8 * dice.below(changed.length / 8);
  const old = view.getFloat64(at);
  view.setFloat64(at, dice.chance(0.5) ? dice.pick(doubles) : old * dice.pick([-1, 2, 0.5, 1 + 1e-9, 1.1]));
  return changed;
}

/** Changes a CPHD file. */
export const changeCphd: Change = (bytes, dice, other) => {
  if (dice.chance(0.15)) return changeBytes(bytes, dice, other);
  const parts = partsOf(bytes);
  const which = dice.below(10);
  if (which < 5) return fileOf({ ...parts, xml: changeXml(parts.xml, dice) });
  if (which < 8) return fileOf({ ...parts, vectors: changeVectors(parts.vectors, dice) });
  if (which < 9) return fileOf({ ...parts, signal: changeBytes(parts.signal, dice, other) });
  return fileOf(parts, (lines) => {
    const i = dice.below(lines.length);
    const key = lines[i].split(" := ")[0];
    const replaced = dice.pick([
      `${key} := ${hostileText(dice)}`,
      `${key} := ${dice.pick(numberTexts)}`,
      "",
      `${lines[i]}\n${lines[i]}`,
      hostileText(dice),
    ]);
    return lines.map((line, k) => (k === i ? replaced : line));
  });
};
