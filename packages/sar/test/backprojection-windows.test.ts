/**
 * Backprojection in windows: the windows of an image have the bits of the whole image, whatever the grid, the scheme and the portions in
 * which pulses come; and plans as data, which make the same image elsewhere and which nothing else than a valid plan passes for.
 */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory } from "@dechirp/radar";
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from "vitest";
import { type Backprojector, backproject, createBackprojector } from "../src/backprojection/backprojector.ts";
import { backprojectionBytes } from "../src/backprojection/canvas.ts";
import type { GroundGrid, ImageGrid, PolarGrid } from "../src/backprojection/grid.ts";
import { checkGridWindow, type GridWindow, gridWindows, latticePixels } from "../src/backprojection/grid-window.ts";
import type { BackprojectionPlan } from "../src/backprojection/plan.ts";
import { type BackprojectorOptions, planBackprojection, prepareBackprojection } from "../src/backprojection/prepare.ts";
import { compressProfiles } from "../src/backprojection/profiles.ts";
import { simulatePhaseHistory } from "../src/backprojection/simulate.ts";
import { scatteredTargets, squareGrid } from "./backprojection-scenes.ts";

const names = ["one unit", "two units", "gpu"] as const;
type Name = (typeof names)[number];
const devices = {} as Record<Name, Device>;
beforeAll(async () => {
  devices["one unit"] = await open(cpu({ workers: 1 }));
  devices["two units"] = await open(cpu({ workers: 2 }));
  devices.gpu = await open(gpu());
});
afterAll(() => {
  for (const name of names) devices[name][Symbol.dispose]();
});
afterEach(() => {
  for (const name of names) expect(devices[name].memory()).toMatchObject({ buffers: 0, plans: 0 });
});

/** An aircraft on a random, uneven path at 8 to 12 km from the scene. */
function randomHistory(seed: number, pulses: number, count = 96): PhaseHistory {
  const { uniform } = createRandom(seed);
  const [azimuth, elevation] = [2 * Math.PI * uniform(), 0.4 + 0.7 * uniform()];
  const range = 8000 + 4000 * uniform();
  const positions = new Float64Array(3 * pulses);
  for (let p = 0; p < pulses; p++) {
    const a = azimuth + (0.06 * p) / pulses + 1e-4 * uniform();
    const at = [range * Math.cos(elevation) * Math.cos(a), range * Math.cos(elevation) * Math.sin(a), range * Math.sin(elevation)];
    positions.set(
      at.map((x) => x + 5 * uniform()),
      3 * p,
    );
  }
  return simulatePhaseHistory({
    positions,
    frequency: { firstHz: 9.3e9, stepHz: 1.1e6, count },
    targets: scatteredTargets(6, 40, seed),
    noise: { snrDb: 0 },
    seed,
  });
}

const flat: GroundGrid = { ...squareGrid(1, 0.1937), nx: 437, ny: 341, originMeters: [-47.3, -31.7, 0.3] };
const slanted: GroundGrid = { ...flat, xStepMeters: [0.15, 0.05, 0.08], yStepMeters: [-0.06, 0.2, 0.01] };
const random = createRandom(3);
const hilly: GroundGrid = {
  ...flat,
  nx: 201,
  ny: 139,
  originMeters: [-21, -11, 0],
  heightMeters: Float32Array.from({ length: 201 * 139 }, () => 2 * random.uniform()),
};
const polar: PolarGrid = {
  kind: "polar",
  centreMeters: [-30, 5, 1],
  firstRangeMeters: 20,
  rangeStepMeters: 0.2,
  firstAzimuthRadians: 0.3,
  azimuthStepRadians: 0.004,
  nx: 173,
  ny: 131,
  heightMeters: 2,
};

/** Pulses of a history or of profiles, handed over in random portions. */
async function addAll(projector: Backprojector, { samples }: PhaseHistory, width: number, seed: number): Promise<void> {
  const { uniform } = createRandom(seed);
  for (let from = 0; from < samples.length; ) {
    const to = Math.min(samples.length, from + 2 * width * Math.ceil(30 * uniform()));
    await projector.add(samples.subarray(from, to));
    from = to;
  }
}

/** The pixels of `window` in the image of `grid`. */
function cut(image: Float32Array, grid: ImageGrid, { ix, iy, nx, ny }: GridWindow): Float32Array {
  const out = new Float32Array(2 * nx * ny);
  for (let y = 0; y < ny; y++) out.set(image.subarray(2 * ((iy + y) * grid.nx + ix), 2 * ((iy + y) * grid.nx + ix + nx)), 2 * y * nx);
  return out;
}

/** Number of values whose bits differ. */
function differences(a: Float32Array, b: Float32Array): number {
  expect(a.length).toBe(b.length);
  const [x, y] = [a, b].map(({ buffer, byteOffset, length }) => new Uint32Array(buffer, byteOffset, length));
  return x.reduce((count, word, i) => count + (word === y[i] ? 0 : 1), 0);
}

