/** The partition model: the paper's lemmas, spans and windows on random geometries, traffic, and the choice for a device. */
import { isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tilesAlong } from "../src/backprojection/anchors.ts";
import { choosePartition, describePartition, type PartitionLimits, stagedPulses } from "../src/backprojection/choose.ts";
import { type GroundGrid, type ImageGrid, pixelPosition, type Vec3 } from "../src/backprojection/grid.ts";
import { diagonalMeters, differenceMeters, reliefOfTiles, tileWindow, trafficWords } from "../src/backprojection/partition.ts";
import { compressProfiles, type ProfileGeometry } from "../src/backprojection/profiles.ts";
import { anchored, lattice } from "./backprojection-emulation.ts";
import { scenes, squareGrid } from "./backprojection-scenes.ts";

/** A platform at a range from the origin, an azimuth, and an elevation above the ground. */
const platform = (range: number, azimuth: number, elevation: number): Vec3 => [
  range * Math.cos(elevation) * Math.cos(azimuth),
  range * Math.cos(elevation) * Math.sin(azimuth),
  range * Math.sin(elevation),
];

/** The true range differences over the pixels of a tile. */
function trueSpan(position: Vec3, grid: ImageGrid, tile: number, tx: number, ty: number): number {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let iy = ty * tile; iy < Math.min(grid.ny, (ty + 1) * tile); iy++) {
    for (let ix = tx * tile; ix < Math.min(grid.nx, (tx + 1) * tile); ix++) {
      const x = pixelPosition(grid, ix, iy);
      const range = Math.hypot(x[0] - position[0], x[1] - position[1], x[2] - position[2]);
      low = Math.min(low, range);
      high = Math.max(high, range);
    }
  }
  return high - low;
}

/** Bounds of the range differences within any tile: for any pulse from anywhere, and for one from `position`. */
const tileSpan = (grid: ImageGrid, tile: number): number => diagonalMeters(grid, tile - 1, reliefOfTiles(grid, tile));
const pulseSpan = (position: Vec3, grid: ImageGrid, tile: number): number =>
  differenceMeters({ positions: Float64Array.from(position) }, grid, tile, tile - 1, [0, 1]);

/** Lemma 1 of the paper: one pulse needs at most √2 times as many bins for a square as another. Real numbers of bins, not counts. */
const lemmaOneBins = (binsOfOther: number): number => Math.SQRT2 * binsOfOther;

/**
 * Lemma 2: the number of bins that a pulse needs for a square of one edge lies between these, computed from those it needs for another
 * square.
 */
const lemmaTwoBins = (edge: number, otherEdge: number, binsOfOther: number): readonly [least: number, most: number] => [
  ((edge / otherEdge) * binsOfOther) / Math.SQRT2,
  (edge / otherEdge) * binsOfOther * Math.SQRT2,
];

/** From 100 m to an orbit of 2000 km. */
const ranges = fc.double({ min: 2, max: 6.3, noNaN: true }).map((exponent) => 10 ** exponent);
const azimuths = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true });
const elevations = fc.double({ min: 0, max: Math.PI / 2, noNaN: true });

