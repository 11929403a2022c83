/** Backprojection on the measured Gotcha phase history, where it is at hand (`DECHIRP_DATA`), against a float64 image made elsewhere. */
import { describe, expect, it } from "vitest";
import { choosePartition } from "../src/backprojection/choose.ts";
import { compressProfiles, pulseCount } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { anchored, lattice, naive, tilesBy, tilesByReference } from "./backprojection-emulation.ts";
import { goldenGrid, goldenImage, gotchaAbsent, gotchaHistory } from "./gotcha.ts";

describe.skipIf(gotchaAbsent)("Gotcha, pass 1 HH, 0° to 4°", () => {
  it("gives the reference image, of which every eighth pixel is computed", async () => {
    // The reference has the first frequency at zero, and divides by the bins where weights of sum 1 are used here.
    const profiles = compressProfiles(await gotchaHistory(), { bins: 4096, carrier: "first", dtype: "c128" });
    expect(pulseCount(profiles)).toBe(469);
    const step = 8;
    const grid = goldenGrid(step);
    const image = backprojectReference(profiles, grid);
    const golden = goldenImage();
    const expected = Float64Array.from(image, (_, at) => {
      const pixel = at >> 1;
      const [ix, iy] = [step * (pixel % grid.nx), step * Math.floor(pixel / grid.nx)];
      return (golden[2 * (iy * 512 + ix) + (at & 1)] * 4096) / 424;
    });
    // Stored in float32: 2⁻²⁵ of each number in the mean is −150 dB; the samples of the phase history are too.
    expect(signalToErrorDb(image, expected)).toBeGreaterThan(140);
  });

  it("keeps 80 dB in emulated float32, 90 with anchor blocks, where plain float32 keeps 20 at most", async () => {
    const profiles = compressProfiles(await gotchaHistory(), { bins: 4096 });
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

  it("is partitioned as a device with 16 KiB on chip can do it", async () => {
    const profiles = compressProfiles(await gotchaHistory(), { bins: 4096 });
    const partition = choosePartition({
      image: goldenGrid(1),
      profiles,
      limits: { workgroupBytes: 16384, invocations: 256, storageBytes: 2 ** 27, workgroups: 64 },
    });
    expect(partition).toMatchObject({ tile: 64, sets: 1, pulses: 469, pulsesPerPass: 469 });
  });
});
