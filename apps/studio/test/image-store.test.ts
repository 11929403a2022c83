/** Stores of images: the pyramid against means in float64, parts in any order, tiles, looks, percentiles, and limits. */
import { createRandom } from "@dechirp/core";
import { colourMap } from "@dechirp/pictures";
import { describe, expect, it } from "vitest";
import type { Display, ImageFacts, Levels } from "../src/image/facts.ts";
import { createImageStore, type ImageStore } from "../src/image/store.ts";

const axis = { label: "x", unit: "m", start: 0, step: 1 };
const factsOf = (rows: number, columns: number): ImageFacts => ({ rows, columns, rowAxis: axis, columnAxis: axis });
const display: Display = { lowDb: -40, highDb: 0, colours: "grey", looks: [1, 1] };

function randomImage(rows: number, columns: number, seed = 1): Float32Array {
  const next = createRandom(seed).uniform;
  return Float32Array.from({ length: 2 * rows * columns }, () => next() * 2 - 1);
}

/** Writes an image in parts of at most `height` × `width` pixels, in a random order. */
function writeParts(store: ImageStore, image: Float32Array, height: number, width: number): void {
  const { rows, columns } = store.facts;
  const parts: (() => void)[] = [];
  for (let row = 0; row < rows; row += height) {
    for (let column = 0; column < columns; column += width) {
      const window = { row, column, rows: Math.min(height, rows - row), columns: Math.min(width, columns - column) };
      const data = new Float32Array(2 * window.rows * window.columns);
      for (let r = 0; r < window.rows; r++) {
        const from = 2 * ((row + r) * columns + column);
        data.set(image.subarray(from, from + 2 * window.columns), 2 * r * window.columns);
      }
      parts.push(() => store.write(window, data));
    }
  }
  const next = createRandom(2).uniform;
  for (const part of parts.map((one) => [next(), one] as const).sort(([a], [b]) => a - b)) part[1]();
}

/** Mean power of rows `r0` to before `r1`, and columns, in float64. */
function meanPower(image: Float32Array, columns: number, [r0, r1]: readonly number[], [c0, c1]: readonly number[]): number {
  let sum = 0;
  for (let r = r0!; r < r1!; r++)
    for (let c = c0!; c < c1!; c++) sum += image[2 * (r * columns + c)]! ** 2 + image[2 * (r * columns + c) + 1]! ** 2;
  return sum / ((r1! - r0!) * (c1! - c0!));
}

const span = (i: number, size: number, count: number): readonly number[] => [i * size, Math.min(count, (i + 1) * size)];

/** Grey level of a power. */
function greyOf(power: number, peak: number, { lowDb, highDb }: Display): number {
  const share = (10 * Math.log10(power / peak) - lowDb) / (highDb - lowDb);
  return 255 * Math.min(1, Math.max(0, share));
}

async function expectTile(store: ImageStore, image: Float32Array, levels: Levels, shown: Display): Promise<void> {
  const { rows, columns } = store.facts;
  const [height, width] = [Math.ceil(rows / 2 ** levels[0]), Math.ceil(columns / 2 ** levels[1])];
  const window = { row: height >> 2, column: width >> 3, rows: Math.max(1, height >> 1), columns: Math.max(1, width >> 1) };
  const tile = await store.tile({ levels, window, display: shown });
  const cells = shown.looks.map((looks, i) => Math.max(1, Math.round(looks / 2 ** levels[i]!)));
  let worst = 0;
  for (let r = 0; r < window.rows; r++) {
    for (let c = 0; c < window.columns; c++) {
      const down = span(Math.floor((window.row + r) / cells[0]!), cells[0]! * 2 ** levels[0], rows);
      const across = span(Math.floor((window.column + c) / cells[1]!), cells[1]! * 2 ** levels[1], columns);
      const grey = greyOf(meanPower(image, columns, down, across), store.state.peakPower, shown);
      const at = 4 * (r * window.columns + c);
      worst = Math.max(worst, Math.abs(tile.pixels[at]! - grey));
      if (tile.pixels[at + 3] !== 255) throw new Error(`no pixel at ${r}, ${c}`);
    }
  }
  // Rounding to a whole level, and of float32 means.
  expect(worst).toBeLessThan(0.502);
}

