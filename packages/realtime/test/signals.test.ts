/** Tests radio signals by measurements: symbols that a receiver finds, powers, spectra, and how parameters are drawn. */
import { describe, expect, it } from "vitest";
import {
  constellation,
  type Modulation,
  modulations,
  type RadioOptions,
  type RadioSignal,
  radioSignalSteps,
  radioSignals,
} from "../src/index.ts";

const power = (data: ArrayLike<number>): number => Array.from(data).reduce((sum, x) => sum + x * x, 0) / data.length;

/**
 * Finds the symbols of the one signal in `data`, each by least squares over its samples: x[n] = √2·(re·cos θ[n] − im·sin θ[n]) has two
 * unknowns. Also returns the largest residual.
 */
function receive(data: Float32Array, signal: RadioSignal) {
  const { frequency, phaseCycles, symbolSamples, lead } = signal;
  const symbols: (readonly [number, number])[] = [];
  let residual = 0;
  for (let start = symbolSamples - lead; start + symbolSamples <= data.length; start += symbolSamples) {
    let [cc, cs, ss, xc, xs] = [0, 0, 0, 0, 0];
    const basis = (n: number): readonly [number, number] => {
      const angle = 2 * Math.PI * ((phaseCycles + n * frequency) % 1);
      return [Math.SQRT2 * Math.cos(angle), -Math.SQRT2 * Math.sin(angle)];
    };
    for (let n = start; n < start + symbolSamples; n++) {
      const [c, s] = basis(n);
      cc += c * c;
      cs += c * s;
      ss += s * s;
      xc += c * data[n];
      xs += s * data[n];
    }
    const determinant = cc * ss - cs * cs;
    const re = (xc * ss - xs * cs) / determinant;
    const im = (xs * cc - xc * cs) / determinant;
    symbols.push([re, im]);
    for (let n = start; n < start + symbolSamples; n++) {
      const [c, s] = basis(n);
      residual = Math.max(residual, Math.abs(data[n] - re * c - im * s));
    }
  }
  return { symbols, residual };
}

describe("constellations", () => {
  it.each(modulations)("%s has as many distinct points as its name says, with unit mean power", (modulation) => {
    const points = constellation(modulation);
    expect(points.length).toBe(Number.parseInt(modulation, 10));
    expect(points.reduce((sum, [re, im]) => sum + re * re + im * im, 0) / points.length).toBeCloseTo(1, 12);
  });

  it("PSK is a circle, ASK a line from 0, QAM a square grid, all evenly spaced", () => {
    for (const modulation of ["4-PSK", "8-PSK"] as const) {
      const points = constellation(modulation);
      const angles = points.map(([re, im]) => (Math.atan2(im, re) + 2 * Math.PI) % (2 * Math.PI)).sort((a, b) => a - b);
      for (const [re, im] of points) expect(Math.hypot(re, im)).toBeCloseTo(1, 12);
      for (let i = 1; i < angles.length; i++) expect(angles[i] - angles[i - 1]).toBeCloseTo((2 * Math.PI) / points.length, 12);
    }
    for (const modulation of ["2-ASK", "4-ASK"] as const) {
      const points = constellation(modulation);
      expect(points.map(([re]) => re / points[1][0])).toEqual(points.map((_, i) => i));
      expect(points.every(([, im]) => im === 0)).toBe(true);
    }
    for (const modulation of ["16-QAM", "256-QAM"] as const) {
      const points = constellation(modulation);
      const levels = [...new Set(points.map(([re]) => re))].sort((a, b) => a - b);
      expect(levels.length ** 2).toBe(points.length);
      for (let i = 1; i < levels.length; i++) expect(levels[i] - levels[i - 1]).toBeCloseTo(levels[1] - levels[0], 12);
      expect(new Set(points.map(([re, im]) => `${re},${im}`)).size).toBe(points.length);
      expect(points.every(([re, im]) => levels.includes(re) && levels.includes(im))).toBe(true);
      expect(levels[0]).toBeCloseTo(-levels[levels.length - 1], 12);
    }
  });
});

