/**
 * Backprojection in WASM against the kernel's reference and against the definition, on memories of its own and on the CPU
 * backend. Tolerances follow from float32's rounding of what is largest: cycles and bins within a tile.
 */
import { ArrayView, createRandom, open, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { interpolatorTable } from "@dechirp/radar/interpolation";
import { describe, expect, it } from "vitest";
import { blockAnchor } from "../src/backprojection/anchor-words.ts";
import { type GroundGrid, type ImageGrid, pixelPosition } from "../src/backprojection/grid.ts";
import { backprojectionKernel } from "../src/backprojection/kernel.ts";
import { compressProfiles, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { curvesOf } from "../src/backprojection/quadratic.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import type { BackprojectionShape } from "../src/backprojection/shape.ts";
import { circularTrack } from "../src/backprojection/simulate.ts";
import { inputsOf, shapeOf, uniformsOf } from "./backprojection-inputs.ts";
import { scenes } from "./backprojection-scenes.ts";
import { placeKernel } from "./wasm-harness.ts";

/** Half a unit in the last place of numbers from 1 to 2. */
const u = 2 ** -24;
const random = createRandom(40);
const below = (n: number): number => Math.floor(random.uniform() * n);
const pick = <T>(values: readonly T[]): T => values[below(values.length)];
const noise = (length: number): Float32Array => Float32Array.from({ length }, () => random.gaussian());
const bits = (values: Float32Array): Buffer => Buffer.from(values.buffer, values.byteOffset, values.byteLength);
const speedOfLight = 299792458;

/** White noise seen from an aircraft at some 10 km, X band. */
function whiteProfiles(pulses: number, bins: number, binMeters: number): RangeProfiles {
  return {
    positions: circularTrack({ radiusMeters: 7089, altitudeMeters: 7276, firstRadians: 0.3, stepRadians: 0.02, pulses }),
    referenceRangeMeters: Float64Array.from({ length: pulses }, () => Math.hypot(7089, 7276) + random.uniform()),
    samples: noise(2 * pulses * bins),
    bins,
    binMeters,
    firstRangeMeters: (-bins / 2) * binMeters,
    carrierHz: 9.6e9,
    bandwidthHz: speedOfLight / (4 * binMeters),
  };
}

const skewedGrid = (nx: number, ny: number, spacingMeters: number): GroundGrid => ({
  kind: "ground",
  nx,
  ny,
  originMeters: [(-nx / 2) * spacingMeters, (-ny / 2) * spacingMeters, 0],
  xStepMeters: [spacingMeters, 0.1 * spacingMeters, 0],
  yStepMeters: [-0.2 * spacingMeters, spacingMeters, 0],
});

/**
 * The expected error of a pixel over the root of pulses times a number's power, for white profiles. A rounding of x errs by
 * u·|x|/√3 at most in the mean, and x is half the largest in the mean. Cycles and bins are rounded three times, so by
 * u·X/2; X is what the slopes of half a cycle reach within a tile, the rows' own half, and the second order. From a tile's
 * own anchor it is eight times, and X the range itself.
 */
function errorOf(shape: BackprojectionShape, profiles: RangeProfiles, grid: ImageGrid): number {
  const { tile, blockTiles, pulses, taps, curves, sine } = shape;
  const { xStepMeters: x, yStepMeters: y } = grid as GroundGrid;
  const reach = (Math.hypot(...x) + Math.hypot(...y)) * (tile / 2);
  const cyclesPerMeter = (2 * profiles.carrierHz) / speedOfLight;
  const curved = (reach ** 2 / (2 * 9000)) * cyclesPerMeter;
  const own = Math.sqrt(8 / 3);
  const cycles = blockTiles > 0 ? (u / 2) * (0.5 + tile / 4 + 2 * curved) : (u / 2) * own * reach * cyclesPerMeter;
  const bins = (u / 2) * (blockTiles > 0 ? 1 : own) * (1 + reach / profiles.binMeters);
  // What a value changes by in a bin: by √2 between two, by π in a kernel; by `phases` in one of them from the nearer of two; on a
  // parabola by s + 2qμ, whose power the weights of quadratic.ts make 0.85 + 4·2.3/12.
  const slope = curves ? Math.sqrt(1.61) : taps ? (taps.taps === 2 ? Math.sqrt(taps.phases) : Math.PI) : Math.SQRT2;
  const rounded = 2 * Math.PI * cycles + slope * bins + u * (3 + Math.sqrt(pulses)) + 8e-7;
  // From a table the entry is another one in so many cases, by one angle.
  const others = sine === "table" ? 2 * 1024 * cycles * ((2 * Math.PI) / 1024) ** 2 : 0;
  return Math.sqrt(rounded ** 2 + others);
}

const outputOf = ({ sets }: BackprojectionShape): string => (sets > 1 ? "partials" : "image");

/** What the reference makes of `before`, in float64. */
function byReference(shape: BackprojectionShape, profiles: RangeProfiles, grid: ImageGrid, count: number, before: Float32Array) {
  const kernel = backprojectionKernel(shape);
  const out = Float64Array.from(before);
  const arrays: Record<string, TypedArrayOf> = { ...inputsOf(profiles, grid, shape), [outputOf(shape)]: out };
  const views = Object.fromEntries(Object.entries(kernel.ports).map(([name, { layout }]) => [name, new ArrayView(layout, arrays[name])]));
  kernel.reference(views, uniformsOf(profiles, grid, shape, count), 0, kernel.items);
  return out;
}

/** Bin of every pulse and pixel by definition: [pulse][pixel]. */
function places(profiles: RangeProfiles, grid: ImageGrid): Float64Array[] {
  const { positions, referenceRangeMeters, firstRangeMeters, binMeters } = profiles;
  const pixels = Array.from({ length: grid.nx * grid.ny }, (_, i) => pixelPosition(grid, i % grid.nx, Math.floor(i / grid.nx)));
  return Array.from({ length: pulseCount(profiles) }, (_, p) =>
    Float64Array.from(pixels, (x) => {
      const range = Math.hypot(...x.map((value, axis) => value - positions[3 * p + axis])) - referenceRangeMeters[p];
      return (range - firstRangeMeters) / binMeters;
    }),
  );
}

/** Pixels that some pulse sees within a thousandth of a bin of where its profile ends: float32 may decide either way. */
function undecided({ taps, curves }: BackprojectionShape, { bins }: RangeProfiles, at: readonly Float64Array[]): Set<number> {
  const reach = (taps?.taps ?? 2) / 2;
  // White profiles jump from one parabola to the next, half-way between bins.
  const near = (bin: number): boolean =>
    curves ? Math.abs(bin - Math.floor(bin) - 0.5) < 1e-3 : Math.min(Math.abs(bin - (reach - 1)), Math.abs(bin - (bins - reach))) < 1e-3;
  const found = new Set<number>();
  for (const line of at) {
    line.forEach((bin, pixel) => {
      if (near(bin)) found.add(pixel);
    });
  }
  return found;
}

/** The profiles or their parabolas with NaN wherever no pixel has a tap, with a bin to spare. */
function poisoned(
  { taps, curves, bins: plain }: BackprojectionShape,
  arrays: Readonly<Record<string, TypedArrayOf>>,
  at: readonly Float64Array[],
) {
  const name = curves ? "curves" : "profiles";
  const samples = Float32Array.from(arrays[name] as Float32Array);
  const [bins, numbers] = curves ? [curves, 4] : [plain, 2];
  const reach = (taps?.taps ?? 2) / 2 + 1;
  at.forEach((line, p) => {
    const low = line.reduce((a, b) => Math.min(a, b)) - reach;
    const high = line.reduce((a, b) => Math.max(a, b)) + reach;
    for (let bin = 0; bin < bins; bin++)
      if (bin < low || bin > high) samples.fill(Number.NaN, numbers * (p * bins + bin), numbers * (p * bins + bin + 1));
  });
  return { [name]: samples };
}

/** A partition of 0 … items, in any order. */
function runsOf(items: number): [start: number, end: number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < items; at = runs[runs.length - 1][1]) runs.push([at, Math.min(items, at + 1 + below(items))]);
  return runs.sort(() => random.uniform() - 0.5);
}

function draw() {
  const scheme = pick(["unpartitioned", "pulseSets", "tiles", "dual"] as const);
  const sets = scheme === "unpartitioned" || scheme === "tiles" ? 1 : 1 + below(4);
  const [tile, pulses] = [pick([8, 16, 24, 32, 48]), 3 + below(8)];
  const grid = skewedGrid(1 + below(90), 1 + below(70), 0.2);
  const profiles = whiteProfiles(pulses, pick([10, 40, 90, 300]), 0.15);
  const taps = pick([0, 0, 2, 4, 6, 8, 16, "curves", "curves", "curves"] as const);
  const shape = shapeOf(profiles, grid, {
    ...{ tile, scheme, sets, blockTiles: pick([0, 1, 2, 3, 8]), order: pick([2, 3]), sine: pick(["polynomial", "native", "table"]) },
    ...(taps === "curves" && { curves: profiles.bins + below(2) }),
    ...(typeof taps === "number" &&
      taps > 0 && {
        taps: interpolatorTable(taps === 2 ? "nearest" : { kind: "sinc", taps, window: "kaiser" }, {
          oversampling: 2,
          phases: pick([1, 16, 1000]),
        }),
      }),
  });
  return { grid, profiles, shape, count: below(4) === 0 ? below(pulses + 1) : pulses };
}

describe("drawn shapes", () => {
  it.each(Array.from({ length: 80 }, (_, i) => i))("%d give the reference's sums, whatever the calls and wherever arrays are", () => {
    const { grid, profiles, shape, count } = draw();
    const kernel = backprojectionKernel(shape);
    const arrays = inputsOf(profiles, grid, shape);
    const uniforms = uniformsOf(profiles, grid, shape, count);
    const before = noise(2 * shape.sets * grid.nx * grid.ny);
    const found = placeKernel(kernel, arrays, uniforms)(before, [[0, kernel.items]]);

    const expected = byReference(shape, profiles, grid, count, before);
    const at = places(profiles, grid);
    const skipped = undecided(shape, profiles, at);
    expect(skipped.size).toBeLessThanOrEqual(0.05 * grid.nx * grid.ny + 2);
    let energy = 0;
    for (let i = 0; i < found.length; i++) if (!skipped.has((i >> 1) % (grid.nx * grid.ny))) energy += (found[i] - expected[i]) ** 2;
    const allowed = errorOf(shape, profiles, grid) * Math.sqrt(1 + shape.pulses);
    expect(Math.sqrt(energy / found.length), kernel.name).toBeLessThanOrEqual(allowed);

    const same = (other: Float32Array, what: string): void => expect(bits(other).equals(bits(found)), `${kernel.name}, ${what}`).toBe(true);
    for (const last of Object.keys(kernel.ports))
      same(placeKernel(kernel, arrays, uniforms, { last })(before, runsOf(kernel.items)), `${last} at the end`);
    same(placeKernel(kernel, arrays, uniforms, { shared: true })(before, runsOf(kernel.items)), "shared memory");
    same(placeKernel(kernel, { ...arrays, ...poisoned(shape, arrays, at) }, uniforms)(before, [[0, kernel.items]]), "NaN beside");
  });
});

describe("anchors by hand", () => {
  /** One tile and pulse: the words of its anchor, and the profile. */
  const single = (tile: number, words: Uint32Array, samples: Float32Array, order: 2 | 3, squares: readonly [number, number, number]) => {
    const window = { bins: 2, before: 0 };
    const shape: BackprojectionShape = {
      ...{ nx: tile, ny: tile, tile, pulses: 1, bins: samples.length / 2, scheme: "tiles", sets: 1, blockTiles: 1, order, window },
      sine: "polynomial",
    };
    const kernel = backprojectionKernel(shape);
    const uniforms = { count: 1, squareXX: squares[0], squareXY: squares[1], squareYY: squares[2], cyclesPerBin: 0 };
    const image = placeKernel(kernel, { profiles: samples, anchors: words }, uniforms)(new Float32Array(2 * tile * tile), [[0, 1]]);
    const expected = new Float64Array(2 * tile * tile);
    const arrays: Record<string, TypedArrayOf> = { profiles: samples, anchors: words, image: expected };
    const views = Object.entries(kernel.ports).map(([name, { layout }]) => [name, new ArrayView(layout, arrays[name])]);
    kernel.reference(Object.fromEntries(views), uniforms, 0, 1);
    return { image, expected };
  };

  it("turn by sines that are good to 8e-7, wherever in a cycle", () => {
    const tile = 256;
    const words = new Uint32Array(blockAnchor.count);
    // Pixels are 2⁻⁸ cycles apart along x, 2⁻¹⁶ along y, which float32 has exactly.
    words[blockAnchor.at.slopeX] = 2 ** 24;
    words[blockAnchor.at.slopeY] = 2 ** 16;
    const { image } = single(tile, words, Float32Array.of(1, 0, 1, 0, 1, 0), 2, [0, 0, 0]);
    let worst = 0;
    for (let at = 0; at < tile * tile; at++) {
      const angle = 2 * Math.PI * ((at % tile) / tile - 0.5 + (Math.floor(at / tile) - tile / 2) / tile ** 2);
      worst = Math.max(worst, Math.abs(image[2 * at] - Math.cos(angle)), Math.abs(image[2 * at + 1] - Math.sin(angle)));
    }
    expect(worst).toBeLessThan(8e-7);
  });

  it("move places as far as they state, and read nothing outside the profile", () => {
    const tile = 16;
    let sides = 0;
    for (let trial = 0; trial < 200; trial++) {
      const words = new Uint32Array(blockAnchor.count);
      for (const at of [blockAnchor.at.phase, blockAnchor.at.slopeX, blockAnchor.at.slopeY]) words[at] = below(2 ** 32);
      // Sums of few binary digits, so that float32 places no pixel elsewhere.
      new Int32Array(words.buffer)[0] = below(140) - 50;
      new Float32Array(words.buffer).set([below(8) / 8, (below(17) - 8) / 8, (below(17) - 8) / 8, pick([0, 1 / 8, 1 / 32])], 1);
      const [samples, order] = [noise(80), pick([2, 3] as const)];
      const { image, expected } = single(tile, words, samples, order, [below(4), below(3) - 1, below(4)]);
      const inside = expected.filter((value) => value !== 0).length / expected.length;
      if (inside > 0 && inside < 1) sides++;
      // As `errorOf`: three roundings of the cycles, and 8e-7; one of the bins where the third order takes many digits.
      const allowed = 2 * Math.PI * (u / 2) * (0.5 + tile / 4) + (order === 3 ? u * 200 : 0) + 4 * u + 8e-7;
      const energy = image.reduce((sum, value, i) => sum + (value - expected[i]) ** 2, 0);
      expect(Math.sqrt(energy / image.length)).toBeLessThan(2 * allowed);
    }
    expect(sides).toBeGreaterThan(50);
  });
});

it.each([0, 2])("whatever words anchors are, blocks of %d, nothing else is read or written", (blockTiles) => {
  const grid = skewedGrid(21, 18, 0.2);
  const profiles = whiteProfiles(4, 40, 0.15);
  for (let trial = 0; trial < 60; trial++) {
    const curves = trial % 3 === 0 && { curves: profiles.bins };
    const shape = shapeOf(profiles, grid, { tile: 8, blockTiles, order: pick([2, 3]), sine: pick(["polynomial", "table"]), ...curves });
    const kernel = backprojectionKernel(shape);
    const arrays = inputsOf(profiles, grid, shape);
    const specials = [0, 2 ** 31, 2 ** 31 - 1, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f7fffff, 0x4f000000, 0xcf000000, 0x3f800000, 1];
    for (const name of ["anchors", ...(trial % 2 === 0 ? ["offsets"] : [])]) {
      const words = arrays[name] && new Uint32Array(arrays[name].buffer);
      for (let i = 0; i < (words?.length ?? 0); i++) if (below(3) > 0) words[i] = below(2) > 0 ? pick(specials) : below(2 ** 32);
    }
    const uniforms = uniformsOf(profiles, grid, shape);
    const before = noise(2 * grid.nx * grid.ny);
    const place = placeKernel(kernel, arrays, uniforms, { last: pick([curves ? "curves" : "profiles", "anchors", "image"]) });
    expect(place(before, runsOf(kernel.items))).toHaveLength(before.length);
  }
});

describe.each(["airborne", "spaceborne"] as const)("the %s scene", (name) => {
  const { grid: whole, history } = scenes[name];
  const profiles = compressProfiles(history(), { bins: 4096 });
  // From the corner, which is farthest from the middle.
  const grid = { ...whole, nx: 72, ny: 70 };
  const reference = backprojectReference(profiles, grid, { interpolation: "linear" });

  /** The image by WASM. */
  const image = (from: RangeProfiles, options: Partial<BackprojectionShape>): Float32Array => {
    const shape = shapeOf(from, grid, options);
    const kernel = backprojectionKernel(shape);
    const place = placeKernel(kernel, inputsOf(from, grid, shape), uniformsOf(from, grid, shape));
    return place(new Float32Array(2 * grid.nx * grid.ny), [[0, kernel.items]]);
  };

  it.each([
    ["90 dB by anchors of blocks", { blockTiles: 8 }, 90],
    ["90 dB by anchors of blocks, pulses outermost", { blockTiles: 8, scheme: "unpartitioned" }, 90],
    ["100 dB by anchors of smaller blocks to the third order", { blockTiles: 4, order: 3 }, 100],
    ["80 dB by anchors of tiles", { blockTiles: 0 }, 80],
    ["80 dB by anchors of tiles to the third order", { blockTiles: 0, order: 3 }, 80],
    // π/1024 at most, so that much over √3: 55 dB.
    ["54 dB with the table's sines", { blockTiles: 8, sine: "table" }, 54],
  ] as const)("keeps %s", (_what, options, decibels) => {
    expect(signalToErrorDb(image(profiles, options), reference)).toBeGreaterThan(decibels);
  });

  it.each([
    ["by anchors of blocks", { blockTiles: 8 }, 86],
    ["by anchors of smaller blocks to the third order", { blockTiles: 4, order: 3 }, 86],
    ["by anchors of tiles", { blockTiles: 0 }, 80],
  ] as const)("on parabolas, whose words leave 89 dB at most, keeps them %s", (_what, options, decibels) => {
    const found = image(profiles, { ...options, curves: curvesOf(profiles) });
    expect(signalToErrorDb(found, backprojectReference(profiles, grid, { interpolation: "quadratic" }))).toBeGreaterThan(decibels);
  });

  it("keeps them with a kernel between bins, and if profiles end within the image", () => {
    const interpolation = { kind: "sinc", taps: 8, window: "kaiser" } as const;
    const middle = Math.round(places(profiles, grid)[29][grid.nx * 35 + 36]);
    const cut: RangeProfiles = {
      ...profiles,
      bins: 1000,
      firstRangeMeters: profiles.firstRangeMeters + middle * profiles.binMeters,
      samples: Float32Array.from({ length: 2 * pulseCount(profiles) * 1000 }, (_, i) => {
        const bin = middle + ((i >> 1) % 1000);
        return bin < 4096 ? profiles.samples[2 * (Math.floor(i / 2000) * 4096 + bin) + (i & 1)] : 0;
      }),
    };
    const oversampling = speedOfLight / (2 * cut.binMeters * cut.bandwidthHz);
    const taps = interpolatorTable(interpolation, { oversampling });
    for (const blockTiles of [0, 8]) {
      const shape = shapeOf(cut, grid, { blockTiles, taps });
      const skipped = undecided(shape, cut, places(cut, grid));
      const kept = (values: ArrayLike<number>): number[] => Array.from(values).filter((_, i) => !skipped.has(i >> 1));
      const expected = kept(backprojectReference(cut, grid, { interpolation }));
      const empty = expected.filter((value) => value === 0).length / expected.length;
      expect(empty).toBeGreaterThan(0.1);
      expect(empty).toBeLessThan(0.9);
      expect(signalToErrorDb(kept(image(cut, { blockTiles, taps })), expected)).toBeGreaterThan(80);
    }
  });
});

describe("on the CPU backend", () => {
  const grid = skewedGrid(150, 110, 0.2);
  const profiles = whiteProfiles(12, 200, 0.15);

  it.each([
    [1, "tiles", 1, 8],
    [2, "tiles", 1, 8],
    [2, "unpartitioned", 1, 8],
    [2, "dual", 3, 2],
    [2, "pulseSets", 3, 0],
  ] as const)("%d units give the bits of one call: %s, %d sets, blocks of %d", async (units, scheme, sets, blockTiles) => {
    const shape = shapeOf(profiles, grid, { scheme, sets, blockTiles });
    const kernel = backprojectionKernel(shape);
    const arrays = inputsOf(profiles, grid, shape);
    const uniforms = uniformsOf(profiles, grid, shape, 11);
    const before = noise(2 * sets * grid.nx * grid.ny);
    const expected = placeKernel(kernel, arrays, uniforms, { shared: units > 1 })(before, [[0, kernel.items]]);

    using device = await open(cpu({ workers: units }));
    using plan = await device.plan(kernel);
    expect(plan.text).toBe(`(kernel/wasm ${kernel.name})`);
    const buffers = Object.fromEntries(Object.entries(kernel.ports).map(([name, { layout }]) => [name, device.alloc(layout)]));
    for (const [name, values] of Object.entries({ ...arrays, [outputOf(shape)]: before })) buffers[name].write(values as Float32Array);
    await plan.run(buffers, { uniforms }).done;
    const found = (await buffers[outputOf(shape)].read()) as Float32Array;
    expect(bits(found).equals(bits(expected))).toBe(true);
  });
});

it("has a WASM form if numbers are exact as f32", () => {
  const shape = shapeOf(whiteProfiles(3, 40, 0.15), skewedGrid(20, 20, 0.2));
  expect(backprojectionKernel(shape).wasm).toMatchObject({ entry: "blocksLinear", precision: "f32", whole: false });
  expect(backprojectionKernel({ ...shape, nx: 2 ** 24 + 1 }).wasm).toBeUndefined();
});
