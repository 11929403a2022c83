/**
 * Whether outputs are as reliable as their status says. Covariances of known conditions, on each device, against float64; samples
 * and steering vectors at the ends of float32's range, NaN, silent or equal channels.
 */
import { createRandom, type Device, evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  checkStatus,
  dopplerReference,
  type EfaProgramOptions,
  efa,
  efaFromDoppler,
  efaGeometry,
  efaInputs,
  readStatus,
  snrDb,
  unscaleOutputs,
} from "../src/index.ts";
import { inner, noise, refuse, times } from "./helpers.ts";

let devices: Readonly<Record<"cpu" | "gpu", Device>>;
beforeAll(async () => {
  devices = { cpu: await open(cpu()), gpu: await open(gpu()) };
});
afterAll(() => {
  for (const device of Object.values(devices)) device[Symbol.dispose]();
});

const random = createRandom(31);

/** Orthonormal vectors of n complex numbers, drawn at random: Gram and Schmidt's method, each twice. */
function directions(n: number): readonly Float64Array[] {
  const found: Float64Array[] = [];
  for (let k = 0; k < n; k++) {
    const v = noise(n, 1000 * n + k);
    for (const u of [...found, ...found]) {
      const [re, im] = inner(u, v);
      for (let i = 0; i < 2 * n; i += 2) {
        const [a, b] = [u[i], u[i + 1]];
        v[i] -= re * a - im * b;
        v[i + 1] -= re * b + im * a;
      }
    }
    const size = Math.sqrt(inner(v, v)[0]);
    found.push(v.map((x) => x / size));
  }
  return found;
}

/** Gaussian samples [channel][pulse][range] whose covariance over channels has eigenvalues `powers`; then a gain for every channel. */
function cubeOf(powers: readonly number[], pulses: number, ranges: number, gains: readonly number[] = []): Float32Array {
  const n = powers.length;
  const u = directions(n);
  const cube = new Float32Array(2 * n * pulses * ranges);
  for (let cell = 0; cell < pulses * ranges; cell++) {
    const sum = new Float64Array(2 * n);
    for (let k = 0; k < n; k++) {
      const [a, b] = [random.gaussian() * Math.sqrt(powers[k]), random.gaussian() * Math.sqrt(powers[k])];
      for (let i = 0; i < 2 * n; i += 2) {
        sum[i] += u[k][i] * a - u[k][i + 1] * b;
        sum[i + 1] += u[k][i] * b + u[k][i + 1] * a;
      }
    }
    for (let i = 0; i < n; i++) {
      const gain = gains[i] ?? 1;
      cube.set([gain * sum[2 * i], gain * sum[2 * i + 1]], 2 * (i * pulses * ranges + cell));
    }
  }
  return cube;
}

/** Eigenvalues whose largest is 10^decades times the least. */
const spectra: Readonly<Record<string, (n: number, decades: number) => readonly number[]>> = {
  "a geometric series": (n, decades) => times(n, (k) => 10 ** ((-decades * k) / (n - 1))),
  "one strong": (n, decades) => times(n, (k) => (k === 0 ? 1 : 10 ** -decades)),
  "half strong": (n, decades) => times(n, (k) => (2 * k < n ? 1 : 10 ** -decades)),
  "one weak": (n, decades) => times(n, (k) => (k < n - 1 ? 1 : 10 ** -decades)),
};

interface Judged {
  /** dB of outputs over their error against float64, of the worst steering vector of one covariance. */
  readonly worstDb: number;
  readonly clean: number;
  readonly illConditioned: number;
  readonly others: number;
}

