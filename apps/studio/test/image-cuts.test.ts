/** Measures, pictures and proportions of stored images against the packages' in the whole image. */
import { createRandom, messageOf } from "@dechirp/core";
import { windowOfKind, windowTheory } from "@dechirp/radar";
import { analysePointTarget, type PointTargetOptions, pointTargetCuts } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { measurePoint } from "../src/image/cuts.ts";
import { type Display, type ImageFacts, pixelsAt } from "../src/image/facts.ts";
import { whyNoTarget } from "../src/image/no-target.ts";
import { pictureLevels, pictureOf } from "../src/image/picture.ts";
import { proportionsOf } from "../src/image/proportions.ts";
import { createImageStore } from "../src/image/store.ts";
import { theoryCurve } from "../src/image/theory-curve.ts";
import { alongAxis, tilePixels } from "../src/image/tile-axis.ts";

const axis = (label: string, step: number, unit = "m") => ({ label, unit, start: 100, step });
const factsOf = (rows: number, columns: number, down = 2, across = 1): ImageFacts => ({
  rows,
  columns,
  rowAxis: axis("azimuth", down),
  columnAxis: axis("slant range", across),
});

const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/** A target on noise, on rows that wrap. */
async function targetStore(rows: number, columns: number, row: number, column: number) {
  const { uniform } = createRandom(7);
  const data = new Float32Array(2 * rows * columns);
  for (let r = 0; r < rows; r++) {
    const down = ((r - row + 1.5 * rows) % rows) - rows / 2;
    const [re, im] = [Math.cos(0.3 * down + 1), Math.sin(0.3 * down + 1)];
    for (let c = 0; c < columns; c++) {
      const value = sinc(down / 1.3) * sinc((c - column) / 1.2);
      data[2 * (r * columns + c)] = value * re + 1e-3 * (uniform() - 0.5);
      data[2 * (r * columns + c) + 1] = value * im + 1e-3 * (uniform() - 0.5);
    }
  }
  const store = await createImageStore(factsOf(rows, columns));
  store.write({ row: 0, column: 0, rows, columns }, data);
  return { store, image: { data, rows, columns } };
}

describe("measures of a stored image", () => {
  it.each<[string, number, number, PointTargetOptions]>([
    ["in the middle", 311.3, 405.6, {}],
    ["near an edge", 20.2, 799.4 - 15, {}],
    ["over the ends of rows that wrap", 0.4, 300.2, { wrapRows: true }],
    ["with a slanted cut", 311.3, 405.6, { rangeCutRowsPerColumn: 0.4, searchHalfPixels: 6, chipHalfPixels: 40 }],
  ])("are those in the whole image, %s", async (_, row, column, options) => {
    const { store, image } = await targetStore(650, 800, row, column);
    const at = { row: Math.round(row), column: Math.round(column) + 1 };
    const expected = analysePointTarget(image, at, options);
    const { quality, cuts } = await measurePoint(store, at, { options });
    expect(quality.row).toBeCloseTo(expected.row, 6);
    expect(quality.column).toBeCloseTo(expected.column, 6);
    expect(Math.abs(quality.row - row)).toBeLessThan(0.01);
    expect(quality.peakPhaseRadians).toBeCloseTo(expected.peakPhaseRadians, 6);
    expect(quality.peakMagnitude).toBeCloseTo(expected.peakMagnitude, 9);
    for (const name of ["azimuth", "range"] as const) {
      for (const [key, value] of Object.entries(expected[name])) {
        if (typeof value === "number") expect(quality[name][key as "irwPixels"]).toBeCloseTo(value, 6);
      }
      const curve = pointTargetCuts(image, expected, options)[name];
      expect(cuts[name].firstPixels).toBe(curve.firstPixels);
      expect(cuts[name].power.length).toBe(curve.power.length);
      expect(Math.max(...curve.power.map((power, i) => Math.abs(power - cuts[name].power[i]!)))).toBeLessThan(1e-9);
    }
  });

  it("say that empty ground has no point target, and that a target is one", async () => {
    const { store } = await targetStore(650, 800, 311.3, 405.6);
    const { quality } = await measurePoint(store, { row: 311, column: 406 });
    expect(whyNoTarget(quality)).toBeUndefined();
    const { gaussian: normal } = createRandom(3);
    const ground = await createImageStore(factsOf(300, 300));
    ground.write(
      { row: 0, column: 0, rows: 300, columns: 300 },
      Float32Array.from({ length: 2 * 300 * 300 }, () => normal()),
    );
    for (const row of [60, 110, 151, 207, 240])
      for (const column of [58, 133, 222]) {
        const reason = await measurePoint(ground, { row, column }).then(
          (found) => whyNoTarget(found.quality),
          (error: unknown) => messageOf(error),
        );
        expect(reason).toMatch(/speckle|brighter|main lobe/);
      }
  });

  it("have the responses of windows in theory", () => {
    const curve = { firstPixels: -64, stepPixels: 1 / 32, power: new Float64Array(4097) };
    for (const kind of ["rect", "hamming"] as const) {
      const { irwTimesBandwidth, pslrDb } = windowTheory(windowOfKind(kind));
      const { power } = theoryCurve({ window: kind, irwPixels: 1.25 * irwTimesBandwidth }, curve)!;
      const half = power.findIndex((value) => value >= 0.5);
      expect(power[2048]).toBe(1);
      expect(Math.abs((2 * (2048 - half)) / 32 - 1.25 * irwTimesBandwidth)).toBeLessThan(2 / 32);
      const nullAt = power.findIndex((value, i) => i > 2048 && value < power[i + 1]!);
      expect(Math.abs(10 * Math.log10(Math.max(...power.slice(nullAt))) - pslrDb)).toBeLessThan(0.1);
    }
    expect(() => theoryCurve({ window: "nonsense", irwPixels: 1 }, curve)).toThrow("window");
  });
});

