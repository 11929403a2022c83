/** Ends and ticks of logarithmic axes. */

/** Smallest and largest of positive numbers, made to differ from each other. Without numbers, 1 and 10. */
export function rangeOf(values: Iterable<number>): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  if (!Number.isFinite(low)) return [1, 10];
  return low < high ? [low, high] : [low / 2, high * 2];
}

/** The largest of 1, 2 and 5 times a power of ten that is not above `value`. */
function mainBelow(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(value));
  return exact(decade * ([5, 2].find((main) => main * decade <= value) ?? 1));
}

/** Widens a range to ends at 1, 2 or 5 times a power of ten. */
export const mainEnds = ([low, high]: readonly [number, number]): [number, number] => [mainBelow(low), exact(1 / mainBelow(1 / high))];

/**
 * Ticks between two numbers on an axis of `length` pixels: 1, 2 and 5 of every decade, or only 1, or only 1 of some decades, so that
 * each tick has `room` pixels.
 */
export function mainTicks([low, high]: readonly [number, number], length: number, room: number): readonly number[] {
  const decade = length / Math.log10(high / low);
  const mains = decade >= 3.4 * room ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil(room / decade));
  const ticks: number[] = [];
  for (let exponent = Math.floor(Math.log10(low)); exponent <= Math.ceil(Math.log10(high)); exponent++) {
    if (exponent % every !== 0) continue;
    for (const main of mains) {
      const tick = exact(main * 10 ** exponent);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks;
}

/** Removes the rounding error of powers of ten. */
const exact = (value: number): number => Number(value.toPrecision(12));

/** Formats a number for a tick, with three digits if it is not an integer. */
export const shortNumber = (value: number): string =>
  (value >= 1e7 || value < 1e-3
    ? String(Number(value.toPrecision(3)).toExponential())
    : Number.isInteger(value)
      ? String(value)
      : String(Number(value.toPrecision(3)))
  ).replace("e+", "e");
