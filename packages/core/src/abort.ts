/**
 * Being told that a signal has fired, by whatever waits: requests, runs, jobs. Many of these share one signal, and hosts take many
 * listeners for a leak and say so; here a signal has one listener while anything waits, and none otherwise.
 */
import { inputError } from "./errors.ts";

export type {} from "./host.ts";

interface Waiting {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const waitingFor = new WeakMap<AbortSignal, Waiting>();

/**
 * Calls `call`, which must not throw, when `signal` fires: once, in the order in which calls were asked for. Returns what ends that, to be
 * called at any time, however often. Of a signal that has fired before, nothing is heard. Throws `input` for what is no signal.
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (!signal) return () => {};
  if (typeof signal.addEventListener !== "function") throw inputError("signal", "an AbortSignal", signal);
  const { calls, listener } = waitingFor.get(signal) ?? listen(signal);
  const own = (): void => call(); // whoever asks twice is called twice
  calls.add(own);
  return () => {
    if (!calls.delete(own) || calls.size > 0) return;
    signal.removeEventListener("abort", listener);
    if (waitingFor.get(signal)?.calls === calls) waitingFor.delete(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const calls = new Set<() => void>();
  const listener = (): void => {
    waitingFor.delete(signal);
    // One that is ended by another's call is not called any more.
    for (const call of calls) {
      calls.delete(call);
      call();
    }
  };
  signal.addEventListener("abort", listener, { once: true });
  const waiting = { calls, listener };
  waitingFor.set(signal, waiting);
  return waiting;
}