describe("spans of a tile", () => {
  it("never exceed the bounds: for any pulse, and for this one", () => {
    const property = fc.property(
      ranges,
      azimuths,
      elevations,
      fc.constantFrom(8, 16),
      fc.double({ min: 0.05, max: 2, noNaN: true }),
      fc.double({ min: 0, max: 5, noNaN: true }),
      fc.nat(3),
      (range, azimuth, elevation, tile, spacing, relief, which) => {
        const position = platform(range, azimuth, elevation);
        const flat: GroundGrid = { ...squareGrid(30, spacing), yStepMeters: [spacing / 3, 1.2 * spacing, 0] };
        const grid = relief < 2 ? flat : { ...flat, heightMeters: Float64Array.from({ length: 900 }, (_, i) => relief * Math.sin(7 * i)) };
        const [tilesX] = tilesAlong(grid, tile);
        const span = trueSpan(position, grid, tile, which % tilesX, Math.min(1, Math.floor(which / tilesX)));
        const rounding = 4 * 2 ** -53 * range;
        const forPulse = pulseSpan(position, grid, tile);
        expect(span).toBeLessThanOrEqual(forPulse + rounding);
        expect(forPulse).toBeLessThanOrEqual(tileSpan(grid, tile));
      },
    );
    fc.assert(property, { seed: 1, numRuns: 300 });
  });

  it("come within 1 % of the bounds: along the diagonal at grazing incidence, and everywhere far away for the pulse's own", () => {
    const grid = squareGrid(32, 0.5);
    const diagonal = platform(1e6, Math.PI / 4, 0.01);
    expect(trueSpan(diagonal, grid, 32, 0, 0)).toBeGreaterThan(0.99 * tileSpan(grid, 32));
    const property = fc.property(azimuths, fc.double({ min: 0, max: 1.2, noNaN: true }), (azimuth, elevation) => {
      const position = platform(850e3, azimuth, elevation);
      expect(trueSpan(position, grid, 32, 0, 0)).toBeGreaterThan(0.99 * pulseSpan(position, grid, 32));
    });
    fc.assert(property, { seed: 2, numRuns: 50 });
  });

  it("are bounded on polar grids", () => {
    const property = fc.property(ranges, azimuths, elevations, (range, azimuth, elevation) => {
      const grid: ImageGrid = {
        kind: "polar",
        nx: 16,
        ny: 16,
        centreMeters: [0, 0, 0],
        firstRangeMeters: 40,
        rangeStepMeters: 0.5,
        firstAzimuthRadians: 0.3,
        azimuthStepRadians: 0.02,
      };
      expect(trueSpan(platform(range, azimuth, elevation), grid, 8, 1, 1)).toBeLessThanOrEqual(tileSpan(grid, 8) + 4 * 2 ** -53 * range);
    });
    fc.assert(property, { seed: 3, numRuns: 50 });
  });
});

describe("the lemmas", () => {
  const edge = (tile: number): GroundGrid => squareGrid(tile, 0.5);
  const bins = (position: Vec3, tile: number): number => trueSpan(position, edge(tile), tile, 0, 0) / 0.1;

  it("hold in the far field for pulses of one grazing angle, and are reached", () => {
    const property = fc.property(azimuths, azimuths, fc.double({ min: 0, max: 1.2, noNaN: true }), (first, second, elevation) => {
      const [p1, p2] = [platform(1e6, first, elevation), platform(1e6, second, elevation)];
      // A plane wave but for the curvature, (tile/R)/cos(elevation) of the span.
      const nearly = 1 + 32 / (1e6 * Math.cos(elevation));
      const [a, b] = [bins(p1, 16), bins(p2, 16)];
      expect(a).toBeLessThanOrEqual(lemmaOneBins(b) * nearly);
      // Edges between the first and the last pixel: 15 and 31 steps.
      const [least, most] = lemmaTwoBins(15, 31, bins(p1, 32));
      expect(a).toBeGreaterThanOrEqual(least / nearly);
      expect(a).toBeLessThanOrEqual(most * nearly);
      // Whatever the orientations of the two squares.
      const turned = lemmaTwoBins(31, 15, b);
      expect(bins(p1, 32)).toBeGreaterThanOrEqual(turned[0] / nearly);
      expect(bins(p1, 32)).toBeLessThanOrEqual(turned[1] * nearly);
    });
    fc.assert(property, { seed: 4, numRuns: 100 });
    // Along the diagonal against along an edge, at any one angle.
    for (const elevation of [0, 1]) {
      const [diagonal, edgewise] = [bins(platform(1e6, Math.PI / 4, elevation), 16), bins(platform(1e6, 0, elevation), 16)];
      expect(diagonal / lemmaOneBins(edgewise)).toBeCloseTo(1, 4);
    }
  });

  it("need one grazing angle: a steep pulse needs far fewer bins than a shallow one", () => {
    expect(bins(platform(1e6, 0, 0.1), 16)).toBeGreaterThan(lemmaOneBins(bins(platform(1e6, 0, 1.4), 16)));
  });
});

const profiles: ProfileGeometry = compressProfiles(scenes.airborne.history(), { bins: 4096 });
const { grid } = scenes.airborne;

