/** Simulated echoes, clutter and noise against sums by definition and against the statistics that they should have. */

import { isRadarError } from "@dechirp/core";
import { chirpReplica, chirpSamples, type PointTarget, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { quantise, type SimulationOptions, scenePresets, simulateStripmap } from "../src/index.ts";
import { drawScatterers } from "../src/simulate/background.ts";
import { convolveByDefinition, fixed, fraction, number, one, over, root, times } from "./signal-reference.ts";

const airborne: StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 150e6,
  prfHz: 160,
  chirpRateHzPerSecond: 500e12,
  pulseSeconds: 0.2e-6,
  velocityMetersPerSecond: 130,
  nearRangeMeters: 3000,
  dopplerCentroidHz: 20,
};
const satellite: StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 32e6,
  prfHz: 1250,
  chirpRateHzPerSecond: -30e12,
  pulseSeconds: 1e-6,
  velocityMetersPerSecond: 7062,
  nearRangeMeters: 988_647.462,
  dopplerCentroidHz: -6900,
};
const patch = { lines: 64, samples: 64, dtype: "c128" } as const;
const airborneTargets: PointTarget[] = [
  { name: "a", azimuthSeconds: 0.25, slantRangeMeters: 3010.3, amplitude: 1, phaseRadians: 0.3 },
  { name: "b", azimuthSeconds: -0.07, slantRangeMeters: 3021.77, amplitude: 0.5, phaseRadians: -2 },
  { name: "c", azimuthSeconds: 0.6, slantRangeMeters: 3055.1, amplitude: 2, phaseRadians: 0 },
];
const satelliteTargets: PointTarget[] = [
  // Seen nearly four seconds after closest approach, some 370 m farther away.
  { name: "a", azimuthSeconds: -3.85, slantRangeMeters: 988_300.25, amplitude: 1, phaseRadians: 1 },
  { name: "b", azimuthSeconds: -3.77, slantRangeMeters: 988_380.5, amplitude: 1, phaseRadians: 0 },
];

/** The textbook's sum in fixed-point arithmetic of 200 bits; also the largest number of cycles a double had to hold. */
function directSum(radar: StripmapRadar, bandwidthHz: number, targets: readonly PointTarget[]) {
  const raw = new Float64Array(2 * patch.lines * patch.samples);
  const [c, rate, duration] = [speedOfLight, radar.samplingRateHz, radar.pulseSeconds].map(fixed);
  let seen = 0;
  for (let p = 0; p < patch.lines; p++) {
    for (const target of targets) {
      const offset = over(BigInt(p) * one, fixed(radar.prfHz)) - fixed(target.azimuthSeconds);
      const along = times(fixed(radar.velocityMetersPerSecond), offset);
      const closest = fixed(target.slantRangeMeters);
      const range = root(times(closest, closest) + times(along, along));
      const wavelength = over(c, fixed(radar.carrierHz));
      const doppler = number(over(-2n * times(fixed(radar.velocityMetersPerSecond), along), times(wavelength, range)));
      if (Math.abs(doppler - radar.dopplerCentroidHz) > bandwidthHz / 2) continue;
      seen++;
      const delay = over(2n * range, c);
      for (let i = 0; i < patch.samples; i++) {
        const t = over(2n * fixed(radar.nearRangeMeters), c) + over(BigInt(i) * one, rate) - delay;
        if (t < 0n || t >= duration) continue;
        const u = t - duration / 2n;
        const cycles = times(fixed(radar.chirpRateHzPerSecond) / 2n, times(u, u)) - times(fixed(radar.carrierHz), delay);
        const angle = 2 * Math.PI * fraction(cycles) + target.phaseRadians;
        raw[2 * (p * patch.samples + i)] += target.amplitude * Math.cos(angle);
        raw[2 * (p * patch.samples + i) + 1] += target.amplitude * Math.sin(angle);
      }
    }
  }
  return { raw, seen };
}

const largestDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let largest = 0;
  for (let i = 0; i < b.length; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]));
  return largest;
};

