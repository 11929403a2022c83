/**
 * Heat maps, read back from SVG: positions of cells, the largest of cells that share a pixel, axes, colour bars, rings, invalid panels.
 */
import { createRandom } from "@dechirp/core";
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { type HeatPanel, heatAreas, heatMap } from "../src/index.ts";
import { checkSheet } from "./sheets.ts";
import { axisOf, embeddedPng, ofMark } from "./svg.ts";

const axis = (count: number, start = 0, step = 1) => ({ label: "axis, s", start, step, count });

const panel = (columns: number, rows: number, power: ArrayLike<number>): HeatPanel => ({
  title: "a title",
  x: axis(columns),
  y: axis(rows),
  power,
  lowDb: 0,
  highDb: 20,
  unit: "dB",
});

/** Ends of Matplotlib's viridis. */
const [darkest, brightest] = ["68,1,84", "253,231,37"];

/** Colours of a panel's pixels, by column and row from the lower left corner. */
async function cellsOf(panels: readonly HeatPanel[], index = 0) {
  const image = ofMark(checkSheet(await heatMap(panels)), "cells", "image")[index];
  expect([image.attributes["width"], image.attributes["height"], image.attributes["preserveAspectRatio"]]).toEqual(["460", "400", "none"]);
  const { width, height, data } = decode(embeddedPng(image));
  expect([width, height]).toEqual([460, 400]);
  return (column: number, row: number): string => {
    const at = 4 * ((height - 1 - row) * width + column);
    expect(data[at + 3]).toBe(255);
    return data.subarray(at, at + 3).join(",");
  };
}

describe("heatAreas", () => {
  it("says where the cells are", async () => {
    const long = "a title of many words ".repeat(8);
    const panels = [panel(4, 3, new Float32Array(12)), { ...panel(2, 2, new Float32Array(4)), title: long }];
    const drawn = ofMark(checkSheet(await heatMap(panels)), "cells", "image");
    const areas = drawn.map(({ x, y, attributes }) => ({
      left: x,
      top: y,
      width: Number(attributes["width"]),
      height: Number(attributes["height"]),
    }));
    expect(heatAreas(panels)).toEqual(areas);
    expect(() => heatAreas([])).toThrow(/panels/);
  });
});

