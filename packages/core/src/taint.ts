/**
 * Whether what an array holds can be trusted. A run that fails leaves its outputs unwritten; whatever reads them afterwards must fail with the
 * same error. Every array therefore carries its content's outcome: a promise of the error of the run that should have written it, or of
 * nothing.
 */
import { asRadarError, type RadarError } from "./errors.ts";

/** Resolves, and never rejects, with the error that something failed with, or with undefined. */
export type Outcome = Promise<RadarError | undefined>;

/** The outcome of what can't have failed. */
export const sound: Outcome = Promise.resolve(undefined);

/** The outcome of `work`, which errors call `what`. */
export async function outcomeOf(what: string, work: () => Promise<void>): Outcome {
  try {
    await work();
    return undefined;
  } catch (error) {
    return asRadarError(error, what);
  }
}

/** Waits for all outcomes; resolves with the first failure in their order. */
export const firstFailure = async (outcomes: readonly Outcome[]): Outcome =>
  (await Promise.all(outcomes)).find((failure) => failure !== undefined);