describe("an image that is stored", () => {
  const [rows, columns] = [701, 523] as const;
  const image = randomImage(rows, columns);

  it.each([
    [701, 523],
    [64, 523],
    [97, 131],
    [256, 256],
  ])("has the means of its pixels, in parts of %d × %d", async (height, width) => {
    const store = await createImageStore(factsOf(rows, columns));
    writeParts(store, image, height, width);
    for (let n = 0; n < 11; n++) await expectTile(store, image, [n, n], display);
    expect(store.state.share).toBe(1);
    expect(store.state.meanPower).toBeCloseTo(meanPower(image, columns, [0, rows], [0, columns]), 6);
    const read = await store.read({ row: 0, column: 0, rows, columns });
    expect(Buffer.compare(new Uint8Array(read.buffer), new Uint8Array(image.buffer))).toBe(0);
    const { peakRow, peakColumn, peakPower } = store.state;
    const powers = Float64Array.from({ length: rows * columns }, (_, i) => image[2 * i]! ** 2 + image[2 * i + 1]! ** 2);
    const most = powers.reduce((best, power, i) => (power > powers[best]! ? i : best), 0);
    expect([peakRow, peakColumn, peakPower]).toEqual([Math.floor(most / columns), most % columns, powers[most]]);
  });

  it("averages looks, and rows and columns at levels of their own", async () => {
    const store = await createImageStore(factsOf(rows, columns));
    writeParts(store, image, 200, 300);
    for (const levels of [
      [0, 0],
      [2, 0],
      [0, 3],
      [1, 2],
    ] as const)
      for (const looks of [
        [1, 1],
        [5, 1],
        [4, 4],
        [3, 16],
      ] as const) {
        if (looks.every((count, i) => count <= 2 ** levels[i]! || count % 2 ** levels[i]! === 0))
          await expectTile(store, image, levels, { ...display, looks, lowDb: -25, highDb: -1 });
      }
  });

  it("is transparent where no part has arrived", async () => {
    const store = await createImageStore(factsOf(rows, columns));
    store.write({ row: 0, column: 0, rows: 1, columns: 2 }, Float32Array.of(1, 0, 0, 2));
    const { pixels } = await store.tile({ levels: [0, 0], window: { row: 0, column: 0, rows: 1, columns: 3 }, display });
    expect([...pixels]).toEqual([
      ...[0, 1].flatMap((i) => [...Array(3).fill(i ? 255 : Math.round(greyOf(1, 4, display))), 255]),
      0,
      0,
      0,
      0,
    ]);
    expect(store.has({ row: 0, column: 0, rows: 1, columns: 2 })).toBe(true);
    expect(store.has({ row: 0, column: 0, rows: 1, columns: 3 })).toBe(false);
    expect(store.state.share).toBeCloseTo(2 / (rows * columns), 12);
  });

  it.each(["viridis", "inferno", "cividis"] as const)("is drawn in the colours of %s", async (colours) => {
    const store = await createImageStore(factsOf(1, 2));
    store.write({ row: 0, column: 0, rows: 1, columns: 2 }, Float32Array.of(10, 0, 0.1, 0));
    const { pixels } = await store.tile({
      levels: [0, 0],
      window: { row: 0, column: 0, rows: 1, columns: 2 },
      display: { ...display, colours },
    });
    const map = await colourMap(colours);
    expect([...pixels]).toEqual([...map.subarray(3 * 255), 255, ...map.subarray(0, 3), 255]);
  });

  it("has the range of its percentile", async () => {
    const store = await createImageStore(factsOf(rows, columns));
    expect(store.range()).toEqual({ lowDb: -40, highDb: 0 });
    writeParts(store, image, 500, 500);
    const powers = Float64Array.from({ length: rows * columns }, (_, i) => image[2 * i]! ** 2 + image[2 * i + 1]! ** 2).sort();
    for (const percentile of [50, 90, 99.5]) {
      const exact = 10 * Math.log10(powers[Math.ceil((powers.length * percentile) / 100) - 1]! / store.state.peakPower);
      const { lowDb, highDb } = store.range(percentile, 30);
      expect(Math.abs(highDb - exact)).toBeLessThan(0.018);
      expect(highDb - lowDb).toBeCloseTo(30, 9);
    }
  });

  it("tells each part that arrives", async () => {
    const store = await createImageStore(factsOf(4, 4));
    const shares: number[] = [];
    const end = store.onArrival(({ state }) => shares.push(state.share));
    store.write({ row: 0, column: 0, rows: 2, columns: 4 }, new Float32Array(16).fill(1));
    store.write({ row: 2, column: 0, rows: 2, columns: 4 }, new Float32Array(16).fill(1));
    end();
    store.write({ row: 2, column: 0, rows: 2, columns: 4 }, new Float32Array(16).fill(1));
    expect(shares).toEqual([0.5, 1]);
  });
});

describe("an image that can't be stored", () => {
  it("is refused with its size", async () => {
    const facts = factsOf(1e5, 1e5);
    await expect(createImageStore(facts)).rejects.toMatchObject({ code: "limit", message: expect.stringContaining("93.3 GB") });
    await expect(createImageStore({ ...facts, rows: 0 })).rejects.toMatchObject({ code: "input", fields: { field: "rows" } });
  });

  it("is closed once and for all", async () => {
    const store = await createImageStore(factsOf(4, 4));
    store.close();
    store.close();
    expect(() => store.write({ row: 0, column: 0, rows: 1, columns: 1 }, new Float32Array(2))).toThrow("closed");
    await expect(store.read({ row: 0, column: 0, rows: 1, columns: 1 })).rejects.toMatchObject({ code: "disposed" });
  });

  it("names a part that does not fit", async () => {
    const store = await createImageStore(factsOf(4, 4));
    expect(() => store.write({ row: 3, column: 0, rows: 2, columns: 1 }, new Float32Array(4))).toThrow("window.rows");
    expect(() => store.write({ row: 0, column: 0, rows: 2, columns: 1 }, new Float32Array(5))).toThrow("data must be 4 float32 numbers");
    await expect(store.tile({ levels: [1, 1], window: { row: 0, column: 0, rows: 3, columns: 1 }, display })).rejects.toThrow(
      "window.rows",
    );
    await expect(
      store.tile({ levels: [0, 0], window: { row: 0, column: 0, rows: 1, columns: 1 }, display: { ...display, highDb: -40 } }),
    ).rejects.toThrow("highDb");
  });
});
