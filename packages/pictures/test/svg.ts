/** Parses SVG documents into elements with their positions on the sheet and the names of their marks. */
import { XMLParser, XMLValidator } from "fast-xml-parser";

export interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Position on the sheet in pixels: the anchor of a text, the origin of a shape. */
  readonly x: number;
  readonly y: number;
  /** Classes of the enclosing groups, outermost first. */
  readonly path: readonly string[];
  /** Its text over all lines, and the text of each line. */
  readonly text: string;
  readonly lines: readonly string[];
}

type Node = Readonly<Record<string, unknown>>;

/** All elements of a document, in order. Throws if it is not well-formed. */
export function elementsOf(svg: string): readonly Element[] {
  const fault = XMLValidator.validate(svg);
  if (fault !== true) throw new Error(fault.err.msg);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    trimValues: false,
    parseTagValue: false,
  });
  const found: Element[] = [];
  visit(parser.parse(svg) as readonly Node[], 0, 0, [], found);
  return found;
}

function visit(nodes: readonly Node[], x: number, y: number, path: readonly string[], found: Element[]): void {
  for (const node of nodes) {
    const tag = Object.keys(node).find((key) => key !== ":@" && key !== "#text");
    if (tag === undefined) continue;
    const attributes = (node[":@"] ?? {}) as Record<string, string>;
    const inner = node[tag] as readonly Node[];
    const [, dx, dy] = /^translate\(([-\d.e]+),([-\d.e]+)\)/.exec(attributes["transform"] ?? "") ?? ["", "0", "0"];
    const own = attributes["class"];
    const place = { x: x + Number(dx), y: y + Number(dy), path: own ? [...path, own] : path };
    const lines = tag === "text" ? textsOf(inner) : [];
    found.push({ tag, attributes, ...place, lines, text: lines.join(" ") });
    visit(inner, place.x, place.y, place.path, found);
  }
}

/** The lines of a text: its `tspan` elements, or its own content. */
const textsOf = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap((node) => {
    if (typeof node["#text"] === "string") return [node["#text"]];
    const spans = node["tspan"];
    return Array.isArray(spans) ? [textsOf(spans as readonly Node[]).join("")] : [];
  });

/** Elements of a mark, by the `name` that the drawing code uses, whatever number Vega has appended. */
export const ofMark = (elements: readonly Element[], name: string, tag?: string): readonly Element[] =>
  elements.filter(
    ({ path, tag: own }) =>
      path.some((one) => new RegExp(`(role-mark|role-scope|group) ${name}(-\\d+)?$`).test(one)) && (tag === undefined || own === tag),
  );

/** The axis of an area: its title, and its ticks by value with their positions along it. */
export function axisOf(elements: readonly Element[], area: string, orient: "x" | "y") {
  const ofArea = ofMark(elements, area);
  // One group per axis. The lines of its ticks tell its direction.
  const groups = new Map<string, Element[]>();
  let current = "";
  for (const element of ofArea) {
    if (element.attributes["class"]?.includes("role-axis") && element.attributes["class"].includes("mark-group")) {
      current = `${groups.size}`;
      groups.set(current, []);
    } else if (element.path.some((one) => one.includes("role-axis"))) groups.get(current)?.push(element);
  }
  const isThisOne = (group: readonly Element[]): boolean =>
    group.some(
      ({ tag, path, attributes }) =>
        tag === "line" && path.at(-1)?.includes("axis-tick") && Number(attributes[orient === "x" ? "y2" : "x2"]) !== 0,
    );
  const axes = [...groups.values()].filter(isThisOne);
  return axes.map((group) => {
    const lines = group.filter(({ tag, path }) => tag === "line" && path.at(-1)?.includes("axis-tick"));
    const labels = group.filter(
      ({ tag, path, attributes }) => tag === "text" && path.at(-1)?.includes("axis-label") && attributes["opacity"] !== "0",
    );
    return {
      title: group.find(({ tag, path }) => tag === "text" && path.at(-1)?.includes("axis-title"))?.text,
      ticks: labels
        .filter(({ text }) => text !== "")
        .map((label) => ({ text: label.text, value: Number(label.text.replace("−", "-")), at: nearest(lines, label, orient) })),
    };
  });
}

/** Position of the tick line to which a label belongs. */
function nearest(lines: readonly Element[], label: Element, orient: "x" | "y"): number {
  const at = (element: Element): number => element[orient];
  const from = orient === "x" ? at(label) : at(label) - 4;
  return lines.map(at).reduce((best, one) => (Math.abs(one - from) < Math.abs(best - from) ? one : best));
}

/** The PNG file that is embedded in an image of the document. */
export const embeddedPng = ({ attributes }: Element): Uint8Array =>
  Uint8Array.from(Buffer.from(attributes["xlink:href"].replace("data:image/png;base64,", ""), "base64"));
