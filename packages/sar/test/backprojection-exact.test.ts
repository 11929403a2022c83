/**
 * Backprojection with its defaults against the sum over all frequencies in float64 (direct-sum.ts), which has no range profiles and
 * so no interpolation: 70 dB and more for any history. Histories differ in what interpolation depends on: the number of frequencies, which
 * sets how finely profiles are sampled; where in the band the energy is; how near to the end of the swath pixels are.
 */

import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { HistoryGeometry, PhaseHistory } from "@dechirp/radar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backproject } from "../src/backprojection/backprojector.ts";
import type { GroundGrid, ImageGrid, PolarGrid, Vec3 } from "../src/backprojection/grid.ts";
import { defaultInterpolation, profileInterpolationDb } from "../src/backprojection/profile-interpolation.ts";
import { compressProfiles, type ProfileGeometry, pulseCount } from "../src/backprojection/profiles.ts";
import { curvesOf } from "../src/backprojection/quadratic.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { circularTrack, linearTrack, simulatePhaseHistory } from "../src/backprojection/simulate.ts";
import { scatteredTargets } from "./backprojection-scenes.ts";
import { directSum } from "./direct-sum.ts";

const speedOfLight = 299792458;
/** In dB. */
const bar = 70;

const devices: Partial<Record<"cpu" | "gpu", Device>> = {};
beforeAll(async () => {
  devices.cpu = await open(cpu());
  devices.gpu = await open(gpu());
});
afterAll(() => {
  for (const opened of Object.values(devices)) opened[Symbol.dispose]();
});

/** Samples drawn one by one: a spectrum without any shape, so that every range has the same energy. `share` weighs frequency k. */
function noise(geometry: HistoryGeometry, seed: number, share: (k: number) => number = () => 1): PhaseHistory {
  const random = createRandom(seed);
  const { count } = geometry.frequency;
  const samples = Float32Array.from(
    { length: 2 * pulseCount(geometry) * count },
    (_, i) => random.gaussian() * share(Math.floor(i / 2) % count),
  );
  return { ...geometry, samples };
}

/** A track and the ranges to a point of the scene; `offset` moves r₀ away from it, differently for every pulse. */
function geometry(positions: Float64Array, frequency: HistoryGeometry["frequency"], centre: Vec3 = [0, 0, 0], offset = 0): HistoryGeometry {
  const pulses = positions.length / 3;
  const referenceRangeMeters = Float64Array.from(
    { length: pulses },
    (_, p) =>
      Math.hypot(positions[3 * p] - centre[0], positions[3 * p + 1] - centre[1], positions[3 * p + 2] - centre[2]) +
      offset * Math.sin(1 + p),
  );
  return { positions, referenceRangeMeters, frequency };
}

const square = (n: number, edgeMeters: number, centre: Vec3 = [0, 0, 0]): GroundGrid => ({
  kind: "ground",
  nx: n,
  ny: n,
  originMeters: [centre[0] - edgeMeters / 2, centre[1] - edgeMeters / 2, centre[2]],
  xStepMeters: [edgeMeters / (n - 1), 0, 0],
  yStepMeters: [0, edgeMeters / (n - 1), 0],
});

const airborne = circularTrack({ radiusMeters: 7089, altitudeMeters: 7276, firstRadians: 0.2, stepRadians: 0.0015, pulses: 24 });
const near = circularTrack({ radiusMeters: 400, altitudeMeters: 250, firstRadians: -1, stepRadians: 0.01, pulses: 20 });
const high = circularTrack({ radiusMeters: 2500, altitudeMeters: 1500, firstRadians: 2, stepRadians: 0.01, pulses: 20 });
const orbit = linearTrack({ middleMeters: [601e3, 0, 601e3], stepMeters: [0, 300, 0], pulses: 24 });
const gotcha = { firstHz: 9.288e9, stepHz: 1.4713e6, count: 424 };

interface Example {
  readonly history: () => PhaseHistory;
  readonly grid: ImageGrid;
}

