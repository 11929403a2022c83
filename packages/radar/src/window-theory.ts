/** What a window does to the impulse response of a flat band: width, side lobes and loss of signal-to-noise ratio. */
import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { sincHalfPowerWidth } from "./special-functions.ts";
import type { Window } from "./window-table.ts";
import { checkWindow, isContinuous, windowFunction, windowSamples, windowShape } from "./windows.ts";

/** What a window does to the impulse response of a flat band. Widths are in resolution cells of 1/bandwidth. */
export interface WindowTheory {
  /** Width at half power (impulse response width, IRW). */
  readonly irwTimesBandwidth: number;
  /** That width relative to the width of the rectangular window. */
  readonly broadening: number;
  /** Peak side-lobe ratio (PSLR): the highest side lobe relative to the peak of the main lobe. */
  readonly pslrDb: number;
  /** Integrated side-lobe ratio (ISLR): energy of the first ten side lobes on each side relative to the main lobe, null to null. */
  readonly islrDb: number;
  /** Energy of everything outside the main lobe relative to the main lobe, null to null. */
  readonly islrTotalDb: number;
  /** Distance from the peak to the first null. */
  readonly nullCells: number;
  /** Loss of peak signal-to-noise ratio relative to the rectangular window (positive). */
  readonly snrLossDb: number;
}

/** What `windowTheory` describes. Default: the continuous window over the whole band. */
export interface WindowTheoryOptions {
  /**
   * Share of the band that is there, in its middle, above 0 and up to 1. The window is cut off at the ends of that part, as happens if
   * targets were seen over a part of the Doppler band only. Widths stay in cells of the whole band. Default: 1.
   */
  readonly share?: number;
  /**
   * Describes this many samples of the window, from 2 to 4096, instead of the continuous window. It must be given for a window that is
   * defined for a number of samples (`chebyshev`), and not together with `share`.
   */
  readonly samples?: number;
}

const theoryFields: FieldsOf<WindowTheoryOptions> = { share: "number", samples: "number" };

/** The transform of a window, real and even, with what the search for its lobes needs. */
interface Response {
  readonly spectrum: (f: number) => number;
  /** Mean of w². */
  readonly energy: number;
  /** How far beyond the first null side lobes are searched. */
  readonly reach: number;
  /** The largest frequency there is. The transform of samples repeats beyond it. */
  readonly end: number;
}

/**
 * The impulse response that a window gives, computed from its formula, so that every parameter works. Lobes end where the response
 * changes sign, so that a dip that does not reach zero is not a null. Throws `input`.
 */
export function windowTheory(window: Window, options: WindowTheoryOptions = {}): WindowTheory {
  checkFields(options, theoryFields, "options of windowTheory", "input");
  const { share = 1, samples } = options;
  if (!(share > 0 && share <= 1)) throw inputError("share", "above 0 and up to 1", share);
  if (samples !== undefined && share !== 1) throw inputError("share", "1 if samples are given", share);
  const { spectrum, energy, reach, end } = samples === undefined ? continuousResponse(window, share) : sampledResponse(window, samples);
  const power = (f: number): number => spectrum(f) ** 2;
  const peak = power(0);

  const nulls: number[] = [];
  const step = 1 / 64;
  // Half a step off the integers, where cosine sums have their nulls: a sign is never read at a null.
  for (let f = step / 2; f < end && (nulls.length < 11 || f < nulls[0] + reach); f += step) {
    if (spectrum(f) < 0 === spectrum(f + step) < 0) continue;
    const zero = bisect((x) => spectrum(x) < 0, f, f + step);
    if (zero < end - 1e-9) nulls.push(zero);
  }
  // Samples may have no side lobe between 0 and the middle of the period.
  const first = nulls[0] ?? end;
  const half = power(first) < peak / 2 ? bisect((f) => power(f) < peak / 2, 0, first) : Infinity;

  let highest = 0;
  const ends = nulls.length < 11 ? [...nulls, end] : nulls;
  for (let lobe = 0; lobe + 1 < ends.length; lobe++) highest = Math.max(highest, power(largest(power, ends[lobe], ends[lobe + 1])));
  const main = 2 * simpson(power, 0, first, 256);
  let ten = 0;
  for (let lobe = 0; lobe < 10 && lobe + 1 < ends.length; lobe++) ten += 2 * simpson(power, ends[lobe], ends[lobe + 1], 64);

  return {
    irwTimesBandwidth: (2 * half) / share,
    broadening: (2 * half) / share / sincHalfPowerWidth,
    pslrDb: decibels(highest / peak),
    islrDb: decibels(ten / main),
    islrTotalDb: decibels(Math.max(0, energy - main) / main),
    nullCells: first / share,
    snrLossDb: decibels(energy / peak / share),
  };
}