describe("windows", () => {
  it("hold every tap that the float32 forms read", () => {
    for (const { grid: image, history } of Object.values(scenes)) {
      const data = compressProfiles(history(), { bins: 4096 });
      for (const tile of [16, 64]) {
        const { bins, before } = tileWindow(data, image, tile);
        const last = tilesAlong(image, tile)[0] - 1;
        let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
        for (const [tx, ty] of [
          [0, 0],
          [last, 1],
        ] as const) {
          for (const emulation of [anchored(2), lattice(2, 4)]) {
            const place = emulation(data, image, tile, tx, ty);
            for (let p = 0; p < 59; p += 29) {
              const [anchor] = place(p, tile / 2, tile / 2);
              for (let at = 0; at < tile * tile; at++) {
                const bin = place(p, at % tile, Math.floor(at / tile))[0] - anchor;
                low = Math.min(low, bin);
                high = Math.max(high, bin);
              }
            }
          }
        }
        expect(low).toBeGreaterThanOrEqual(-before);
        expect(high + 1).toBeLessThan(bins - before);
        // Not much larger than needed: a tenth, and the bins at the ends.
        expect(bins).toBeLessThan(1.1 * (high - low) + 8);
      }
    }
  });

  it("widen with the taps, to both sides", () => {
    const two = tileWindow(profiles, grid, 32);
    expect(tileWindow(profiles, grid, 32, 8)).toEqual({ bins: two.bins + 6, before: two.before + 3 });
    expect(() => tileWindow(profiles, grid, 32, 3)).toThrow(/taps/);
    expect(() => tileWindow(profiles, grid, 33)).toThrow(/tile/);
  });
});

describe("traffic", () => {
  it("is the paper's", () => {
    // 42,208 pulses of 4096 bins, 512 × 512 pixels, tiles of 32 (section VI).
    const words = trafficWords({ pixels: 512 ** 2, pulses: 42208, bins: 4096, tile: 32, sets: 4 });
    expect(words).toEqual({
      unpartitioned: 3 * 42208 * 512 ** 2,
      pulseSets: 42208 * 4096 + 2 * 4 * 512 ** 2,
      tiles: (42208 * 4096 * 512) / 32 + 512 ** 2,
      dual: (42208 * 4096 * 512) / 32 + 2 * 4 * 512 ** 2,
    });
    // A tile of the whole image loads every bin once.
    expect(trafficWords({ pixels: 512 ** 2, pulses: 7, bins: 100, tile: 512, sets: 1 }).tiles).toBe(700 + 512 ** 2);
  });
});

const limits: PartitionLimits = { workgroupBytes: 16384, invocations: 256, storageBytes: 2 ** 27 };

