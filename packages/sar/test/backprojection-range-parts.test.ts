/**
 * Parts of range profiles: a window of an image has the bits that it has from whole profiles, wherever the platform flies and whatever the
 * pulses are motion-compensated to, and takes less memory.
 */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory } from "@dechirp/radar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createBackprojector } from "../src/backprojection/backprojector.ts";
import { backprojectionBytes, backprojectionRangeShare } from "../src/backprojection/canvas.ts";
import { createPositions, type GroundGrid, type ImageGrid, type PolarGrid } from "../src/backprojection/grid.ts";
import { type GridWindow, gridWindows, latticePixels } from "../src/backprojection/grid-window.ts";
import { type BackprojectorOptions, prepareBackprojection } from "../src/backprojection/prepare.ts";
import { rangePartsOf } from "../src/backprojection/range-part.ts";
import { squareGrid } from "./backprojection-scenes.ts";

const names = ["cpu", "gpu"] as const;
const devices = {} as Record<(typeof names)[number], Device>;
beforeAll(async () => {
  devices.cpu = await open(cpu({ workers: 2 }));
  devices.gpu = await open(gpu());
});
afterAll(() => {
  for (const name of names) devices[name][Symbol.dispose]();
});

const pulses = 37;
/** Frequencies for a swath of some 340 m. */
const frequency = { firstHz: 9.2e9, stepHz: 0.44e6, count: 72 };

/** Noise from a platform at `at(t)`, t from 0 to 1, with ranges to what `reference` says. */
function historyOf(
  seed: number,
  at: (t: number) => readonly number[],
  reference: (t: number, range: number) => number = (_, range) => range,
): PhaseHistory {
  const { gaussian } = createRandom(seed);
  const positions = new Float64Array(3 * pulses);
  const referenceRangeMeters = new Float64Array(pulses);
  for (let p = 0; p < pulses; p++) {
    const position = at(p / (pulses - 1));
    positions.set(position, 3 * p);
    referenceRangeMeters[p] = reference(p / (pulses - 1), Math.hypot(...position));
  }
  const samples = Float32Array.from({ length: 2 * pulses * frequency.count }, gaussian);
  return { positions, referenceRangeMeters, frequency, samples };
}

const circle = (range: number, height: number, from: number, to: number) => (t: number) => {
  const angle = from + (to - from) * t;
  return [range * Math.cos(angle), range * Math.sin(angle), height];
};

const flat: GroundGrid = { ...squareGrid(1, 0.3), nx: 231, ny: 165, originMeters: [-35, -24, 0] };
const random = createRandom(8);
const hilly: GroundGrid = {
  ...flat,
  nx: 101,
  ny: 77,
  originMeters: [-20, -17, 0],
  heightMeters: Float32Array.from({ length: 101 * 77 }, () => 3 * random.uniform()),
};
const polar: PolarGrid = {
  kind: "polar",
  centreMeters: [-60, 0, 0],
  firstRangeMeters: 30,
  rangeStepMeters: 0.3,
  firstAzimuthRadians: -0.3,
  azimuthStepRadians: 0.005,
  nx: 111,
  ny: 81,
  heightMeters: 1,
};

const cases: Record<string, readonly [PhaseHistory, ImageGrid, BackprojectorOptions?]> = {
  "a full circle around the scene": [historyOf(1, circle(7000, 5000, 0, 2 * Math.PI)), flat],
  "a straight flight with ranges of its own": [
    historyOf(
      2,
      (t) => [-3000, 900 * (t - 0.5), 2000],
      () => 3620,
    ),
    flat,
  ],
  "a reference point that moves": [historyOf(3, circle(4000, 3000, 1, 1.4), (t, range) => range + 90 * (t - 0.5)), flat],
  "a near platform": [historyOf(4, (t) => [-190, 60 * (t - 0.5), 60]), flat],
  "a platform above the scene": [historyOf(5, (t) => [30 * (t - 0.5), 4, 420]), flat],
  "a platform among the pixels": [historyOf(6, (t) => [70 * (t - 0.5), 3, 12]), { ...flat, nx: 120, ny: 100 }],
  "a scene half beyond the swath": [historyOf(7, circle(9000, 4000, 0.2, 0.3), (_, range) => range + 165), flat],
  "some windows beyond the swath for some pulses": [historyOf(8, circle(6000, 2000, 2, 2.2), (t, range) => range - 400 * t), flat],
  "pulse sets of small tiles": [historyOf(9, circle(6000, 2000, 2, 2.2)), flat, { tile: 16, sets: 3 }],
  "one pulse after the other": [historyOf(10, circle(6000, 2000, 2, 2.2)), flat, { tile: 16, scheme: "unpartitioned" }],
  "the sign of the other phase and bad pulses": [
    { ...historyOf(11, circle(6000, 2000, 4, 4.2)), phaseSign: 1, badPulses: [0, 17, 18] },
    flat,
    { pulsesPerBlock: 11 },
  ],
  "pulses that differ in their frequencies": [
    {
      ...historyOf(12, circle(6000, 2000, 4, 4.2)),
      pulseFrequencies: {
        firstHz: Float64Array.from({ length: pulses }, (_, p) => 9.2e9 + 1e4 * p),
        stepHz: Float64Array.from({ length: pulses }, (_, p) => 0.44e6 - 50 * p),
      },
    },
    flat,
  ],
  heights: [historyOf(13, circle(900, 500, 4, 4.6)), hilly],
  "a polar grid": [historyOf(14, circle(900, 500, 3, 3.4)), polar],
};

