/**
 * A pool of workers that share one WebAssembly memory. A task is an exported function `(argument, start, end, unit)` of a loaded module
 * and a number of items. The units of the task take chunks of items from a shared counter until none is left. Work is handed over by
 * Atomics in the shared memory, not by messages: an idle worker sleeps in Atomics.wait. Messages only load modules.
 *
 * Units are resources of the device's queue. Tasks on different units run at the same time, and a unit works on one task at a time.
 * Loading a module needs every worker outside its loop, so it is queued like a task. The queue guarantees this order, and the workers
 * verify it: each writes the task's ticket to its unit's owner word before its part and clears it afterwards.
 *
 * If a worker dies during a task, the task fails with code `failed`, and the worker is replaced before the next task on its unit. If a
 * worker dies before it has started, the task that waits for it fails, and the worker is replaced only when another task wants its unit;
 * otherwise a host that can't start workers would be kept busy. Idle workers do not keep Node alive.
 */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";
import { createResource, type Queue, type Uses } from "./queue.ts";
import type { HostWorker } from "./worker-host.ts";
import {
  busy,
  failures,
  jobWords,
  leave,
  type ModuleToLoad,
  type Setup,
  unitWords,
  type WorkerAnswer,
  workerLayout,
} from "./worker-words.ts";

/** A function call on a number of items, for some units. */
export interface Task {
  /** Name of the task in messages. */
  readonly what: string;
  /** The resources that the task uses besides its units. */
  readonly uses: Uses;
  /** Called when the task may start. Writes the words that `argument` points to. */
  prepare(): void;
  /** The number that `load` returned. */
  readonly module: number;
  readonly entry: string;
  /** First argument of the function: the address of its words. */
  readonly argument: number;
  readonly items: number;
  /** Number of items that a unit takes at a time. */
  readonly chunk: number;
  readonly signal?: AbortSignal | undefined;
}

/** The workers of one device. */
export interface Pool {
  readonly units: number;
  /**
   * Queues the instantiation of a module (which imports `env.memory`) in every worker. Resolves with the module's number. `replaced` is
   * the number of a module that is not used any more and has as many functions; the new one takes its place. Rejects with `compile`,
   * `failed` or `disposed`.
   */
  load(module: WebAssembly.Module, replaced?: number): Promise<number>;
  /**
   * Queues a task on `units`. No other task runs on any of them meanwhile, although only the first `woken` of them work. Rejects with
   * `failed` if a worker dies, a function traps or a unit is not free, and with `aborted` or `disposed`.
   */
  run(task: Task, units: readonly number[], woken?: number): Promise<void>;
  /** Ends one worker as if it had crashed, for tests. */
  killForTest(unit: number): void;
  close(): void;
}

/** Bytes that the pool needs at `address`. */
export const poolBytes = (units: number): number => 4 * units * (unitWords.size + jobWords.size);

/** The state of one unit. */
interface Unit {
  worker: HostWorker;
  /** Whether the worker is in its loop, as far as this thread knows. */
  up: boolean;
  /** Whether the worker has ever been in its loop. */
  begun: boolean;
  /** Whether the worker died or failed before it had started. It is then replaced only when a task wants the unit. */
  stillborn: boolean;
  /** Resolves when the worker has answered its last message. After a replacement: when the new worker has answered its first. */
  ready: Promise<void>;
  /** Rejects the answer that `ask` waits for. */
  lost(reason?: string): void;
  task: { died(): void } | undefined;
}

/**
 * Starts `count` workers on a shared memory. The pool uses `poolBytes(count)` bytes at `address`. Rejects with the reason if a worker can't
 * start.
 */
