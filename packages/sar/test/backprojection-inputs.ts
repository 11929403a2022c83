/** The arrays and uniforms that a backprojection kernel runs on, for profiles and a grid, as `backprojectionKernel` describes them. */
import { ArrayView, type Layout, type TypedArrayOf, type Uniforms } from "@dechirp/core";
import { tileAnchors, tileOffsets, tilesAlong } from "../src/backprojection/anchors.ts";
import { blockAnchors, stepSquares } from "../src/backprojection/blocks.ts";
import { curvesKernel } from "../src/backprojection/curves.ts";
import type { GroundGrid, ImageGrid } from "../src/backprojection/grid.ts";
import { tileWindow } from "../src/backprojection/partition.ts";
import { cyclesPerMeter, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { type BackprojectionShape, sineTable } from "../src/backprojection/shape.ts";

export type Arrays = Readonly<Record<string, TypedArrayOf | ArrayView>>;

export function shapeOf(profiles: RangeProfiles, grid: ImageGrid, options: Partial<BackprojectionShape> = {}): BackprojectionShape {
  const { tile = 32, taps } = options;
  return {
    nx: grid.nx,
    ny: grid.ny,
    pulses: pulseCount(profiles),
    bins: profiles.bins,
    scheme: (options.sets ?? 1) > 1 ? "dual" : "tiles",
    sets: 1,
    blockTiles: 8,
    order: 2,
    window: tileWindow(profiles, grid, tile, taps?.taps),
    sine: "polynomial",
    ...options,
    tile,
  };
}

/** Arrays of all ports that are read. */
export function inputsOf(profiles: RangeProfiles, grid: ImageGrid, shape: BackprojectionShape): Record<string, TypedArrayOf> {
  const { tile, blockTiles, taps, curves, sine } = shape;
  const [tilesX, tilesY] = tilesAlong(grid, tile);
  const offsets = (): Float32Array => {
    const all = new Float32Array(tilesX * tilesY * tile * tile * 4);
    for (let i = 0; i < tilesX * tilesY; i++) all.set(tileOffsets(grid, tile, i % tilesX, Math.floor(i / tilesX)), i * tile * tile * 4);
    return all;
  };
  const { ints } = blockTiles > 0 ? blockAnchors(profiles, grid, tile, { blockTiles }) : tileAnchors(profiles, grid, tile);
  return {
    ...(curves ? { curves: curvesByReference(profiles, curves) } : { profiles: Float32Array.from(profiles.samples) }),
    anchors: new Uint32Array(ints.buffer),
    ...(blockTiles === 0 && { offsets: offsets() }),
    ...(taps && { taps: Float32Array.from(taps.table) }),
    ...(sine === "table" && { sines: sineTable() }),
  };
}

export function uniformsOf(profiles: RangeProfiles, grid: ImageGrid, shape: BackprojectionShape, count = shape.pulses): Uniforms {
  const { binMeters } = profiles;
  if (shape.blockTiles === 0) return { count, binsPerMeter: 1 / binMeters, cyclesPerMeter: cyclesPerMeter(profiles) };
  const [squareXX, squareXY, squareYY] = stepSquares(grid as GroundGrid, binMeters);
  return { count, squareXX, squareXY, squareYY, cyclesPerBin: cyclesPerMeter(profiles) * binMeters };
}

/** The parabolas that the kernel makes, computed by its reference. */
export function curvesByReference(profiles: RangeProfiles, curves: number): Float32Array {
  const pulses = pulseCount(profiles);
  const kernel = curvesKernel({ pulses, bins: profiles.bins, curves });
  const out = new Float32Array(4 * pulses * curves);
  const view = (name: string, values: TypedArrayOf): ArrayView => new ArrayView(kernel.ports[name].layout as Layout, values);
  const ports = { profiles: view("profiles", Float32Array.from(profiles.samples)), curves: view("curves", out) };
  kernel.reference(ports, {}, 0, kernel.items);
  return out;
}
