/**
 * Makes backprojection precise in float32. For each image tile and pulse, float64 gives an anchor, from which a device needs only
 * small numbers. Works for any grid and any heights. For flat ground grids `blocks.ts` has a form that is smaller and
 * more precise.
 *
 * Range of a pixel from the anchor. Let x₀ be the anchor point of the tile, R₀ = |x₀ − A|, u = (x₀ − A)/R₀ the look direction
 * (from the antenna to the tile), d the offset of a pixel from x₀, p = u·d and q = |d|². Then
 *   |x₀ + d − A| = √((R₀ + p)² + (q − p²)) = R₀ + p + W/(1 + t) − V, with t = p/R₀, W = (q − p²)/(2R₀) ≥ 0 and
 *   0 ≤ V ≤ W²/(2R₀(1 + t)³), for 1 + y/2 − y²/8 ≤ √(1 + y) ≤ 1 + y/2.
 * The second order takes p + W, the third p + W(1 − t). `anchorErrorMeters` bounds what they leave out; with
 * δ = |d|/R₀ its leading terms are R₀δ³/√27 and R₀δ⁴/8.
 *
 * Rounding: p, the largest number, is at most |d| and a sum of three products. The float32 range is good to about
 * 3·2⁻²⁴·|d| at the tile's corner and a quarter of it in the mean; times 2·carrier/c, that is the error in cycles.
 */
import { inputError } from "@dechirp/core";
import { tileAnchor } from "./anchor-words.ts";
import { checkGrid, createPositions, type ImageGrid, type Vec3 } from "./grid.ts";
import { checkGridWindow, type GridWindow, wholeImage } from "./grid-window.ts";
import { checkProfileGeometry, cyclesPerMeter, type ProfileGeometry, pulseCount } from "./profiles.ts";
import { checkPulses } from "./reference.ts";

/** Anchors [tile][capacity] of a run of tiles and pulses; `tileAnchor` describes their words. The two arrays are views of one buffer. */
export interface Anchors {
  readonly firstTile: number;
  readonly tiles: number;
  readonly firstPulse: number;
  readonly pulses: number;
  readonly ints: Int32Array;
  readonly floats: Float32Array;
}

/** Number of tiles along the axes of an image. The last ones may reach beyond the image. */
export const tilesAlong = ({ nx, ny }: Pick<ImageGrid, "nx" | "ny">, tile: number): readonly [x: number, y: number] => [
  Math.ceil(nx / tile),
  Math.ceil(ny / tile),
];

/** Throws `input` unless `tile` is an even number of pixels. */
export function checkTile(tile: number): void {
  if (!Number.isInteger(tile) || tile < 2 || tile > 1024 || tile % 2 !== 0)
    throw inputError("tile", "an even integer from 2 to 1024", tile);
}

/** The pixel that tile (tx, ty) is anchored at: its middle, rounded up. It may lie beyond the end of the image. */
export const anchorPixel = (tile: number, tx: number, ty: number): readonly [ix: number, iy: number] => [
  tx * tile + tile / 2,
  ty * tile + tile / 2,
];

const largestBin = 2 ** 30;

/** Writes the bin (i32) and the fraction (f32) of a range. A bin that no i32 can hold becomes one that no profile has. */
export function writePlace(profiles: ProfileGeometry, range: number, ints: Int32Array, floats: Float32Array, at: number): void {
  const place = (range - profiles.firstRangeMeters) / profiles.binMeters;
  const bin = Math.floor(place);
  ints[at + tileAnchor.at.bin] = Math.max(-largestBin, Math.min(largestBin, bin));
  floats[at + tileAnchor.at.fraction] = place - bin;
}

/** Memory for the words of anchors, as integers and as floats, with what happens to be in it. */
export type AnchorMemory = (count: number) => {
  readonly ints: Int32Array<ArrayBuffer>;
  readonly uints: Uint32Array<ArrayBuffer>;
  readonly floats: Float32Array<ArrayBuffer>;
};

const viewsOf = (buffer: ArrayBuffer, count: number): ReturnType<AnchorMemory> => ({
  ints: new Int32Array(buffer, 0, count),
  uints: new Uint32Array(buffer, 0, count),
  floats: new Float32Array(buffer, 0, count),
});

/** New memory. */
export const newAnchorMemory: AnchorMemory = (count) => viewsOf(new ArrayBuffer(4 * count), count);

/** The same memory again and again: the system takes as long for the pages of new memory as the anchors in them take. */
export function createAnchorMemory(): AnchorMemory {
  let buffer = new ArrayBuffer(0);
  return (count) => {
    if (buffer.byteLength < 4 * count) buffer = new ArrayBuffer(4 * count);
    return viewsOf(buffer, count);
  };
}

/** Which anchors are made. */
export interface AnchorRange {
  /** Default: all pulses. */
  readonly pulses?: readonly [first: number, count: number];
  /** Room for so many pulses a tile or block, if that is more than the pulses. */
  readonly capacity?: number;
  /** Only the tiles or blocks of this window, which lies on the lattice of their edges. Default: the whole image. */
  readonly window?: GridWindow;
}

/**
 * Anchors of tiles `firstTile` … (index ty·tilesX + tx, of the window if there is one) and a run of pulses, from float64: 32 bytes a tile
 * and pulse. A fraction may round up to 1. Throws `input` naming the field.
 */
