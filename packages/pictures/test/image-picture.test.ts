/** Pictures of radar images, read back from SVG: proportions, axes, scale bars and colour bars are compared with the input. */
import { createRandom } from "@dechirp/core";
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { colourMap, type ImagePicture, imagePicture } from "../src/index.ts";
import { checkSheet } from "./sheets.ts";
import { axisOf, type Element, embeddedPng, ofMark } from "./svg.ts";

const meters = (label: string, start: number, step: number) => ({ label, unit: "m", start, step });

const picture = (width: number, height: number, more: Partial<ImagePicture> = {}): ImagePicture => ({
  title: "a scene",
  notes: ["0 dB is the 99.5th percentile"],
  width,
  height,
  data: Uint8Array.from({ length: width * height }, (_, i) => i % 251),
  x: meters("slant range", 8000, 2),
  y: meters("azimuth", -100, 2),
  lowDb: -40,
  highDb: 0,
  ...more,
});

/** Width and height of the image on the sheet, in pixels. */
const sizeOf = (elements: readonly Element[]): readonly [number, number] => {
  const [{ attributes }] = ofMark(elements, "pixels", "image");
  return [Number(attributes["width"]), Number(attributes["height"])];
};

/** Length of the scale bar in pixels, and the length in metres that it states. */
function scaleBarOf(elements: readonly Element[]) {
  const [{ attributes }] = ofMark(elements, "scale-bar", "line");
  const [{ text }] = ofMark(elements, "scale-bar-length", "text");
  const [, number, unit] = /^([\d.]+) (km|m|cm|mm)$/.exec(text)!;
  return { pixels: Number(attributes["x2"]), meters: Number(number) * { km: 1000, m: 1, cm: 0.01, mm: 0.001 }[unit]!, text };
}

