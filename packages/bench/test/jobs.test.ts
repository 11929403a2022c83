/** The simulation of jobs: against closed forms, against the cost model, and what slow and dying nodes do. */
import { type DivisionRequest, divisionCost } from "@dechirp/jobs";
import { describe, expect, it } from "vitest";
import { Clock, Store } from "../src/jobs/events.ts";
import { type Cluster, type SimulatedTask, simulateRun } from "../src/jobs/simulate.ts";
import { imageTasks, stackTasks } from "../src/jobs/tasks.ts";

const ideal: Cluster = {
  nodes: 10,
  nodeBytesPerSecond: 12.5e9,
  storeBytesPerSecond: 200e9,
  brokerPerSecond: 1e12,
  warmUpSeconds: 0,
  slow: { share: 0, factor: 5 },
  dying: { share: 0 },
  leaseSeconds: 15,
  secondCopies: false,
  seed: 1,
};
const equal = (count: number, task: Partial<SimulatedTask> = {}): readonly SimulatedTask[] =>
  Array.from({ length: count }, () => ({ seconds: 7, readBytes: 0, writeBytes: 0, ...task }));

describe("a store", () => {
  it("gives all nodes an equal part, at most that of their links, and a node one thing after another", () => {
    const clock = new Clock();
    const store = new Store(clock, 3, 10, 20);
    const ends: [string, number][] = [];
    const end = (name: string) => () => void ends.push([name, clock.now]);
    store.move(0, 100, end("a"));
    store.move(0, 50, end("b"));
    store.move(1, 40, end("c"));
    clock.after(3, () => store.move(2, 50, end("d")));
    const given = store.move(1, 1000, end("never"));
    clock.after(4, () => store.cancel(given));
    clock.run(() => false);
    // a and c have 10 a second each, and 20/3 when d comes; c ends after 3 + 10/(20/3) = 4.5 s, then two are left.
    const rate = 20 / 3;
    const c = 3 + 10 / rate;
    const a = c + (100 - 30 - rate * (c - 3)) / 10;
    const d = c + (50 - rate * (c - 3)) / 10;
    expect(ends.map(([name]) => name)).toEqual(["c", "d", "a", "b"]);
    for (const [i, time] of [c, d, a, a + 5].entries()) expect(ends[i][1]).toBeCloseTo(time, 9);
  });

  it("gives nothing to a node that is dropped", () => {
    const clock = new Clock();
    const store = new Store(clock, 2, 10, 10);
    let end = 0;
    for (let i = 0; i < 3; i++) store.move(0, 100, () => expect.fail("dropped"));
    store.move(1, 100, () => {
      end = clock.now;
    });
    clock.after(2, () => store.drop(0));
    clock.run(() => false);
    expect(end).toBeCloseTo(2 + (100 - 10) / 10, 9);
  });
});

describe("a run without delays", () => {
  it("takes rounds of tasks, warm-up, and the broker's time", () => {
    expect(simulateRun(equal(10), ideal).seconds).toBeCloseTo(7, 9);
    expect(simulateRun(equal(11), ideal).seconds).toBeCloseTo(14, 9);
    expect(simulateRun(equal(100), { ...ideal, warmUpSeconds: 3 }).seconds).toBeCloseTo(73, 9);
    expect(simulateRun(equal(80), { ...ideal, cardsPerNode: 4 }).seconds).toBeCloseTo(14, 9);
    expect(simulateRun(equal(40), ideal)).toMatchObject({
      efficiency: expect.closeTo(1, 9),
      restarts: 0,
      copies: 0,
      slowNodes: 0,
      deadNodes: 0,
    });
    // Short tasks wait for the broker.
    expect(simulateRun(equal(5000, { seconds: 1e-3 }), { ...ideal, nodes: 100, brokerPerSecond: 1000 }).seconds).toBeCloseTo(5, 1);
  });

  it("reads at the rate of links or of the store, while it computes, and writes after that", () => {
    const task = { seconds: 1, readBytes: 50e9, writeBytes: 12.5e9 };
    expect(simulateRun(equal(10, task), ideal).seconds).toBeCloseTo(4 + 1, 9);
    const [forty] = [simulateRun(equal(40, task), { ...ideal, nodes: 40 })];
    expect(forty.seconds).toBeCloseTo((40 * 62.5) / 200, 9);
    expect(simulateRun(equal(10, { ...task, seconds: 9 }), ideal).seconds).toBeCloseTo(9 + 1, 9);
  });

  it("reads once what a node keeps", () => {
    const tasks = equal(40, { seconds: 1, readBytes: 25e9, kept: 0 });
    // The first of four tasks of a node waits for 2 s, the others for nothing.
    expect(simulateRun(tasks, ideal).seconds).toBeCloseTo(2 + 3, 9);
    expect(simulateRun(tasks, { ...ideal, cardsPerNode: 2 }).seconds).toBeCloseTo(2 + 1, 9);
  });

  it("makes tasks after those that they need", () => {
    const tasks = [
      ...equal(20),
      { seconds: 1, readBytes: 0, writeBytes: 0, after: [0, 19] },
      { seconds: 2, readBytes: 0, writeBytes: 0, after: [20] },
    ];
    expect(simulateRun(tasks, ideal).seconds).toBeCloseTo(14 + 1 + 2, 9);
  });

  it("agrees with the cost model, whatever the division", () => {
    const request = (nodes: number): DivisionRequest => ({
      image: [32_768, 32_768],
      pulses: 102_400,
      samples: 8192,
      nodes,
      rate: 631e9,
      nodeBytesPerSecond: 12.5e9,
      storeBytesPerSecond: 200e9,
    });
    for (const across of [1, 2, 4, 8, 16, 32])
      for (const choice of [
        { tile: 32_768 / across, sets: 1, rangeWindows: false },
        { tile: 32_768 / across, sets: 1, rangeWindows: true },
        { tile: 32_768, sets: across ** 2, rangeWindows: false },
        { tile: 65_536 / across, sets: 4, rangeWindows: true },
        { tile: 8192 / across, sets: 1, rangeWindows: false },
        { tile: 8192 / across, sets: 1, rangeWindows: true },
      ]) {
        if (choice.tile > 32_768) continue;
        const nodes = across ** 2;
        const { seconds, parts } = divisionCost(request(nodes), choice);
        const run = simulateRun(imageTasks(request(nodes), choice), { ...ideal, nodes });
        // Where reading takes longer than computing, some nodes write while others still read.
        const slack = parts.reading > parts.computing ? parts.writing + parts.exchanging / 2 : 0;
        expect(run.seconds, `${nodes}, ${JSON.stringify(choice)}`).toBeLessThanOrEqual(seconds * 1.001);
        expect(run.seconds, `${nodes}, ${JSON.stringify(choice)}`).toBeGreaterThanOrEqual((seconds - slack) * 0.999);
      }
  });
});

