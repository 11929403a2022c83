/**
 * PNG images of SVG documents: every character of a text is drawn in the bundled font, a signal ends the work, and hostile documents
 * are refused.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { createRandom } from "@dechirp/core";
import { decode } from "fast-png";
import { describe, expect, it } from "vitest";
import { built } from "../../../scripts/built.mjs";
import { type ImagePicture, imagePicture, linePlot } from "../src/index.ts";
import { imagePng, pngOfSvg, preparePng } from "../src/node-png.ts";
import { textWidth } from "../src/text.ts";

const family = `font-family="DejaVu Sans, Verdana, sans-serif"`;

const document = (content: string, width = 400, height = 100): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="#fff"/>${content}</svg>`;

/** Columns and rows of the pixels that are not white within some columns. */
function ink(
  { width, height, data }: ReturnType<typeof decode>,
  from = 0,
  to = width,
): { columns: number[]; count: number; pattern: string } {
  const channels = data.length / (width * height);
  const dark: boolean[] = [];
  const columns: number[] = [];
  for (let y = 0; y < height; y++) {
    for (let x = from; x < to; x++) {
      const isDark = Number(data[channels * (y * width + x)]) < 128;
      dark.push(isDark);
      if (isDark) columns.push(x);
    }
  }
  return { columns, count: columns.length, pattern: dark.map(Number).join("") };
}

/** Characters beyond ASCII that labels, titles and notes of this workspace use. */
const signs = "−·°×µμ²³¹σρλΔΣΠπθφℋ∞≤≥±…–—₀₁₂⁻₍₎éüßñ→√∑";

