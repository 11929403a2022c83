/**
 * Runs in two steps, for programs: `prepareRun` checks what a call brings to a plan and throws what is wrong with it; the function that it
 * returns queues the run. So a program checks all its stages before it queues the first.
 */
import type { Bindings, Plan, Run, RunOptions } from "./device.ts";

/** Checks the bindings and options of a run and returns what queues it. */
export type PrepareRun = (bindings: Bindings, options: RunOptions) => () => Run;

const preparations = new WeakMap<Plan, PrepareRun>();

/** Tells how runs of `plan` are prepared. */
export function setPreparation(plan: Plan, prepare: PrepareRun): void {
  preparations.set(plan, prepare);
}

/** Throws what `plan.run` throws at once and queues nothing; the result queues. A plan that is a wrapper of another's checks when it queues. */
export function prepareRun(plan: Plan, bindings: Bindings, options: RunOptions): () => Run {
  const prepare = preparations.get(plan);
  return prepare ? prepare(bindings, options) : () => plan.run(bindings, options);
}
