/**
 * Transforms as tasks of a device: the workload of "Concurrent FFT execution on GPUs in real time", section IV-A. They are planned, bound,
 * filled with radio signals, and their outputs are checked against float64. Independent of executors. An output is correct if its error
 * (root mean square, relative to that of the spectrum) is at most 2⁻²³·√log₂n, which float32 rounding explains.
 */
import { type Buffer, type Device, type Fft, inputError, layout, type Plan, type RealFft } from "@dechirp/core";
import { nextTurn, runAbortable } from "@dechirp/core/internal";
import type { ExecutableTask } from "../executors/executor.ts";
import { radioSignalSteps } from "../signals.ts";

/** Tasks with equal work share this many different inputs, so that an output in the wrong task's array is detected. */
export const inputsOfKind = 3;

/** The work of a task, and the seed of its input. */
export interface TransformTaskOptions {
  /** Number of real float32 samples of a job. */
  readonly samples: number;
  /** The number of points of complex lines that are transformed in place. Default: one real transform of all samples. */
  readonly line?: number;
  /** Seed of the input, 0 to 2³² − 1. Default: 1. */
  readonly seed?: number;
  /** Checked between the steps of making the input and its spectrum, which take seconds for millions of samples. */
  readonly signal?: AbortSignal;
}

/** A transform as a task of an executor, with its input, output and expected output. */
export interface TransformTask extends Disposable {
  /** The task for an executor. */
  readonly task: ExecutableTask;
  /** Number of real float32 samples of a job. */
  readonly samples: number;
  /** The text of the plan. */
  readonly text: string;
  /** Whether the transform is in place, so that an output is the next job's input. */
  readonly inPlace: boolean;
  /** Writes the input. Also fills the output with NaN if it is another array. */
  fill(): void;
  /** Whether the output is the transform of the input. Since `fill`, exactly one job must have run if it is in place, else at least one. */
  isCorrect(): Promise<boolean>;
}

/** Creates transforms as tasks. Tasks with equal work and seed share their input and its spectrum. */
export interface Transforms {
  /** Plans a task and allocates its buffers. Throws `input` that names the field, `aborted`, and as `alloc` and `plan` do. */
  create(device: Device, id: string, options: TransformTaskOptions): Promise<TransformTask>;
}

/** The name of the activity in the error `aborted`. */
const making = "making inputs";

/** An input and its float64 spectrum. They are computed once and shared. */
interface Known {
  readonly input: Float32Array;
  readonly spectrum: Float64Array;
}

/**
 * Creates tasks whose outputs are compared with the float64 results of `reference`, a device that has float64, such as the CPU's. The
 * caller keeps ownership of `reference`, which must stay open while tasks are created.
 */
export function createTransforms(reference: Device): Transforms {
  const known = new Map<string, Promise<Known>>();
  return {
    async create(device, id, { samples, line, seed = 1, signal }) {
      const op = transformOf(samples, line);
      const key = `${samples} ${line ?? 0} ${seed}`;
      const data = known.get(key) ?? makeKnown(reference, op, samples, seed, signal);
      known.set(key, data);
      data.catch(() => known.delete(key));
      return createTask(device, id, op, await data);
    },
  };
}

/** One real line of `samples`, or complex lines of `line` points with the same number of scalars. */
function transformOf(samples: number, line: number | undefined): Fft | RealFft {
  if (!(Number.isInteger(samples) && samples >= 2 && samples <= 2 ** 26)) throw inputError("samples", "an integer from 2 to 2^26", samples);
  if (line === undefined) return { op: "real-fft", layout: layout("f32", [samples]), axis: 0, inverse: false };
  if (!(Number.isInteger(line) && line >= 1 && samples % (2 * line) === 0))
    throw inputError("line", "an integer such that 2 · line divides the samples", line);
  return { op: "fft", layout: layout("c64", [samples / (2 * line), line]), axis: 1, inverse: false };
}

async function makeKnown(reference: Device, op: Fft | RealFft, samples: number, seed: number, signal?: AbortSignal): Promise<Known> {
  const { data: input } = await runAbortable(signal, making, radioSignalSteps({ samples, seed }));
  const exact = op.op === "fft" ? { ...op, layout: layout("c128", op.layout.shape) } : { ...op, layout: layout("f64", op.layout.shape) };
  using plan = await reference.plan(exact);
  await nextTurn(signal, making);
  using from = reference.alloc(exact.layout);
  using to = reference.alloc(op.op === "fft" ? exact.layout : layout("c128", [Math.floor(samples / 2) + 1]));
  (from as Buffer<"f64">).write(Float64Array.from(input));
  plan.run({ in: from, out: to });
  const spectrum = (await to.read()) as Float64Array;
  await nextTurn(signal, making);
  return { input, spectrum };
}

async function createTask(device: Device, id: string, op: Fft | RealFft, { input, spectrum }: Known): Promise<TransformTask> {
  const inPlace = op.op === "fft";
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const dispose = (): void => {
    for (const one of held.splice(0).reverse()) one[Symbol.dispose]();
  };
  try {
    const plan: Plan = keep(await device.plan(op, { inPlace }));
    const from = keep(device.alloc(op.layout as typeof op.layout & { dtype: "f32" | "c64" }, `${id} in`)) as Buffer<"f32">;
    const to = inPlace ? from : keep(device.alloc(layout("c64", [spectrum.length / 2]), `${id} out`));
    const length = inPlace ? op.layout.shape[1] : input.length;
    return {
      task: { id, runs: [{ plan, bindings: { in: from, out: to } }] },
      samples: input.length,
      text: plan.text,
      inPlace,
      fill() {
        from.write(input);
        if (!inPlace) to.write(new Float32Array(spectrum.length).fill(Number.NaN));
      },
      async isCorrect() {
        const error = relativeError((await to.read()) as Float32Array, spectrum);
        return (await runAbortable(undefined, "checking outputs", error)) <= 2 ** -23 * Math.sqrt(Math.log2(length));
      },
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** Root mean square of the difference divided by that of `expected`. NaN if `got` contains NaN. */
function* relativeError(got: Float32Array, expected: Float64Array): Generator<void, number> {
  let difference = 0;
  let power = 0;
  for (let i = 0; i < expected.length; ) {
    for (const end = Math.min(i + 2 ** 18, expected.length); i < end; i++) {
      difference += (got[i] - expected[i]) ** 2;
      power += expected[i] ** 2;
    }
    yield;
  }
  return Math.sqrt(difference / power);
}
