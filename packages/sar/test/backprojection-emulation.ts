/**
 * Backprojection of single tiles in emulated float32, as a device would compute it: every operation rounded by itself, but for the fused products and sums at
 * the end; and by the reference.
 */
import { blockAnchor } from "../src/backprojection/anchor-words.ts";
import { type AnchorOrder, tileAnchors, tileOffsets, tilesAlong } from "../src/backprojection/anchors.ts";
import { anchorOfBlock, type BlockAnchors, blockAnchors, stepSquares, type TileAnchor } from "../src/backprojection/blocks.ts";
import { type GroundGrid, type ImageGrid, isFlat, pixelPosition } from "../src/backprojection/grid.ts";
import { cyclesPerMeter, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";

const f = Math.fround;

/** W, or W(1 − t), of p, q and 1/(2R₀), with the names of anchors.ts. */
function crossRange(p: number, q: number, half: number, order: AnchorOrder): number {
  const w = f(f(q - f(p * p)) * half);
  return order === 2 ? w : f(w - f(w * f(f(2 * half) * p)));
}

/**
 * Range of a pixel beyond its anchor's, |x₀ + d − A| − R₀ in metres. `anchor` are the words of an anchor from `at` on, `offset` those of
 * `tileOffsets` from `to` on.
 */
export function anchoredRange(anchor: Float32Array, at: number, offset: ArrayLike<number>, to: number, order: AnchorOrder): number {
  const p = f(f(f(anchor[at + 3] * offset[to]) + f(anchor[at + 4] * offset[to + 1])) + f(anchor[at + 5] * offset[to + 2]));
  return f(p + crossRange(p, offset[to + 3], anchor[at + 6], order));
}

/** The anchor of tile (I, J) of a block; `at` is the first word of block and pulse, (block·pulses + pulse)·28. */
export function blockTileAnchor(blocks: BlockAnchors, at: number, i: number, j: number): TileAnchor {
  const [xx, xy, yy] = blocks.squares.map(f);
  return anchorOfBlock(blocks, [xx, xy, yy], blocks.tile, at, i, j, f);
}

/** Q of the pixels of a tile in bins², rounded once: [tile][tile], the anchor's pixel in the middle, rounded up. */
function tileSquares(grid: GroundGrid, tile: number, binMeters: number): Float32Array {
  const [xx, xy, yy] = stepSquares(grid, binMeters);
  return Float32Array.from({ length: tile * tile }, (_, at) => {
    const [i, j] = [(at % tile) - tile / 2, Math.floor(at / tile) - tile / 2];
    return xx * i * i + 2 * xy * i * j + yy * j * j;
  });
}

/** Where pixel (i, j) from a tile's anchor reads the profile, in bins above the anchor's bin, and the cycles of its phase factor. */
function latticePoint(
  { fraction, cycles, cyclesX, cyclesY, binsX, binsY, h }: TileAnchor,
  [i, j, q]: readonly [i: number, j: number, q: number],
  cyclesPerBin: number,
  order: AnchorOrder,
): readonly [place: number, cycles: number] {
  const p = f(f(binsX * i) + f(binsY * j));
  const w = crossRange(p, q, h, order);
  const linear = f(f(cycles + f(cyclesX * i)) + f(cyclesY * j));
  return [f(fraction + f(p + w)), f(linear + f(f(cyclesPerBin) * w))];
}

/** A pixel's sum over pulses in float32: bins and cycles come from `place`, the sine is good to the last place. */
function accumulate(
  profiles: RangeProfiles,
  place: (p: number) => readonly [bin: number, fraction: number, cycles: number],
): [number, number] {
  const { samples, bins } = profiles;
  let re = 0;
  let im = 0;
  for (let p = 0; p < pulseCount(profiles); p++) {
    const [bin, mu, cycles] = place(p);
    if (!(bin >= 0 && bin + 1 < bins)) continue;
    const at = 2 * (p * bins + bin);
    const part = (i: number): number => f(samples[i] + f(mu * f(samples[i + 2] - samples[i])));
    const [a, b] = [part(at), part(at + 1)];
    const angle = 2 * Math.PI * f(cycles - Math.round(cycles));
    const [c, s] = [f(Math.cos(angle)), f(Math.sin(angle))];
    re = f(f(re + a * c) - b * s);
    im = f(f(im + b * c) + a * s);
  }
  return [re, im];
}

/** Places and cycles of pixel (i, j) of a tile (offsets from the tile's first pixel) and a pulse. */
type Placer = (p: number, i: number, j: number) => readonly [bin: number, fraction: number, cycles: number];

export type Emulation = (profiles: RangeProfiles, grid: ImageGrid, tile: number, tx: number, ty: number) => Placer;

export const anchored =
  (order: AnchorOrder): Emulation =>
  (profiles, grid, tile, tx, ty) => {
    const index = ty * tilesAlong(grid, tile)[0] + tx;
    const { ints, floats } = tileAnchors(profiles, grid, tile, { tiles: [index, 1] });
    const offsets = tileOffsets(grid, tile, tx, ty);
    const perBin = f(1 / profiles.binMeters);
    const turns = f(cyclesPerMeter(profiles));
    return (p, i, j) => {
      const range = anchoredRange(floats, 8 * p, offsets, 4 * (j * tile + i), order);
      const place = f(floats[8 * p + 1] + f(range * perBin));
      const bin = Math.floor(place);
      return [ints[8 * p] + bin, f(place - bin), f(floats[8 * p + 2] + f(range * turns))];
    };
  };

export const lattice =
  (order: AnchorOrder, blockTiles: number): Emulation =>
  (profiles, grid, tile, tx, ty) => {
    const blocks = blockAnchors(profiles, grid, tile, { blockTiles });
    const block = Math.floor(ty / blockTiles) * blocks.blocksX + Math.floor(tx / blockTiles);
    const half = Math.floor(blockTiles / 2);
    const anchors = Array.from({ length: blocks.pulses }, (_, p) =>
      blockTileAnchor(blocks, (block * blocks.pulses + p) * blockAnchor.count, (tx % blockTiles) - half, (ty % blockTiles) - half),
    );
    const squares = tileSquares(grid as GroundGrid, tile, profiles.binMeters);
    return (p, i, j) => {
      const [place, cycles] = latticePoint(anchors[p], [i - tile / 2, j - tile / 2, squares[j * tile + i]], blocks.cyclesPerBin, order);
      const bin = Math.floor(place);
      return [anchors[p].bin + bin, f(place - bin), cycles];
    };
  };

/** Float32 without anchors: positions, differences, root and phase are all rounded to it. */
export const naive: Emulation = (profiles, grid, tile, tx, ty) => {
  const { positions, referenceRangeMeters, firstRangeMeters, binMeters } = profiles;
  const turns = f(2 * Math.PI * cyclesPerMeter(profiles));
  return (p, i, j) => {
    const x = pixelPosition(grid, tx * tile + i, ty * tile + j).map(f);
    const [dx, dy, dz] = x.map((value, axis) => f(f(positions[3 * p + axis]) - value));
    const range = f(f(Math.sqrt(f(f(f(dx * dx) + f(dy * dy)) + f(dz * dz)))) - f(referenceRangeMeters[p]));
    const place = f(f(range - f(firstRangeMeters)) / f(binMeters));
    const bin = Math.floor(place);
    return [bin, f(place - bin), f(range * turns) / (2 * Math.PI)];
  };
};

/** Pixels of the listed tiles, one after another, by emulation and by the float64 reference. */
export function tilesBy(
  profiles: RangeProfiles,
  grid: ImageGrid,
  tile: number,
  tiles: readonly (readonly [tx: number, ty: number])[],
  emulation: Emulation,
): Float64Array {
  const out = new Float64Array(2 * tile * tile * tiles.length);
  tiles.forEach(([tx, ty], t) => {
    const place = emulation(profiles, grid, tile, tx, ty);
    for (let j = 0; j < tile; j++) {
      for (let i = 0; i < tile; i++)
        out.set(
          accumulate(profiles, (p) => place(p, i, j)),
          2 * (t * tile * tile + j * tile + i),
        );
    }
  });
  return out;
}

export function tilesByReference(
  profiles: RangeProfiles,
  grid: ImageGrid,
  tile: number,
  tiles: readonly (readonly [tx: number, ty: number])[],
): Float64Array {
  const out = new Float64Array(2 * tile * tile * tiles.length);
  tiles.forEach(([tx, ty], t) =>
    out.set(backprojectReference(profiles, window(grid, tx * tile, ty * tile, tile), { interpolation: "linear" }), 2 * t * tile * tile),
  );
  return out;
}

/** The part of a grid that begins at pixel (x, y). */
function window(grid: ImageGrid, x: number, y: number, n: number): ImageGrid {
  const { nx, heightMeters = 0 } = grid;
  const heights = isFlat(grid)
    ? heightMeters
    : Float64Array.from({ length: n * n }, (_, at) => (heightMeters as Float64Array)[(y + Math.floor(at / n)) * nx + x + (at % n)]);
  if (grid.kind === "polar") {
    return {
      ...grid,
      nx: n,
      ny: n,
      heightMeters: heights,
      firstRangeMeters: grid.firstRangeMeters + x * grid.rangeStepMeters,
      firstAzimuthRadians: grid.firstAzimuthRadians + y * grid.azimuthStepRadians,
    };
  }
  const { originMeters, xStepMeters, yStepMeters } = grid;
  const at = (axis: 0 | 1 | 2): number => originMeters[axis] + x * xStepMeters[axis] + y * yStepMeters[axis];
  return { ...grid, nx: n, ny: n, heightMeters: heights, originMeters: [at(0), at(1), at(2)] };
}