describe("heatMap", () => {
  it("draws the first row lowest and the first column leftmost", async () => {
    const colour = await cellsOf([panel(4, 3, [100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100])]);
    expect([colour(10, 10), colour(450, 390), colour(10, 390), colour(450, 10)]).toEqual([brightest, brightest, darkest, darkest]);
    // 460 pixels for 4 columns, 400 for 3 rows.
    expect([colour(114, 132), colour(115, 132), colour(114, 134)]).toEqual([brightest, darkest, darkest]);
  });

  it("shows the largest of cells that share a pixel", async () => {
    const power = new Float32Array(5000 * 4000).fill(1);
    power[1234 * 5000 + 4321] = 100;
    const colour = await cellsOf([panel(5000, 4000, power)]);
    const lit: number[][] = [];
    for (let row = 0; row < 400; row++)
      for (let column = 0; column < 460; column++) if (colour(column, row) !== darkest) lit.push([column, row]);
    expect(lit).toEqual([[Math.floor((4321 * 460) / 5000), 123]]);
  });

  it("draws powers without decibels in the darkest colour, infinite ones in the brightest", async () => {
    const colour = await cellsOf([panel(4, 1, [0, Number.NaN, -1, Infinity])]);
    expect([5, 120, 235, 450].map((column) => colour(column, 5))).toEqual([darkest, darkest, darkest, brightest]);
    const zero = await cellsOf([panel(3, 3, new Float32Array(9))]);
    expect(zero(230, 200)).toBe(darkest);
  });

  it("has ticks at their values, whatever the axes", async () => {
    const { uniform } = createRandom(19);
    for (let i = 0; i < 12; i++) {
      const [columns, rows] = [1 + Math.floor(200 * uniform()), 1 + Math.floor(200 * uniform())];
      const step = (): number => (uniform() < 0.5 ? -1 : 1) * 10 ** (8 * uniform() - 4);
      const at = (): number => (uniform() - 0.5) * 10 ** (4 * uniform());
      const one = {
        ...panel(columns, rows, new Float32Array(columns * rows)),
        x: axis(columns, at(), step()),
        y: axis(rows, at(), step()),
      };
      const elements = checkSheet(await heatMap([one]));
      const [{ x: left, y: top }] = ofMark(elements, "cells", "image");
      const [x] = axisOf(elements, "panel", "x");
      const [y] = axisOf(elements, "panel", "y");
      expect([x.title, y.title]).toEqual(["axis, s", "axis, s"]);
      for (const [ticks, own, pixel] of [
        [x.ticks, one.x, (pixels: number) => (pixels - left) / 460],
        [y.ticks, one.y, (pixels: number) => 1 - (pixels - top) / 400],
      ] as const) {
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        for (const { value, at: pixels } of ticks) {
          const share = (value - (own.start - own.step / 2)) / (own.step * own.count);
          // Ticks lie on whole pixels.
          expect(Math.abs(pixel(pixels) - share)).toBeLessThan(1.6 / 400);
        }
      }
    }
  });

  it("has a colour bar that spans the colour scale", async () => {
    const elements = checkSheet(await heatMap([{ ...panel(2, 2, [1, 1, 1, 1]), lowDb: -37, highDb: 13, unit: "AMF, dB" }]));
    const stops = elements.filter(({ tag }) => tag === "stop").map(({ attributes }) => attributes);
    expect(stops.map((stop) => Number(stop["offset"]))).toEqual(Array.from({ length: 18 }, (_, i) => (15 * i) / 255));
    expect([stops[0]["stop-color"], stops.at(-1)?.["stop-color"]]).toEqual([`rgb(${darkest})`, `rgb(${brightest})`]);
    const [gradient] = elements.filter(({ tag }) => tag === "linearGradient");
    // From bottom to top.
    expect(["x1", "x2", "y1", "y2"].map((name) => gradient.attributes[name])).toEqual(["0", "0", "1", "0"]);
    const [bar] = ofMark(elements, "colours", "path");
    expect(bar.attributes["d"]).toBe("M0,0h14v400h-14Z");
    expect(bar.attributes["fill"]).toBe(`url(#${gradient.attributes["id"]})`);
    const [{ ticks }] = axisOf(elements, "colour-bar", "y");
    expect(ticks.map(({ value }) => value)).toEqual([-30, -20, -10, 0, 10]);
    for (const { value, at } of ticks) expect(Math.abs(bar.y + 400 * (1 - (value + 37) / 50) - at)).toBeLessThanOrEqual(1);
    expect(ofMark(elements, "unit", "text")[0].text).toBe("AMF, dB");
  });

  it("draws panels side by side, and a ring around a position", async () => {
    const one = panel(10, 10, new Float32Array(100).fill(1));
    const plain = checkSheet(await heatMap([one]));
    const long = "a much longer title that has no room in one line above its panel, and goes on below";
    const two = checkSheet(await heatMap([one, { ...one, title: long, mark: { x: 2, y: 7 } }]));
    expect(ofMark(plain, "mark")).toEqual([]);
    expect(Number(two[0].attributes["width"])).toBe(2 * Number(plain[0].attributes["width"]));
    expect(ofMark(two, "title", "text").map(({ text }) => text)).toEqual(["a title", long]);
    const [, image] = ofMark(two, "cells", "image");
    const [ring] = ofMark(two, "mark", "path");
    expect(ring.x - image.x).toBeCloseTo(2.5 * 46, 3);
    expect(ring.y - image.y).toBeCloseTo(400 - 7.5 * 40, 3);
    expect(ofMark(checkSheet(await heatMap([{ ...one, mark: { x: 20, y: 7 } }])), "mark", "path")).toEqual([]);
  });

  it("writes well-formed XML whatever the names", async () => {
    const name = '<&">\u0000\ud800\u202e]]>中';
    const svg = await heatMap([{ ...panel(1, 1, [1]), title: name, unit: name, x: { ...axis(1), label: name } }]);
    const elements = checkSheet(svg);
    expect(ofMark(elements, "title", "text")[0].text).toContain('<&"> ');
    for (const sign of ["\u0000", "\ud800", "\u202e"]) expect(svg).not.toContain(sign);
  });

  it.each<[string, unknown, string]>([
    ["no panels", [], "panels"],
    ["no list", 3, "panels"],
    ["too few numbers", [{ ...panel(2, 2, [1, 1, 1]) }], "panels[0].power"],
    ["no power", [panel(1, 1, [1]), { ...panel(1, 1, [1]), power: undefined }], "panels[1].power"],
    ["a step of 0", [{ ...panel(1, 1, [1]), x: axis(1, 0, 0) }], "panels[0].x.step"],
    ["a start that is no number", [{ ...panel(1, 1, [1]), y: axis(1, Number.NaN) }], "panels[0].y.start"],
    ["an axis without a label", [{ ...panel(1, 1, [1]), y: { start: 0, step: 1, count: 1 } }], "panels[0].y.label"],
    ["decibels that end where they begin", [{ ...panel(1, 1, [1]), highDb: 0 }], "panels[0].highDb"],
    ["a ring nowhere", [{ ...panel(1, 1, [1]), mark: { x: 0, y: Number.NaN } }], "panels[0].mark.y"],
    ["no title", [{ ...panel(1, 1, [1]), title: undefined }], "panels[0].title"],
  ])("refuses %s", async (_, panels, field) => {
    await expect(heatMap(panels as HeatPanel[])).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it("ends when a signal fires, before and during the work", async () => {
    const signal = AbortSignal.abort();
    await expect(heatMap([panel(1, 1, [1])], { signal })).rejects.toMatchObject({ code: "aborted" });
    const controller = new AbortController();
    const drawing = heatMap([panel(4000, 4000, new Float32Array(16_000_000))], { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(drawing).rejects.toMatchObject({ code: "aborted" });
  });
});
