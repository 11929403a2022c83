/** Backprojection through its public functions, on every kind of device, against float64. */

import { createRandom, type Device, isRadarError, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory } from "@dechirp/radar";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { backproject, createBackprojector } from "../src/backprojection/backprojector.ts";
import { blockAnchors, stepSquares } from "../src/backprojection/blocks.ts";
import { describePartition } from "../src/backprojection/choose.ts";
import type { GroundGrid, ImageGrid, PolarGrid } from "../src/backprojection/grid.ts";
import { type BackprojectorOptions, prepareBackprojection } from "../src/backprojection/prepare.ts";
import { compressProfiles, cyclesPerMeter, pulseCount, type RangeProfiles } from "../src/backprojection/profiles.ts";
import { backprojectionProgram } from "../src/backprojection/program.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { scenes } from "./backprojection-scenes.ts";

const devices: Partial<Record<"cpu" | "gpu", Device>> = {};
const device = (name: "cpu" | "gpu"): Device => devices[name] as Device;

const openAll = async (): Promise<void> => {
  devices.cpu = await open(cpu());
  devices.gpu = await open(gpu());
};
beforeAll(openAll);
afterAll(() => {
  for (const opened of Object.values(devices)) opened[Symbol.dispose]();
});
afterEach(async ({ task }) => {
  // A test that fails or takes too long may leave something on its devices, or still be running. The next test gets new devices.
  if (task.result?.state === "fail") return openAll();
  for (const opened of Object.values(devices)) expect(opened.memory()).toMatchObject({ buffers: 0, plans: 0 });
});

/** Part of a scene's grid, off its middle; no whole number of tiles. */
const part = (grid: GroundGrid, nx = 75, ny = 50): GroundGrid => ({
  ...grid,
  nx,
  ny,
  originMeters: [grid.originMeters[0] + 187 * grid.xStepMeters[0], grid.originMeters[1] + 286 * grid.yStepMeters[1], 0],
});

const histories = new Map<string, PhaseHistory>();
function historyOf(scene: keyof typeof scenes): PhaseHistory {
  const known = histories.get(scene) ?? scenes[scene].history();
  histories.set(scene, known);
  return known;
}

const sinc8 = { kind: "sinc", taps: 8, window: "kaiser" } as const;
const airborne = part(scenes.airborne.grid);

async function serOf(on: Device, history: PhaseHistory, grid: ImageGrid, options: BackprojectorOptions): Promise<number> {
  const { image } = await backproject(on, history, grid, options);
  const profiles = compressProfiles(history, { ...options, dtype: "c128" });
  return signalToErrorDb(image, backprojectReference(profiles, grid, options));
}

