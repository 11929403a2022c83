/** Abort signals for work that several parties may stop, and for promises of code that may ignore a signal. */
import { throwIfAborted } from "@dechirp/core";
import { onAbort } from "@dechirp/core/internal";

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

/** Settles as `work` does, or rejects with `aborted` as soon as `signal` fires. `what` names the work. */
export async function unlessAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  let stopListening = (): void => {};
  const aborted = new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    else stopListening = onAbort(signal, resolve);
  });
  try {
    const first = await Promise.race([aborted.then(() => undefined), Promise.resolve(work).then((value) => ({ value }))]);
    throwIfAborted(signal, what);
    if (first === undefined) throw new Error("a signal fired that is not aborted");
    return first.value;
  } finally {
    stopListening();
  }
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
