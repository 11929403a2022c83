/** Sets of windows against a plain raster of pixels: random windows in random orders, and the canonical form. */
import { createRandom, isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { checkImageWindow, createImageRegion, type ImageWindow } from "../src/index.ts";

const [rows, columns] = [23, 19];
const whole: ImageWindow = { row: 0, column: 0, rows, columns };

function randomWindow(random: () => number): ImageWindow {
  const [row, column] = [Math.floor(rows * random()), Math.floor(columns * random())];
  return { row, column, rows: 1 + Math.floor((rows - row) * random() ** 2), columns: 1 + Math.floor((columns - column) * random() ** 2) };
}

const pixelsIn = ({ row, column, rows: height, columns: width }: ImageWindow): number[] =>
  Array.from({ length: height * width }, (_, i) => (row + Math.floor(i / width)) * columns + column + (i % width));

describe("createImageRegion", () => {
  it("has the pixels of its windows, whatever they overlap, and finds what is common and what is missing", () => {
    const { uniform } = createRandom(41);
    for (let turn = 0; turn < 60; turn++) {
      const region = createImageRegion();
      const raster = new Uint8Array(rows * columns);
      for (let k = 0; k < 25; k++) {
        const asked = randomWindow(uniform);
        const inside = pixelsIn(asked);
        for (const [found, wanted] of [
          [region.overlap(asked), 1],
          [region.missing(asked), 0],
        ] as const) {
          const first = inside.find((i) => raster[i] === wanted);
          expect(found === undefined).toBe(first === undefined);
          if (found === undefined) continue;
          expect(found.row * columns + found.column).toBe(first);
          const all = pixelsIn(found);
          expect(all.every((i) => raster[i] === wanted && inside.includes(i))).toBe(true);
        }
        const window = randomWindow(uniform);
        region.add(window);
        for (const i of pixelsIn(window)) raster[i] = 1;
        const listed = region.windows().flatMap(pixelsIn);
        expect(new Set(listed).size).toBe(listed.length);
        expect(listed.sort((a, b) => a - b)).toEqual([...raster.keys()].filter((i) => raster[i] === 1));
        expect(region.pixels).toBe(listed.length);
      }
    }
  });

  it("depends on its pixels only, not on the order or the sizes of the windows", () => {
    const { uniform } = createRandom(42);
    for (let turn = 0; turn < 40; turn++) {
      const windows = Array.from({ length: 12 }, () => randomWindow(uniform));
      const [one, other] = [createImageRegion(), createImageRegion()];
      for (const window of windows) one.add(window);
      const pixels = windows.flatMap(pixelsIn).sort(() => uniform() - 0.5);
      for (const i of pixels) other.add({ row: Math.floor(i / columns), column: i % columns, rows: 1, columns: 1 });
      expect(other.windows()).toEqual(one.windows());
    }
    const tiles = createImageRegion();
    for (let row = 0; row < rows; row++) tiles.add({ row: rows - 1 - row, column: 0, rows: 1, columns });
    expect([tiles.windows(), tiles.missing(whole)]).toEqual([[whole], undefined]);
  });
});

it("checkImageWindow names the field that is wrong", () => {
  const refused = (window: unknown): unknown => {
    try {
      checkImageWindow(window as ImageWindow, rows, columns);
    } catch (error) {
      return isRadarError(error, "input") && error.fields["field"];
    }
    return undefined;
  };
  expect(refused(whole)).toBeUndefined();
  expect(refused(undefined)).toBe("window");
  expect(refused({ ...whole, row: -1 })).toBe("window.row");
  expect(refused({ ...whole, row: 0.5 })).toBe("window.row");
  expect(refused({ ...whole, column: columns })).toBe("window.column");
  expect(refused({ ...whole, rows: rows + 1 })).toBe("window.rows");
  expect(refused({ ...whole, column: 1 })).toBe("window.columns");
  expect(refused({ ...whole, columns: Number.NaN })).toBe("window.columns");
  expect(refused({ ...whole, height: 1 })).toBe("window.height");
});
