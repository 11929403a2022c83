/** Backprojection on the measured Gotcha phase history, where it is at hand (`DECHIRP_DATA`), against a float64 image made elsewhere. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, it } from "vitest";
import { backproject } from "../src/backprojection/backprojector.ts";
import { choosePartition } from "../src/backprojection/choose.ts";
import { backprojectionKernel } from "../src/backprojection/kernel.ts";
import { compressProfiles, pulseCount } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import type { BackprojectionShape } from "../src/backprojection/shape.ts";
import { analysePointTarget } from "../src/quality.ts";
import { anchored, lattice, naive, tilesBy, tilesByReference } from "./backprojection-emulation.ts";
import { inputsOf, shapeOf, uniformsOf } from "./backprojection-inputs.ts";
import { directSum } from "./direct-sum.ts";
import { goldenGrid, goldenImage, gotchaAbsent, parseGotcha } from "./gotcha.ts";
import { placeKernel } from "./wasm-harness.ts";

describe.skipIf(gotchaAbsent)("Gotcha, pass 1 HH, 0° to 4°", () => {
  it("gives every eighth pixel of the reference image", async () => {
    // The reference has the first frequency at zero, and divides by the bins where weights of sum 1 are used here.
    const profiles = compressProfiles(await parseGotcha(), { bins: 4096, carrier: "first", dtype: "c128" });
    expect(pulseCount(profiles)).toBe(469);
    const step = 8;
    const grid = goldenGrid(step);
    const image = backprojectReference(profiles, grid, { interpolation: "linear" });
    const golden = goldenImage();
    const expected = Float64Array.from(image, (_, at) => {
      const pixel = at >> 1;
      const [ix, iy] = [step * (pixel % grid.nx), step * Math.floor(pixel / grid.nx)];
      return (golden[2 * (iy * 512 + ix) + (at & 1)] * 4096) / 424;
    });
    // Stored in float32: 2⁻²⁵ of each number in the mean is −150 dB; the samples of the phase history are too.
    expect(signalToErrorDb(image, expected)).toBeGreaterThan(140);
  });

  it("keeps 80 dB in emulated float32 and 90 with anchor blocks; plain float32 keeps at most 20", async () => {
    const profiles = compressProfiles(await parseGotcha(), { bins: 4096 });
    const grid = goldenGrid(1);
    const tiles = [
      [0, 15],
      [12, 12],
    ] as const;
    const reference = tilesByReference(profiles, grid, 32, tiles);
    const ser = (emulation: typeof naive): number => signalToErrorDb(tilesBy(profiles, grid, 32, tiles, emulation), reference);
    // Ranges of 10 km and r₀, rounded to 2⁻¹⁰ m: 0.16 radians rms, −16 dB of clutter.
    expect(ser(naive)).toBeLessThan(20);
    expect(ser(anchored(2))).toBeGreaterThan(80);
    expect(ser(lattice(2, 8))).toBeGreaterThan(90);
  });

  it("keeps 80 dB in WASM, 90 with anchor blocks", async () => {
    const profiles = compressProfiles(await parseGotcha(), { bins: 4096 });
    const grid = { ...goldenGrid(1), nx: 72, ny: 64 };
    const reference = backprojectReference(profiles, grid, { interpolation: "linear" });
    const ser = (options: Partial<BackprojectionShape>): number => {
      const shape = shapeOf(profiles, grid, options);
      const kernel = backprojectionKernel(shape);
      const place = placeKernel(kernel, inputsOf(profiles, grid, shape), uniformsOf(profiles, grid, shape));
      return signalToErrorDb(place(new Float32Array(2 * grid.nx * grid.ny), [[0, kernel.items]]), reference);
    };
    expect(ser({ blockTiles: 0 })).toBeGreaterThan(80);
    expect(ser({ blockTiles: 8 })).toBeGreaterThan(90);
    expect(ser({ blockTiles: 4, order: 3 })).toBeGreaterThan(100);
  });

  it("is partitioned as a device with 16 KiB on chip can do it", async () => {
    const profiles = compressProfiles(await parseGotcha(), { bins: 4096 });
    const partition = choosePartition({
      image: goldenGrid(1),
      profiles,
      limits: { workgroupBytes: 16384, invocations: 256, storageBytes: 2 ** 27, workgroups: 64 },
    });
    expect(partition).toMatchObject({ tile: 64, sets: 1, pulses: 469, pulsesPerPass: 469 });
  });

  it.each([
    ["cpu", cpu],
    ["gpu", gpu],
  ] as const)("gives the reference image on the %s: 80 dB, 60 in the fast mode", async (_, backend) => {
    const history = await parseGotcha();
    const whole = goldenGrid(1);
    const golden = goldenImage();
    // About the reflector, and no whole number of tiles.
    const [left, low, n] = [136, 326, 75];
    const [x, y] = [left, low].map((pixels) => whole.originMeters[0] + pixels * whole.xStepMeters[0]);
    const expected = Float64Array.from({ length: 2 * n * n }, (_, at) => {
      const pixel = at >> 1;
      return (golden[2 * ((low + Math.floor(pixel / n)) * 512 + left + (pixel % n)) + (at & 1)] * 4096) / 424;
    });
    using device = await open(backend());
    for (const [mode, least] of [
      ["precise", 80],
      ["fast", 60],
    ] as const) {
      const grid = { ...whole, nx: n, ny: n, originMeters: [x, y, 0] } as const;
      const { image } = await backproject(device, history, grid, { mode, carrier: "first", bins: 4096, interpolation: "linear" });
      expect(signalToErrorDb(image, expected), mode).toBeGreaterThan(least);
    }
  });

  it.each([
    ["cpu", cpu],
    ["gpu", gpu],
  ] as const)("is the sum over its frequencies with the defaults, on the %s, to 80 dB; to 60 in the fast mode", async (_, backend) => {
    const history = await parseGotcha();
    const grid = goldenGrid(16);
    const exact = directSum(history, grid);
    using device = await open(backend());
    expect(signalToErrorDb((await backproject(device, history, grid)).image, exact)).toBeGreaterThan(80);
    expect(signalToErrorDb((await backproject(device, history, grid, { mode: "fast" })).image, exact)).toBeGreaterThan(60);
  });

  it("shows the calibration reflector in its place, with the width and side lobes of a sinc across the look", async () => {
    const history = await parseGotcha();
    // Columns run along the mean look, rows across it.
    const middle = 3 * Math.floor(pulseCount(history) / 2);
    const look = Math.atan2(history.positions[middle + 1], history.positions[middle]);
    const [step, half] = [0.15, 50];
    const along = [Math.cos(look) * step, Math.sin(look) * step];
    using device = await open(cpu());
    const { image } = await backproject(device, history, {
      kind: "ground",
      nx: 2 * half,
      ny: 2 * half,
      originMeters: [-16 - half * (along[0] - along[1]), 21 - half * (along[1] + along[0]), 0],
      xStepMeters: [along[0], along[1], 0],
      yStepMeters: [-along[1], along[0], 0],
    });
    const at = { row: half, column: half };
    const { rowOffset, columnOffset, azimuth } = analysePointTarget({ data: image, rows: 2 * half, columns: 2 * half }, at);
    const x = -16 + columnOffset * along[0] - rowOffset * along[1];
    const y = 21 + columnOffset * along[1] + rowOffset * along[0];
    expect(Math.hypot(x + 16, y - 21.03)).toBeLessThan(0.05);
    expect(Math.abs((azimuth.irwPixels * step) / 0.2855 - 1)).toBeLessThan(0.03);
    expect(Math.abs(azimuth.pslrDb + 13.24)).toBeLessThan(0.3);
  });
});