describe.each(["cpu", "gpu"] as const)("backprojection on the %s", (name) => {
  describe.each(["airborne", "spaceborne"] as const)("%s", (scene) => {
    const variants: readonly BackprojectorOptions[] = [
      {},
      { tile: 64, order: 3 },
      { tile: 24, sets: 3, pulsesPerBlock: 22 },
      { interpolation: "linear" },
      { bins: 1024, interpolation: sinc8 },
      { tile: 32, scheme: "pulseSets", sets: 2 },
      { tile: 16, scheme: "unpartitioned" },
      { tile: 32, windowBytes: 0 },
    ];
    it.each(variants)("keeps 80 dB with %j", async (options) => {
      expect(await serOf(device(name), historyOf(scene), part(scenes[scene].grid), options)).toBeGreaterThan(80);
    });

    it("keeps 60 dB in the fast mode", async () => {
      expect(await serOf(device(name), historyOf(scene), part(scenes[scene].grid), { mode: "fast" })).toBeGreaterThan(60);
    });

    it("loses what a table of 1024 sines loses", async () => {
      // Angles are off by up to 1/2048 of a cycle, evenly spread: an error of π/1024/√3 in the mean, −55.0 dB.
      const ser = await serOf(device(name), historyOf(scene), part(scenes[scene].grid), { sine: "table" });
      expect(ser).toBeGreaterThan(53);
      expect(ser).toBeLessThan(60);
    });
  });

  const random = createRandom(7);
  const heightMeters = Float32Array.from({ length: airborne.nx * airborne.ny }, () => 3 * random.uniform());
  const polar: PolarGrid = {
    kind: "polar",
    centreMeters: [-30, 5, 1],
    firstRangeMeters: 20,
    rangeStepMeters: 0.2,
    firstAzimuthRadians: 0.3,
    azimuthStepRadians: 0.004,
    nx: 61,
    ny: 45,
    heightMeters: 2,
  };
  const steep: GroundGrid = { ...airborne, xStepMeters: [0.15, 0.05, 0.08], yStepMeters: [-0.06, 0.2, 0.01] };
  const grids: Record<string, ImageGrid> = {
    "a height of every pixel": { ...airborne, heightMeters },
    "a polar grid": polar,
    "a slanted plane": steep,
  };
  it.each(Object.keys(grids))("keeps 80 dB on %s", async (grid) => {
    expect(await serOf(device(name), historyOf("airborne"), grids[grid], {})).toBeGreaterThan(80);
    expect(
      await serOf(device(name), historyOf("airborne"), grids[grid], { tile: 16, sets: 2, bins: 1024, interpolation: sinc8 }),
    ).toBeGreaterThan(80);
  });

  it("keeps 80 dB on coarse grids with heights, for which float32 rounds larger tiles too much", async () => {
    const coarse: GroundGrid = {
      ...airborne,
      nx: 90,
      ny: 70,
      originMeters: [-36, -28, 0],
      xStepMeters: [0.8, 0, 0],
      yStepMeters: [0, 0.8, 0],
      heightMeters: Float32Array.from({ length: 90 * 70 }, (_, i) => Math.sin(i / 50)),
    };
    expect(await serOf(device(name), historyOf("airborne"), coarse, {})).toBeGreaterThan(80);
    expect(await serOf(device(name), historyOf("airborne"), coarse, { mode: "fast" })).toBeGreaterThan(60);
  });

  it.each([{}, { interpolation: "linear" }, { interpolation: "quadratic" }, { interpolation: sinc8 }, { windowBytes: 0 }] as const)(
    "leaves out what profiles do not hold: %j",
    async (options) => {
      // The middle third of the bins: pixels beyond it get nothing, pixels at its ends the pulses that reach them.
      const profiles = compressProfiles(historyOf("airborne"), { bins: 1024 });
      const [first, bins] = [430, 90];
      const cut: RangeProfiles = {
        ...profiles,
        bins,
        firstRangeMeters: profiles.firstRangeMeters + first * profiles.binMeters,
        samples: Float32Array.from({ length: 2 * bins * pulseCount(profiles) }, (_, at) => {
          const pulse = Math.floor(at / (2 * bins));
          return profiles.samples[2 * (pulse * 1024 + first) + (at % (2 * bins))];
        }),
      };
      const grid: GroundGrid = {
        ...airborne,
        nx: 48,
        ny: 200,
        yStepMeters: [0, 0.05, 0],
        originMeters: [-3, -6, 0],
        xStepMeters: [0.4, 0, 0],
      };
      const reference = backprojectReference(cut, grid, options);
      const { image } = await backproject(device(name), cut, grid, options);
      expect(signalToErrorDb(image, reference)).toBeGreaterThan(60);
      const empty = reference.reduce((count, value) => count + (value === 0 ? 1 : 0), 0);
      expect(empty).toBeGreaterThan(reference.length / 10);
      expect(empty).toBeLessThan((9 * reference.length) / 10);
      reference.forEach((value, at) => {
        if (value === 0 && reference[at ^ 1] === 0) expect(image[at]).toBe(0);
      });
    },
  );

  it("adds pulses in any portions to a given image", async () => {
    const history = historyOf("airborne");
    const whole = await backproject(device(name), history, airborne, { pulsesPerBlock: 20 });
    const into = Float32Array.from({ length: 2 * airborne.nx * airborne.ny }, (_, at) => at % 7);
    using projector = await createBackprojector(device(name), history, airborne, { pulsesPerBlock: 20, into });
    const width = 2 * history.frequency.count;
    for (const [from, to] of [
      [0, 3],
      [3, 3],
      [3, 50],
      [50, 59],
    ]) {
      await projector.add(history.samples.subarray(from * width, to * width));
      expect(projector.pulses).toBe(to);
    }
    const image = await projector.image();
    expect(
      signalToErrorDb(
        image.map((value, at) => value - into[at]),
        whole.image,
      ),
    ).toBeGreaterThan(110);
    expect(into[8]).toBe(1);
  });

  it("makes calls wait for those before them", async () => {
    const history = historyOf("airborne");
    const whole = await backproject(device(name), history, airborne, { pulsesPerBlock: 20 });
    using projector = await createBackprojector(device(name), history, airborne, { pulsesPerBlock: 20 });
    const portion = (from: number, to: number): Float32Array => history.samples.subarray(2 * 424 * from, 2 * 424 * to);
    const added = [portion(0, 33), portion(33, 50), portion(50, 59), portion(0, 1)].map((samples) => projector.add(samples));
    const image = await projector.image();
    expect((await Promise.allSettled(added)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "fulfilled", "rejected"]);
    expect(signalToErrorDb(image, whole.image)).toBeGreaterThan(110);
  });

  it("has no image after an abort", async () => {
    const history = historyOf("airborne");
    using projector = await createBackprojector(device(name), history, airborne, { pulsesPerBlock: 20 });
    await projector.add(history.samples.subarray(0, 2 * 424));
    await expect(projector.add(history.samples.subarray(2 * 424), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "aborted",
    });
    await expect(projector.image()).rejects.toMatchObject({ code: "aborted" });
    await expect(projector.add(history.samples.subarray(2 * 424))).rejects.toMatchObject({ code: "aborted" });
  });

  it("reports progress, and stops when aborted", async () => {
    const history = historyOf("airborne");
    const seen: number[] = [];
    await backproject(device(name), history, airborne, { pulsesPerBlock: 10, onProgress: ({ pulses, of }) => seen.push(pulses, of) });
    expect(seen).toEqual([10, 59, 20, 59, 30, 59, 40, 59, 50, 59, 59, 59]);
    const controller = new AbortController();
    const stopped = backproject(device(name), history, airborne, {
      pulsesPerBlock: 10,
      signal: controller.signal,
      onProgress: ({ pulses }) => {
        seen.push(pulses);
        if (pulses === 20) controller.abort();
      },
    });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    expect(seen.at(-1)).toBe(20);
  });

  it("fails with what its listener throws or rejects with", async () => {
    const cause = Object.create(null);
    for (const onProgress of [
      () => {
        throw cause;
      },
      () => Promise.reject(cause),
    ]) {
      const failed = backproject(device(name), historyOf("airborne"), airborne, { pulsesPerBlock: 30, onProgress });
      await expect(failed).rejects.toSatisfy((error: Error) => isRadarError(error, "failed") && error.cause === cause);
    }
  });
});

