/**
 * The rules in WASM: c64 and f32 transforms of any size along any axis, fused with filters and with hooks that have a WASM form, and
 * kernels that have one. They use all units that a run is given.
 */
import {
  type Constants,
  dtypes,
  formatOp,
  isRadarError,
  isTransform,
  type Kernel,
  type Load,
  type Op,
  RadarError,
  runInPieces,
  type Store,
  type TransformOp,
  transformLength,
  type Uniforms,
  type UniformTypes,
  type WasmFunction,
} from "@dechirp/core";
import {
  axisView,
  filterHookOf,
  hooksText,
  keptLayout,
  onePassCost,
  type PlanBody,
  type Rule,
  type RuleContext,
} from "@dechirp/core/backend";
import { type Engine, type Entry, wokenUnits } from "./engine.ts";
import { type HostArray, usesOf } from "./memory.ts";
import { type Kind, type LinesPlan, planLines } from "./wasm/kernels.ts";
import { linesTask } from "./wasm/layouts.ts";
import { leastColumns } from "./wasm/program.ts";

/** The rules in WASM for transforms and kernels. */
export function wasmRules(engine: Engine): readonly Rule<HostArray>[] {
  return [
    {
      name: "wasm lines",
      fused: false,
      try: (op, context) => (isBare(op) && fits(op, context.options.inPlace) ? transformBody(op, engine, context) : undefined),
    },
    {
      name: "wasm lines, fused",
      fused: true,
      try: (op, context) => (isTransform(op) && fits(op, context.options.inPlace) ? transformBody(op, engine, context) : undefined),
    },
    {
      name: "wasm kernel",
      fused: false,
      try: (op) => (op.op === "kernel" && op.wasm && op.items < 2 ** 32 ? kernelBody(op, op.wasm, engine) : undefined),
    },
  ];
}

/** Whether the op is `fft` or `real-fft` without hooks. */
export const isBare = (op: Op): op is TransformOp => (op.op === "fft" || op.op === "real-fft") && !op.load && !op.store;

/**
 * Whether the WASM kernels can do the op: single precision, hooks with a WASM form, no hooks on real transforms, and a corner turn only
 * if `turns` allows it.
 */
function fits(op: TransformOp, inPlace: boolean): boolean {
  if (op.cornerTurn && (inPlace || !turns(op))) return false;
  if (op.layout.dtype !== "c64" && op.layout.dtype !== "f32") return false;
  if (op.op === "real-fft") return !op.load && !op.store;
  return [op.load, filterHookOf(op), op.store].every((hook) => !hook || hook.wasm !== undefined);
}

/**
 * Whether the kernels can do the corner turn while they write the results: for complex lines along one of the last two axes, with
 * elements of at most eight bytes.
 */
const turns = (op: TransformOp): boolean =>
  op.op !== "real-fft" && op.axis >= op.layout.shape.length - 2 && !(op.store && dtypes[op.store.dtype].bytes > 8);

/** Low estimates of the speed, to recognise small work and to choose the size of the first slice. */
export const flopsPerMillisecond = 5e6;
const bytesPerMillisecond = 1e6;
/** Largest estimated time of one call of a kernel. A call can't be aborted, and the units wait for the last call. */
const callMilliseconds = 8;

function kindOf(op: TransformOp): Kind {
  if (op.op === "fft") return op.inverse ? "inverse-fft" : "fft";
  if (op.op === "real-fft") return op.inverse ? "inverse-real-fft" : "real-fft";
  return op.op === "spectral-filter" ? "filter" : "filter-inverse";
}

/** Number of chunks into which the lines of a unit are divided at least, so that units that begin later have less to do. */
const chunksOfUnit = 8;

/** What a tile costs besides its columns, in columns: narrow tiles are read more slowly. */
const tileCost = 6;

/** The number of columns of a tile, `widest` at most, with which `units` are done first with `count` columns of each of `arrays`. */
export function tileWidth(widest: number, count: number, arrays: number, units: number): number {
  let best = { width: Math.min(widest, count), cost: Number.POSITIVE_INFINITY };
  for (let width = best.width; width >= 1; width = leastColumns * (Math.ceil(width / leastColumns) - 1)) {
    const cost = Math.ceil((arrays * Math.ceil(count / width)) / units) * (width + tileCost);
    if (cost < best.cost) best = { width, cost };
  }
  return best.width;
}

