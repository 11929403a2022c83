/**
 * The interleaved runner. The contenders of a case take turns, window by window, so that a disturbance affects all of them. It reports the
 * median of the windows, the quartiles, and the median ratio to the first contender's adjacent window. Every contender must state the
 * error of its result.
 */

/** A contender of a case. */
export interface Contender {
  readonly name: string;
  /** Does the work once. A contender in another process returns the milliseconds that it measured itself. */
  run(): unknown;
  /** Restores the input before every window. Not timed. */
  reset?(): void;
  /** Runs a whole window itself, in most cases in another process. Resolves with the milliseconds of one run. */
  window?(milliseconds: number): Promise<number>;
  /** The error of the result of `run`, of the case's kind. Called once, after the first run. */
  error(): number | Promise<number>;
  dispose?(): void;
}

/** A case. It allocates nothing until it is set up. */
export interface Case {
  readonly name: string;
  /** Flops of one run, by `transformFlops`. 0 if a rate is not meaningful. */
  readonly flops: number;
  /** Pixels times pulses that one run projects. If present, the rate is in these, and the error is shown as a signal-to-error ratio. */
  readonly projections?: number;
  /** The largest number of windows, for cases whose runs take seconds. */
  readonly windows?: number;
  /** What `error` means, for example `relative L2 against float64`. */
  readonly errorKind: string;
  /** Sets up the contenders. Those that this machine can not run are left out, with the reason. */
  setUp(): Promise<SetUp>;
}

/** The contenders of a case. */
export interface SetUp {
  readonly contenders: readonly Contender[];
  readonly absent?: Readonly<Record<string, string>>;
  /** Frees what the contenders share. Called after their own `dispose`. */
  dispose?(): void;
}

/** The error of contenders of cases that only compare times: their results are checked elsewhere. */
export const noError = (): number => Number.NaN;

/** Flops of `lines` transforms of n complex numbers, by the convention 5·n·log₂n per line. */
export const transformFlops = (lines: number, n: number): number => lines * 5 * n * Math.log2(n);

/** A row of the results: one contender of a case. */
export interface Row {
  readonly case: string;
  readonly contender: string;
  readonly milliseconds: number;
  readonly quartiles: readonly [number, number];
  readonly gflops: number;
  /** How many times as fast as the case's first contender: the median over the windows, each divided by the adjacent one. */
  readonly speedup: number;
  readonly error: number;
  readonly errorKind: string;
  /** 10⁹ pixels times pulses per second. */
  readonly gigaprojections?: number;
}

/** Options of `runCase`. */
export interface RunnerOptions {
  /** Number of windows per contender. Default: 21. */
  readonly windows?: number;
  /** A window repeats a contender until it has taken this many milliseconds. Default: 20. */
  readonly windowMilliseconds?: number;
}

const warmUpMilliseconds = 200;

/** Measures the contenders of a case. */
export async function runCase(
  benchCase: Case,
  options: RunnerOptions = {},
): Promise<{ rows: Row[]; absent: Readonly<Record<string, string>> }> {
  const { windowMilliseconds = 20 } = options;
  const windows = Math.min(options.windows ?? 21, benchCase.windows ?? Number.POSITIVE_INFINITY);
  const { projections } = benchCase;
  const { contenders, absent = {}, ...shared } = await benchCase.setUp();
  try {
    const errors: number[] = [];
    const repeats: number[] = [];
    for (const contender of contenders) {
      const once = await time(contender, 1);
      errors.push(await contender.error());
      // Warms up, as JavaScript engines compile hot code.
      const warm = await time(contender, Math.max(1, Math.ceil(warmUpMilliseconds / once)));
      repeats.push(Math.max(1, Math.round(windowMilliseconds / warm)));
    }
    const samples = contenders.map((): number[] => []);
    for (let w = 0; w < windows; w++) {
      for (const [i, contender] of contenders.entries()) {
        samples[i].push(await (contender.window?.(windowMilliseconds) ?? time(contender, repeats[i])));
      }
    }
    const medians = samples.map((s) => quantile(s, 0.5));
    const rows = contenders.map(
      (contender, i): Row => ({
        case: benchCase.name,
        contender: contender.name,
        milliseconds: medians[i],
        quartiles: [quantile(samples[i], 0.25), quantile(samples[i], 0.75)],
        gflops: benchCase.flops / medians[i] / 1e6,
        speedup: quantile(
          samples[i].map((milliseconds, w) => samples[0][w] / milliseconds),
          0.5,
        ),
        error: errors[i],
        errorKind: benchCase.errorKind,
        ...(projections !== undefined && { gigaprojections: projections / medians[i] / 1e6 }),
      }),
    );
    return { rows, absent };
  } finally {
    for (const contender of contenders) contender.dispose?.();
    shared.dispose?.();
  }
}

/** Milliseconds of one run, the mean over `repeats`. */
async function time(contender: Contender, repeats: number): Promise<number> {
  contender.reset?.();
  const start = performance.now();
  let own: number | undefined;
  for (let r = 0; r < repeats; r++) {
    const measured = await contender.run();
    if (typeof measured === "number") own = (own ?? 0) + measured;
  }
  return (own ?? performance.now() - start) / repeats;
}

/** The q-quantile of some values, interpolated linearly. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}
