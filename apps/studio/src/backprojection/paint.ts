/** Turns complex images into colours, in a worker. */
import { colourMap } from "@dechirp/pictures";
import type { GroundGrid } from "@dechirp/sar";
import type { Display, ImageWindow } from "./settings.ts";

/** A picture of an image: the upper row is the one of largest y. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of each pixel, row by row. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  /** Where it is. */
  readonly window: ImageWindow;
  /** Whether it is a first one of fewer pixels, or one without all pulses, or the image. */
  readonly stage: "coarse" | "partial" | "whole";
  /** The colours of 256 levels, red, green and blue, from the lowest to the highest. */
  readonly map: Uint8Array;
  readonly display: Display;
}

/** An image with its place. */
export interface PlacedImage {
  /** [ny][nx], interleaved re, im. */
  readonly image: Float32Array;
  readonly grid: GroundGrid;
  readonly window: ImageWindow;
  readonly stage: Picture["stage"];
}

/** Draws power in decibels below the largest of the image. */
export async function paint({ image, grid: { nx, ny }, window, stage }: PlacedImage, display: Display): Promise<Picture> {
  const { range, colours } = display;
  const map = await colourMap(colours);
  const powers = new Float32Array(nx * ny);
  let most = 0;
  for (let i = 0; i < powers.length; i++) {
    const power = image[2 * i]! * image[2 * i]! + image[2 * i + 1]! * image[2 * i + 1]!;
    powers[i] = power;
    if (power > most) most = power;
  }
  const rgba = new Uint8ClampedArray(4 * nx * ny);
  const scale = (255 * 10) / (Math.LN10 * range);
  for (let y = 0, i = 0; y < ny; y++) {
    for (let x = 0, to = 4 * (ny - 1 - y) * nx; x < nx; x++, i++, to += 4) {
      const level = most > 0 ? Math.round(255 + scale * Math.log(powers[i]! / most)) : 0;
      const from = 3 * Math.max(0, level);
      rgba[to] = map[from]!;
      rgba[to + 1] = map[from + 1]!;
      rgba[to + 2] = map[from + 2]!;
      rgba[to + 3] = 255;
    }
  }
  return { width: nx, height: ny, rgba, window, stage, map, display: { range, colours } };
}
