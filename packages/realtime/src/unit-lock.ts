/**
 * The lock of the FIFO SMLP over ℋ units (section III-A of the paper). It serves requests in order. As soon as one unit is idle, the first
 * request gets the largest permitted number of units that are idle, lowest numbers first; it never waits for more. The lock only does the
 * bookkeeping, on one thread. The caller decides what the units are.
 *
 * A release and the next grant happen in the same synchronous call: with `request`, the next holder is called inside `release`.
 */
import { inputError, RadarError } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";
import { grantSize } from "./permitted.ts";
import { UnitMap } from "./unit-map.ts";
import { checkInteger, maxUnits } from "./validate.ts";

/** Units that a task holds until it passes this same object to `release`. */
export interface Grant {
  /** Id of the task. */
  readonly task: string;
  /** Unit numbers, ascending. */
  readonly units: readonly number[];
}

/** Options of a request for units. */
export interface AcquireOptions {
  /** Removes the request from the queue while it waits. Has no effect after the grant. */
  readonly signal?: AbortSignal | undefined;
}

/** The callbacks of a request for units. */
export interface LockRequest extends AcquireOptions {
  /** Called once with the units, inside `request` or inside the `release` that made room. Must not throw. */
  granted(grant: Grant): void;
  /** Called once instead of `granted`, with the error `aborted` or `disposed`. Must not throw. */
  refused(error: RadarError): void;
}

/** The lock. Disposing it refuses all waiting requests with `disposed`; units that are held can still be released. */
export interface UnitLock extends Disposable {
  /** ℋ, the number of units. */
  readonly units: number;
  /** The number of units that nobody holds. */
  readonly idle: number;
  /** The number of requests in the queue. */
  readonly waiting: number;
  /**
   * Requests units for a task and resolves when it gets them. `sizes` is S: distinct integers from 1 to ℋ, including 1, in any order.
   * Rejects with `input` if `sizes` are invalid or the task already waits for units or holds some, with `aborted`, and with `disposed`.
   */
  acquire(task: string, sizes: readonly number[], options?: AcquireOptions): Promise<Grant>;
  /**
   * As `acquire`, but calls `granted` or `refused` synchronously instead of resolving a promise. Throws `input` and, after disposal,
   * `disposed`.
   */
  request(task: string, sizes: readonly number[], request: LockRequest): void;
  /**
   * Releases units and serves the requests that can then be granted. Throws `input` if the grant was released already or belongs to
   * another lock.
   */
  release(grant: Grant): void;
}

interface Waiting {
  readonly task: string;
  readonly sizes: readonly number[];
  readonly request: LockRequest;
  /** Stops listening to the request's signal. */
  readonly stopListening: () => void;
}

/** Creates a lock over units 0 … `units` − 1, all idle. Throws `input`. */
export function createUnitLock(units: number): UnitLock {
  checkInteger(units, "units", 1, maxUnits);
  const map = new UnitMap(units);
  const queue: Waiting[] = [];
  const held = new Set<Grant>();
  const released = new WeakSet<Grant>();
  /** Tasks that wait for units or hold some. */
  const outstanding = new Set<string>();
  let idle = units;
  let granting = false;
  let disposed = false;

  // If `granted` releases its units at once, `release` returns here early and this loop serves the next request.
  const grant = (): void => {
    if (granting) return;
    granting = true;
    try {
      for (let next = queue[0]; next !== undefined && idle > 0; next = queue[0]) {
        queue.shift();
        next.stopListening();
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
    if (disposed) throw new RadarError("disposed", `the lock was disposed before ${task} requested units`, { task });
    if (typeof task !== "string" || task === "") throw inputError("task", "a name", task);
    const sizes = checkSizes(given, units, "sizes");
    if (outstanding.has(task)) throw inputError("task", "a task without an outstanding request", task);
    const { signal } = asked;
    const aborted = (): RadarError => new RadarError("aborted", `the request of ${task} was aborted`, { task }, signal?.reason);
    if (signal?.aborted) return asked.refused(aborted());
    const stopListening = onAbort(signal, () => {
      queue.splice(queue.indexOf(waiting), 1);
      refuse(waiting, aborted());
    });
    const waiting: Waiting = { task, sizes, request: asked, stopListening };
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
        throw inputError(
          "grant",
          released.has(given) ? "a grant that is still held; this one was released before" : "a grant of this lock",
          given,
        );
      released.add(given);
      outstanding.delete(given.task);
      map.give(given.units);
      idle += given.units.length;
      grant();
    },
    [Symbol.dispose]() {
      disposed = true;
      const left = queue.splice(0);
      // Removes all listeners first, as a callback may fire the signal of another request.
      for (const { stopListening } of left) stopListening();
      for (const waiting of left)
        refuse(waiting, new RadarError("disposed", `the lock was disposed while ${waiting.task} waited`, { task: waiting.task }));
    },
  };
}

/** Returns S ascending. Throws `input` that names `field` unless `sizes` are distinct integers from 1 to `units` and include 1. */
export function checkSizes(sizes: readonly number[], units: number, field: string): readonly number[] {
  if (!Array.isArray(sizes)) throw inputError(field, "a list of numbers of units", sizes);
  let ascending = true;
  for (let i = 0; i < sizes.length; i++) {
    const k = sizes[i];
    if (!Number.isInteger(k) || k < 1 || k > units) throw inputError(`${field}[${i}]`, `an integer from 1 to ${units}`, k);
    ascending &&= i === 0 || k > sizes[i - 1];
  }
  // A copy, so that later changes of the caller's array have no effect.
  const sorted = [...sizes];
  if (!ascending) sorted.sort((a, b) => a - b);
  if (sorted[0] !== 1) throw inputError(field, "numbers of units that include 1", sizes);
  if (!ascending && sorted.some((k, i) => k === sorted[i - 1])) throw inputError(field, "distinct numbers of units", sizes);
  return sorted;
}
