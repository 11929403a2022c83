/**
 * The shape of backprojection of a block of pulses: how it is divided, how profiles are read, where sines come from, and the arrays that
 * follow.
 * Data that the forms of the kernel (kernel.ts, kernel-wgsl.ts, wasm/backprojection.ts) and the programs around it share.
 */
import type { Layout, Ports, UniformTypes } from "@dechirp/core";
import type { InterpolatorTable } from "@dechirp/radar/interpolation";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import { type AnchorOrder, tilesAlong } from "./anchors.ts";
import type { Scheme, TileWindow } from "./partition.ts";

/**
 * Where sine and cosine of the carrier phase come from. `accurate`: those of the device if they are measured to err by at most 10⁻⁶ there, otherwise
 * the polynomial. `polynomial`: the same on every device, to 8·10⁻⁷. `native`: those of the device after reduction to half a cycle, whatever their error;
 * WGSL guarantees 2⁻¹¹. `table`: the nearest of 1024 angles (the paper, section V).
 */
export type SineSource = (typeof sineSources)[number];
export const sineSources = ["accurate", "polynomial", "native", "table"] as const;

/** Angles of the table. */
export const sineEntries = 1024;

/** What the forms of the backprojection kernel share: sizes of the image, tiles and profiles, and how ranges are expanded. */
export interface BackprojectionShape {
  readonly nx: number;
  readonly ny: number;
  /** Edge of a tile in pixels; a multiple of 8. */
  readonly tile: number;
  /** Pulses of a block, and bins of their profiles. */
  readonly pulses: number;
  readonly bins: number;
  readonly scheme: Scheme;
  /** Pulse sets side by side; 1 if the scheme has none. */
  readonly sets: number;
  /** Tiles along the edge of an anchor block (blocks.ts), or 0 if every tile has an anchor of its own (anchors.ts). */
  readonly blockTiles: number;
  readonly order: AnchorOrder;
  /** The bins that a tile needs of a pulse. */
  readonly window: TileWindow;
  /** Whether neighbouring pixels read bins several apart. */
  readonly scattered?: boolean;
  /** Interpolation between bins. Left out for linear interpolation, and if there are `curves`. */
  readonly taps?: InterpolatorTable;
  /** Number of parabolas of a pulse, if the kernel reads these (quadratic.ts) instead of bins. */
  readonly curves?: number;
  readonly sine: SineSource;
  /** Invocations of a workgroup on a GPU, a power of two. Default: chosen. */
  readonly invocations?: number;
  /** Largest workgroup memory for windows; 0 for none. Default: chosen. */
  readonly windowBytes?: number;
}

/**
 * Given with every run. `count`: number of pulses of the block that are there, from the first on. With anchors of blocks: products
 * of the pixel steps in bins² and the carrier's cycles a bin; with anchors of tiles bins and cycles a metre.
 */
const latticeUniforms = { count: "u32", squareXX: "f32", squareXY: "f32", squareYY: "f32", cyclesPerBin: "f32" } as const;
const tileUniforms = { count: "u32", binsPerMeter: "f32", cyclesPerMeter: "f32" } as const;

export const kernelUniforms = ({ blockTiles }: Pick<BackprojectionShape, "blockTiles">): UniformTypes =>
  blockTiles > 0 ? latticeUniforms : tileUniforms;

export const tilesOf = (shape: BackprojectionShape): readonly [x: number, y: number] => tilesAlong(shape, shape.tile);

/** Number of blocks of tiles, along x and y. */
export const blocksOf = (shape: BackprojectionShape): readonly [x: number, y: number] => {
  const [x, y] = tilesOf(shape);
  return [Math.ceil(x / shape.blockTiles), Math.ceil(y / shape.blockTiles)];
};

/** Whether each pulse set has an image of its own. */
export const hasPartials = ({ sets }: Pick<BackprojectionShape, "sets">): boolean => sets > 1;

/**
 * Ports: `profiles` c64 [pulses][bins], or `curves` c64 [pulses][curves][2] (`curvesKernel`); `anchors` u32 [block][pulses][28]
 * (`BlockAnchors`) or [tile][pulses][8] (`Anchors`), with the latter `offsets` f32 [tile][tile][tile][4] (`tileOffsets` of every tile);
 * `taps` f32 [phases + 1][taps] unless linear; `sines` c64 [1024] if sines come from the table; `image` c64 [ny][nx], added to, or, if
 * there
 * are pulse sets, `partials` c64 [sets][ny][nx], written.
 */
export function kernelPorts(shape: BackprojectionShape): Ports {
  const { nx, ny, tile, pulses, bins, blockTiles, sets, taps, curves, sine } = shape;
  const [tilesX, tilesY] = tilesOf(shape);
  const read = (layout: Layout) => ({ access: "read", layout }) as const;
  const [blocksX, blocksY] = blockTiles > 0 ? blocksOf(shape) : [0, 0];
  return {
    ...(curves
      ? { curves: read({ dtype: "c64", shape: [pulses, curves, 2] }) }
      : { profiles: read({ dtype: "c64", shape: [pulses, bins] }) }),
    anchors: read({
      dtype: "u32",
      shape: blockTiles > 0 ? [blocksX * blocksY, pulses, blockAnchor.count] : [tilesX * tilesY, pulses, tileAnchor.count],
    }),
    ...(blockTiles === 0 && { offsets: read({ dtype: "f32", shape: [tilesX * tilesY, tile, tile, 4] }) }),
    ...(taps && { taps: read({ dtype: "f32", shape: [taps.phases + 1, taps.taps] }) }),
    ...(sine === "table" && { sines: read({ dtype: "c64", shape: [sineEntries] }) }),
    ...(hasPartials(shape)
      ? { partials: { access: "write", layout: { dtype: "c64", shape: [sets, ny, nx] } } }
      : { image: { access: "update", layout: { dtype: "c64", shape: [ny, nx] } } }),
  };
}

/** The table of the paper's section V: cosine and sine of 1024 angles, [1024] interleaved. */
export function sineTable(): Float32Array {
  return Float32Array.from({ length: 2 * sineEntries }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / sineEntries;
    return i % 2 === 0 ? Math.cos(angle) : Math.sin(angle);
  });
}