const clutterScene: SimulationOptions = {
  ...patch,
  radar: airborne,
  beam: { kind: "sinc2", bandwidthHz: 120 },
  targets: [],
  background: { levelDb: -10, density: 1.5, texture: "terrain" },
  seed: 11,
};

describe("point echoes", () => {
  it.each([
    ["airborne", airborne, 110, airborneTargets],
    ["satellite, squinted, down-chirp", satellite, 300, satelliteTargets],
  ] as const)("%s: the textbook's sum", async (_, radar, bandwidthHz, targets) => {
    const { raw } = await simulateStripmap({ ...patch, radar, beam: { kind: "doppler-band", bandwidthHz }, targets });
    const reference = directSum(radar, bandwidthHz, targets);
    expect(reference.seen).toBeGreaterThan(40);
    // Phases are sums of two parts held as doubles: the cycles of R − R₀ with a relative error of 8 ε (square, root,
    // quotient, and slow time with its own rounding twice), and chirp cycles. Carrier cycles of R₀ are exact.
    const cycles = Math.max(
      ...targets.map(({ azimuthSeconds, slantRangeMeters }) => {
        const offset = Math.max(Math.abs(azimuthSeconds), Math.abs(patch.lines / radar.prfHz - azimuthSeconds));
        return (radar.carrierHz * (radar.velocityMetersPerSecond * offset) ** 2) / (slantRangeMeters * speedOfLight);
      }),
    );
    const amplitude = targets.reduce((sum, target) => sum + target.amplitude, 0);
    const tolerance = 8 * 2 ** -53 * 2 * Math.PI * (cycles + 10) * amplitude;
    const difference = largestDifference(raw, reference.raw);
    expect(difference).toBeLessThan(tolerance);
    if (radar === airborne) expect(difference).toBeLessThan(1e-12);
  });

  it("an antenna's pattern weighs the same echo", async () => {
    const [target] = airborneTargets;
    const options = { ...patch, radar: airborne, targets: [target] };
    const flat = await simulateStripmap({ ...options, beam: { kind: "doppler-band", bandwidthHz: 400 } });
    const lit = await simulateStripmap({ ...options, beam: { kind: "sinc2", bandwidthHz: 110 } });
    // Middle of the echo at the pulse that sees the centroid of 20 Hz: Ka = 2V²/(λR) is near 198 Hz/s.
    const wavelength = speedOfLight / airborne.carrierHz;
    for (const p of [5, 24, 40]) {
      const along = 130 * (p / 160 - target.azimuthSeconds);
      const doppler = (-2 * 130 * along) / (wavelength * Math.hypot(target.slantRangeMeters, along));
      const x = (Math.PI * 0.885892941378904 * (doppler - 20)) / 110;
      const at = 2 * (64 * p + 20);
      expect(Math.hypot(flat.raw[at], flat.raw[at + 1])).toBeCloseTo(1, 12);
      expect(lit.raw[at]).toBeCloseTo((flat.raw[at] * Math.sin(x) ** 2) / x ** 2, 12);
      expect(lit.raw[at + 1]).toBeCloseTo((flat.raw[at + 1] * Math.sin(x) ** 2) / x ** 2, 12);
    }
  });

  it("the replica is an echo at delay zero", async () => {
    const target = { name: "", azimuthSeconds: 0, slantRangeMeters: 3000, amplitude: 1, phaseRadians: 0 };
    const radar = { ...airborne, dopplerCentroidHz: 0, carrierHz: speedOfLight * 16 };
    const { raw } = await simulateStripmap({
      ...patch,
      lines: 1,
      radar,
      beam: { kind: "doppler-band", bandwidthHz: 100 },
      targets: [target],
    });
    const replica = chirpReplica(radar);
    expect(replica.length).toBe(2 * chirpSamples(radar));
    expect(replica.length).toBe(60);
    // 2·f₀·R₀/c is whole: no carrier phase is left.
    expect(largestDifference(raw, replica)).toBeLessThan(1e-14);
    expect(raw[60]).toBe(0);
    const fine = chirpReplica(radar, { oversample: 3, window: { kind: "hann" } });
    expect(fine.length).toBe(180);
    for (let n = 0; n < 90; n++) {
      const u = n / (3 * radar.samplingRateHz) - radar.pulseSeconds / 2;
      const angle = Math.PI * radar.chirpRateHzPerSecond * u * u;
      const gain = Math.cos((Math.PI * u) / radar.pulseSeconds) ** 2;
      expect(Math.abs(fine[2 * n] - gain * Math.cos(angle))).toBeLessThan(1e-13);
      expect(Math.abs(fine[2 * n + 1] - gain * Math.sin(angle))).toBeLessThan(1e-13);
    }
  });
});

