/**
 * Writes XML: elements as nested lists of data, and their text in UTF-8. Numbers are written so that reading them gives the same number. Text
 * is escaped, and characters that XML 1.0 can't have are refused. This file knows no file format.
 */
import { RadarError } from "@dechirp/core";
import { describe, oneLine } from "@dechirp/core/internal";

/** What an element holds: a value, or other elements, of which those that are undefined are left out. */
export type XmlContent = string | number | boolean | readonly (XmlNode | undefined)[];

/** An element to be written. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly content: XmlContent;
}

/** An element. */
export const xmlElement = (name: string, content: XmlContent, attributes: Readonly<Record<string, string | number>> = {}): XmlNode => ({
  name,
  attributes,
  content,
});

/** The text of a document with the root element `node`, without a declaration. Throws `input`, which names `file` and the element. */
export const encodeXml = (node: XmlNode, file: string): string => elementText(node, file, node.name);

function elementText({ name, attributes, content }: XmlNode, file: string, path: string): string {
  const names = Object.entries(attributes).map(([key, value]) => ` ${key}="${valueText(value, file, `${path} ${key}`)}"`);
  const inner = isList(content)
    ? content.map((child) => (child === undefined ? "" : elementText(child, file, `${path}/${child.name}`))).join("")
    : valueText(content, file, path);
  return `<${name}${names.join("")}>${inner}</${name}>`;
}

const isList = (content: XmlContent): content is readonly (XmlNode | undefined)[] => typeof content === "object";

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function valueText(value: string | number | boolean, file: string, path: string): string {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw contentError(file, path, "a finite number", value);
    return Object.is(value, -0) ? "0" : String(value);
  }
  if (typeof value === "boolean") return String(value);
  for (const character of value) {
    const code = character.codePointAt(0) ?? 0;
    const sound =
      code === 9 || code === 10 || code === 13 || (code >= 0x20 && code < 0xd800) || (code >= 0xe000 && code < 0xfffe) || code > 0xffff;
    if (!sound) throw contentError(file, path, "text of characters that XML has", value);
  }
  return value.replace(/[&<>"]/g, (character) => entities[character]);
}

function contentError(file: string, field: string, expected: string, actual: unknown): RadarError {
  const message = oneLine(`${file}: ${field} must be ${expected}, not ${describe(actual)}`);
  return new RadarError("input", message, { file, field, expected, actual });
}
