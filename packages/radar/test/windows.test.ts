/** Windows: impulse responses against reference values and DFTs of samples, texts, and what is refused, for every row of the table. */
import { isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import {
  besselI0,
  checkWindow,
  formatWindow,
  isContinuous,
  parseWindow,
  partialIrwTimesBandwidth,
  type Window,
  type WindowParameter,
  type WindowRow,
  windowFunction,
  windowKinds,
  windowOfKind,
  windowSamples,
  windowSyntax,
  windowTable,
  windowTheory,
} from "../src/index.ts";

/** Every row at its defaults. */
const rows = windowKinds.map((kind) => [formatWindow(windowOfKind(kind)), windowTable[kind] as WindowRow] as const);
const continuous = rows.filter(([, row]) => row.shape).map(([text]) => text);

/** Impulse response metrics of even samples, by a DFT by definition at 64 points per resolution cell. */
function measure(samples: Float64Array) {
  const n = samples.length;
  const fine = 64;
  const response = Float64Array.from({ length: 26 * fine }, (_, m) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += samples[i] * Math.cos((2 * Math.PI * m * (i - (n - 1) / 2)) / (n * fine));
    return sum;
  });
  const power = response.map((v) => v * v);
  const nulls: number[] = [];
  for (let m = 1; m < power.length - 1 && nulls.length < 11; m++) {
    if (power[m] <= power[m - 1] && power[m] < power[m + 1]) nulls.push(m);
  }
  const half = power.findIndex((p) => p < power[0] / 2);
  const irwCells = (2 * (half - 1 + (power[half - 1] - power[0] / 2) / (power[half - 1] - power[half]))) / fine;
  const peakSide = power.subarray(nulls[0]).reduce((a, b) => Math.max(a, b), 0);
  const sum = (from: number, to: number): number => power.subarray(from, to).reduce((a, b) => a + b, 0);
  const main = 2 * sum(0, nulls[0]) - power[0];
  const all = samples.reduce((a, w) => a + w * w, 0) * n * fine - main;
  const db = (x: number): number => 10 * Math.log10(x);
  return { irwCells, pslrDb: db(peakSide / power[0]), islrDb: db((2 * sum(nulls[0], nulls[10])) / main), islrTotalDb: db(all / main) };
}

// Reference values for 1024 samples, worked out independently: IRW, PSLR, ISLR over ten side lobes, ISLR over all.
const table: [text: string, irw: number, pslr: number, islr10: number, islr: number][] = [
  ["rect", 0.886, -13.26, -10.11, -9.68],
  ["taylor:4,-30", 1.125, -30.31, -24.55, -23.35],
  ["taylor:4,-35", 1.184, -35.17, -28.65, -27.13],
  ["taylor:5,-35", 1.187, -35.22, -28.94, -27.42],
  ["taylor:6,-40", 1.248, -40.17, -33.51, -31.6],
  ["kaiser:2.5", 1.042, -20.96, -18.93, -18.46],
  ["kaiser:4", 1.2, -29.98, -29.03, -28.52],
  ["kaiser:6", 1.404, -43.81, -44.2, -43.63],
  ["hamming", 1.304, -42.67, -36.53, -34.37],
  // biome-ignore lint/suspicious/noApproximativeNumericConstant: a width, not log2(e)
  ["hann", 1.442, -31.47, -32.89, -32.88],
];

