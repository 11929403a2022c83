/** Measured scenes on the GPU against the CPU after every stage: range-Doppler of RADARSAT-1, backprojection of Gotcha. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Device, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { sensorPresets } from "@dechirp/io";
import { readScene } from "@dechirp/io/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blockAnchors, stepSquares } from "../src/backprojection/blocks.ts";
import { prepareBackprojection } from "../src/backprojection/prepare.ts";
import { cyclesPerMeter } from "../src/backprojection/profiles.ts";
import { backprojectionProgram } from "../src/backprojection/program.ts";
import { rangeDoppler } from "../src/index.ts";
import { goldenGrid, gotchaAbsent, parseGotcha } from "./gotcha.ts";

const folder = join(process.env["DECHIRP_DATA"] ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url)), "radarsat1");
const ships = join(folder, "scene5-english-bay-ships");

let devices: readonly [Device, Device];
beforeAll(async () => {
  devices = [await open(gpu()), await open(cpu())];
});
afterAll(() => {
  for (const device of devices) device[Symbol.dispose]();
});

describe("measured scenes, stage by stage", () => {
  it.skipIf(!existsSync(ships))("RADARSAT-1, scene 5", async () => {
    await using scene = await readScene(ships);
    const { velocityMetersPerSecond, dopplerCentroidHz } = sensorPresets[scene.preset ?? "radarsat-1-fine"];
    const [lines, samples] = scene.shape;
    const program = rangeDoppler({
      radar: { ...scene.radar, velocityMetersPerSecond, dopplerCentroidHz },
      lines,
      samples,
      rawType: scene.dtype,
      ...(scene.lineGain && { lineGain: scene.lineGain }),
    });
    const { first, stages } = await compare(program, ...devices, { raw: await scene.pulses(0, lines) });
    expect(first).toBeUndefined();
    expect(stages.map(({ stage }) => stage)).toEqual(["range", "doppler", "image"]);
  });

  it.skipIf(gotchaAbsent)("Gotcha, pass 1 HH, 0° to 4°", async () => {
    const history = await parseGotcha();
    const grid = goldenGrid(4);
    const { shape, compression, profiles } = prepareBackprojection(devices[0], history, grid, { carrier: "first", pulsesPerBlock: 469 });
    const program = backprojectionProgram(shape, compression);
    const anchors = blockAnchors(profiles, grid, shape.tile, { blockTiles: shape.blockTiles }).uints;
    const [squareXX, squareXY, squareYY] = stepSquares(grid, profiles.binMeters);
    const cyclesPerBin = cyclesPerMeter(profiles) * profiles.binMeters;
    const uniforms = { squareXX, squareXY, squareYY, cyclesPerBin, count: shape.pulses };
    const image = new Float32Array(2 * grid.nx * grid.ny);
    const { stages } = await compare(program, ...devices, { samples: history.samples, anchors, image }, { uniforms });
    expect(stages.map(({ stage }) => stage)).toEqual(program.steps.map(({ name }) => name));
    // 80 dB.
    for (const { stage, relativeL2 } of stages) expect.soft(relativeL2, stage).toBeLessThan(1e-4);
  });
});