describe("clutter", () => {
  it("is the frequency-domain sum over its scatterers", async () => {
    const { raw, scatterers } = await simulateStripmap(clutterScene, { convolve: convolveByDefinition });
    const drawn = await drawScatterers(clutterScene, clutterScene.background as never, 11, async () => {});
    expect(scatterers).toBe(drawn.count);
    expect(drawn.count).toBeGreaterThan(1000);
    const n = 128;
    const pulse = chirpReplica(airborne);
    const reference = new Float64Array(raw.length);
    let power = 0;
    for (let p = 0; p < patch.lines; p++) {
      const sums = new Float64Array(2 * n);
      for (let s = 0; s < drawn.count; s++) {
        const closest = drawn.slantRangeMeters[s];
        const along = airborne.velocityMetersPerSecond * (p / airborne.prfHz - drawn.azimuthSeconds[s]);
        const range = Math.hypot(closest, along);
        const cyclesPerMeter = (2 * airborne.carrierHz) / speedOfLight;
        const offset = (-cyclesPerMeter * airborne.velocityMetersPerSecond * along) / range - airborne.dopplerCentroidHz;
        const x = (0.885892941378904 * offset) / 120;
        const delay = ((range - airborne.nearRangeMeters) * 2 * airborne.samplingRateHz) / speedOfLight;
        if (Math.abs(x) > 1 || delay >= patch.samples) continue;
        const gain = (Math.sin(Math.PI * x) / (Math.PI * x)) ** 2;
        const carrier = -2 * Math.PI * cyclesPerMeter * (range - closest);
        const [a, b] = [drawn.amplitudes[2 * s], drawn.amplitudes[2 * s + 1]];
        let re = gain * (a * Math.cos(carrier) - b * Math.sin(carrier));
        let im = gain * (a * Math.sin(carrier) + b * Math.cos(carrier));
        // From k = −63 upwards by powers of exp(−j2πδ/N).
        const step = [Math.cos((2 * Math.PI * delay) / n), -Math.sin((2 * Math.PI * delay) / n)];
        const start = (2 * Math.PI * 63 * delay) / n;
        [re, im] = [re * Math.cos(start) - im * Math.sin(start), re * Math.sin(start) + im * Math.cos(start)];
        for (let k = -63; k < 64; k++) {
          sums[2 * ((k + n) % n)] += re;
          sums[2 * ((k + n) % n) + 1] += im;
          [re, im] = [re * step[0] - im * step[1], re * step[1] + im * step[0]];
        }
      }
      for (let k = 0; k < n; k++) {
        let re = 0;
        let im = 0;
        for (let i = 0; i < pulse.length / 2; i++) {
          const angle = (-2 * Math.PI * k * i) / n;
          re += pulse[2 * i] * Math.cos(angle) - pulse[2 * i + 1] * Math.sin(angle);
          im += pulse[2 * i] * Math.sin(angle) + pulse[2 * i + 1] * Math.cos(angle);
        }
        const [a, b] = [(re * sums[2 * k] - im * sums[2 * k + 1]) / n, (re * sums[2 * k + 1] + im * sums[2 * k]) / n];
        for (let i = 0; i < patch.samples; i++) {
          const angle = (2 * Math.PI * k * i) / n;
          reference[2 * (64 * p + i)] += a * Math.cos(angle) - b * Math.sin(angle);
          reference[2 * (64 * p + i) + 1] += a * Math.sin(angle) + b * Math.cos(angle);
        }
      }
    }
    let error = 0;
    for (let i = 0; i < raw.length; i++) {
      error += (raw[i] - reference[i]) ** 2;
      power += reference[i] ** 2;
    }
    expect(power).toBeGreaterThan(1);
    // A Kaiser–Bessel kernel of w = 8 cells at twofold oversampling errs by about 10^(1 − w).
    expect(Math.sqrt(error / power)).toBeLessThan(1e-7);
  });

  it("has the stated level: mean power of the scatterers of a resolution cell", async () => {
    for (const texture of ["uniform", "terrain"] as const) {
      const background = { levelDb: -6, density: 3, texture };
      const { count, amplitudes, azimuthSeconds } = await drawScatterers(clutterScene, background, 3, async () => {});
      const powers = Float64Array.from({ length: count }, (_, s) => amplitudes[2 * s] ** 2 + amplitudes[2 * s + 1] ** 2);
      const sum = powers.reduce((total, power) => total + power, 0);
      // Five standard errors, from the powers' own scatter.
      const five = (5 * Math.sqrt(powers.reduce((total, power) => total + power * power, 0))) / sum;
      expect(five).toBeLessThan(0.2);
      expect(Math.abs(sum / count / (10 ** -0.6 / 3) - 1)).toBeLessThan(five);
      for (let s = 1; s < count; s++) if (azimuthSeconds[s] < azimuthSeconds[s - 1]) expect.unreachable();
    }
  });
});

