/**
 * How backprojection is divided: image tiles times pulse sets, the dual partitioning first done for a Tesla C1060 (2009;
 * sections are of that paper). This file has its four costs in memory traffic (IV) and the on-chip window that a tile needs. `choose.ts`
 * chooses by them.
 *
 * P pulses, R bins that a pulse needs for the whole image, N² pixels, S pulse sets, K the edge of a tile in pixels. A word
 * is a complex sample or pixel in float32, 8 bytes. Images that are not square count as N = √(nx·ny).
 *
 * The two lemmas of the paper (III) on the bins that pulses need for squares are about a plane wave in the plane of the image. In space
 * they
 * hold for pulses of one grazing angle and a scene that is small against the range: steep pulses need fewer bins than √2
 * allows. Windows are sized by bounds that always hold: |R(x) − R(y)| ≤ |x − y|, and for a pulse the mean value theorem, R(x) − R(y) = u·(x
 * − y) with u the look
 * direction somewhere between, which differs from that at the image's centre by at most 2D/(2R₀ − D) at distance D.
 */
import { inputError } from "@dechirp/core";
import { checkTile } from "./anchors.ts";
import { boundingSphere, checkGrid, dot, groundNormal, heightAt, type ImageGrid, isFlat, length, type Vec3 } from "./grid.ts";
import { checkProfileGeometry, type ProfileGeometry, pulseCount } from "./profiles.ts";

/** Bytes of a complex sample or pixel in float32. */
export const wordBytes = 8;

/** Global memory traffic of the four partitionings, in words. */
export interface Traffic {
  /** A pixel loaded, a bin loaded and a pixel stored for every pulse and pixel: 3PN² (section IV.1). */
  readonly unpartitioned: number;
  /** Pulse sets with an image each: PR + 2SN² (IV.2). */
  readonly pulseSets: number;
  /** Tiles, all pulses each: PRN/K + N² (IV.3). */
  readonly tiles: number;
  /** Tiles times pulse sets: PRN/K + 2SN² (IV.4). */
  readonly dual: number;
}

/** How pixels and pulses are divided (section IV): `unpartitioned` 1, `pulseSets` 2, `tiles` 3, `dual` 4. */
export type Scheme = keyof Traffic;
export const schemes: readonly Scheme[] = ["unpartitioned", "pulseSets", "tiles", "dual"];

/** Whether the bins of a profile that a tile needs are kept on chip. */
export const hasWindows = (scheme: Scheme): boolean => scheme === "tiles" || scheme === "dual";
/** Whether there may be several pulse sets. */
export const hasSets = (scheme: Scheme): boolean => scheme === "pulseSets" || scheme === "dual";

/** Invocations of a workgroup that has a tile: about eight pixels each, which share what is read of an anchor; `most` is a power of two. */
export const invocationsOf = (tile: number, most: number): number =>
  Math.min(most, mostInvocations, Math.max(32, 2 ** Math.round(Math.log2(tile ** 2 / 8))));

/** More invocations of a workgroup were slower on an H200. */
const mostInvocations = 512;

/** Words that each way of partitioning moves, by the model of the dual partitioning. */
export function trafficWords(shape: {
  readonly pixels: number;
  readonly pulses: number;
  readonly bins: number;
  readonly tile: number;
  readonly sets: number;
}): Traffic {
  const { pixels, pulses, bins, tile, sets } = shape;
  const loads = (pulses * bins * Math.sqrt(pixels)) / tile;
  return {
    unpartitioned: 3 * pulses * pixels,
    pulseSets: pulses * bins + 2 * sets * pixels,
    tiles: loads + pixels,
    dual: loads + 2 * sets * pixels,
  };
}

/** The largest difference of heights within one tile. */
export function reliefOfTiles(grid: ImageGrid, tile: number): number {
  let relief = 0;
  for (let y = 0; y < grid.ny; y += tile) {
    for (let x = 0; x < grid.nx; x += tile) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let iy = y; iy < Math.min(y + tile, grid.ny); iy++) {
        for (let ix = x; ix < Math.min(x + tile, grid.nx); ix++) {
          const height = heightAt(grid, ix, iy);
          low = Math.min(low, height);
          high = Math.max(high, height);
        }
      }
      relief = Math.max(relief, high - low);
    }
  }
  return relief;
}

/** The longest distance between two points that are `steps` pixels apart along each axis and `relief` in height. */
export function diagonalMeters(grid: ImageGrid, steps: number, relief: number): number {
  if (grid.kind === "polar") {
    const far = grid.firstRangeMeters + (grid.nx + steps) * grid.rangeStepMeters;
    return Math.hypot(steps * grid.rangeStepMeters, far * steps * grid.azimuthStepRadians, relief);
  }
  const { xStepMeters: ex, yStepMeters: ey } = grid;
  return Math.hypot(steps * Math.sqrt(dot(ex, ex) + 2 * Math.abs(dot(ex, ey)) + dot(ey, ey)), relief);
}

/** Bound of |R(x) − R(y)| for points of one tile at most `steps` pixels apart along each axis, over a run of pulses. */
export function differenceMeters(
  { positions }: Pick<ProfileGeometry, "positions">,
  grid: ImageGrid,
  tile: number,
  steps: number,
  [first, count]: readonly [first: number, count: number],
): number {
  const relief = isFlat(grid) ? 0 : reliefOfTiles(grid, tile);
  const diagonal = diagonalMeters(grid, steps, relief);
  if (grid.kind === "polar") return diagonal;
  const { centre, radius } = boundingSphere(grid);
  const reach = radius + diagonalMeters(grid, tile, relief); // tiles may reach beyond the image
  const normal = groundNormal(grid);
  let most = 0;
  for (let p = first; p < first + count; p++) {
    const look: Vec3 = [centre[0] - positions[3 * p], centre[1] - positions[3 * p + 1], centre[2] - positions[3 * p + 2]];
    const range = length(look);
    if (!(range > reach)) return diagonal;
    const along = Math.abs(dot(look, grid.xStepMeters)) + Math.abs(dot(look, grid.yStepMeters));
    const straight = (steps * along + relief * Math.abs(dot(look, normal))) / range;
    most = Math.max(most, straight + ((2 * reach) / (2 * range - reach)) * diagonal);
  }
  return Math.min(most, diagonal);
}

/** The bins of a profile that a workgroup keeps on chip: `bins` of them, starting `before` bins before the bin of the anchor. */
export interface TileWindow {
  readonly bins: number;
  readonly before: number;
}

/** Bins by which float32 may misplace a pixel within a tile, with a wide margin. */
const slackBins = 1 / 32;

/**
 * A window that holds all taps of all pixels of any tile, for every pulse: from the bin of the anchor plus a fraction in [0, 1),
 * at most `reach` bins to either side. Throws `input`.
 */
export function tileWindow(profiles: ProfileGeometry, grid: ImageGrid, tile: number, taps = 2): TileWindow {
  checkProfileGeometry(profiles);
  checkGrid(grid);
  checkTile(tile);
  if (!Number.isInteger(taps) || taps < 2 || taps > 32 || taps % 2 !== 0) throw inputError("taps", "an even integer from 2 to 32", taps);
  const most = differenceMeters(profiles, grid, tile, tile / 2, [0, pulseCount(profiles)]);
  const reach = Math.ceil(most / profiles.binMeters + slackBins);
  return { bins: 2 * reach + taps, before: reach + taps / 2 - 1 };
}
