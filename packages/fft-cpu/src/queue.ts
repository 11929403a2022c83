/**
 * The order in which a CPU device does things. Jobs run one after another: on this thread in slices of a few milliseconds,
 * between which the event loop gets its turn, so that a long transform leaves timers, progress bars and Ctrl-C alive; or
 * elsewhere (a pool of workers), while this thread waits without blocking. This file knows nothing of arrays.
 */
import { isRadarError, RadarError, throwIfAborted } from "@dechirp/core";

/** Work for somebody else. */
export interface DelegatedJob {
  readonly what: string;
  start(): Promise<void>;
}

/** Work for this thread. */
export interface Job {
  readonly what: string;
  /** Independent pieces of work. */
  readonly items: number;
  /** Does pieces `start` (inclusive) to `end` (exclusive). */
  run(start: number, end: number): void;
  /** Pieces to begin with; 1 where their cost is unknown. */
  readonly slice?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Queue {
  /** Settles when the job is done. Rejects with `aborted`, with `disposed` after `close`, or with what the job threw. */
  push(job: Job | DelegatedJob): Promise<void>;
  /** Whether nothing is queued or running. */
  readonly idle: boolean;
  ready(): Promise<void>;
  close(): void;
}

/** How long a turn may keep the event loop waiting, and how long one slice should take. */
const turnMilliseconds = 12;
const sliceMilliseconds = 4;

interface Waiting {
  readonly job: Job | DelegatedJob;
  started: boolean;
  next: number;
  slice: number;
  resolve(): void;
  reject(error: unknown): void;
}

export function createQueue(): Queue {
  const waiting: Waiting[] = [];
  let scheduled = false;
  let yielded = 0;
  let closed = false;

  const turn = (): void => {
    scheduled = false;
    const until = performance.now() + turnMilliseconds;
    while (waiting.length > 0) {
      const entry = waiting[0];
      if ("start" in entry.job) return delegate(entry, entry.job);
      try {
        if (advance(entry, entry.job, until)) entry.resolve();
        else return schedule();
      } catch (error) {
        entry.reject(asRadarError(error, entry.job.what));
      }
      waiting.shift();
      if (performance.now() > until && waiting.length > 0) return schedule();
    }
  };

  const delegate = (entry: Waiting, job: DelegatedJob): void => {
    if (entry.started) return;
    entry.started = true;
    job
      .start()
      .then(entry.resolve, (error: unknown) => entry.reject(asRadarError(error, job.what)))
      .then(() => {
        if (waiting[0] !== entry) return; // closed meanwhile
        waiting.shift();
        if (waiting.length > 0 && !scheduled) start();
      });
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    soon(() => {
      yielded = performance.now();
      turn();
    });
  };

  // A caller that awaits one short job after another lives in microtasks alone, and needs a break as well.
  const start = (): void => {
    if (performance.now() - yielded > turnMilliseconds) return schedule();
    scheduled = true;
    queueMicrotask(turn);
  };

  const push = (job: Job | DelegatedJob): Promise<void> => {
    if (closed) return Promise.reject(new RadarError("disposed", `the device was disposed before ${job.what}`));
    return new Promise<void>((resolve, reject) => {
      waiting.push({ job, started: false, next: 0, slice: ("slice" in job && job.slice) || 1, resolve, reject });
      if (waiting.length === 1 && !scheduled) start();
    });
  };

  return {
    get idle() {
      return waiting.length === 0;
    },
    push,
    ready: () => push({ what: "what was queued", items: 0, run: () => {} }),
    close() {
      closed = true;
      for (const { job, reject } of waiting.splice(0))
        reject(new RadarError("disposed", `the device was disposed before ${job.what} had finished`));
    },
  };
}

/** Works on a job until it is done (true) or `until` has passed (false); slices grow and shrink with the time they take. */
function advance(entry: Waiting, job: Job, until: number): boolean {
  let now = performance.now();
  while (entry.next < job.items) {
    throwIfAborted(job.signal, job.what);
    const end = Math.min(entry.next + entry.slice, job.items);
    job.run(entry.next, end);
    entry.next = end;
    const after = performance.now();
    if (after - now < sliceMilliseconds / 2) entry.slice *= 2;
    else if (after - now > sliceMilliseconds && entry.slice > 1) entry.slice >>>= 1;
    now = after;
    if (now > until && entry.next < job.items) return false;
  }
  return true;
}

function asRadarError(error: unknown, what: string): RadarError {
  if (isRadarError(error)) return error;
  return new RadarError("failed", `${what} failed: ${error instanceof Error ? error.message : String(error)}`, { what }, error);
}

/** Calls back after the event loop had its turn; a browser's timers would add milliseconds, a message does not. */
function soon(callback: () => void): void {
  const host = globalThis as { setImmediate?: (callback: () => void) => unknown };
  if (host.setImmediate) {
    host.setImmediate(callback);
    return;
  }
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    callback();
  };
  port2.postMessage(0);
}
