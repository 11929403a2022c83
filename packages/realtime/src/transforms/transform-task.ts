/**
 * Transforms as tasks of a device: the workload of "Concurrent FFT execution on GPUs in real time", section IV-A, planned, bound and
 * filled with radio signals; and whether what came out is what float64 gives. Knows nothing of executors. A spectrum counts as right
 * where its error, root mean square over that of the spectrum, stays below 2⁻²³·√log₂n, as rounding of float32 makes it.
 */
import { type Buffer, type Device, type Fft, inputError, layout, type Plan, type RealFft } from "@dechirp/core";
import { nextTurn, runAbortable } from "@dechirp/core/internal";
import type { ExecutableTask } from "../executors/executor.ts";
import { radioSignalSteps } from "../signals.ts";

/** Inputs that tasks with equal work have between them: an output in the place of another's does not go unnoticed. */
export const inputsOfKind = 3;

/** The work of a task, and the seed of its input. */
export interface TransformTaskOptions {
  /** Real float32 samples of a job. */
  readonly samples: number;
  /** Where given: complex lines of so many points, in place, in place of one real transform. */
  readonly line?: number;
  /** What the input is drawn from, 0 to 2³² − 1; 1 where left out. */
  readonly seed?: number;
  /** Heeded between the steps of making what is known: of millions of samples, each takes seconds. */
  readonly signal?: AbortSignal;
}

/** A transform on a device as a task of an executor, with its input, its output and what that should be. */
export interface TransformTask extends Disposable {
  readonly task: ExecutableTask;
  readonly samples: number;
  /** What runs. */
  readonly text: string;
  /** Whether an output is the next job's input. */
  readonly inPlace: boolean;
  /** Writes the input, and spoils an output that lies elsewhere. */
  fill(): void;
  /** Whether the output is the transform of the input; one job must have run since `fill`, or, where it is not in place, any number. */
  right(): Promise<boolean>;
}

/** What makes transforms as tasks; tasks with the same work and seed share their input and its spectrum. */
export interface Transforms {
  /** Plans a task and makes its buffers. Throws `input` naming the field, `aborted`, and as `alloc` and `plan` do. */
  create(device: Device, id: string, options: TransformTaskOptions): Promise<TransformTask>;
}

/** What a signal ends. */
const making = "making inputs";

/** Input and spectrum in float64, by what they are made of: made once. */
interface Known {
  readonly input: Float32Array;
  readonly spectrum: Float64Array;
}

/**
 * Transforms whose outputs are held against what `reference` makes of the same input in float64: a device that has float64, such as the
 * processor's. It stays the caller's, and must stay open while tasks are created.
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

/** One real line of `samples`, or complex lines of `line` points that hold as many numbers. */
function transformOf(samples: number, line: number | undefined): Fft | RealFft {
  if (!(Number.isInteger(samples) && samples >= 2 && samples <= 2 ** 26)) throw inputError("samples", "an integer from 2 to 2^26", samples);
  if (line === undefined) return { op: "real-fft", layout: layout("f32", [samples]), axis: 0, inverse: false };
  if (!(Number.isInteger(line) && line >= 1 && samples % (2 * line) === 0))
    throw inputError("line", "an integer whose double divides the samples", line);
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
      async right() {
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

/** Root mean square of the difference over that of `expected`; NaN where `got` has one. */
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
