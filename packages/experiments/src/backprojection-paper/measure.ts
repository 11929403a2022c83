/**
 * The two kinds of measurements on a device: a kernel, timed on blocks of pulses that are spread over the aperture, and a whole image from
 * host to host. Each is limited to about `seconds` by the speed that was measured before. If all pulses would take longer, fewer pulses of
 * the same aperture are timed and the time is scaled up.
 */
import { type Device, RadarError, throwIfAborted } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { type BackprojectorOptions, createBackprojector, prepareBackprojection } from "@dechirp/sar";
import { whyUnable } from "../why-unable.ts";
import { openPulseBlock, type PulseBlock, type PulseBlockRunOptions, type PulseBlockStep } from "./block.ts";
import { type KernelJob, mostSets, type WholeJob } from "./jobs.ts";
import type { KernelRow, KernelTime, WholeRow, WholeTime } from "./report.ts";
import {
  type BackprojectionWorkload,
  createBackprojectionWorkload,
  type NoiseSamples,
  patchErrorDb,
  publishedInterpolation,
  type SampleForm,
  squareGrid,
} from "./workload.ts";

/** Options of `createMeasure`. */
export interface MeasureOptions {
  readonly ring: NoiseSamples;
  readonly pulses: number;
  readonly seconds: number;
  readonly full: boolean;
  readonly signal?: AbortSignal;
}

/** Does the measurements on a device. */
export interface Measure {
  kernel(job: KernelJob): Promise<KernelRow>;
  whole(job: WholeJob): Promise<WholeRow>;
}

/** Number of blocks of an aperture that are timed, unless all are. */
const timedBlocks = 5;
/** Time that a GPU needs to raise its clock. */
const warmUpMilliseconds = 300;
const turnMilliseconds = 60;
const mostRuns = 50;
const turns = 3;
const fewestPulses = 16;
/** A whole image may take this many times as long as a kernel. If it takes longer, it is measured only once. */
const wholeShare = 4;
/** Edge of the image in pixels, and number of pulses, of the first measurement. */
const probed = 64;

/** Prepares measurements on a device. It first measures the speed roughly. */
export async function createMeasure(device: Device, { ring, pulses, seconds, full, signal }: MeasureOptions): Promise<Measure> {
  const on = signal ? { signal } : {};
  const all = createBackprojectionWorkload(ring, { pulses });
  const workloadOf = (count: number): BackprojectionWorkload =>
    count === pulses ? all : createBackprojectionWorkload(ring, { pulses: count });
  /** Backprojections per second, by partitioning. */
  const speeds = new Map<string, number>();
  let polynomial: Float32Array | undefined;

  /** Number of pulses for which an image of `side`² pixels takes `within` seconds. All pulses if `full` is set. */
  function affordable(side: number, within: number, scheme: string): number {
    const speed = speeds.get(scheme) ?? Number.POSITIVE_INFINITY;
    return full ? pulses : Math.min(pulses, Math.max(fewestPulses, Math.floor((speed * within) / side ** 2)));
  }

  async function kernelOf({ side, options: own, units, section }: KernelJob, workload = all): Promise<KernelTime> {
    const options: BackprojectorOptions = { interpolation: publishedInterpolation, ...own };
    const grid = squareGrid(side);
    const scheme = options.scheme === "unpartitioned" ? options.scheme : "";
    const { shape } = prepareBackprojection(device, workload.source("profiles"), grid, options);
    // A block is run about four times.
    const pulsesPerBlock = Math.min(
      section === "sets" ? mostSets : shape.pulses,
      workload.pulses,
      Math.max(options.sets ?? 1, affordable(side, seconds / 4, scheme)),
    );
    const running = { ...on, ...(units !== undefined && { units: Array.from({ length: units }, (_, u) => u) }) };
    using block = await openPulseBlock(device, workload, grid, { ...options, form: "profiles", pulsesPerBlock });
    if (block.text.includes("(kernel/host ")) throw new RadarError("limit", "it does not fit into this device's on-chip memory", {});
    const count = block.pulses;
    const starts = startsOf(workload.pulses, count, full);
    const times: BlockTime[] = [];
    const begin = performance.now();
    for (const start of starts) {
      throwIfAborted(signal, "the experiment");
      block.load(start);
      times.push(await timeBlock(block, running, times.length > 0, 250 * seconds));
      if (!full && performance.now() - begin > 1000 * seconds) break;
    }
    block.load(starts[0]);
    const image = await block.image(running);
    const serDb = patchErrorDb(
      image,
      grid,
      await runAbortable(signal, "the experiment", workload.referenceSteps(grid, [starts[0], count])),
    );
    if (options.sine === "polynomial") polynomial = image;
    const scale = workload.pulses / count / 1000;
    const projectSeconds = scale * mean(times.map(({ project }) => project));
    const sumSeconds = scale * mean(times.map(({ sum }) => sum));
    const { partition } = block;
    const total = projectSeconds + sumSeconds;
    const gigaprojections = (side ** 2 * workload.pulses) / total / 1e9;
    // The shapes of the other sections are not typical, so their speeds are not used.
    if (section === "sizes" || scheme !== "") speeds.set(scheme, 1e9 * gigaprojections);
    return {
      seconds: total,
      timedPulses: Math.min(times.length * count, workload.pulses),
      clock: block.clock,
      gigaprojections,
      serDb,
      scheme: partition.scheme,
      tile: partition.tile,
      sets: Math.min(partition.sets, count),
      sine: shape.sine,
      projectSeconds,
      sumSeconds,
      trafficBytes: partition.trafficBytes,
      ...(section === "sines" && polynomial && { sineError: relativeL2(image, polynomial) }),
      text: block.text,
    };
  }

  async function wholeOf({ side, form, asynchronous, pulses: of = pulses }: WholeJob): Promise<WholeTime> {
    const grid = squareGrid(side);
    const workload = workloadOf(Math.max(1, Math.min(of, Math.round((of / pulses) * affordable(side, wholeShare * seconds, "")))));
    const { shape } = prepareBackprojection(device, workload.source(form), grid, optionsOf(form, ring.bins));
    const times: number[] = [];
    let planSeconds = 0;
    let image: Float32Array = new Float32Array();
    for (let turn = 0; turn < turns; turn++) {
      const plan = performance.now();
      using projector = await createBackprojector(device, workload.source(form), grid, optionsOf(form, ring.bins));
      await device.ready();
      const start = performance.now();
      if (turn === 0) planSeconds = (start - plan) / 1000;
      for (let first = 0; first < workload.pulses; first += shape.pulses) {
        for (const portion of workload.portions(form, first, Math.min(shape.pulses, workload.pulses - first)))
          await projector.add(portion, on);
        if (!asynchronous) await projector.finish(on);
      }
      await projector.finish(on);
      image = await projector.image();
      times.push((performance.now() - start) / 1000);
      if (times.reduce((a, b) => a + b) > seconds) break;
    }
    const serDb = patchErrorDb(
      image,
      grid,
      await runAbortable(signal, "the experiment", workload.referenceSteps(grid, [0, workload.pulses])),
    );
    // The first turn includes the warm-up, so the smallest time counts.
    const measured = Math.min(...times);
    const total = (measured * of) / workload.pulses;
    return {
      seconds: total,
      timedPulses: workload.pulses,
      clock: "host",
      gigaprojections: (side ** 2 * of) / total / 1e9,
      serDb,
      sampleBytes: of * workload.pulseBytes(form),
      planSeconds,
    };
  }

  /** Measures the speed roughly, with little work. */
  async function probe(): Promise<void> {
    for (const scheme of ["tiles", "unpartitioned"] as const) {
      const options = { scheme, pulsesPerBlock: probed };
      const job = { kind: "kernel", name: "probe", section: "sizes", side: probed, options } as const;
      await kernelOf(job, workloadOf(Math.min(probed, pulses)));
    }
  }

  await probe();
  return {
    async kernel(job) {
      const { section, side, units } = job;
      return { section, side, ...(units !== undefined && { units }), ...(await orWhy(() => kernelOf(job))) };
    },
    async whole(job) {
      const { section, side, form, asynchronous, pulses: of = pulses } = job;
      return { section, side, pulses: of, form, asynchronous, ...(await orWhy(() => wholeOf(job))) };
    },
  };
}

