/**
 * The interleaved runner. Contenders of one case take turns, window by window, so that a noisy minute hits all of them;
 * what is reported is the median of the windows, its quartiles, and the median ratio to the first contender's
 * neighbouring window. Every contender says how wrong it is: a speed without an error beside it is no result.
 */

export interface Contender {
  readonly name: string;
  /** Does the work once. A contender in another process returns the milliseconds that it measured itself. */
  run(): unknown;
  /** Puts the input back, before every window; not timed. */
  reset?(): void;
  /** A whole window done elsewhere: milliseconds of one run. */
  window?(milliseconds: number): Promise<number>;
  /** Error of what `run` computes, of the case's kind; asked for once, after the warm-up. */
  error(): number | Promise<number>;
  dispose?(): void;
}

/** A case is data until it is set up. */
export interface Case {
  readonly name: string;
  /** Flops of one run, as `transformFlops`; 0 where a rate says nothing. */
  readonly flops: number;
  /** Pixels times pulses that one run projects: its rate is in these, and its error a signal-to-error ratio. */
  readonly projections?: number;
  /** Windows at most, where a run takes seconds. */
  readonly windows?: number;
  /** What `error` means: `relative L2 against float64`. */
  readonly errorKind: string;
  /** Sets up what is to be compared; a contender that this machine lacks is left out, with the reason. */
  setUp(): Promise<SetUp>;
}

export interface SetUp {
  readonly contenders: readonly Contender[];
  readonly absent?: Readonly<Record<string, string>>;
  /** Lets go of what contenders share; called after theirs. */
  dispose?(): void;
}

/** Flops of `lines` transforms of n complex numbers, by the convention 5·n·log₂n a line. */
export const transformFlops = (lines: number, n: number): number => lines * 5 * n * Math.log2(n);

export interface Row {
  readonly case: string;
  readonly contender: string;
  readonly milliseconds: number;
  readonly quartiles: readonly [number, number];
  readonly gflops: number;
  /** How many times faster than the case's first contender: median over the windows, each against its neighbour in time. */
  readonly speedup: number;
  readonly error: number;
  readonly errorKind: string;
  /** 10⁹ pixels times pulses a second. */
  readonly gigaprojections?: number;
}

export interface RunnerOptions {
  /** Windows per contender; 21 where left out. */
  readonly windows?: number;
  /** A window repeats a contender until it has taken this long; 20 where left out. */
  readonly windowMilliseconds?: number;
}

const warmUpMilliseconds = 200;

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
      // Engines compile what is hot: only then is a run worth timing.
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

/** Milliseconds of one run, over `repeats`. */
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

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}
