/** Proportions in which images are drawn: metres are equally long along rows and columns, or pixels are square if metres are unknown. */
import { type ImageFacts, metersOf } from "./facts.ts";
import { tilePixels } from "./tile-axis.ts";

/** The coarser axis is stretched at most by this. */
const mostStretch = 64;

/** How much an axis is stretched. */
export interface Stretch {
  readonly stretch: number;
  /** The stretch is rest · 2^octaves; a tile has a whole number of screen pixels. */
  readonly octaves: number;
  readonly rest: number;
}

function stretchOf(wanted: number): Stretch {
  const octaves = Math.floor(Math.log2(wanted));
  const rest = Math.round((wanted / 2 ** octaves) * tilePixels) / tilePixels;
  return { stretch: rest * 2 ** octaves, octaves, rest };
}

/** The stretch of rows and columns, the smaller of which is `scale`, and the metres of a pixel along that axis, if they are known. */
export function proportionsOf({ rowAxis, columnAxis }: Pick<ImageFacts, "rowAxis" | "columnAxis">, scale = 1) {
  const [down, across] = [metersOf(rowAxis), metersOf(columnAxis)];
  if (down === undefined || across === undefined) return { axes: [stretchOf(scale), stretchOf(scale)] as const, finestMeters: undefined };
  const finestMeters = Math.min(down, across);
  const along = (meters: number): Stretch => stretchOf(scale * Math.min(mostStretch, meters / finestMeters));
  return { axes: [along(down), along(across)] as const, finestMeters };
}