/** Plans a transform in WASM. */
export async function transformBody(op: TransformOp, engine: Engine, { pause }: Pick<RuleContext, "pause">): Promise<PlanBody<HostArray>> {
  const { heap } = engine;
  const n = transformLength(op);
  const { outers, extent, inners } = axisView(op.layout, op.axis);
  const result = keptLayout(op);
  const kept = result.shape[op.axis];
  // Hooks work on runs within a row of the last axis. If the array has one column, a run is one element.
  const columns = inners > 1 || (op.axis < op.layout.shape.length - 1 && (op.load ?? filterHookOf(op) ?? op.store) !== undefined);
  const adjacent = op.cornerTurn && op.axis === op.layout.shape.length - 1 ? op.layout.shape[op.axis - 1] : inners;
  // One line has the same order with and without the corner turn.
  const way = columns ? (op.cornerTurn ? "corner-turned columns" : "columns") : adjacent > 1 ? "corner-turned rows" : "rows";
  const taken: number[] = [];
  const allocate = (bytes: number): number => {
    const address = heap.allocate(bytes, `plan of ${formatOp(op)}`);
    taken.push(address);
    return address;
  };
  let plan: LinesPlan | undefined;
  const hooks: PreparedHook[] = [];
  const prepared = async (hook: Load | Store): Promise<PreparedHook> => {
    const made = await prepareHook(engine, hook, allocate);
    hooks.push(made);
    return made;
  };
  const dispose = (): void => {
    plan?.free();
    for (const { entry } of hooks.splice(0)) engine.release(entry);
    for (const address of taken.splice(0)) heap.free(address);
  };
  try {
    const load = op.load ? await prepared(op.load) : undefined;
    const hook = filterHookOf(op);
    const filter = hook && (await prepared(hook));
    const store = op.store ? await prepared(op.store) : undefined;
    plan = planLines({ kind: kindOf(op), n, inputLength: extent, ...(op.keep && { keep: op.keep }) }, heap.memory, {
      allocate: (bytes) => heap.allocate(bytes, `tables of ${formatOp(op)}`, "raw"),
      free: heap.free,
    });
    const elementIn = dtypes[op.layout.dtype].bytes;
    const elementOut = dtypes[op.store?.dtype ?? result.dtype].bytes;
    const cost = onePassCost(op);
    const milliseconds = cost.flops / flopsPerMillisecond;
    const arrays = (outers * inners) / adjacent;
    const width = tileWidth(plan.tileColumns, adjacent, arrays, wokenUnits(milliseconds, engine.units));
    // The lines of hooks come after the kernels' own work memory, with 64 bytes in between so that neighbours fall into different cache
    // sets.
    const own = Math.ceil((columns ? plan.columnsWorkBytes : plan.rowsWorkBytes) / 64) * 64 + 1088;
    const pitchOf = (elements: number): number => Math.ceil((8 * elements) / 64) * 64 + 64;
    const bytesOf = (elements: number): number => (columns ? 8 * elements * width : 4 * pitchOf(elements));
    const filters = own + (load ? bytesOf(extent) + 64 : 0);
    const results = filters + (filter ? bytesOf(n) + 64 : 0);
    const tile = results + (store ? bytesOf(kept) + 64 : 0);
    engine.reserve(
      tile +
        (way === "corner-turned rows" ? pitchOf(kept) * width : way === "corner-turned columns" && store ? elementOut * width * kept : 0),
    );
    const argument = allocate(linesTask.bytes);
    // All memory has been allocated at this point, so no later step can run out of it.
    await runInPieces(plan.tables(), pause);
    const tiles = Math.ceil(adjacent / width);
    const items = arrays * tiles;
    const text = `(${op.op}/wasm ${plan.text} lines=${outers * inners}${way === "rows" ? "" : ` ${way}`}${hooksText(op)})`;
    const { address: planAddress, rowsTogether } = plan;
    const what = formatOp(op);
    const uses = usesOf(op);
    return {
      text,
      cost,
      ...(plan.convolved && { convolved: true }),
      dispose,
      run(ports, { uniforms, units, signal }) {
        const h = ports["h"];
        const filterLine = "h" in op && op.h === "line";
        const prepare = (): void => {
          const work = engine.workMemory();
          load?.write(ports, uniforms);
          filter?.write(ports, uniforms);
          store?.write(ports, uniforms);
          linesTask.write(heap.memory, argument, {
            way,
            plan: planAddress,
            source: load ? 0 : ports["in"].address,
            sourcePitch: load ? 0 : elementIn * (columns ? inners : extent),
            target: ports["out"].address,
            targetPitch: elementOut * (way === "rows" || way === "corner-turned columns" ? kept : adjacent),
            filter: h?.address ?? 0,
            filterPitch: !h || filterLine ? 0 : 8 * (columns ? inners : n),
            work: work.address,
            workPitch: work.pitch,
            sourceOuter: load ? 0 : elementIn * extent * inners,
            targetOuter: elementOut * kept * adjacent,
            filterOuter: 8 * n * inners,
            adjacent,
            tileLines: width,
            tiles,
            row: op.layout.shape[op.layout.shape.length - 1],
            loadHook: load?.entry.place ?? 0,
            loadArgument: load?.argument ?? 0,
            loaded: own,
            loadedPitch: pitchOf(extent),
            filterHook: filter?.entry.place ?? 0,
            filterArgument: filter?.argument ?? 0,
            filters,
            filtersPitch: pitchOf(n),
            storeHook: store?.entry.place ?? 0,
            storeArgument: store?.argument ?? 0,
            results,
            resultsPitch: pitchOf(kept),
            loadedCount: extent,
            storedCount: kept,
            elementIn,
            elementOut,
            tile,
            tilePitch: columns ? elementOut * width : pitchOf(kept),
          });
        };
        const chunk = way !== "rows" ? 1 : rowsTogether * Math.ceil(items / (chunksOfUnit * rowsTogether * units.length));
        return engine.run({
          what,
          uses: uses(ports),
          entry: engine.kernel("linesTask"),
          prepare,
          argument,
          items,
          chunk,
          milliseconds,
          units,
          signal,
        });
      },
    };
  } catch (error) {
    dispose();
    throw limitOfLength(error, n);
  }
}

