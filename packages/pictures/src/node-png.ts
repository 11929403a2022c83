/**
 * PNG images in Node: SVG documents, and images with axes. In a web page the browser draws SVG itself. A process of its own draws
 * (node-renderer.ts).
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { encodePng, type PngImage } from "@dechirp/io";
import { checkSignal } from "./check.ts";
import type { ImagePicture } from "./image.ts";
import { imagePicture } from "./image-picture.ts";
import { imageSheet } from "./image-sheet.ts";
import { checkDocument, prepareRenderer, startRenderer, what } from "./node-renderer.ts";
import type { PictureOptions } from "./options.ts";
import { svgOf } from "./sheet.ts";
import { loadVega } from "./vega.ts";

/** Options of `pngOfSvg`. */
export interface PngOptions extends PictureOptions {
  /** Pixels of the image per pixel of the document, above 0 and up to 8. Default: 1. */
  readonly scale?: number;
}

/**
 * Starts what the next picture needs, which are the process that draws and Vega, so that `imagePng` takes some 0.2 s less. Call it when a picture
 * will be wanted, before work that takes a while. It does nothing if this was done before. If no picture follows, the process ends with this one.
 * Nothing is thrown: what is wrong shows with the picture.
 */
export function preparePng(): void {
  try {
    prepareRenderer();
  } catch {
    // The picture meets the same error.
  }
  loadVega().catch(() => {});
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
    const { signal } = options;
    // The process starts while Vega is loaded and draws.
    using renderer = startRenderer(signal);
    const drawn = await renderer.draw(await svgOf(sheet, options), 1, "pixels");
    paste(drawn, sheet.width, pixels, left, top);
    const size = { width: sheet.width, height: sheet.height };
    return await encodePng({ ...size, data: greyOf(drawn) ?? drawn }, options);
  } catch (error) {
    throw asRadarError(error, what);
  }
}

/** Replaces pixels of a drawing, which has four bytes for each, by those of an image whose upper left corner is at (`left`, `top`). */
function paste(drawing: Uint8Array, columns: number, { width, height, data }: PngImage, left: number, top: number): void {
  const isGrey = data.length === width * height;
  for (let row = 0; row < height; row++) {
    let at = 4 * ((top + row) * columns + left);
    if (!isGrey) drawing.set(data.subarray(4 * row * width, 4 * (row + 1) * width), at);
    else for (let i = row * width; i < (row + 1) * width; i++, at += 4) drawing[at] = drawing[at + 1] = drawing[at + 2] = data[i];
  }
}

/** One byte for each pixel, if all are grey and opaque. */
function greyOf(drawing: Uint8Array): Uint8Array | undefined {
  const grey = new Uint8Array(drawing.length / 4);
  for (let i = 0, at = 0; i < grey.length; i++, at += 4) {
    const level = drawing[at];
    if (drawing[at + 1] !== level || drawing[at + 2] !== level || drawing[at + 3] !== 255) return undefined;
    grey[i] = level;
  }
  return grey;
}
