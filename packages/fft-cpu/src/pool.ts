/**
 * Workers over one shared WebAssembly memory. A task is an exported function `(argument, start, end, unit)` of a loaded
 * module and a number of items; the units it is given take chunks of items from a shared counter until none is left. Hand-over is
 * by Atomics in the memory itself, never by messages: an idle worker sleeps in Atomics.wait. Messages only load modules.
 *
 * Units are resources of the device's queue: tasks on other units run at the same time, nobody else works on a unit that a
 * task was given, and loading, for which every worker must be out of its loop, has its turn among the tasks. That is so by
 * the queue's order, and workers prove it: each takes its unit's owner word for the task before its part and gives it back.
 *
 * A worker that dies fails the task it was in, with code `failed`, and is replaced before the next on its unit. One that dies
 * before it has begun fails the task that waits for it, and is replaced for the next that wants its unit, so that a host where
 * no worker starts any more is not kept busy. Idle workers do not keep Node alive.
 */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";
import { createResource, type Queue, type Uses } from "./queue.ts";
import { type HostWorker, startWorker } from "./worker-host.ts";
import { failures, leave, unitWords, workerSource } from "./worker-source.ts";

export interface Task {
  readonly what: string;
  /** Besides the units. */
  readonly uses: Uses;
  /** Called when the task may start: writes what the argument points to. */
  prepare(): void;
  /** What `load` returned. */
  readonly module: number;
  readonly entry: string;
  /** First argument of the entry: the address of whatever it needs. */
  readonly argument: number;
  readonly items: number;
  /** Items that a unit takes at a time. */
  readonly chunk: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Pool {
  readonly units: number;
  /** Queues the instantiation of a module (importing `env.memory`) in every worker. Resolves with its number. */
  load(module: WebAssembly.Module): Promise<number>;
  /** Queues a task. Rejects with `failed` where a worker died, an entry trapped or a unit was not free, `aborted`, `disposed`. */
  run(task: Task, units: readonly number[]): Promise<void>;
  /** Ends one worker as if it had crashed: what a test of replacement needs. */
  killForTest(unit: number): void;
  close(): void;
}

/**
 * Words of a job: what the units of one task share. `next` counts chunks, so that it never passes 32 bits; `ticket` is what
 * owner words say of the task, never 0.
 */
const jobWords = {
  next: 0,
  items: 1,
  chunk: 2,
  pending: 3,
  module: 4,
  entry: 5,
  argument: 6,
  failed: 7,
  stop: 8,
  ticket: 9,
  size: 16,
} as const;

/** Bytes that the pool wants for itself at `address`. */
export const poolBytes = (units: number): number => 4 * units * (unitWords.size + jobWords.size);

interface Unit {
  worker: HostWorker;
  /** Whether the worker is in its loop, as far as is known. */
  up: boolean;
  /** Whether it died, or failed, before it had begun: nobody replaces it until a task wants the unit. */
  stillborn: boolean;
  /** Resolves when the worker has answered its last message, or the one that replaces it its first. */
  ready: Promise<void>;
  /** Rejects the answer that is waited for. */
  lost(): void;
  task: { died(): void } | undefined;
}

export async function createPool(memory: WebAssembly.Memory, address: number, count: number, queue: Queue): Promise<Pool> {
  const modules: WebAssembly.Module[] = [];
  /** Names of their functions, by whose places workers know them. */
  const functions: (readonly string[])[] = [];
  const units: Unit[] = [];
  const resources = Array.from({ length: count }, createResource);
  let closed = false;
  let tickets = 0;
  /** The words of all units, then a job for each: a task uses that of its first unit. Shared memory that grows stays where it is. */
  const w = new Int32Array(memory.buffer, address, count * (unitWords.size + jobWords.size));
  const jobAt = (unit: number): number => count * unitWords.size + unit * jobWords.size;

  /** Sends a worker a message and waits for its answer; the worker must be out of its loop, or never have entered it. */
  const ask = (unit: number, made: Unit, message: object): Promise<void> =>
    new Promise((resolve, reject) => {
      made.lost = () =>
        reject(closed ? new RadarError("disposed", "the device was disposed") : new RadarError("failed", `unit ${unit} died`, { unit }));
      made.worker.onMessage = (answer) => {
        const { error } = answer as { error?: string };
        if (error === undefined) resolve();
        else reject(new RadarError("compile", `a worker could not load a module: ${error}`, { unit }));
      };
      made.worker.post(message);
    });

  const start = async (unit: number): Promise<Unit> => {
    for (const word of [unitWords.turn, unitWords.busy, unitWords.owner]) Atomics.store(w, unit * unitWords.size + word, 0);
    const worker = startWorker(workerSource);
    const made: Unit = { worker, up: false, stillborn: false, ready: Promise.resolve(), lost: () => {}, task: undefined };
    let begun = false;
    worker.onExit = () => {
      made.up = false;
      made.lost();
      if (closed) return;
      made.task?.died();
      if (begun) replace(unit, made);
      else made.stillborn = true;
    };
    made.ready = ask(unit, made, { memory, address, words: w.length, unit, unitWords, jobWords, modules });
    made.ready.then(
      () => {
        begun = true;
        made.up = true;
        worker.unref();
      },
      // It died, or lives and could not load the modules.
      () => {
        worker.onExit = () => {};
        worker.terminate();
        made.stillborn = true;
      },
    );
    if (closed) worker.terminate();
    return made;
  };

  /** The replacement is there before the next task: run waits for `ready`. */
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

  /** Waits until the chosen units have workers that listen, which they mostly have. */
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
    for (const unit of chosen) if (Atomics.load(w, unit * unitWords.size + unitWords.busy) !== 0) throw notFree(what, unit);
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
    const deaf = onAbort(signal, () => void Atomics.store(w, at("stop"), 1));
    let deaths = 0;
    const working = chosen.map((unit) => units[unit]);
    for (const [i, unit] of chosen.entries()) {
      const busy = unit * unitWords.size + unitWords.busy;
      Atomics.store(w, busy, 1);
      working[i].task = {
        died() {
          if (Atomics.exchange(w, busy, 0) === 0) return; // its part was done
          deaths++;
          Atomics.store(w, at("stop"), 1);
          Atomics.sub(w, at("pending"), 1);
          Atomics.notify(w, at("pending"));
        },
      };
      working[i].worker.ref();
      wake(unit, job);
    }
    try {
      await untilZero(w, at("pending"));
    } finally {
      deaf();
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

  const loadModule = async (module: WebAssembly.Module): Promise<number> => {
    const known = modules.indexOf(module);
    if (known >= 0) return known;
    await allUp([...units.keys()]);
    if (closed) throw new RadarError("disposed", "the device was disposed");
    modules.push(module);
    functions.push(
      WebAssembly.Module.exports(module)
        .filter(({ kind }) => kind === "function")
        .map(({ name }) => name),
    );
    const outcomes = await Promise.allSettled(
      units.map(async (made, i) => {
        made.worker.ref();
        wake(i, leave);
        made.up = false;
        made.ready = ask(i, made, { module }).then(() => {
          made.up = true;
        });
        // Where the worker died, the one that replaces it loads all modules.
        await made.ready.catch(() => made.ready);
        made.worker.unref();
      }),
    );
    const failure = outcomes.find((outcome) => outcome.status === "rejected");
    if (failure) {
      // Modules have the same numbers everywhere or nowhere: workers that never heard of this one take over. All are out of their loops.
      modules.pop();
      functions.pop();
      for (const [unit, made] of closed ? [] : units.entries()) {
        made.up = false;
        made.worker.onExit = () => {};
        made.worker.terminate();
        replace(unit, made);
      }
      throw failure.reason;
    }
    return modules.length - 1;
  };

  return {
    units: count,
    async load(module) {
      let number = 0;
      const start = async (): Promise<void> => {
        number = await loadModule(module);
      };
      await queue.push({ what: "loading of a module", uses: { reads: [], writes: resources }, start });
      return number;
    },
    run(task, chosen) {
      const { reads, writes } = task.uses;
      const uses = { reads, writes: [...writes, ...chosen.map((unit) => resources[unit])] };
      return queue.push({ what: task.what, uses, start: () => runTask(task, chosen) });
    },
    killForTest: (unit) => units[unit].worker.terminate(),
    close,
  };
}

const notFree = (what: string, unit: number): RadarError =>
  new RadarError("failed", `${what} failed: unit ${unit} was not its own`, { what, unit });

type WaitAsync = (words: Int32Array, index: number, value: number) => { async: boolean; value: Promise<string> | string };

/** Waits until a word is zero without blocking the thread. */
async function untilZero(words: Int32Array, index: number): Promise<void> {
  for (let value = Atomics.load(words, index); value !== 0; value = Atomics.load(words, index)) {
    const { waitAsync } = Atomics as { waitAsync?: WaitAsync };
    if (waitAsync) {
      const waiting = waitAsync(words, index, value);
      if (waiting.async) await waiting.value;
    } else await new Promise((resolve) => setTimeout(resolve, 1)); // hosts that are too old for it
  }
}