describe("imagePicture", () => {
  it("has true proportions, ticks at their values and a correct scale bar, whatever the image", async () => {
    const { uniform } = createRandom(64);
    for (let i = 0; i < 25; i++) {
      const [width, height] = [1, 2].map(() => Math.round(2 ** (10 * uniform())));
      const step = 10 ** (4 * uniform() - 2);
      const xStep = step * (uniform() < 0.2 ? -1 : 1);
      const yStep = step * (0.7 + 0.6 * uniform());
      const upwards = uniform() < 0.5;
      const start = (): number => (uniform() - 0.3) * 10 ** (5 * uniform());
      const one = picture(width, height, { x: meters("x", start(), xStep), y: meters("y", start(), yStep), upwards });
      const elements = checkSheet(await imagePicture(one));
      const [{ x: left, y: top }] = ofMark(elements, "pixels", "image");
      const [wide, high] = sizeOf(elements);
      expect(Math.max(wide, high)).toBeLessThanOrEqual(1024);
      expect(Math.max(wide, high)).toBeGreaterThanOrEqual(400);
      const [metersWide, metersHigh] = [width * Math.abs(xStep), height * yStep];
      const stretched = ofMark(elements, "note", "text").some(({ text }) => text.includes("Not in true proportions"));
      expect(stretched).toBe(Math.min(wide, high) === 16 && Math.abs(wide / metersWide / (high / metersHigh) - 1) > 0.04);
      // Sides are whole pixels.
      if (!stretched) expect(Math.abs(wide * (metersHigh / metersWide) - high)).toBeLessThanOrEqual(1 + metersHigh / metersWide);
      const bar = scaleBarOf(elements);
      expect(Math.abs((bar.pixels * metersWide) / wide / bar.meters - 1)).toBeLessThan(1e-3);
      const [x] = axisOf(elements, "image", "x");
      const [y] = axisOf(elements, "image", "y");
      for (const [ticks, title, own, count, share] of [
        [x.ticks, x.title, one.x, width, (at: number) => (at - left) / wide],
        [y.ticks, y.title, one.y, height, (at: number) => (upwards ? 1 - (at - top) / high : (at - top) / high)],
      ] as const) {
        const factor = title?.endsWith(", km") ? 1000 : 1;
        expect(title).toBe(`${own.label}, ${factor === 1000 ? "km" : "m"}`);
        expect(ticks.length).toBeGreaterThanOrEqual(1);
        for (const { value, at } of ticks) {
          const wanted = (value * factor - (own.start - own.step / 2)) / (own.step * count);
          // A pixel and a half, plus the rounding of a lone tick to six digits.
          const digits = ticks.length === 1 ? Math.abs((1e-5 * own.start) / (own.step * count)) : 0;
          expect(Math.abs(share(at) - wanted)).toBeLessThan(1.6 / (own === one.x ? wide : high) + digits);
        }
      }
    }
  });

  it.each([
    ["64 × 64", 64, 64],
    ["as wide as it can be", 1024, 1024],
    ["very long", 30, 1024],
    ["very flat", 1024, 12],
    ["a row", 1000, 1],
    ["a column", 1, 1000],
    ["a pixel", 1, 1],
  ])("has room for all its texts: %s", async (_, width, height) => {
    const title =
      "A very long title of a scene whose author has told the whole story of its recording in its name, and more than that, and more";
    for (const data of [new Uint8Array(width * height), new Uint8Array(width * height).fill(255)]) {
      const elements = checkSheet(await imagePicture(picture(width, height, { title, data })));
      for (const name of ["title", "note", "unit", "scale-bar-length"]) expect(ofMark(elements, name, "text").length).toBeGreaterThan(0);
      expect(axisOf(elements, "colour-bar", "y")[0].ticks.length).toBeGreaterThanOrEqual(2);
    }
  });

  it("keeps every grey level, with the first row at the top or at the bottom", async () => {
    const one = picture(300, 200);
    for (const upwards of [false, true]) {
      const elements = checkSheet(await imagePicture({ ...one, upwards }));
      const [image] = ofMark(elements, "pixels", "image");
      const { width, height, data } = decode(embeddedPng(image));
      // Each pixel becomes two by two.
      expect([width, height]).toEqual([600, 400]);
      for (const [row, column] of [
        [0, 0],
        [0, 299],
        [199, 0],
        [77, 123],
      ]) {
        const down = upwards ? 199 - row : row;
        expect(data[2 * down * width + 2 * column]).toBe(one.data[row * 300 + column]);
        expect(data[(2 * down + 1) * width + 2 * column + 1]).toBe(one.data[row * 300 + column]);
      }
    }
    const large = picture(700, 500);
    const [image] = ofMark(checkSheet(await imagePicture(large)), "pixels", "image");
    expect([...decode(embeddedPng(image)).data]).toEqual([...large.data]);
  });

  it.each(["viridis", "inferno", "cividis"] as const)("has the colours of %s", async (colours) => {
    const one = picture(32, 16, { colours });
    const svg = await imagePicture(one);
    const { width, height, channels, data } = decode(embeddedPng(ofMark(checkSheet(svg), "pixels", "image")[0]));
    const map = await colourMap(colours);
    expect([channels, map.length]).toEqual([4, 768]);
    for (let y = 0; y < height; y += 7) {
      for (let x = 0; x < width; x += 7) {
        const level = one.data[32 * Math.floor(((y + 0.5) * 16) / height) + Math.floor(((x + 0.5) * 32) / width)];
        expect([...data.slice(4 * (y * width + x), 4 * (y * width + x) + 4)]).toEqual([...map.subarray(3 * level, 3 * level + 3), 255]);
      }
    }
    // Lighter from colour to colour, as perceptually uniform maps are.
    const luma = Array.from({ length: 256 }, (_, i) => 0.299 * map[3 * i] + 0.587 * map[3 * i + 1] + 0.114 * map[3 * i + 2]);
    for (let i = 8; i < 256; i++) expect(luma[i]).toBeGreaterThan(luma[i - 8]);
    expect(ofMark(checkSheet(svg), "colours", "path")).toHaveLength(1);
    await expect(imagePicture({ ...one, colours: "jet" as never })).rejects.toMatchObject({ code: "input", fields: { field: "colours" } });
    await expect(colourMap("jet" as never)).rejects.toMatchObject({ code: "input", fields: { field: "name" } });
  });

  it("has a colour bar from black to white with its decibels", async () => {
    const elements = checkSheet(await imagePicture(picture(512, 400, { lowDb: -40, highDb: 0 })));
    const stops = elements.filter(({ tag }) => tag === "stop").map(({ attributes }) => attributes["stop-color"]);
    expect([stops[0], stops.at(-1)]).toEqual(["rgb(0,0,0)", "rgb(255,255,255)"]);
    const [bar] = ofMark(elements, "colours", "path");
    const [, length] = /^M0,0h14v([\d.]+)h-14Z$/.exec(bar.attributes["d"])!;
    const [{ ticks }] = axisOf(elements, "colour-bar", "y");
    expect([ticks[0].value, ticks.at(-1)?.value]).toEqual([-40, 0]);
    expect(Math.abs(ticks[0].at - (bar.y + Number(length)))).toBeLessThanOrEqual(1);
    expect(Math.abs((ticks.at(-1)?.at ?? 0) - bar.y)).toBeLessThanOrEqual(1);
  });

  it("shows many metres as kilometres, and seconds in a suitable unit", async () => {
    const titles = async (more: Partial<ImagePicture>) => {
      const elements = checkSheet(await imagePicture(picture(100, 100, more)));
      return [
        axisOf(elements, "image", "x")[0].title,
        axisOf(elements, "image", "y")[0].title,
        ofMark(elements, "scale-bar", "line").length,
      ];
    };
    expect(await titles({ x: meters("x", 9000, 1), y: meters("y", 9950, 1) })).toEqual(["x, m", "y, km", 1]);
    const seconds = (start: number, step: number) => ({ label: "time", unit: "s", start, step });
    expect(await titles({ x: seconds(0, 1e-8), y: seconds(-0.2, 2e-3) })).toEqual(["time, µs", "time, ms", 0]);
    expect(await titles({ x: seconds(0, 0.1), y: meters("y", 0, 1) })).toEqual(["time, s", "y, m", 0]);
    // Flight time in seconds: 100 s at 70 m/s are as long as 7000 m.
    const flown = { ...seconds(0, 1), metersPerUnit: 70 };
    const elements = checkSheet(await imagePicture(picture(100, 100, { x: meters("x", 0, 70), y: flown })));
    expect(sizeOf(elements)).toEqual([400, 400]);
    expect(scaleBarOf(elements).text).toBe("2 km");
  });

  it.each<[string, object, string]>([
    ["no width", { width: 0 }, "width"],
    ["too few bytes", { data: new Uint8Array(3) }, "data"],
    ["float data", { data: new Float32Array(4) }, "data"],
    ["a step of 0", { y: meters("y", 0, 0) }, "y.step"],
    ["no axis", { x: undefined }, "x.label"],
    ["a unit that is no text", { x: { ...meters("x", 0, 1), unit: 3 } }, "x.unit"],
    ["metres that are none", { x: { ...meters("x", 0, 1), metersPerUnit: 0 } }, "x.metersPerUnit"],
    ["decibels that fall", { lowDb: 1 }, "highDb"],
    ["notes that are no list", { notes: "text" }, "notes"],
    ["no title", { title: undefined }, "title"],
  ])("refuses %s", async (_, more, field) => {
    await expect(imagePicture({ ...picture(2, 2), ...more } as ImagePicture)).rejects.toMatchObject({ code: "input", fields: { field } });
    await expect(imagePicture(picture(2, 2), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});
