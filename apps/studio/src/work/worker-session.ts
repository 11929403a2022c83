/**
 * A worker of a task as an object with asynchronous methods. A worker whose file can't be loaded, or that dies, ends every call that waits for
 * it with an error, so that nothing hangs.
 */
import { RadarError } from "@dechirp/core";
import { type Remote, wrap } from "comlink";
import "./wire.ts";

/** An open worker. */
export interface WorkerSession<Api> {
  /** The worker's functions, which return promises. */
  readonly api: Remote<Api>;
  /** Resolves with the result of a call, or rejects if the worker dies before. */
  readonly settled: <T>(call: Promise<T>) => Promise<T>;
  /** Ends the worker. Calls that wait reject with `disposed`. */
  close(): void;
}

/** Wraps a worker, whose file calls `expose(api)` of Comlink. */
export function openSession<Api>(worker: Worker): WorkerSession<Api> {
  let ended: RadarError | undefined;
  /** Rejects the calls that wait. A race with one promise for all calls would keep the results of all. */
  const waiting = new Set<(error: RadarError) => void>();
  const end = (error: RadarError): void => {
    ended ??= error;
    for (const reject of waiting) reject(ended);
    waiting.clear();
  };
  worker.onerror = (event) => {
    event.preventDefault();
    end(new RadarError("failed", `the worker of this task ended: ${event.message || "its file could not be loaded"}`));
  };
  return {
    api: wrap<Api>(worker),
    settled: (call) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting.add(reject);
        call.then(resolve, reject).finally(() => waiting.delete(reject));
      }),
    close() {
      worker.terminate();
      end(new RadarError("disposed", "the worker of this task was closed"));
    },
  };
}
