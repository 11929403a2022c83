/**
 * Tests the event loop during one long float64 line, which is computed on the caller's thread: it gets turns all the time. Waiting is
 * measured in processor time of this thread and the engine's other threads, as wall time would include other processes.
 */
import { layout, open } from "@dechirp/core";
import { expect, it } from "vitest";
import { cpu } from "../src/index.ts";

/** The longest time that the event loop waited for a turn during `work`, in milliseconds of processor time. */
async function longestWait(work: () => Promise<unknown>): Promise<number> {
  let [longest, running] = [0, true];
  let before = process.cpuUsage();
  const turn = (): void => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    before = process.cpuUsage();
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  running = false;
  return longest;
}

// A prime and a product of small ones: Bluestein's algorithm, and a matrix of shorter lines. They take seconds, and ten on a busy
// machine.
it.each([1_048_583, 1_062_882])("a line of %i leaves turns to the event loop", { timeout: 120_000 }, async (n) => {
  using device = await open(cpu());
  const shape = layout("c128", [n]);
  using plan = await device.plan({ op: "fft", layout: shape, axis: 0, inverse: false });
  using input = device.alloc(shape);
  using output = device.alloc(shape);
  const samples = new Float64Array(2 * n);
  samples[2] = 1;
  input.write(samples);

  // The whole line takes at least half a second.
  const waited = await longestWait(async () => {
    await plan.run({ in: input, out: output }).done;
  });

  expect(waited).toBeLessThan(200);
  // For an impulse at index 1: exp(−j2πk/n).
  const found = (await output.read()) as Float64Array;
  for (const k of [0, 1, 12_345, n - 1]) {
    expect(found[2 * k]).toBeCloseTo(Math.cos((2 * Math.PI * k) / n), 12);
    expect(found[2 * k + 1]).toBeCloseTo(-Math.sin((2 * Math.PI * k) / n), 12);
  }
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await expect(plan.run({ in: input, out: output }, { signal: controller.signal }).done).rejects.toMatchObject({ code: "aborted" });
});