describe("windows", () => {
  it.each(table)("%s gives the reference impulse response", (text, irw, pslr, islr10, islr) => {
    const window = parseWindow(text);
    // The table's Kaiser, Hamming and Hann samples reach both ends of the window; rect and Taylor lie between them.
    const ends = window.kind === "kaiser" || window.kind === "hamming" || window.kind === "hann";
    const samples = ends
      ? Float64Array.from({ length: 1024 }, (_, i) => windowFunction(window)(i / 1023 - 0.5))
      : windowSamples(window, 1024);
    const measured = measure(samples);
    // Half a unit of the last printed digit, and as much for the grid of 64 points per cell.
    expect(Math.abs(measured.irwCells - irw)).toBeLessThan(0.001);
    expect(Math.abs(measured.pslrDb - pslr)).toBeLessThan(0.01);
    expect(Math.abs(measured.islrDb - islr10)).toBeLessThan(0.01);
    expect(Math.abs(measured.islrTotalDb - islr)).toBeLessThan(0.01);
  });

  it.each([...new Set([...continuous, ...table.map(([text]) => text), "kaiser:0", "kaiser:11.25", "taylor:8,-55"])])(
    "the theory of %s agrees with a DFT of its samples",
    (text) => {
      const window = parseWindow(text);
      const theory = windowTheory(window);
      const measured = measure(windowSamples(window, 1024));
      // The DFT's nulls and peaks are read on a grid of 1/64 cell: second order in it, and up to 1/128 cell of lobe edge,
      // which counts where side lobes are high next to a null; 0.01 dB bounds both for these windows.
      expect(Math.abs(theory.irwTimesBandwidth - measured.irwCells)).toBeLessThan(0.001);
      expect(Math.abs(theory.pslrDb - measured.pslrDb)).toBeLessThan(0.01);
      expect(Math.abs(theory.islrDb - measured.islrDb)).toBeLessThan(0.01);
      expect(Math.abs(theory.islrTotalDb - measured.islrTotalDb)).toBeLessThan(0.01);
    },
  );

  it.each(continuous)("the theory of the middle of %s agrees with a DFT of its samples", (text) => {
    const w = windowFunction(parseWindow(text));
    for (const share of [0.9, 0.5, 0.1, 0.001]) {
      const theory = windowTheory(parseWindow(text), { share });
      const measured = measure(Float64Array.from({ length: 1024 }, (_, i) => w(share * ((i + 0.5) / 1024 - 0.5))));
      expect(Math.abs(theory.irwTimesBandwidth * share - measured.irwCells)).toBeLessThan(0.001);
      expect(Math.abs(theory.pslrDb - measured.pslrDb)).toBeLessThan(0.01);
      expect(Math.abs(theory.islrDb - measured.islrDb)).toBeLessThan(0.01);
      expect(Math.abs(theory.islrTotalDb - measured.islrTotalDb)).toBeLessThan(0.01);
      // Of a tenth of the band there is a tenth of the power.
      if (text === "rect") expect(theory.snrLossDb).toBeCloseTo(-10 * Math.log10(share), 9);
      expect(partialIrwTimesBandwidth(parseWindow(text), [-share / 2, share / 2])).toBeCloseTo(theory.irwTimesBandwidth, 6);
    }
  });

  it("a part at one end of a window is as wide as a DFT of its samples", () => {
    for (const text of continuous) {
      const w = windowFunction(parseWindow(text));
      for (const [from, to] of [
        [-0.5, -0.4],
        [-0.5, 0.2],
        [0.1, 0.5],
      ]) {
        const n = 1024;
        const values = Array.from({ length: n }, (_, i) => w(from + ((i + 0.5) / n) * (to - from)));
        const power = (f: number): number => {
          const turn = (i: number): number => (2 * Math.PI * f * i) / n;
          return (
            values.reduce((sum, v, i) => sum + v * Math.cos(turn(i)), 0) ** 2 +
            values.reduce((sum, v, i) => sum + v * Math.sin(turn(i)), 0) ** 2
          );
        };
        const half = (partialIrwTimesBandwidth(parseWindow(text), [from, to]) * (to - from)) / 2;
        // Midpoints instead of Simpson's rule: second order in 1/n.
        expect(power(half) / power(0)).toBeCloseTo(0.5, 5);
        for (let f = 0; f < half; f += half / 10) expect(power(f)).toBeGreaterThan(power(0) / 2);
      }
    }
    expect(partialIrwTimesBandwidth({ kind: "rect" }, [0.1, 0.1])).toBe(Infinity);
    for (const part of [
      [-0.6, 0],
      [0, 0.6],
      [0.2, 0.1],
      [Number.NaN, 0],
    ] as const)
      expect(() => partialIrwTimesBandwidth({ kind: "rect" }, part)).toThrowError(/part must be/);
    for (const share of [0, 1.1, Number.NaN]) expect(() => windowTheory({ kind: "rect" }, { share })).toThrowError(/share must be/);
  });

  it("the rectangular window is a sinc", () => {
    const theory = windowTheory({ kind: "rect" });
    expect(theory.irwTimesBandwidth).toBeCloseTo(0.885892941378904, 12);
    expect(theory.broadening).toBeCloseTo(1, 12);
    expect(theory.nullCells).toBeCloseTo(1, 12);
    expect(theory.pslrDb).toBeCloseTo(20 * Math.log10(0.2172336282112217), 10);
    expect(theory.snrLossDb).toBeCloseTo(0, 12);
  });

  it("I0 agrees with its integral (1/π)∫exp(x cos θ)dθ", () => {
    // The trapezoid rule on a full period converges faster than any power of its step.
    for (const x of [0, 0.1, 1, 2.5, 6, 20, 60, 200]) {
      const n = 400;
      let sum = 0;
      for (let i = 0; i < n; i++) sum += Math.exp(x * (Math.cos((2 * Math.PI * i) / n) - 1));
      const reference = (sum / n) * Math.exp(x);
      // exp(x) itself is good to about x·ε.
      expect(Math.abs(besselI0(x) / reference - 1)).toBeLessThan((x + 8) * 2 ** -52);
    }
  });

  it("is 1 in the middle, even, and 0 outside", () => {
    for (const text of new Set([...continuous, ...table.map(([one]) => one)])) {
      const window = parseWindow(text);
      const w = windowFunction(window);
      expect(w(0)).toBeCloseTo(1, 14);
      expect(w(0.31)).toBe(w(-0.31));
      expect(w(0.5000001)).toBe(0);
      expect(w(Number.NaN)).toBe(0);
      const samples = windowSamples(window, 7);
      for (let i = 0; i < 7; i++) expect(samples[i]).toBeCloseTo(samples[6 - i], 14);
    }
  });

  it("reads back its own texts", () => {
    for (const text of [...rows.map(([one]) => one), ...table.map(([one]) => one)]) expect(formatWindow(parseWindow(text))).toBe(text);
    expect(parseWindow(" kaiser:2.50 ")).toEqual({ kind: "kaiser", beta: 2.5 });
    expect(parseWindow("taylor:4,-3e1")).toEqual({ kind: "taylor", nbar: 4, sidelobeDb: -30 });
  });

  it("takes the defaults for a name alone, and levels without their sign", () => {
    for (const kind of windowKinds) expect(parseWindow(kind)).toEqual(windowOfKind(kind));
    expect(parseWindow("kaiser")).toEqual({ kind: "kaiser", beta: 2.5 });
    expect(parseWindow("taylor:4,30")).toEqual({ kind: "taylor", nbar: 4, sidelobeDb: -30 });
    expect(parseWindow("chebyshev:40")).toEqual({ kind: "chebyshev", sidelobeDb: -40 });
  });

  it("lists what texts may say", () => {
    expect(windowSyntax()).toMatch(/^rect, .*, kaiser:BETA, taylor:NBAR,DB.* or \w+(:[A-Z,]+)?$/);
    for (const kind of windowKinds) {
      const labels = windowTable[kind].parameters.map(({ label }) => label);
      const text = labels.length > 0 ? `${kind}:${labels}` : kind;
      expect(`, ${windowSyntax().replace(" or ", ", ")},`).toContain(`, ${text},`);
      expect(windowSyntax({ continuous: true }).includes(kind)).toBe(isContinuous(kind));
    }
  });

  it.each([
    "",
    "Hann",
    "hann:",
    "hann:1",
    "toString",
    "kaiser:",
    "kaiser:x",
    "kaiser:-1",
    "kaiser:1e9",
    "kaiser:2,5",
    "taylor:4",
    "taylor:0,-30",
    "taylor:4.5,-30",
    "taylor:999,-30",
    "chebyshev:0",
    "chebyshev:-201",
  ])("refuses %j by name", (text) => {
    try {
      parseWindow(text);
    } catch (error) {
      expect(isRadarError(error, "input")).toBe(true);
      expect((error as Error).message).toMatch(/^window/);
      return;
    }
    expect.unreachable();
  });

  it("refuses windows that are no windows", () => {
    for (const bad of [undefined, null, { kind: "triangle" }, { kind: "kaiser" }, { kind: "taylor", nbar: 4, sidelobeDb: "-30" }]) {
      expect(() => windowTheory(bad as Window)).toThrow(/window/);
    }
    expect(() => windowSamples({ kind: "rect" }, 1e12)).toThrow(/^n must be/);
  });
});

