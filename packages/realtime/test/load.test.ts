/** Tests ten thousand jobs, many of which fail: each settles once, no unit is lost, and the results are correct. */
import { createRandom, type Random } from "@dechirp/core";
import { expect, it } from "vitest";
import { cpuPool, type JobRecord, ownerWords } from "../src/index.ts";
import { failureOf, hold, mortal, type Step, steps } from "./support.ts";

const units = 4;
const total = 10_000;
const items = 16;

interface Outcomes {
  finished: number;
  failed: number;
  aborted: number;
  died: number;
  /** Aborts before the job, and later. */
  before: number;
  after: number;
}

it("loses nothing under load, with failures, cancellations and a killed worker", async () => {
  const { device, kill } = await mortal({ workers: units });
  const all = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      steps(device, `task ${i}`, { items, runs: 1 + (i % 2), sizes: [[1], [1, 2], [1, 3], [1, 2, 4]][i % 4] }),
    ),
  );
  const owners = ownerWords(units);
  using executor = cpuPool(
    device,
    all.map(({ task }) => task),
    { owners },
  );
  const outcomes: Outcomes = { finished: 0, failed: 0, aborted: 0, died: 0, before: 0, after: 0 };
  const records: JobRecord[] = [];
  let submitted = 0;

  const one = async ({ task, uniforms, in: input, out }: Step, random: Random): Promise<void> => {
    const x = Uint32Array.from({ length: items }, () => random.uint32());
    input.write(x);
    const [fate, wait] = [random.uniform(), random.uniform()];
    uniforms.trap = fate < 0.03 ? 1 : 0;
    // Long enough that the cancellation comes while the job runs.
    const cancelled = fate > 0.95;
    uniforms.spin = cancelled ? 300_000 : fate > 0.5 ? 200 : 0;
    const abort = new AbortController();
    if (fate > 0.99) abort.abort();
    else if (cancelled) setTimeout(() => abort.abort(), 3 * wait);
    submitted++;
    // Kills a worker in the middle, whether it works or not.
    if (submitted === total / 2) kill(3);
    try {
      records.push(await executor.submit(task.id, { signal: abort.signal }));
    } catch (error) {
      const { code, message } = await failureOf(Promise.reject(error));
      if (code === "aborted") {
        expect(cancelled).toBe(true);
        outcomes.aborted++;
        outcomes[fate > 0.99 ? "before" : "after"]++;
      } else if (/worker died/.test(message)) outcomes.died++;
      else {
        expect([code, uniforms.trap]).toEqual(["failed", 1]);
        outcomes.failed++;
      }
      return;
    }
    expect(uniforms.trap).toBe(0);
    outcomes.finished++;
    let expected = x;
    for (const _ of task.runs) expected = expected.map((v) => Math.imul(3, v) + 1);
    const actual = out.view?.() as Uint32Array;
    if (expected.some((v, i) => v !== actual[i])) expect.unreachable(`${task.id} gave ${actual}`);
  };

  await Promise.all(
    all.map(async (step, i) => {
      const random = createRandom(11, i);
      while (submitted < total) await one(step, random);
    }),
  );
  expect(outcomes.died).toBeLessThanOrEqual(1);

  // Kills one worker after another during long jobs: unit 0, unit 1, then 2 and 3.
  for (const { uniforms } of all) Object.assign(uniforms, { trap: 0, spin: 0 });
  const doomed = [0, 4, 1].map((i) => ({ held: hold(all[i]), job: failureOf(executor.submit(`task ${i}`)) }));
  for (const [unit, { held, job }] of doomed.entries()) {
    await held.begun();
    await kill(unit);
    held.release();
    expect(await job).toMatchObject({ code: "failed", message: expect.stringMatching(/worker died/) });
  }
  submitted += doomed.length;
  outcomes.died += doomed.length;
  await executor.idle();

  const { finished, failed, aborted, ownershipChecks, ownershipViolations } = executor.counts;
  expect(executor.counts.submitted).toBe(submitted);
  expect({ finished, failed, aborted }).toEqual({
    finished: outcomes.finished,
    failed: outcomes.failed + outcomes.died,
    aborted: outcomes.aborted,
  });
  expect(finished + failed + aborted).toBe(submitted);
  // All kinds of outcomes occurred often.
  expect(outcomes.failed).toBeGreaterThan(200);
  expect(outcomes.before).toBeGreaterThan(50);
  expect(outcomes.after).toBeGreaterThan(100);
  // No record occurs twice, and there are none of jobs that do not exist.
  expect(new Set(records.map(({ task, job }) => `${task} ${job}`)).size).toBe(finished);
  expect(ownershipViolations).toBe(0);
  expect(ownershipChecks % 2).toBe(0);

  // No units are held: the next job gets all units, and its results are correct on each of them.
  expect([...owners]).toEqual(Array(units).fill(0));
  for (const step of all) {
    step.in.write(new Uint32Array(items).fill(7));
    const { units: had } = await executor.submit(step.task.id);
    expect(had).toEqual(Array.from({ length: Math.max(...(step.task.sizes ?? [])) }, (_, unit) => unit));
    expect(new Set(step.out.view?.())).toEqual(new Set([step.task.runs.length === 1 ? 22 : 67]));
  }
  device[Symbol.dispose]();
});
