/**
 * The FIFO SMLP's lock over ℋ units (section III-A of the paper): requests are served in the order they came; as soon as one unit is
 * idle the first of them gets the largest permitted number of units that is idle, the lowest numbers first, and never waits for
 * more. It is plain bookkeeping on one thread; what the units are is the caller's affair.
 *
 * Nothing between a release and the next grant is asynchronous: with `request` the next holder is told inside `release`.
 */
import { inputError, RadarError } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";
import { grantSize } from "./permitted.ts";
import { UnitMap } from "./unit-map.ts";
import { checkInteger, maxUnits } from "./validate.ts";

/** Units that a task holds until it gives this very object back. */
export interface Grant {
  readonly task: string;
  /** Ascending. */
  readonly units: readonly number[];
}

/** How a request for units can be withdrawn. */
export interface AcquireOptions {
  /** Takes a waiting request out of the queue, whose order stays. Nothing after the grant. */
  readonly signal?: AbortSignal | undefined;
}

/** A request for units that is answered by calls. */
export interface LockRequest extends AcquireOptions {
  /** Called once with the units, inside `request` or inside the `release` that made room. Must not throw. */
  granted(grant: Grant): void;
  /** Called in its place, once, with `aborted` or `disposed`. Must not throw. */
  refused(error: RadarError): void;
}

/** Disposing refuses what waits with `disposed`; what is held can still be released. */
export interface UnitLock extends Disposable {
  /** ℋ. */
  readonly units: number;
  /** Units that nobody holds. */
  readonly idle: number;
  /** Requests in the queue. */
  readonly waiting: number;
  /**
   * Resolves with the units. `sizes` is S: distinct integers from 1 to ℋ, 1 among them, in any order. Rejects with `input` for other
   * sizes and where the task has a request or holds units, `aborted`, `disposed`.
   */
  acquire(task: string, sizes: readonly number[], options?: AcquireOptions): Promise<Grant>;
  /** As `acquire`, but told by calls, at once. Throws `input` and, once disposed, `disposed`. */
  request(task: string, sizes: readonly number[], request: LockRequest): void;
  /** Gives units back and grants what then can be. Throws `input` for what is not held: released already, or of another lock. */
  release(grant: Grant): void;
}

interface Waiting {
  readonly task: string;
  readonly sizes: readonly number[];
  readonly request: LockRequest;
  /** Ends listening to the request's signal, which fires once. */
  readonly deaf: () => void;
}

/** A lock over units 0 … `units` − 1, all idle. Throws `input`. */
export function createUnitLock(units: number): UnitLock {
  checkInteger(units, "units", 1, maxUnits);
  const map = new UnitMap(units);
  const queue: Waiting[] = [];
  const held = new Set<Grant>();
  const released = new WeakSet<Grant>();
  /** Tasks with a request or units. */
  const outstanding = new Set<string>();
  let idle = units;
  let granting = false;
  let disposed = false;

  // A holder that gives its units back within the call that told it of them finds this under way, and is served by it.
  const grant = (): void => {
    if (granting) return;
    granting = true;
    try {
      for (let next = queue[0]; next !== undefined && idle > 0; next = queue[0]) {
        queue.shift();
        next.deaf();
        const made: Grant = { task: next.task, units: map.take(grantSize(next.sizes, idle)) };
        idle -= made.units.length;
        held.add(made);
        next.request.granted(made);
      }
    } finally {
      granting = false;
    }
  };

  const refuse = (waiting: Waiting, error: RadarError): void => {
    outstanding.delete(waiting.task);
    waiting.request.refused(error);
  };

  const request = (task: string, given: readonly number[], asked: LockRequest): void => {
    if (disposed) throw new RadarError("disposed", `the lock was disposed before ${task} asked for units`, { task });
    if (typeof task !== "string" || task === "") throw inputError("task", "a name", task);
    const sizes = checkSizes(given, units, "sizes");
    if (outstanding.has(task)) throw inputError("task", "one without an outstanding request", task);
    const { signal } = asked;
    const aborted = (): RadarError => new RadarError("aborted", `the request of ${task} was aborted`, { task }, signal?.reason);
    if (signal?.aborted) return asked.refused(aborted());
    const deaf = onAbort(signal, () => {
      queue.splice(queue.indexOf(waiting), 1);
      refuse(waiting, aborted());
    });
    const waiting: Waiting = { task, sizes, request: asked, deaf };
    outstanding.add(task);
    queue.push(waiting);
    grant();
  };

  return {
    units,
    get idle() {
      return idle;
    },
    get waiting() {
      return queue.length;
    },
    acquire: (task, sizes, options = {}) =>
      new Promise((granted, refused) => request(task, sizes, { granted, refused, signal: options.signal })),
    request,
    release(given) {
      if (!held.delete(given))
        throw inputError("grant", released.has(given) ? "one that is held, this was released" : "one of this lock", given);
      released.add(given);
      outstanding.delete(given.task);
      map.give(given.units);
      idle += given.units.length;
      grant();
    },
    [Symbol.dispose]() {
      disposed = true;
      const left = queue.splice(0);
      // First all of them: who is told may abort another.
      for (const { deaf } of left) deaf();
      for (const waiting of left)
        refuse(waiting, new RadarError("disposed", `the lock was disposed while ${waiting.task} waited`, { task: waiting.task }));
    },
  };
}

/** S ascending. Throws `input` naming `field` unless it is distinct integers from 1 to `units`, 1 among them. */
export function checkSizes(sizes: readonly number[], units: number, field: string): readonly number[] {
  if (!Array.isArray(sizes)) throw inputError(field, "a list of numbers of units", sizes);
  let ascending = true;
  for (let i = 0; i < sizes.length; i++) {
    const k = sizes[i];
    if (!Number.isInteger(k) || k < 1 || k > units) throw inputError(`${field}[${i}]`, `an integer from 1 to ${units}`, k);
    ascending &&= i === 0 || k > sizes[i - 1];
  }
  // A copy: what the caller does with its own afterwards changes nothing.
  const sorted = [...sizes];
  if (!ascending) sorted.sort((a, b) => a - b);
  if (sorted[0] !== 1) throw inputError(field, "numbers of units with 1 among them", sizes);
  if (!ascending && sorted.some((k, i) => k === sorted[i - 1])) throw inputError(field, "distinct numbers of units", sizes);
  return sorted;
}