const cases: Record<string, readonly [ImageGrid, BackprojectorOptions]> = {
  "a flat grid": [flat, {}],
  "a flat grid in sets": [flat, { sets: 3, tile: 16 }],
  "a flat grid by tiles": [flat, { scheme: "tiles", tile: 32, pulsesPerBlock: 13 }],
  "pulse sets without windows of bins": [flat, { scheme: "pulseSets", sets: 2, tile: 16 }],
  "one pulse after the other": [flat, { scheme: "unpartitioned", tile: 16 }],
  "a slanted plane with sincs": [slanted, { bins: 256, interpolation: { kind: "sinc", taps: 8, window: "kaiser" }, tile: 16 }],
  "lines and sines of a table": [slanted, { interpolation: "linear", sine: "table", order: 3, tile: 24 }],
  "the fast mode": [flat, { mode: "fast", window: { kind: "hann" }, carrier: "first" }],
  heights: [hilly, {}],
  "heights in sets": [hilly, { sets: 4, tile: 16, pulsesPerBlock: 17 }],
  "a polar grid": [polar, {}],
  "a polar grid in sets": [polar, { sets: 2, tile: 8 }],
};

describe.each(names)("windows on %s", (name) => {
  it.each(Object.keys(cases))("have the bits of the whole image: %s", async (what) => {
    const [grid, options] = cases[what];
    const seed = 11 + Object.keys(cases).indexOf(what);
    const history = randomHistory(seed, 41);
    const device = devices[name];
    const whole = await backproject(device, history, grid, options);
    expect(whole.image.some((value) => value !== 0)).toBe(true);
    const plan = JSON.parse(JSON.stringify(planBackprojection(device, history, grid, options))) as BackprojectionPlan;
    const lattice = latticePixels(plan);
    const step = lattice * Math.max(1, Math.round(100 / lattice));
    const windows = [...gridWindows(grid, [step, step])];
    expect(windows.length).toBeGreaterThan(1);
    // In a random order, so that shapes alternate.
    const order = windows.map((window) => [random.uniform(), window] as const).sort(([a], [b]) => a - b);
    using projector = await createBackprojector(device, history, grid, { plan, gridWindow: order[0][1] });
    for (const [i, [, window]] of order.entries()) {
      if (i > 0) await projector.begin({ gridWindow: window });
      await addAll(projector, history, history.frequency.count, i);
      expect(projector.gridWindow).toEqual(window);
      expect(differences(await projector.image(), cut(whole.image, grid, window)), JSON.stringify(window)).toBe(0);
    }
  });

  it("of one shape share their program and their arrays", async () => {
    const device = devices[name];
    const history = randomHistory(5, 12);
    using projector = await createBackprojector(device, history, flat, { tile: 16, gridWindow: { ix: 0, iy: 0, nx: 128, ny: 128 } });
    await projector.add(history.samples);
    await projector.finish();
    const { plans, buffers, bytes } = device.memory();
    for (const gridWindow of gridWindows(flat, [128, 128])) {
      if (gridWindow.nx !== 128 || gridWindow.ny !== 128) continue;
      await projector.begin({ gridWindow });
      await projector.add(history.samples);
      await projector.finish();
      expect(device.memory()).toMatchObject({ plans, buffers, bytes });
    }
    await projector.begin({ gridWindow: { ix: 384, iy: 0, nx: 53, ny: 128 } });
    expect(device.memory().plans).toBeGreaterThan(plans);
    expect(device.memory().bytes).toBeLessThan(bytes);
  });

  it("need about as many bytes as predicted", async () => {
    const device = devices[name];
    const history = randomHistory(6, 40);
    for (const [grid, options] of [cases["a flat grid in sets"], cases["heights"], cases["a slanted plane with sincs"]]) {
      const prepared = prepareBackprojection(device, history, grid, options);
      const edge = latticePixels(prepared.plan);
      using _ = await createBackprojector(device, history, grid, { ...options, gridWindow: { ix: 0, iy: 0, nx: edge, ny: edge } });
      const tables = device.memory().bytes - backprojectionBytes(prepared, { nx: edge, ny: edge });
      expect(tables).toBeGreaterThanOrEqual(0);
      expect(tables).toBeLessThan(2 ** 20);
    }
  });
});

