/**
 * The discrete-event core of the simulator. Tasks request units, wait, compute and finish in exact order. It calls an observer for each
 * event and stores no history; other modules make traces, summaries and checks. Requests and releases are handled one at a time, as a lock
 * does: after each, the first request in the queue gets units if there are any. Arguments must have been checked.
 */
import { createRandom } from "@dechirp/core";
import type { WcetTable } from "../model.ts";
import { grantIndex } from "../permitted.ts";

/** One copy of a task, as the engine needs it. */
export interface EngineTask {
  /** S, ascending. A broken scheduler may leave out 1. */
  readonly sizes: readonly number[];
  /** L[k] for each of `sizes`, in an array of its own, as it is read once per job. */
  readonly times: readonly number[];
  /** L[1]. */
  readonly alone: number;
  readonly period: number | undefined;
}

/** Creates the engine's form of a task. Its copies can share it. */
export const engineTask = (wcet: WcetTable, sizes: readonly number[], period?: number): EngineTask => ({
  sizes,
  times: sizes.map((k) => wcet[k]),
  alone: wcet[1],
  period,
});

/** Options of `runEvents`. They must have been checked. */
export interface EngineOptions {
  readonly units: number;
  /** One for each copy. */
  readonly tasks: readonly EngineTask[];
  readonly seed: number;
  readonly lifo: boolean;
  readonly jobsPerTask: number;
  /** The time of a job is uniform between this share of its WCET and the WCET. */
  readonly leastShare: number;
  /** The mean pause before the next request, as a multiple of L[1]. Pauses are uniform between 0 and twice the mean. */
  readonly think: number;
  readonly sporadic: boolean;
  /**
   * Limits: the number of requests of each task, the time in microseconds of the last request, and the number of finished jobs after which
   * the simulation ends.
   */
  readonly jobs: number;
  readonly horizon: number;
  readonly total: number;
}

/** Callbacks of the engine. A slot is one of the `jobsPerTask` jobs that a task may have outstanding: slot = task · jobsPerTask + index. */
export interface Observer {
  granted(slot: number, size: number, now: number, until: number): void;
  finished(slot: number, job: number, requested: number, granted: number, now: number): void;
}

/** Number of events between two yields, which take about a millisecond. */
const pieceEvents = 1024;

/**
 * Runs the simulation, yielding now and then, and returns the time of its end in microseconds. Equal options give equal events. An event
 * takes O(log slots) time.
 */
export function* runEvents(options: EngineOptions, observer: Observer): Generator<void, number> {
  const { units, tasks, lifo, jobsPerTask, leastShare, think, sporadic, jobs, horizon, total } = options;
  const random = createRandom(options.seed);
  const slots = tasks.length * jobsPerTask;
  const requested = new Float64Array(slots);
  const granted = new Float64Array(slots);
  const size = new Int32Array(slots); // 0 while the slot waits or pauses
  const job = new Int32Array(slots);
  const asked = new Int32Array(tasks.length);
  const agenda = new Agenda(slots);
  // A ring buffer for both policies: FIFO takes from `first`, LIFO from `first + waiting − 1`.
  const queue = new Int32Array(slots);
  let first = 0;
  let waiting = 0;
  let idle = units;
  let finished = 0;
  let now = 0;

  /** Schedules the slot's next request at `time`, unless a limit is reached. */
  const ask = (slot: number, time: number): void => {
    const task = Math.floor(slot / jobsPerTask);
    if (asked[task] >= jobs || time > horizon) return;
    job[slot] = asked[task]++;
    agenda.add(slot, time);
  };

  const order = Array.from({ length: slots }, (_, slot) => slot);
  for (let i = slots - 1; i > 0; i--) {
    const j = Math.floor(random.uniform() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  for (const slot of order) ask(slot, sporadic ? tasks[Math.floor(slot / jobsPerTask)].period! * random.uniform() : 0);

  /** Handles events until there are none, enough jobs have finished, or the piece is full. */
  const piece = (): void => {
    for (let events = 0; events < pieceEvents && !agenda.empty && finished < total; events++) handle();
  };
  const handle = (): void => {
    const slot = agenda.take();
    const task = tasks[Math.floor(slot / jobsPerTask)];
    now = agenda.time[slot];
    if (size[slot] === 0) {
      requested[slot] = now;
      queue[(first + waiting++) % slots] = slot;
    } else {
      idle += size[slot];
      size[slot] = 0;
      finished++;
      observer.finished(slot, job[slot], requested[slot], granted[slot], now);
      const pause = think > 0 ? 2 * think * task.alone * random.uniform() : 0;
      ask(slot, sporadic ? Math.max(now, requested[slot] + task.period! * (1 + random.uniform())) : now + pause);
    }
    while (waiting > 0 && idle > 0) {
      const next = queue[lifo ? (first + waiting - 1) % slots : first];
      const { sizes, times } = tasks[Math.floor(next / jobsPerTask)];
      const index = grantIndex(sizes, idle);
      if (index < 0) break;
      const k = sizes[index];
      waiting--;
      if (!lifo) first = (first + 1) % slots;
      idle -= k;
      size[next] = k;
      granted[next] = now;
      const share = leastShare < 1 ? leastShare + (1 - leastShare) * random.uniform() : 1;
      agenda.add(next, now + share * times[index]);
      observer.granted(next, k, now, agenda.time[next]);
    }
  };
  while (!agenda.empty && finished < total) {
    piece();
    yield;
  }
  return now;
}

/** A binary heap of slots, ordered by time and then by insertion. A slot is in it at most once. */
class Agenda {
  readonly time: Float64Array;
  readonly #turn: Float64Array;
  readonly #heap: Int32Array;
  #length = 0;
  #turns = 0;

  constructor(slots: number) {
    this.time = new Float64Array(slots);
    this.#turn = new Float64Array(slots);
    this.#heap = new Int32Array(slots);
  }

  get empty(): boolean {
    return this.#length === 0;
  }

  add(slot: number, time: number): void {
    this.time[slot] = time;
    this.#turn[slot] = this.#turns++;
    const heap = this.#heap;
    let at = this.#length++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(slot, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = slot;
  }

  /** Removes and returns the earliest slot. The heap must not be empty. */
  take(): number {
    const heap = this.#heap;
    const earliest = heap[0];
    const last = heap[--this.#length];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#length) break;
      if (child + 1 < this.#length && this.#before(heap[child + 1], heap[child])) child++;
      if (!this.#before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return earliest;
  }

  #before(a: number, b: number): boolean {
    return this.time[a] < this.time[b] || (this.time[a] === this.time[b] && this.#turn[a] < this.#turn[b]);
  }
}
