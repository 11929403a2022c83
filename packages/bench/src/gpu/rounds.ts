/**
 * Rounds of measurements on a GPU: contenders take turns, a copy of the same number of bytes among them, each turn many runs
 * in one submission. Reported are medians with quartiles, the rate beside that of the copy, and the ratio to the fastest
 * peer, each from neighbouring turns; and how wrong a contender's result is. A contender that fails leaves, with the reason.
 */
import { quantile, type Row } from "../runner.ts";

export interface GpuContender {
  readonly name: string;
  readonly kind: "ours" | "peer" | "copy";
  /** What it cannot help but read and write. */
  readonly bytes: number;
  readonly flops: number;
  /** Pixels times pulses that a run projects. */
  readonly projections?: number;
  /** What `error` may be; 1e-5 where left out. */
  readonly allowed?: number;
  /** Milliseconds of one run, the mean over `runs` in one go, the device busy before. A contender may choose its own number. */
  sample(runs: number): Promise<number>;
  /** Of what was computed last, of the case's kind. */
  error(): number | Promise<number>;
  dispose?(): void;
}

export interface GpuRow extends Row {
  readonly kind: GpuContender["kind"];
  readonly gigabytesPerSecond: number;
  /** The rate as a part of the copy's; NaN where there is none. */
  readonly ofCopy: number;
  /** The fastest peer, and how many times as long it takes. */
  readonly peer?: { readonly contender: string; readonly milliseconds: number; readonly ratio: number };
  readonly allowed?: number;
}

export interface RoundOptions {
  /** Turns of each contender; 9 where left out. */
  readonly samples?: number;
  /** Whose time counts: the device's, in submissions of 30 runs or more, or the host's. */
  readonly clock: "device" | "host";
  readonly warmUpMilliseconds?: number;
}

export interface Rounds {
  readonly rows: readonly GpuRow[];
  /** Contenders that failed, and why. */
  readonly failed: Readonly<Record<string, string>>;
}

const fewestRuns = 30;
const mostRuns = 200;
const turnMilliseconds = { device: 3, host: 20 };
/** A slow device gets fewer runs a turn than a fast one. */
const longestTurnMilliseconds = 400;

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

/** Measures the contenders against each other; the first is what `speedup` is relative to. Does not dispose of them. */
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
  /** Median of the ratio of rates per byte, each from neighbouring turns. */
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
