/**
 * A strict reader of XML metadata: `parseXml` turns bytes into a tree of plain elements, and the functions below take values out of it by
 * path. A path is a list of local names with `/` between them, relative to the element that is passed: `xmlNumber(root, "Global/FxBand/FxMin")`.
 * The empty path is the element itself. Namespace prefixes don't matter; `namespace` of an element has its URI. A name that occurs several
 * times can only be read with `xmlAll`, whose elements have paths with a number, counted from 1: `Data/Channel[2]`. Every function throws
 * `input`, which names the file and the path, if there is no such element, if there are several, or if its text is not the asked-for value.
 * `xmlFind` returns `undefined` if there is none. A document type, entities other than the five of XML and character references, and
 * documents beyond the limits below are refused before anything is built from them. This file knows no file format.
 */
import { XmlElement as ParsedElement, parseXml as parseDocument, XmlError, XmlText } from "@rgrove/parse-xml";
import { fieldError, fileError, stateError } from "./file-error.ts";

/** An element of an XML document. */
export interface XmlElement {
  /** Name without its prefix. */
  readonly name: string;
  /** URI of its namespace; empty if it has none. */
  readonly namespace: string;
  /** Where it is in the document, for messages: `CPHD/Data/Channel[2]/Identifier`. */
  readonly path: string;
  /** Name of the file, for messages. */
  readonly file: string;
  /** Attributes by name. Those with a prefix have it in their name. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Its own text, without that of its children and without white space at both ends. */
  readonly text: string;
}

/** Limits of `parseXml`. */
export const xmlLimits = {
  bytes: { most: 2 ** 23, of: "bytes of an XML document" },
  depth: { most: 64, of: "nested XML elements" },
  elements: { most: 200_000, of: "elements of an XML document" },
} as const;

/** Options of `parseXml`. */
export interface ParseXmlOptions {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Where the document begins in the file, for messages. Default: 0. */
  readonly at?: number;
}

/**
 * Parses an XML document in UTF-8 and returns its root. Throws `input`, which names the byte of the file, if it is not well-formed, if it
 * has a document type or unknown entities, if a prefix has no namespace, or if it is beyond `xmlLimits`.
 */
export function parseXml(bytes: Uint8Array, { file, at = 0 }: ParseXmlOptions): XmlElement {
  if (bytes.length > xmlLimits.bytes.most)
    throw fileError(file, at, `at most ${xmlLimits.bytes.most} bytes of XML`, `${bytes.length} bytes`);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw fileError(file, at, "XML in UTF-8", "bytes that are not UTF-8", cause);
  }
  const offset = (index: number): number => at + new TextEncoder().encode(text.slice(0, index)).length;
  checkTags(text, (index, expected, actual) => fileError(file, offset(index), expected, actual));
  let root: ParsedElement | null;
  try {
    ({ root } = parseDocument(text));
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    const said = error.message.split("\n", 1)[0].replace(/ \(line \d+, column \d+\)$/, "");
    throw fileError(file, offset(error.pos), "well-formed XML", said, error);
  }
  if (!root) throw fileError(file, at, "an XML element", "a document without one");
  return elementOf(root, { file, path: "", namespaces: new Map([["xml", "http://www.w3.org/XML/1998/namespace"]]), ordinal: "" });
}

/** Checks depth and number of the elements without recursion, and that there is no document type, before the document is parsed. */
function checkTags(text: string, fail: (index: number, expected: string, actual: string) => Error): void {
  let [depth, elements] = [0, 0];
  for (let i = text.indexOf("<"); i >= 0; i = text.indexOf("<", i)) {
    const section = sections.find(([start]) => text.startsWith(start, i));
    if (section) {
      const end = text.indexOf(section[1], i + section[0].length);
      // A section without an end is an error, which the parser reports.
      if (end < 0) return;
      i = end + section[1].length;
    } else if (text[i + 1] === "!") throw fail(i, "XML without a document type", text.slice(i, i + 9));
    else if (text[i + 1] === "/") {
      depth--;
      i += 2;
    } else {
      if (++elements > xmlLimits.elements.most) throw fail(i, `at most ${xmlLimits.elements.most} XML elements`, "more of them");
      if (++depth > xmlLimits.depth.most) throw fail(i, `at most ${xmlLimits.depth.most} nested XML elements`, "more of them");
      const end = tagEnd(text, i + 1);
      if (text[end - 1] === "/") depth--;
      i = end;
    }
  }
}

const sections = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** Index of the `>` that ends a tag. Quoted values of attributes may hold other ones. */
function tagEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    const c = text[i];
    if (c === ">") return i;
    if (c === '"' || c === "'") {
      i = text.indexOf(c, i + 1);
      if (i < 0) break;
    }
  }
  return text.length;
}

interface Surroundings {
  readonly file: string;
  /** Path of the parent, with a `/` at its end unless it is empty. */
  readonly path: string;
  /** URIs by prefix. The default namespace has the prefix "". */
  readonly namespaces: ReadonlyMap<string, string>;
  /** `[n]` if there are several elements of this name. */
  readonly ordinal: string;
}