/** Adds the transform length to a `limit` error of the tables or the work memory of a plan, as the field that caused it. */
export const limitOfLength = (error: unknown, n: number): unknown =>
  isRadarError(error, "limit") && error.fields["field"] === undefined
    ? new RadarError("limit", error.message, { ...error.fields, field: "n", actual: n }, error)
    : error;

/** A loaded WASM function and its argument in memory. */
export interface PreparedHook {
  readonly entry: Entry;
  readonly argument: number;
  write(ports: Readonly<Record<string, HostArray>>, uniforms: Uniforms): void;
}

/** The fields that hooks and kernels share. */
interface HasWasm {
  readonly wasm?: WasmFunction;
  readonly uniforms?: UniformTypes;
  readonly constants?: Constants;
}

/** Loads the WASM function of a hook, and allocates its argument. */
export function prepareHook(
  engine: Engine,
  hook: HasWasm & { readonly sources: object },
  allocate: (bytes: number) => number,
): Promise<PreparedHook> {
  return prepareFunction(engine, hook, hook.wasm as WasmFunction, Object.keys(hook.sources), allocate);
}

/** Loads a WASM function and allocates its argument: addresses, uniforms, constants, work memory. */
async function prepareFunction(
  engine: Engine,
  { uniforms: types = {}, constants = {} }: HasWasm,
  wasm: WasmFunction,
  names: readonly string[],
  allocate: (bytes: number) => number,
): Promise<PreparedHook> {
  const entry = await engine.load(engine.shared ? wasm.shared : wasm.plain, wasm.entry);
  const numbers = Object.values(constants).filter((value) => typeof value === "number");
  const uniformNames = Object.entries(types);
  const { workBytes = 0 } = wasm;
  if (workBytes > 0) engine.reserve(workBytes);
  const argument = allocate(4 * (names.length + uniformNames.length + numbers.length + (workBytes > 0 ? 2 : 0)));
  return {
    entry,
    argument,
    write(ports, uniforms) {
      const view = new DataView(engine.heap.memory.buffer, argument);
      let at = 0;
      for (const name of names) view.setUint32(4 * at++, ports[name].address, true);
      for (const [name, type] of uniformNames) {
        if (type === "f32") view.setFloat32(4 * at++, uniforms[name], true);
        else view.setInt32(4 * at++, uniforms[name], true);
      }
      for (const value of numbers) view.setFloat32(4 * at++, value, true);
      if (workBytes === 0) return;
      const work = engine.workMemory();
      view.setUint32(4 * at++, work.address, true);
      view.setUint32(4 * at, work.pitch, true);
    },
  };
}

async function kernelBody(op: Kernel, wasm: WasmFunction, engine: Engine): Promise<PlanBody<HostArray>> {
  const taken: number[] = [];
  let loaded: Entry | undefined;
  const dispose = (): void => {
    if (loaded) engine.release(loaded);
    loaded = undefined;
    for (const address of taken.splice(0)) engine.heap.free(address);
  };
  const { entry, argument, write } = await prepareFunction(engine, op, wasm, Object.keys(op.ports), (bytes) => {
    const address = engine.heap.allocate(bytes, op.name);
    taken.push(address);
    return address;
  });
  loaded = entry;
  const cost = onePassCost(op);
  const milliseconds = Math.max(cost.bytes / bytesPerMillisecond, cost.flops / flopsPerMillisecond);
  const perCall = Math.max(1, Math.floor((op.items * callMilliseconds) / milliseconds));
  const uses = usesOf(op);
  return {
    text: `(kernel/wasm ${op.name})`,
    cost,
    dispose,
    run: (ports, { uniforms, units, signal }) =>
      engine.run({
        what: formatOp(op),
        uses: uses(ports),
        entry,
        prepare: () => write(ports, uniforms),
        argument,
        items: op.items,
        chunk: wasm.whole ? Math.ceil(op.items / units.length) : Math.min(perCall, Math.ceil(op.items / (16 * units.length))),
        milliseconds,
        units,
        signal,
      }),
  };
}
