/** Backprojection as users call it, on every device at hand, against float64. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backproject, type BackprojectorOptions } from "../src/backprojection/backprojector.ts";
import type { GroundGrid, ImageGrid } from "../src/backprojection/grid.ts";
import { compressProfiles } from "../src/backprojection/profiles.ts";
import { backprojectReference } from "../src/backprojection/reference.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { scenes } from "./backprojection-scenes.ts";

let devices: Readonly<Record<string, Device>>;
beforeAll(async () => {
  devices = { cpu: await open(cpu()), gpu: await open(gpu()) };
});
afterAll(() => {
  for (const device of Object.values(devices)) device[Symbol.dispose]();
});

/** Part of a scene's grid about its middle. */
const part = (grid: GroundGrid, nx: number, ny: number): GroundGrid => ({
  ...grid,
  nx,
  ny,
  originMeters: [
    grid.originMeters[0] + ((grid.nx - nx) / 2 - 31) * grid.xStepMeters[0],
    grid.originMeters[1] + ((grid.ny - ny) / 2 + 55) * grid.yStepMeters[1],
    0,
  ],
});

async function ser(device: string, scene: keyof typeof scenes, grid: ImageGrid, options: BackprojectorOptions): Promise<number> {
  const history = scenes[scene].history();
  const start = performance.now();
  const { image, text } = await backproject(devices[device], history, grid, options);
  console.log(device, text, (performance.now() - start).toFixed(0));
  const profiles = compressProfiles(history, { ...options, dtype: "c128" });
  const reference = backprojectReference(profiles, grid, options);
  return signalToErrorDb(image, reference);
}

const cases: readonly BackprojectorOptions[] = [{}, { tile: 32 }, {tile:32, sets:3}, {tile:32, scheme:"pulseSets", sets: 2},{tile:16, scheme:"unpartitioned"}, {tile:16, sine:"table"},{tile:16, sine:"native"},{tile:16, interpolation:{kind:"sinc",taps:8,window:"kaiser"}, bins:1024}, {tile:16, pulsesPerBlock:13}];
describe.each(["airborne", "spaceborne"] as const)("%s", (scene) => {
  it.each(cases)("gpu %j", { timeout: 100000 }, async (options) => {
    const grid = part(scenes[scene].grid, 75, 50);
    console.log(scene, JSON.stringify(options), "ser", await ser("gpu", scene, grid, options));
  });
});
