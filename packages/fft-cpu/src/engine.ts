/**
 * Runs WASM functions: the kernels, and the modules of hooks. They are instantiated on the device's memory, on this thread and in every
 * worker. The functions of hooks have the same places in a function table on all threads, and kernels call them by these numbers. The
 * engine knows nothing of ops.
 */
import { messageOf, RadarError } from "@dechirp/core";
import { layoutError } from "@dechirp/core/backend";
import { isArrayOf } from "@dechirp/core/internal";
import { apartBytes, type Heap } from "./heap.ts";
import type { Pool } from "./pool.ts";
import type { Queue, Uses } from "./queue.ts";
import { type KernelModule, tableStart } from "./wasm/kernels.ts";

/** A function of a loaded module. */
export interface Entry {
  /** Number of the module, in the order of loading. */
  readonly module: number;
  readonly name: string;
  /** Its index in the function table. */
  readonly place: number;
  /** The module, unless it is that of the kernels. */
  readonly source?: WebAssembly.Module;
}

/** A call of a WASM function on a number of items. */
export interface Work {
  /** Name of the work in messages. */
  readonly what: string;
  /** The resources that the work uses besides units: its arrays, and everything that `prepare` writes. */
  readonly uses: Uses;
  readonly entry: Entry;
  /** Writes the words that `argument` points to. Called before the first item, after all earlier work that uses the same resources. */
  prepare(): void;
  /** First argument of the function: an address. */
  readonly argument: number;
  /** Number of items. */
  readonly items: number;
  /** Number of items that a unit takes at a time. */
  readonly chunk: number;
  /** Estimated time of all items on one thread. */
  readonly milliseconds: number;
  readonly units: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** The kernels and modules of one device. */
export interface Engine {
  readonly heap: Heap;
  /** A function of dechirp's own kernels. */
  kernel(name: "linesTask" | "turnTask" | "multiplyTask" | "convertTask"): Entry;
  /**
   * Compiles and loads a module, if it is not loaded yet, and returns its function `name`. Rejects with `compile`. It stays loaded until `release` was
   * called as often, and longer while few modules are unused.
   */
  load(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Entry>;
  /** Says that a function that `load` returned is not used any more. */
  release(entry: Entry): void;
  /** Whether the memory is shared. */
  readonly shared: boolean;
  /** Number of units of the device: workers, or 1. */
  readonly units: number;
  /** Queues work. */
  run(work: Work): Promise<void>;
  /** Makes sure that every unit has at least `bytes` of work memory for itself. Throws what `Heap.allocate` throws. */
  reserve(bytes: number): void;
  /** Address of the first unit's work memory, and the distance in bytes to that of the next unit. Valid until the next `reserve`. */
  workMemory(): { readonly address: number; readonly pitch: number };
}

/**
 * Work that takes less time than this, and may use all units, runs on the caller's thread and uses no unit: handing it over would cost as
 * much.
 */
const smallMilliseconds = 0.1;
/** A unit is woken only if there is so much work for it: waking one and hearing of its end take some 50 µs. */
const unitMilliseconds = 0.05;

/** How many units are woken for work that takes one thread so long, `most` at most. */
export const wokenUnits = (milliseconds: number, most: number): number =>
  Math.max(1, Math.min(most, Math.floor(milliseconds / unitMilliseconds)));

/** How many modules may stay loaded although nothing uses them. Most are made of expressions, which programs may make without end. */
const mostUnused = 32;
/** Intended time of the first slice on the caller's thread. */
const sliceMilliseconds = 1;

/** Compiled modules by their bytes. An entry lives as long as the bytes do. */
const compiled = new WeakMap<Uint8Array, Promise<WebAssembly.Module>>();

function compile(bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> {
  let module = compiled.get(bytes);
  if (!module) {
    module = WebAssembly.compile(bytes).catch((error: Error) => {
      throw new RadarError("compile", `a WASM module could not be compiled: ${error.message}`, {}, error);
    });
    compiled.set(bytes, module);
  }
  return module;
}

type Function = (argument: number, start: number, end: number, unit: number) => void;

/** Makes the engine and loads the kernels. */
export async function createEngine(kernels: KernelModule, heap: Heap, pool: Pool | undefined, queue: Queue): Promise<Engine> {
  const table = new WebAssembly.Table({ initial: tableStart, element: "anyfunc" });
  const modules: {
    readonly functions: readonly Function[];
    readonly names: readonly string[];
    readonly place: number;
  }[] = [];
  const known = new Map<WebAssembly.Module, Promise<number>>();
  /** How often each module is in use. */
  const uses = new Map<WebAssembly.Module, number>();

  /** The modules in use or not yet replaced, by the text of their bytes: each plan of an expression makes the bytes anew. */
  const byText = new Map<string, WebAssembly.Module>();
  const moduleOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<WebAssembly.Module> => {
    const text = new TextDecoder("latin1").decode(bytes);
    const known = byText.get(text);
    if (known) return known;
    const module = await compile(bytes);
    // Another plan may have compiled the same meanwhile.
    const first = byText.get(text) ?? module;
    byText.set(text, first);
    return first;
  };

  const instantiate = (module: WebAssembly.Module): WebAssembly.Exports => {
    try {
      return new WebAssembly.Instance(module, { env: { memory: heap.memory, table, abort: () => {} } }).exports;
    } catch (error) {
      throw new RadarError("compile", `a WASM module could not be loaded: ${messageOf(error)}`, {}, error);
    }
  };

  const enter = (exports: WebAssembly.Exports, number: number): number => {
    const named = Object.entries(exports).filter((entry): entry is [string, Function] => typeof entry[1] === "function");
    const place = modules[number]?.place ?? table.length;
    if (number > 0) {
      if (number === modules.length) table.grow(named.length);
      for (const [i, [, f]] of named.entries()) table.set(place + i, f);
    }
    modules[number] = { functions: named.map(([, f]) => f), names: named.map(([name]) => name), place };
    return number;
  };

  /** The number of an unused module with one function that `module` can replace, if there are many. It is forgotten. */
  const replaceable = async (module: WebAssembly.Module): Promise<number | undefined> => {
    const unused = [...uses].filter(([, count]) => count === 0);
    if (unused.length <= mostUnused || WebAssembly.Module.exports(module).length !== 1) return undefined;
    for (const [old] of unused) {
      const number = await known.get(old);
      // It may have been taken into use meanwhile.
      if (number === undefined || uses.get(old) !== 0 || modules[number].functions.length !== 1) continue;
      known.delete(old);
      uses.delete(old);
      for (const [text, module] of byText) if (module === old) byText.delete(text);
      return number;
    }
    return undefined;
  };

  const loadModule = (module: WebAssembly.Module): Promise<number> => {
    let loading = known.get(module);
    if (!loading) {
      // Modules are loaded one after the other, so that they have the same numbers on all threads.
      loading = Promise.allSettled(known.values()).then(async () => {
        // Load on this thread first. A module that fails here never reaches the workers.
        const exports = instantiate(module);
        const replaced = await replaceable(module);
        await pool?.load(module, replaced);
        return enter(exports, replaced ?? modules.length);
      });
      known.set(module, loading);
      loading.catch(() => {
        known.delete(module);
        uses.delete(module);
      });
    }
    return loading;
  };

  const load = async (bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Entry> => {
    if (!isArrayOf(bytes, Uint8Array)) throw layoutError("wasm", "the bytes of a module for both kinds of memory", bytes);
    const module = await moduleOf(bytes);
    // A module that is used again is the last to be replaced.
    const count = uses.get(module) ?? 0;
    uses.delete(module);
    uses.set(module, count + 1);
    const number = await loadModule(module);
    const { names, place } = modules[number];
    if (!names.includes(name)) throw new RadarError("compile", `a WASM module exports no function ${name}`, { entry: name });
    return { module: number, name, place: place + names.indexOf(name), source: module };
  };

  await loadModule(kernels.module);
  const units = pool?.units ?? 1;
  let reserved = { address: 0, pitch: 0 };

  return {
    heap,
    shared: kernels.shared,
    units,
    kernel: (name) => ({ module: 0, name, place: 0 }),
    load,
    release({ source }) {
      if (source) uses.set(source, (uses.get(source) ?? 1) - 1);
    },
    run(work) {
      const { what, uses, prepare, argument, items, chunk, milliseconds, signal } = work;
      const everywhere = work.units.length === units;
      if (pool && !(milliseconds < smallMilliseconds && everywhere)) {
        const { module, name } = work.entry;
        const useful = wokenUnits(milliseconds, Math.ceil(items / chunk));
        return pool.run({ what, uses, prepare, module, entry: name, argument, items, chunk, signal }, work.units, useful);
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
      // Running work may still use the old memory, on any unit. Work that has not started asks for the address when it does.
      if (old)
        queue.ready().then(
          () => heap.free(old),
          () => {},
        );
    },
    workMemory: () => reserved,
  };
}
