/**
 * The regular lattice of pulse times, followed pulse by pulse: a straight line through the times over the line numbers, which becomes
 * more exact with every pulse. Internal to lines.ts.
 */

/** Line numbers by time. */
export interface Lattice {
  readonly initialInterval: number;
  /** Takes a pulse as exactly one of line `line`. */
  add(line: number, seconds: number): void;
  /** The nearest line to a time, and the distance from it in intervals. */
  nearest(seconds: number): { readonly line: number; readonly off: number };
  timeOf(line: number): number;
  interval(): number;
}

/**
 * The weight of the initial interval in the fit, in squared lines: that of an interval known to half a per cent, next to pulses with a
 * jitter of a twentieth of an interval. Ten pulses weigh as much.
 */
const initialWeight = 100;

/** Makes a lattice whose line 0 is at a time. */
export function createLattice(seconds: number, initialInterval: number): Lattice {
  // Means, and sums of products of differences from the means (Welford 1962), with times relative to the first.
  let [count, meanLine, meanTime, squares, products] = [1, 0, 0, 0, 0];
  const interval = (): number => (products + initialWeight * initialInterval) / (squares + initialWeight);
  const relative = (line: number): number => meanTime + (line - meanLine) * interval();
  return {
    initialInterval,
    add(line, time) {
      count++;
      const lineStep = line - meanLine;
      const timeStep = time - seconds - meanTime;
      meanLine += lineStep / count;
      meanTime += timeStep / count;
      squares += lineStep * (line - meanLine);
      products += lineStep * (time - seconds - meanTime);
    },
    nearest(time) {
      const position = meanLine + (time - seconds - meanTime) / interval();
      const line = Math.round(position) || 0;
      return { line, off: Math.abs(position - line) };
    },
    timeOf: (line) => seconds + relative(line),
    interval,
  };
}

/** Intervals that the first estimate is made from. */
const window = 32;

/**
 * The interval of the pulses from pulse `from` on. It is the stated one if the median of those near it differs from it by less than
 * `same`; a median of few intervals with jitter is less exact than that.
 */
export function initialInterval(times: Float64Array, from: number, stated: number, same = 0.02): number {
  const intervals: number[] = [];
  for (let i = from + 1; i < Math.min(times.length, from + 1 + window); i++) {
    const interval = times[i] - times[i - 1];
    if (interval > stated / 5) intervals.push(interval);
  }
  if (intervals.length === 0) return stated;
  const near = intervals.filter((interval) => Math.abs(interval / stated - 1) < 0.15);
  const chosen = (near.length >= intervals.length / 4 ? near : intervals).sort((a, b) => a - b);
  const median = (chosen[(chosen.length - 1) >> 1] + chosen[chosen.length >> 1]) / 2;
  return Math.abs(median / stated - 1) < same ? stated : median;
}

/**
 * The pulse at which a segment that begins at `from` really ends, if pulse `at` is found to be off its lattice: the first after which
 * all pulses differ from a fit of the earlier ones by more than their jitter. `lines` are the lines of the pulses before `at`, −1 for
 * none.
 */
export function firstOff(times: Float64Array, from: number, lines: readonly number[], at: number): number {
  const count = at - from;
  const fitted = Math.max(Math.min(count, 8), count - Math.min(256, count >> 1));
  let [n, meanLine, meanTime, squares, products] = [0, 0, 0, 0, 0];
  const each = (until: number, work: (line: number, time: number) => void): void => {
    for (let i = 0; i < until; i++) if (lines[i] >= 0) work(lines[i], times[from + i] - times[from]);
  };
  each(fitted, (line, time) => {
    n++;
    const step = line - meanLine;
    meanLine += step / n;
    meanTime += (time - meanTime) / n;
    squares += step * (line - meanLine);
    products += step * (time - meanTime);
  });
  if (squares === 0 || products <= 0) return at;
  const interval = products / squares;
  const off = (line: number, time: number): number => Math.abs((time - meanTime) / interval - (line - meanLine));
  let sum = 0;
  each(fitted, (line, time) => {
    sum += off(line, time) ** 2;
  });
  const jitter = Math.max(1e-3, 4 * Math.sqrt(sum / Math.max(1, n - 2)));
  let border = at;
  for (let i = count - 1; i >= fitted && (lines[i] < 0 || off(lines[i], times[from + i] - times[from]) > jitter); i--) border = from + i;
  return border;
}
