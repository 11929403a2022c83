/**
 * A transform of many lines as several runs of fewer, for executors that take turns between runs. A run binds whole arrays, so every
 * chunk has arrays of its own, and what belongs to the caller's one array is copied into them and out of them.
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

/** A transform divided into runs that each take a few lines, with the arrays that it reads and writes. */
export interface ChunkedTransform extends Disposable {
  /** A task's `runs`. */
  readonly runs: readonly PlannedRun[];
  /** Queues copies of all that `op` reads, in the layout of `op`. Throws `layout`. */
  write(data: TypedArrayOf): void;
  /** All that it wrote, in the op's result layout. */
  read(): Promise<TypedArrayOf>;
}

/** How a transform is divided. */
export interface ChunkOptions {
  /** Indices of axis 0 that a run has at most. */
  readonly rows: number;
  /** Whether a chunk's input and output are one array. False where left out. */
  readonly inPlace?: boolean;
}

const mostChunks = 4096;

/**
 * Plans `op`, split along axis 0, which must not be the transformed one. At most 4096 chunks; it owns their arrays and its plans, one
 * or two. Throws `input` for `rows` and for the axis, `unsupported` for hooks, and as `device.plan` and `device.alloc` do.
 */
export async function planChunkedTransform(device: Device, op: Fft, { rows, inPlace = false }: ChunkOptions): Promise<ChunkedTransform> {
  validateOp(op);
  const total = op.layout.shape[0];
  const fewest = Math.ceil(total / mostChunks);
  if (!Number.isInteger(rows) || rows < fewest) throw inputError("rows", `an integer of at least ${fewest}`, rows);
  if (op.axis === 0) throw inputError("op.axis", "one that is not split: not 0", op.axis);
  if (op.load || op.store || op.cornerTurn)
    throw new RadarError("unsupported", "hooks and turned results can not be split", { field: "op" });
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
