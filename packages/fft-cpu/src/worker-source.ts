/**
 * What a worker of the pool runs, as text: it must start in Node and in browsers alike, from a bundle or not, so it can be
 * no file of its own. Plain JavaScript without imports; `host` is the port to the device's thread. The words it shares
 * with pool.ts come with its first message.
 */

import { tableStart } from "./wasm/kernels.ts";

/**
 * Words of a unit: `turn` counts wake-ups and is what an idle worker waits on, `job` says where its job's words are, `busy` is 1
 * from hand-over until its part is done, `owner` is the ticket of the task that it works for while it does, else 0.
 */
export const unitWords = { turn: 0, job: 1, busy: 2, owner: 3, size: 16 } as const;

/** What a job's word `failed` may say: a unit u that was not free, or not left as it was, is `owned + u`. */
export const failures = { none: 0, trapped: 1, owned: 2 } as const;

/** In place of a job: leave the loop and listen for a message. */
export const leave = -1;

export const workerSource = `
"use strict";
let memory, words, unit, unitWords, jobWords, table;
const entries = [];
function instantiate(module) {
  const { exports } = new WebAssembly.Instance(module, { env: { memory, table, abort() { throw new Error("abort"); } } });
  const functions = Object.values(exports).filter((value) => typeof value === "function");
  const place = table.length;
  if (entries.length > 0) {
    table.grow(functions.length);
    functions.forEach((f, i) => table.set(place + i, f));
  }
  entries.push(functions);
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
      instantiate(message.module);
    }
    host.post({});
  } catch (error) {
    host.post({ error: String(error) });
  }
  loop();
});
`;
