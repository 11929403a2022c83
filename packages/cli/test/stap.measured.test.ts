/**
 * stap by the command line on external data, if it is there (`DECHIRP_DATA`): the PERFECT suite's input, compared with values of
 * another float64 implementation, and a CPI measured by the Mountain Top program, with a target in a mountain's clutter.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { perfectSizes, readNpy } from "@dechirp/io";
import { readArray } from "@dechirp/io/node";
import type { StapReport } from "@dechirp/processor";
import { efaReference, permuteAxes, snrDb } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";

const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const data = process.env["DECHIRP_DATA"] ?? join(checkout, "..", "shared", "data");
const perfect = join(data, "perfect-stap-small");
const mountainTop = join(data, "mountain-top", "t38pre01v1_cpi_6.mat");

interface Done {
  readonly report: StapReport;
  readonly output: Float32Array;
  readonly pattern: Float32Array;
}

async function stap(...args: string[]): Promise<Done> {
  const out = join(await temporaryFolder(), "out");
  const { code, stdout, stderr } = await dechirp(["stap", ...args, "--out", out, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const read = (file: string) => readNpy(readFileSync(join(out, file)), { file });
  const { report } = JSON.parse(stdout).results[0] as { report: StapReport };
  const { layout, data: output } = await read("output.npy");
  expect(layout).toEqual({ dtype: report.output.type, shape: report.output.shape });
  return { report, output: output as Float32Array, pattern: (await read("angle-doppler.npy")).data as Float32Array };
}

describe.skipIf(!existsSync(join(perfect, "small_app_input.bin")))("the PERFECT suite's small set", () => {
  const reference = async (options: object): Promise<Float64Array> => {
    const { cube, steering } = await readArray(perfect);
    const { dopplerBins, steeringVectors } = perfectSizes.small;
    return efaReference(cube, steering?.data as Float32Array, { steeringVectors, dopplerBins, ...options }).data;
  };

  it.each(["cpu", "gpu"])("gives the output of the suite's application, [steering][Doppler][range]: %s", async (device) => {
    const { report, output } = await stap(perfect, "--preset", "perfect", "--output", "complex", "--device", device);
    expect(report.output).toEqual({ type: "c64", axes: ["steering", "Doppler", "range"], shape: [16, 256, 512] });
    expect(snrDb(await reference({ training: { kind: "own" }, output: "complex" }), output)).toBeGreaterThan(80);
    const size = Math.sqrt(1.9204733899e18 / (16 * 256 * 512));
    for (const [p, n, l, re, im] of [
      [0, 0, 0, 91119.501559, -559556.698511],
      [0, 1, 31, 419560.179181, -125478.547293],
      [7, 100, 300, -187704.642424, -50306.528635],
      [11, 200, 410, -543684.720797, 358898.560825],
    ]) {
      const at = 2 * ((p * 256 + n) * 512 + l);
      // 80 dB below the size of outputs, and ten times that for a single one.
      expect(Math.hypot(output[at] - re, output[at + 1] - im)).toBeLessThan(10 * 1e-4 * size);
    }
    expect(report.condition).toMatchObject({ order: 12, fewestCells: 32, matrices: 4096, singular: 0, bins: 256 });
    expect(report.condition.mostCondition / 1.16e5).toBeCloseTo(1, 2);
  });

  it("recognises the folder, and uses the paper's training and output on request, [steering][range][Doppler]", async () => {
    const { report, output } = await stap(perfect, "--training", "adjacent", "--output", "amf");
    expect(report.parameters.preset).toEqual({ value: "perfect", source: "scene", why: "the files are the PERFECT suite's" });
    expect(report.output).toEqual({ type: "f32", axes: ["steering", "range", "Doppler"], shape: [16, 512, 256] });
    expect(snrDb(permuteAxes(await reference({}), [16, 256, 512], [0, 2, 1], 1), output)).toBeGreaterThan(80);
    expect(output[0]).toBeCloseTo(1.5554529583, 3);
    expect(output[(7 * 512 + 300) * 256 + 100]).toBeCloseTo(1.5050638788, 3);
  });
});

describe.skipIf(!existsSync(mountainTop))("Mountain Top, t38pre01v1 CPI 6", () => {
  it("shows the buried target, whereas the beamformer shows the mountain", async () => {
    const { report, output, pattern } = await stap(mountainTop, "--preset", "mountain-top");
    expect(report.parameters).toMatchObject({
      dopplerBins: { value: 32 },
      temporalTaps: { value: 3 },
      training: { value: "sliding" },
      guard: { value: 4 },
      loading: { value: 1e-6 },
      output: { value: "amf" },
      prfHz: { value: 625, source: "scene" },
      chirp: { value: "500000,0.0001,1000000" },
    });
    // The largest over all azimuths, Doppler bins and ranges.
    const { listed } = report.detections;
    expect(listed[0]).toMatchObject({ range: 146, dopplerHz: 156.25, azimuthDegrees: 274 });
    expect(Math.abs((listed[0].rangeKilometres as number) - 152)).toBeLessThan(0.8);
    expect(listed[0].aboveNextDb).toBeGreaterThan(18);
    expect(report.target).toMatchObject({ source: "detection", range: 146, dopplerHz: 156.25, azimuthDegrees: 274 });
    // By definition, in the output: [azimuth from 230° on][range][Doppler bin of 625/32 Hz].
    expect(report.output.shape).toEqual([61, 403, 32]);
    const line = Array.from({ length: 403 }, (_, range) => output[(44 * 403 + range) * 32 + 8]);
    const next = Math.max(...line.filter((_, range) => Math.abs(range - 146) > 3));
    expect(10 * Math.log10(line[146] / next)).toBeGreaterThan(18);
    expect(output.reduce((a, b) => Math.max(a, b))).toBe(line[146]);

    const { peak, linePeak, targetRank } = report.beamformer;
    expect(linePeak.range).toBe(155);
    expect(targetRank).toBeGreaterThan(50);
    // The clutter is at 245° and 156 Hz in other ranges, to a beam width and a Doppler bin.
    expect(Math.abs((peak.azimuthDegrees as number) - 245)).toBeLessThan(8);
    expect(Math.abs((peak.dopplerHz as number) - 156)).toBeLessThan(39);
    expect(Math.abs(peak.range - 146)).toBeGreaterThan(3);
    // The filter responds to the target and not to the mountain: [azimuth from 170° on][Doppler].
    const at = (degrees: number): number => pattern[(degrees - 170) * 129 + 96];
    expect(10 * Math.log10(at(274))).toBeCloseTo(0, 3);
    expect(10 * Math.log10(at(245))).toBeLessThan(-10);
    expect(report.condition.order).toBe(42);
    expect(report.condition.singular).toBe(0);
  });
});