function elementOf(parsed: ParsedElement, { file, path: parent, namespaces: outer, ordinal }: Surroundings): XmlElement {
  const declared = Object.entries(parsed.attributes).flatMap(([name, uri]): [string, string][] =>
    name === "xmlns" ? [["", uri]] : name.startsWith("xmlns:") ? [[name.slice(6), uri]] : [],
  );
  const namespaces = declared.length > 0 ? new Map([...outer, ...declared]) : outer;
  const [prefix, name] = splitName(parsed.name);
  const path = `${parent}${name}${ordinal}`;
  const namespace = namespaces.get(prefix);
  if (namespace === undefined && prefix !== "") throw stateError(file, path, "an element with a declared prefix", `<${parsed.name}>`);
  const elements = parsed.children.filter((one) => one instanceof ParsedElement);
  const names = elements.map((one) => splitName(one.name)[1]);
  const counts = new Map<string, number>();
  for (const one of names) counts.set(one, (counts.get(one) ?? 0) + 1);
  const seen = new Map<string, number>();
  const children = elements.map((one, i) => {
    const number = (seen.get(names[i]) ?? 0) + 1;
    seen.set(names[i], number);
    return elementOf(one, { file, path: `${path}/`, namespaces, ordinal: counts.get(names[i]) === 1 ? "" : `[${number}]` });
  });
  const text = parsed.children.map((one) => (one instanceof XmlText ? one.text : "")).join("");
  return { name, namespace: namespace ?? "", path, file, attributes: parsed.attributes, children, text: text.trim() };
}

function splitName(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(":");
  return colon < 0 ? ["", name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** Returns the elements at a path. Only the last name of the path may occur several times. Empty if there is none. */
export function xmlAll(element: XmlElement, path: string): readonly XmlElement[] {
  const cut = path.lastIndexOf("/");
  const parent = cut < 0 ? element : xmlFind(element, path.slice(0, cut));
  const name = path.slice(cut + 1);
  return parent?.children.filter((one) => one.name === name) ?? [];
}

/** Returns the element at a path, or `undefined` if there is none. Throws `input` if there are several. */
export function xmlFind(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path === "" ? [] : path.split("/")) {
    const matches: readonly XmlElement[] = found.children.filter((one) => one.name === name);
    if (matches.length > 1) throw stateError(element.file, `${found.path}/${name}`, "one element", `${matches.length} elements`);
    found = matches[0];
    if (!found) return undefined;
  }
  return found;
}

/** Returns the element at a path. Throws `input` if there is none or several. */
export function xmlGet(element: XmlElement, path: string): XmlElement {
  const found = xmlFind(element, path);
  if (!found) throw stateError(element.file, pathOf(element, path), "in the XML", "absent");
  return found;
}

const pathOf = (element: XmlElement, path: string): string => (path === "" ? element.path : `${element.path}/${path}`);

/** Returns the text at a path. Throws `input` if it is empty or if the element has children. */
export function xmlText(element: XmlElement, path = ""): string {
  const { text, children, file, path: whole } = xmlGet(element, path);
  if (children.length > 0) throw stateError(file, whole, "a text", "an element with children");
  if (text === "") throw stateError(file, whole, "a text", "empty");
  return text;
}

/** Returns the text at a path, which must be one of `choices`. */
export function xmlChoice<T extends string>(element: XmlElement, path: string, choices: readonly T[]): T {
  const text = xmlText(element, path);
  const choice = choices.find((one) => one === text);
  if (choice === undefined)
    throw fieldError(element.file, pathOf(element, path), `${choices.length > 1 ? "one of " : ""}${choices.join(", ")}`, text);
  return choice;
}

/** What a number may be: at least `least`, at most `most`, or above `above`. */
export interface NumberRange {
  readonly least?: number;
  readonly most?: number;
  readonly above?: number;
}

/** Returns the finite number at a path. */
export function xmlNumber(element: XmlElement, path = "", range: NumberRange = {}): number {
  const text = xmlText(element, path);
  const value = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value) && isWithin(value, range)) return value;
  throw fieldError(element.file, pathOf(element, path), rangeText("a number", range), text);
}

/** Returns the integer at a path. It is at most 2⁵³ − 1 in size, so that it is exact. */
export function xmlInteger(element: XmlElement, path = "", range: NumberRange = {}): number {
  const text = xmlText(element, path);
  const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  // `+ 0` turns −0 into 0.
  if (Number.isSafeInteger(value) && isWithin(value, range)) return value + 0;
  throw fieldError(element.file, pathOf(element, path), rangeText("an integer", range), text);
}

const isWithin = (value: number, { least = -Infinity, most = Infinity, above = -Infinity }: NumberRange): boolean =>
  value >= least && value <= most && (value > above || above === -Infinity);

function rangeText(what: string, { least, most, above }: NumberRange): string {
  if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}`;
  if (above !== undefined) return `${what} above ${above}${most === undefined ? "" : ` and at most ${most}`}`;
  if (least !== undefined) return `${what} of at least ${least}`;
  return most === undefined ? what : `${what} of at most ${most}`;
}

/** Returns the truth value at a path: `true`, `false`, `1` or `0`. */
export function xmlBoolean(element: XmlElement, path = ""): boolean {
  const text = xmlText(element, path);
  if (/^(true|false|1|0)$/.test(text)) return text === "true" || text === "1";
  throw fieldError(element.file, pathOf(element, path), "true or false", text);
}

/** Returns the numbers of an element's children `names`, such as `["X", "Y", "Z"]`, in this order. */
export const xmlVector = (element: XmlElement, path: string, names: readonly string[]): number[] =>
  names.map((name) => xmlNumber(element, path === "" ? name : `${path}/${name}`));
