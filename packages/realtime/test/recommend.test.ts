/** Tests candidates for ρ, the sweep over them and the recommendation against counting by hand and brute force. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyseTaskSet,
  bestRho,
  exampleSet,
  exampleWcet,
  type RecommendOptions,
  recommendRho,
  rhoCandidates,
  rhoSweep,
  simulateTaskSet,
  type TaskSet,
} from "../src/index.ts";
import { randomSet, seeds } from "./sets.ts";

describe("rhoCandidates", () => {
  it("are 1 and the values at which a size becomes permitted, as in Example 1", () => {
    const [one, four, five, ...none] = rhoCandidates(exampleSet(3));
    expect(one).toBe(1);
    expect(four).toBeCloseTo(10004 / 9101, 14);
    expect(five).toBeCloseTo(10160 / 9101, 14);
    expect(none).toEqual([]);
  });

  it("exclude what has no effect: sizes beyond the units, sizes within ρ = 1, tasks with fixed sizes", () => {
    const tasks = [
      { id: "a", wcet: { 1: 10, 2: 4, 3: 6, 9: 2 } },
      { id: "b", wcet: { 1: 10, 2: 9 }, rho: 3 },
      { id: "c", wcet: { 1: 10, 2: 8 }, sizes: [1] },
    ];
    expect(rhoCandidates({ units: 4, tasks })).toEqual([1, 1.8]);
  });

  it("permit their size despite rounding, and no S changes between two candidates", () => {
    fc.assert(
      fc.property(seeds(), (seed) => {
        const set = randomSet(seed);
        const all = rhoCandidates(set);
        const sizesAt = (rho: number): string => JSON.stringify(analyseTaskSet({ ...set, rho }).tasks.map(({ sizes }) => sizes));
        for (let i = 1; i < all.length; i++) {
          expect(sizesAt(all[i])).not.toBe(sizesAt(all[i - 1]));
          // Sets this small have all candidates, so S does not change before the next one.
          if (all.length < 64) expect(sizesAt((all[i] + all[i - 1]) / 2)).toBe(sizesAt(all[i - 1]));
        }
        if (all.length < 64) expect(sizesAt(1e9)).toBe(sizesAt(all[all.length - 1]));
      }),
      { numRuns: 25, seed: 5 },
    );
  });

  it("are at most 64, including the first and the last, and fewer for large sets", () => {
    const wcet = Object.fromEntries(Array.from({ length: 4096 }, (_, i) => [i + 1, 1000 / (i + 1) + i]));
    const all = rhoCandidates({ units: 4096, tasks: [{ id: "a", wcet }] });
    expect(all.length).toBe(64);
    expect(all[0]).toBe(1);
    expect(all[63]).toBeCloseTo((4096 * (1000 / 4096 + 4095)) / 1000, 9);
    const many = { units: 4096, tasks: Array.from({ length: 64 }, (_, i) => ({ id: `t${i}`, wcet })) };
    expect(rhoCandidates(many).length).toBe(Math.floor(4_000_000 / (64 * 4096)));
  });
});

describe("rhoSweep", () => {
  it("has the bounds of the analysis and the throughput of a long simulation", () => {
    const set: TaskSet = {
      units: 7,
      tasks: [
        { id: "a", wcet: { 1: 100, 2: 53, 3: 40 }, count: 5 },
        { id: "b", wcet: { 1: 30, 2: 20 }, deadline: 90, count: 3 },
      ],
    };
    const sweep = rhoSweep(set);
    expect(sweep.map(({ rho }) => rho)).toEqual([1, 1.06, 1.2, 40 / 30].map((rho) => expect.closeTo(rho, 12)));
    for (const point of sweep) {
      const { tasks } = analyseTaskSet({ ...set, rho: point.rho });
      expect(point.sizes).toEqual(tasks.map(({ sizes }) => sizes));
      expect(point.worstResponse).toBe(Math.max(...tasks.map(({ bound }) => bound)));
      expect(point.worstRelative).toBe(tasks[1].bound / 90);
      // The same schedule, cut at the end of its 10,000th job.
      const { jobs } = simulateTaskSet({ ...set, rho: point.rho }, { jobs: 5000 });
      const end = jobs[9999].finished;
      const done = jobs.map(
        ({ task, granted, finished }) =>
          (task.startsWith("b/") ? 30 : 100) * Math.max(0, Math.min(1, (end - granted) / (finished - granted))),
      );
      expect(point.throughput).toBeCloseTo(done.reduce((x, y) => x + y) / (7 * end), 10);
    }
    expect(rhoSweep(exampleSet(2)).every(({ worstRelative }) => worstRelative === null)).toBe(true);
  });

  it("gives the throughput of simple cases: all units busy, or as many as there are tasks", () => {
    expect(rhoSweep({ units: 4, tasks: [{ id: "a", wcet: { 1: 8 }, count: 9 }] })[0].throughput).toBeCloseTo(1, 12);
    expect(rhoSweep({ units: 4, tasks: [{ id: "a", wcet: { 1: 8 }, count: 3 }] })[0].throughput).toBeCloseTo(0.75, 12);
    const [alone, paired] = rhoSweep({ units: 4, tasks: [{ id: "a", wcet: { 1: 8, 2: 5 }, count: 2 }] });
    expect([alone.throughput, paired.throughput]).toEqual([expect.closeTo(0.5, 12), expect.closeTo(0.8, 12)]);
  });

  it("ends even if the tasks are very unequal", () => {
    const sweep = rhoSweep({
      units: 2,
      tasks: [
        { id: "a", wcet: { 1: 1e-6 } },
        { id: "b", wcet: { 1: 1e15 } },
      ],
    });
    expect(sweep[0].throughput).toBeCloseTo(1, 9);
  });
});

describe("recommendRho", () => {
  it("takes the best of the sweep, and the smaller rho if two are equal", () => {
    for (let seed = 0; seed < 10; seed++) {
      const set = randomSet(seed);
      const response = recommendRho(set, { goal: "response" });
      expect(response.objective).toBe(Math.min(...response.sweep.map(({ worstResponse }) => worstResponse)));
      expect(response.worstResponse).toBe(response.objective);
      for (const point of response.sweep) {
        if (point.worstResponse === response.objective) expect(point.throughput).toBeLessThanOrEqual(response.throughput / (1 - 1e-3));
      }
      const throughput = recommendRho(set, { goal: "throughput" });
      const most = Math.max(...throughput.sweep.map((point) => point.throughput));
      expect(throughput.objective).toBeGreaterThanOrEqual(most * (1 - 1e-3));
      for (const point of throughput.sweep) if (point.rho < throughput.rho) expect(point.throughput).toBeLessThan(most * (1 - 1e-3));
    }
  });

  it("gives few tasks many units and many tasks few, as the paper advises", () => {
    const rho = (tasks: number, goal: RecommendOptions["goal"]): number => recommendRho(exampleSet(tasks), { goal }).rho;
    for (const goal of ["response", "throughput"] as const) {
      expect(rho(2, goal)).toBeCloseTo((5 * exampleWcet[5]) / exampleWcet[1], 12);
      expect(rho(21, goal)).toBe(1);
    }
  });

  it("minimises the largest bound relative to deadlines if there are any", () => {
    // Because of its deadline, b needs a to use one unit. Without deadlines, a's long response decides.
    const tasks = [
      { id: "a", wcet: { 1: 100, 2: 60 } },
      { id: "b", wcet: { 1: 10, 2: 10 }, sizes: [1] },
    ];
    const set: TaskSet = { units: 2, tasks };
    expect(recommendRho(set, { goal: "response" }).objective).toBe(100);
    const tight = recommendRho({ ...set, tasks: [tasks[0], { ...tasks[1], deadline: 20 }] }, { goal: "response" });
    expect([tight.rho, tight.objective]).toEqual([1, 0.5]);
  });

  it("chooses among the given candidates", () => {
    const { rho, sweep } = recommendRho(exampleSet(2), { goal: "response", candidates: [1.1, 1, 1.05, 1.1] });
    expect(rho).toBe(1.1);
    expect(sweep.map((point) => point.rho)).toEqual([1, 1.05, 1.1]);
  });

  it.each<[string, unknown, string]>([
    ["no goal", {}, "goal"],
    ["no candidates", { goal: "response", candidates: [] }, "candidates"],
    ["too many candidates", { goal: "response", candidates: new Array(65).fill(1) }, "candidates"],
    ["a candidate below 1", { goal: "response", candidates: [1, 0.5] }, "candidates[1]"],
  ])("rejects %s", (_, options, field) => {
    expect(() => recommendRho(exampleSet(1), options as RecommendOptions)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
    );
  });
});

describe("bestRho", () => {
  it("equals recommendRho for a sweep that was computed point by point", () => {
    fc.assert(
      fc.property(seeds(), (seed) => {
        const set = randomSet(seed);
        const sweep = rhoCandidates(set).flatMap((rho) => rhoSweep(set, [rho]));
        for (const goal of ["response", "throughput"] as const) expect(bestRho(sweep, goal)).toEqual(recommendRho(set, { goal }));
      }),
      { numRuns: 5, seed: 7 },
    );
  });

  it("rejects an empty sweep and an unknown goal", () => {
    expect(() => bestRho([], "response")).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "sweep" }) }),
    );
    const goal = "best" as "response";
    expect(() => bestRho(rhoSweep(exampleSet(1)), goal)).toThrow(expect.objectContaining({ code: "input" }));
  });
});
