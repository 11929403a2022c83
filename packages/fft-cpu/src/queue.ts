/**
 * The order of a CPU device's work. A job names the resources that it uses. It starts as soon as no earlier unfinished job uses the same
 * resources, so independent jobs overlap and dependent jobs keep their order.
 *
 * A job runs on workers, while this thread waits without blocking, or on this thread. On this thread jobs run one at a time, in slices of
 * a few milliseconds with turns of the event loop in between, so that timers, progress bars and Ctrl-C work during a long transform. The
 * queue knows nothing of arrays, plans and units; they are resources to it.
 *
 * A resource knows its last writer and the readers after it; a job knows the jobs that wait for it. Queueing and finishing a job
 * therefore cost as much as the number of its resources, however many jobs are queued.
 */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { afterTurn, asRadarError } from "@dechirp/core/backend";

/** Something that jobs must not use at the same time unless all of them only read it. Only the queue changes its fields. */
export interface Resource {
  /** The last job that writes it, while unfinished. */
  writer: Entry | undefined;
  /** The unfinished jobs after `writer` that read it. */
  readonly readers: Set<Entry>;
}

/** Makes a resource that no job uses. */
export const createResource = (): Resource => ({ writer: undefined, readers: new Set() });

/** Whether an unfinished job reads or writes the resource. */
export const inUse = ({ writer, readers }: Resource): boolean => writer !== undefined || readers.size > 0;

/** The resources of a job. */
export interface Uses {
  readonly reads: readonly Resource[];
  /**
   * Resources that no other job may use during the job: arrays that it writes, units, the words of a plan. They may be in `reads` too.
   */
  readonly writes: readonly Resource[];
}

/** A job that runs elsewhere, for example on workers. */
export interface DelegatedJob {
  readonly what: string;
  readonly uses: Uses;
  /** Starts the job. It is called during `push` if the job needs to wait for nothing. */
  start(): Promise<void>;
}

