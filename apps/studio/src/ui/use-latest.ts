/** Runs work again whenever its inputs change, cancels it with the component, and keeps the last result until there is a new one. */
import { isRadarError } from "@dechirp/core";
import { useEffect, useState } from "preact/hooks";
import { useNewest } from "./newest.ts";

/** How the work is. */
export interface Latest<T> {
  /** The last result. Stays while newer work is under way. */
  readonly value?: T;
  readonly error?: unknown;
  readonly isBusy: boolean;
}

/**
 * Calls `work` when one of `inputs` has changed. Changes that come while work is under way are combined: once it has ended, the newest inputs
 * are used. So a slider that moves all the time still gives results.
 */
export function useLatest<T>(work: (signal: AbortSignal) => Promise<T>, inputs: readonly unknown[]): Latest<T> {
  const [state, setState] = useState<Latest<T>>({ isBusy: true });
  const newest = useNewest();
  useEffect(() => {
    setState((before) => ({ ...before, isBusy: true }));
    newest.request(async (signal) => {
      try {
        const value = await work(signal);
        if (!newest.isGone()) setState({ value, isBusy: !newest.isNewest() });
      } catch (error) {
        if (newest.isGone() || isRadarError(error, "aborted")) return;
        setState(({ value }) => ({ ...(value !== undefined && { value }), error, isBusy: !newest.isNewest() }));
      }
    });
  }, inputs);
  return state;
}
