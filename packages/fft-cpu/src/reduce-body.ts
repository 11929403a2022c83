/**
 * Plans of reductions and histograms in WASM (`assembly/reduce.ts`), loaded with the first such op. How the elements are divided depends on the
 * array's shape only, so results do not depend on the number of units.
 */
import { dtypes, elementCount, formatOp, type Histogram, type Reduce } from "@dechirp/core";
import { onePassCost, type PlanBody } from "@dechirp/core/backend";
import { lazyModules } from "@dechirp/core/internal";
import { type AxisRun, binning, reducedAxes } from "@dechirp/core/reduce";
import type { Engine, Entry } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";
import type { Values } from "./wasm/records.ts";
import { binary } from "./wasm/reduce-binaries.ts";
import { type elementSource, histogramTask, reduceTask } from "./wasm/reduce-layouts.ts";
import { type PreparedHook, prepareHook } from "./wasm-rules.ts";

const modules = lazyModules(binary);

/** A low estimate of the speed, to recognise small work and to choose the size of the first slice. */
const bytesPerMillisecond = 4e6;
/** Work memory: pieces of elements, and sums of neighbouring columns. `assembly/reduce.ts` says how it is used. */
const workBytes = 17 * (8 * 1024 + 64) + 6 * (4 * 1024 + 64) + 512;
/** Elements of an item, if a result or the array is divided. */
const itemElements = 2 ** 16;
/** Numbers of neighbouring columns that an item reduces. */
const columnNumbers = 1024;
/** Rows after which sums in float32 are added to those in float64. Parts of columns are multiples of it. */
const settledRows = 128;
/** Results that an item of the last task combines. */
const combinedResults = 256;
/** Parts of an array that are counted separately, at most. */
const mostTables = 64;
/** Bins up to which a part has several copies of its counts, which stay in the first cache. */
const copiedBins = 2048;

const readings = { f32: "f32", c64: "f32", i8: "i8", ci8: "i8", i16: "i16", ci16: "i16", u8: "u8" } as const;

