/** The program on every kind of device against the float64 reference, stage by stage and whole. */
import { compile, createRandom, type Device, evaluate, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  checkStatus,
  covarianceReference,
  dopplerReference,
  type EfaOptions,
  type EfaProgramOptions,
  efa,
  efaGeometry,
  efaReference,
  efaStages,
  efaSteering,
  snrDb,
  solveReference,
  uniformSteering,
} from "../src/index.ts";

/** `leastGpu` has WebGPU's default limits. */
let devices: Readonly<Record<"cpu" | "gpu" | "leastGpu", Device>>;
const openAll = async (): Promise<void> => {
  devices = { cpu: await open(cpu()), gpu: await open(gpu()), leastGpu: await open(gpu({ limits: "default" })) };
};
beforeAll(openAll);
// A test that fails or takes too long may leave something on its devices, or still be running. The next test gets new devices.
afterEach(({ task }) => (task.result?.state === "fail" ? openAll() : undefined));
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

/** For the CPU only, whose kernels are not compiled again for each. */
const cpuVariants: readonly Partial<EfaProgramOptions>[] = [
  { temporalTaps: 2, steeringVectors: 6, fused: false, solver: "gauss-jordan", maxOverSteering: true },
  { solver: "gauss-jordan", output: "complex", loading: 0.01, ranges: 61 },
  {
    solver: "gauss-jordan",
    fused: false,
    output: "mvdr",
    sharing: "none",
    window: Float64Array.from({ length: 16 }, (_, t) => 1 - 0.03 * t),
  },
  { training: { kind: "custom", cells: (block) => Array.from({ length: 37 }, (_, i) => (7 * i + block) % 64) } },
  { channels: 2, temporalTaps: 3, dopplerBins: 17, training: { kind: "sliding", cells: 31 }, output: "paper-literal", steeringVectors: 9 },
  { pulses: 4, ranges: 600, blockRanges: 290, steeringVectors: 35, training: { kind: "own" }, fused: true },
  { pulses: 4, ranges: 600, blockRanges: 290, steeringVectors: 35, training: { kind: "own" }, fused: true, maxOverSteering: true },
  { pulses: 4, temporalTaps: 1, channels: 2, ranges: 600, blockRanges: 150, steeringVectors: 2, output: "complex", fused: false },
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
  // Not the slow reference.
  const compiled = await compile(efa(options), devices[name]);
  for (const { plan } of compiled.stages)
    expect(plan.text).toMatch(name === "cpu" ? /^\((fft|kernel)\/wasm / : /^\((fft\/gpu|kernel\/wgsl) /);
  compiled[Symbol.dispose]();
  expect(devices[name].memory()).toMatchObject({ buffers: 0, plans: 0 });
}

describe.each(["cpu", "gpu"] as const)("the extended factored algorithm on the %s", (name) => {
  it.each(name === "cpu" ? [...variants, ...cpuVariants] : variants)("is the reference's: %j", (more) => check(name, more));

  it.each(name === "cpu" ? [{}, { fused: false }, { solver: "gauss-jordan" } as const] : [{}])(
    "names a steering vector whose output is the largest: %j",
    async (more) => {
      const options = { ...base, steeringVectors: 70, ...more, maxOverSteering: true };
      const [cube, steering] = [cubeOf(options), Float32Array.from(steeringOf(options))];
      const outputs = await evaluate(efa(options), devices[name], { cube, steering });
      const strongest = outputs.strongest as Uint32Array;
      const all = await evaluate(efa({ ...options, maxOverSteering: false }), devices[name], { cube, steering });
      const cells = 16 * base.ranges;
      for (let cell = 0; cell < cells; cell++) {
        // Two programs, whose sums may be ordered differently.
        const chosen = all.y[strongest[cell] * cells + cell];
        const largest = Array.from({ length: 70 }, (_, p) => all.y[p * cells + cell]).reduce((most, y) => Math.max(most, y), 0);
        expect(Math.abs(outputs.y[cell] / chosen - 1)).toBeLessThan(1e-5);
        expect(chosen / largest).toBeGreaterThan(1 - 1e-5);
      }
    },
  );
});

it.each(["cholesky", "gauss-jordan"] as const)("solves on the CPU as float64 does, of the same covariances: %s", async (solver) => {
  const options = { ...base, solver, training: { kind: "own" }, steeringVectors: 11 } as const;
  const geometry = efaGeometry(options);
  const { channels, pulses, ranges } = base;
  const x = dopplerReference({ data: cubeOf(options), order: ["channel", "pulse", "range"], channels, pulses, ranges }, geometry);
  const steering = Float32Array.from(steeringOf(options));
  const stages = efaStages(options);
  const { means } = await evaluate(stages.covariance, devices.cpu, { x: Float32Array.from(x.data) });
  const { weights, gains } = await evaluate(stages.solve, devices.cpu, { means, steering });
  const exact = solveReference(covarianceReference(x, geometry), steering, geometry);
  expect(snrDb(weights, exact.data)).toBeGreaterThan(80);
  expect(snrDb(gains, exact.gains)).toBeGreaterThan(80);
});

it("is the same to the bit on any number of units of the CPU", async () => {
  for (const more of [{}, { fused: false, solver: "gauss-jordan" }, { training: { kind: "sliding" }, maxOverSteering: true }] as const) {
    const options = { ...base, ...more };
    const inputs = { cube: cubeOf(options), steering: Float32Array.from(steeringOf(options)) };
    const all = [];
    for (const units of [1, 2, 3]) {
      using device = await open(cpu({ workers: units }));
      all.push((await evaluate(efa(options), device, inputs)).y);
    }
    expect(all[1]).toEqual(all[0]);
    expect(all[2]).toEqual(all[0]);
  }
});

it.each<Partial<EfaProgramOptions>>([
  { maxOverSteering: true, steeringVectors: 70 },
  { channels: 12, ranges: 128, blockRanges: 32, steeringVectors: 3 },
  { channels: 4, steeringVectors: 150, solver: "gauss-jordan" },
  { channels: 16, temporalTaps: 1, steeringVectors: 2, fused: false, solver: "gauss-jordan" },
])("is the reference's at WebGPU's default limits: %j", (more) => check("leastGpu", more));

it("is the same on both devices after every stage", async () => {
  const inputs = { cube: cubeOf(base), steering: Float32Array.from(steeringOf(base)) };
  const { stages } = await compare(efa({ ...base, fused: false }), devices.gpu, devices.cpu, inputs);
  expect(stages.map(({ stage }) => stage)).toEqual(["doppler", "covariance", "solve", "solve", "solve", "weighting"]);
  for (const { stage, relativeL2 } of stages) expect.soft(relativeL2, stage).toBeLessThan(1e-4);
});

describe.each(["cpu", "gpu"] as const)("says which covariance is singular, and leaves no NaN: %s", (name) => {
  it.each([{}, { fused: false }, { solver: "gauss-jordan" }, { solver: "gauss-jordan", fused: false }, { maxOverSteering: true }] as const)(
    "%j",
    async (more) => {
      const options = { ...base, ...more };
      const cube = cubeOf(base);
      // A silent channel.
      cube.fill(0, 2 * base.pulses * base.ranges, 4 * base.pulses * base.ranges);
      const { y, status } = await evaluate(efa(options), devices[name], { cube, steering: Float32Array.from(steeringOf(options)) });
      expect(y.every((value) => value === 0)).toBe(true);
      expect(() => checkStatus(status, efaGeometry(options))).toThrow(
        expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "covariance", bin: 0, group: 0, row: 3 }) }),
      );
    },
  );
});

