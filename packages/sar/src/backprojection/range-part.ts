/**
 * The part of range profiles that a window of an image reads. A sphere around the window bounds its ranges, from any place of the platform, so
 * that the part has the same length for every pulse and for every window of a shape; only where it begins differs. It has all parabolas that a
 * pixel reads, and those that the kernel asks for when it looks whether a tile is inside a profile, so that the image has the bits that it has
 * from whole profiles.
 */
import { anchorErrorMeters } from "./anchors.ts";
import { shortestRangeMeters } from "./blocks.ts";
import { boundingSphere, heightSpan, length } from "./grid.ts";
import { type Extent, type GridWindow, wholeImage } from "./grid-window.ts";
import { diagonalMeters } from "./partition.ts";
import type { PreparedBackprojection } from "./prepare.ts";

/** A part longer than this share of a profile saves nothing: the whole profile is taken. */
const mostShare = 0.9;
/** Bins beyond those of the sphere to either side: for float32, for rounding to the nearest bin, and for what the kernel adds to its bounds. */
const slackBins = 4;

/** The parts of the profiles that windows of an image read. */
export interface RangeParts {
  /**
   * How many parabolas of a pulse a window of a shape needs. Undefined if all are taken: if the kernel does not read parabolas, if the window needs
   * most of them, or if the option `rangeParts` says so.
   */
  curvesOf(shape: Extent): number | undefined;
  /** By pulse of a block, from `first` on, the first of `kept` parabolas that a window needs. */
  firstsOf(window: GridWindow, kept: number, pulses: readonly [first: number, count: number]): Uint32Array;
}

/** The parts of images that were prepared: finding them takes a look at every pulse and height, and searches for a window ask again and again. */
const known = new WeakMap<PreparedBackprojection, RangeParts>();

/** Finds the parts for an image. */
export function rangePartsOf(prepared: PreparedBackprojection): RangeParts {
  const parts = known.get(prepared) ?? createRangeParts(prepared);
  known.set(prepared, parts);
  return parts;
}

function createRangeParts(prepared: PreparedBackprojection): RangeParts {
  const { grid, profiles, shape, rangeParts } = prepared;
  const { positions, referenceRangeMeters, firstRangeMeters, binMeters } = profiles;
  const { curves = 0, tile, pulses } = shape;
  const isPartial = rangeParts && curves > 0;
  const [low, high] = isPartial ? heightSpan(grid, wholeImage(grid)) : [0, 0];
  const relief = high - low;
  const margin = isPartial ? marginBins(prepared, relief) : Number.POSITIVE_INFINITY;
  /** Pixels of a window whose last tiles are whole. */
  const whole = ({ nx, ny }: Extent): Extent => ({ nx: Math.ceil(nx / tile) * tile, ny: Math.ceil(ny / tile) * tile });
  /** Bins from the middle of a window of a shape to the end of what it needs. */
  const reach = (window: Extent): number => {
    const { nx, ny } = whole(window);
    // Polar grids are widest at their end.
    const { radius } = boundingSphere({ ...grid, heightMeters: 0 }, { ix: Math.max(0, whole(grid).nx - nx), iy: 0, nx, ny });
    return Math.hypot(radius, relief / 2) / binMeters + margin;
  };
  return {
    curvesOf(window) {
      const kept = 2 * Math.ceil(reach(window)) + 2;
      return kept <= mostShare * curves ? kept : undefined;
    },
    firstsOf(window, kept, [first, count]) {
      const { centre } = boundingSphere(grid, { ...window, ...whole(window) });
      const [before, most] = [reach(window), curves - kept];
      const firsts = new Uint32Array(pulses);
      for (let p = first; p < first + count; p++) {
        const away = Math.hypot(positions[3 * p] - centre[0], positions[3 * p + 1] - centre[1], positions[3 * p + 2] - centre[2]);
        const bin = Math.floor((away - referenceRangeMeters[p] - firstRangeMeters) / binMeters - before);
        firsts[p - first] = Math.max(0, Math.min(most, bin));
      }
      return firsts;
    },
  };
}

/**
 * Bins to either side by which what the kernel asks for may exceed the sphere, or infinity if the platform comes too near: the errors of its
 * expansions, and with anchors of blocks the quadratic terms of a tile, which its bound of ranges adds in both directions: at most
 * s²/(2R)·(1 + s/R), with s half the edges of a tile.
 */
function marginBins({ grid, profiles, shape: { tile, blockTiles, order } }: PreparedBackprojection, relief: number): number {
  const half = diagonalMeters(grid, tile / 2, relief);
  // Tiles may reach beyond the image.
  const range = shortestRangeMeters(profiles, grid) - 2 * half;
  if (!(range > 2 * half)) return Number.POSITIVE_INFINITY;
  let meters = anchorErrorMeters(half, range, order);
  if (blockTiles > 0 && grid.kind === "ground") {
    const s = ((length(grid.xStepMeters) + length(grid.yStepMeters)) * tile) / 2;
    meters += (2 * s * s) / range + anchorErrorMeters(diagonalMeters(grid, Math.floor(blockTiles / 2) * tile, 0), range, 3);
  }
  return slackBins + Math.ceil(meters / profiles.binMeters);
}
