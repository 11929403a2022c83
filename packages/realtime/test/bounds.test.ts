/** Tests bounds and permitted sizes against published numbers, and against their definitions computed by plain sums. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analyseTaskSet,
  defaultRho,
  exampleSet,
  exampleWcet,
  grantSize,
  partitionBound,
  permittedSizes,
  publishedGpus,
  publishedResponses,
  publishedRho,
  publishedSpeedupOfTen,
  responseBound,
  type TaskSet,
  taskCopies,
  taskSizes,
  waitBound,
} from "../src/index.ts";
import { taskSets } from "./sets.ts";

/** Sums of at most n positive terms in different orders differ by at most n roundings. */
const sumTolerance = (n: number): number => 2 * n * 2 ** -53;

describe("permitted sizes", () => {
  it("follow Eq. 4, as in Example 1: 4 units are within 10 %, 5 are not", () => {
    expect(permittedSizes(exampleWcet, publishedRho, 19)).toEqual([1, 4]);
    expect(4 * exampleWcet[4]).toBe(10004);
    expect(5 * exampleWcet[5]).toBe(10160);
    expect(permittedSizes(exampleWcet, 10160 / 9101, 19)).toEqual([1, 4, 5]);
    expect(permittedSizes(exampleWcet, 10160 / 9101, 4)).toEqual([1, 4]);
  });

  it("always contain 1, may have gaps, and do not need L to fall with k", () => {
    expect(permittedSizes({ 1: 10, 2: 10, 3: 11 }, 1, 8)).toEqual([1]);
    expect(permittedSizes({ 1: 12, 2: 9, 3: 4, 4: 3.5 }, 1, 8)).toEqual([1, 3]);
    expect(permittedSizes({ 1: 10, 2: 12 }, 2.4, 8)).toEqual([1, 2]);
  });

  it("are the task's own, else those of its own rho, else of the set's, else of 1.1", () => {
    const wcet = { 1: 10, 2: 5.5, 3: 5 };
    const of = (task: object, set: object): readonly number[] => {
      const whole = { units: 3, tasks: [{ id: "a", wcet, ...task }], ...set };
      return taskSizes(whole, whole.tasks[0]);
    };
    expect(defaultRho).toBe(1.1);
    expect(of({}, {})).toEqual([1, 2]);
    expect(of({}, { rho: 1 })).toEqual([1]);
    expect(of({ rho: 1.5 }, { rho: 1 })).toEqual([1, 2, 3]);
    expect(of({ rho: 1.5, sizes: [1, 3] }, { rho: 1 })).toEqual([1, 3]);
  });

  it("grant the largest size that fits", () => {
    for (let idle = 0; idle < 8; idle++) expect(grantSize([1, 3, 4], idle)).toBe(Math.max(0, ...[1, 3, 4].filter((k) => k <= idle)));
  });
});

describe("published numbers", () => {
  it("gives the bounds of Example 1 to the printed digits", () => {
    const printed: [tasks: number, wait: number, response: number][] = [
      [1, 0, 9101],
      [2, 526.53, 9627.53],
      [5, 2106.11, 11207.11],
      [10, 4738.74, 13839.74],
      [15, 7371.37, 16472.37],
      [21, 10530.53, 19631.53],
    ];
    for (const [tasks, wait, response] of printed) {
      const set = exampleSet(tasks);
      expect(Number(waitBound(set, 0).toFixed(2))).toBe(wait);
      expect(Number(responseBound(set, 0).toFixed(2))).toBe(response);
    }
    expect(waitBound(exampleSet(1), 0)).toBe(0);
  });

  it("gives a partition bound of 2501 for up to 4 tasks of Example 1", () => {
    for (const tasks of [1, 2, 3, 4]) {
      expect(partitionBound(exampleSet(tasks), 0)).toBe(2501);
      expect(analyseTaskSet(exampleSet(tasks)).tasks[0]).toMatchObject({ bound: 2501, binding: "partition" });
    }
    // For the fifth task 19 − 4·4 = 3 units are idle, too few for size 4. For the sixth none are.
    expect(analyseTaskSet(exampleSet(5)).tasks[0]).toMatchObject({ partition: 9101, bound: 9101, binding: "partition" });
    expect(analyseTaskSet(exampleSet(6)).tasks[0]).toMatchObject({ partition: null, binding: "lemma2" });
    expect(Math.round(responseBound(exampleSet(4), 0))).toBe(10681);
  });

  it("has the cells of Table I, and Eq. 4 gives the printed one as far as its WCETs are printed", () => {
    const [gtx1070, rtx2080ti, rtx3060ti] = publishedGpus;
    expect([gtx1070, rtx2080ti, rtx3060ti].map(({ units }) => units)).toEqual([15, 34, 19]);
    for (const { sizes } of publishedGpus) {
      expect(Object.keys(sizes).map(Number)).toEqual(Array.from({ length: 15 }, (_, i) => 10 + i));
      for (const s of Object.values(sizes)) expect(s).toEqual(s.map((_, i) => i + 1));
    }
    const widest = ({ sizes }: (typeof publishedGpus)[number]): string =>
      Object.values(sizes)
        .map((s) => s.length)
        .join("");
    expect(publishedGpus.map(widest)).toEqual(["111122222223444", "111111112335678", "111111112233334"]);
    expect(rtx3060ti.sizes[24]).toEqual([1, 2, 3, 4]);
    expect(permittedSizes(exampleWcet, publishedRho, rtx3060ti.units)).toEqual(
      rtx3060ti.sizes[24].filter((k) => exampleWcet[k] !== undefined),
    );
  });

  it("agrees with the figures that the paper derives", () => {
    const { bestEffortMicroseconds, smlpMicroseconds, log2Samples, tasks, parityTasks } = publishedResponses;
    expect((smlpMicroseconds / bestEffortMicroseconds).toFixed(1)).toBe("2.1");
    const widest = publishedGpus[2].sizes[log2Samples].length;
    expect(((100 * tasks * widest) / publishedGpus[2].units).toFixed(0)).toBe("32");
    expect(Math.floor(publishedGpus[2].units / widest)).toBe(parityTasks);
    expect(exampleWcet[1] / publishedSpeedupOfTen).toBeLessThan(exampleWcet[5]);
  });
});

