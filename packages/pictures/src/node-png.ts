/**
 * PNG images in Node: SVG documents, and images with axes. In a web page the browser draws SVG itself. A process of its own draws
 * (node-renderer.ts); the pixels of an image are put into its drawing here.
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { encodePng } from "@dechirp/io";
import { checkSignal } from "./check.ts";
import type { ImagePicture } from "./image.ts";
import { imagePicture } from "./image-picture.ts";
import { imageSheet } from "./image-sheet.ts";
import { checkDocument, prepareRenderer, startRenderer, what } from "./node-renderer.ts";
import type { PictureOptions } from "./options.ts";
import { specOf } from "./sheet.ts";

/** Options of `pngOfSvg`. */
export interface PngOptions extends PictureOptions {
  /** Pixels of the image per pixel of the document, above 0 and up to 8. Default: 1. */
  readonly scale?: number;
}

/**
 * Starts the process that draws the next picture and lets it draw one for practice, so that `imagePng` takes some 0.3 s less. Call it when a picture will
 * be wanted, before work that takes a while, and before much memory is in use: the system copies tables of it to start a process. It does nothing if
 * this was done before. If no picture follows, the process ends with this one. Nothing is thrown: what is wrong shows with the picture.
 */
export function preparePng(): void {
  const axis = { label: "azimuth", unit: "m", start: 0, step: 100 };
  const size = { width: 400, height: 100, data: new Uint8Array(40_000) };
  const image = { title: "scene", notes: ["0 dB"], ...size, x: axis, y: axis, lowDb: -40, highDb: 0 };
  try {
    prepareRenderer(async () => specOf((await imageSheet(image, {}, false)).sheet));
  } catch {
    // The picture meets the same error.
  }
}

/**
 * Converts an SVG document to a PNG image and resolves with its bytes. The document may come from this package or elsewhere; its size
 * is that of its `width` and `height`. Rejects with `input` if it is not such a document, and with `aborted` if the signal fires.
 */
export async function pngOfSvg(svg: string, options: PngOptions = {}): Promise<Uint8Array> {
  checkSignal(options);
  const { scale = 1, signal } = options;
  throwIfAborted(signal, what);
  if (!Number.isFinite(scale) || scale <= 0 || scale > 8) throw inputError("scale", "a number above 0 and up to 8", scale);
  checkDocument(svg, scale);
  try {
    using renderer = startRenderer(signal);
    return await renderer.draw(svg, scale, "png");
  } catch (error) {
    throw asRadarError(error, what);
  }
}

/**
 * Draws an image with axes, as `imagePicture` does, and resolves with a PNG file of it. It takes about two thirds of the time of
 * `pngOfSvg(await imagePicture(image))`, because the image's pixels are not encoded and decoded on the way. Rejects as these do.
 */
export async function imagePng(image: ImagePicture, options: PictureOptions = {}): Promise<Uint8Array> {
  checkSignal(options);
  const { sheet, pixels, left, top, width, height } = await imageSheet(image, options, false);
  // The renderer resamples images that are not drawn pixel by pixel.
  const isWhole = [sheet.width, sheet.height, left, top].every(Number.isInteger);
  if (!isWhole || pixels.width !== width || pixels.height !== height) return pngOfSvg(await imagePicture(image, options), options);
  try {
    using renderer = startRenderer(options.signal);
    const drawn = await renderer.draw(specOf(sheet), 1, "pixels");
    const size = { width: sheet.width, height: sheet.height };
    const place = { left, top, width, height };
    return await encodePng({ ...size, data: pasted(drawn, size, pixels.data, place) }, options);
  } catch (error) {
    throw asRadarError(error, what);
  }
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Replaces the pixels of a drawing at `place` by those of an image of that size. Each of the two has one byte for a pixel, or four. */
function pasted(drawing: Pixels, size: Size, image: Pixels, place: Size & { readonly left: number; readonly top: number }): Pixels {
  const bytes = Math.max(drawing.length / (size.width * size.height), image.length / (place.width * place.height));
  const whole = widened(drawing, bytes * size.width * size.height);
  const part = widened(image, bytes * place.width * place.height);
  const row = bytes * place.width;
  for (let from = 0, to = bytes * (place.top * size.width + place.left); from < part.length; from += row, to += bytes * size.width)
    whole.set(part.subarray(from, from + row), to);
  return whole;
}

type Pixels = Uint8Array | Uint8ClampedArray;

/** Pixels as `length` bytes: as they are, or four bytes for each of one. */
function widened(pixels: Pixels, length: number): Pixels {
  if (pixels.length === length) return pixels;
  const wide = new Uint8Array(length).fill(255);
  for (let i = 0, at = 0; i < pixels.length; i++, at += 4) wide[at] = wide[at + 1] = wide[at + 2] = pixels[i];
  return wide;
}
