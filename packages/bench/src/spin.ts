/**
 * Measures how many cores this machine really provides: a fixed amount of arithmetic in one thread, and in several at once. On a shared
 * host, two threads may get the time of one, and a scaling test would then measure the host.
 */
import { Worker } from "node:worker_threads";

const source = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", () => {
  const start = performance.now();
  let x = 1;
  for (let i = 0; i < 6e7; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0;
  parentPort.postMessage({ milliseconds: performance.now() - start, x });
});
`;

/** A note for a report: how many of `threads` cores are available now. */
export async function coresNote(threads: number): Promise<Readonly<Record<string, string>>> {
  const cores = threads < 2 ? 1 : await coresGiven(threads);
  return { [`${cores.toFixed(2)} of ${threads} cores were given`]: "by a spin in as many threads just before" };
}

/** How many cores' worth of work `threads` threads get done at once, which is `threads` on an idle machine. Median of 5 turns. */
async function coresGiven(threads: number): Promise<number> {
  const workers = Array.from({ length: threads }, () => new Worker(source, { eval: true }));
  const spin = (worker: Worker): Promise<number> =>
    new Promise((resolve) => {
      worker.once("message", ({ milliseconds }: { milliseconds: number }) => resolve(milliseconds));
      worker.postMessage(0);
    });
  try {
    await Promise.all(workers.map(spin));
    const ratios: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const alone = await spin(workers[0]);
      const together = await Promise.all(workers.map(spin));
      ratios.push((threads * alone) / Math.max(...together));
    }
    return ratios.sort((a, b) => a - b)[2];
  } finally {
    for (const worker of workers) void worker.terminate();
  }
}
