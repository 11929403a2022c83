/**
 * The shape of backprojection of a block of pulses: how it is divided, read and turned, and the arrays that follow from it.
 * Data, shared by the kernel's forms (kernel.ts, kernel-wgsl.ts, wasm/backprojection.ts) and by the programs around it.
 */
import type { Layout, Ports, UniformTypes } from "@dechirp/core";
import type { InterpolatorTable } from "../interpolation.ts";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import { type AnchorOrder, tilesAlong } from "./anchors.ts";
import type { Scheme, TileWindow } from "./partition.ts";

/**
 * Where sine and cosine of the carrier phase come from. `polynomial`: the same on every device, to 8e-7. `native`: the
 * device's own after reduction to half a cycle; WGSL promises 2⁻¹¹ of it. `table`: the nearest of 1024 angles (the paper,
 * section V).
 */
export type SineSource = "polynomial" | "native" | "table";

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
  /** Pulse sets side by side; 1 where the scheme has none. */
  readonly sets: number;
  /** Anchors of blocks of tiles (blocks.ts) with so many tiles along an edge, or of every tile (anchors.ts) where it is 0. */
  readonly blockTiles: number;
  readonly order: AnchorOrder;
  /** The bins that a tile needs of a pulse. */
  readonly window: TileWindow;
  /** Whether pixels beside each other read bins several apart. */
  readonly scattered?: boolean;
  /** Interpolation between bins; linear where left out, and where there are `curves`. */
  readonly taps?: InterpolatorTable;
  /** Parabolas of a pulse, where the kernel reads these (quadratic.ts) in place of bins. */
  readonly curves?: number;
  readonly sine: SineSource;
  /** Invocations of a workgroup on a GPU, a power of two; chosen where left out. */
  readonly invocations?: number;
  /** Workgroup memory for windows at most; chosen where left out, 0 for none. */
  readonly windowBytes?: number;
}

/**
 * Given with every run. `count`: pulses of the block that are there, from the first on. With anchors of blocks: products
 * of the pixel steps in bins² and the carrier's cycles a bin; with anchors of tiles bins and cycles a metre.
 */
const latticeUniforms = { count: "u32", squareXX: "f32", squareXY: "f32", squareYY: "f32", cyclesPerBin: "f32" } as const;
const tileUniforms = { count: "u32", binsPerMeter: "f32", cyclesPerMeter: "f32" } as const;

export const kernelUniforms = ({ blockTiles }: Pick<BackprojectionShape, "blockTiles">): UniformTypes =>
  blockTiles > 0 ? latticeUniforms : tileUniforms;

export const tilesOf = (shape: BackprojectionShape): readonly [x: number, y: number] => tilesAlong(shape, shape.tile);

/** Blocks of tiles, along x and y. */
export const blocksOf = (shape: BackprojectionShape): readonly [x: number, y: number] => {
  const [x, y] = tilesOf(shape);
  return [Math.ceil(x / shape.blockTiles), Math.ceil(y / shape.blockTiles)];
};

/** Whether every pixel has an image of its own for each pulse set. */
export const hasPartials = ({ sets }: Pick<BackprojectionShape, "sets">): boolean => sets > 1;

/**
 * Ports: `profiles` c64 [pulses][bins], or `curves` c64 [pulses][curves][2] (`curvesKernel`); `anchors` u32 [block][pulses][28] (`BlockAnchors`) or [tile][pulses][8] (`Anchors`), with
 * the latter `offsets` f32 [tile][tile][tile][4] (`tileOffsets` of every tile); `taps` f32 [phases + 1][taps] where not linear;
 * `sines` c64 [1024] where from the table; `image` c64 [ny][nx], added to, or `partials` c64 [sets][ny][nx], written, where there are
 * pulse sets.
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