describe("noise", () => {
  it("is complex, circular, Gaussian and white with the stated power", async () => {
    const options: SimulationOptions = {
      radar: airborne,
      lines: 256,
      samples: 256,
      beam: { kind: "doppler-band", bandwidthHz: 100 },
      targets: [],
      noise: { snrDb: -3 },
      seed: 4,
      dtype: "c128",
    };
    const { raw, noiseSigma } = await simulateStripmap(options);
    const n = 256 * 256;
    expect(noiseSigma).toBeCloseTo(10 ** 0.15, 12);
    const variance = noiseSigma ** 2;
    const sums = { re: 0, im: 0, power: 0, square: 0, cross: 0, next: 0, below: 0 };
    for (let i = 0; i < n; i++) {
      const [re, im] = [raw[2 * i], raw[2 * i + 1]];
      sums.re += re;
      sums.im += im;
      sums.power += re * re + im * im;
      sums.square += (re * re + im * im) ** 2;
      sums.cross += re * im;
      if (i + 1 < n) sums.next += re * raw[2 * i + 2];
      if (i + 256 < n) sums.below += re * raw[2 * (i + 256)];
    }
    // Five standard errors each: σ²/2 per component; powers are exponential (variance σ⁴), their squares have 20 σ⁸.
    const five = 5 / Math.sqrt(n);
    expect(Math.abs(sums.re / n)).toBeLessThan(five * Math.sqrt(variance / 2));
    expect(Math.abs(sums.im / n)).toBeLessThan(five * Math.sqrt(variance / 2));
    expect(Math.abs(sums.power / n - variance)).toBeLessThan(five * variance);
    expect(Math.abs(sums.square / n - 2 * variance ** 2)).toBeLessThan(five * Math.sqrt(20) * variance ** 2);
    for (const sum of [sums.cross, sums.next, sums.below]) expect(Math.abs(sum / n)).toBeLessThan((five * variance) / 2);
    const absolute = await simulateStripmap({ ...options, noise: { sigma: noiseSigma } });
    expect(absolute.raw).toEqual(raw);
  });
});

