/**
 * The program of a worker, as text. It must start in Node and in browsers, bundled or not, so it can't be a file of its own. It is plain
 * JavaScript without imports; `host` is the port to the device's thread. The layout of the words that it shares with pool.ts comes with
 * its first message.
 */

import { tableStart } from "./wasm/kernels.ts";

/**
 * The words of a unit. `turn` counts wake-ups; an idle worker waits on it. `job` is the index of its job's words. `busy` is 1 from the
 * hand-over until the unit's part is done. `owner` is the ticket of the task while the unit works for it, else 0.
 */
export const unitWords = { turn: 0, job: 1, busy: 2, owner: 3, size: 16 } as const;

/** Values of a job's word `failed`. `owned + u` means that unit u was not free or was not left as it was. */
export const failures = { none: 0, trapped: 1, owned: 2 } as const;

/** Instead of a job: tells the worker to leave its loop and to listen for a message. */
export const leave = -1;

/** The worker's program. */
export const workerSource = `
"use strict";
let memory, words, unit, unitWords, jobWords, table;
const entries = [], places = [];
function instantiate(module, number = entries.length) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, table, abort() { throw new Error("abort"); } } });
  const functions = Object.values(exports).filter((value) => typeof value === "function");
  if (number === places.length) {
    places.push(table.length);
    if (number > 0) table.grow(functions.length);
  }
  if (number > 0) functions.forEach((f, i) => table.set(places[number] + i, f));
  entries[number] = functions;
}
function fail(job, code) {
  Atomics.compareExchange(words, job + jobWords.failed, ${failures.none}, code);
  Atomics.store(words, job + jobWords.stop, 1);
}
function part(job) {
  const entry = entries[words[job + jobWords.module]][words[job + jobWords.entry]];
  const items = words[job + jobWords.items] >>> 0, chunk = words[job + jobWords.chunk] >>> 0, argument = words[job + jobWords.argument];
  try {
    while (Atomics.load(words, job + jobWords.stop) === 0) {
      const start = Atomics.add(words, job + jobWords.next, 1) * chunk;
      if (start >= items) break;
      entry(argument, start, Math.min(start + chunk, items), unit);
    }
  } catch {
    fail(job, ${failures.trapped});
  }
}
function work(job) {
  const base = unit * unitWords.size, ticket = words[job + jobWords.ticket];
  if (Atomics.compareExchange(words, base + unitWords.owner, 0, ticket) === 0) {
    part(job);
    if (Atomics.compareExchange(words, base + unitWords.owner, ticket, 0) !== ticket) fail(job, ${failures.owned} + unit);
  } else fail(job, ${failures.owned} + unit);
  if (Atomics.exchange(words, base + unitWords.busy, 0) === 1 && Atomics.sub(words, job + jobWords.pending, 1) === 1) Atomics.notify(words, job + jobWords.pending);
}
let turn = 0;
function loop() {
  const base = unit * unitWords.size;
  for (;;) {
    Atomics.wait(words, base + unitWords.turn, turn);
    const now = Atomics.load(words, base + unitWords.turn);
    if (now === turn) continue;
    turn = now;
    const job = Atomics.load(words, base + unitWords.job);
    if (job === ${leave}) return;
    work(job);
  }
}
host.onMessage((message) => {
  try {
    if (message.memory) {
      ({ memory, unit, unitWords, jobWords } = message);
      table = new WebAssembly.Table({ initial: ${tableStart}, element: "anyfunc" });
      words = new Int32Array(memory.buffer, message.address, message.words);
      for (const module of message.modules) instantiate(module);
    } else {
      instantiate(message.module, message.number);
    }
    host.post({});
  } catch (error) {
    host.post({ error: String(error) });
  }
  loop();
});
`;
