/**
 * Backprojection in WASM against the kernel's reference and against the definition, on memories of its own and on the CPU
 * backend. Tolerances follow from float32's rounding of what is largest: cycles and bins within a tile.
 */
import { ArrayView, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { describe, expect, it } from "vitest";
import type { GroundGrid, ImageGrid } from "../src/backprojection/grid.ts";
import { pixelPosition } from "../src/backprojection/grid.ts";
import { type BackprojectionShape, backprojectionKernel, tilesOf } from "../src/backprojection/kernel.ts";
import { compressProfiles, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { circularTrack } from "../src/backprojection/simulate.ts";
import { interpolatorTable } from "../src/interpolation.ts";
import { createRandom } from "../src/random.ts";
import { inputsOf, shapeOf, uniformsOf } from "./backprojection-inputs.ts";
import { scenes } from "./backprojection-scenes.ts";
import { placeKernel } from "./wasm-harness.ts";

/** Half a unit in the last place of numbers from 1 to 2. */
const u = 2 ** -24;
const random = createRandom(40);
const below = (n: number): number => Math.floor(random.uniform() * n);
const pick = <T>(values: readonly T[]): T => values[below(values.length)];
const speedOfLight = 299792458;

/** White noise seen from an aircraft at some 10 km; bins of `binMeters`, X band. */
function noise(pulses: number, bins: number, binMeters: number): RangeProfiles {
  const positions = circularTrack({ radiusMeters: 7089, altitudeMeters: 7276, firstRadians: 0.3, stepRadians: 0.02, pulses });
  return {
    positions,
    referenceRangeMeters: Float64Array.from({ length: pulses }, () => Math.hypot(7089, 7276) + random.uniform()),
    samples: Float32Array.from({ length: 2 * pulses * bins }, () => random.gaussian()),
    bins,
    binMeters,
    firstRangeMeters: (-bins / 2) * binMeters,
    carrierHz: 9.6e9,
    bandwidthHz: speedOfLight / (2 * binMeters) / 2,
  };
}

const grounds = (nx: number, ny: number, spacingMeters: number): GroundGrid => ({
  kind: "ground",
  nx,
  ny,
  originMeters: [(-nx / 2) * spacingMeters, (-ny / 2) * spacingMeters, 0],
  xStepMeters: [spacingMeters, 0.1 * spacingMeters, 0],
  yStepMeters: [-0.2 * spacingMeters, spacingMeters, 0],
});

const interpolator = (taps: number) =>
  interpolatorTable(taps === 2 ? "nearest" : { kind: "sinc", taps, window: "kaiser" }, { oversampling: 2, phases: pick([16, 256, 1000]) });

/**
 * Error of one pixel and pulse over the value, for white profiles: at most three roundings of the cycles and of the bins, one of the
 * products and the sum of all pulses, and 7e-7 of the sine. Slopes of anchors of blocks are within half a cycle and the
 * rows' own phase within half; from a tile's anchor ranges are not reduced, and u, d and their products add five roundings.
 */
function errorOf(shape: BackprojectionShape, profiles: RangeProfiles, grid: ImageGrid): number {
  const { tile, blockTiles, pulses, taps, sine } = shape;
  const { xStepMeters: x, yStepMeters: y } = grid as GroundGrid;
  const reach = (Math.hypot(...x) + Math.hypot(...y)) * (tile / 2);
  const cyclesPerMeter = (2 * profiles.carrierHz) / speedOfLight;
  const bend = (reach ** 2 / (2 * 9000)) * cyclesPerMeter; // cycles of the range's second order
  const cycles = blockTiles > 0 ? 3 * u * (0.5 + tile / 4 + 2 * bend) : 8 * u * reach * cyclesPerMeter;
  const bins = (blockTiles > 0 ? 3 : 8) * u * (1 + reach / profiles.binMeters);
  // The difference of neighbouring bins has twice the power of the least value between them; a kernel's slope is below π.
  const rest = 2 * Math.PI * cycles + (taps ? Math.PI * Math.SQRT2 : 2) * bins + u * (4 + Math.sqrt(pulses)) + 7e-7;
  // From a table the entry differs in so many cases, by one angle.
  const entries = sine === "table" ? 2 * 1024 * cycles * ((2 * Math.PI) / 1024) ** 2 : 0;
  return Math.sqrt(rest ** 2 + entries);
}

/** The output of the reference, from what is there before, as float64. */
function byReference(shape: BackprojectionShape, profiles: RangeProfiles, grid: ImageGrid, count: number, before: Float32Array) {
  const kernel = backprojectionKernel(shape);
  const arrays = { ...inputsOf(profiles, grid, shape), [shape.sets > 1 ? "partials" : "image"]: Float64Array.from(before) };
  const views = Object.fromEntries(Object.entries(kernel.ports).map(([name, { layout }]) => [name, new ArrayView(layout, arrays[name])]));
  kernel.reference(views, uniformsOf(profiles, grid, shape, count), 0, kernel.items);
  return views[shape.sets > 1 ? "partials" : "image"].data as Float64Array;
}

/** Pixels that some pulse sees within a thousandth of a bin of where its profile ends: float32 may decide either way. */
function undecided({ taps }: BackprojectionShape, profiles: RangeProfiles, grid: ImageGrid): { at: Set<number>; outside: number } {
  const at = new Set<number>();
  let outside = 0;
  const reach = (taps?.taps ?? 2) / 2;
  for (let pixel = 0; pixel < grid.nx * grid.ny; pixel++) {
    const x = pixelPosition(grid, pixel % grid.nx, Math.floor(pixel / grid.nx));
    for (let p = 0; p < pulseCount(profiles); p++) {
      const range = Math.hypot(...x.map((value, axis) => value - profiles.positions[3 * p + axis])) - profiles.referenceRangeMeters[p];
      const bin = (range - profiles.firstRangeMeters) / profiles.binMeters;
      if (Math.min(Math.abs(bin - (reach - 1)), Math.abs(bin - (profiles.bins - reach))) < 1e-3) at.add(pixel);
      if (bin < reach - 1 || bin > profiles.bins - reach) outside++;
    }
  }
  return { at, outside };
}

/** A partition of 0 … items, in any order. */
function runsOf(items: number): [start: number, end: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < items; ) {
    const end = Math.min(items, at + 1 + below(items));
    runs.push([at, end]);
    at = end;
  }
  return runs.sort(() => random.uniform() - 0.5);
}

describe("any shape", () => {
  const bits = (values: Float32Array): Buffer => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  const draw = () => {
    const scheme = pick(["unpartitioned", "pulseSets", "tiles", "dual"] as const);
    const sets = scheme === "unpartitioned" || scheme === "tiles" ? 1 : 1 + below(4);
    const [tile, pulses] = [pick([8, 16, 24, 32, 48]), 3 + below(8)];
    const grid = grounds(1 + below(90), 1 + below(70), 0.2);
    const profiles = noise(pulses, pick([40, 90, 300]), 0.15);
    const taps = pick([0, 0, 2, 4, 6, 8, 16]);
    const shape = shapeOf(profiles, grid, {
      ...{ tile, scheme, sets, blockTiles: pick([0, 1, 2, 3, 8]), order: pick([2, 3]) },
      ...{ sine: pick(["polynomial", "native", "table"]), ...(taps && { taps: interpolator(taps) }) },
    });
    return { grid, profiles, shape, count: below(4) === 0 ? below(pulses + 1) : pulses };
  };

  it.each(Array.from({ length: 60 }, (_, i) => i))("is the reference's, draw %d", () => {
    const { grid, profiles, shape, count } = draw();
    const kernel = backprojectionKernel(shape);
    const arrays = inputsOf(profiles, grid, shape);
    const uniforms = uniformsOf(profiles, grid, shape, count);
    const before = Float32Array.from({ length: 2 * shape.sets * grid.nx * grid.ny }, () => random.gaussian());
    const found = placeKernel(kernel, arrays, uniforms)(before, runsOf(kernel.items));
    const expected = byReference(shape, profiles, grid, count, before);
    const { at: skipped } = undecided(shape, profiles, grid);
    const allowed = errorOf(shape, profiles, grid) * Math.sqrt(2 * (1 + pulseCount(profiles)));
    let worst = 0;
    let energy = 0;
    for (let i = 0; i < found.length; i++) {
      if (skipped.has((i >> 1) % (grid.nx * grid.ny))) continue;
      worst = Math.max(worst, Math.abs(found[i] - expected[i]));
      energy += (found[i] - expected[i]) ** 2;
    }
    if (process.env.SHOW)
      console.log(kernel.name, Math.sqrt(energy / found.length) / allowed, worst / allowed, skipped.size, found.length / 2);
    expect(Math.sqrt(energy / found.length)).toBeLessThanOrEqual(allowed);
    for (const last of Object.keys(kernel.ports)) {
      expect(bits(placeKernel(kernel, arrays, uniforms, { last })(before, runsOf(kernel.items))).equals(bits(found)), last).toBe(true);
    }
    expect(bits(placeKernel(kernel, arrays, uniforms, { shared: true })(before, [[0, kernel.items]])).equals(bits(found))).toBe(true);
  });
});

describe.each(["airborne", "spaceborne"] as const)("the %s scene", (name) => {
  const { grid: whole, history } = scenes[name];
  const profiles = compressProfiles(history(), { bins: 4096 });
  // The corner, the largest distance from the scene's centre.
  const grid = { ...whole, nx: 80, ny: 70 };
  const reference = backprojectReference(profiles, grid);

  it.each([
    ["anchors of blocks", { blockTiles: 8 }, 90],
    ["anchors of blocks, third order", { blockTiles: 4, order: 3 }, 100],
    ["anchors of tiles", { blockTiles: 0 }, 80],
  ] as const)("keeps %s", async (_what, options, decibels) => {
    const shape = shapeOf(profiles, grid, options);
    const kernel = backprojectionKernel(shape);
    const image = placeKernel(
      kernel,
      inputsOf(profiles, grid, shape),
      uniformsOf(profiles, grid, shape),
    )(new Float32Array(2 * grid.nx * grid.ny), [[0, kernel.items]]);
    if (process.env.SHOW) console.log(name, _what, signalToErrorDb(image, reference));
    expect(signalToErrorDb(image, reference)).toBeGreaterThan(decibels);
  });
});
void [open, cpu, tilesOf];