/** A job that runs on this thread. */
export interface Job {
  readonly what: string;
  readonly uses: Uses;
  /** Number of independent pieces of work. */
  readonly items: number;
  /** Does the pieces from `start` to `end` − 1. */
  run(start: number, end: number): void;
  /** Used instead of `run` if one piece may block the event loop too long: does the same and yields in between. */
  steps?(start: number, end: number): Generator<void>;
  /** Number of pieces of the first slice. Default: 1. */
  readonly slice?: number;
  /**
   * Whether the job is so short that it may be done between two slices of another, as a small read. It then does not wait for the jobs
   * before it in the line, on whose results it does not depend. Default: false.
   */
  readonly quick?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The queue of one device. */
export interface Queue {
  /** Queues a job. Resolves when it is done. Rejects with `aborted`, with `disposed` after `close`, or with the job's error. */
  push(job: Job | DelegatedJob): Promise<void>;
  /** Resolves when all jobs queued before have finished or failed. Rejects with `disposed` after `close`. */
  ready(): Promise<void>;
  /** Rejects all unfinished jobs with `disposed`. */
  close(): void;
}

/** The longest time without a turn of the event loop, and the intended time of one slice. */
const turnMilliseconds = 12;
const sliceMilliseconds = 4;

/** An unfinished job. */
interface Entry {
  readonly job: Job | DelegatedJob;
  /** Number of earlier jobs that it waits for. A job is counted once for every resource that they share. */
  missing: number;
  /** Later jobs that wait for it. */
  readonly followers: Entry[];
  /** The next job in the line for this thread. */
  behind: Entry | undefined;
  next: number;
  slice: number;
  /** The current slice of a job that has `steps`. */
  work?: Generator<void> | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/** Makes an empty queue. */
export function createQueue(): Queue {
  const unfinished = new Set<Entry>();
  /** The first and last of the jobs that may run on this thread, in order. */
  let first: Entry | undefined;
  let last: Entry | undefined;
  /** Quick jobs that may run on this thread, before all others. */
  let quick: Entry[] = [];
  /** Delegated jobs that may start after the next turn of the event loop. */
  let held: Entry[] = [];
  /** Number of delegated jobs that are running. */
  let away = 0;
  /** Time of the first work since the last turn of the event loop. Undefined if nothing was done since. */
  let began: number | undefined;
  /** Whether `turn` is scheduled or running. */
  let called = false;
  let closed = false;

  const since = (): number => {
    if (began === undefined) {
      began = performance.now();
      afterTurn(() => {
        began = undefined;
        if (called) turn();
      });
    }
    return began;
  };

  /**
   * Whether the event loop must have a turn first. A caller that awaits one short job after another runs in microtasks only, and would
   * never give it one.
   */
  const mustYield = (): boolean => began !== undefined && performance.now() - began > turnMilliseconds;

  const turn = (): void => {
    const end = since() + turnMilliseconds;
    for (const entry of held.splice(0)) start(entry);
    // The ends of delegated jobs are noticed only between turns.
    const until = away > 0 ? Math.min(end, performance.now() + sliceMilliseconds) : end;
    const done = workUntil(until);
    called = !done || held.length > 0;
  };

  /** Works on the jobs in the line until none is left (returns true) or `until` has passed (returns false). */
  const workUntil = (until: number): boolean => {
    for (let entry = quick[0] ?? first; entry; entry = quick[0] ?? first) {
      const job = entry.job as Job;
      try {
        if (!advance(entry, job, until)) return false;
        entry.resolve();
      } catch (error) {
        entry.reject(asRadarError(error, job.what));
      }
      // Both lines are empty if the queue was closed meanwhile.
      if (job.quick) quick.shift();
      else first = first?.behind;
      if (!first) last = undefined;
      finish(entry);
      if ((first || quick.length > 0) && performance.now() > until) return false;
    }
    return true;
  };

  const start = (entry: Entry): void => {
    const job = entry.job as DelegatedJob;
    const ended = (settle: () => void): void => {
      away--;
      settle();
      finish(entry);
    };
    away++;
    job.start().then(
      () => ended(entry.resolve),
      (error: unknown) => ended(() => entry.reject(asRadarError(error, job.what))),
    );
  };

  /** Starts a job, or puts it in the line, when it waits for nothing any more. */
  const admit = (entry: Entry): void => {
    if ("start" in entry.job) {
      if (mustYield()) {
        held.push(entry);
        called = true; // by the turn that `since` has requested
      } else {
        start(entry);
        since();
      }
      return;
    }
    if (entry.job.quick) quick.push(entry);
    else {
      if (last) last.behind = entry;
      else first = entry;
      last = entry;
    }
    if (called) return;
    called = true;
    if (!mustYield()) queueMicrotask(turn);
  };

  const finish = (entry: Entry): void => {
    if (closed) return;
    unfinished.delete(entry);
    const { reads, writes } = entry.job.uses;
    for (const resource of writes) if (resource.writer === entry) resource.writer = undefined;
    for (const resource of reads) resource.readers.delete(entry);
    for (const follower of entry.followers) if (--follower.missing === 0) admit(follower);
  };

  const enter = (job: Job | DelegatedJob, claim: (entry: Entry) => void): Promise<void> => {
    if (closed) return Promise.reject(new RadarError("disposed", `the device was disposed before ${job.what}`));
    return new Promise<void>((resolve, reject) => {
      const slice = ("slice" in job && job.slice) || 1;
      const entry: Entry = { job, missing: 0, followers: [], behind: undefined, next: 0, slice, resolve, reject };
      claim(entry);
      unfinished.add(entry);
      if (entry.missing === 0) admit(entry);
    });
  };

  return {
    push: (job) => enter(job, claimUses),
    ready() {
      const mark: DelegatedJob = { what: "what was queued", uses: { reads: [], writes: [] }, start: () => Promise.resolve() };
      return enter(mark, (entry) => {
        for (const earlier of unfinished) wait(entry, earlier);
      });
    },
    close() {
      closed = true;
      for (const { job, reject } of unfinished)
        reject(new RadarError("disposed", `the device was disposed before ${job.what} had finished`));
      unfinished.clear();
      first = last = undefined;
      quick = [];
      held = [];
    },
  };
}

function wait(entry: Entry, earlier: Entry): void {
  earlier.followers.push(entry);
  entry.missing++;
}

/** Makes a job wait for the earlier jobs that use its resources. */
function claimUses(entry: Entry): void {
  const { reads, writes } = entry.job.uses;
  for (const resource of writes) {
    if (resource.writer === entry) continue; // the job names the resource twice
    // The readers wait for the writer before them, so waiting for the readers is enough.
    if (resource.readers.size > 0) for (const reader of resource.readers) wait(entry, reader);
    else if (resource.writer) wait(entry, resource.writer);
    resource.readers.clear();
    resource.writer = entry;
  }
  for (const resource of reads) {
    if (resource.writer === entry || resource.readers.has(entry)) continue;
    if (resource.writer) wait(entry, resource.writer);
    resource.readers.add(entry);
  }
}

/**
 * Works on a job until it is done (returns true) or `until` has passed (returns false). The number of items per slice grows and shrinks
 * with the time that slices take.
 */
function advance(entry: Entry, job: Job, until: number): boolean {
  let now = performance.now();
  while (entry.next < job.items) {
    throwIfAborted(job.signal, job.what);
    const end = Math.min(entry.next + entry.slice, job.items);
    if (job.steps) {
      entry.work ??= job.steps(entry.next, end);
      while (!entry.work.next().done) {
        throwIfAborted(job.signal, job.what);
        if (performance.now() > until) return false;
      }
      entry.work = undefined;
    } else job.run(entry.next, end);
    entry.next = end;
    const after = performance.now();
    if (after - now < sliceMilliseconds / 2) entry.slice *= 2;
    else if (after - now > sliceMilliseconds && entry.slice > 1) entry.slice >>>= 1;
    now = after;
    if (now > until && entry.next < job.items) return false;
  }
  return true;
}
