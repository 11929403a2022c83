/**
 * Pictures of radar images: grey or coloured levels with axes in metres or seconds, in true proportions, with a scale bar and a colour bar in
 * decibels. Convert a complex image to grey levels first, for example with `quicklook` of `@dechirp/sar`.
 */
import type { ImagePicture } from "./image.ts";
import { imageSheet } from "./image-sheet.ts";
import type { PictureOptions } from "./options.ts";
import { svgOf } from "./sheet.ts";

/**
 * Draws an image and resolves with an SVG document. If both axes are in metres or have `metersPerUnit`, a metre has the same length on
 * both and a scale bar is drawn; otherwise pixels are square. An image that would be too narrow to see is widened, and a note says by
 * how much. Rejects with `input` if the image can't be drawn, and with `aborted` if the signal fires.
 */
export async function imagePicture(image: ImagePicture, options: PictureOptions = {}): Promise<string> {
  return svgOf((await imageSheet(image, options, true)).sheet, options);
}
