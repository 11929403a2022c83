/** Precision of the anchored ranges in emulated float32: error bounds, and whole tiles against the float64 reference. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { blockAnchor, tileAnchor } from "../src/backprojection/anchor-words.ts";
import { anchorErrorMeters, anchorPixel, tileAnchors, tileOffsets, tilesAlong } from "../src/backprojection/anchors.ts";
import { blockAnchors, blockErrorCycles, chooseBlockTiles } from "../src/backprojection/blocks.ts";
import { type ImageGrid, type PolarGrid, pixelPosition } from "../src/backprojection/grid.ts";
import { compressProfiles, cyclesPerMeter, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import {
  anchored,
  anchoredRange,
  blockTileAnchor,
  type Emulation,
  lattice,
  naive,
  tilesBy,
  tilesByReference,
} from "./backprojection-emulation.ts";
import { scenes } from "./backprojection-scenes.ts";
import { refused } from "./refused.ts";

const single = 2 ** -24;

describe("the range within a tile", () => {
  it("has an error within its bound, and close to it", () => {
    const random = createRandom(3);
    for (const order of [2, 3] as const) {
      let closest = 0;
      for (let trial = 0; trial < 4000; trial++) {
        const range = 1000 * 10 ** (3 * random.uniform());
        const offset = range * 10 ** (-1 - 2.5 * random.uniform());
        const angle = Math.PI * random.uniform();
        const p = offset * Math.cos(angle);
        const across = offset * Math.sin(angle);
        const w = across ** 2 / (2 * range);
        const taken = order === 2 ? w : w * (1 - p / range);
        // √((R + p)² + a²) − R − p without cancellation.
        const exact = across ** 2 / (Math.hypot(range + p, across) + range + p);
        const error = Math.abs(exact - taken) - 4 * 2 ** -53 * w;
        const bound = anchorErrorMeters(offset, range, order);
        expect(error).toBeLessThanOrEqual(bound);
        closest = Math.max(closest, error / bound);
      }
      expect(closest).toBeGreaterThan(0.9);
    }
    expect(anchorErrorMeters(2, 2, 2)).toBe(Number.POSITIVE_INFINITY);
  });

  it("is rounded by at most seven units of float32 of the offset", () => {
    const random = createRandom(5);
    const { grid, history } = scenes.airborne;
    const profiles = compressProfiles(history(), { bins: 4096 });
    const tile = 64;
    const [tilesX] = tilesAlong(grid, tile);
    for (const index of [0, 11, 63]) {
      const { floats } = tileAnchors(profiles, grid, tile, { tiles: [index, 1] });
      const [tx, ty] = [index % tilesX, Math.floor(index / tilesX)];
      const offsets = tileOffsets(grid, tile, tx, ty);
      const [ax, ay] = anchorPixel(tile, tx, ty);
      const range = (p: number, ix: number, iy: number): number => {
        const x = pixelPosition(grid, ix, iy);
        return Math.hypot(...x.map((value, axis) => value - profiles.positions[3 * p + axis]));
      };
      for (let trial = 0; trial < 500; trial++) {
        const [i, j] = [Math.floor(tile * random.uniform()), Math.floor(tile * random.uniform())];
        const p = Math.floor(59 * random.uniform());
        const at = 4 * (j * tile + i);
        const exact = range(p, ax + i - tile / 2, ay + j - tile / 2) - range(p, ax, ay);
        const length = Math.sqrt(offsets[at + 3]);
        // u, d and three products each rounded (3 + 2 units of |d|), the last sum one; W and its terms stay within one more.
        const allowed = anchorErrorMeters(length * (1 + single), 9000, 3) + 7 * single * length + 4e-12;
        expect(Math.abs(anchoredRange(floats, tileAnchor.count * p, offsets, at, 3) - exact)).toBeLessThanOrEqual(allowed);
      }
    }
  });
});

/** Corners, where blocks and images end, and the middle. */
const tiles = [
  [0, 0],
  [15, 7],
  [8, 9],
] as const;

function measure(
  profiles: RangeProfiles,
  grid: ImageGrid,
  tile: number,
  which: typeof tiles | readonly (readonly [number, number])[] = tiles,
) {
  const reference = tilesByReference(profiles, grid, tile, which);
  return (emulation: Emulation): number => signalToErrorDb(tilesBy(profiles, grid, tile, which, emulation), reference);
}

