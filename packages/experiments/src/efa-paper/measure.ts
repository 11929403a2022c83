/**
 * Measures a problem in several variants, which take turns data set by data set, as a whole and stage by stage. Each variant is limited to
 * about `seconds` by using fewer data sets; the row says how many.
 */
import { type Device, RadarError, throwIfAborted } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { median, warmUp } from "../timing.ts";
import { whyUnable } from "../why-unable.ts";
import { type EfaBuffers, type EfaChain, openEfaChain, uploadEfaBuffers } from "./chain.ts";
import type { Job, Way } from "./jobs.ts";
import type { EfaMeasured, EfaRow, SetTime } from "./report.ts";
import { createEfaProblem, type EfaProblem } from "./workload.ts";

/** Options of `measureJob`. */
export interface MeasureOptions {
  /** Approximate seconds of a variant. */
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

/** How long the device is warmed up, by the clock that measures it. */
const warmUpMilliseconds = { device: { still: 1000, most: 8000 }, host: { still: 150, most: 150 } };

/** The approximate length of a turn, and the largest number of runs in it. */
const turnMilliseconds = 6;
const mostRuns = 200;
/** Number of turns if there is only one data set. */
const fewestTurns = 5;

/** Measures the variants of a job on a device. Returns one row per variant, with its times or the reason why it has none. */
export async function measureJob(device: Device, job: Job, { seconds, signal }: MeasureOptions): Promise<readonly EfaRow[]> {
  const { section, problem: options, ways } = job;
  const { channels, pulses, dopplerBins, ranges, blockRanges, temporalTaps, steeringVectors } = options;
  const sizes = { channels, pulses, dopplerBins, ranges, blockRanges, temporalTaps, steeringVectors };
  const row = ({ name, rowsPerInvocation }: Way): EfaRow => ({
    section,
    name,
    sizes,
    ...(rowsPerInvocation !== undefined && { blocking: rowsPerInvocation }),
  });
  const problem = createEfaProblem(options);
  const measured = await orWhy(() => measureWays(device, problem, job, { seconds, ...(signal && { signal }) }));
  return ways.map((way, i) => {
    const found = typeof measured === "string" ? measured : measured[i];
    return { ...row(way), ...(typeof found === "string" ? { why: found } : { measured: found }) };
  });
}

async function measureWays(
  device: Device,
  problem: EfaProblem,
  { ways, dataSets }: Job,
  { seconds, signal }: MeasureOptions,
): Promise<readonly (EfaMeasured | string)[]> {
  const on = signal ? { signal } : {};
  using inputs = await uploadEfaBuffers(device, problem, dataSets, signal);
  const open: Opened[] = [];
  try {
    for (const way of ways) {
      throwIfAborted(signal, "the experiment");
      const chain = await orWhy(() => openOnDevice(device, problem, inputs, way));
      if (typeof chain === "string") open.push({ chain, turns: [], sets: 0, snrDb: Number.NaN });
      else open.push(await warm(chain));
    }
    const chains = open.filter((one): one is Ready => typeof one.chain !== "string");
    const clock = chains.some((one) => one.chain.clock === "device") ? "device" : "host";
    await warmUp(warmUpMilliseconds[clock], async () => {
      let milliseconds = 0;
      for (const { chain, turns } of chains) milliseconds += await chain.time(allOf(chain), turns[0].runs, [0], on);
      throwIfAborted(signal, "the experiment");
      return milliseconds;
    });
    for (let turn = 0; turn < Math.max(dataSets, fewestTurns); turn++) {
      for (const { chain, turns, sets } of chains) {
        if (turn >= (dataSets === 1 ? Math.min(sets, fewestTurns) : sets)) continue;
        throwIfAborted(signal, "the experiment");
        const set = turn % dataSets;
        // Runs the whole chain so that each stage reads results of this data set.
        await chain.time(allOf(chain), 1, [set], on);
        for (const { stages, runs, times } of turns) times.push(await chain.time(stages, runs, [set], on));
      }
    }
    return open.map((one) => (typeof one.chain === "string" ? one.chain : result(one as Ready, dataSets)));
  } finally {
    for (const { chain } of open) if (typeof chain !== "string") chain[Symbol.dispose]();
  }

  /** Runs a chain for the first time, which may compile it, checks its results, and decides the number of data sets and runs. */
  async function warm(chain: EfaChain): Promise<Ready> {
    const all = allOf(chain);
    const first = await chain.output(0, on);
    const once = await chain.time(all, 1, [0], on);
    const affordable = Math.max(1, Math.floor((1000 * seconds) / (3 * once)));
    const sets = dataSets === 1 ? affordable : Math.min(dataSets, affordable);
    let snrDb = await runAbortable(signal, "the experiment", problem.snrDbSteps(0, first));
    for (let set = 1; set < Math.min(sets, dataSets); set++) {
      throwIfAborted(signal, "the experiment");
      const steps = problem.snrDbSteps(set, await chain.output(set, on));
      snrDb = Math.min(snrDb, await runAbortable(signal, "the experiment", steps));
    }
    const turns: Turn[] = [];
    for (const stages of [all, ...all.map((stage) => [stage])]) {
      const runs = runsFor(stages === all ? once : await chain.time(stages, 1, [0], on));
      turns.push({ stages, runs: runsFor((await chain.time(stages, Math.min(runs, 10), [0], on)) || once), times: [] });
    }
    return { chain, turns, sets, snrDb };
  }
}

/** Opens a chain and throws `limit` if one of its stages would run on the host. */
async function openOnDevice(device: Device, problem: EfaProblem, inputs: EfaBuffers, way: Way): Promise<EfaChain> {
  const chain = await openEfaChain(device, problem, inputs, way);
  const onHost = chain.stages.find(({ text }) => text.startsWith("(kernel/host "));
  if (!onHost) return chain;
  chain[Symbol.dispose]();
  throw new RadarError("limit", `${onHost.name} does not fit into this device's on-chip memory`, {});
}

interface Turn {
  readonly stages: readonly number[];
  readonly runs: number;
  readonly times: number[];
}

interface Opened {
  /** The chain, or the reason why there is none. */
  readonly chain: EfaChain | string;
  /** The whole chain, then every stage. */
  readonly turns: readonly Turn[];
  readonly sets: number;
  readonly snrDb: number;
}

interface Ready extends Opened {
  readonly chain: EfaChain;
}

const allOf = ({ stages }: EfaChain): readonly number[] => [...stages.keys()];

const runsFor = (milliseconds: number): number => Math.max(1, Math.min(mostRuns, Math.round(turnMilliseconds / milliseconds)));

function result({ chain, turns: [whole, ...parts], snrDb }: Ready, dataSets: number): EfaMeasured {
  return {
    clock: chain.clock,
    dataSets: Math.min(dataSets, whole.times.length),
    stages: chain.stages.map((stage, i) => ({ ...stage, ...timeOf(parts[i].times) })),
    total: timeOf(whole.times),
    snrDb,
  };
}

const timeOf = (times: readonly number[]): SetTime => ({
  meanMilliseconds: times.reduce((sum, time) => sum + time, 0) / times.length,
  medianMilliseconds: median(times),
});

/** Returns the measurement, or the reason why a device can not do it: a limit, memory, or missing support. Throws any other error. */
async function orWhy<M>(measure: () => Promise<M>): Promise<M | string> {
  try {
    return await measure();
  } catch (error) {
    return whyUnable(error);
  }
}
