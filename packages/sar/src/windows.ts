/**
 * Windows (tapers) as plain data, their values, their texts for the command line, and what they do to an impulse
 * response: width, side lobes, noise loss. All windows are even, continuous on [−½, ½], 1 in the middle and 0 outside.
 * Not here: how a processor lays a window over a pulse or a Doppler band.
 */
import { inputError } from "@dechirp/core";

/** A spectral window, by its name and parameters. */
export type Window =
  | { readonly kind: "rect" }
  | { readonly kind: "hamming" }
  | { readonly kind: "hann" }
  /** I₀(β√(1 − 4x²))/I₀(β); `beta` is the Bessel argument (2.5 in most SAR processors). */
  | { readonly kind: "kaiser"; readonly beta: number }
  /** Taylor's n̄ nearly equal side lobes at `sidelobeDb` (negative) (Taylor 1955; Carrara et al. 1995, appendix D). */
  | { readonly kind: "taylor"; readonly nbar: number; readonly sidelobeDb: number };

/** Largest Bessel argument: I₀ and its ratios stay far inside float64. */
const maxBeta = 200;

/** Throws `input` naming `field` unless `window` is one of the kinds with usable parameters. */
export function checkWindow(window: Window, field = "window"): void {
  const kind = (window as { kind?: unknown } | null | undefined)?.kind;
  if (kind === "rect" || kind === "hamming" || kind === "hann") return;
  if (kind === "kaiser") {
    const { beta } = window as { beta: number };
    if (!(typeof beta === "number" && beta >= 0 && beta <= maxBeta)) throw inputError(`${field}.beta`, `from 0 to ${maxBeta}`, beta);
  } else if (kind === "taylor") {
    const { nbar, sidelobeDb } = window as { nbar: number; sidelobeDb: number };
    if (!(Number.isInteger(nbar) && nbar >= 1 && nbar <= 64)) throw inputError(`${field}.nbar`, "an integer from 1 to 64", nbar);
    if (!(typeof sidelobeDb === "number" && sidelobeDb <= -13 && sidelobeDb >= -150)) {
      throw inputError(`${field}.sidelobeDb`, "from -150 to -13", sidelobeDb);
    }
  } else {
    throw inputError(field, "one of rect, hamming, hann, kaiser, taylor", kind);
  }
}

/**
 * Modified Bessel function I₀ by its power series Σ(x²/4)ᵏ/k!² (Abramowitz & Stegun 9.6.12). All terms are positive, so
 * it is good to a few units in the last place for every |x| ≤ 700.
 */
export function besselI0(x: number): number {
  const q = (x * x) / 4;
  let term = 1;
  let sum = 1;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= q / (k * k);
    sum += term;
  }
  return sum;
}

/** a₀ … aₘ of w(x) = a₀ + 2Σaₘcos(2πmx), or undefined for a window that is no cosine sum. */
function cosineTerms(window: Window): number[] | undefined {
  if (window.kind === "rect") return [1];
  if (window.kind === "hamming") return [0.54, 0.23];
  if (window.kind === "hann") return [0.5, 0.25];
  if (window.kind === "kaiser") return undefined;
  const { nbar, sidelobeDb } = window;
  const a = Math.acosh(10 ** (-sidelobeDb / 20)) / Math.PI;
  const dilation = nbar ** 2 / (a ** 2 + (nbar - 0.5) ** 2);
  const terms = [1];
  for (let m = 1; m < nbar; m++) {
    let value = m % 2 === 1 ? 0.5 : -0.5;
    for (let n = 1; n < nbar; n++) {
      value *= 1 - m ** 2 / (dilation * (a ** 2 + (n - 0.5) ** 2));
      if (n !== m) value /= 1 - (m / n) ** 2;
    }
    terms.push(value);
  }
  const middle = terms.reduce((sum, value, m) => sum + (m === 0 ? value : 2 * value), 0);
  return terms.map((value) => value / middle);
}

/** The window as a function of x in [−½, ½], 0 outside, with its coefficients worked out once. Throws `input` for a bad window. */
export function windowFunction(window: Window): (x: number) => number {
  checkWindow(window);
  if (window.kind === "kaiser") {
    const { beta } = window;
    const norm = besselI0(beta);
    return (x) => (Math.abs(x) <= 0.5 ? besselI0(beta * Math.sqrt(1 - 4 * x * x)) / norm : 0);
  }
  const terms = cosineTerms(window) as number[];
  return (x) => {
    if (!(Math.abs(x) <= 0.5)) return 0;
    let value = terms[0];
    for (let m = 1; m < terms.length; m++) value += 2 * terms[m] * Math.cos(2 * Math.PI * m * x);
    return value;
  };
}

