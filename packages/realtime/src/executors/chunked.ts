/**
 * Splits a transform of many lines into several runs of fewer lines, for executors that let other tasks run between runs. A run binds
 * whole arrays, so every chunk has arrays of its own; the caller's data is copied into and out of them.
 */
import {
  type Buffer,
  type Device,
  dtypes,
  type Fft,
  inputError,
  type Layout,
  type Plan,
  RadarError,
  resultLayout,
  scalarCount,
  type TypedArrayOf,
  typedArray,
  validateOp,
  withAxis,
} from "@dechirp/core";
import type { PlannedRun } from "./executor.ts";

/** A transform that was split into runs, with its arrays. */
export interface ChunkedTransform extends Disposable {
  /** The `runs` of a task. */
  readonly runs: readonly PlannedRun[];
  /** Queues copies of the transform's whole input, in the layout of `op`, into the chunks. Throws `layout`. */
  write(data: TypedArrayOf): void;
  /** Reads the whole result, in the result layout of `op`. */
  read(): Promise<TypedArrayOf>;
}

/** Options of `planChunkedTransform`. */
export interface ChunkOptions {
  /** The largest number of indices of axis 0 in a run. */
  readonly rows: number;
  /** Whether a chunk's input and output are the same array. Default: false. */
  readonly inPlace?: boolean;
}

const mostChunks = 4096;

/**
 * Plans `op` in chunks along axis 0, which must not be the transformed axis. There are at most 4096 chunks. The result owns their arrays
 * and one or two plans. Throws `input` for a bad `rows` or axis, `unsupported` for hooks, and as `device.plan` and `device.alloc` do.
 */
export async function planChunkedTransform(device: Device, op: Fft, { rows, inPlace = false }: ChunkOptions): Promise<ChunkedTransform> {
  validateOp(op);
  const total = op.layout.shape[0];
  const fewest = Math.ceil(total / mostChunks);
  if (!Number.isInteger(rows) || rows < fewest) throw inputError("rows", `an integer of at least ${fewest}`, rows);
  if (op.axis === 0) throw inputError("op.axis", "an axis other than 0, which is split into chunks", op.axis);
  if (op.load || op.store || op.cornerTurn)
    throw new RadarError("unsupported", "a transform with hooks or a corner turn can not be split into chunks", { field: "op" });
  const plans = new Map<number, Plan>();
  const chunks: { readonly first: number; readonly run: PlannedRun; readonly in: Buffer; readonly out: Buffer }[] = [];
  const dispose = (): void => {
    for (const plan of plans.values()) plan[Symbol.dispose]();
    for (const chunk of chunks) for (const array of [chunk.in, chunk.out]) array[Symbol.dispose]();
  };
  try {
    for (let first = 0; first < total; first += rows) {
      const size = Math.min(rows, total - first);
      const part: Fft = { ...op, layout: withAxis(op.layout, 0, size) };
      let plan = plans.get(size);
      if (!plan) {
        plan = await device.plan(part, { inPlace });
        plans.set(size, plan);
      }
      const input = device.alloc(part.layout, `chunk from row ${first}`);
      const out = inPlace ? input : device.alloc(resultLayout(part), `chunk from row ${first}, transformed`);
      chunks.push({ first, run: { plan, bindings: { in: input, out } }, in: input, out });
    }
  } catch (error) {
    dispose();
    throw error;
  }
  const rowOf = (layout: Layout): number => scalarCount(layout) / layout.shape[0];
  const result = resultLayout(op);
  return {
    runs: chunks.map(({ run }) => run),
    write(data) {
      const expected = dtypes[op.layout.dtype].array;
      if (!(data instanceof expected) || data.length !== scalarCount(op.layout))
        throw new RadarError("layout", `data must be a ${expected.name} of ${scalarCount(op.layout)} numbers`, { field: "data" });
      const row = rowOf(op.layout);
      for (const { first, in: array } of chunks)
        array.write(data.subarray(first * row, (first + array.layout.shape[0]) * row) as TypedArrayOf);
    },
    async read() {
      const data = typedArray(result.dtype, scalarCount(result));
      const row = rowOf(result);
      await Promise.all(chunks.map(async ({ first, out }) => data.set((await out.read()) as never, first * row)));
      return data;
    },
    [Symbol.dispose]: dispose,
  };
}