describe("tiles of 32 pixels in float32", () => {
  it("keep 80 dB from the air, 90 with blocks; without anchors the phase is lost", () => {
    const profiles = compressProfiles(scenes.airborne.history(), { bins: 4096 });
    const { grid } = scenes.airborne;
    const ser = measure(profiles, grid, 32);
    expect(chooseBlockTiles(profiles, grid, 32)).toBe(8);
    expect(ser(naive)).toBeLessThan(20);
    expect(ser(anchored(2))).toBeGreaterThan(80);
    expect(ser(anchored(3))).toBeGreaterThan(80);
    expect(ser(lattice(2, 8))).toBeGreaterThan(90);
    expect(ser(lattice(3, 4))).toBeGreaterThan(100);
  });

  it("keep 80 dB from orbit, 100 with blocks; without anchors there is noise", () => {
    const profiles = compressProfiles(scenes.spaceborne.history(), { bins: 4096 });
    const { grid } = scenes.spaceborne;
    const ser = measure(profiles, grid, 32);
    expect(ser(naive)).toBeLessThan(3);
    expect(ser(anchored(2))).toBeGreaterThan(80);
    expect(ser(lattice(2, 8))).toBeGreaterThan(100);
  });

  it("keep 80 dB on terrain and on polar grids", () => {
    const profiles = compressProfiles(scenes.airborne.history(), { bins: 4096 });
    const heightMeters = Float64Array.from({ length: 96 * 96 }, (_, i) => Math.sin(i % 96) + 0.05 * i ** 0.5);
    const terrain: ImageGrid = { ...scenes.airborne.grid, nx: 96, ny: 96, heightMeters };
    const polar: PolarGrid = {
      kind: "polar",
      nx: 96,
      ny: 96,
      centreMeters: [300, 0, 0],
      firstRangeMeters: 260,
      rangeStepMeters: 0.25,
      firstAzimuthRadians: Math.PI - 0.05,
      azimuthStepRadians: 0.0008,
    };
    const which = [
      [0, 2],
      [1, 1],
    ] as const;
    for (const grid of [terrain, polar]) expect(measure(profiles, grid, 32, which)(anchored(2))).toBeGreaterThan(80);
  });
});

describe("anchors of a block", () => {
  const profiles = compressProfiles(scenes.airborne.history(), { bins: 4096 });
  const { grid } = scenes.airborne;
  const tile = 32;
  const blockTiles = 8;
  const blocks = blockAnchors(profiles, grid, tile, { blockTiles, pulses: [7, 20] });

  it("are those of its tiles, within the bounds", () => {
    const [tilesX, tilesY] = tilesAlong(grid, tile);
    const direct = tileAnchors(profiles, grid, tile, { pulses: [7, 20] });
    const perBin = cyclesPerMeter(profiles) * profiles.binMeters;
    const truncation = blockErrorCycles(profiles, grid, tile, blockTiles);
    expect(truncation).toBeLessThan(2 ** -16);
    const cyclic = (x: number): number => Math.abs(x - Math.round(x));
    for (let index = 0; index < tilesX * tilesY; index += 5) {
      const [tx, ty] = [index % tilesX, Math.floor(index / tilesX)];
      const block = Math.floor(ty / blockTiles) * blocks.blocksX + Math.floor(tx / blockTiles);
      const [i, j] = [(tx % blockTiles) - 4, (ty % blockTiles) - 4];
      for (let p = 0; p < 20; p += 3) {
        const at = (block * 20 + p) * blockAnchor.count;
        const anchor = blockTileAnchor(blocks, at, i, j);
        const to = (index * 20 + p) * tileAnchor.count;
        const u = direct.floats.subarray(to + 3, to + 6);
        // Ten coefficients of half a unit of 2⁻³² times I^k·J^l ≤ 64 each; two phases in float32.
        expect(cyclic(anchor.cycles - direct.floats[to + 2])).toBeLessThan(truncation + 320 * 2 ** -32 + 2 * single);
        // Places in float32: block coordinates reach 128 · 2 pixels of 5.4 bins; eight roundings.
        const place = anchor.bin - direct.ints[to] + anchor.fraction - direct.floats[to + 1];
        expect(Math.abs(place)).toBeLessThan(8 * single * 256 * 6 + truncation / perBin);
        // Slopes are u·step; u in float32, and the third derivative left out: 4·error/distance is a wide bound of it.
        for (const [u1, bins, cycles] of [
          [u[0], anchor.binsX, anchor.cyclesX],
          [u[1], anchor.binsY, anchor.cyclesY],
        ]) {
          const slope = (0.2 * u1) / profiles.binMeters;
          expect(Math.abs(bins - slope)).toBeLessThan(8 * single * 8 + (4 * truncation) / perBin / 32);
          expect(cyclic(cycles - slope * perBin)).toBeLessThan(2 * single * 14 + (4 * truncation) / 32);
        }
        const h = profiles.binMeters * direct.floats[to + 6];
        expect(Math.abs(anchor.h / h - 1)).toBeLessThan(2 * (36 / 9000) ** 2 + 4 * single);
      }
    }
  });

  it("take 1.75 bytes a tile and pulse, eighteen times less than anchors of tiles", () => {
    expect(blocks.ints.byteLength / (256 * 20)).toBe(1.75);
    expect(tileAnchors(profiles, grid, tile, { pulses: [0, 2] }).ints.byteLength / (256 * 2)).toBe(32);
  });

  it("are refused for grids whose tiles differ, and by field", () => {
    expect(refused(() => blockAnchors(profiles, { ...grid, heightMeters: new Float32Array(512 * 512) }, 32))).toBe("grid");
    expect(refused(() => blockAnchors(profiles, grid, 31))).toBe("tile");
    expect(refused(() => blockAnchors(profiles, grid, 32, { blockTiles: 0 }))).toBe("blockTiles");
    expect(refused(() => blockAnchors(profiles, grid, 32, { pulses: [0, 60] }))).toBe("pulses[1]");
    expect(refused(() => tileAnchors(profiles, grid, 32, { tiles: [250, 10] }))).toBe("tiles");
    expect(refused(() => tileAnchors({ ...profiles, binMeters: 0 }, grid, 32))).toBe("profiles.binMeters");
  });
});
