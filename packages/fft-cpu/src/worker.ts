/**
 * The entry point `@dechirp/fft-cpu/worker`: the program of a worker of the CPU backend's pool, for pages that start workers from files
 * (`startWorker` of `CpuOptions`). It imports nothing, so a copy of this one file is enough. Where it is not the script of a worker, it
 * does nothing. scripts/build-worker.mjs makes worker-text.ts of it, which is the program for all other hosts.
 */
import type { ModuleToLoad, Setup, WorkerAnswer } from "./worker-words.ts";

type Entry = (argument: number, start: number, end: number, unit: number) => void;

/** One unit of the pool: `load` instantiates a module, `loop` works on tasks. */
function createUnit({ memory, address, words: length, unit, units, layout }: Setup) {
  const { unitWords, jobWords, busy, failures, leave, tableStart } = layout;
  const words = new Int32Array(memory.buffer, address, length);
  const table = new WebAssembly.Table({ initial: tableStart, element: "anyfunc" });
  const base = unit * unitWords.size;
  /** The functions of each module, and where they begin in the table. */
  const entries: (readonly Entry[])[] = [];
  const places: number[] = [];
  let turn = 0;

  const abort = (): never => {
    throw new Error("abort");
  };
  const instantiate = (module: WebAssembly.Module, number: number): void => {
    const { exports } = new WebAssembly.Instance(module, { env: { memory, table, abort } });
    const functions = Object.values(exports).filter((value): value is Entry => typeof value === "function");
    if (number === places.length) {
      places.push(table.length);
      if (number > 0) table.grow(functions.length);
    }
    if (number > 0) for (const [i, f] of functions.entries()) table.set(places[number] + i, f);
    entries[number] = functions;
  };
  const fail = (job: number, code: number): void => {
    Atomics.compareExchange(words, job + jobWords.failed, failures.none, code);
    Atomics.store(words, job + jobWords.stop, 1);
  };
  const part = (job: number): void => {
    const entry = entries[words[job + jobWords.module]][words[job + jobWords.entry]];
    const items = words[job + jobWords.items] >>> 0;
    const chunk = words[job + jobWords.chunk] >>> 0;
    const argument = words[job + jobWords.argument];
    try {
      while (Atomics.load(words, job + jobWords.stop) === 0) {
        const start = Atomics.add(words, job + jobWords.next, 1) * chunk;
        if (start >= items) break;
        entry(argument, start, Math.min(start + chunk, items), unit);
      }
    } catch {
      fail(job, failures.trapped);
    }
  };
  /** Takes back what was handed over to units that have not begun, when nothing is left for them. */
  const excuseOthers = (job: number, ticket: number): void => {
    for (let other = unitWords.busy; other < units * unitWords.size; other += unitWords.size)
      if (words[other] === ticket && Atomics.compareExchange(words, other, ticket, busy.no) === ticket)
        Atomics.sub(words, job + jobWords.pending, 1);
  };
  const work = (job: number): void => {
    const ticket = Atomics.load(words, job + jobWords.ticket);
    if (Atomics.compareExchange(words, base + unitWords.busy, ticket, busy.begun) !== ticket) return;
    if (Atomics.compareExchange(words, base + unitWords.owner, 0, ticket) === 0) {
      part(job);
      if (Atomics.compareExchange(words, base + unitWords.owner, ticket, 0) !== ticket) fail(job, failures.owned + unit);
    } else fail(job, failures.owned + unit);
    excuseOthers(job, ticket);
    if (Atomics.exchange(words, base + unitWords.busy, busy.no) === busy.begun && Atomics.sub(words, job + jobWords.pending, 1) === 1)
      Atomics.notify(words, job + jobWords.pending);
  };
  return {
    load({ module, number }: ModuleToLoad): void {
      // A slow worker may have read `leave` and the turn before it, and must not leave once more. There is no turn before the answer.
      turn = Atomics.load(words, base + unitWords.turn);
      instantiate(module, number);
    },
    /** Works until it is told to leave. */
    loop(): void {
      for (;;) {
        Atomics.wait(words, base + unitWords.turn, turn);
        const now = Atomics.load(words, base + unitWords.turn);
        if (now === turn) continue;
        turn = now;
        const job = Atomics.load(words, base + unitWords.job);
        if (job === leave) return;
        work(job);
      }
    },
  };
}

/** Serves the pool at the other end of a port. */
function serve(post: (answer: WorkerAnswer) => void, listen: (listener: (message: unknown) => void) => void): void {
  let unit: ReturnType<typeof createUnit> | undefined;
  listen((message) => {
    try {
      if (unit) unit.load(message as ModuleToLoad);
      else {
        const setup = message as Setup;
        const made = createUnit(setup);
        for (const [number, module] of setup.modules.entries()) made.load({ module, number });
        unit = made;
      }
      post({});
    } catch (error) {
      post({ error: String(error) });
    }
    unit?.loop();
  });
}

const host = globalThis as typeof globalThis & {
  readonly process?: { getBuiltinModule?(name: "node:worker_threads"): typeof import("node:worker_threads") };
  readonly DedicatedWorkerGlobalScope?: unknown;
};
const threads = host.process?.getBuiltinModule?.("node:worker_threads");
if (threads) {
  const { parentPort, workerData } = threads;
  // Other workers of Node may import this file, too.
  if (parentPort && workerData === "@dechirp/fft-cpu")
    serve(
      (answer) => parentPort.postMessage(answer),
      (listener) => void parentPort.on("message", listener),
    );
} else if (host.DedicatedWorkerGlobalScope)
  serve(
    (answer) => postMessage(answer),
    (listener) => addEventListener("message", ({ data }) => listener(data)),
  );