describe("a run with delays", () => {
  const stack = stackTasks(10_000, { seconds: 60, readBytes: 0, writeBytes: 0 }, 600);
  const thousand: Cluster = { ...ideal, nodes: 1000, brokerPerSecond: 2000, slow: { share: 0.02, factor: 5 } };

  it("takes as long as the slowest where every node has one task, and less with shorter tasks", () => {
    expect(stack).toHaveLength(1000);
    expect(simulateRun(stack, thousand).seconds).toBeCloseTo(3000, 0);
    // A slow node that begins its second task in the end would need 750 s for it; with greedy workers it makes one.
    const shorter = (seconds: number) => simulateRun(stackTasks(10_000, { seconds: 60, readBytes: 0, writeBytes: 0 }, seconds), thousand);
    expect(shorter(150).seconds).toBeCloseTo(750, 0);
    expect(shorter(37.5).efficiency).toBeGreaterThan(0.75);
    expect(shorter(9.375).efficiency).toBeGreaterThan(0.92);
    expect(shorter(9.375).slowNodes).toBeGreaterThan(5);
  });

  it("has tasks back when the lease of a dead worker ends, and no task is lost", () => {
    const dying = { ...ideal, nodes: 50, dying: { share: 0.4 }, leaseSeconds: 30 };
    for (const seed of [1, 2, 3, 4, 5]) {
      const { restarts, deadNodes, seconds } = simulateRun(equal(200), { ...dying, seed });
      expect(deadNodes).toBeGreaterThan(5);
      expect(restarts).toBeLessThanOrEqual(deadNodes);
      expect(restarts).toBeGreaterThan(0);
      // A lease after the last death at most, and the task once more; until then others have made the rest.
      expect(seconds).toBeLessThan(28 + 30 + 14 + 28);
      expect(simulateRun(equal(200), { ...dying, seed, leaseSeconds: 3 }).seconds).toBeLessThanOrEqual(seconds);
    }
    expect(() => simulateRun(equal(200), { ...dying, dying: { share: 1 } })).toThrow(/no node is left/);
  });

  it("ends earlier with second copies, and writes every task once", () => {
    const late = { ...ideal, nodes: 100, slow: { share: 0.05, factor: 10 } };
    const without = simulateRun(equal(1000), late);
    const copies = simulateRun(equal(1000), { ...late, secondCopies: true });
    expect(without.copies).toBe(0);
    expect(copies.copies).toBeGreaterThan(0);
    // A task is late after twice the median, and its copy takes as long as the median.
    expect(copies.seconds).toBeLessThan(70 + 7 * 4 + 0.01);
    expect(without.seconds).toBeGreaterThan(100);
    const dead = { ...ideal, nodes: 20, dying: { share: 0.3 }, leaseSeconds: 1000, secondCopies: true };
    expect(simulateRun(equal(200), dead).seconds).toBeLessThan(200);
  });

  it("repeats itself, and differs with the seed", () => {
    const cluster = { ...thousand, dying: { share: 0.05 }, secondCopies: true };
    const tasks = stackTasks(1000, { seconds: 60, readBytes: 1e9, writeBytes: 1e8 }, 10);
    expect(simulateRun(tasks, cluster)).toEqual(simulateRun(tasks, cluster));
    expect(simulateRun(tasks, cluster).seconds).not.toBe(simulateRun(tasks, { ...cluster, seed: 2 }).seconds);
  });
});