/** A square whose farthest corner is `share` of half the swath, c/(4·step), from the reference range of some pulse. */
function reaching(share: number, n: number, { positions, referenceRangeMeters, frequency }: HistoryGeometry): GroundGrid {
  const half = (share * speedOfLight) / (4 * frequency.stepHz);
  let edge = half;
  for (let turn = 0; turn < 20; turn++) {
    let most = 0;
    for (let p = 0; p < referenceRangeMeters.length; p++) {
      for (const [x, y] of [
        [-edge / 2, -edge / 2],
        [edge / 2, -edge / 2],
        [-edge / 2, edge / 2],
        [edge / 2, edge / 2],
      ]) {
        const range = Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2]);
        most = Math.max(most, Math.abs(range - referenceRangeMeters[p]));
      }
    }
    edge *= half / most;
  }
  return square(n, edge);
}
const hundred = geometry(airborne, { firstHz: 9e9, stepHz: 3e6, count: 100 });
const three = geometry(airborne, { firstHz: 9e9, stepHz: 3e6, count: 3 });

const polar: PolarGrid = {
  kind: "polar",
  centreMeters: [3, -2, 0],
  firstRangeMeters: 1,
  rangeStepMeters: 0.4,
  firstAzimuthRadians: 0.1,
  azimuthStepRadians: 0.05,
  nx: 40,
  ny: 40,
};

const examples: Record<string, Example> = {
  "an aircraft's X band, noise": { history: () => noise(geometry(airborne, gotcha, [0, 0, 0], 0.4), 1), grid: square(48, 60) },
  "an aircraft's X band, points": {
    history: () =>
      simulatePhaseHistory({ positions: airborne, frequency: gotcha, targets: scatteredTargets(20, 30, 3), noise: { snrDb: 20 }, seed: 3 }),
    grid: square(48, 60),
  },
  "512 frequencies: eight bins for each and no more": {
    history: () => noise(geometry(airborne, { firstHz: 9e9, stepHz: 1e6, count: 512 }), 2),
    grid: square(40, 80),
  },
  "energy at the ends of the band alone, eight bins for each frequency": {
    history: () => noise(geometry(airborne, { firstHz: 9e9, stepHz: 1e6, count: 512 }), 3, (k) => (k < 8 || k >= 504 ? 1 : 0)),
    grid: square(40, 80),
  },
  "513 frequencies: sixteen bins for each": {
    history: () => noise(geometry(airborne, { firstHz: 9e9, stepHz: 1e6, count: 513 }), 4),
    grid: square(40, 80),
  },
  "two frequencies": { history: () => noise(geometry(airborne, { firstHz: 1e9, stepHz: 2e6, count: 2 }), 5), grid: square(40, 60) },
  "five frequencies": { history: () => noise(geometry(airborne, { firstHz: 3e9, stepHz: 1e6, count: 5 }), 6), grid: square(40, 100) },
  "16 frequencies, far apart": {
    history: () => noise(geometry(near, { firstHz: 5e9, stepHz: 20e6, count: 16 }), 7),
    grid: square(40, 4),
  },
  "a band of 60 % of its centre, near": {
    history: () => noise(geometry(near, { firstHz: 0.7e9, stepHz: 6e6, count: 100 }), 8),
    grid: square(40, 20),
  },
  "a band from 30 to 90 MHz": {
    history: () => noise(geometry(high, { firstHz: 30e6, stepHz: 1e6, count: 61 }), 9),
    grid: square(40, 120),
  },
  "an orbit, C band": {
    history: () => noise(geometry(orbit, { firstHz: 5.3e9, stepHz: 0.1e6, count: 600 }), 10),
    grid: square(40, 900),
  },
  "an orbit, X band, points": {
    history: () =>
      simulatePhaseHistory({
        positions: orbit,
        frequency: { firstHz: 9.3e9, stepHz: 0.6e6, count: 500 },
        targets: scatteredTargets(16, 90, 2),
        noise: { snrDb: 0 },
        seed: 2,
      }),
    grid: square(40, 180),
  },
  "to the end of the swath": {
    history: () => noise(hundred, 11),
    grid: reaching(1 - 1e-6, 48, hundred),
  },
  "to the end of the swath, three frequencies": {
    history: () => noise(three, 12),
    grid: reaching(1 - 1e-6, 48, three),
  },
  "a polar grid": { history: () => noise(geometry(near, { firstHz: 5e9, stepHz: 2e6, count: 150 }), 13), grid: polar },
  "heights of every pixel": {
    history: () => noise(geometry(near, { firstHz: 5e9, stepHz: 2e6, count: 150 }), 14),
    grid: { ...square(40, 16), heightMeters: Float32Array.from({ length: 1600 }, (_, i) => Math.sin(i) * 0.3) },
  },
  "numbers of 1e-12": {
    history: () => noise(geometry(airborne, gotcha), 15, () => 1e-12),
    grid: square(40, 60),
  },
};

