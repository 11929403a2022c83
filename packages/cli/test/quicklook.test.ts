/** quicklook.png: with --bare it has sar's grey levels; the picture with axes has the same ones inside; options are checked first. */
import { createRandom } from "@dechirp/core";
import { encodePng } from "@dechirp/io";
import { type GrayPicture, quicklook } from "@dechirp/sar";
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { drawingOf } from "../src/options.ts";
import { type ImageAxes, quicklookPng } from "../src/quicklook.ts";
import { dechirp, temporaryFolder } from "./command.ts";

const { signal } = new AbortController();
const [rows, columns] = [500, 300];
const axis = (start: number, step: number, count: number) => ({ start, step, count });
const radar: ImageAxes = { azimuthMeters: axis(-200, 1.5, rows), slantRangeMeters: axis(8000, 2.2, columns) };
const map: ImageAxes = { yMeters: axis(-200, 1.5, rows), xMeters: axis(-300, 2.2, columns) };

/** Speckle that grows towards one corner, so that no rotation or mirror image of it looks alike. */
function speckle(): Float32Array {
  const { uniform } = createRandom(41);
  return Float32Array.from({ length: 2 * rows * columns }, (_, i) => (uniform() - 0.5) * 10 ** (i / (2 * rows * columns)));
}

const image = speckle();
const square = { rowSpacingMeters: 1.5, columnSpacingMeters: 2.2, maxSide: 1024, square: true };

const turned = ({ width, height, data }: GrayPicture): Uint8Array =>
  Uint8Array.from({ length: data.length }, (_, i) => data[(height - 1 - Math.floor(i / width)) * width + (i % width)]);

/** Whether the decoded picture contains these grey levels in the right arrangement. */
function holds(png: Uint8Array, { width, height, data }: { width: number; height: number; data: Uint8Array }): boolean {
  const whole = decode(png);
  const red = (x: number, y: number): number => Number(whole.data[whole.channels * (y * whole.width + x)]);
  for (let top = 0; top <= whole.height - height; top++) {
    for (let left = 90; left < 110; left++) {
      // Frame and ticks may cover the outermost pixels.
      let same = true;
      for (let y = 1; same && y < height - 1; y++)
        for (let x = 1; same && x < width - 1; x++) same = red(left + x, top + y) === data[y * width + x];
      if (same) return true;
    }
  }
  return false;
}

describe("quicklookPng", () => {
  it("writes only the grey levels with --bare, with the first row of a map lowest", async () => {
    for (const dynamicRangeDb of [40, 25]) {
      const drawing = { bare: true, ...(dynamicRangeDb === 40 ? {} : { dynamicRangeDb }) };
      const grey = quicklook(image, rows, columns, { ...square, dynamicRangeDb });
      // 750 m by 660 m, in pixels of 2.2 m.
      expect([grey.width, grey.height]).toEqual([300, 340]);
      expect(await quicklookPng({ title: "t", image, axes: radar }, drawing, signal)).toEqual(await encodePng(grey));
      expect(await quicklookPng({ title: "t", image, axes: map }, drawing, signal)).toEqual(
        await encodePng({ ...grey, data: turned(grey) }),
      );
    }
  });

  it("draws the same grey levels inside its axes", async () => {
    const grey = quicklook(image, rows, columns, { ...square, dynamicRangeDb: 40 });
    // Pixels of a small picture are drawn two by two.
    const twice = (data: Uint8Array) => ({
      width: 600,
      height: 680,
      data: Uint8Array.from({ length: 600 * 680 }, (_, i) => data[Math.floor(i / 1200) * 300 + Math.floor((i % 600) / 2)]),
    });
    expect(holds(await quicklookPng({ title: "t", image, axes: radar }, {}, signal), twice(grey.data))).toBe(true);
    expect(holds(await quicklookPng({ title: "t", image, axes: map }, {}, signal), twice(turned(grey)))).toBe(true);
  });

  it("draws images without power, of one row and of one pixel", async () => {
    const one = (ny: number, nx: number) =>
      quicklookPng(
        { title: "", image: new Float32Array(2 * ny * nx), axes: { xMeters: axis(0, 1, nx), yMeters: axis(0, 1, ny) } },
        {},
        signal,
      );
    for (const [ny, nx] of [
      [20, 30],
      [1, 2000],
      [1, 1],
    ])
      expect(decode(await one(ny, nx)).width).toBeGreaterThan(400);
  });

  it("ends when a signal fires", async () => {
    await expect(quicklookPng({ title: "t", image, axes: map }, {}, AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("the options of pictures", () => {
  it("are numbers of decibels", () => {
    expect(drawingOf({})).toEqual({});
    expect(drawingOf({ bare: true, dynamicRange: "55.5" })).toEqual({ bare: true, dynamicRangeDb: 55.5 });
  });

  it.each(["demo", "focus", "backproject"])("are checked before any work of %s", async (command) => {
    const out = await temporaryFolder();
    for (const text of ["0", "-3", "x", "1e9", "Infinity"]) {
      const inputs = command === "demo" ? [] : ["nowhere"];
      const { code, stderr } = await dechirp([command, ...inputs, "--out", out, `--dynamic-range=${text}`]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--dynamic-range must be a positive number of dB of at most 400/)]);
    }
  });
});