test.each([
  { sets: 3, tile: 16 },
  { bins: 1024, interpolation: sinc8, scheme: "tiles" },
] as const)("both devices agree after every stage: %j", async (options) => {
  const history = historyOf("airborne");
  const { shape, compression, profiles } = prepareBackprojection(device("gpu"), history, airborne, options);
  const program = backprojectionProgram(shape, compression);
  const anchors = blockAnchors(profiles, airborne, shape.tile, { blockTiles: shape.blockTiles }).uints;
  const [squareXX, squareXY, squareYY] = stepSquares(airborne, profiles.binMeters);
  const image = Float32Array.from({ length: 2 * airborne.nx * airborne.ny }, (_, at) => Math.sin(at));
  const cyclesPerBin = cyclesPerMeter(profiles) * profiles.binMeters;
  const uniforms = { squareXX, squareXY, squareYY, cyclesPerBin, count: shape.pulses };
  const { stages } = await compare(program, device("gpu"), device("cpu"), { samples: history.samples, anchors, image }, { uniforms });
  expect(stages.map(({ stage }) => stage)).toEqual(program.steps.map(({ name }) => name));
  // 80 dB.
  for (const { stage, relativeL2 } of stages) expect.soft(relativeL2, stage).toBeLessThan(1e-4);
});

