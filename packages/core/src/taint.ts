/**
 * How failures travel from runs to readers. A run that fails does not write its outputs properly, so every later reader of them must fail
 * with the same error. Each array therefore has an outcome: a promise of the error of the run that should have written it, or of
 * undefined if that run succeeded.
 */
import { asRadarError, type RadarError } from "./errors.ts";

/** A promise that never rejects. It resolves with the error of some work, or with undefined if the work succeeded. */
export type Outcome = Promise<RadarError | undefined>;

/** Runs `work` and returns its outcome. `what` names the work in messages. */
export async function outcomeOf(what: string, work: () => Promise<void>): Outcome {
  try {
    await work();
    return undefined;
  } catch (error) {
    return asRadarError(error, what);
  }
}

/** Waits for all outcomes. Resolves with the first failure in the list, or undefined if there is none. */
export const firstFailure = async (outcomes: readonly Outcome[]): Outcome =>
  (await Promise.all(outcomes)).find((failure) => failure !== undefined);
