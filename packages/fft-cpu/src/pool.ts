/**
 * Workers over one shared WebAssembly memory. A task is an exported function `(argument, start, end, unit)` of a loaded
 * module and a number of items; the units it is given take chunks of items from a shared counter until none is left. Hand-over is
 * by Atomics in the memory itself, never by messages: an idle worker sleeps in Atomics.wait. Messages only load modules.
 * Tasks and loading take turns: a unit that is told to leave its loop must not have work waiting.
 *
 * A worker that dies fails the task it was in, with code `failed`, and is replaced before the next; one that dies before it
 * has begun is not. Idle workers do not keep Node alive.
 */
import { RadarError } from "@dechirp/core";
import { type HostWorker, startWorker } from "./worker-host.ts";
import { leave, unitWords, workerSource } from "./worker-source.ts";

export interface Task {
  readonly what: string;
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
  /** Instantiates a module (importing `env.memory`) in every worker. Resolves with its number. */
  load(module: WebAssembly.Module): Promise<number>;
  /** Throws `failed` where a worker died or an entry trapped, `aborted`, `disposed`. */
  run(task: Task, units: readonly number[]): Promise<void>;
  /** Ends one worker as if it had crashed: what a test of replacement needs. */
  killForTest(unit: number): void;
  close(): void;
}

/** Words of a job: what the units of one task share. `next` counts chunks, so that it never passes 32 bits. */
const jobWords = { next: 0, items: 1, chunk: 2, pending: 3, module: 4, entry: 5, argument: 6, failed: 7, stop: 8, size: 16 } as const;

/** Bytes that the pool wants for itself at `address`. */
export const poolBytes = (units: number): number => 4 * units * (unitWords.size + jobWords.size);

interface Unit {
  worker: HostWorker;
  /** Resolves when the worker has answered its last message, or the one that replaces it its first. */
  ready: Promise<void>;
  /** Rejects the answer that is waited for. */
  lost(): void;
  task: { died(): void } | undefined;
}

export async function createPool(memory: WebAssembly.Memory, address: number, count: number): Promise<Pool> {
  const modules: WebAssembly.Module[] = [];
  const units: Unit[] = [];
  let closed = false;
  /** The words of all units, then a job for each: a task uses that of its first unit. */
  const words = (): Int32Array => new Int32Array(memory.buffer, address, count * (unitWords.size + jobWords.size));
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
    const w = words();
    Atomics.store(w, unit * unitWords.size + unitWords.turn, 0);
    const worker = startWorker(workerSource);
    const made: Unit = { worker, ready: Promise.resolve(), lost: () => {}, task: undefined };
    let begun = false;
    worker.onExit = () => {
      made.lost();
      if (closed) return;
      made.task?.died();
      if (!begun) return;
      // The replacement is there before the next task: run waits for `ready`.
      made.ready = start(unit).then((next) => {
        units[unit] = next;
        return next.ready;
      });
      made.ready.catch(() => {});
    };
    made.ready = ask(unit, made, { memory, address, words: words().length, unit, unitWords, jobWords, modules });
    made.ready.then(
      () => {
        begun = true;
        worker.unref();
      },
      () => {},
    );
    if (closed) worker.terminate();
    return made;
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

  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const result = last.then(act);
    last = result.catch(() => {});
    return result;
  };

  const wake = (unit: number, job: number): void => {
    const w = words();
    const base = unit * unitWords.size;
    Atomics.store(w, base + unitWords.job, job);
    Atomics.add(w, base + unitWords.turn, 1);
    Atomics.notify(w, base + unitWords.turn);
  };

  const runTask = async (task: Task, chosen: readonly number[]): Promise<void> => {
    for (const unit of chosen) await units[unit].ready;
    if (closed) throw new RadarError("disposed", `the device was disposed before ${task.what}`);
    if (task.signal?.aborted) throw new RadarError("aborted", `${task.what} was aborted`, { what: task.what }, task.signal.reason);
    const w = words();
    const job = jobAt(chosen[0]);
    const at = (word: keyof typeof jobWords): number => job + jobWords[word];
    for (const [word, value] of Object.entries({
      next: 0,
      items: task.items,
      chunk: task.chunk,
      pending: chosen.length,
      module: task.module,
      argument: task.argument,
      failed: 0,
      stop: 0,
    })) {
      Atomics.store(w, at(word as keyof typeof jobWords), value);
    }
    Atomics.store(w, at("entry"), entryNumber(modules[task.module], task.entry));
    const onAbort = (): void => void Atomics.store(w, at("stop"), 1);
    task.signal?.addEventListener("abort", onAbort);
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
      task.signal?.removeEventListener("abort", onAbort);
      for (const made of working) {
        made.task = undefined;
        made.worker.unref();
      }
    }
    if (closed) throw new RadarError("disposed", `the device was disposed before ${task.what} had finished`);
    if (deaths > 0) throw new RadarError("failed", `${task.what} failed: a worker died`, { what: task.what });
    if (Atomics.load(w, at("failed")) !== 0) throw new RadarError("failed", `${task.what} failed: its kernel trapped`, { what: task.what });
    if (task.signal?.aborted) throw new RadarError("aborted", `${task.what} was aborted`, { what: task.what }, task.signal.reason);
  };

  return {
    units: count,
    load: (module) =>
      inTurn(async () => {
        const known = modules.indexOf(module);
        if (known >= 0) return known;
        await Promise.all(units.map(({ ready }) => ready));
        if (closed) throw new RadarError("disposed", "the device was disposed");
        modules.push(module);
        await Promise.all(
          units.map(async (made, i) => {
            made.worker.ref();
            wake(i, leave);
            made.ready = ask(i, made, { module });
            // Where the worker died, the one that replaces it loads all modules.
            await made.ready.catch(() => made.ready);
            made.worker.unref();
          }),
        );
        return modules.length - 1;
      }),
    run: (task, chosen) => inTurn(() => runTask(task, chosen)),
    killForTest: (unit) => units[unit].worker.terminate(),
    close,
  };
}

/** Place of an exported function among those of its module: what a worker knows it by. */
function entryNumber(module: WebAssembly.Module, entry: string): number {
  return WebAssembly.Module.exports(module)
    .filter(({ kind }) => kind === "function")
    .findIndex(({ name }) => name === entry);
}

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