/** Returns the measurement, or the reason why a device can not do it: a limit, memory, or missing support. Throws any other error. */
async function orWhy<M>(measure: () => Promise<M>): Promise<{ readonly measured: M } | { readonly why: string }> {
  try {
    return { measured: await measure() };
  } catch (error) {
    return { why: whyUnable(error) };
  }
}

const optionsOf = (form: SampleForm, bins: number): BackprojectorOptions => ({
  interpolation: publishedInterpolation,
  ...(form === "history" && { bins }),
});

/** The first pulses of the blocks of `count` pulses that are timed, evenly spaced. */
function startsOf(pulses: number, count: number, full: boolean): number[] {
  const blocks = full ? Math.ceil(pulses / count) : Math.min(timedBlocks, Math.ceil(pulses / count));
  return Array.from({ length: blocks }, (_, b) => (blocks === 1 ? 0 : Math.round((b * (pulses - count)) / (blocks - 1))));
}

interface BlockTime {
  readonly project: number;
  readonly sum: number;
}

/** Times the steps of the loaded block in milliseconds. Slow steps run only once. */
async function timeBlock(block: PulseBlock, running: PulseBlockRunOptions, warm: boolean, slowMilliseconds: number): Promise<BlockTime> {
  const step = async (name: PulseBlockStep): Promise<number> => {
    if (!block.steps.includes(name)) return 0;
    // The first run may include compilation.
    if (!warm) await block.time([name], 1, running);
    const once = await block.time([name], 1, running);
    if (once > slowMilliseconds) return once;
    const runs = Math.max(1, Math.min(mostRuns, Math.round(turnMilliseconds / once)));
    for (const start = performance.now(); !warm && performance.now() - start < Math.min(warmUpMilliseconds, slowMilliseconds); )
      await block.time([name], runs, running);
    const times: number[] = [];
    for (let turn = 0; turn < turns; turn++) times.push(await block.time([name], runs, running));
    return times.sort((a, b) => a - b)[turns >> 1];
  };
  const project = await step("backproject");
  return { project, sum: await step("sum") };
}

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

function relativeL2(image: Float32Array, reference: Float32Array): number {
  let error = 0;
  let energy = 0;
  for (let i = 0; i < reference.length; i++) {
    error += (image[i] - reference[i]) ** 2;
    energy += reference[i] ** 2;
  }
  return Math.sqrt(error / energy);
}