describe("analyse", () => {
  const set: TaskSet = {
    units: 4,
    rho: 1.2,
    tasks: [
      { id: "a", wcet: { 1: 100, 2: 55, 4: 40 }, deadline: 150, period: 400 },
      { id: "b", wcet: { 1: 200, 2: 220, 3: 60 }, sizes: [1, 2], deadline: 1000, period: 390, count: 2 },
      { id: "c", wcet: { 1: 40 } },
    ],
  };

  it("follows Lemmas 1 and 2 with the largest values over S, also if L grows with k", () => {
    const { tasks, demand, schedulable, units } = analyseTaskSet(set);
    const [a, b, c] = tasks;
    expect(units).toBe(4);
    expect([a.sizes, b.sizes, c.sizes]).toEqual([[1, 2], [1, 2], [1]]);
    expect([a.longest, b.longest, c.longest]).toEqual([100, 220, 40]);
    expect([a.area, b.area, c.area]).toEqual([110, 440, 40]);
    expect([a.wait, b.wait, c.wait]).toEqual([(2 * 440 + 40) / 4, (110 + 440 + 40) / 4, (110 + 2 * 440) / 4]);
    expect([a.response, b.response, c.response]).toEqual([100 + 230, 220 + 147.5, 40 + 247.5]);
    expect(tasks.map(({ partition }) => partition)).toEqual([null, null, null]);
    // Task a misses its deadline by 180. For b the period is the limit.
    expect([a.deadline, a.slack, a.schedulable]).toEqual([150, -180, false]);
    expect([b.deadline, b.slack, b.schedulable]).toEqual([390, 390 - 367.5, true]);
    expect([c.deadline, c.slack, c.schedulable]).toEqual([null, null, true]);
    expect(schedulable).toBe(false);
    expect(demand).toBeCloseTo(110 / 1600 + (2 * 440) / (4 * 390), 14);
    expect(analyseTaskSet({ units: 4, tasks: [set.tasks[2]] }).demand).toBeNull();
  });

  it("refuses an index that is not a task of the set", () => {
    for (const index of [-1, 3, 0.5, Number.NaN])
      for (const bound of [waitBound, responseBound, partitionBound])
        expect(() => bound(set, index)).toThrow(
          expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "index" }) }),
        );
  });

  it("decides schedulability by the smaller bound, which may equal the deadline", () => {
    const judge = (deadline: number) => analyseTaskSet({ ...exampleSet(2), tasks: [{ ...exampleSet(2).tasks[0], deadline }] });
    for (const [deadline, schedulable] of [
      [2501, true],
      [2500.5, false],
    ] as const) {
      const analysis = judge(deadline);
      expect(analysis.tasks[0]).toMatchObject({ response: expect.closeTo(9627.53, 2), slack: deadline - 2501, schedulable });
      expect(analysis.schedulable).toBe(schedulable);
    }
  });

  it("counts the other copies of a task as other tasks", () => {
    const apart = analyseTaskSet({
      ...set,
      tasks: [set.tasks[0], { ...set.tasks[1], count: 1 }, { ...set.tasks[1], id: "b2", count: 1 }, set.tasks[2]],
    });
    const together = analyseTaskSet(set);
    expect(apart.tasks.map(({ wait }) => wait)).toEqual([0, 1, 1, 2].map((i) => together.tasks[i].wait));
    expect(taskCopies(set)).toEqual([
      { id: "a", entry: 0 },
      { id: "b/1", entry: 1 },
      { id: "b/2", entry: 1 },
      { id: "c", entry: 2 },
    ]);
  });

  it("gives the partition bound of its definition, with idle units and L that does not fall", () => {
    // g = 9 − 2·2 = 5 for the single task, and 9 − 2 − 4 = 3 for each of the two copies.
    const wide: TaskSet = {
      units: 9,
      rho: 100,
      tasks: [
        { id: "w", wcet: { 1: 50, 3: 10, 4: 30 } },
        { id: "n", wcet: { 1: 9, 2: 4 }, count: 2 },
      ],
    };
    expect(partitionBound(wide, 0)).toBe(30);
    expect(partitionBound(wide, 1)).toBe(4);
    expect(partitionBound({ ...wide, units: 7 }, 0)).toBe(30);
    expect(partitionBound({ ...wide, units: 6 }, 0)).toBe(50);
    expect(partitionBound({ ...wide, units: 4 }, 0)).toBeNull();
    expect(analyseTaskSet(wide).tasks[0].binding).toBe("partition");
  });

  it("agrees with explicit sums over the other tasks for random sets", () => {
    fc.assert(
      fc.property(taskSets(), (random) => {
        const all = taskCopies(random).map(({ entry }) => random.tasks[entry]);
        const sizes = all.map((task) =>
          Object.keys(task.wcet)
            .map(Number)
            .filter((k) => k <= random.units && k * task.wcet[k] <= random.rho! * task.wcet[1]),
        );
        const report = analyseTaskSet(random);
        taskCopies(random).forEach(({ entry }, i) => {
          const others = all.map((_, j) => j).filter((j) => j !== i);
          const wait = others.reduce((sum, j) => sum + Math.max(...sizes[j].map((k) => k * all[j].wcet[k])), 0) / random.units;
          const longest = Math.max(...sizes[i].map((k) => all[i].wcet[k]));
          const got = report.tasks[entry];
          expect(Math.abs(got.wait - wait)).toBeLessThanOrEqual(wait * sumTolerance(all.length));
          expect(Math.abs(got.response - (longest + wait))).toBeLessThanOrEqual((longest + wait) * sumTolerance(all.length));
          const idle = others.reduce((left, j) => left - Math.max(...sizes[j]), random.units);
          const least = Math.max(...sizes[i].filter((k) => k <= idle));
          const partition = idle < 1 ? null : Math.max(...sizes[i].filter((k) => k >= least).map((k) => all[i].wcet[k]));
          expect(got.partition).toBe(partition);
          expect(got.bound).toBe(Math.min(got.response, partition ?? Number.POSITIVE_INFINITY));
        });
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it("never lowers a bound if a task is added, and never shrinks S or A^max if rho grows", () => {
    fc.assert(
      fc.property(taskSets(), taskSets(), fc.double({ min: 1, max: 4, noNaN: true }), (random, other, factor) => {
        const one = analyseTaskSet(random);
        const added = { ...other.tasks[0], id: "added" };
        for (const tasks of [
          [...random.tasks, added],
          [added, ...random.tasks],
        ]) {
          const more = analyseTaskSet({ ...random, tasks });
          for (const before of one.tasks) {
            const after = more.tasks.find(({ id }) => id === before.id)!;
            expect(after.wait).toBeGreaterThan(before.wait);
            expect(after.response).toBeGreaterThanOrEqual(before.response);
            expect(after.bound).toBeGreaterThanOrEqual(before.bound);
            if (before.partition === null) expect(after.partition).toBeNull();
            else if (after.partition !== null) expect(after.partition).toBeGreaterThanOrEqual(before.partition);
          }
        }
        const looser = analyseTaskSet({ ...random, rho: random.rho! * factor });
        one.tasks.forEach(({ sizes, area, longest }, i) => {
          expect(looser.tasks[i].sizes).toEqual(expect.arrayContaining([...sizes]));
          expect(looser.tasks[i].area).toBeGreaterThanOrEqual(area);
          expect(looser.tasks[i].longest).toBeGreaterThanOrEqual(longest);
        });
      }),
      { numRuns: 300, seed: 2 },
    );
  });

  it("rejects invalid task sets and names the field", () => {
    expect(() => analyseTaskSet({ units: 0, tasks: [] })).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "units" }) }),
    );
  });
});
