/**
 * Runs of plans in two steps, for programs. `prepareRun` checks the arguments of a run and returns a function that queues it. With it, a
 * program checks all its stages before it queues the first.
 */
import type { Bindings, Plan, Run, RunOptions } from "./device.ts";

/** Checks the bindings and options of a run. Returns a function that queues it. */
export type PrepareRun = (bindings: Bindings, options: RunOptions) => () => Run;

const preparations = new WeakMap<Plan, PrepareRun>();

/** Registers the function that prepares runs of `plan`. */
export function setPreparation(plan: Plan, prepare: PrepareRun): void {
  preparations.set(plan, prepare);
}

/**
 * Checks the arguments of a run and throws what `plan.run` would throw. Returns a function that queues the run. A plan that wraps another
 * plan is checked only when its run is queued.
 */
export function prepareRun(plan: Plan, bindings: Bindings, options: RunOptions): () => Run {
  const prepare = preparations.get(plan);
  return prepare ? prepare(bindings, options) : () => plan.run(bindings, options);
}
