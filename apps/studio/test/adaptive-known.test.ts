/** What adaptive processing says about scenarios of known covariance, against definitions, and the program against the page's own run. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { readNpy } from "@dechirp/io";
import { planStap, processStap } from "@dechirp/processor";
import {
  choleskyFactor,
  clutterToNoise,
  filterSinrLossDb,
  interferenceCovariance,
  jammerToNoise,
  kronecker,
  optimumSinrLossDb,
  ulaCycles,
  uniformSteering,
  wardExample,
} from "@dechirp/stap";
import { beforeAll, describe, expect, it } from "vitest";
import { built } from "../../../scripts/built.mjs";
import { type Known, knownOf } from "../src/adaptive/known.ts";
import { programOf } from "../src/adaptive/program.ts";
import { recordingOf, sceneOf, wardSettings } from "../src/adaptive/scenario.ts";
import { settings, type Values } from "../src/adaptive/settings.ts";
import { readSettings } from "../src/settings.ts";

const valuesOf = (query: string): Values => readSettings(settings, new URLSearchParams(query)).values;
const small = "elements=5&pulses=8&ranges=96&cnr=30&angle=10&doppler=50";

const known = (query: string, temporalTaps = 3): Promise<Known> => {
  const values = valuesOf(query);
  const { angle: angleDegrees, doppler: dopplerHz, pulses } = values;
  return knownOf(
    { scenario: sceneOf(values).scenario, angleDegrees, dopplerHz, temporalTaps, window: new Array(pulses).fill(1) },
    () => undefined,
  );
};

describe("scenarios of known covariance", () => {
  it("have the ratios to noise that are set", () => {
    const { scenario } = sceneOf(valuesOf(`${small}&jammers=2&jnr=17`));
    expect(10 * Math.log10(clutterToNoise(scenario))).toBeCloseTo(30, 4);
    for (const jammer of scenario.jammers!) expect(10 * Math.log10(jammerToNoise(scenario, jammer))).toBeCloseTo(17, 4);
  });

  it("lose least with the optimum filter, whose loss is that of the definition, and most with none", async () => {
    const { losses, methods } = await known(small);
    const [optimum, ...others] = losses.curves.map(({ y }) => y);
    const { scenario } = sceneOf(valuesOf(small));
    const r = interferenceCovariance(scenario);
    const factor = choleskyFactor(r, 40);
    const a = uniformSteering(5, ulaCycles(0.5, Math.PI / 18));
    for (const [i, hertz] of losses.curves[0]!.x.entries()) {
      const v = kronecker(a, uniformSteering(8, hertz / 300));
      expect(optimum![i]).toBeCloseTo(optimumSinrLossDb(factor, v), 9);
      expect(others.at(-1)![i]).toBeCloseTo(filterSinrLossDb(v, r, v), 9);
      for (const other of others) expect(other[i]).toBeLessThanOrEqual(optimum![i]! + 1e-9);
    }
    const v = kronecker(a, uniformSteering(8, 50 / 300));
    expect(methods[0]!.lossDb).toBeCloseTo(optimumSinrLossDb(factor, v), 9);
  });

  it("lose as little with EFA of all Doppler bins as with the optimum filter", async () => {
    const { losses } = await known(small, 8);
    const [optimum, efa] = losses.curves.map(({ y }) => y);
    for (const [i, loss] of efa!.entries()) expect(loss).toBeCloseTo(optimum![i]!, 6);
  });

  it("cancel clutter with DPCA at β = 1 whatever its power, and not at another speed", async () => {
    // At 50 m/s β is 1.0007, and clutter of 60 dB leaves something.
    const exact = `speed=${wardExample.velocityMetersPerSecond}`;
    const dpcaAt = async (query: string): Promise<readonly number[]> =>
      (await known(`elements=5&pulses=8&angle=20&jammers=0&${query}`)).losses.curves.find(({ name }) => name === "DPCA")!.y;
    const [weak, strong, faster] = [await dpcaAt(`cnr=-20&${exact}`), await dpcaAt(`cnr=60&${exact}`), await dpcaAt("cnr=60&speed=70")];
    for (const [i, loss] of strong.entries()) expect(Math.abs(loss - weak[i]!)).toBeLessThan(1e-6);
    expect(Math.max(...faster)).toBeLessThan(Math.max(...strong) - 20);
  });

  it("improve an angle and Doppler by the SINR of the optimum over that of the beamformer", async () => {
    const { improvement } = await known(small);
    const r = interferenceCovariance(sceneOf(valuesOf(small)).scenario);
    const factor = choleskyFactor(r, 40);
    const { x, y, power } = improvement!;
    for (const [row, column] of [
      [0, 0],
      [17, 40],
      [30, 32],
      [44, 5],
    ] as const) {
      const azimuth = ((y.start + row * y.step) * Math.PI) / 180;
      const v = kronecker(uniformSteering(5, ulaCycles(0.5, azimuth)), uniformSteering(8, (x.start + column * x.step) / 300));
      const expected = optimumSinrLossDb(factor, v) - filterSinrLossDb(v, r, v);
      expect(10 * Math.log10(power[row * x.count + column]!)).toBeCloseTo(expected, 3);
    }
  });
});

describe("the program of the page", () => {
  beforeAll(built, 600_000);

  it("makes the page's result in Node", async () => {
    const values = valuesOf(`${small}&window=hamming&guard=0&seed=5`);
    const program = programOf(values, "ward");
    expect(program.trim().split("\n").length).toBeLessThanOrEqual(22);
    // Inside the studio, so that it finds the packages, and not among its sources.
    const parent = fileURLToPath(new URL("../node_modules/.cache/", import.meta.url));
    await mkdir(parent, { recursive: true });
    const folder = await mkdtemp(join(parent, "program-"));
    try {
      await writeFile(join(folder, "program.mjs"), program);
      const { stdout } = await promisify(execFile)(process.execPath, ["program.mjs"], { cwd: folder });
      const device = await open(cpu());
      const { report, output } = await processStap(await planStap(recordingOf(sceneOf(values)), wardSettings(values)), device);
      device[Symbol.dispose]();
      expect(stdout).toContain(`${report.detections.count} detections`);
      const { stages, timings, ...rest } = JSON.parse(await readFile(join(folder, "ward-adaptive.json"), "utf8"));
      const { stages: _stages, timings: _timings, ...expected } = JSON.parse(JSON.stringify(report));
      expect(rest.parameters).toEqual(expected.parameters);
      expect(rest.detections.count).toBe(expected.detections.count);
      expect(stages.length).toBe(report.stages.length);
      expect(timings.length).toBe(report.timings.length);
      const { layout, data } = await readNpy(await readFile(join(folder, "ward-adaptive.npy")), { file: "ward-adaptive.npy" });
      expect(layout.shape).toEqual(report.output.shape);
      // The same arithmetic; builds may differ in how many units share it.
      for (let i = 0; i < output.length; i++)
        expect(Math.abs(data[i]! - output[i]!)).toBeLessThanOrEqual(1e-5 * Math.abs(output[i]!) + 1e-9);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
