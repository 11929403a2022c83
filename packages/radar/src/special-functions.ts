/** The few mathematical functions that windows, interpolators and antenna patterns are made of. */

/**
 * Modified Bessel function I₀ by its power series Σ(x²/4)ᵏ/k!² (Abramowitz & Stegun 9.6.12). All terms are positive, so the result
 * is accurate to a few units in the last place for |x| ≤ 700.
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

/** Normalised sinc: sin(πx)/(πx), 1 at x = 0. */
export const sinc = (x: number): number => (Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

/**
 * Width of sinc² at half power: twice the root of sinc²(x) = ½. It is the resolution of a rectangular window in cells of 1/bandwidth,
 * and the beamwidth of a uniformly lit antenna in units of wavelength/length.
 */
export const sincHalfPowerWidth = 0.885892941378904;