/** The distance of outputs of covariances without a status from float64's. */
async function judge(device: Device, cube: Float32Array, channels: number, more: Partial<EfaProgramOptions>): Promise<Judged> {
  const [pulses, groups, vectors] = [4, 4, 5];
  const ranges = cube.length / (2 * channels * pulses);
  const each = ranges / groups;
  const options: EfaProgramOptions = {
    ...{ channels, pulses, ranges, steeringVectors: vectors, temporalTaps: 1, blockRanges: each, training: { kind: "own" } },
    ...more,
  };
  const geometry = efaGeometry(options);
  const steering = Float32Array.from(noise(vectors * geometry.order, 7));
  const { y, status } = await evaluate(efa(options), device, { cube, steering });
  const x = dopplerReference({ data: cube, order: ["channel", "pulse", "range"], channels, pulses, ranges }, geometry);
  const exact = efaFromDoppler(x, steering, geometry).data;
  let [worstDb, clean] = [Number.POSITIVE_INFINITY, 0];
  for (let item = 0; item < status.length; item++) {
    if (status[item] !== 0) continue;
    clean++;
    for (let p = 0; p < vectors; p++) {
      const first = (p * pulses + Math.floor(item / groups)) * ranges + (item % groups) * each;
      let [error, power] = [0, 0];
      for (let i = first; i < first + each; i++) {
        error += (y[i] - exact[i]) ** 2;
        power += exact[i] ** 2;
      }
      worstDb = Math.min(worstDb, 10 * Math.log10(power / error));
    }
  }
  const found = readStatus(status, geometry);
  const illConditioned = found.filter(({ kind }) => kind === "illConditioned").length;
  expect(clean + found.length).toBe(status.length);
  return { worstDb, clean, illConditioned, others: found.length - illConditioned };
}

/** Forms of the kernels: fused and not, by either method. */
const forms: readonly Partial<EfaProgramOptions>[] = [
  { fused: true },
  { fused: false },
  { fused: true, solver: "gauss-jordan" },
  { fused: false, solver: "gauss-jordan" },
];
const ways = [
  ...forms.map((form) => ["cpu", form] as const),
  ...forms.map((form) => ["cpu", { ...form, precision: "f64" }] as const),
  ["gpu", forms[0]] as const,
  ["gpu", forms[1]] as const,
  ["gpu", forms[3]] as const,
];