export async function createPool(
  memory: WebAssembly.Memory,
  address: number,
  count: number,
  queue: Queue,
  startWorker: () => HostWorker,
): Promise<Pool> {
  const modules: WebAssembly.Module[] = [];
  /** The names of the functions of each module. Workers know functions by their index here. */
  const functions: (readonly string[])[] = [];
  const units: Unit[] = [];
  const resources = Array.from({ length: count }, createResource);
  let closed = false;
  let tickets = 0;
  /**
   * The words of all units, then of one job for each unit. A task uses the job of its first unit. Shared memory does not move when it
   * grows, so this view stays valid.
   */
  const w = new Int32Array(memory.buffer, address, count * (unitWords.size + jobWords.size));
  const jobAt = (unit: number): number => count * unitWords.size + unit * jobWords.size;

  /** Sends a message to a worker and waits for the answer. The worker must not be in its loop. */
  const ask = (unit: number, made: Unit, message: Setup | ModuleToLoad): Promise<void> =>
    new Promise((resolve, reject) => {
      made.lost = (reason = `unit ${unit} died`) =>
        reject(closed ? new RadarError("disposed", "the device was disposed") : new RadarError("failed", reason, { unit }));
      made.worker.onMessage = (answer) => {
        const { error } = answer as WorkerAnswer;
        if (error === undefined) {
          // At once: a worker may answer and die in one turn of the event loop, before anything that awaits the answer.
          made.begun = made.up = true;
          resolve();
        } else reject(new RadarError("compile", `a worker could not load a module: ${error}`, { unit }));
      };
      made.worker.post(message);
    });

  const start = async (unit: number): Promise<Unit> => {
    for (const word of [unitWords.turn, unitWords.busy, unitWords.owner]) Atomics.store(w, unit * unitWords.size + word, 0);
    const worker = startWorker();
    const made: Unit = { worker, up: false, begun: false, stillborn: false, ready: Promise.resolve(), lost: () => {}, task: undefined };
    worker.onExit = (reason) => {
      made.up = false;
      made.lost(reason);
      if (closed) return;
      made.task?.died();
      if (made.begun) replace(unit, made);
      else made.stillborn = true;
    };
    made.ready = ask(unit, made, { memory, address, words: w.length, unit, units: count, layout: workerLayout, modules });
    made.ready.then(
      () => worker.unref(),
      // The worker died, or could not load the modules.
      () => {
        worker.onExit = () => {};
        worker.terminate();
        made.stillborn = true;
      },
    );
    if (closed) worker.terminate();
    return made;
  };

  /** Replaces a worker. `runTask` waits for `ready`, so the new worker is there before the next task. */
  const replace = (unit: number, gone: Unit): void => {
    gone.stillborn = false;
    gone.ready = start(unit).then((next) => {
      units[unit] = next;
      return next.ready;
    });
    gone.ready.catch(() => {});
  };

  const close = (): void => {
    closed = true;
    for (const { worker, task, lost } of units) {
      task?.died();
      lost();
      worker.terminate();
    }
  };

  try {
    for (let unit = 0; unit < count; unit++) units.push(await start(unit));
    await Promise.all(units.map(({ ready }) => ready));
  } catch (error) {
    close();
    throw error;
  }

  const wake = (unit: number, job: number): void => {
    const base = unit * unitWords.size;
    Atomics.store(w, base + unitWords.job, job);
    Atomics.add(w, base + unitWords.turn, 1);
    Atomics.notify(w, base + unitWords.turn);
  };

  /** Waits until the chosen units have workers in their loops. Mostly they have already. */
  const allUp = async (chosen: readonly number[]): Promise<void> => {
    if (closed) return;
    for (const unit of chosen) if (units[unit].stillborn) replace(unit, units[unit]);
    while (!closed && !chosen.every((unit) => units[unit].up)) await Promise.all(chosen.map((unit) => units[unit].ready));
  };

  const runTask = async (task: Task, chosen: readonly number[]): Promise<void> => {
    const { what, signal } = task;
    if (!chosen.every((unit) => units[unit].up)) await allUp(chosen);
    if (closed) throw new RadarError("disposed", `the device was disposed before ${what}`);
    throwIfAborted(signal, what);
    for (const unit of chosen) if (Atomics.load(w, unit * unitWords.size + unitWords.busy) !== busy.no) throw notFree(what, unit);
    task.prepare();
    const job = jobAt(chosen[0]);
    const at = (word: keyof typeof jobWords): number => job + jobWords[word];
    tickets = (tickets % 0x7fffffff) + 1;
    for (const [word, value] of Object.entries({
      next: 0,
      items: task.items,
      chunk: task.chunk,
      pending: chosen.length,
      module: task.module,
      entry: functions[task.module].indexOf(task.entry),
      argument: task.argument,
      failed: failures.none,
      stop: 0,
      ticket: tickets,
    })) {
      Atomics.store(w, at(word as keyof typeof jobWords), value);
    }
    const unregister = onAbort(signal, () => void Atomics.store(w, at("stop"), 1));
    let deaths = 0;
    const working = chosen.map((unit) => units[unit]);
    // All units have their parts before the first one begins, which may take back those of the others.
    for (const [i, unit] of chosen.entries()) {
      const state = unit * unitWords.size + unitWords.busy;
      Atomics.store(w, state, tickets);
      working[i].task = {
        died() {
          if (Atomics.exchange(w, state, busy.no) === busy.no) return; // its part was already done, or not needed
          deaths++;
          Atomics.store(w, at("stop"), 1);
          Atomics.sub(w, at("pending"), 1);
          Atomics.notify(w, at("pending"));
        },
      };
      working[i].worker.ref();
    }
    for (const unit of chosen) wake(unit, job);
    try {
      await untilZero(w, at("pending"));
    } finally {
      unregister();
      for (const made of working) {
        made.task = undefined;
        made.worker.unref();
      }
    }
    if (closed) throw new RadarError("disposed", `the device was disposed before ${what} had finished`);
    if (deaths > 0) throw new RadarError("failed", `${what} failed: a worker died`, { what });
    const failed = Atomics.load(w, at("failed"));
    if (failed >= failures.owned) throw notFree(what, failed - failures.owned);
    if (failed === failures.trapped) throw new RadarError("failed", `${what} failed: its kernel trapped`, { what });
    throwIfAborted(signal, what);
  };

  const loadModule = async (module: WebAssembly.Module, number: number): Promise<void> => {
    await allUp([...units.keys()]);
    if (closed) throw new RadarError("disposed", "the device was disposed");
    const before = [modules[number], functions[number]] as const;
    modules[number] = module;
    functions[number] = WebAssembly.Module.exports(module)
      .filter(({ kind }) => kind === "function")
      .map(({ name }) => name);
    const outcomes = await Promise.allSettled(
      units.map(async (made, i) => {
        made.worker.ref();
        wake(i, leave);
        made.up = false;
        made.ready = ask(i, made, { module, number });
        // If the worker died, its replacement loads all modules.
        await made.ready.catch(() => made.ready);
        made.worker.unref();
      }),
    );
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) {
      // Modules must have the same numbers in all workers. All workers are out of their loops now; replace them by workers that never
      // loaded this module.
      if (before[0]) [modules[number], functions[number]] = before;
      else modules.length = functions.length = number;
      for (const [unit, made] of closed ? [] : units.entries()) {
        made.up = false;
        made.worker.onExit = () => {};
        made.worker.terminate();
        replace(unit, made);
      }
      throw failure.reason;
    }
  };

  return {
    units: count,
    async load(module, replaced) {
      let number = modules.indexOf(module);
      const start = async (): Promise<void> => {
        number = modules.indexOf(module);
        if (number >= 0) return;
        number = replaced ?? modules.length;
        await loadModule(module, number);
      };
      await queue.push({ what: "loading of a module", uses: { reads: [], writes: resources }, start });
      return number;
    },
    run(task, chosen, woken = chosen.length) {
      const { reads, writes } = task.uses;
      const uses = { reads, writes: [...writes, ...chosen.map((unit) => resources[unit])] };
      return queue.push({ what: task.what, uses, start: () => runTask(task, chosen.slice(0, woken)) });
    },
    killForTest: (unit) => units[unit].worker.terminate(),
    close,
  };
}

const notFree = (what: string, unit: number): RadarError =>
  new RadarError("failed", `${what} failed: another task used unit ${unit}`, { what, unit });

type WaitAsync = (words: Int32Array, index: number, value: number) => { async: boolean; value: Promise<string> | string };

/** Waits until a word is zero, without blocking the thread. */
async function untilZero(words: Int32Array, index: number): Promise<void> {
  for (let value = Atomics.load(words, index); value !== 0; value = Atomics.load(words, index)) {
    const { waitAsync } = Atomics as { waitAsync?: WaitAsync };
    if (waitAsync) {
      const waiting = waitAsync(words, index, value);
      if (waiting.async) await waiting.value;
    } else await new Promise((resolve) => setTimeout(resolve, 1)); // for hosts without Atomics.waitAsync
  }
}