describe("the choice of a partition", () => {
  it("fits the device, whatever it is", () => {
    const property = fc.property(
      fc.integer({ min: 4096, max: 65536 }),
      fc.integer({ min: 16, max: 1024 }),
      fc.integer({ min: 2 ** 23, max: 2 ** 31 }),
      fc.integer({ min: 1, max: 4096 }),
      fc.constantFrom(100, 512, 1000),
      (workgroupBytes, invocations, storageBytes, workgroups, n) => {
        const image = squareGrid(n, 0.2);
        const chosen = choosePartition({ image, profiles, limits: { workgroupBytes, invocations, storageBytes, workgroups } });
        expect(8 * chosen.window.bins + 32 * stagedPulses).toBeLessThanOrEqual(workgroupBytes);
        expect(chosen.window).toEqual(tileWindow(profiles, image, chosen.tile));
        expect(chosen.invocations).toBeLessThanOrEqual(invocations);
        expect(chosen.invocations * chosen.pixelsPerInvocation).toBe(chosen.tile ** 2);
        expect(chosen.sets * n * n * 8).toBeLessThanOrEqual(storageBytes);
        expect(chosen.pulsesPerPass * 4096 * 8).toBeLessThanOrEqual(storageBytes);
        expect(chosen.tilesX * chosen.tile).toBeGreaterThanOrEqual(n);
        expect(chosen.sets * chosen.pulsesPerSet).toBeGreaterThanOrEqual(59);
        expect(chosen.scheme).toBe(chosen.sets === 1 ? "tiles" : "dual");
        // No worse than with half the memory.
        if (workgroupBytes < 8192) return;
        const less = choosePartition({
          image,
          profiles,
          limits: { workgroupBytes: workgroupBytes / 2 - ((workgroupBytes / 2) % 1), invocations, storageBytes, workgroups },
        });
        expect(chosen.trafficBytes[chosen.scheme]).toBeLessThanOrEqual(less.trafficBytes[less.scheme]);
      },
    );
    fc.assert(property, { seed: 5, numRuns: 40 });
  });

  it("takes larger tiles if there is more to load, pulse sets if there are few tiles, and says why", () => {
    const chosen = choosePartition({ image: grid, profiles, limits: { ...limits, workgroups: 64 } });
    expect(chosen).toMatchObject({
      tile: 64,
      tilesX: 8,
      tilesY: 8,
      sets: 1,
      scheme: "tiles",
      order: 3,
      blockTiles: 4,
      pixelsPerInvocation: 16,
    });
    const few = choosePartition({ image: grid, profiles, limits });
    expect(few.sets * few.tilesX * few.tilesY).toBeGreaterThanOrEqual(256);
    // Least of all tiles, by the model itself: R is what the image's diagonal spans.
    const bins = Math.ceil((511 * 0.2 * Math.SQRT2) / profiles.binMeters) + 2;
    for (const tile of [8, 16, 32, 64]) {
      const sets = Math.ceil(256 / (512 / tile) ** 2);
      const words = trafficWords({ pixels: 512 ** 2, pulses: 59, bins: Math.min(4096, bins), tile, sets });
      expect(few.trafficBytes[few.scheme]).toBeLessThanOrEqual(8 * (sets === 1 ? words.tiles : words.dual));
    }
    const small = choosePartition({ image: grid, profiles, limits: { ...limits, workgroupBytes: 6400 } });
    expect(small).toMatchObject({ tile: 32, sets: 1, scheme: "tiles", order: 3, blockTiles: 8, invocations: 128, pixelsPerInvocation: 8 });
    // Parabolas round more than the second order errs.
    expect(choosePartition({ image: grid, profiles, limits, tile: 32, numbersPerBin: 2 }).order).toBe(2);
    expect(choosePartition({ image: grid, profiles, limits, tile: 32, errorCycles: 2 ** -12 }).order).toBe(2);
    const text = describePartition(small);
    for (const part of [
      "16 × 16 tiles of 32 × 32 pixels, 1 pulse set of 59, 1 pass",
      `window of ${small.window.bins} bins`,
      "a block of 8 × 8 tiles",
      "unpartitioned 371 MB",
      "because tiles of 64 need",
    ])
      expect(text).toContain(part);
  });

  it("uses no windows if none fits, and the largest tiles that share anchors", () => {
    const { scheme, tile, reason } = choosePartition({ image: grid, profiles, limits: { ...limits, workgroupBytes: 2050 } });
    expect({ scheme, tile }).toEqual({ scheme: "pulseSets", tile: 32 });
    expect(reason).toMatch(/tiles of 8 need \d+ bytes of workgroup memory/);
    expect(choosePartition({ image: grid, profiles, limits, scheme: "unpartitioned" })).toMatchObject({ tile: 32, sets: 1 });
  });

  it("takes a tile that is asked for, and says what speaks against it", () => {
    const reasonOf = (tile: number, image: ImageGrid = grid): string => choosePartition({ image, profiles, limits, tile }).reason;
    expect(reasonOf(32)).toBe("tiles of 32 were asked for");
    expect(reasonOf(128)).toBe("tiles of 128 were asked for, though tiles of 128 are more than 16 pixels an invocation");
    const coarse = squareGrid(512, 3);
    expect(reasonOf(64, coarse)).toMatch(/^tiles of 64 were asked for, though tiles of 64 need \d+ bytes of workgroup memory/);
  });

  it("is refused if nothing fits, and by field", () => {
    const code = (wrong: Partial<PartitionLimits>, image: ImageGrid = grid, scheme?: "tiles"): unknown => {
      try {
        choosePartition({ image, profiles, limits: { ...limits, ...wrong }, ...(scheme && { scheme }) });
      } catch (error) {
        return isRadarError(error) ? `${error.code}: ${error.message}` : error;
      }
      return undefined;
    };
    expect(code({ workgroupBytes: 2050 }, grid, "tiles")).toMatch(/^limit: .*tiles of 8 need \d+ bytes of workgroup memory/);
    expect(code({ storageBytes: 2 ** 20 })).toMatch(/^limit: the image/);
    expect(code({ storageBytes: 2 ** 14 })).toMatch(/^limit: a range profile/);
    expect(code({ invocations: 0 })).toMatch(/^input: limits\.invocations/);
    expect(code({}, { ...grid, originMeters: [7000, 0, 7270] })).toMatch(/^limit: .*err by more than/);
  });
});