describe.each(rows)("the row of %s", (text, row) => {
  const window = parseWindow(text);

  it("says what it is", () => {
    expect([row.shape, row.samples].filter((form) => form !== undefined)).toHaveLength(1);
    for (const words of [row.formula, row.description, row.source, ...row.parameters.map(({ description }) => description)])
      expect(words).toMatch(/\S/);
  });

  it("refuses parameters out of range, by name", () => {
    for (const { name, min, max, integer } of row.parameters as readonly WindowParameter[]) {
      for (const value of [min, max]) checkWindow({ ...window, [name]: value } as Window);
      for (const value of [min - 1, max + 1, Number.NaN, "1", undefined, ...(integer ? [min + 0.5] : [])])
        expect(() => checkWindow({ ...window, [name]: value } as Window)).toThrow(new RegExp(`^window\\.${name} must be an? `));
    }
  });

  it("has symmetric samples, the largest 1, up to its largest number of them", () => {
    for (const n of [1, 2, 7, 64]) {
      const samples = windowSamples(window, n);
      expect(samples).toHaveLength(n);
      for (let i = 0; i < n; i++) expect(samples[i]).toBeCloseTo(samples[n - 1 - i], 13);
      expect(Math.max(...samples)).toBeLessThanOrEqual(1 + 1e-15);
      if (n % 2 === 1 || row.samples) expect(Math.max(...samples)).toBeCloseTo(1, 14);
    }
    const most = row.maxSamples ?? 2 ** 26;
    for (const n of [0, 1.5, most + 1, Number.NaN])
      expect(() => windowSamples(window, n)).toThrow(`n must be an integer from 1 to ${most}`);
  });

  it("has the theory of its samples that a DFT of them has", () => {
    const theory = windowTheory(window, { samples: 256 });
    const measured = measure(windowSamples(window, 256));
    expect(Math.abs(theory.irwTimesBandwidth - measured.irwCells)).toBeLessThan(0.001);
    expect(Math.abs(theory.pslrDb - measured.pslrDb)).toBeLessThan(0.01);
    expect(Math.abs(theory.islrDb - measured.islrDb)).toBeLessThan(0.01);
    expect(Math.abs(theory.islrTotalDb - measured.islrTotalDb)).toBeLessThan(0.01);
    const samples = windowSamples(window, 256);
    const sum = samples.reduce((a, w) => a + w);
    expect(theory.snrLossDb).toBeCloseTo(10 * Math.log10((256 * samples.reduce((a, w) => a + w * w, 0)) / sum ** 2), 9);
  });

  it("is taken where a continuous window is needed only if it is one", () => {
    if (isContinuous(window.kind)) {
      checkWindow(window, "window", { continuous: true });
      expect(parseWindow(text, { continuous: true })).toEqual(window);
    } else {
      expect(() => checkWindow(window, "rangeWindow", { continuous: true })).toThrow(/^rangeWindow must be .*for a number of samples only/);
      expect(() => parseWindow(text, { continuous: true })).toThrow(/^window must be rect, /);
      expect(() => windowFunction(window)).toThrow(/^window must be /);
      expect(() => windowTheory(window)).toThrow(/^samples must be /);
    }
  });
});

