/**
 * The order in which a CPU device does things. A job says what it uses; it starts as soon as no earlier job that has not
 * finished uses the same, so that jobs that share nothing overlap and those that share something keep their order. Jobs run
 * elsewhere (on workers) while this thread waits without blocking, or on this thread, one at a time, in slices of a few
 * milliseconds between which the event loop gets its turn: a long transform leaves timers, progress bars and Ctrl-C alive.
 * This file knows nothing of arrays, plans and units: to it they are resources.
 *
 * A resource remembers its last writer and who reads what that one wrote, a job those that wait for it: queueing a job
 * and finishing it cost no more than what it names, however many are queued.
 */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { afterTurn, asRadarError } from "@dechirp/core/backend";

/** What jobs use and must not use at once, unless all of them only read it. Who uses it is the queue's own affair. */
export interface Resource {
  /** The last job that writes it, until it has finished. */
  writer: Entry | undefined;
  /** Those after it that read and have not finished. */
  readonly readers: Set<Entry>;
}

export const createResource = (): Resource => ({ writer: undefined, readers: new Set() });

/** Whether a job that has not finished reads or writes it. */
export const inUse = ({ writer, readers }: Resource): boolean => writer !== undefined || readers.size > 0;

export interface Uses {
  readonly reads: readonly Resource[];
  /** What no other job may use meanwhile: arrays that are written, units, words of a plan. May be among `reads` as well. */
  readonly writes: readonly Resource[];
}

/** Work for somebody else. */
export interface DelegatedJob {
  readonly what: string;
  readonly uses: Uses;
  /** Called within `push` where nothing stands against it. */
  start(): Promise<void>;
}

/** Work for this thread. */
export interface Job {
  readonly what: string;
  readonly uses: Uses;
  /** Independent pieces of work. */
  readonly items: number;
  /** Does pieces `start` (inclusive) to `end` (exclusive). */
  run(start: number, end: number): void;
  /** In place of `run`: the same, where one piece alone may take longer than the event loop may be kept waiting; it yields within. */
  steps?(start: number, end: number): Generator<void>;
  /** Pieces to begin with; 1 where their cost is unknown. */
  readonly slice?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Queue {
  /** Settles when the job is done. Rejects with `aborted`, with `disposed` after `close`, or with what the job threw. */
  push(job: Job | DelegatedJob): Promise<void>;
  /** Resolves when everything that was queued before has finished, well or not. Rejects with `disposed` after `close`. */
  ready(): Promise<void>;
  close(): void;
}

/** How long the event loop may be kept waiting, and how long one slice should take. */
const turnMilliseconds = 12;
const sliceMilliseconds = 4;

/** A job that has not finished. */
interface Entry {
  readonly job: Job | DelegatedJob;
  /** Earlier jobs that it waits for, each counted once for every resource that they share. */
  missing: number;
  /** Later ones that wait for it. */
  readonly followers: Entry[];
  /** Where it waits for this thread: the one behind it. */
  behind: Entry | undefined;
  next: number;
  slice: number;
  /** The slice under way, where the job has steps. */
  work?: Generator<void> | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

export function createQueue(): Queue {
  const unfinished = new Set<Entry>();
  /** What may start on this thread, in a line. */
  let first: Entry | undefined;
  let last: Entry | undefined;
  /** What may start elsewhere as soon as the event loop has had its turn. */
  let held: Entry[] = [];
  /** How many jobs somebody else is working on. */
  let away = 0;
  /** Since when the event loop has had no turn; nothing where it has had one since anything was done here. */
  let began: number | undefined;
  /** Whether this thread has been asked to go on with its line, or is at it. */
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

  /** A caller that awaits one short job after another lives in microtasks alone: then the event loop needs a turn as well. */
  const mustYield = (): boolean => began !== undefined && performance.now() - began > turnMilliseconds;

  const turn = (): void => {
    const end = since() + turnMilliseconds;
    for (const entry of held.splice(0)) start(entry);
    // The ends of what others do are noticed between turns.
    const until = away > 0 ? Math.min(end, performance.now() + sliceMilliseconds) : end;
    const done = workUntil(until);
    called = !done || held.length > 0;
  };

  /** Works on the jobs in line until there is none (true) or `until` has passed (false). */
  const workUntil = (until: number): boolean => {
    for (let entry = first; entry; entry = first) {
      const job = entry.job as Job;
      try {
        if (!advance(entry, job, until)) return false;
        entry.resolve();
      } catch (error) {
        entry.reject(asRadarError(error, job.what));
      }
      first = first?.behind; // none where the queue was closed meanwhile
      if (!first) last = undefined;
      finish(entry);
      if (first && performance.now() > until) return false;
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

  /** Nothing unfinished stands against it any more. */
  const admit = (entry: Entry): void => {
    if ("start" in entry.job) {
      if (mustYield()) {
        held.push(entry);
        called = true; // by what `since` has asked for
      } else {
        start(entry);
        since();
      }
      return;
    }
    if (last) last.behind = entry;
    else first = entry;
    last = entry;
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
      held = [];
    },
  };
}

function wait(entry: Entry, earlier: Entry): void {
  earlier.followers.push(entry);
  entry.missing++;
}

/** Puts a job behind those whose ends it has to wait for, resource by resource. */
function claimUses(entry: Entry): void {
  const { reads, writes } = entry.job.uses;
  for (const resource of writes) {
    if (resource.writer === entry) continue; // named twice
    // Readers wait for the writer before them: who waits for them waits for it.
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

/** Works on a job until it is done (true) or `until` has passed (false); slices grow and shrink with the time they take. */
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
