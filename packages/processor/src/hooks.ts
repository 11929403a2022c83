/**
 * Hooks that callers pass beside a recording and settings: a signal to cancel the work, a progress callback, and texts for the report.
 */

import { inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Clock } from "./clock.ts";

/** Hooks of all processors. */
export interface ProcessHooks {
  /** Cancels the work, which then rejects with `aborted`. */
  readonly signal?: AbortSignal;
  /** Called with a name for the current step and the share of the whole work that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
  /** What the recording was read from. The report lists these names, and errors about the recording name the first one. */
  readonly inputs?: readonly string[];
  /** Why this device was chosen, if there were several. The report quotes it. */
  readonly whyDevice?: string;
  /** A clock that has already measured earlier parts of the run. Default: a new clock. */
  readonly clock?: Clock;
}

const fields: FieldsOf<ProcessHooks> = { signal: "object", onProgress: "function", inputs: "object", whyDevice: "string", clock: "object" };

/**
 * Checks `hooks` and wraps its callbacks, so that what a callback throws becomes the cause of an error with code `failed`. Throws
 * `input`, which names the hook, if one is not valid. `more` lists fields of `H` that `ProcessHooks` does not have.
 */
export function checkedHooks<H extends ProcessHooks>(hooks: H, more: FieldsOf<Omit<H, keyof ProcessHooks>>): H {
  checkFields<ProcessHooks>(hooks, { ...fields, ...more }, "hooks", "input", "hooks.");
  const { signal, inputs, clock } = hooks;
  if (signal && typeof signal.aborted !== "boolean") throw inputError("hooks.signal", "an AbortSignal", signal);
  if (inputs && !(Array.isArray(inputs) && inputs.every((input) => typeof input === "string")))
    throw inputError("hooks.inputs", "a list of texts", inputs);
  if (clock && !(typeof clock.time === "function" && typeof clock.note === "function" && Array.isArray(clock.timings)))
    throw inputError("hooks.clock", "a clock made by createClock()", clock);
  const heard = Object.entries(hooks).flatMap(([name, hook]) =>
    name.startsWith("on") && typeof hook === "function" ? [[name, listening(name, hook as (...given: unknown[]) => unknown)]] : [],
  );
  return { ...hooks, ...Object.fromEntries(heard) };
}

const listening =
  (name: string, hook: (...given: unknown[]) => unknown) =>
  (...given: unknown[]): void => {
    try {
      requireSynchronous(hook(...given), `hooks.${name}`);
    } catch (error) {
      throw asRadarError(error, `hooks.${name}`);
    }
  };
