/** Abort signals for work that several parties may stop, and for promises of code that may ignore a signal. */
import { throwIfAborted } from "@dechirp/core";
import { onAbort, unlessAborted as raced } from "@dechirp/core/internal";

/** A signal that fires when one of several others does. `release` must be called when the work has ended. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Fires `signal`. */
  abort(reason?: unknown): void;
  /** Stops listening to the other signals. */
  release(): void;
}

/** Makes a signal that fires as soon as one of `signals` fires. */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const stops: (() => void)[] = [];
  for (const one of signals) {
    if (one?.aborted) controller.abort(one.reason);
    else if (one) stops.push(onAbort(one, () => controller.abort(one.reason)));
  }
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => {
      for (const stop of stops) stop();
    },
  };
}

/** Settles as `work` does, or rejects with `aborted` as soon as `signal` fires, also if it has fired. `what` names the work. */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  const value = await raced(work, signal);
  throwIfAborted(signal, what);
  // If it is not that of `work`, the signal has fired, and this line is not reached.
  return value as T;
}

/** Resolves after `milliseconds`. Rejects with `aborted` as soon as `signal` fires. */
export async function delay(milliseconds: number, signal: AbortSignal | undefined, what: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await unlessAborted(
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
      signal,
      what,
    );
  } finally {
    clearTimeout(timer);
  }
}
