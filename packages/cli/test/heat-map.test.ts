/** Pictures of heat maps: cells in their places, upwards, the largest of those that share a pixel, rings and letters. */
import { atOnce } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { type HeatPanel, heatMap } from "../src/plots/heat-map.ts";

const axis = (count: number) => ({ label: "axis", start: 0, step: 1, count });

const panel = (columns: number, rows: number, power: ArrayLike<number>): HeatPanel => ({
  title: "a title",
  x: axis(columns),
  y: axis(rows),
  power,
  lowDb: 0,
  highDb: 20,
  unit: "dB",
});

/** d3's viridis at its ends. */
const [darkest, brightest] = ["68,1,84", "253,231,37"];

/** Colours of the plot's own pixels, by column and row from the lower left corner. */
function plotOf(panels: readonly HeatPanel[], index = 0) {
  const { width, height, data } = atOnce(heatMap(panels));
  const wide = width / panels.length;
  const at = (x: number, y: number): string => data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3).join(",");
  const [left, bottom] = [index * wide + 96, height - 64 - 1];
  return { width, height, data, colour: (column: number, row: number) => at(left + column, bottom - row) };
}

describe("a heat map", () => {
  it("has its first row lowest, its first column leftmost", () => {
    const { colour } = plotOf([panel(4, 3, [100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 100])]);
    expect(colour(10, 10)).toBe(brightest);
    expect(colour(450, 390)).toBe(brightest);
    expect(colour(10, 390)).toBe(darkest);
    expect(colour(450, 10)).toBe(darkest);
    // 460 pixels for 4 columns, 400 for 3 rows.
    expect([colour(114, 132), colour(115, 132), colour(114, 134)]).toEqual([brightest, darkest, darkest]);
  });

  it("shows the largest of cells that share a pixel", () => {
    const power = new Float32Array(5000 * 4000).fill(1);
    power[1234 * 5000 + 4321] = 100;
    const { colour } = plotOf([panel(5000, 4000, power)]);
    const lit: number[][] = [];
    for (let row = 0; row < 400; row++)
      for (let column = 0; column < 460; column++) if (colour(column, row) !== darkest) lit.push([column, row]);
    expect(lit).toEqual([[Math.floor((4321 * 460) / 5000), 123]]);
  });

  it("draws powers that have no decibels darkest", () => {
    const { colour } = plotOf([panel(3, 1, [0, Number.NaN, -1])]);
    expect([colour(5, 5), colour(230, 5), colour(450, 5)]).toEqual([darkest, darkest, darkest]);
  });

  it("puts panels side by side, a ring about a place, and letters", () => {
    const one = panel(10, 10, new Float32Array(100).fill(1));
    const plain = plotOf([one]);
    const two = plotOf([one, { ...one, title: "another", mark: { x: 4.5, y: 4.5 } }], 1);
    expect(two.width).toBe(2 * plain.width);
    expect(two.height).toBe(plain.height);
    // Round the middle, nine pixels off.
    expect([two.colour(238, 200), two.colour(230, 200)]).toEqual(["255,64,64", darkest]);
    expect(plain.colour(238, 200)).toBe(darkest);
    const ink = (title: string): number =>
      Array.from(atOnce(heatMap([{ ...one, title }])).data).filter((value, i) => i % 4 === 0 && value === 0).length;
    // The dots of a full stop are two by two, squares of two by two pixels; signs that are unknown become question marks.
    expect(ink("a title.") - ink("a title")).toBe(16);
    expect(ink("中")).toBe(ink("?"));
    expect(ink("−5")).toBe(ink("-5"));
  });
});
