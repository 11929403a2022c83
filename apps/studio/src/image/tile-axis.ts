/** Which pixels of the pyramid a tile shows along an axis. */
import { pixelsAt } from "./facts.ts";

/** Screen pixels of a tile along an axis that is not stretched. */
export const tilePixels = 256;

/** Level and pixels of tile `k` of an axis at zoom `z`. */
export function alongAxis(pixels: number, { octaves }: { readonly octaves: number }, k: number, z: number, sharpness: number) {
  const level = Math.max(0, -(z + octaves) - sharpness);
  /** Pixels of the level in a tile: a power of two, below 1 if a pixel is larger than a tile. */
  const inTile = tilePixels / 2 ** (z + octaves + level);
  const all = pixelsAt(pixels, level);
  const first = Math.floor(k * inTile);
  const room = Math.max(1, inTile);
  return { level, first, room, count: first < 0 ? 0 : Math.min(all, first + room) - first };
}
