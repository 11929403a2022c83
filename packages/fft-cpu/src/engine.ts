/**
 * Where WASM functions run: the kernels and the modules of hooks, instantiated on the device's memory, on this thread and, where there
 * are workers, in each of them. Functions of hooks stand in a table at the same places everywhere, so that a kernel calls
 * them by number. Knows nothing of ops.
 */
import { messageOf, RadarError } from "@dechirp/core";
import { apartBytes, type Heap } from "./heap.ts";
import type { Pool } from "./pool.ts";
import type { Queue, Uses } from "./queue.ts";
import { type KernelModule, tableStart } from "./wasm/kernels.ts";

/** A function of a loaded module. */
export interface Entry {
  readonly module: number;
  readonly name: string;
  /** Its place in the table of hooks. */
  readonly place: number;
}

export interface Work {
  readonly what: string;
  /** Besides units: the arrays it is bound to, and whatever `prepare` writes. */
  readonly uses: Uses;
  readonly entry: Entry;
  /** Called before the first item, when all that was queued before and uses the same has run: writes what the argument points to. */
  prepare(): void;
  readonly argument: number;
  readonly items: number;
  /** Items that a unit takes at a time. */
  readonly chunk: number;
  /** What all of it is expected to take on one thread. */
  readonly milliseconds: number;
  readonly units: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

export interface Engine {
  readonly heap: Heap;
  /** A function of the kernels themselves. */
  kernel(name: "linesTask" | "turnTask" | "multiplyTask" | "convertTask"): Entry;
  /** Loads the module that fits the memory, once. Throws `compile`. */
  load(module: WebAssembly.Module, name: string): Promise<Entry>;
  readonly shared: boolean;
  /** Queues work. */
  run(work: Work): Promise<void>;
  /** Makes sure that every unit has `bytes` of work memory, of its own. Throws as the heap does. */
  reserve(bytes: number): void;
  /** Address of the first unit's work memory and the distance to the next one's, valid until the next `reserve`. */
  workMemory(): { readonly address: number; readonly pitch: number };
}

/** Work that takes less and may use all units is done by the caller's thread, and uses none: handing it over costs as much. */
const smallMilliseconds = 0.02;
/** What a slice on the caller's thread should take at first. */
const sliceMilliseconds = 1;

type Function = (argument: number, start: number, end: number, unit: number) => void;

export async function createEngine(kernels: KernelModule, heap: Heap, pool: Pool | undefined, queue: Queue): Promise<Engine> {
  const table = new WebAssembly.Table({ initial: tableStart, element: "anyfunc" });
  const modules: {
    readonly functions: readonly Function[];
    readonly names: readonly string[];
    readonly place: number;
  }[] = [];
  const known = new Map<WebAssembly.Module, Promise<number>>();

  const instantiate = (module: WebAssembly.Module): WebAssembly.Exports => {
    try {
      return new WebAssembly.Instance(module, { env: { memory: heap.memory, table, abort: () => {} } }).exports;
    } catch (error) {
      throw new RadarError("compile", `a WASM module could not be loaded: ${messageOf(error)}`, {}, error);
    }
  };

  const enter = (exports: WebAssembly.Exports): number => {
    const named = Object.entries(exports).filter((entry): entry is [string, Function] => typeof entry[1] === "function");
    const place = table.length;
    if (modules.length > 0) {
      table.grow(named.length);
      for (const [i, [, f]] of named.entries()) table.set(place + i, f);
    }
    modules.push({ functions: named.map(([, f]) => f), names: named.map(([name]) => name), place });
    return modules.length - 1;
  };

  const loadModule = (module: WebAssembly.Module): Promise<number> => {
    let loading = known.get(module);
    if (!loading) {
      // One after another, so that modules have the same numbers on all threads.
      loading = Promise.allSettled(known.values()).then(async () => {
        // On this thread first: what does not load here never reaches the workers.
        const exports = instantiate(module);
        await pool?.load(module);
        return enter(exports);
      });
      known.set(module, loading);
      loading.catch(() => known.delete(module));
    }
    return loading;
  };

  const load = async (module: WebAssembly.Module, name: string): Promise<Entry> => {
    const number = await loadModule(module);
    const { names, place } = modules[number];
    if (!names.includes(name)) throw new RadarError("compile", `a WASM module exports no function ${name}`, { entry: name });
    return { module: number, name, place: place + names.indexOf(name) };
  };

  await loadModule(kernels.module);
  const units = pool?.units ?? 1;
  let reserved = { address: 0, pitch: 0 };

  return {
    heap,
    shared: kernels.shared,
    kernel: (name) => ({ module: 0, name, place: 0 }),
    load,
    run(work) {
      const { what, uses, prepare, argument, items, chunk, milliseconds, signal } = work;
      const everywhere = work.units.length === units;
      if (pool && !(milliseconds < smallMilliseconds && everywhere)) {
        const { module, name } = work.entry;
        return pool.run({ what, uses, prepare, module, entry: name, argument, items, chunk, signal }, work.units);
      }
      const { functions, names } = modules[work.entry.module];
      const f = functions[names.indexOf(work.entry.name)];
      let prepared = false;
      return queue.push({
        what,
        uses,
        items,
        signal,
        slice: Math.max(1, Math.min(items, Math.floor((items * sliceMilliseconds) / milliseconds))),
        run(start, end) {
          if (!prepared) prepare();
          prepared = true;
          f(argument, start, end, pool ? units : 0);
        },
      });
    },
    reserve(bytes) {
      const pitch = Math.ceil(bytes / 4096) * 4096 + apartBytes;
      if (pitch <= reserved.pitch) return;
      const address = heap.allocate(pitch * (units + 1), "work memory", "raw");
      const old = reserved.address;
      reserved = { address, pitch };
      // What runs now may still use the old one, on any unit; what has not started asks when it does.
      if (old)
        queue.ready().then(
          () => heap.free(old),
          () => {},
        );
    },
    workMemory: () => reserved,
  };
}