describe("pictures of a stored image", () => {
  const display: Display = { lowDb: -30, highDb: 0, colours: "viridis", looks: [1, 1] };

  it("have the means of their pixels, with axes at their middles", async () => {
    const { store, image } = await targetStore(3001, 500, 1500, 250);
    const stored = { ...store, state: { value: store.state } } as unknown as Parameters<typeof pictureOf>[0];
    const whole = { row: 0, column: 0, rows: 3001, columns: 500 };
    // Rows are 2 m and columns 1 m: 6002 screen pixels become 2048 or less.
    expect(pictureLevels(store.facts, whole)).toEqual([1, 2]);
    const picture = await pictureOf({ ...stored, levels: async (request) => store.levels(request) }, "t", display, whole);
    expect([picture.width, picture.height]).toEqual([125, 1501]);
    expect([picture.y.start, picture.y.step, picture.x.start, picture.x.step]).toEqual([101, 4, 101.5, 4]);
    for (const [r, c] of [
      [750, 62],
      [749, 63],
      [751, 61],
      [1500, 124],
    ] as const) {
      let [sum, count] = [0, 0];
      for (let row = 2 * r; row < Math.min(3001, 2 * r + 2); row++) {
        for (let column = 4 * c; column < 4 * c + 4; column++, count++) {
          const i = 2 * (row * 500 + column);
          sum += image.data[i]! ** 2 + image.data[i + 1]! ** 2;
        }
      }
      const level = 255 * (1 + (10 * Math.log10(sum / count / store.state.peakPower)) / 30);
      expect(Math.abs(picture.data[r * 125 + c]! - Math.max(0, level))).toBeLessThan(0.51);
    }
    expect(picture.notes).toEqual([
      "0 dB: the largest pixel, intensity |z|² of 0.0 dB.",
      "A pixel is the mean of 2 × 4 cells, down × across.",
    ]);
  });
});

describe("proportions and tiles", () => {
  it("stretches the coarser axis to true proportions", () => {
    const { axes, finestMeters } = proportionsOf(factsOf(10, 10, 5.3, 0.7));
    expect(finestMeters).toBe(0.7);
    expect(axes[1].stretch).toBe(1);
    expect(Math.abs(axes[0].stretch / (5.3 / 0.7) - 1)).toBeLessThan(1 / 512);
    const seconds = { rowAxis: axis("time", 0.1, "s"), columnAxis: axis("slant range", 1) };
    expect(proportionsOf(seconds).axes.map(({ stretch }) => stretch)).toEqual([1, 1]);
  });

  it("covers each pixel of an axis once, at every zoom", () => {
    const { uniform } = createRandom(3);
    for (let i = 0; i < 400; i++) {
      const pixels = 1 + Math.floor(10 ** (4 * uniform()));
      const zoom = Math.floor(20 * uniform()) - 12;
      const octaves = Math.floor(5 * uniform());
      const sharpness = i % 2;
      const screen = pixels * 2 ** (zoom + octaves);
      if (screen > 100 * tilePixels) continue;
      let next = 0;
      for (let k = 0; k * tilePixels < screen; k++) {
        const { level, first, room, count } = alongAxis(pixels, { octaves }, k, zoom, sharpness);
        const pixel = 2 ** (level + zoom + octaves);
        // A pixel of the level is at most as long as one of the screen, unless it is a pixel of the image.
        expect(level === 0 || pixel <= 2 ** -sharpness).toBe(true);
        expect(count).toBeGreaterThan(0);
        expect(count).toBeLessThanOrEqual(room);
        if (pixel <= tilePixels) {
          expect([first, room * pixel]).toEqual([next, tilePixels]);
          next = first + count;
        } else {
          expect([first, count]).toEqual([Math.floor((k * tilePixels) / pixel), 1]);
          next = first + 1;
        }
        if ((k + 1) * tilePixels >= screen) expect(next).toBe(pixelsAt(pixels, level));
      }
    }
  });
});