it.each([{}, { solver: "gauss-jordan" }, { output: "complex" }, { maxOverSteering: true }] as const)(
  "takes a pivot that is no number for a bad one: %j",
  async (more) => {
    const options = { ...base, training: { kind: "own" }, ...more } as const;
    const cube = cubeOf(base);
    cube[2 * 17] = Number.NaN;
    const { y, status } = await evaluate(efa(options), devices.cpu, { cube, steering: Float32Array.from(steeringOf(options)) });
    expect(status).toEqual(Uint32Array.from({ length: 64 }, (_, i) => (i % 4 === 1 ? 2 ** 16 + 1 : 0)));
    const pitch = options.output === "complex" ? 128 : 64;
    for (let i = 0; i < y.length; i++) expect(Math.floor((i % pitch) / (pitch / 4)) === 1 ? y[i] === 0 : y[i] > 0 || y[i] < 0).toBe(true);
  },
);

it.each([{}, { solver: "gauss-jordan" }] as const)("leaves zeros on the GPU if a pivot is NaN: %j", async (more) => {
  const options = { ...base, training: { kind: "own" }, ...more } as const;
  const cube = cubeOf(base);
  cube[2 * 17] = Number.NaN;
  const { y, status } = await evaluate(efa(options), devices.gpu, { cube, steering: Float32Array.from(steeringOf(options)) });
  expect(status.some((row) => row > 0)).toBe(true);
  // One range of the group is NaN, times zero.
  for (let i = 0; i < y.length; i++) {
    const group = Math.floor((i % 64) / 16);
    if (status[4 * (Math.floor(i / 64) % 16) + group] > 0 && i % 64 !== 17) expect(y[i]).toBe(0);
  }
});

