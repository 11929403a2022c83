/**
 * Traces written by hand, and random task sets for property tests: 1 to 34 units, 1 to 21 tasks, times by Amdahl's law with noise, tables
 * with gaps, ρ from 1 to 100.
 */
import { createRandom } from "@dechirp/core";
import fc from "fast-check";
import type { JobRecord, Task, TaskSet } from "../src/index.ts";

export const rhos = [1, 1.1, 1.5, 3, 100];

/** A random task set. */
export function randomSet(seed: number): TaskSet {
  const random = createRandom(seed);
  const from = (low: number, high: number): number => low + Math.floor(random.uniform() * (high - low + 1));
  const units = from(1, 34);
  const tasks: Task[] = [];
  let left = from(1, 21);
  while (left > 0) {
    const serial = random.uniform() ** 2;
    const one = 10 ** (1 + 3 * random.uniform());
    const wcet: Record<number, number> = { 1: one };
    for (let k = 2; k <= units + 2; k++) {
      if (random.uniform() < 0.15) continue;
      wcet[k] = one * (serial + (1 - serial) / k) * (1 + 0.1 * (random.uniform() - 0.5));
    }
    const count = Math.min(left, random.uniform() < 0.3 ? from(2, 4) : 1);
    tasks.push({ id: `t${tasks.length}`, wcet, count });
    left -= count;
  }
  return { units, rho: rhos[from(0, rhos.length - 1)], tasks };
}

export const seeds = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 0xffffffff });

export const taskSets = (): fc.Arbitrary<TaskSet> => seeds().map(randomSet);

/** The record of job `n` of a task. */
export const job = (task: string, n: number, requested: number, granted: number, finished: number, ...units: number[]): JobRecord => ({
  task,
  job: n,
  requested,
  granted,
  finished,
  units,
});
