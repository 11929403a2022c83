/** Tests work in pieces: the result equals that without pieces, and no piece is long. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import {
  exampleSet,
  type JobRecord,
  rhoSweep,
  rhoSweepSteps,
  simulateTaskSet,
  simulateTaskSetSteps,
  traceFaultSteps,
  traceFaults,
} from "../src/index.ts";
import { pieces, selected, sorted } from "../src/simulate/pieces.ts";

/**
 * Returns the result, the number of yields, and the processor time of the longest piece in milliseconds, including the engine's other
 * threads. Wall time would include the time of other processes.
 */
function runOf<T>(work: Generator<unknown, T>): { readonly value: T; readonly turns: number; readonly longest: number } {
  let [turns, longest] = [0, 0];
  for (;;) {
    const before = process.cpuUsage();
    const piece = work.next();
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    if (piece.done) return { value: piece.value, turns, longest };
    turns++;
  }
}

const { uniform } = createRandom(3);

describe("a sort in pieces", () => {
  it.each([0, 1, 1023, 1024, 1025, 5000, 20_000])("of %i items equals the engine's sort and is stable", (length) => {
    const items = Array.from({ length }, (_, at) => ({ key: Math.floor(uniform() * 300), at }));
    const { value } = runOf(sorted(items, ({ key }) => key));
    expect(value).toEqual([...items].sort((a, b) => a.key - b.key));
    expect(runOf(selected(items, ({ key }) => key < 100)).value).toEqual(items.filter(({ key }) => key < 100));
    expect([...pieces(items)].flat()).toEqual(items);
  });
});

describe("work in pieces", () => {
  const set = exampleSet(100);

  it("simulates, checks and sweeps with the same results as without pieces", () => {
    const options = { jobs: 200, seed: 9, think: 0.5 };
    const trace = simulateTaskSet(set, options);
    expect(runOf(simulateTaskSetSteps(set, options)).value).toEqual(trace);
    const broken = { jobs: trace.jobs.map((job, i): JobRecord => (i % 7 === 0 ? { ...job, granted: job.requested } : job)) };
    const faults = traceFaults(set, broken);
    expect(faults.length).toBeGreaterThan(20);
    expect(runOf(traceFaultSteps(set, broken)).value).toEqual(faults);
    const told: number[] = [];
    expect(runOf(rhoSweepSteps(set, [1, 1.5, 2], (_, share) => told.push(share))).value).toEqual(rhoSweep(set, [1, 1.5, 2]));
    expect(told).toEqual([0, 1 / 3, 2 / 3]);
  });

  // Half a million jobs take a few seconds, and three times that on a busy machine.
  it("yields frequently", { timeout: 60_000 }, () => {
    const simulated = runOf(simulateTaskSetSteps(set, { jobs: 5000 }));
    const trace = simulated.value;
    const all = [simulated, runOf(traceFaultSteps(set, trace)), runOf(rhoSweepSteps(set, [1, 2, 3]))];
    for (const { turns } of all.slice(0, 2)) expect(turns).toBeGreaterThan(500);
    // Pieces take a few milliseconds. Some include garbage collections, which run on all cores.
    for (const { longest } of all) expect(longest).toBeLessThan(250);
  });
});