it("refuses training that differs from bin to bin and has too few cells, or sets that are too many to write down", () => {
  const few = {
    kind: "custom",
    perBin: true,
    cells: (_: number, bin: number) => Array.from({ length: bin === 5 ? 8 : 9 }, (__, i) => i),
  } as const;
  expect(() => efa({ ...base, training: few })).toThrow(
    expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "training", actual: 8 }) }),
  );
  const one = { kind: "custom", perBin: true, cells: () => [0] } as const;
  const many = {
    channels: 1,
    pulses: 1,
    dopplerBins: 65_536,
    ranges: 2048,
    steeringVectors: 1,
    temporalTaps: 1,
    blockRanges: 1,
    training: one,
  };
  expect(() => efa(many)).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "training" }) }));
});

describe.each(["cpu", "gpu"] as const)("says of most covariances that are singular but for their rounding that they are: %s", (name) => {
  it.each([{}, { fused: false }, { solver: "gauss-jordan" }] as const)("%j", async (more) => {
    const options: EfaProgramOptions = { ...base, channels: 4, temporalTaps: 1, training: { kind: "own" }, ...more };
    // Two sources in four channels: the third pivot is what rounding to float32 leaves, on either side of zero.
    const { pulses, ranges } = base;
    const [sources, cube] = [cubeOf({ ...base, channels: 2 }), new Float32Array(2 * 4 * pulses * ranges)];
    for (let m = 0; m < 4; m++) {
      for (let i = 0; i < 2 * pulses * ranges; i++)
        cube[2 * m * pulses * ranges + i] = Math.cos(m) * sources[i] + Math.sin(2 * m + 1) * sources[2 * pulses * ranges + i];
    }
    const { y, status } = await evaluate(efa(options), devices[name], { cube, steering: Float32Array.from(steeringOf(options)) });
    // Two pivots of each are rounding alone, and negative half the time: 64 matrices, of which two thirds are found to be singular at
    // least, and the others to be ill-conditioned.
    expect(status.every((told) => told === 3 || told === 4 || told > 3 * 2 ** 16)).toBe(true);
    expect(status.filter((told) => told < 2 ** 16).length).toBeGreaterThan(43);
    expect(() => checkStatus(status, efaGeometry(options))).toThrow(expect.objectContaining({ code: "input" }));
    for (let i = 0; i < y.length; i++) {
      const [bin, group] = [Math.floor(i / ranges) % pulses, Math.floor((i % ranges) / 16)];
      if (status[4 * bin + group] < 2 ** 16) expect(y[i]).toBe(0);
    }
  });
});

it.each([{}, { fused: false }] as const)("keeps NaN of a range, also as the largest of all vectors: %j", async (more) => {
  // Trained only by blocks 1 and 2, so that no covariance contains it.
  const options: EfaProgramOptions = { ...base, ...more, maxOverSteering: true, training: { kind: "custom", cells: () => cells } };
  const cells = Array.from({ length: 32 }, (_, i) => 16 + i);
  const cube = cubeOf(base);
  cube[2 * 5] = Number.NaN;
  const { y } = await evaluate(efa(options), devices.cpu, { cube, steering: Float32Array.from(steeringOf(options)) });
  for (let i = 0; i < y.length; i++) expect(i % base.ranges === 5 ? Number.isNaN(y[i]) : y[i] > 0).toBe(true);
});
