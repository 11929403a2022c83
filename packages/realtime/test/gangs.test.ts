/** Tests which jobs share a dispatch: planned kernels, admissions, and both bounds against simulations that do not use their proofs. */
import { createRandom, layout } from "@dechirp/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Applicant, admit, type Gangs, planGangs } from "../src/executors/gangs.ts";
import { chunkBound, slotBound } from "../src/index.ts";
import { failing } from "./support.ts";

const classOf = (members: number, lines = 1) => ({ port: { layout: layout("c64", [lines, 128]), inverse: false }, members });
const planned = (...options: Parameters<typeof planGangs>): Gangs => {
  const gangs = planGangs(...options);
  return "tooLarge" in gangs ? expect.unreachable("too large") : gangs;
};

describe("kernels for classes of tasks", () => {
  it("are one kernel with a port for every task if they fit", () => {
    expect(planned([classOf(3), classOf(2)], 32, { count: 7, bytes: 1024 })).toEqual({ kernels: [[0, 0, 0, 1, 1]], admitted: 5 });
    expect(planned([classOf(3), classOf(2)], 4)).toEqual({ kernels: [[0, 0, 0, 1, 1]], admitted: 4 });
  });
  it("are one kernel with ports for every class, and the class with the fewest ports grows first", () => {
    expect(planned([classOf(20)], 32, { count: 7, bytes: 1024 })).toEqual({ kernels: [Array(7).fill(0)], admitted: 7 });
    expect(planned([classOf(20), classOf(1), classOf(9)], 32, { count: 7, bytes: 1024 })).toEqual({
      kernels: [[0, 0, 0, 1, 2, 2, 2]],
      admitted: 3,
    });
  });
  it("are several if there are more classes than ports", () => {
    const gangs = planned([classOf(2), classOf(1), classOf(1)], 32, { count: 2, bytes: 1024 });
    expect(gangs).toEqual({ kernels: [[0, 1], [2]], admitted: 1 });
  });
  it("count the bindings of an array, and report an array that is too large", () => {
    expect(planned([classOf(4, 3)], 32, { count: 7, bytes: 1024 }).kernels).toEqual([[0, 0]]);
    expect(planGangs([classOf(1), classOf(1, 9)], 32, { count: 7, bytes: 1024 })).toEqual({ tooLarge: 1 });
  });
});

/** Classes, slots, ports, and the tasks in the queue in order. */
const situations = fc
  .record({
    members: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    slots: fc.integer({ min: 1, max: 12 }),
    ports: fc.integer({ min: 1, max: 12 }),
    seed: fc.nat(),
  })
  .map(({ members, slots, ports, seed }) => {
    const random = createRandom(seed >>> 0);
    const gangs = planned(
      members.map((count) => classOf(count)),
      slots,
      { count: ports, bytes: 1024 },
    );
    const tasks = members.flatMap((count, k) =>
      Array.from({ length: count }, (): Applicant => {
        const sizes = Array.from({ length: slots }, (_, i) => i + 1).filter((size) => size === 1 || random.uniform() < 0.4);
        return { class: k, sizes, lines: 1 + Math.floor(8 * random.uniform()), lineWork: 1 + Math.floor(4 * random.uniform()) };
      }),
    );
    return { gangs, tasks, slots, random };
  });

describe("admissions", () => {
  it("take the front of the queue and divide the slots", () => {
    fc.assert(
      fc.property(situations, ({ gangs, tasks, slots, random }) => {
        const queue = tasks
          .map((task) => ({ task, order: random.uniform() }))
          .sort((a, b) => a.order - b.order)
          .slice(0, 1 + Math.floor(tasks.length * random.uniform()))
          .map(({ task }) => task);
        const { kernel, admissions } = admit(queue, gangs.kernels, slots);
        expect(admissions.length).toBeGreaterThanOrEqual(Math.min(gangs.admitted, queue.length));
        expect(new Set(admissions.map(({ port }) => port)).size).toBe(admissions.length);
        let used = 0;
        admissions.forEach(({ port, first, count }, i) => {
          expect(gangs.kernels[kernel][port]).toBe(queue[i].class);
          expect(first).toBe(used);
          expect(queue[i].sizes).toContain(count);
          expect(count).toBeLessThanOrEqual(queue[i].lines);
          used += count;
        });
        expect(used).toBeLessThanOrEqual(slots);
        // No job could take a larger permitted size from the remaining slots.
        for (const [i, { count }] of admissions.entries()) {
          const next = queue[i].sizes.find((size) => size > count);
          if (next !== undefined && next <= queue[i].lines) expect(next - count).toBeGreaterThan(slots - used);
        }
      }),
      { numRuns: 1000, seed: 3 },
    );
  });

  it("share slots by work, so that no job makes the others wait", () => {
    const sizes = Array.from({ length: 1024 }, (_, i) => i + 1);
    const random = createRandom(4);
    for (let set = 0; set < 50; set++) {
      const gang = Array.from({ length: 1 + Math.floor(21 * random.uniform()) }, () => ({
        class: 0,
        sizes,
        lines: 1024 + Math.floor(4096 * random.uniform()),
        lineWork: 1 + 9 * random.uniform(),
      }));
      const { admissions } = admit(gang, [gang.map(() => 0)], 1024);
      const works = gang.map(({ lines, lineWork }) => lines * lineWork);
      const ideal = works.reduce((a, b) => a + b) / 1024;
      // At most one slot away from the exact share.
      admissions.forEach(({ count }, i) => {
        expect(works[i] / ideal / count).toBeLessThan(1 + 1 / count);
      });
      expect(admissions.reduce((sum, { count }) => sum + count, 0)).toBe(1024);
    }
  });

  it("give the remaining slots to the job with the most work per slot", () => {
    const jobs = [
      { class: 0, sizes: [1, 2], lines: 9, lineWork: 1 },
      { class: 0, sizes: [1, 4, 6], lines: 9, lineWork: 1 },
      { class: 0, sizes: [1, 8], lines: 3, lineWork: 1 },
    ];
    expect(admit(jobs, [[0, 0, 0]], 8).admissions).toEqual([
      { port: 0, first: 0, count: 2 },
      { port: 1, first: 2, count: 4 },
      { port: 2, first: 6, count: 1 },
    ]);
  });
});

