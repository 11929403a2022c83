/** Windows over the pulses of an interval that Doppler processing is used with. Any other real weights will do as well. */
import { checkInteger, checkNumber } from "./arrays.ts";

/**
 * Dolph-Chebyshev weights of `n` pulses, largest 1: the narrowest main lobe with side lobes at `sidelobeDb` (negative)
 * (Dolph, Proc. IRE 34, 1946): the inverse DFT of the Chebyshev polynomial T_(n − 1)(x₀ cos(πk/n)). Throws `input`.
 */
export function chebyshevWindow(n: number, sidelobeDb: number): Float64Array {
  checkInteger(n, "n", 1, 2 ** 12);
  checkNumber(sidelobeDb, "sidelobeDb", -200, -1);
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
  const most = weights.reduce((a, b) => Math.max(a, b));
  return weights.map((w) => w / most);
}