describe("Dolph-Chebyshev windows", () => {
  const db = (power: number): number => 10 * Math.log10(power);

  it.each([
    [18, -30],
    [17, -50],
    [64, -70],
  ])("of %i samples have all their side lobes at %i dB", (n, sidelobeDb) => {
    const w = windowSamples({ kind: "chebyshev", sidelobeDb }, n);
    const response = Array.from({ length: 4096 }, (_, k) => {
      const re = w.reduce((sum, value, i) => sum + value * Math.cos((2 * Math.PI * k * i) / 8192), 0);
      const im = w.reduce((sum, value, i) => sum - value * Math.sin((2 * Math.PI * k * i) / 8192), 0);
      return db(re * re + im * im);
    });
    const lobes = response.filter((x, k) => k > 0 && k < 4095 && x > response[k - 1] && x > response[k + 1]).map((x) => x - response[0]);
    expect(lobes.length).toBeGreaterThanOrEqual((n >> 1) - 2);
    // At a peak T = cos((n − 1)θ) with x = cos θ = x₀cos(ω/2): half a step of the grid is (n − 1)·dθ/dω·π/8192 of phase at most, most
    // of it in the first lobe, and a tenth for the change of dθ/dω in it.
    const x0 = Math.cosh(Math.acosh(10 ** (-sidelobeDb / 20)) / (n - 1));
    const slope = Math.sqrt(1 + (x0 ** 2 - 1) / Math.sin(Math.PI / (n - 1)) ** 2) / 2;
    const tolerance = 1.1 * db(1 / Math.cos(((n - 1) * slope * Math.PI) / 8192) ** 2);
    for (const lobe of lobes) expect(Math.abs(lobe - sidelobeDb)).toBeLessThan(tolerance);
    expect(Math.abs(windowTheory({ kind: "chebyshev", sidelobeDb }, { samples: n }).pslrDb - sidelobeDb)).toBeLessThan(1e-6);
  });

  it("has the theory of few samples, down to two without side lobes", () => {
    const two = windowTheory({ kind: "rect" }, { samples: 2 });
    // |cos(πf/2)|² is a half at f = ½, so that the width is 1 cell; no side lobe is left within the period.
    expect(two.irwTimesBandwidth).toBeCloseTo(1, 9);
    expect(two.pslrDb).toBe(Number.NEGATIVE_INFINITY);
    for (const samples of [1, 4097, 2.5]) expect(() => windowTheory({ kind: "rect" }, { samples })).toThrow(/^samples must be/);
    expect(() => windowTheory({ kind: "rect" }, { samples: 8, share: 0.5 })).toThrow(/^share must be/);
  });
});