describe.each(ways)("covariances without a status are 40 dB and more from float64's: %s %j", (name, form) => {
  it.each(Object.keys(spectra))("%s", async (spectrum) => {
    for (const n of name === "cpu" ? [2, 5, 12, 26] : [12]) {
      if (n > 24 && name === "gpu") continue;
      for (const decades of [2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        const cube = cubeOf(spectra[spectrum](n, decades), 4, 4 * 3 * n);
        const { worstDb, clean, illConditioned, others } = await judge(devices[name], cube, n, form);
        const what = `order ${n}, condition 1e${decades}`;
        expect.soft(worstDb, what).toBeGreaterThan(40);
        // Within reach nothing is refused, and there are few warnings.
        const reach = form.precision === "f64" ? 7 : 3;
        if (decades <= reach) expect.soft(clean, what).toBe(16);
        // Everything beyond it has a status.
        if (decades >= (form.precision === "f64" ? 12 : 7)) expect.soft(clean, what).toBeLessThan(8);
        if (form.precision === "f64") expect.soft(others, what).toBe(0);
        else if (decades === 5 && n === 12) expect.soft(illConditioned + clean, what).toBe(16);
      }
    }
  });

  it("whatever the gains of channels are", async () => {
    for (const decades of [2, 6, 10]) {
      const gains = times(12, (i) => 10 ** ((((5 * i) % 12) * decades) / 2 / 11));
      const { worstDb, clean } = await judge(devices[name], cubeOf(spectra["half strong"](12, 2), 4, 4 * 36, gains), 12, form);
      expect(clean).toBe(16);
      expect(worstDb).toBeGreaterThan(60);
    }
  });
});

it("are so of three taps and adjacent training too, and of an order that workgroup memory takes alone", async () => {
  const [channels, pulses, ranges] = [4, 4, 160];
  for (const [name, more] of [
    ["cpu", {}],
    ["cpu", { precision: "f64" }],
    ["gpu", {}],
    ["gpu", { channels: 26, temporalTaps: 1, ranges: 4 * 78 }],
  ] as const) {
    for (const decades of [3, 5, 8]) {
      const m = "channels" in more ? more.channels : channels;
      const cube = cubeOf(spectra["one weak"](m, decades), pulses, "ranges" in more ? more.ranges : ranges);
      const options = "channels" in more ? { fused: false } : { temporalTaps: 3, dopplerBins: 4, training: { kind: "adjacent" }, ...more };
      const { worstDb, clean } = await judge(devices[name], cube, m, options as Partial<EfaProgramOptions>);
      expect.soft(worstDb).toBeGreaterThan(40);
      if (decades === 3) expect.soft(clean).toBe(16);
    }
  }
});

const small = { channels: 3, pulses: 8, ranges: 64, blockRanges: 16, steeringVectors: 3 } as const;
const samples = (): Float32Array => Float32Array.from(noise(3 * 8 * 64, 5));
const vectors = (n = 9): Float32Array => Float32Array.from(noise(3 * n, 6));

describe.each(["cpu", "gpu"] as const)("a status says what is wrong: %s", (name) => {
  const run = async (options: EfaProgramOptions, cube: Float32Array, steering = vectors()) => {
    const { y, status } = await evaluate(efa(options), devices[name], { cube, steering });
    return { y, status, geometry: efaGeometry(options) };
  };

  it.each<Partial<EfaProgramOptions>>([{ fused: true }, { fused: false }, { fused: true, solver: "gauss-jordan" }])("%j", async (more) => {
    const options: EfaProgramOptions = { ...small, ...more };
    // NaN in one sample.
    const bad = samples();
    bad[2 * ((8 + 3) * 64 + 20)] = Number.NaN;
    const { status, geometry } = await run(options, bad);
    for (const loading of [0, 1e-9]) {
      const loaded = await run({ ...options, loading }, bad);
      expect(readStatus(loaded.status, geometry)[0]).toMatchObject({ kind: "notFinite", channel: 1 });
    }
    refuse(() => checkStatus(status, geometry), /finite samples.*the power of channel 1, tap \d, is not finite/, "covariance");
    // Squares that float32 cannot hold, large and small, and a silent channel.
    for (const [scale, kind] of [
      [1e20, "notFinite"],
      [1e-25, "noPower"],
    ] as const) {
      const out = await run(
        options,
        samples().map((x) => x * scale),
      );
      expect(new Set(readStatus(out.status, geometry).map((one) => one.kind))).toEqual(new Set([kind]));
      expect(out.y.every((value) => value === 0)).toBe(true);
      refuse(() => checkStatus(out.status, geometry), /efaInputs/, "covariance");
    }
    const silent = samples().fill(0, 2 * 8 * 64, 4 * 8 * 64);
    const dead = await run(options, silent);
    expect(readStatus(dead.status, geometry)[0]).toMatchObject({ kind: "noPower", row: 3, channel: 1, tap: 0 });
    // One channel twice.
    const twice = samples();
    twice.copyWithin(4 * 8 * 64, 0, 2 * 8 * 64);
    const alike = await run(options, twice);
    for (const one of readStatus(alike.status, geometry)) expect(one).toMatchObject({ channel: 2 });
    expect(() => checkStatus(alike.status, geometry)).toThrow(/channel 2/);
    // A steering vector of zeros, and one that is not finite.
    for (const value of [0, Number.NaN, 1e30]) {
      const steering = vectors();
      steering.fill(value, 2 * 9, 4 * 9);
      const out = await run(options, samples(), steering);
      if (value === 1e30 && name === "cpu") continue;
      expect(readStatus(out.status, geometry)[5]).toMatchObject({ kind: "steering", steering: 1 });
      refuse(() => checkStatus(out.status, geometry), /steering vector 1 is not positive and finite/, "steering");
    }
    const fine = await run(options, samples());
    expect(fine.status.every((one) => one === 0)).toBe(true);
    checkStatus(fine.status, geometry);
  });

  it.each(["amf", "mvdr", "complex", "paper-literal"] as const)("efaInputs takes samples of any scale: %s", async (output) => {
    const options: EfaProgramOptions = { ...small, output };
    const geometry = efaGeometry(options);
    const [cube, steering] = [samples(), vectors()];
    const { y } = await evaluate(efa(options), devices[name], { cube, steering });
    for (const [exponent, ofSteering] of [
      [66, 0],
      [124, 0],
      [-80, 0],
      [-120, 100],
      [40, -110],
    ]) {
      // As far as float32 can hold them; the square root of an odd power of two is rounded.
      const grown = efaInputs(
        Float64Array.from(cube, (x) => x * 2 ** exponent),
        steering.map((x) => x * 2 ** ofSteering),
        geometry,
      );
      const out = await evaluate(efa(options), devices[name], grown.arrays);
      checkStatus(out.status, geometry);
      const power = { amf: 0, mvdr: 2, complex: 1, "paper-literal": -1 }[output] * (exponent - ofSteering);
      const expected = y.map((value) => value * 2 ** power);
      if (expected.every((value) => Number.isFinite(value) && Math.abs(value) > 1e-37))
        expect(snrDb(unscaleOutputs(out.y, grown, geometry), expected)).toBeGreaterThan(120);
      else if (expected.some((value) => !Number.isFinite(value) || value === 0))
        expect(() => unscaleOutputs(out.y, grown, geometry)).toThrow(
          expect.objectContaining({ fields: expect.objectContaining({ field: "output" }) }),
        );
    }
  });
});

it("the float64 reference names samples, not training, if they are the cause", () => {
  const geometry = efaGeometry(small);
  const reference = (data: Float64Array) => () => {
    const x = dopplerReference({ data, order: ["channel", "pulse", "range"], channels: 3, pulses: 8, ranges: 64 }, geometry);
    efaFromDoppler(x, vectors(), geometry);
  };
  const data = Float64Array.from(samples());
  refuse(reference(data.map((value) => value * 1e170)), /diagonal is Infinity: samples are not finite, or too large/);
  refuse(reference(data.fill(0, 2 * 8 * 64, 4 * 8 * 64)), /element 3 of its diagonal is zero: its channel is silent/);
});

it("efaInputs does not change samples of usual scales, and names the place of a NaN", () => {
  const geometry = efaGeometry(small);
  const [cube, steering] = [samples(), vectors()];
  const same = efaInputs(cube, steering, geometry);
  expect(same.arrays.cube).toBe(cube);
  expect(same.arrays.steering).toBe(steering);
  expect(same.outputExponents).toEqual([0, 0, 0]);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    const bad = samples();
    bad[2 * ((2 * 8 + 5) * 64 + 33) + 1] = value;
    expect(() => efaInputs(bad, steering, geometry)).toThrow(
      expect.objectContaining({
        code: "input",
        message: `cube, channel 2, pulse 5, range 33, must be a finite number, not ${value}`,
        fields: expect.objectContaining({ field: "cube", channel: 2, pulse: 5, range: 33 }),
      }),
    );
    const turned = vectors();
    turned[2 * (9 + 4)] = value;
    refuse(() => efaInputs(cube, turned, geometry), /steering\[1\], element 4, must be a finite number/, "steering[1]");
  }
  refuse(
    () =>
      efaInputs(
        cube.map(() => 0),
        steering,
        geometry,
      ),
    /cube must be different from zero/,
    "cube",
  );
  refuse(() => efaInputs(cube, vectors().fill(0, 36, 54), geometry), /steering\[2\] must be different from zero/, "steering[2]");
  refuse(() => efaInputs(cube.subarray(2), steering, geometry), /cube/);
});