test("windows of 256 and 512 pixels of a 1024² image have its bits, with profiles as source", async () => {
  const grid = squareGrid(1024, 0.11);
  const profiles = compressProfiles(randomHistory(77, 120), { bins: 1024 });
  const device = devices["two units"];
  const samples = Float32Array.from(profiles.samples);
  const plan = planBackprojection(device, profiles, grid);
  const whole = await backproject(device, profiles, grid, { plan });
  for (const edge of [256, 512]) {
    using projector = await createBackprojector(device, profiles, grid, { plan, gridWindow: { ix: 0, iy: 0, nx: edge, ny: edge } });
    for (const gridWindow of gridWindows(grid, [edge, edge])) {
      await projector.begin({ gridWindow });
      await projector.add(samples);
      expect(differences(await projector.image(), cut(whole.image, grid, gridWindow))).toBe(0);
    }
  }
});

describe("windows", () => {
  const history = randomHistory(9, 10);
  const device = (): Device => devices["one unit"];

  it("off the lattice are refused, or rounded outward", async () => {
    const options = { tile: 16 } as const;
    const lattice = latticePixels(planBackprojection(device(), history, flat, options));
    const gridWindow = { ix: 130, iy: 5, nx: 100, ny: 60 };
    await expect(backproject(device(), history, flat, { ...options, gridWindow })).rejects.toMatchObject({
      code: "input",
      fields: { field: "gridWindow", expected: expect.stringContaining(`a multiple of ${lattice} pixels`) },
    });
    const rounded = await backproject(device(), history, flat, { ...options, gridWindow, roundWindow: true });
    expect(rounded.gridWindow).toEqual(checkGridWindow(gridWindow, flat, lattice, "gridWindow", true));
    expect(rounded.gridWindow).toEqual({ ix: 128, iy: 0, nx: 128, ny: 128 });
    const whole = await backproject(device(), history, flat, options);
    expect(differences(rounded.image, cut(whole.image, flat, rounded.gridWindow))).toBe(0);
  });

  it("that are none are refused by name", async () => {
    const wrong: readonly (readonly [unknown, string])[] = [
      [{ ix: -1, iy: 0, nx: 1, ny: 1 }, "gridWindow.ix"],
      [{ ix: 0, iy: 341, nx: 1, ny: 1 }, "gridWindow.iy"],
      [{ ix: 0, iy: 0, nx: 438, ny: 1 }, "gridWindow.nx"],
      [{ ix: 0, iy: 0, nx: 1, ny: 0 }, "gridWindow.ny"],
      [{ ix: 0, iy: 0, nx: 1.5, ny: 1 }, "gridWindow.nx"],
      [{ ix: 0, iy: 0, nx: 1 }, "gridWindow.ny"],
      [{ ix: 0, iy: 0, nx: 1, ny: 1, nz: 1 }, "gridWindow.nz"],
      [null, "gridWindow"],
      [[0, 0, 1, 1], "gridWindow"],
    ];
    using projector = await createBackprojector(device(), history, flat);
    for (const [gridWindow, field] of wrong) {
      const refused = { code: "input", fields: { field } };
      await expect(createBackprojector(device(), history, flat, { gridWindow: gridWindow as GridWindow })).rejects.toMatchObject(refused);
      await expect(projector.begin({ gridWindow: gridWindow as GridWindow })).rejects.toMatchObject(refused);
    }
    // A refused window leaves the projector as it was.
    await projector.add(history.samples);
    const { image } = await backproject(device(), history, flat);
    expect(differences(await projector.image(), image)).toBe(0);
  });

  it("that no pulse reaches are zeros, and a grid that none reaches is refused", async () => {
    // Half the swath is 299792458 / 4 / 1.1e6 = 68.1 m; the grid extends to 400 m.
    const wide: GroundGrid = { ...flat, nx: 1536, ny: 128, xStepMeters: [0.3, 0, 0], originMeters: [-30, -10, 0] };
    const options = { tile: 16 } as const;
    const whole = await backproject(device(), history, wide, options);
    const far = { ix: 1280, iy: 0, nx: 256, ny: 128 };
    for (const name of names) {
      const { image } = await backproject(devices[name], history, wide, { ...options, gridWindow: far });
      expect(image.every((value) => value === 0)).toBe(true);
    }
    const near = await backproject(device(), history, wide, { ...options, gridWindow: { ...far, ix: 0 } });
    expect(near.image.some((value) => value !== 0)).toBe(true);
    expect(differences(near.image, cut(whole.image, wide, { ...far, ix: 0 }))).toBe(0);
    const nowhere = { ...wide, originMeters: [0, 0, -3000] } as const;
    const refused = { code: "input", fields: { field: "grid" } };
    await expect(backproject(device(), history, nowhere, { ...options, gridWindow: far })).rejects.toMatchObject(refused);
  });

  it("of an image that the device can't hold can be made", async () => {
    using small = await open(cpu({ workers: 1, maxBufferBytes: 2 ** 20 }));
    const grid: GroundGrid = { ...flat, nx: 512, ny: 512, originMeters: [-40, -40, 0] };
    const options = { bins: 512, tile: 16, scheme: "tiles" } as const;
    await expect(backproject(small, history, grid, options)).rejects.toMatchObject({ code: "limit" });
    const plan = planBackprojection(small, history, grid, options);
    const whole = await backproject(device(), history, grid, { plan });
    using projector = await createBackprojector(small, history, grid, { plan, gridWindow: { ix: 0, iy: 0, nx: 256, ny: 256 } });
    await expect(projector.begin({})).rejects.toMatchObject({ code: "limit" });
    for (const gridWindow of gridWindows(grid, [256, 256])) {
      await projector.begin({ gridWindow });
      await projector.add(history.samples);
      expect(differences(await projector.image(), cut(whole.image, grid, gridWindow))).toBe(0);
    }
  });

  it("of images of 2³¹ pixels can be planned and made; larger images are refused", async () => {
    const huge: GroundGrid = {
      ...flat,
      nx: 65536,
      ny: 32768,
      xStepMeters: [0.002, 0, 0],
      yStepMeters: [0, 0.002, 0],
      originMeters: [-60, -30, 0],
    };
    const gridWindow = { ix: 256 * 120, iy: 256 * 60, nx: 256, ny: 256 };
    const { image } = await backproject(device(), history, huge, { tile: 32, gridWindow });
    expect(image.some((value) => value !== 0)).toBe(true);
    await expect(backproject(device(), history, { ...huge, ny: 32769 })).rejects.toMatchObject({ fields: { field: "grid.nx" } });
  });
});

