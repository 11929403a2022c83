/**
 * Watches what the CPU backend requests from its host, and makes it fail: memory that does not grow, modules that are not compiled or
 * loaded, arrays for which there is no memory, workers that die when they receive a message or are woken. The host's functions are
 * patched for the duration of a test. The heap and the queue belong to the backend; the test wraps them.
 */
import { Worker } from "node:worker_threads";
import { RadarError } from "@dechirp/core";
import type { Tap } from "./sweep.ts";

type Method = (...args: unknown[]) => unknown;

export const cpuTap: Tap = { hook: undefined };
const fails = (step: string): boolean => cpuTap.hook?.(step) === true;

/** Workers that have been started and have not ended. */
export const workers = new Set<Worker>();
/** The latest worker of each unit. */
const byUnit = new Map<number, Worker>();
/**
 * Workers that are being terminated by a fault. Until they have ended, they can find work that they were not woken for, and take the next
 * run's.
 */
const dying = new Set<Promise<unknown>>();

function kill(worker: Worker | undefined): void {
  if (!worker) return;
  const death = worker.terminate().finally(() => dying.delete(death));
  dying.add(death);
}

/** Resolves when all workers that a fault terminated have ended. */
export const untilDead = (): Promise<unknown> => Promise.all(dying);

/** Wraps a heap so that its allocations are steps. */
export function tappedHeap<Heap extends { allocate(bytes: number, label: string, raw?: "raw"): number }>(heap: Heap): Heap {
  const allocate = heap.allocate.bind(heap);
  heap.allocate = (bytes, label, raw) => {
    if (fails("allocate")) throw new RadarError("out-of-memory", `no memory for ${label}: ${bytes} bytes`, { label, bytes });
    return allocate(bytes, label, raw);
  };
  return heap;
}

/** Wraps a queue so that pushing is a step, which does not fail. */
export function tappedQueue<Queue extends { push(job: never): Promise<void> }>(queue: Queue): Queue {
  const push = queue.push.bind(queue);
  queue.push = (job) => {
    fails("push");
    return push(job);
  };
  return queue;
}

const fewNumbers = 128;

/** Words per unit, by which a woken unit is identified. */
const wordsOfUnit = 16;

/** Patches the host. Call the result to restore it. */
export function tapHost(): () => void {
  const undo: (() => void)[] = [];
  const patch = <T extends object>(owner: T, name: keyof T & string, make: (original: Method) => unknown): void => {
    const original = owner[name];
    Object.defineProperty(owner, name, { value: make(original as Method), configurable: true, writable: true });
    undo.push(() => Object.defineProperty(owner, name, { value: original, configurable: true, writable: true }));
  };
  patch(WebAssembly.Memory.prototype, "grow", (grow) => {
    return function (this: WebAssembly.Memory, pages: number) {
      if (fails("grow")) throw new RangeError("WebAssembly.Memory.grow(): Unable to grow instance memory");
      return grow.call(this, pages);
    };
  });
  patch(WebAssembly, "compile", (compile) => (bytes: unknown) => {
    return fails("compile") ? Promise.reject(new RangeError("WebAssembly.compile(): Out of memory")) : compile.call(WebAssembly, bytes);
  });
  const { Instance } = WebAssembly;
  patch(WebAssembly, "Instance", () => {
    return class extends Instance {
      constructor(module: WebAssembly.Module, imports?: WebAssembly.Imports) {
        if (fails("instance")) throw new RangeError("WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance");
        super(module, imports);
      }
    };
  });
  for (const name of ["Float32Array", "Float64Array", "Uint8Array", "Int8Array"] as const) {
    patch(globalThis, name, (original) => {
      return new Proxy(original, {
        construct(target, args, made) {
          // Copies and arrays of a length take memory; views do not. For a few numbers there always is memory.
          const length = typeof args[0] === "number" ? args[0] : ArrayBuffer.isView(args[0]) ? (args[0] as Uint8Array).length : 0;
          if (length >= fewNumbers && fails("array")) throw new RangeError("Array buffer allocation failed");
          return Reflect.construct(target, args, made === undefined ? target : made) as object;
        },
      });
    });
  }
  patch(Worker.prototype, "postMessage", (post) => {
    return function (this: Worker, message: { readonly unit?: number }) {
      if (!workers.has(this)) {
        workers.add(this);
        this.once("exit", () => workers.delete(this));
      }
      if (message.unit !== undefined) byUnit.set(message.unit, this);
      if (fails("message")) kill(this);
      else post.call(this, message);
    };
  });
  patch(Atomics, "notify", (notify) => (words: Int32Array, index: number, count?: number) => {
    const unit = index / wordsOfUnit;
    // Only a wake-up is a step. A worker that dies is not woken first.
    if (byUnit.has(unit) && fails("wake")) {
      kill(byUnit.get(unit));
      return 0;
    }
    return notify.call(Atomics, words, index, count);
  });
  return () => {
    for (const back of undo.reverse()) back();
  };
}