/** The continuous window over the middle part of the band. Frequencies are in cycles per length of the part. */
function continuousResponse(window: Window, share: number): Response {
  checkWindow(window);
  if (!isContinuous(window.kind)) throw inputError("samples", `the number of samples of a ${window.kind} window`, undefined);
  const { spectrum, cycles = 0 } = windowShape(window);
  const w = windowFunction(window);
  return {
    spectrum: share === 1 ? spectrum : partSpectrum(w, share),
    energy: 2 * simpson((x) => w(share * x) ** 2, 0, 0.5, 2048),
    reach: 16 + cycles,
    end: Infinity,
  };
}

/** The transform of n samples over n, as a function of cycles per window length. Its period is n. */
function sampledResponse(window: Window, n: number): Response {
  if (!(Number.isInteger(n) && n >= 2 && n <= 4096)) throw inputError("samples", "an integer from 2 to 4096", n);
  const w = windowSamples(window, n);
  return {
    spectrum: (f) => w.reduce((sum, value, i) => sum + value * Math.cos(2 * Math.PI * f * ((i + 0.5) / n - 0.5)), 0) / n,
    energy: w.reduce((sum, value) => sum + value * value, 0) / n,
    reach: Infinity,
    end: n / 2,
  };
}

/** The transform of the middle part of a window, by Simpson's rule. */
function partSpectrum(w: (x: number) => number, share: number): (f: number) => number {
  const weights = simpsonWeights((x) => w(share * x), 0, 0.5);
  return (f) => harmonics(weights, (Math.PI * f) / (weights.length - 1))[0];
}

/** The sums over i of weight[i]·cos(i·angle) and weight[i]·sin(i·angle). Each cosine follows from the one before, within 10⁻¹³ after 512 steps. */
function harmonics(weights: Float64Array, angle: number): readonly [re: number, im: number] {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  let [c, s, re, im] = [1, 0, 0, 0];
  for (let i = 0; i < weights.length; i++) {
    re += weights[i] * c;
    im += weights[i] * s;
    const next = c * cos - s * sin;
    s = s * cos + c * sin;
    c = next;
  }
  return [re, im];
}

/**
 * Width at half power, in cells of the whole band, if only the part of the band between `from` and `to` is there (−½ to ½). The same
 * definition as in `windowTheory`, but the part may lie anywhere. Infinite if the part is empty. Throws `input`.
 */
export function partialIrwTimesBandwidth(window: Window, [from, to]: readonly [from: number, to: number]): number {
  const w = windowFunction(window);
  if (!(from >= -0.5 && to <= 0.5 && to >= from)) throw inputError("part", "a part of the band, from -0.5 to 0.5", [from, to]);
  const weights = simpsonWeights(w, from, to);
  const power = (f: number): number => {
    const [re, im] = harmonics(weights, (2 * Math.PI * f) / (weights.length - 1));
    return re * re + im * im;
  };
  const below = power(0) / 2;
  let f = 1 / 8;
  while (!(power(f) < below) && f < maxCycles) f += 1 / 8;
  return f < maxCycles && to > from ? (2 * bisect((x) => power(x) < below, 0, f)) / (to - from) : Infinity;
}

/** More cycles per length of the part than the half width of any part of a window. */
const maxCycles = 64;

/** f between `from` and `to` times the weights of Simpson's rule over that interval, as a mean. */
function simpsonWeights(f: (x: number) => number, from: number, to: number): Float64Array {
  const points = 512;
  return Float64Array.from({ length: points + 1 }, (_, i) => {
    const weight = i === 0 || i === points ? 1 : i % 2 === 1 ? 4 : 2;
    return (weight / (3 * points)) * f(from + (i / points) * (to - from));
  });
}

const decibels = (ratio: number): number => 10 * Math.log10(ratio);

/** The place between `a` and `b` at which `test` changes. It must differ between `a` and `b`. */
function bisect(test: (x: number) => boolean, a: number, b: number): number {
  const before = test(a);
  for (let i = 0; i < 60; i++) {
    const middle = (a + b) / 2;
    if (test(middle) === before) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** The place of the only maximum between `a` and `b`. */
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