describe("one signal", () => {
  it.each(modulations)("of %s carries the points of its constellation, equally often, on its carrier", (modulation) => {
    const samples = 2 ** 17;
    const { data, signals } = radioSignals({ samples, seed: 11, signals: 1, snrDb: Number.POSITIVE_INFINITY, modulations: [modulation] });
    expect(signals).toHaveLength(1);
    const [signal] = signals;
    expect(signal.modulation).toBe(modulation);
    const { symbols, residual } = receive(data, signal);
    expect(symbols.length).toBeGreaterThan(2000);
    // Samples are float32 of at most √2·1.6 (16-QAM has 1.34, 256-QAM 1.6, 4-ASK 1.6), so half a unit in the last place is 2⁻²³. The
    // error of a least squares fit is at most that, times the condition of a basis over at least half a period.
    expect(residual).toBeLessThan(2 ** -21);
    const points = constellation(modulation);
    const counts = new Array<number>(points.length).fill(0);
    for (const [re, im] of symbols) {
      const distances = points.map(([pr, pi]) => Math.hypot(re - pr, im - pi));
      const nearest = distances.indexOf(Math.min(...distances));
      expect(distances[nearest]).toBeLessThan(2 ** -20);
      counts[nearest]++;
    }
    // χ² with m − 1 degrees of freedom has mean m − 1 and variance 2(m − 1). The limit is six deviations.
    const expected = symbols.length / points.length;
    const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(chiSquared).toBeLessThan(points.length - 1 + 6 * Math.sqrt(2 * (points.length - 1)));
  });

  it("has unit power, most of it near the carrier", () => {
    for (const [seed, modulation] of modulations.entries()) {
      const samples = 2 ** 15;
      const { data, signals } = radioSignals({ samples, seed, signals: 1, snrDb: Number.POSITIVE_INFINITY, modulations: [modulation] });
      const [{ frequency, symbolRate, symbolSamples }] = signals;
      // The power of a symbol has a standard deviation of at most √0.75 (1 for 2-ASK). The limit is six deviations.
      expect(Math.abs(power(data) - 1)).toBeLessThan(6 * Math.sqrt(symbolSamples / samples));
      // A periodogram by definition, averaged over segments, without a window. The main lobe of a rectangular pulse has 90.3 % of its
      // power; the segments' own sinc spreads some of it.
      const n = 512;
      const spectrum = new Float64Array(n / 2 + 1);
      for (let start = 0; start + n <= samples; start += n) {
        for (let k = 0; k <= n / 2; k++) {
          let [re, im] = [0, 0];
          const step = (2 * Math.PI * k) / n;
          for (let i = 0; i < n; i++) {
            re += data[start + i] * Math.cos(step * i);
            im -= data[start + i] * Math.sin(step * i);
          }
          spectrum[k] += re * re + im * im;
        }
      }
      const all = spectrum.reduce((a, b) => a + b, 0);
      const inLobe = spectrum.reduce((sum, value, k) => sum + (Math.abs(k / n - frequency) <= symbolRate + 1 / n ? value : 0), 0);
      expect(inLobe / all).toBeGreaterThan(0.85);
      const peak = spectrum.indexOf(Math.max(...spectrum)) / n;
      expect(Math.abs(peak - frequency)).toBeLessThan(symbolRate / 2);
    }
  });
});

describe("noise", () => {
  it("is white, Gaussian and has the requested power", () => {
    const samples = 2 ** 16;
    for (const snrDb of [-10, 10, 30]) {
      const options = { samples, seed: 3, signals: 20 } as const;
      const clean = radioSignals({ ...options, snrDb: Number.POSITIVE_INFINITY });
      const noisy = radioSignals({ ...options, snrDb });
      expect(noisy.signals).toEqual(clean.signals);
      const noise = Float64Array.from(noisy.data, (x, i) => x - clean.data[i]);
      const noisePower = power(noise);
      const ratio = power(clean.data) / noisePower / 10 ** (snrDb / 10);
      // The variance of n normal numbers has a standard deviation of √(2/n). The limit is five deviations.
      expect(Math.abs(ratio - 1)).toBeLessThan(5 * Math.sqrt(2 / samples));
      const mean = noise.reduce((a, b) => a + b, 0) / samples;
      expect(Math.abs(mean)).toBeLessThan(5 * Math.sqrt(noisePower / samples));
      for (const lag of [1, 2, 7]) {
        const product = noise.reduce((sum, x, i) => sum + (i < lag ? 0 : x * noise[i - lag]), 0) / samples / noisePower;
        expect(Math.abs(product)).toBeLessThan(5 / Math.sqrt(samples));
      }
      // The fourth moment is 3, with variance 96/n.
      const fourth = noise.reduce((sum, x) => sum + x ** 4, 0) / samples / noisePower ** 2;
      expect(Math.abs(fourth - 3)).toBeLessThan(5 * Math.sqrt(96 / samples));
    }
  });
});

