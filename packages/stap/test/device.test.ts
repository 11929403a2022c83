/** The program on every kind of device against the float64 reference, stage by stage and whole. */
import { compare, type Device, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkStatus,
  type EfaOptions,
  type EfaProgramOptions,
  efa,
  efaGeometry,
  efaReference,
  efaSteering,
  snrDb,
  uniformSteering,
} from "../src/index.ts";
import { createRandom } from "../src/random.ts";

/** `leastGpu` has WebGPU's default limits. */
let devices: Readonly<Record<"cpu" | "gpu" | "leastGpu", Device>>;
beforeAll(async () => {
  devices = { cpu: await open(cpu()), gpu: await open(gpu()), leastGpu: await open(gpu({ limits: "default" })) };
});
afterAll(() => {
  for (const device of Object.values(devices)) device[Symbol.dispose]();
});

const base: EfaOptions = { channels: 3, pulses: 16, ranges: 64, steeringVectors: 5, blockRanges: 16 };
const random = createRandom(3);

/** Noise, and a plane wave that is stronger in every range. */
function cubeOf({ channels, pulses, ranges }: EfaOptions): Float32Array {
  const cube = new Float32Array(2 * channels * pulses * ranges);
  for (let range = 0; range < ranges; range++) {
    const [a, b] = [2 * random.gaussian(), 2 * random.gaussian()];
    for (let m = 0; m < channels; m++) {
      for (let t = 0; t < pulses; t++) {
        const angle = 2 * Math.PI * (0.17 * m + 0.11 * t);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        cube.set([a * c - b * s + random.gaussian(), a * s + b * c + random.gaussian()], 2 * ((m * pulses + t) * ranges + range));
      }
    }
  }
  return cube;
}

const steeringOf = (options: EfaOptions): Float64Array => {
  const geometry = efaGeometry(options);
  const spatial = Array.from({ length: options.steeringVectors }, (_, p) =>
    uniformSteering(options.channels, p / options.steeringVectors - 0.4),
  );
  return efaSteering(geometry, spatial);
};

const variants: readonly Partial<EfaProgramOptions>[] = [
  {},
  { dopplerBins: 20, centred: true, window: Float64Array.from({ length: 16 }, (_, t) => 1 + 0.5 * Math.sin(t)) },
  { temporalTaps: 1, output: "mvdr" },
  { channels: 2, temporalTaps: 5, output: "complex", sharing: "none", loading: 1e-3 },
  { channels: 2, temporalTaps: 4, training: { kind: "own" }, output: "paper-literal" },
  { training: { kind: "sliding", guardCells: 2 }, maxOverSteering: true },
  { training: { kind: "custom", perBin: true, cells: (_, bin) => Array.from({ length: 40 }, (__, i) => (i + bin) % 64) } },
  { ranges: 60 },
  { solver: "gauss-jordan" },
  { solver: "gauss-jordan", fused: false },
  { fused: false, output: "complex" },
  { fused: false, maxOverSteering: true, steeringVectors: 70 },
  { maxOverSteering: true, steeringVectors: 70 },
  { channels: 1, temporalTaps: 3, steeringVectors: 1, blockRanges: 5, ranges: 63 },
  { channels: 2, temporalTaps: 1, steeringVectors: 2, blockRanges: 4, training: { kind: "adjacent", guardBlocks: 2 } },
  { channels: 12, temporalTaps: 3, ranges: 128, blockRanges: 32, steeringVectors: 3 },
  { channels: 12, temporalTaps: 3, ranges: 128, blockRanges: 32, steeringVectors: 3, solver: "gauss-jordan" },
  { channels: 4, steeringVectors: 150, solver: "gauss-jordan" },
];

async function check(name: keyof typeof devices, more: Partial<EfaProgramOptions>): Promise<void> {
  const options = { ...base, ...more };
  const cube = cubeOf(options);
  const steering = steeringOf(options);
  const outputs = await evaluate(efa(options), devices[name], { cube, steering: Float32Array.from(steering) });
  checkStatus(outputs.status, efaGeometry(options));
  const { channels, pulses, ranges, fused: _, ...rest } = options;
  const exact = efaReference(
    { data: cube, order: ["channel", "pulse", "range"], channels, pulses, ranges },
    Float32Array.from(steering),
    rest,
  );
  expect(outputs.y.length).toBe(exact.data.length);
  // Products in float32, of matrices whose eigenvalues span less than 30 dB.
  expect(snrDb(outputs.y, exact.data)).toBeGreaterThan(80);
  expect(devices[name].memory()).toMatchObject({ buffers: 0, plans: 0 });
}

describe.each(["cpu", "gpu"] as const)("the extended factored algorithm on the %s", (name) => {
  it.each(variants)("is the reference's: %j", { timeout: 120_000 }, (more) => check(name, more));
});

it.each<Partial<EfaProgramOptions>>([
  { maxOverSteering: true, steeringVectors: 70 },
  { channels: 12, ranges: 128, blockRanges: 32, steeringVectors: 3 },
  { channels: 4, steeringVectors: 150, solver: "gauss-jordan" },
  { channels: 16, temporalTaps: 1, steeringVectors: 2, fused: false, solver: "gauss-jordan" },
])("is the reference's at WebGPU's default limits: %j", { timeout: 120_000 }, (more) => check("leastGpu", more));

it("is the same on both devices after every stage", { timeout: 120_000 }, async () => {
  const inputs = { cube: cubeOf(base), steering: Float32Array.from(steeringOf(base)) };
  const { stages } = await compare(efa({ ...base, fused: false }), devices.gpu, devices.cpu, inputs);
  expect(stages.map(({ stage }) => stage)).toEqual(["doppler", "covariance", "solve", "solve", "solve", "weighting"]);
  for (const { stage, relativeL2 } of stages) expect.soft(relativeL2, stage).toBeLessThan(1e-4);
});

it.each(["cpu", "gpu"] as const)("says which covariance is singular, and leaves no NaN: %s", { timeout: 120_000 }, async (name) => {
  const cube = cubeOf(base);
  // A channel that is silent.
  cube.fill(0, 2 * base.pulses * base.ranges, 4 * base.pulses * base.ranges);
  const { y, status } = await evaluate(efa(base), devices[name], { cube, steering: Float32Array.from(steeringOf(base)) });
  expect(y.every(Number.isFinite)).toBe(true);
  expect(() => checkStatus(status, efaGeometry(base))).toThrow(
    expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "covariance", bin: 0, group: 0, row: 3 }) }),
  );
});