describe("the bound of slots", () => {
  it("holds in every simulation and is reached", () => {
    let [most, jobs] = [0, 0];
    fc.assert(
      fc.property(situations, ({ gangs, tasks, slots, random }) => {
        const dispatch = 100;
        const bound = slotBound({ tasks: tasks.length, admitted: gangs.admitted, dispatch });
        // Each task requests again after a while. Dispatches take any time up to C.
        const asks = tasks.map((_, task) => ({ task, at: random.uniform() < 0.5 ? 0 : 300 * random.uniform() }));
        const pause = random.uniform() < 0.5 ? 0 : 200;
        let [queue, time]: [typeof asks, number] = [[], 0];
        for (let round = 0; round < 60; round++) {
          asks.sort((a, b) => a.at - b.at);
          if (queue.length === 0) time = Math.max(time, asks[0].at);
          while (asks.length > 0 && asks[0].at <= time) queue.push(asks.shift() as (typeof asks)[number]);
          const { admissions } = admit(
            queue.map(({ task }) => tasks[task]),
            gangs.kernels,
            slots,
          );
          const end = time + dispatch * (random.uniform() < 0.7 ? 1 : random.uniform());
          for (const { task, at } of queue.slice(0, admissions.length)) {
            expect(time - at).toBeLessThanOrEqual(bound.wait + 1e-9);
            expect(end - at).toBeLessThanOrEqual(bound.response + 1e-9);
            most = Math.max(most, (end - at) / bound.response);
            jobs++;
            asks.push({ task, at: end + pause * random.uniform() + 1e-6 });
          }
          queue = queue.slice(admissions.length);
          time = end;
        }
      }),
      { numRuns: 1000, seed: 4 },
    );
    expect(most).toBeGreaterThan(0.95);
    expect(jobs).toBeGreaterThan(50_000);
  });

  it("is the time of the dispatches before", () => {
    expect(slotBound({ tasks: 1, admitted: 1, dispatch: 50 })).toEqual({ wait: 0, response: 50 });
    expect(slotBound({ tasks: 8, admitted: 8, dispatch: 50 })).toEqual({ wait: 50, response: 100 });
    expect(slotBound({ tasks: 21, admitted: 7, dispatch: 50 })).toEqual({ wait: 150, response: 200 });
    for (const wrong of [{ tasks: 0 }, { admitted: 1.5 }, { dispatch: Number.NaN }])
      expect(() => slotBound({ tasks: 1, admitted: 1, dispatch: 1, ...wrong })).toThrow(failing("input"));
  });
});

describe("the bound of chunks", () => {
  it("holds in every simulation and is reached", () => {
    let [most, jobs] = [0, 0];
    const sets = fc.array(fc.record({ longest: fc.integer({ min: 1, max: 100 }), chunks: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(sets, fc.nat(), (tasks, seed) => {
        const random = createRandom(seed >>> 0);
        const bounds = tasks.map((_, i) => chunkBound(tasks, i));
        const pause = random.uniform() < 0.5 ? 0 : 300;
        // Requests of runs: `asked` is the time of the job's request, `at` that of the run's.
        const asks = tasks.map((_, task) => ({ task, run: 0, asked: 0, at: 0 }));
        for (const ask of asks) ask.asked = ask.at = pause * random.uniform();
        let time = 0;
        for (let round = 0; round < 150; round++) {
          asks.sort((a, b) => a.at - b.at);
          const { task, run, asked, at } = asks.shift() as (typeof asks)[number];
          const start = Math.max(time, at);
          const { longest, chunks } = tasks[task];
          time = start + longest * (random.uniform() < 0.8 ? 1 : random.uniform());
          expect(start - at).toBeLessThanOrEqual(bounds[task].wait + 1e-9);
          const last = run === chunks - 1;
          if (last) {
            expect(time - asked).toBeLessThanOrEqual(bounds[task].response + 1e-9);
            most = Math.max(most, tasks.length > 1 ? (time - asked) / bounds[task].response : 0);
            jobs++;
          }
          const next = last ? time + pause * random.uniform() + 1e-6 : time;
          asks.push({ task, run: last ? 0 : run + 1, asked: last ? next : asked, at: next });
        }
      }),
      { numRuns: 1000, seed: 5 },
    );
    expect(most).toBeGreaterThan(0.95);
    expect(jobs).toBeGreaterThan(30_000);
  });

  it("is the time of one run of each other task", () => {
    const tasks = [
      { longest: 10, chunks: 3 },
      { longest: 20, chunks: 9, count: 2 },
      { longest: 7, chunks: 1 },
    ];
    expect(chunkBound(tasks, 0)).toEqual({ wait: 47, response: 171 });
    expect(chunkBound(tasks, 1)).toEqual({ wait: 37, response: 513 });
    expect(chunkBound(tasks, 2)).toEqual({ wait: 50, response: 57 });
    expect(() => chunkBound(tasks, 3)).toThrow(failing("input"));
    for (const wrong of [{ longest: 0 }, { chunks: 1.5 }, { count: 0 }])
      expect(() => chunkBound([{ ...tasks[0], ...wrong }], 0)).toThrow(failing("input"));
  });
});