describe("requests that make no image", () => {
  const history = (): PhaseHistory => historyOf("airborne");
  const changed = (change: Partial<PhaseHistory>): PhaseHistory => ({ ...history(), ...change });
  const nan = (values: Float64Array, at: number): Float64Array => values.map((value, i) => (i === at ? Number.NaN : value));
  const cases: Record<string, readonly [string, () => Promise<unknown>]> = {
    "positions that are no number": [
      "history.positions[4]",
      () => backproject(device("cpu"), changed({ positions: nan(history().positions, 4) }), airborne),
    ],
    "a reference range that is no number": [
      "history.referenceRangeMeters[3]",
      () => backproject(device("cpu"), changed({ referenceRangeMeters: nan(history().referenceRangeMeters, 3) }), airborne),
    ],
    "no bandwidth": [
      "history.frequency.stepHz",
      () => backproject(device("cpu"), changed({ frequency: { ...history().frequency, stepHz: 0 } }), airborne),
    ],
    "samples of other pulses": [
      "history.samples.length",
      () => backproject(device("cpu"), changed({ samples: history().samples.subarray(2) }), airborne),
    ],
    "a scene outside the swath": ["grid", () => backproject(device("cpu"), history(), { ...airborne, originMeters: [400, 0, 0] })],
    "an image of no pixels": ["grid.nx", () => backproject(device("cpu"), history(), { ...airborne, nx: 0 })],
    "a tile that is no multiple of 8": ["tile", () => backproject(device("cpu"), history(), airborne, { tile: 20 })],
    "pulse sets of none": ["sets", () => backproject(device("cpu"), history(), airborne, { sets: 0 })],
    "an unknown scheme": ["scheme", () => backproject(device("cpu"), history(), airborne, { scheme: "mosaic" as "tiles" })],
    "an unknown sine": ["sine", () => backproject(device("cpu"), history(), airborne, { sine: "exact" as "native" })],
    "an unknown mode": ["mode", () => backproject(device("cpu"), history(), airborne, { mode: "slow" as "fast" })],
    "an order there is not": ["order", () => backproject(device("cpu"), history(), airborne, { order: 4 as 3 })],
    "invocations of no power of two": ["invocations", () => backproject(device("cpu"), history(), airborne, { invocations: 48 })],
    "windows of less than nothing": ["windowBytes", () => backproject(device("cpu"), history(), airborne, { windowBytes: -1 })],
    "blocks of no pulses": ["pulsesPerBlock", () => backproject(device("cpu"), history(), airborne, { pulsesPerBlock: 0 })],
    "an image of another shape": ["into", () => backproject(device("cpu"), history(), airborne, { into: new Float32Array(12) })],
    "nothing to project": ["source", () => backproject(device("cpu"), undefined as unknown as PhaseHistory, airborne)],
    "a tile too large for its invocations": [
      "invocations",
      () => backproject(device("cpu"), history(), airborne, { tile: 128, invocations: 128 }),
    ],
    ...Object.fromEntries(
      Object.entries({ bins: 8192, window: { kind: "hann" }, carrier: "first" } as const).map(([field, value]) => [
        `profiles and the option ${field} of phase histories`,
        [field, () => backproject(device("cpu"), compressProfiles(history()), airborne, { [field]: value })] as const,
      ]),
    ),
    "profiles shorter than the band": ["bins", () => backproject(device("cpu"), history(), airborne, { bins: 256 })],
  };
  test.each(Object.keys(cases))("%s", async (name) => {
    const [field, request] = cases[name];
    await expect(request()).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  test("unknown options", async () => {
    const options = { intepolation: "linear" } as never;
    await expect(backproject(device("cpu"), historyOf("airborne"), airborne, options)).rejects.toMatchObject({
      code: "input",
      fields: { field: "intepolation" },
    });
  });

  test("images beyond either end of the swath", () => {
    const [count, stepHz, range] = [2, 1e6, 1000];
    const half = 299_792_458 / (4 * stepHz);
    const source = {
      frequency: { firstHz: 1e9, stepHz, count },
      positions: Float64Array.of(-range, 0, 0),
      referenceRangeMeters: Float64Array.of(range),
    };
    for (const share of [-1.2, -0.99, 0.99, 1.2]) {
      const grid: GroundGrid = {
        kind: "ground",
        nx: 1,
        ny: 1,
        originMeters: [share * half, 0, 0],
        xStepMeters: [0.1, 0, 0],
        yStepMeters: [0, 0.1, 0],
      };
      const plan = () => prepareBackprojection(device("cpu"), source, grid);
      if (Math.abs(share) < 1) expect(plan).not.toThrow();
      else expect(plan).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "grid" }) }));
    }
  });

  test("samples that are not whole pulses, or more than the aperture has", async () => {
    using projector = await createBackprojector(device("cpu"), history(), airborne, {});
    await expect(projector.add(new Float32Array(13))).rejects.toMatchObject({ fields: { field: "samples.length" } });
    await expect(projector.add(new Float32Array(60 * 2 * 424))).rejects.toMatchObject({ fields: { field: "samples.length" } });
    expect(projector.pulses).toBe(0);
  });

  test("more pulse sets than a block has pulses", () => {
    const { partition, shape } = prepareBackprojection(device("cpu"), history(), airborne, { tile: 32, sets: 8, pulsesPerBlock: 5 });
    expect(shape).toMatchObject({ sets: 5, pulses: 5 });
    expect(partition).toMatchObject({ sets: 5, pulsesPerSet: 1, pulsesPerPass: 5, tile: 32, scheme: "dual" });
    expect(describePartition(partition)).toContain("5 pulse sets of 1, 12 passes over the image");
    const five = prepareBackprojection(device("cpu"), history(), airborne, { tile: 32, sets: 5, pulsesPerBlock: 5 }).partition;
    expect(partition.trafficBytes).toEqual(five.trafficBytes);
  });

  test("an image larger than the device can hold", async () => {
    using small = await open(cpu({ maxBufferBytes: 2 ** 20, workers: 1 }));
    await expect(backproject(small, history(), scenes.airborne.grid)).rejects.toMatchObject({ code: "limit" });
    // One image fits, eight do not.
    const eight = backproject(small, history(), { ...scenes.airborne.grid, nx: 256, ny: 256 }, { bins: 512, sets: 8 });
    await expect(eight).rejects.toMatchObject({ code: "limit", fields: { field: "sets" } });
    expect(small.memory()).toMatchObject({ buffers: 0, plans: 0, peakBytes: 4 });
  });

  test("more pulses a block than there is room for anchors", () => {
    const grid: ImageGrid = { ...airborne, nx: 1024, ny: 1024, heightMeters: new Float32Array(1024 ** 2) };
    const pulses = 4096;
    const source = {
      ...history(),
      positions: new Float64Array(3 * pulses).fill(1e4),
      referenceRangeMeters: new Float64Array(pulses).fill(17320),
    };
    const { shape } = prepareBackprojection(device("cpu"), source, grid, { tile: 8, pulsesPerBlock: pulses });
    // 128 × 128 tiles, 32 bytes each.
    expect(shape.pulses * 128 ** 2 * 32).toBeLessThanOrEqual(2 ** 29);
    expect(shape.pulses).toBeGreaterThan(1);
  });
});
