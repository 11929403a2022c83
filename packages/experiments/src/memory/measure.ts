/**
 * Times contenders in turns, so that a noisy moment affects all of them. A turn is many runs in one submission, long enough for clocks that
 * count in steps of 0.1 ms; the GPU is busy for a while before the first turn, as GPUs lower their clocks when idle.
 */
import { type Buffer, type Device, type Plan, RadarError, throwIfAborted } from "@dechirp/core";
import { timeOnDevice } from "@dechirp/fft-gpu";
import { median, quantile } from "../timing.ts";
import { whyUnable } from "../why-unable.ts";
import type { Probe } from "./probe.ts";
import type { Spread } from "./report.ts";

/** Options of all measurements. */
export interface MeasureOptions {
  /** Approximate seconds of a contender. */
  readonly seconds: number;
  readonly signal?: AbortSignal;
}

/** Something to time. `run` queues `times` runs; the seconds of one are measured. */
export interface Contender {
  run(times: number): void;
}

const warmUpSeconds = 0.2;
/** The shortest turn, and the shortest run that is made longer by no more rounds. */
const turnSeconds = 0.006;
const runSeconds = 0.001;
/** More runs with uniforms would not fit into one submission. */
const mostRuns = 200;
/** With more rounds, sums of floats would not be exact. */
const mostRounds = 2 ** 18;
const fewestTurns = 3;
const mostTurns = 25;

/** Seconds of everything that `work` queues, by the device's clock if it has one. */
export async function secondsOf(device: Device, work: () => void): Promise<number> {
  await device.ready();
  const start = performance.now();
  const measured = await timeOnDevice(device, work);
  return (measured ?? performance.now() - start) / 1000;
}

/** Whose clock `secondsOf` uses. */
export async function clockOf(device: Device): Promise<"device" | "host"> {
  return (await timeOnDevice(device, () => undefined)) === undefined ? "host" : "device";
}

/** Times contenders in turns. Returns the seconds of one run of each. */
export async function timeInTurns(
  device: Device,
  contenders: readonly Contender[],
  { seconds, signal }: MeasureOptions,
): Promise<readonly (readonly number[])[]> {
  const runs: number[] = [];
  for (const contender of contenders) {
    throwIfAborted(signal, "the experiment");
    const once = await secondsOf(device, () => contender.run(1));
    runs.push(Math.max(1, Math.min(mostRuns, Math.ceil(turnSeconds / Math.max(once, 1e-9)))));
  }
  const turn = async (i: number): Promise<number> => {
    throwIfAborted(signal, "the experiment");
    return (await secondsOf(device, () => contenders[i].run(runs[i]))) / runs[i];
  };
  const longest = Math.min(warmUpSeconds, seconds);
  for (const start = performance.now(); performance.now() - start < 1000 * longest; ) for (const i of contenders.keys()) await turn(i);
  const times = contenders.map((): number[] => []);
  const start = performance.now();
  for (let t = 0; t < mostTurns; t++) {
    if (t >= fewestTurns && performance.now() - start > 1000 * seconds * contenders.length) break;
    for (const i of contenders.keys()) times[i].push(await turn(i));
  }
  return times;
}

/** The median and quartiles of values. */
export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  low: quantile(values, 0.25),
  high: quantile(values, 0.75),
  turns: values.length,
});

/** The measured times of a probe, or why there are none. */
export type Measured =
  | { readonly seconds: readonly number[]; readonly amount: number; readonly correct: boolean }
  | { readonly why: string };

/** Differences of times as a measurement. If noise has made their lower quartile negative, they are no times. */
export const measuredDifference = (seconds: readonly number[], amount: number, correct: boolean): Measured =>
  spreadOf(seconds).low > 0 ? { seconds, amount, correct } : { why: "less than the noise of the measurement" };

interface Ready {
  readonly probe: Probe;
  readonly plan: Plan;
  readonly buffers: Readonly<Record<string, Buffer>>;
  readonly rounds: number;
}

/**
 * Measures probes in turns and checks their outputs afterwards. A probe that does not fit the device has a reason instead. Everything that
 * was allocated is freed.
 */
export async function measureProbes(device: Device, probes: readonly Probe[], options: MeasureOptions): Promise<readonly Measured[]> {
  const { signal } = options;
  const held: Disposable[] = [];
  try {
    const opened: (Ready | { readonly why: string })[] = [];
    for (const probe of probes) {
      throwIfAborted(signal, "the experiment");
      opened.push(await orWhy(() => openProbe(device, probe, held, signal)));
    }
    const ready = opened.filter((one): one is Ready => !("why" in one));
    const run = ({ plan, buffers, rounds, probe }: Ready): void => {
      plan.run(buffers, { uniforms: { rounds, ...probe.uniforms } });
    };
    const contenders = ready.map((one): Contender => ({ run: (times) => repeat(times, () => run(one)) }));
    const times = await timeInTurns(device, contenders, options);
    const measured: Measured[] = [];
    for (const one of opened) {
      if ("why" in one) {
        measured.push(one);
        continue;
      }
      throwIfAborted(signal, "the experiment");
      const { probe, buffers, rounds } = one;
      const written = Object.entries(probe.op.ports).filter(([, { access }]) => access !== "read");
      const outputs: Record<string, Uint32Array> = {};
      for (const [port] of written) outputs[port] = (await buffers[port].read()) as Uint32Array;
      measured.push({ seconds: times[ready.indexOf(one)], amount: probe.amount(rounds), correct: probe.check(outputs, rounds) });
    }
    return measured;
  } finally {
    for (const one of held.reverse()) one[Symbol.dispose]();
  }
}

async function openProbe(device: Device, probe: Probe, held: Disposable[], signal: AbortSignal | undefined): Promise<Ready> {
  const plan = await device.plan(probe.op, signal ? { signal } : {});
  held.push(plan);
  if (plan.text.startsWith("(kernel/host ")) throw new RadarError("limit", `${probe.name} does not fit into this device's workgroups`, {});
  const buffers: Record<string, Buffer> = {};
  for (const [port, { layout }] of Object.entries(probe.op.ports)) {
    const buffer = device.alloc(layout, `${probe.name}: ${port}`);
    held.push(buffer);
    buffers[port] = buffer;
    if (probe.inputs[port]) buffer.write(probe.inputs[port] as never);
  }
  const time = (rounds: number): Promise<number> =>
    secondsOf(device, () => void plan.run(buffers, { uniforms: { rounds, ...probe.uniforms } }));
  let rounds = 1;
  await time(rounds);
  for (let seconds = 0; seconds < runSeconds && rounds < mostRounds; ) {
    throwIfAborted(signal, "the experiment");
    rounds *= 4;
    seconds = await time(rounds);
  }
  return { probe, plan, buffers, rounds };
}

/** Does something a number of times. */
export function repeat(times: number, work: () => void): void {
  for (let i = 0; i < times; i++) work();
}

/** The result, or the reason why a device can't do it: a limit, memory, or missing support. Throws any other error. */
export async function orWhy<M>(work: () => Promise<M>): Promise<M | { readonly why: string }> {
  try {
    return await work();
  } catch (error) {
    return { why: whyUnable(error) };
  }
}