describe("simulation", () => {
  it("depends on the seed, never on the block size", async () => {
    const options: SimulationOptions = { ...clutterScene, lines: 20, targets: airborneTargets, noise: { sigma: 0.1 } };
    const hooks = { convolve: convolveByDefinition };
    const { raw } = await simulateStripmap(options, hooks);
    for (const blockLines of [1, 7, 64]) expect((await simulateStripmap({ ...options, blockLines }, hooks)).raw).toEqual(raw);
    expect((await simulateStripmap({ ...options, seed: 12 }, hooks)).raw).not.toEqual(raw);
    const single = await simulateStripmap({ ...options, dtype: "c64" }, hooks);
    expect(single.raw).toEqual(Float32Array.from(raw));
  });

  it("reports progress that never falls and ends at 1", async () => {
    const calls: [number, string][] = [];
    await simulateStripmap(
      { ...clutterScene, lines: 16 },
      { convolve: convolveByDefinition, onProgress: (done, phase) => calls.push([done, phase]) },
    );
    expect(calls.length).toBeGreaterThanOrEqual(2);
    expect(calls[0]).toEqual([0, "scatterers"]);
    expect(calls.at(-1)).toEqual([1, "echoes"]);
    for (let i = 1; i < calls.length; i++) expect(calls[i][0]).toBeGreaterThanOrEqual(calls[i - 1][0]);
  });

  it("stops at an abort before and during the work, and lets the event loop run", async () => {
    const already = simulateStripmap({ ...clutterScene, background: undefined as never }, { signal: AbortSignal.abort() });
    await expect(already).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
    // A timer can only fire when the simulation pauses; otherwise this would be seconds of noise on one thread.
    const controller = new AbortController();
    // CPU time, which does not grow with other load on the machine.
    const started = process.cpuUsage();
    setTimeout(() => controller.abort(), 50);
    const big = simulateStripmap({ ...scenePresets.large, lines: 16384 }, { signal: controller.signal });
    await expect(big).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1000).toBeLessThan(2000);
  });

  it.each([
    ["lines", { lines: 0 }],
    ["lines", { lines: 65536, samples: 65536 }],
    ["samples", { samples: 30 }],
    ["samples", { samples: 1e9 }],
    ["radar.prfHz", { radar: { ...airborne, prfHz: -1 } }],
    ["beam.kind", { beam: undefined }],
    ["targets", { targets: "none" }],
    ["targets[0].azimuthSeconds", { targets: [undefined] }],
    ["targets[1].slantRangeMeters", { targets: [airborneTargets[0], { ...airborneTargets[0], slantRangeMeters: 0 }] }],
    ["background.levelDb", { background: { levelDb: Number.NaN } }],
    ["background.density", { background: { levelDb: 0, density: 0 } }],
    ["background.texture", { background: { levelDb: 0, texture: "sea" } }],
    ["noise.snrDb", { noise: { snrDb: Number.NaN } }],
    ["noise.sigma", { noise: { sigma: -1 } }],
    ["noise", { noise: "loud" }],
    ["background", { background: null }],
    ["seed", { seed: 1.5 }],
    ["dtype", { dtype: "ci8" }],
    ["blockLines", { blockLines: 0 }],
    ["convolve", { background: { levelDb: 0 } }],
  ])("refuses bad %s by name", async (field, change) => {
    const options = {
      ...patch,
      radar: airborne,
      beam: { kind: "doppler-band", bandwidthHz: 100 },
      targets: [],
      ...change,
    } as unknown as SimulationOptions;
    await expect(simulateStripmap(options)).rejects.toSatisfy((error) => isRadarError(error, "input") && error.fields.field === field);
  });
});

describe("quantise", () => {
  it("rounds to one scale and counts what is clipped", () => {
    const values = Float64Array.of(0, 0.4, -0.6, 1.5, 300, -300, 127.4, -127.6);
    const fixedScale = quantise(values, { dtype: "ci8", scale: 1 });
    expect([...fixedScale.data]).toEqual([0, 0, -1, 2, 127, -127, 127, -127]);
    expect(fixedScale.clipped).toBe(3);
    const full = quantise(values, { dtype: "ci16" });
    expect(full.clipped).toBe(0);
    expect(full.scale).toBe(300 / 32767);
    expect(full.data[4]).toBe(32767);
    for (let i = 0; i < values.length; i++)
      expect(Math.abs(full.data[i] * full.scale - values[i])).toBeLessThanOrEqual((full.scale / 2) * (1 + 1e-9));
    expect([...quantise(new Float32Array(4), { dtype: "ci8" }).data]).toEqual([0, 0, 0, 0]);
    expect(() => quantise(Float64Array.of(Number.NaN), { dtype: "ci8" })).toThrow(/^values\[0\]/);
    expect(() => quantise(values, { dtype: "ci8", scale: 0 })).toThrow(/^scale/);
    expect(() => quantise(values, { dtype: "i8" as "ci8" })).toThrow(/^dtype/);
  });
});
