/**
 * Measures contenders on a GPU in rounds. They take turns with each other and with a copy of the same number of bytes; each turn has many
 * runs in one submission. It reports medians with quartiles, the rate relative to the copy, the ratio to the fastest peer (both from
 * adjacent turns), and the error of each result. A contender that fails is removed, with the reason.
 */
import { quantile, type Row } from "../runner.ts";

/** A contender of a case. */
export interface GpuContender {
  readonly name: string;
  readonly kind: "ours" | "peer" | "copy";
  /** Bytes that it must at least read and write. */
  readonly bytes: number;
  readonly flops: number;
  /** Pixels times pulses that a run projects. */
  readonly projections?: number;
  /** The largest allowed `error`. Default: 1e-5. */
  readonly allowed?: number;
  /**
   * Milliseconds of one run, the mean over `runs` runs in one submission, with the device busy before. A contender may choose its own
   * number of runs.
   */
  sample(runs: number): Promise<number>;
  /** The error of the last result, of the case's kind. */
  error(): number | Promise<number>;
  dispose?(): void;
}

/** A row of the results. */
export interface GpuRow extends Row {
  readonly kind: GpuContender["kind"];
  readonly gigabytesPerSecond: number;
  /** The rate relative to the copy's. NaN without a copy. */
  readonly ofCopy: number;
  /** The fastest peer, and its time divided by ours. */
  readonly peer?: { readonly contender: string; readonly milliseconds: number; readonly ratio: number };
  readonly allowed?: number;
}

/** Options of `runRounds`. */
export interface RoundOptions {
  /** Number of turns of each contender. Default: 9. */
  readonly samples?: number;
  /** The clock: the device's, with submissions of at least 30 runs, or the host's. */
  readonly clock: "device" | "host";
  readonly warmUpMilliseconds?: number;
}

/** The result of `runRounds`. */
export interface Rounds {
  readonly rows: readonly GpuRow[];
  /** Contenders that failed, and the reasons. */
  readonly failed: Readonly<Record<string, string>>;
}

const fewestRuns = 30;
const mostRuns = 200;
const turnMilliseconds = { device: 3, host: 20 };
/** Limits the number of runs per turn on a slow device. */
const longestTurnMilliseconds = 400;

/** The number of runs in a turn, from the time of one run in milliseconds. */
export function runsFor(once: number, clock: RoundOptions["clock"]): number {
  const wanted = Math.ceil(turnMilliseconds[clock] / Math.max(once, 1e-6));
  const runs = clock === "device" ? Math.min(mostRuns, Math.max(fewestRuns, wanted)) : Math.min(50, wanted);
  return Math.max(1, Math.min(runs, Math.floor(longestTurnMilliseconds / Math.max(once, 1e-6))));
}

interface Entry {
  readonly contender: GpuContender;
  readonly samples: number[];
  runs: number;
}

/** Measures the contenders in turns. `speedup` is relative to the first one. Does not dispose of them. */
export async function runRounds(
  benchCase: { readonly name: string; readonly errorKind: string },
  contenders: readonly GpuContender[],
  { samples = 9, clock, warmUpMilliseconds = 200 }: RoundOptions,
): Promise<Rounds> {
  const failed: Record<string, string> = {};
  const entries = new Set(contenders.map((contender): Entry => ({ contender, samples: [], runs: 1 })));
  const each = async (work: (entry: Entry) => Promise<unknown>): Promise<void> => {
    for (const entry of [...entries]) {
      try {
        await work(entry);
      } catch (error) {
        entries.delete(entry);
        failed[entry.contender.name] = (error as Error).message;
      }
    }
  };
  await each(async (entry) => {
    await entry.contender.sample(1);
    entry.runs = runsFor(await entry.contender.sample(1), clock);
  });
  const start = performance.now();
  do await each(({ contender, runs }) => contender.sample(runs));
  while (entries.size > 0 && performance.now() - start < warmUpMilliseconds);
  for (let s = 0; s < samples; s++) await each(async (entry) => entry.samples.push(await entry.contender.sample(entry.runs)));
  const errors = new Map<Entry, number>();
  await each(async (entry) => errors.set(entry, await entry.contender.error()));

  const left = [...entries];
  const median = (entry: Entry): number => quantile(entry.samples, 0.5);
  /** Median of the ratios of rates per byte, each from adjacent turns. */
  const paired = (of: Entry, to: Entry, scale = 1): number =>
    quantile(
      of.samples.map((milliseconds, s) => (scale * to.samples[s]) / milliseconds),
      0.5,
    );
  const copy = left.find(({ contender }) => contender.kind === "copy");
  const peers = left.filter(({ contender }) => contender.kind === "peer").sort((a, b) => median(a) - median(b));
  const rows = left.map((entry): GpuRow => {
    const { name, kind, bytes, flops, projections, allowed } = entry.contender;
    const milliseconds = median(entry);
    const [peer] = peers;
    return {
      case: benchCase.name,
      contender: name,
      kind,
      milliseconds,
      quartiles: [quantile(entry.samples, 0.25), quantile(entry.samples, 0.75)],
      gflops: flops / milliseconds / 1e6,
      gigabytesPerSecond: bytes / milliseconds / 1e6,
      ofCopy: copy ? paired(entry, copy, bytes / copy.contender.bytes) : Number.NaN,
      speedup: paired(entry, left[0]),
      ...(kind === "ours" && peer && { peer: { contender: peer.contender.name, milliseconds: median(peer), ratio: paired(entry, peer) } }),
      error: errors.get(entry) ?? Number.NaN,
      errorKind: benchCase.errorKind,
      ...(projections !== undefined && { gigaprojections: projections / milliseconds / 1e6 }),
      ...(allowed !== undefined && { allowed }),
    };
  });
  return { rows, failed };
}