export function tileAnchors(
  profiles: ProfileGeometry,
  grid: ImageGrid,
  tile: number,
  options: AnchorRange & { readonly tiles?: readonly [first: number, count: number] } = {},
): Anchors {
  checkProfileGeometry(profiles);
  checkGrid(grid);
  checkTile(tile);
  const window = checkGridWindow(options.window ?? wholeImage(grid), grid, tile, "window");
  const [tilesX, tilesY] = tilesAlong(window, tile);
  const { tiles: [firstTile, tiles] = [0, tilesX * tilesY], pulses = [0, pulseCount(profiles)] } = options;
  checkPulses(pulses, pulseCount(profiles));
  if (!(Number.isInteger(firstTile) && firstTile >= 0 && Number.isInteger(tiles) && tiles >= 0 && firstTile + tiles <= tilesX * tilesY))
    throw inputError("tiles", `a first tile and a count within ${tilesX * tilesY}`, [firstTile, tiles]);
  const room = Math.max(pulses[1], options.capacity ?? 0);
  if (tiles * room > 2 ** 25) throw inputError("tiles", "at most 2^25 anchors at a time", tiles * room);
  return checkedTileAnchors(profiles, grid, tile, { tiles: [firstTile, tiles], pulses, capacity: room, window });
}

/** `tileAnchors` for arguments that were checked before. */
export function checkedTileAnchors(
  profiles: ProfileGeometry,
  grid: ImageGrid,
  tile: number,
  {
    pulses: [firstPulse, pulses],
    capacity: room,
    window,
    tiles: [firstTile, tiles] = [0, tilesAlong(window, tile).reduce((x, y) => x * y)],
  }: Required<AnchorRange> & { readonly tiles?: readonly [first: number, count: number] },
  words: AnchorMemory = newAnchorMemory,
): Anchors {
  const { ints, floats } = words(tiles * room * tileAnchor.count);
  if (pulses < room) ints.fill(0);
  const position = createPositions(grid);
  const turns = cyclesPerMeter(profiles);
  const { positions, referenceRangeMeters } = profiles;
  const { cycles: cyclesAt, lookX, lookY, lookZ, half, unused } = tileAnchor.at;
  const [tilesX] = tilesAlong(window, tile);
  for (let i = 0; i < tiles; i++) {
    let at = i * room * tileAnchor.count;
    const [tx, ty] = [(firstTile + i) % tilesX, Math.floor((firstTile + i) / tilesX)];
    const [ix, iy] = anchorPixel(tile, window.ix / tile + tx, window.iy / tile + ty);
    const [x, y, z] = position(ix, iy);
    for (let p = firstPulse; p < firstPulse + pulses; p++, at += tileAnchor.count) {
      const dx = x - positions[3 * p];
      const dy = y - positions[3 * p + 1];
      const dz = z - positions[3 * p + 2];
      const range = Math.sqrt(dx * dx + dy * dy + dz * dz);
      const inverse = range > 0 ? 1 / range : 0;
      writePlace(profiles, range - referenceRangeMeters[p], ints, floats, at);
      const cycles = turns * (range - referenceRangeMeters[p]);
      floats[at + cyclesAt] = cycles - Math.round(cycles);
      floats[at + lookX] = dx * inverse;
      floats[at + lookY] = dy * inverse;
      floats[at + lookZ] = dz * inverse;
      floats[at + half] = inverse / 2;
      ints[at + unused] = 0;
    }
  }
  return { firstTile, tiles, firstPulse, pulses, ints, floats };
}

/**
 * Offsets d of the pixels of a tile from its anchor, and |d|², rounded once from float64: [tile][tile][4]. Pixels beyond the
 * image have offsets, too. Every tile of a flat ground grid has the same.
 */
export function tileOffsets(grid: ImageGrid, tile: number, tx: number, ty: number): Float32Array {
  checkTile(tile);
  const position = createPositions(grid);
  const [ax, ay] = anchorPixel(tile, tx, ty);
  const [x0, y0, z0] = position(ax, ay);
  const offsets = new Float32Array(4 * tile * tile);
  for (let j = 0, at = 0; j < tile; j++) {
    for (let i = 0; i < tile; i++, at += 4) {
      const [x, y, z] = position(ax + i - tile / 2, ay + j - tile / 2);
      const d: Vec3 = [x - x0, y - y0, z - z0];
      offsets.set([...d, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]], at);
    }
  }
  return offsets;
}

/** Number of terms of the range: W alone (2), or W with its first correction (3). */
export type AnchorOrder = 2 | 3;

/**
 * Bound of the error of the expansion, in metres, for offsets up to `offsetMeters` at ranges of at least `rangeMeters`. ∞ if the offset
 * reaches
 * the antenna.
 */
export function anchorErrorMeters(offsetMeters: number, rangeMeters: number, order: AnchorOrder): number {
  const delta = offsetMeters / rangeMeters;
  if (!(delta < 1)) return Number.POSITIVE_INFINITY;
  // V ≤ R₀δ⁴/8/(1 − δ)³. Second order: W|t|/(1 − δ), sin²·|cos| ≤ 2/√27; third: Wt²/(1 − δ) ≤ R₀δ⁴/8/(1 − δ), of the sign opposite to V's.
  const fourth = (rangeMeters * delta ** 4) / 8 / (1 - delta) ** 3;
  return order === 2 ? (rangeMeters * delta ** 3) / Math.sqrt(27) / (1 - delta) + fourth : fourth;
}