const known = new Map<string, { readonly history: PhaseHistory; readonly exact: Float64Array }>();
function exactOf(name: string) {
  const made = known.get(name);
  if (made) return made;
  const history = examples[name].history();
  const both = { history, exact: directSum(history, examples[name].grid) };
  known.set(name, both);
  return both;
}

/** Cases whose kernels differ when a GPU compiles them. Compiling takes most of the time in software. */
const compiled = [
  "an aircraft's X band, noise",
  "energy at the ends of the band alone, eight bins for each frequency",
  "two frequencies",
  "an orbit, C band",
  "to the end of the swath",
  "a polar grid",
  "heights of every pixel",
  "numbers of 1e-12",
];

describe("with its defaults, 70 dB against the sum over frequencies", () => {
  it.each([...Object.keys(examples).map((name) => ["cpu", name] as const), ...compiled.map((name) => ["gpu", name] as const)])(
    "on the %s: %s",
    async (on, name) => {
      const { history, exact } = exactOf(name);
      const { image } = await backproject(devices[on] as Device, history, examples[name].grid);
      expect(signalToErrorDb(image, exact)).toBeGreaterThan(bar);
    },
  );
});

describe("in the fast mode, 60 dB", () => {
  it.each([...Object.keys(examples).map((name) => ["cpu", name] as const), ...compiled.slice(0, 3).map((name) => ["gpu", name] as const)])(
    "on the %s: %s",
    async (on, name) => {
      const { history, exact } = exactOf(name);
      const { image } = await backproject(devices[on] as Device, history, examples[name].grid, { mode: "fast" });
      expect(signalToErrorDb(image, exact)).toBeGreaterThan(60);
    },
  );
});

describe("what leads to the same image", () => {
  const name = "to the end of the swath";

  it("from profiles that were compressed before, in float32 and in float64", async () => {
    const { history, exact } = exactOf(name);
    const { grid } = examples[name];
    expect(signalToErrorDb(backprojectReference(compressProfiles(history, { dtype: "c128" }), grid), exact)).toBeGreaterThan(75);
    const { image } = await backproject(devices.cpu as Device, compressProfiles(history), grid);
    expect(signalToErrorDb(image, exact)).toBeGreaterThan(bar);
  });

  it.each([
    { carrier: "first" },
    { bins: 128 },
    { bins: 256, carrier: "first" },
    { bins: 512 },
    { bins: 16384 },
    { bins: 4096, interpolation: { kind: "sinc", taps: 8, window: "kaiser" } },
  ] as const)("with other bins and carriers: %j", async (options) => {
    // In the middle of the swath, a kernel of many taps has all of them.
    const { history } = exactOf(name);
    const grid = reaching(0.4, 32, hundred);
    const { image } = await backproject(devices.cpu as Device, history, grid, options);
    expect(signalToErrorDb(image, directSum(history, grid))).toBeGreaterThan(bar);
  });
});

