/** Runs work again whenever its inputs change, cancels what has become outdated, and keeps the last result until there is a new one. */
import { isRadarError } from "@dechirp/core";
import { useEffect, useRef, useState } from "preact/hooks";

/** How the work is. */
export interface Latest<T> {
  /** The last result. Stays while newer work is under way. */
  readonly value?: T;
  readonly error?: unknown;
  readonly isBusy: boolean;
}

/**
 * Calls `work` when one of `inputs` has changed, and aborts the call before. Changes that come while work is under way are combined: once it has
 * ended, the newest inputs are used. So a slider that moves all the time still gives results.
 */
export function useLatest<T>(work: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Latest<T> {
  const [state, setState] = useState<Latest<T>>({ isBusy: true });
  const queue = useRef<{ wanted: (() => Promise<void>) | undefined; running: boolean; isGone: boolean }>({
    wanted: undefined,
    running: false,
    isGone: false,
  });
  const controller = useRef<AbortController>(undefined);
  useEffect(() => {
    const current = queue.current;
    current.isGone = false;
    current.wanted = async () => {
      controller.current = new AbortController();
      try {
        const value = await work(controller.current.signal);
        if (!current.isGone) setState({ value, isBusy: current.wanted !== undefined });
      } catch (error) {
        if (!current.isGone && !isRadarError(error, "aborted")) {
          setState(({ value }) => ({ ...(value !== undefined && { value }), error, isBusy: current.wanted !== undefined }));
        }
      }
    };
    setState(({ value, error }) => ({ ...(value !== undefined && { value }), error, isBusy: true }));
    void drain();
  }, inputs);
  useEffect(
    () => () => {
      queue.current.isGone = true;
      queue.current.wanted = undefined;
      controller.current?.abort();
    },
    [],
  );
  async function drain(): Promise<void> {
    const current = queue.current;
    if (current.running) return;
    current.running = true;
    while (current.wanted) {
      const next = current.wanted;
      current.wanted = undefined;
      await next();
    }
    current.running = false;
  }
  return state;
}