describe("plans", () => {
  const history = randomHistory(10, 14);
  const device = (): Device => devices["one unit"];
  const planned = (): BackprojectionPlan => planBackprojection(device(), history, flat);

  it("for another aperture, grid or device are refused by name", async () => {
    const plan = planned();
    const moved = { ...history, positions: history.positions.map((x, i) => (i === 4 ? x + 1e-6 : x)) };
    const refusals: readonly (readonly [string, () => Promise<unknown>])[] = [
      ["plan.aperture.digest", () => createBackprojector(device(), moved, flat, { plan })],
      ["plan.aperture.pulses", () => createBackprojector(device(), randomHistory(10, 15), flat, { plan })],
      ["plan.image.nx", () => createBackprojector(device(), history, { ...flat, nx: 438 }, { plan })],
      ["plan.image.digest", () => createBackprojector(device(), history, { ...flat, heightMeters: 1 }, { plan })],
      ["plan.device.id", () => createBackprojector(devices.gpu, history, flat, { plan })],
      ["tile", () => createBackprojector(device(), history, flat, { plan, tile: 16 })],
      ["bins", () => createBackprojector(device(), history, flat, { plan, bins: 1024 })],
    ];
    for (const [field, create] of refusals) await expect(create(), field).rejects.toMatchObject({ code: "input", fields: { field } });
    using scripted = await open(cpu({ workers: 1, kernels: "js" }));
    const other = createBackprojector(scripted, history, flat, { plan });
    await expect(other).rejects.toMatchObject({ fields: { field: "plan.device.arithmetic" } });
  });

  it("from hostile JSON give one error that names the field", async () => {
    const values: readonly unknown[] = [null, -1, 0.5, 1e300, "x", "", [], {}, true, Number.NaN, 3];
    const plan = planned() as unknown as Record<string, unknown>;
    const trees: (readonly string[])[] = Object.keys(plan).map((field) => [field]);
    for (const field of ["device", "image", "aperture", "compression"])
      trees.push(...Object.keys(plan[field] as object).map((inner) => [field, inner]));
    let refused = 0;
    for (const path of [...trees, ["unknown"], ["compression", "window", "kind"]])
      for (const value of values) {
        const hostile = structuredClone(plan);
        const last = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, hostile);
        last[path.at(-1) as string] = value;
        let error: unknown;
        try {
          prepareBackprojection(device(), history, flat, { plan: hostile as unknown as BackprojectionPlan });
        } catch (thrown) {
          error = thrown;
        }
        const where = `${path.join(".")} = ${JSON.stringify(value)}`;
        // Some values are valid there.
        if (error === undefined) {
          expect(["blockTiles 3", "sets 3", "order 3", "pulsesPerBlock 3", "reason x", "reason "], where).toContain(
            `${path.join(".")} ${value}`,
          );
          continue;
        }
        refused++;
        expect(error, where).toMatchObject({ code: "input", fields: { field: expect.stringMatching(/^plan\b/) } });
        expect(String((error as { fields: { field: string } }).fields.field), where).toContain(path[0]);
      }
    expect(refused).toBeGreaterThan(250);
    for (const hostile of [null, 7, "plan", [], {}]) {
      const error = { code: "input", fields: { field: expect.stringMatching(/^plan/) } };
      await expect(createBackprojector(device(), history, flat, { plan: hostile as never })).rejects.toMatchObject(error);
    }
  });
});
