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
  /** Cancels the work that is under way, which then is the error. */
  readonly cancel: () => void;
}

/** How work is run. */
export interface LatestOptions {
  /** Whether a change cancels the work that is under way, as it would take long. */
  readonly isReplaced?: boolean;
}

/**
 * Calls `work` when one of `inputs` has changed. Changes that come while work is under way are combined: once it has ended, the newest inputs
 * are used. So a slider that moves all the time still gives results.
 */
export function useLatest<T>(
  work: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
  { isReplaced = false }: LatestOptions = {},
): Latest<T> {
  const [state, setState] = useState<Omit<Latest<T>, "cancel">>({ isBusy: true });
  const newest = useNewest();
  useEffect(() => {
    setState((before) => ({ ...before, isBusy: true }));
    if (isReplaced) newest.cancel();
    newest.request(async (signal) => {
      try {
        const value = await work(signal);
        if (!newest.isGone()) setState({ value, isBusy: !newest.isNewest() });
      } catch (error) {
        if (newest.isGone() || (isRadarError(error, "aborted") && !newest.isNewest())) return;
        setState(({ value }) => ({ ...(value !== undefined && { value }), error, isBusy: !newest.isNewest() }));
      }
    });
  }, inputs);
  return { ...state, cancel: newest.cancel };
}
