/**
 * What is timed in turns on a device: a copy, the device's own transform, every variant that the device was opened with, and a peer. Each
 * says how long a number of runs takes and how large the error of the timed output is.
 */
import { type Buffer, type Device, fft, kernel, layout, type RadarError } from "@dechirp/core";
import { timeRuns } from "../timing.ts";
import { whyUnable } from "../why-unable.ts";
import type { FftPeer } from "./fftw.ts";
import { bytesOf, type Job } from "./jobs.ts";
import { type FftRow, type GroupLimits, ownChoice } from "./report.ts";
import type { Workload } from "./workload.ts";

/** Something that is timed. */
export interface Contender extends Disposable {
  readonly name: string;
  readonly kind: FftRow["kind"] | "copy";
  /** Milliseconds of one run, the mean over `runs` of them in one submission. */
  time(runs: number): Promise<{ readonly milliseconds: number; readonly clock: "device" | "host" }>;
  /** Relative L2 error of what `time` wrote. Runs once more. */
  error(): Promise<number>;
  /** The largest error that is right. */
  readonly allowed: number;
  readonly text: string;
  readonly passes?: number;
}

/** The arrays of a job. */
export interface Arrays {
  readonly in: Buffer;
  readonly out: Buffer;
  readonly workload: Workload;
}

/** Variants with their accuracy, such as `variants` of `@dechirp/fft-gpu/lab`. */
export type Accuracies = Readonly<Record<string, { error(n: number): number }>>;

/** 0.4·ε·√log₂n, the error of single precision with rounded twiddle factors; a few lines may have twice as much. */
const allowedOf = (n: number, error = 0.4 * 2 ** -23 * Math.sqrt(Math.log2(n))): number => 2 * error;

/** The device's copy of the job's bytes, and the limits of its workgroups if it has any. */
export async function openCopy(device: Device, job: Job, { in: from, out }: Arrays) {
  let groups: GroupLimits | undefined;
  const noteLimits = (limits: GroupLimits): void => {
    groups = limits;
  };
  const elements = job.n * job.batch;
  const shape = layout("c64", [job.batch, job.n]);
  const op = device.id === "cpu" ? undefined : copyKernel(shape, elements, noteLimits);
  const own = op === undefined ? cpuCopy(device, elements) : [from, out];
  const dispose = (): void => {
    if (op === undefined) for (const buffer of own) buffer[Symbol.dispose]();
  };
  try {
    const plan = await device.plan(op ?? { op: "convert", layout: own[0].layout, to: "f32" });
    const contender: Contender = {
      name: "copy",
      kind: "copy",
      allowed: 0,
      text: plan.text,
      time: (runs) => timeRuns(device, plan, { in: own[0], out: own[1] }, runs),
      error: async () => 0,
      [Symbol.dispose]() {
        plan[Symbol.dispose]();
        dispose();
      },
    };
    return { contender, groups };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Arrays f32 of as many bytes, because the processor copies complex numbers by reference. */
function cpuCopy(device: Device, elements: number): readonly [Buffer, Buffer] {
  const from = device.alloc(layout("f32", [2 * elements]), "copied");
  try {
    const to = device.alloc(layout("f32", [2 * elements]), "copy");
    from.write(new Float32Array(2 * elements).fill(1));
    return [from, to];
  } catch (error) {
    from[Symbol.dispose]();
    throw error;
  }
}

const copyKernel = (shape: ReturnType<typeof layout<"c64">>, elements: number, note: (limits: GroupLimits) => void) =>
  kernel({
    name: "copy",
    ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
    items: elements,
    wgsl(_constants, limits, toolkit) {
      const { workgroupBytes, invocations, subgroups } = limits;
      note({ workgroupBytes, invocations, ...(subgroups && { subgroups }) });
      return toolkit.items("store_out(item, load_in(item));");
    },
    reference({ in: x, out }, _uniforms, start, end) {
      for (let i = start; i < end; i++) out.set(i, x.re(i), x.im(i));
    },
  });

/** A transform by the device's own choice or by a variant, or the reason why the device can't do it. */
async function openTransform(
  device: Device,
  { n, batch }: Job,
  arrays: Arrays,
  name: string,
  how: { readonly variant?: string; readonly units?: readonly number[]; readonly allowed?: number },
): Promise<Contender | string> {
  const { variant, units, allowed } = how;
  try {
    const plan = await device.plan(fft(layout("c64", [batch, n]), { axis: 1 }), variant === undefined ? {} : { variant });
    const buffers = { in: arrays.in, out: arrays.out };
    return {
      name,
      kind: "own",
      allowed: allowedOf(n, allowed),
      text: plan.text,
      passes: plan.cost.passes,
      time: (runs) => timeRuns(device, plan, buffers, runs, units),
      async error() {
        arrays.workload.poison(arrays.out);
        await timeRuns(device, plan, buffers, 1, units);
        return arrays.workload.error(arrays.out);
      },
      [Symbol.dispose]: () => plan[Symbol.dispose](),
    };
  } catch (error) {
    return whyNot(error);
  }
}

/** The reason why a device can't do something: a limit, memory, missing support, or code that it can't compile. Throws any other error. */
export function whyNot(error: unknown): string {
  const message = whyUnable(error, ["compile"]);
  const { fields } = error as RadarError;
  return fields["field"] === "variant" && typeof fields["needs"] === "string" ? `needs ${fields["needs"]}` : message;
}

/** Opens the transforms of a job one after the other: name and contender, or the reason why there is none. */
export async function* openTransforms(
  device: Device,
  job: Job,
  arrays: Arrays,
  variants: Accuracies,
): AsyncGenerator<readonly [name: string, contender: Contender | string]> {
  yield [ownChoice, await openTransform(device, job, arrays, ownChoice, {})];
  if (device.id === "cpu") {
    if (device.units > 1) yield [oneUnit, await openTransform(device, job, arrays, oneUnit, { units: [0] })];
    return;
  }
  for (const [variant, { error }] of Object.entries(variants))
    yield [variant, await openTransform(device, job, arrays, variant, { variant, allowed: error(job.n) })];
}

/** The name of the rows of the processor's own choice on one of its cores. */
export const oneUnit = "planner's choice, one unit";

/** A peer in another process as a contender. */
export function openPeer(peer: FftPeer, { n, batch }: Job): Contender {
  let error = Number.NaN;
  return {
    name: peer.name,
    kind: "peer",
    allowed: allowedOf(n),
    text: peer.description,
    async time(runs) {
      const answer = await peer.time(n, batch, runs);
      error = answer.error;
      return { milliseconds: answer.milliseconds, clock: "host" };
    },
    error: async () => error,
    [Symbol.dispose]: () => {},
  };
}

/** Bytes that a transform of a job must at least read and write, as the copy does. */
export const trafficOf = (job: Job): number => 2 * bytesOf(job);
