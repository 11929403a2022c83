/** The formulas behind the rows of the window table: continuous windows with their Fourier transforms, and Dolph-Chebyshev samples. */
import { besselI0, sinc } from "./special-functions.ts";

/** A continuous window: even, 1 in the middle. */
export interface WindowShape {
  /** w(x) for x from −½ to ½. Other x are not asked for. */
  readonly at: (x: number) => number;
  /** Fourier transform of w at f cycles per window length: real and even. */
  readonly spectrum: (f: number) => number;
  /** Cycles per window length beyond which side lobes only fall. Default: 0. */
  readonly cycles?: number;
}

/** w(x) = a₀ + 2·Σaₘ·cos(2πmx), with `terms` a₀, a₁, … */
export const cosineSum = (terms: readonly number[]): WindowShape => ({
  at(x) {
    let value = terms[0];
    for (let m = 1; m < terms.length; m++) value += 2 * terms[m] * Math.cos(2 * Math.PI * m * x);
    return value;
  },
  spectrum(f) {
    let value = terms[0] * sinc(f);
    for (let m = 1; m < terms.length; m++) value += terms[m] * (sinc(f - m) + sinc(f + m));
    return value;
  },
  cycles: 2 * terms.length,
});

/** I₀(β√(1 − 4x²))/I₀(β). Its transform is sinh(r)/r/I₀(β) with r = √(β² − π²f²), which is sin(|r|)/|r| if r is imaginary. */
export function kaiser(beta: number): WindowShape {
  const norm = besselI0(beta);
  return {
    at: (x) => besselI0(beta * Math.sqrt(1 - 4 * x * x)) / norm,
    spectrum(f) {
      const q = beta ** 2 - (Math.PI * f) ** 2;
      const r = Math.sqrt(Math.abs(q));
      if (r < 1e-8) return 1 / norm;
      return (q > 0 ? Math.sinh(r) : Math.sin(r)) / r / norm;
    },
  };
}

/** Taylor's aₘ for `cosineSum`, divided by the value in the middle (Carrara et al. 1995, appendix D). */
export function taylorTerms(nbar: number, sidelobeDb: number): number[] {
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

/** The inverse DFT of the Chebyshev polynomial T_(n − 1)(x₀·cos(πk/n)), divided by its largest value (Dolph 1946). */
export function dolphChebyshev(n: number, sidelobeDb: number): Float64Array {
  const order = n - 1;
  const weights = new Float64Array(n).fill(1);
  if (order === 0) return weights;
  const x0 = Math.cosh(Math.acosh(10 ** (-sidelobeDb / 20)) / order);
  const chebyshev = (x: number): number => {
    if (Math.abs(x) <= 1) return Math.cos(order * Math.acos(x));
    return (x < 0 && order % 2 === 1 ? -1 : 1) * Math.cosh(order * Math.acosh(Math.abs(x)));
  };
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = 0; k < n; k++) sum += chebyshev(x0 * Math.cos((Math.PI * k) / n)) * Math.cos((2 * Math.PI * k * (i - order / 2)) / n);
    weights[i] = sum;
  }
  const largest = weights.reduce((a, b) => Math.max(a, b));
  return weights.map((w) => w / largest);
}