/** Plans the op. Undefined if it is in double or half precision. */
export async function reductionBody(op: Reduce | Histogram, engine: Engine): Promise<PlanBody<HostArray> | undefined> {
  const { layout, load } = op;
  if (!(layout.dtype in readings)) return undefined;
  const { heap } = engine;
  const what = formatOp(op);
  const taken: number[] = [];
  const allocate = (bytes: number, raw?: "raw"): number => {
    const address = heap.allocate(bytes, `plan of ${what}`, raw);
    taken.push(address);
    return address;
  };
  const entries: Entry[] = [];
  const dispose = (): void => {
    for (const entry of entries.splice(0)) engine.release(entry);
    for (const address of taken.splice(0)) heap.free(address);
  };
  try {
    const bytes = modules();
    const entry = await engine.load(engine.shared ? bytes.shared : bytes.plain, op.op === "reduce" ? "reduceTask" : "histogramTask");
    entries.push(entry);
    let hook: PreparedHook | undefined;
    if (load) {
      hook = await prepareHook(engine, load, allocate);
      entries.push(hook.entry);
    }
    engine.reserve(workBytes);
    const source = (ports: Ports): Source => {
      const work = engine.workMemory();
      return {
        reading: hook ? "hook" : readings[layout.dtype as keyof typeof readings],
        numbers: dtypes[layout.dtype].components,
        bytes: dtypes[layout.dtype].bytes,
        source: ports["in"]?.address ?? 0,
        second: ports["by"]?.address ?? 0,
        hook: hook?.entry.place ?? 0,
        hookArgument: hook?.argument ?? 0,
        row: layout.shape[layout.shape.length - 1],
        work: work.address,
        workPitch: work.pitch,
      };
    };
    const { tasks, temporaryBytes, text } = op.op === "reduce" ? reduceTasks(op, engine, allocate) : histogramTasks(op, engine, allocate);
    const cost = onePassCost(op);
    const uses = usesOf(op);
    const placed = tasks.map((task) => ({ ...task, argument: allocate(task.bytes) }));
    return {
      text: `(${op.op}/wasm ${text}${load ? ` load=${load.name}` : ""})`,
      cost: { ...cost, bytes: cost.bytes + 2 * temporaryBytes, passes: tasks.length },
      temporaryBytes,
      dispose,
      async run(ports, { uniforms, units, signal }) {
        const runs = placed.map(({ write, items, argument }, i) =>
          engine.run({
            what,
            uses: uses(ports),
            entry,
            argument,
            items,
            chunk: Math.ceil(items / (8 * units.length)),
            milliseconds: (i === 0 ? cost.bytes : 2 * temporaryBytes) / bytesPerMillisecond,
            units,
            signal,
            prepare() {
              if (i === 0) hook?.write(ports, uniforms);
              write(argument, source(ports), ports, uniforms);
            },
          }),
        );
        // Wait for all runs, so that none is left if one fails.
        await Promise.allSettled(runs);
        await Promise.all(runs);
      },
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

type Ports = Readonly<Record<string, HostArray>>;
type Source = Values<typeof elementSource.fields>;

/** A task with its items. The first reads the array; a last one combines what the items of the first have made. */
interface Task {
  readonly items: number;
  /** Bytes of its record. */
  readonly bytes: number;
  /** Writes its record. */
  write(argument: number, source: Source, ports: Ports, uniforms: Readonly<Record<string, number>>): void;
}

interface Tasks {
  readonly tasks: readonly Task[];
  readonly temporaryBytes: number;
  readonly text: string;
}

type Allocate = (bytes: number, raw?: "raw") => number;

const whats = { sum: "sum", "sum of squares": "squares", product: "product", max: "max", argmax: "argmax" } as const;

function reduceTasks(op: Reduce, { heap }: Engine, allocate: Allocate): Tasks {
  const { kept, reduced, outputs, count, rows } = reducedAxes(op);
  const numbers = dtypes[op.layout.dtype].components;
  const run = (rows ? reduced : kept).at(-1)?.extent ?? 1;
  const across = rows ? Math.max(1, Math.floor(itemElements / numbers / count)) : columnNumbers / numbers;
  const most = rows
    ? itemElements / numbers
    : settledRows * Math.ceil((4 * itemElements) / (Math.min(across, run) * numbers) / settledRows);
  const chunks = Math.ceil(count / most);
  const temporaryBytes = chunks > 1 ? 16 * chunks * outputs : 0;
  const partial = chunks > 1 ? allocate(temporaryBytes, "raw") : 0;
  const place = (runs: readonly AxisRun[]): number => {
    const address = allocate(Math.max(8, 8 * runs.length));
    new Uint32Array(heap.memory.buffer, address, 2 * runs.length).set(runs.flatMap(({ extent, stride }) => [extent, stride]));
    return address;
  };
  const shared = {
    what: whats[op.what],
    conjugate: op.conjugate ? 1 : 0,
    rows: rows ? 1 : 0,
    outputs,
    count,
    kept: place(kept),
    keptAxes: kept.length,
    reduced: place(reduced),
    reducedAxes: reduced.length,
    run,
    length: most,
    chunks,
    partial,
  };
  const task = (items: number, across: number, last: number): Task => ({
    items,
    bytes: reduceTask.bytes,
    write: (argument, source, ports) =>
      reduceTask.write(heap.memory, argument, { ...source, ...shared, across, target: ports["out"].address, last }),
  });
  const groups = rows ? Math.ceil(outputs / across) : (outputs / run) * Math.ceil(run / across);
  const first = task(groups * chunks, across, 0);
  const last = task(Math.ceil(outputs / combinedResults), combinedResults, 1);
  return {
    tasks: chunks > 1 ? [first, last] : [first],
    temporaryBytes,
    text: `${op.what} ${rows ? "rows" : "columns"} of ${count}${chunks > 1 ? `, ${chunks} parts` : ""}`,
  };
}

function histogramTasks(op: Histogram, { heap }: Engine, allocate: Allocate): Tasks {
  const { bins, layout } = op;
  const total = elementCount(layout);
  const length = Math.max(itemElements, Math.ceil(total / mostTables));
  const items = Math.ceil(total / length);
  const copies = bins <= copiedBins ? 4 : 1;
  const temporaryBytes = 4 * bins * copies * items;
  const shared = { bins, total, length, items, tables: allocate(temporaryBytes, "raw"), copies };
  const task = (last: number): Task => ({
    items: last ? Math.ceil(bins / 1024) : items,
    bytes: histogramTask.bytes,
    write(argument, source, ports, uniforms) {
      const { low, scale } = binning(op, op.low ?? uniforms["low"], op.high ?? uniforms["high"]);
      histogramTask.write(heap.memory, argument, { ...source, ...shared, low, scale, target: ports["out"].address, last });
    },
  });
  return { tasks: [task(0), task(1)], temporaryBytes, text: `${bins} bins` };
}