describe("what is drawn", () => {
  const many = Array.from({ length: 600 }, (_, seed) => radioSignals({ samples: 16, seed }));

  it("has 5 to 50 signals and 10 to 30 dB", () => {
    const counts = many.map(({ signals }) => signals.length);
    expect([Math.min(...counts), Math.max(...counts)]).toEqual([5, 50]);
    // Uniform over 46 numbers: mean 27.5, deviation 13.3. Uniform over 20 dB: mean 20, deviation 5.77. The limit is five deviations of
    // the mean of 600.
    const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
    expect(Math.abs(mean(counts) - 27.5)).toBeLessThan((5 * 13.3) / Math.sqrt(600));
    const ratios = many.map(({ snrDb }) => snrDb);
    expect(Math.min(...ratios)).toBeGreaterThanOrEqual(10);
    expect(Math.max(...ratios)).toBeLessThan(30);
    expect(Math.abs(mean(ratios) - 20)).toBeLessThan((5 * 5.78) / Math.sqrt(600));
  });

  it("has modulations equally often, and carriers inside the band", () => {
    const all = many.flatMap(({ signals }) => signals);
    for (const modulation of modulations) {
      const share = all.filter((signal) => signal.modulation === modulation).length / all.length;
      expect(Math.abs(share - 1 / 6)).toBeLessThan(5 * Math.sqrt(5 / 36 / all.length));
    }
    for (const { frequency, symbolRate, symbolSamples, phaseCycles, lead } of all) {
      expect(symbolRate).toBe(1 / symbolSamples);
      expect(frequency).toBeGreaterThanOrEqual(symbolRate);
      expect(frequency).toBeLessThanOrEqual(0.5 - symbolRate);
      expect(phaseCycles >= 0 && phaseCycles < 1 && lead >= 0 && lead < symbolSamples).toBe(true);
    }
    expect(new Set(all.map(({ symbolSamples }) => symbolSamples)).size).toBe(57);
    expect(new Set(all.map(({ frequency }) => frequency)).size).toBe(all.length);
  });

  it("is the same for equal seeds and any block length, and differs for other seeds", () => {
    const long = radioSignals({ samples: 5000, seed: 5 });
    expect(radioSignals({ samples: 5000, seed: 5 })).toEqual(long);
    const clean = (samples: number) => radioSignals({ samples, seed: 5, snrDb: Number.POSITIVE_INFINITY });
    expect(clean(4097).data).toEqual(clean(5000).data.slice(0, 4097));
    expect(radioSignals({ samples: 5000, seed: 6 }).data).not.toEqual(long.data);
    // An additional signal only adds itself, up to the rounding of two sums below 8.
    const at = (signals: number) => radioSignals({ samples: 5000, seed: 5, signals, snrDb: Number.POSITIVE_INFINITY });
    const [three, four] = [at(3), at(4)];
    expect(four.signals.slice(0, 3)).toEqual(three.signals);
    expect(
      receive(
        four.data.map((x, i) => x - three.data[i]),
        four.signals[3],
      ).residual,
    ).toBeLessThan(2 ** -20);
  });
});

it.each([
  [{ samples: 0 }, "samples"],
  [{ samples: 2.5 }, "samples"],
  [{ samples: 1e12 }, "samples"],
  [{ samples: Number.NaN }, "samples"],
  [{ seed: -1 }, "seed"],
  [{ seed: 0.5 }, "seed"],
  [{ signals: 0 }, "signals"],
  [{ signals: 1e9 }, "signals"],
  [{ signals: 1.5 }, "signals"],
  [{ snrDb: Number.NaN }, "snrDb"],
  [{ snrDb: -400 }, "snrDb"],
  [{ snrDb: 301 }, "snrDb"],
  [{ modulations: [] }, "modulations"],
  [{ modulations: ["AM" as Modulation] }, "modulations"],
  [{ modulations: "4-PSK" as unknown as Modulation[] }, "modulations"],
] as const satisfies readonly (readonly [Partial<RadioOptions>, string])[])("rejects %o and names the field", (wrong, field) => {
  expect(() => radioSignals({ samples: 16, seed: 1, ...wrong })).toThrow(
    expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
  );
});

describe("steps", () => {
  it("give the same, with a break every few thousand samples", () => {
    const options = { samples: 20_000, seed: 5 };
    const steps = radioSignalSteps(options);
    let breaks = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        expect(value).toEqual(radioSignals(options));
        break;
      }
      breaks++;
    }
    // Both for the signals and for the noise.
    expect(breaks).toBeGreaterThanOrEqual(2 * Math.floor(20_000 / 4096));
    expect(() => radioSignalSteps({ samples: 0, seed: 1 }).next()).toThrow(/^samples/);
  });
});