describe("pngOfSvg", () => {
  it("draws every character that labels use, each with its own shape", async () => {
    const ascii = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i));
    const all = [...ascii, ...signs];
    const missing = "\u{10fffe}";
    const cell = 40;
    const texts = [...all, missing].map((sign, i) => {
      const text = sign.replace(/[&<>]/g, (one) => `&#${one.charCodeAt(0)};`);
      return ["normal", "bold"].map(
        (weight, row) => `<text x="${i * cell + 4}" y="${30 + 40 * row}" font-size="20" font-weight="${weight}" ${family}>${text}</text>`,
      );
    });
    const width = cell * (all.length + 1);
    const image = decode(await pngOfSvg(document(texts.flat().join(""), width, 80)));
    expect([image.width, image.height]).toEqual([width, 80]);
    const shapes = [...all, missing].map((_, i) => ink(image, i * cell, (i + 1) * cell));
    const box = shapes.at(-1)?.pattern;
    const odd = all.filter((_, i) => shapes[i].count < 4 || shapes[i].pattern === box);
    expect(odd).toEqual([]);
    // Characters that neither font has are drawn as boxes, and nothing vanishes.
    expect(shapes.at(-1)?.count).toBeGreaterThan(20);
  });

  it("draws text no wider than estimated, in both weights", async () => {
    const lines = [
      "The quick brown fox jumps over the lazy dog 0123456789",
      "WWWMMM @@@ %%% MEMORY OF A GPU",
      "slant range, km; Doppler, cycles a pulse (−0.5 to 0.5)",
      "lock: worst observed; ℋ = 19, ρ = 1.1, S = {1, 4}, Σ L[1]",
      "iiiilllltttfff.,:;'|!()[] minimum",
    ];
    const texts = lines.flatMap((line, i) =>
      ["normal", "bold"].map(
        (weight, k) => `<text x="0" y="${20 + 60 * i + 30 * k}" font-size="16" font-weight="${weight}" ${family}>${line}</text>`,
      ),
    );
    const image = decode(await pngOfSvg(document(texts.join(""), 900, 60 * lines.length)));
    for (const [i, line] of lines.entries()) {
      for (const k of [0, 1]) {
        const top = 60 * i + 30 * k;
        const part = { ...image, height: 28, data: image.data.subarray(4 * 900 * top, 4 * 900 * (top + 28)) } as typeof image;
        const wide = Math.max(...ink(part).columns);
        expect(wide, line).toBeLessThan(1.03 * textWidth(line, 16, k === 1));
        expect(wide, line).toBeGreaterThan(0.7 * textWidth(line, 16, k === 1));
      }
    }
  });

  it("is as large as the document, or a multiple of it", async () => {
    const svg = await linePlot({
      title: "a title",
      x: "x",
      y: "y",
      lines: [
        {
          name: "one",
          points: [
            [1, 1],
            [2, 2],
          ],
        },
      ],
    });
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg)!.map(Number);
    for (const scale of [1, 2, 0.5]) {
      const image = decode(await pngOfSvg(svg, { scale }));
      expect([image.width, image.height]).toEqual([Math.round(width * scale), Math.round(height * scale)]);
      expect(ink(image).count).toBeGreaterThan(500 * scale);
    }
  });

  it("shows an image's pixels as they are", async () => {
    const data = Uint8Array.from({ length: 500 * 450 }, (_, i) => (i * 7919) % 256);
    const axis = (label: string) => ({ label, unit: "m", start: 0, step: 1 });
    const svg = await imagePicture({ title: "t", width: 500, height: 450, data, x: axis("x"), y: axis("y"), lowDb: -40, highDb: 0 });
    const [, left, top] = /image"[^>]*><g transform="translate\((\d+),(\d+)\)/.exec(svg)!.map(Number);
    const image = decode(await pngOfSvg(svg));
    let wrong = 0;
    for (let y = 1; y < 449; y++)
      for (let x = 1; x < 499; x++) if (image.data[4 * ((top + y) * image.width + left + x)] !== data[y * 500 + x]) wrong++;
    expect(wrong).toBe(0);
  });

  it("keeps the event loop free, and ends at once when a signal fires", async () => {
    const svg = document(`<text x="5" y="50" font-size="40" ${family}>${"text ".repeat(2000)}</text>`, 4000, 4000);
    const controller = new AbortController();
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    setTimeout(() => controller.abort(), 60);
    try {
      await expect(pngOfSvg(svg, { signal: controller.signal, scale: 2 })).rejects.toMatchObject({ code: "aborted" });
    } finally {
      clearInterval(ticking);
    }
    expect(turns).toBeGreaterThan(0);
    await expect(pngOfSvg(svg, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });

  it.each<[string, string, object, string]>([
    ["no text", 3 as never, {}, "svg"],
    ["no document", "hello", {}, "svg"],
    ["a document without a size", '<svg xmlns="http://www.w3.org/2000/svg"/>', {}, "svg"],
    ["a document of too many pixels", document("", 100_000, 100_000), {}, "svg"],
    ["a scale of 0", document(""), { scale: 0 }, "scale"],
    ["a scale that is no number", document(""), { scale: "2" }, "scale"],
  ])("refuses %s", async (_, svg, options, field) => {
    await expect(pngOfSvg(svg, options)).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it("reports a broken document", async () => {
    await expect(pngOfSvg('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><g></svg>')).rejects.toMatchObject({
      code: "failed",
    });
  });
});

/** Four bytes for each pixel of a PNG file. */
function pixelsOf(png: Uint8Array): readonly [width: number, height: number, pixels: Uint8Array] {
  const { width, height, data, channels } = decode(png);
  const pixels = new Uint8Array(4 * width * height).fill(255);
  for (let i = 0; i < width * height; i++)
    for (let c = 0; c < 4; c++) pixels[4 * i + c] = channels === 1 ? (c === 3 ? 255 : data[i]) : data[channels * i + c];
  return [width, height, pixels];
}

describe("imagePng", () => {
  const axis = (label: string, step = 1) => ({ label, unit: "m", start: 0, step });
  const random = (width: number, height: number, more: Partial<ImagePicture> = {}): ImagePicture => {
    const { uniform } = createRandom(1);
    const data = Uint8Array.from({ length: width * height }, () => 256 * uniform());
    return { title: "random levels", width, height, data, x: axis("x"), y: axis("y"), lowDb: -40, highDb: 0, ...more };
  };

  it.each<[string, ImagePicture]>([
    ["levels of grey", random(500, 450)],
    ["levels of grey from the bottom up, with notes", random(450, 410, { upwards: true, notes: ["one", "two"] })],
    ["colours", random(420, 410, { colours: "viridis" })],
    ["a small image, which is enlarged", random(30, 70)],
    ["pixels that are not square", random(400, 401, { x: axis("x", 3) })],
    ["an image that is too large to be drawn pixel by pixel", random(1500, 700)],
    ["a narrow image", random(3, 900)],
  ])("draws what pngOfSvg draws of imagePicture: %s", async (_, image) => {
    const [width, height, pixels] = pixelsOf(await imagePng(image));
    const [otherWidth, otherHeight, others] = pixelsOf(await pngOfSvg(await imagePicture(image)));
    expect([width, height]).toEqual([otherWidth, otherHeight]);
    expect(Buffer.compare(pixels, others)).toBe(0);
  });

  it("has one byte for each pixel unless there are colours", async () => {
    expect(decode(await imagePng(random(400, 400))).channels).toBe(1);
    expect(decode(await imagePng(random(400, 400, { colours: "inferno" }))).channels).toBe(4);
  });

  it("refuses what can't be drawn, and ends at once when a signal fires", async () => {
    await expect(imagePng({ ...random(2, 2), width: 3 })).rejects.toMatchObject({ code: "input", fields: { field: "data" } });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(imagePng(random(1024, 1024), { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    await expect(imagePng(random(2, 2), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("preparePng", () => {
  const document = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><circle cx="17" cy="11" r="9.3"/></svg>`;

  it("changes no picture, of the one that gets the prepared process and of others", async () => {
    const expected = await pngOfSvg(document);
    preparePng();
    preparePng();
    expect(await Promise.all([pngOfSvg(document), pngOfSvg(document), pngOfSvg(document)])).toEqual([expected, expected, expected]);
  });

  it.each(["grey", "viridis"] as const)(
    "changes no picture of an image in %s, which the process draws after one for practice",
    async (colours) => {
      const axis = { label: "slant range", unit: "m", start: 9e5, step: 7 };
      const data = Uint8Array.from({ length: 450 * 430 }, (_, i) => (i * 7919) % 256);
      const image: ImagePicture = { title: "t", width: 450, height: 430, data, x: axis, y: axis, lowDb: -30, highDb: 0, colours };
      const expected = await imagePng(image);
      preparePng();
      // The message of the practice comes first, whether it has been drawn or not.
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(await imagePng(image)).toEqual(expected);
    },
  );

  it("does not keep a program from ending, and leaves no process behind", async () => {
    await built();
    const source = JSON.stringify(new URL("../dist/node-png.node.js", import.meta.url).href);
    const program = `
      import processes from "node:child_process";
      import { syncBuiltinESMExports } from "node:module";
      const { spawn } = processes;
      processes.spawn = (...args) => {
        const child = spawn(...args);
        console.log(child.pid);
        return child;
      };
      syncBuiltinESMExports();
      (await import(${source})).preparePng();`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