/** All windows of about 64 pixels, each from all pulses. */
async function windowsOf(device: Device, history: PhaseHistory, grid: ImageGrid, options: BackprojectorOptions) {
  const { plan } = prepareBackprojection(device, history, grid, options);
  const lattice = latticePixels(plan);
  const step = lattice * Math.max(1, Math.round(64 / lattice));
  const windows = [...gridWindows(grid, [step, step])];
  const images: Float32Array[] = [];
  using projector = await createBackprojector(device, history, grid, { ...options, gridWindow: windows[0] });
  for (const [i, gridWindow] of windows.entries()) {
    if (i > 0) await projector.begin({ gridWindow });
    await projector.add(history.samples);
    images.push(await projector.image());
  }
  return { windows, images };
}

const bits = ({ buffer, byteOffset, byteLength }: Float32Array): Buffer => Buffer.from(buffer, byteOffset, byteLength);

const onGpu = Object.keys(cases).filter((what) => /circle|near|half|sets|heights/.test(what));
describe.each(names)("windows on %s from parts of profiles", (name) => {
  it.each(name === "cpu" ? Object.keys(cases) : onGpu)("have the bits that they have from whole ones: %s", async (what) => {
    const [history, grid, given = {}] = cases[what];
    // Near platforms need small tiles: the lattice is then small, too.
    const options = { tile: 16, ...given };
    const { windows, images } = await windowsOf(devices[name], history, grid, options);
    const whole = await windowsOf(devices[name], history, grid, { ...options, rangeParts: false });
    expect(images.some((image) => image.some((value) => value !== 0))).toBe(true);
    for (const [i, image] of images.entries()) expect(bits(image).equals(bits(whole.images[i])), JSON.stringify(windows[i])).toBe(true);
  });
});

describe("a part of profiles", () => {
  const own: GridWindow = { ix: 64, iy: 32, nx: 16, ny: 16 };

  it.each(Object.keys(cases).filter((what) => what !== "a platform among the pixels"))("is small and holds every range: %s", (what) => {
    const [history, grid, options = {}] = cases[what];
    const prepared = prepareBackprojection(devices.cpu, history, grid, { tile: 16, ...options });
    const parts = rangePartsOf(prepared);
    const kept = parts.curvesOf(own) ?? Number.NaN;
    const { profiles, shape } = prepared;
    const { curves = 0 } = shape;
    expect(kept).toBeLessThan(0.4 * curves);
    expect(backprojectionRangeShare(prepared, own)).toBe(kept / curves);
    expect(backprojectionRangeShare({ ...prepared, rangeParts: false }, own)).toBe(1);
    const firsts = parts.firstsOf(own, kept, [0, shape.pulses]);
    const position = createPositions(grid);
    for (const [p, first] of firsts.entries()) {
      const [x, y, z] = history.positions.subarray(3 * p, 3 * p + 3);
      for (let i = 0; i < 16 * 16; i++) {
        const at = position(own.ix + (i % 16), own.iy + Math.floor(i / 16));
        const range = Math.hypot(at[0] - x, at[1] - y, at[2] - z) - history.referenceRangeMeters[p];
        const bin = Math.round((range - profiles.firstRangeMeters) / profiles.binMeters);
        if (bin < 0 || bin >= curves) continue;
        expect(bin - first, `pulse ${p}`).toBeGreaterThanOrEqual(0);
        expect(bin - first, `pulse ${p}`).toBeLessThan(kept);
      }
      expect(first + kept).toBeLessThanOrEqual(curves);
    }
  });

  it("is not taken where the platform is among the pixels, where profiles are read otherwise, and where the option says so", () => {
    const [history, grid] = cases["a platform among the pixels"];
    const extent = { nx: 16, ny: 16 };
    const curvesOf = (given: PhaseHistory, on: ImageGrid, options: BackprojectorOptions) =>
      rangePartsOf(prepareBackprojection(devices.cpu, given, on, { tile: 16, ...options })).curvesOf(extent);
    expect(curvesOf(history, grid, {})).toBeUndefined();
    const [far] = cases["a full circle around the scene"];
    expect(curvesOf(far, flat, {})).toBeGreaterThan(0);
    expect(curvesOf(far, flat, { interpolation: "linear" })).toBeUndefined();
    expect(curvesOf(far, flat, { rangeParts: false })).toBeUndefined();
    expect(() => curvesOf(far, flat, { rangeParts: 1 as unknown as boolean })).toThrow("rangeParts");
  });

  it("takes less memory on the device, as predicted", async () => {
    const [history, grid] = cases["a full circle around the scene"];
    const bytes: number[] = [];
    for (const rangeParts of [true, false]) {
      const options = { tile: 16, rangeParts };
      const prepared = prepareBackprojection(devices.cpu, history, grid, options);
      const edge = latticePixels(prepared.plan);
      using _ = await createBackprojector(devices.cpu, history, grid, { ...options, gridWindow: { ix: 0, iy: 0, nx: edge, ny: edge } });
      bytes.push(devices.cpu.memory().bytes);
      const tables = devices.cpu.memory().bytes - backprojectionBytes(prepared, { nx: edge, ny: edge });
      expect(tables).toBeGreaterThanOrEqual(0);
      expect(tables).toBeLessThan(2 ** 19);
    }
    expect(bytes[0]).toBeLessThan(0.75 * bytes[1]);
  });
});