describe("the default interpolation", () => {
  const profilesOf = (oversampling: number): ProfileGeometry => ({
    positions: new Float64Array(3),
    referenceRangeMeters: new Float64Array(1),
    bins: 4096,
    binMeters: speedOfLight / (2 * 100e6 * oversampling),
    firstRangeMeters: 0,
    carrierHz: 1e9,
    bandwidthHz: 100e6,
  });

  it("reaches 80 dB of a flat spectrum, by parabolas from eight bins for each frequency on, by a sinc below", () => {
    for (const oversampling of [1.2, 1.33, 1.5, 2, 3, 4, 6, 7.99, 8, 9.66, 16, 64, 1000]) {
      const interpolation = defaultInterpolation(profilesOf(oversampling));
      expect(profileInterpolationDb(interpolation, profilesOf(oversampling)), `${oversampling}`).toBeGreaterThan(80);
      expect(interpolation === "quadratic", `${oversampling}`).toBe(oversampling >= 8);
    }
    // A band that begins at zero takes twice the bins.
    expect(defaultInterpolation({ ...profilesOf(15), bandCentreHz: 1.05e9 })).not.toBe("quadratic");
    expect(defaultInterpolation({ ...profilesOf(16), bandCentreHz: 1.05e9 })).toBe("quadratic");
  });

  it("is as exact as stated: noise read between bins", () => {
    const count = 424;
    const history = noise(geometry(airborne.slice(0, 3), { ...gotcha, count }), 20);
    for (const [interpolation, carrier] of [
      ["quadratic", "centre"],
      ["linear", "centre"],
      ["linear", "first"],
      [{ kind: "sinc", taps: 4, window: "knab" }, "centre"],
    ] as const) {
      const profiles = compressProfiles(history, { bins: 4096, carrier, dtype: "c128" });
      // So far apart that pixels are independent.
      const grid: GroundGrid = { ...square(2, 60), nx: 4000, ny: 1, xStepMeters: [0.0151, 0, 0], yStepMeters: [0, 1, 0] };
      const found = signalToErrorDb(backprojectReference(profiles, grid, { interpolation }), directSum(history, grid));
      const said = profileInterpolationDb(interpolation, profiles);
      // Each draw of the noise spreads its energy over the band differently.
      expect(Math.abs(found - said), `${JSON.stringify(interpolation)} ${carrier}: ${found} for ${said}`).toBeLessThan(1.5);
    }
  });

  it("goes round if bins fill the period, and not if they were cut", async () => {
    const { history } = exactOf("to the end of the swath");
    const { grid } = examples["to the end of the swath"];
    const profiles = compressProfiles(history);
    expect(curvesOf(profiles)).toBe(profiles.bins + 1);
    const bins = profiles.bins - 40;
    const samples = Float32Array.from({ length: 2 * pulseCount(history) * bins }, (_, i) => {
      const pulse = Math.floor(i / (2 * bins));
      return profiles.samples[2 * (pulse * profiles.bins + 20) + (i % (2 * bins))];
    });
    const cut = { ...profiles, bins, samples, firstRangeMeters: profiles.firstRangeMeters + 20 * profiles.binMeters };
    expect(curvesOf(cut)).toBe(bins);
    const { image } = await backproject(devices.cpu as Device, cut, grid);
    expect(signalToErrorDb(image, backprojectReference(cut, grid))).toBeGreaterThan(80);
    // Some corner is beyond the remaining profiles.
    const whole = (await backproject(devices.cpu as Device, profiles, grid)).image;
    const corners = [0, grid.nx - 1, grid.nx * (grid.ny - 1), grid.nx * grid.ny - 1];
    expect(corners.some((pixel) => Math.abs(image[2 * pixel] - whole[2 * pixel]) > 0.01 * Math.abs(whole[2 * pixel]))).toBe(true);
  });

  it("is refused if it is not valid", async () => {
    await expect(
      backproject(devices.cpu as Device, exactOf("two frequencies").history, square(8, 10), { interpolation: "cubic" as "linear" }),
    ).rejects.toMatchObject({ code: "input", fields: { field: "interpolation" } });
  });
});
