/** Multilooking against the double sum, looks against the shapes they promise, grey levels against the decibel scale. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { chooseLooks, multilook, quicklook, toGrayDb } from "../src/quicklook.ts";
import { refused } from "./refused.ts";

const uniform = (seed: number): (() => number) => createRandom(seed).uniform;

const intensity = (values: number[], rows = 1) => ({ data: Float32Array.from(values), rows, columns: values.length / rows });

describe("multilook", () => {
  it("is the mean power of each cell; incomplete cells are left off", () => {
    const [rows, columns, azimuthLooks, rangeLooks] = [11, 10, 3, 4];
    const next = uniform(4);
    const image = Float32Array.from({ length: 2 * rows * columns }, () => next() - 0.5);
    const out = multilook(image, rows, columns, { azimuthLooks, rangeLooks });
    expect([out.rows, out.columns]).toEqual([3, 2]);
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 2; c++) {
        let sum = 0;
        for (let a = 0; a < azimuthLooks; a++) {
          for (let b = 0; b < rangeLooks; b++) {
            const i = 2 * ((r * azimuthLooks + a) * columns + c * rangeLooks + b);
            sum += image[i] ** 2 + image[i + 1] ** 2;
          }
        }
        expect(Math.abs(out.data[r * 2 + c] / (sum / 12) - 1)).toBeLessThan(2 ** -23);
      }
    }
  });

  it("refuses looks that do not fit", () => {
    const image = new Float32Array(24);
    expect(refused(() => multilook(image, 3, 4, { azimuthLooks: 4, rangeLooks: 1 }))).toBe("azimuthLooks");
    expect(refused(() => multilook(image, 3, 4, { azimuthLooks: 1, rangeLooks: 0.5 }))).toBe("rangeLooks");
    expect(refused(() => multilook(image, 3, 5, { azimuthLooks: 1, rangeLooks: 1 }))).toBe("image.length");
    expect(refused(() => multilook(image, -3, 4, { azimuthLooks: 1, rangeLooks: 1 }))).toBe("rows");
  });
});

describe("chooseLooks", () => {
  it("keeps a small square-celled image as it is", () => {
    expect(chooseLooks(2048, 700)).toEqual({ azimuthLooks: 1, rangeLooks: 1 });
  });

  it("makes pixels about square and the longer side fit", () => {
    const next = uniform(6);
    for (let k = 0; k < 300; k++) {
      const rows = 1 + Math.floor(next() * 30_000);
      const columns = 1 + Math.floor(next() * 30_000);
      const [rowSpacingMeters, columnSpacingMeters, maxSide] = [0.5 + 10 * next(), 0.5 + 10 * next(), 64 + Math.floor(next() * 4000)];
      const { azimuthLooks, rangeLooks } = chooseLooks(rows, columns, { rowSpacingMeters, columnSpacingMeters, maxSide });
      expect(Math.floor(rows / azimuthLooks)).toBeLessThanOrEqual(maxSide);
      expect(Math.floor(columns / rangeLooks)).toBeLessThanOrEqual(maxSide);
      // Looks are whole: each side is off by at most half a cell spacing, unless the image itself ends before.
      if (azimuthLooks < rows && rangeLooks < columns) {
        const difference = Math.abs(azimuthLooks * rowSpacingMeters - rangeLooks * columnSpacingMeters);
        expect(difference).toBeLessThanOrEqual((rowSpacingMeters + columnSpacingMeters) / 2 + 1e-9);
      }
      // No more than needed: a cell needs at most half a spacing more than its lower bound (whole looks), in steps of 1 %,
      // and rounding to whole looks adds another half.
      const coarsest = Math.max(rowSpacingMeters, columnSpacingMeters);
      const bound = Math.max(coarsest, Math.max(rows * rowSpacingMeters, columns * columnSpacingMeters) / (maxSide + 1));
      const side = Math.max(azimuthLooks * rowSpacingMeters, rangeLooks * columnSpacingMeters);
      expect(side).toBeLessThanOrEqual(1.01 * (bound + coarsest / 2) + coarsest / 2);
    }
  });

  it("refuses options that are not valid", () => {
    expect(refused(() => chooseLooks(0, 5))).toBe("rows");
    expect(refused(() => chooseLooks(5, 5, { rowSpacingMeters: -1 }))).toBe("rowSpacingMeters");
    expect(refused(() => chooseLooks(5, 5, { maxSide: 0 }))).toBe("maxSide");
  });
});

describe("toGrayDb", () => {
  it("is linear in decibels between its limits and clips beyond", () => {
    const values = [1, 10, 100, 1000, 1e4, 1e5, 1e-9];
    const gray = toGrayDb(intensity(values), { percentile: 100, dynamicRangeDb: 40 });
    expect(gray.highDb).toBeCloseTo(50, 10);
    expect(gray.lowDb).toBeCloseTo(10, 10);
    expect([...gray.data]).toEqual([0, 0, Math.round(255 / 4), Math.round(255 / 2), Math.round((255 * 3) / 4), 255, 0]);
    expect([gray.width, gray.height]).toEqual([7, 1]);
  });

  it("has the levels of its definition: percentile in bins of 1/64 dB, and rounded decibels", () => {
    const next = uniform(9);
    for (const [range, percentile, scale] of [
      [40, 99.5, 1],
      [0.01, 50, 1e-30],
      [300, 100, 1e25],
      [10, 0.001, 1e-3],
    ]) {
      const values = Array.from({ length: 3000 }, () => {
        const kind = next();
        return kind < 0.02
          ? 0
          : kind < 0.04
            ? Number.NaN
            : kind < 0.05
              ? 1e-44
              : kind < 0.06
                ? -1
                : -scale * Math.exp(6 * next()) * Math.log(next());
      });
      const given = intensity(values);
      const positive = [...given.data].filter((x) => x > 0).sort((a, b) => a - b);
      const chosen = 10 * Math.log10(positive[Math.ceil((positive.length * percentile) / 100) - 1]);
      const high = Math.min((Math.floor(chosen * 64) + 1) / 64, 10 * Math.log10(positive[positive.length - 1]));
      const picture = toGrayDb(given, { dynamicRangeDb: range, percentile });
      expect(picture.highDb).toBe(high);
      const levelOf = (x: number): number => Math.round(Math.min(255, Math.max(0, (10 * Math.log10(x) - picture.lowDb) * (255 / range))));
      expect([...picture.data]).toEqual([...given.data].map((x) => (x > 0 ? levelOf(x) : 0)));
    }
  });

  it("puts white at the percentile, so that one glint does not darken the picture", () => {
    const next = uniform(8);
    const values = Array.from({ length: 1000 }, () => -Math.log(1 - next()));
    const sorted = [...values].sort((a, b) => a - b);
    values[500] = 1e12;
    const { highDb } = toGrayDb(intensity(values), { percentile: 95 });
    // Within the histogram's 1/64 dB of the sorted percentile; replacing one value moves it by one rank at most.
    expect(highDb).toBeGreaterThanOrEqual(10 * Math.log10(sorted[948]));
    expect(highDb).toBeLessThanOrEqual(10 * Math.log10(sorted[951]) + 1 / 64);
  });

  it("takes flat, dark, extreme and non-finite images", () => {
    expect([...toGrayDb(intensity([4, 4, 4, 4], 2)).data]).toEqual([255, 255, 255, 255]);
    const dark = toGrayDb(intensity([0, 0, Number.NaN]));
    expect([[...dark.data], dark.lowDb, dark.highDb]).toEqual([[0, 0, 0], 0, 0]);
    expect([...toGrayDb(intensity([Number.NaN, 1, Infinity, -2, 0])).data]).toEqual([0, 255, 255, 0, 0]);
    expect([...toGrayDb(intensity([1.4e-45, 3.4e38]), { percentile: 100 }).data]).toEqual([0, 255]);
  });

  it("refuses bad limits and shapes", () => {
    expect(refused(() => toGrayDb(intensity([1]), { dynamicRangeDb: 0 }))).toBe("dynamicRangeDb");
    expect(refused(() => toGrayDb(intensity([1]), { percentile: 101 }))).toBe("percentile");
    expect(refused(() => toGrayDb({ data: new Float32Array(3), rows: 2, columns: 2 }))).toBe("intensity.data.length");
  });
});

describe("a quicklook with square pixels", () => {
  it("has the mean power of the area of each, cells on borders shared", () => {
    const next = uniform(12);
    for (let k = 0; k < 12; k++) {
      const [rows, columns] = [1 + Math.floor(40 * next()), 1 + Math.floor(40 * next())];
      const [rowSpacingMeters, columnSpacingMeters, maxSide] = [0.3 + next(), 0.3 + next(), 3 + Math.floor(30 * next())];
      const image = Float32Array.from({ length: 2 * rows * columns }, () => next() - 0.5);
      const options = { rowSpacingMeters, columnSpacingMeters, maxSide, square: true, dynamicRangeDb: 400, percentile: 100 };
      const { width, height, azimuthLooks, rangeLooks, data, lowDb, highDb } = quicklook(image, rows, columns, options);
      const side = Math.max(
        rowSpacingMeters,
        columnSpacingMeters,
        Math.max(rows * rowSpacingMeters, columns * columnSpacingMeters) / maxSide,
      );
      expect(Math.max(width, height)).toBeLessThanOrEqual(maxSide);
      expect([azimuthLooks, rangeLooks]).toEqual([Math.min(rows, side / rowSpacingMeters), Math.min(columns, side / columnSpacingMeters)]);
      expect([height, width]).toEqual([
        Math.max(1, Math.floor(rows / azimuthLooks + 1e-9)),
        Math.max(1, Math.floor(columns / rangeLooks + 1e-9)),
      ]);
      // Every cell by the area that it has in common with the pixel.
      const shared = (cell: number, from: number, to: number): number => Math.max(0, Math.min(cell + 1, to) - Math.max(cell, from));
      for (let r = 0; r < height; r++) {
        for (let c = 0; c < width; c++) {
          let [sum, area] = [0, 0];
          for (let i = 0; i < rows; i++) {
            for (let j = 0; j < columns; j++) {
              const part = shared(i, r * azimuthLooks, (r + 1) * azimuthLooks) * shared(j, c * rangeLooks, (c + 1) * rangeLooks);
              const at = 2 * (i * columns + j);
              sum += part * (image[at] ** 2 + image[at + 1] ** 2);
              area += part;
            }
          }
          const level = (255 * (10 * Math.log10(sum / area) - lowDb)) / (highDb - lowDb);
          expect(Math.abs(data[r * width + c] - level)).toBeLessThanOrEqual(0.5 + 1e-3);
        }
      }
    }
  });

  it("equals the plain one if spacings are equal, and covers all of a narrow image", () => {
    const next = uniform(13);
    const image = Float32Array.from({ length: 2 * 60 * 50 }, () => next() - 0.5);
    expect(quicklook(image, 60, 50, { square: true })).toEqual(quicklook(image, 60, 50));
    const narrow = { rowSpacingMeters: 1, columnSpacingMeters: 50, square: true };
    expect(quicklook(image, 3, 1000, narrow)).toMatchObject({ width: 1000, height: 1, azimuthLooks: 3, rangeLooks: 1 });
    expect(quicklook(image, 1000, 3, { ...narrow, columnSpacingMeters: 0.2, rowSpacingMeters: 10 })).toMatchObject({
      width: 1,
      height: 1000,
    });
  });

  it("refuses what it can't do", () => {
    const image = new Float32Array(8);
    expect(refused(() => quicklook(image, 2, 2, { square: true, rowSpacingMeters: 0 }))).toBe("rowSpacingMeters");
    expect(refused(() => quicklook(image, 2, 3, { square: true }))).toBe("image.length");
    expect(refused(() => quicklook(image, 2, 2, { square: true, maxSide: 1.5 }))).toBe("maxSide");
  });
});

it("quicklook puts the three together", () => {
  const [rows, columns] = [40, 30];
  const next = uniform(9);
  const image = Float32Array.from({ length: 2 * rows * columns }, () => next() - 0.5);
  const picture = quicklook(image, rows, columns, { rowSpacingMeters: 2, columnSpacingMeters: 6, maxSide: 10 });
  expect(picture.azimuthLooks).toBeGreaterThanOrEqual(3 * picture.rangeLooks - 1);
  expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(10);
  const { azimuthLooks, rangeLooks } = picture;
  expect(picture.data).toEqual(toGrayDb(multilook(image, rows, columns, { azimuthLooks, rangeLooks })).data);
});
