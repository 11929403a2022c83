/** What callers hand over beside a recording and settings: how to stop the work, where to report progress, and what reports should say. */

import { inputError } from "@dechirp/core";
import { asRadarError, requireSynchronous } from "@dechirp/core/backend";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { Clock } from "./clock.ts";

/** What all processors take besides settings: cancelling, progress, and facts for the report. */
export interface ProcessHooks {
  /** Stops the work, which rejects with `aborted` then. */
  readonly signal?: AbortSignal;
  /** Hears what is done now, and the share of the whole that is done, 0 to 1. */
  readonly onProgress?: (what: string, share: number) => void;
  /** What the recording was read from; the report keeps these names, and errors about the recording name the first. */
  readonly inputs?: readonly string[];
  /** The report keeps this reason, where somebody chose the device among several. */
  readonly whyDevice?: string;
  /** A clock that has timed what came before; a new one where left out. */
  readonly clock?: Clock;
}

const fields: FieldsOf<ProcessHooks> = { signal: "object", onProgress: "function", inputs: "object", whyDevice: "string", clock: "object" };

/**
 * `hooks` with listeners whose errors are of code `failed`, the thrown value their cause. Throws `input`, naming the hook, for what is none;
 * `more` has the fields that are not in `ProcessHooks`.
 */
export function checkedHooks<H extends ProcessHooks>(hooks: H, more: FieldsOf<Omit<H, keyof ProcessHooks>>): H {
  checkFields<ProcessHooks>(hooks, { ...fields, ...more }, "hooks", "input", "hooks.");
  const { signal, inputs, clock } = hooks;
  if (signal && typeof signal.aborted !== "boolean") throw inputError("hooks.signal", "an AbortSignal", signal);
  if (inputs && !(Array.isArray(inputs) && inputs.every((input) => typeof input === "string")))
    throw inputError("hooks.inputs", "a list of texts", inputs);
  if (clock && !(typeof clock.time === "function" && typeof clock.note === "function" && Array.isArray(clock.timings)))
    throw inputError("hooks.clock", "a clock, which createClock() makes", clock);
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
