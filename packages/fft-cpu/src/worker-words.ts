/**
 * What a pool (pool.ts) and its workers (worker.ts) share: the layout of words in their shared memory, and the messages. Workers get the
 * layout with the first message, so that worker.ts imports nothing.
 */
import { tableStart } from "./wasm/kernels.ts";

/**
 * The words of a unit. `turn` counts wake-ups; an idle worker waits on it. `job` is the index of its job's words. `busy` is a value
 * of `busy`. `owner` is the ticket of the task while the unit works for it, else 0.
 */
export const unitWords = { turn: 0, job: 1, busy: 2, owner: 3, size: 16 } as const;

/**
 * Values of a unit's word `busy`: nothing to do; it has begun. In between it is the ticket of the task that was given to it. A unit begins
 * only by exchanging the ticket that it read in the job's words, because these may belong to another task when it was slow. The first unit
 * that finds nothing left of a job takes it back from those that have not begun, so that nobody waits for a thread that the system has not
 * let run yet.
 */
export const busy = { no: 0, begun: -1 } as const;

/**
 * The words of a job, which the units of one task share. `next` counts chunks, so it never exceeds 32 bits. `ticket` identifies the task
 * in owner and busy words, and is positive.
 */
export const jobWords = {
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

/** Values of a job's word `failed`. `owned + u` means that unit u was not free or was not left as it was. */
export const failures = { none: 0, trapped: 1, owned: 2 } as const;

/** Instead of a job: tells the worker to leave its loop and to listen for a message. */
export const leave = -1;

/** Everything about the shared memory that a worker must know. */
export const workerLayout = { unitWords, jobWords, busy, failures, leave, tableStart } as const;

/** The first message to a worker. The words are at `address` of the memory. */
export interface Setup {
  readonly memory: WebAssembly.Memory;
  readonly address: number;
  readonly words: number;
  readonly unit: number;
  /** How many units there are. */
  readonly units: number;
  readonly layout: typeof workerLayout;
  readonly modules: readonly WebAssembly.Module[];
}

/** A later message: a module to load, in place of the one with this number or as the next one. */
export interface ModuleToLoad {
  readonly module: WebAssembly.Module;
  readonly number: number;
}

/** The answer to every message. */
export interface WorkerAnswer {
  readonly error?: string;
}