/** `n` samples at the middles of n equal parts of [−½, ½]: symmetric, and no sample is lost where the window ends at 0. */
export function windowSamples(window: Window, n: number): Float64Array {
  if (!Number.isInteger(n) || n < 1 || n > 2 ** 26) throw inputError("n", "a positive integer up to 2^26", n);
  const w = windowFunction(window);
  return Float64Array.from({ length: n }, (_, i) => w((i + 0.5) / n - 0.5));
}

const kaiserText = /^kaiser:([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/;
const taylorText = /^taylor:(\d+),([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)$/;

/** A window from `rect`, `hamming`, `hann`, `kaiser:2.5` or `taylor:4,-30`. Throws `input`, naming `window`. */
export function parseWindow(text: string): Window {
  const trimmed = typeof text === "string" && text.length <= 100 ? text.trim() : "";
  if (trimmed === "rect" || trimmed === "hamming" || trimmed === "hann") return { kind: trimmed };
  const kaiser = kaiserText.exec(trimmed);
  const taylor = taylorText.exec(trimmed);
  let window: Window;
  if (kaiser) window = { kind: "kaiser", beta: Number(kaiser[1]) };
  else if (taylor) window = { kind: "taylor", nbar: Number(taylor[1]), sidelobeDb: Number(taylor[2]) };
  else throw inputError("window", "rect, hamming, hann, kaiser:BETA or taylor:NBAR,DB (such as kaiser:2.5 or taylor:4,-30)", text);
  checkWindow(window);
  return window;
}

/** The text that `parseWindow` reads back. */
export function formatWindow(window: Window): string {
  checkWindow(window);
  if (window.kind === "kaiser") return `kaiser:${window.beta}`;
  if (window.kind === "taylor") return `taylor:${window.nbar},${window.sidelobeDb}`;
  return window.kind;
}

/** What a window does to the impulse response of a flat band, in resolution cells of 1/bandwidth. */
export interface WindowTheory {
  /** Width at half power (impulse response width). */
  readonly irwTimesBandwidth: number;
  /** Width relative to the rectangular window's. */
  readonly broadening: number;
  /** Highest side lobe over the main lobe's peak. */
  readonly pslrDb: number;
  /** Energy of the first ten side lobes on each side (null to null) over that of the main lobe (null to null). */
  readonly islrDb: number;
  /** Energy of everything outside the main lobe over that of the main lobe (null to null). */
  readonly islrTotalDb: number;
  /** From the peak to the first null. */
  readonly nullCells: number;
  /** Loss of peak signal-to-noise ratio against the rectangular window (positive). */
  readonly snrLossDb: number;
}

/** The Fourier transform of the continuous window at f cycles per window length: closed forms, real and even. */
function windowSpectrum(window: Window): (f: number) => number {
  if (window.kind === "kaiser") {
    const { beta } = window;
    const norm = besselI0(beta);
    return (f) => {
      const q = beta ** 2 - (Math.PI * f) ** 2;
      const r = Math.sqrt(Math.abs(q));
      if (r < 1e-8) return 1 / norm;
      return (q > 0 ? Math.sinh(r) : Math.sin(r)) / r / norm;
    };
  }
  const terms = cosineTerms(window) as number[];
  return (f) => {
    let value = terms[0] * sinc(f);
    for (let m = 1; m < terms.length; m++) value += terms[m] * (sinc(f - m) + sinc(f + m));
    return value;
  };
}

/** sin(πx)/(πx) */
export const sinc = (x: number): number => (Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/**
 * The impulse response that a window gives, worked out from its continuous form: any Kaiser or Taylor parameter works.
 * Lobes end where the response changes sign, so a shallow dip is no null. `share`: the middle part of the band that there is, from 0 to 1,
 * all of it where left out: the window is cut off at its ends, as where targets were seen over a part of the Doppler band. Cells are of
 * the whole band in any case. Throws `input`.
 */
export function windowTheory(window: Window, share = 1): WindowTheory {
  checkWindow(window);
  if (!(share > 0 && share <= 1)) throw inputError("share", "above 0 and up to 1", share);
  const w = windowFunction(window);
  // Frequencies are in cycles per length of the part.
  const spectrum = share === 1 ? windowSpectrum(window) : partSpectrum(w, share);
  const power = (f: number): number => spectrum(f) ** 2;
  const peak = power(0);

  const nulls: number[] = [];
  const step = 1 / 64;
  const reach = 16 + (window.kind === "taylor" ? 2 * window.nbar : 0);
  // Half a step off the integers, where cosine sums have their nulls: a sign is never read at a null.
  for (let f = step / 2; nulls.length < 11 || f < nulls[0] + reach; f += step) {
    if (spectrum(f) < 0 !== spectrum(f + step) < 0) nulls.push(bisect((x) => spectrum(x) < 0, f, f + step));
  }
  const half = bisect((f) => power(f) < peak / 2, 0, nulls[0]);

  let highest = 0;
  for (let lobe = 0; lobe + 1 < nulls.length; lobe++) {
    highest = Math.max(highest, power(largest(power, nulls[lobe], nulls[lobe + 1])));
  }
  const main = 2 * simpson(power, 0, nulls[0], 256);
  let ten = 0;
  for (let lobe = 0; lobe < 10; lobe++) ten += 2 * simpson(power, nulls[lobe], nulls[lobe + 1], 64);
  const total = 2 * simpson((x) => w(share * x) ** 2, 0, 0.5, 2048);

  return {
    irwTimesBandwidth: (2 * half) / share,
    broadening: (2 * half) / share / sincHalfPowerWidth,
    pslrDb: decibels(highest / peak),
    islrDb: decibels(ten / main),
    islrTotalDb: decibels((total - main) / main),
    nullCells: nulls[0] / share,
    snrLossDb: decibels(total / peak / share),
  };
}

/** `windowSpectrum` of the middle part of a window, by Simpson's rule. */
function partSpectrum(w: (x: number) => number, share: number): (f: number) => number {
  const weights = simpsonWeights((x) => w(share * x), 0, 0.5);
  return (f) => {
    let sum = 0;
    for (let i = 0; i < weights.length; i++) sum += weights[i] * Math.cos((Math.PI * f * i) / (weights.length - 1));
    return sum;
  };
}

/**
 * Width at half power, in cells of the whole band, where there is only the part of it between `from` and `to`, −½ to ½; as
 * `windowTheory` states it of parts in the middle. Infinite where there is nothing. Throws `input`.
 */
export function partialIrwTimesBandwidth(window: Window, [from, to]: readonly [from: number, to: number]): number {
  const w = windowFunction(window);
  if (!(from >= -0.5 && to <= 0.5 && to >= from)) throw inputError("part", "a part of the band, from -0.5 to 0.5", [from, to]);
  const weights = simpsonWeights(w, from, to);
  const power = (f: number): number => {
    let [re, im] = [0, 0];
    for (let i = 0; i < weights.length; i++) {
      const angle = (2 * Math.PI * f * i) / (weights.length - 1);
      re += weights[i] * Math.cos(angle);
      im += weights[i] * Math.sin(angle);
    }
    return re * re + im * im;
  };
  const below = power(0) / 2;
  let f = 1 / 8;
  while (!(power(f) < below) && f < mostCycles) f += 1 / 8;
  return f < mostCycles && to > from ? (2 * bisect((x) => power(x) < below, 0, f)) / (to - from) : Infinity;
}

/** Beyond any half width that a window's part has, in cycles per length of the part. */
const mostCycles = 64;

/** f between `from` and `to` times the weights of Simpson's rule over that interval, as a mean. */
function simpsonWeights(f: (x: number) => number, from: number, to: number): Float64Array {
  const points = 512;
  return Float64Array.from({ length: points + 1 }, (_, i) => {
    const weight = i === 0 || i === points ? 1 : i % 2 === 1 ? 4 : 2;
    return (weight / (3 * points)) * f(from + (i / points) * (to - from));
  });
}

/** Half-power width of sinc: twice the root of sinc²(x) = ½. Of a uniformly lit antenna's beam, in units of λ/length. */
export const sincHalfPowerWidth = 0.885892941378904;

const decibels = (ratio: number): number => 10 * Math.log10(ratio);

/** Where `test` turns, between `a` and `b` where it differs. */
function bisect(test: (x: number) => boolean, a: number, b: number): number {
  const before = test(a);
  for (let i = 0; i < 60; i++) {
    const middle = (a + b) / 2;
    if (test(middle) === before) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** The place of the one maximum between `a` and `b`. */
function largest(f: (x: number) => number, a: number, b: number): number {
  for (let i = 0; i < 60; i++) {
    const third = (b - a) / 3;
    if (f(a + third) < f(b - third)) a += third;
    else b -= third;
  }
  return (a + b) / 2;
}

/** Simpson's rule with `n` (even) intervals. */
function simpson(f: (x: number) => number, a: number, b: number, n: number): number {
  const h = (b - a) / n;
  let sum = f(a) + f(b);
  for (let i = 1; i < n; i++) sum += f(a + i * h) * (i % 2 === 1 ? 4 : 2);
  return (sum * h) / 3;
}
