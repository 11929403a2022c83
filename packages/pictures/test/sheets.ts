/** What must hold for every picture: texts lie inside the sheet and do not overlap. */
import { expect } from "vitest";
import { textWidth } from "../src/text.ts";
import { type Element, elementsOf } from "./svg.ts";

interface Box {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Estimated box of a line of text: three quarters of its size above its position, a fifth below, rotated with the text. */
function boxesOf({ attributes, x, y, lines }: Element): readonly Box[] {
  const size = Number.parseFloat(attributes["font-size"] ?? "12");
  const anchor = attributes["text-anchor"] ?? "start";
  const isTurned = /rotate\(-90/.test(attributes["transform"] ?? "");
  return lines
    .filter((text) => text.trim() !== "")
    .map((text, i) => {
      // Estimates are upper limits, so some overlap is allowed.
      const wide = 0.9 * textWidth(text, size, attributes["font-weight"] === "bold");
      const start = anchor === "start" ? 0 : anchor === "middle" ? wide / 2 : wide;
      if (isTurned) return { text, left: x - 0.75 * size - 3, right: x, top: y - (wide - start), bottom: y + start };
      const down = y + i * Math.round(1.3 * size);
      return { text, left: x - start, right: x - start + wide, top: down - 0.75 * size, bottom: down + 0.1 * size };
    });
}

/** Checks a picture's texts, and that it contains no NaN. Returns its elements. */
export function checkSheet(svg: string): readonly Element[] {
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*<\/svg>\n$/);
  expect(svg).not.toMatch(/NaN|Infinity|undefined|null/);
  const elements = elementsOf(svg);
  const [width, height] = ["width", "height"].map((name) => Number(elements[0].attributes[name]));
  const boxes = elements.filter(({ tag, attributes }) => tag === "text" && attributes["opacity"] !== "0").flatMap(boxesOf);
  for (const box of boxes) {
    expect(box.left, box.text).toBeGreaterThanOrEqual(-1);
    expect(box.top, box.text).toBeGreaterThanOrEqual(-1);
    expect(box.right, box.text).toBeLessThanOrEqual(width + 1);
    expect(box.bottom, box.text).toBeLessThanOrEqual(height + 1);
  }
  for (const [i, a] of boxes.entries()) {
    for (const b of boxes.slice(i + 1)) {
      const apart = a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
      if (!apart) throw new Error(`${a.text} and ${b.text} lie on each other`);
    }
  }
  return elements;
}
