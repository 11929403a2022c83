/**
 * Measures a job: the copy, the transforms and the peer take turns, so that a disturbance affects all of them. Each is limited to about
 * `seconds`. A row has the median with its quartiles, and the ratio to the copy's adjacent turn.
 */
import { type Device, layout, throwIfAborted } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { quantile, warmUp } from "../timing.ts";
import { type Accuracies, type Arrays, type Contender, openCopy, openPeer, openTransforms, trafficOf, whyNot } from "./contenders.ts";
import type { FftPeer } from "./fftw.ts";
import { bytesOf, type Job, tooLarge } from "./jobs.ts";
import { type CopyRate, everyKernel, type FftRow, type GroupLimits } from "./report.ts";
import { createWorkload } from "./workload.ts";

/** Options of `measureJob`. */
export interface MeasureOptions {
  /** Approximate seconds of a row. */
  readonly seconds: number;
  /** The variants to measure beside the device's own choice. */
  readonly variants: Accuracies;
  /** A library to measure beside the device. */
  readonly peer?: FftPeer;
  readonly signal?: AbortSignal;
}

/** The rows of a job, the copy's rate, and what its kernel was told of workgroups. */
export interface JobResults {
  readonly rows: readonly FftRow[];
  readonly copy?: CopyRate;
  readonly groups?: GroupLimits;
}

/** How long the device is warmed up, by the clock that measures it. */
const warmUpMilliseconds = { device: { still: 400, most: 4000 }, host: { still: 100, most: 200 } };

const mostTurns = 9;
/** Approximate length of a turn. On a device's clock a submission has at least `fewestRuns` runs, as long as that is affordable. */
const turnMilliseconds = 4;
const fewestRuns = 30;
const mostRuns = 200;

interface Entry {
  readonly contender: Contender;
  readonly times: number[];
  clock: "device" | "host";
  runs: number;
  turns: number;
}

/** Measures a job on a device. Throws `aborted`, and errors of devices other than limits. */
export async function measureJob(device: Device, job: Job, options: MeasureOptions): Promise<JobResults> {
  const large = tooLarge(device, job);
  const none = (why: string): JobResults => ({ rows: [{ ...job, name: everyKernel, kind: "own", why }] });
  if (large !== undefined) return none(large);
  const shape = layout("c64", [job.batch, job.n]);
  const held: Disposable[] = [];
  const allocate = (label: string) => {
    const buffer = device.alloc(shape, label);
    held.push(buffer);
    return buffer;
  };
  try {
    const arrays: Arrays = { in: allocate("lines"), out: allocate("spectra"), workload: createWorkload(job.n, job.batch) };
    const { signal } = options;
    await runAbortable(signal, "the experiment", arrays.workload.fillSteps(arrays.in));
    await device.ready();
    return await measureContenders(device, job, arrays, options);
  } catch (error) {
    return none(whyNot(error));
  } finally {
    for (const one of held) one[Symbol.dispose]();
  }
}

async function measureContenders(device: Device, job: Job, arrays: Arrays, options: MeasureOptions): Promise<JobResults> {
  const { seconds, variants, peer, signal } = options;
  const { contender: copy, groups } = await openCopy(device, job, arrays);
  const found: (readonly [name: string, entry: Entry | string])[] = [];
  const open: Entry[] = [];
  const disposables: Contender[] = [copy];
  try {
    const add = async (name: string, contender: Contender | string): Promise<void> => {
      throwIfAborted(signal, "the experiment");
      if (typeof contender === "string") return void found.push([name, contender]);
      disposables.push(contender);
      const entry = await prepare(contender, seconds);
      open.push(entry);
      if (contender.kind !== "copy") found.push([name, entry]);
    };
    await add("copy", copy);
    for await (const [name, contender] of openTransforms(device, job, arrays, variants)) await add(name, contender);
    if (peer) await add(peer.name, openPeer(peer, job));
    await warmUp(warmUpMilliseconds[open[0].clock], async () => {
      let milliseconds = 0;
      for (const { contender, runs } of open) {
        throwIfAborted(signal, "the experiment");
        if (contender.kind !== "peer") milliseconds += (await contender.time(runs)).milliseconds;
      }
      return milliseconds;
    });
    for (let turn = 0; turn < mostTurns; turn++) {
      for (const entry of open) {
        if (turn >= entry.turns) continue;
        throwIfAborted(signal, "the experiment");
        entry.times.push((await entry.contender.time(entry.runs)).milliseconds);
      }
    }
    const [copied] = open;
    const rows: FftRow[] = [];
    for (const [name, entry] of found) rows.push(await rowOf(job, name, entry, copied, peer));
    return {
      rows,
      copy: { bytes: bytesOf(job), gigabytesPerSecond: trafficOf(job) / quantile(copied.times, 0.5) / 1e6 },
      ...(groups && { groups }),
    };
  } finally {
    for (const contender of disposables) contender[Symbol.dispose]();
  }
}

/** Runs a contender for the first time, which may compile it, and decides the numbers of turns and runs. */
async function prepare(contender: Contender, seconds: number): Promise<Entry> {
  await contender.time(1);
  const { milliseconds: first, clock } = await contender.time(1);
  const once = Math.max(first, 1e-4);
  const affordable = (1000 * seconds) / once;
  const turns = Math.max(1, Math.min(mostTurns, Math.floor(affordable)));
  const wanted = Math.max(clock === "device" ? fewestRuns : 1, Math.ceil(turnMilliseconds / once));
  const runs = Math.max(1, Math.min(mostRuns, wanted, Math.floor(affordable / turns)));
  return { contender, times: [], clock, runs, turns };
}

async function rowOf(job: Job, name: string, entry: Entry | string, copy: Entry, peer: FftPeer | undefined): Promise<FftRow> {
  const kind = name === peer?.name ? "peer" : "own";
  if (typeof entry === "string") return { ...job, name, kind, why: entry };
  const { contender, times, clock, runs } = entry;
  const error = await contender.error();
  const milliseconds = quantile(times, 0.5);
  if (!(milliseconds > 0)) return { ...job, name, kind, why: "no time was measured" };
  const shares = times.flatMap((time, turn) => (turn < copy.times.length ? [copy.times[turn] / time] : []));
  return {
    ...job,
    name,
    kind,
    measured: {
      clock,
      milliseconds,
      quartiles: [quantile(times, 0.25), quantile(times, 0.75)],
      turns: times.length,
      runs,
      ...(kind === "own" && { ofCopy: quantile(shares, 0.5) }),
      error,
      allowed: contender.allowed,
      text: contender.text,
      ...(contender.passes !== undefined && { passes: contender.passes }),
    },
  };
}
