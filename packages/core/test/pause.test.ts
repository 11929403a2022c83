/** Tests of long work on the thread of the event loop, and of aborted planning. */
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPause } from "../src/pause.ts";
import { c64, fake, taker } from "./fake.ts";

const aborted = expect.objectContaining({ code: "aborted" });
const work = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
};

describe("pause", () => {
  it("gives the event loop turns during long work, but not one for every piece", async () => {
    let turns = 0;
    let alive = true;
    const count = (): void => {
      turns += 1;
      if (alive) setImmediate(count);
    };
    setImmediate(count);
    const begin = performance.now();
    const pause = createPause("work");
    let paused = 0;
    for (let piece = 0; piece < 60; piece++) {
      work(1);
      const turn = pause();
      if (turn) {
        paused += 1;
        await turn;
      }
    }
    alive = false;
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(paused).toBeLessThanOrEqual(turns);
    // At least 10 ms lie between two turns, however busy the machine is.
    expect(paused).toBeLessThanOrEqual((performance.now() - begin) / 10);
  });

  it("calls onTurn before every turn", async () => {
    let time = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => time);
    onTestFinished(() => clock.mockRestore());
    let told = 0;
    const pause = createPause("work", undefined, () => {
      told += 1;
    });
    time += 15;
    await pause();
    expect(told).toBe(1);
    expect(pause()).toBeUndefined();
    expect(told).toBe(1);
  });

  it("leaves no rejected promise behind if onTurn fires the signal and rejects", async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      const controller = new AbortController();
      const pause = createPause("work", controller.signal, async () => {
        controller.abort();
        throw new Error("of the listener");
      });
      work(15);
      await expect(pause()).rejects.toEqual(aborted);
      for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it("throws if its signal has fired, and rejects if it fires during the turn", async () => {
    expect(() => createPause("work", AbortSignal.abort())()).toThrow(aborted);
    const controller = new AbortController();
    const pause = createPause("work", controller.signal);
    work(15);
    const turn = pause();
    controller.abort();
    await expect(turn).rejects.toEqual(aborted);
  });
});

describe("planning with a signal", () => {
  const op = { op: "fft", layout: c64(8), axis: 0, inverse: false } as const;

  it("asks no rule if the signal has fired", async () => {
    const log: string[] = [];
    const rule = taker("fft", log);
    let asked = 0;
    const { device } = fake({
      rules: [
        {
          ...rule,
          try(o, context) {
            asked += 1;
            return rule.try(o, context);
          },
        },
      ],
    });
    await expect(device.plan(op, { signal: AbortSignal.abort() })).rejects.toEqual(aborted);
    expect(asked).toBe(0);
  });

  it("stops a rule at its next pause", async () => {
    const controller = new AbortController();
    let pieces = 0;
    const { device } = fake({
      rules: [
        {
          name: "slow",
          fused: false,
          async try(_, { pause }) {
            for (; pieces < 1000; pieces++) {
              work(2);
              await pause();
            }
            return undefined;
          },
        },
      ],
    });
    const planning = device.plan(op, { signal: controller.signal });
    setTimeout(() => controller.abort(), 20);
    await expect(planning).rejects.toEqual(aborted);
    expect(pieces).toBeLessThan(500);
    expect(device.memory()).toMatchObject({ plans: 0, buffers: 0 });
  });

  it("disposes of the plan of a rule that did not check the signal", async () => {
    const rule = taker("fft", []);
    const controller = new AbortController();
    const { device } = fake({
      rules: [
        {
          ...rule,
          try(o, context) {
            controller.abort();
            return rule.try(o, context);
          },
        },
      ],
    });
    await expect(device.plan(op, { signal: controller.signal })).rejects.toEqual(aborted);
    expect(rule.disposed).toBe(1);
    expect(device.memory().plans).toBe(0);
  });

  it("stops a lowered op between its steps and frees them", async () => {
    const rule = taker("fft", []);
    const controller = new AbortController();
    const { device } = fake({
      rules: [
        {
          ...rule,
          try(o, context) {
            if (o.op === "kernel") controller.abort();
            return rule.try(o, context);
          },
        },
      ],
    });
    const filter = { op: "spectral-filter", layout: c64(8), axis: 0, h: "line" } as const;
    await expect(device.plan(filter, { signal: controller.signal })).rejects.toEqual(aborted);
    expect(device.memory()).toMatchObject({ plans: 0, buffers: 0, bytes: 0 });
  });
});
