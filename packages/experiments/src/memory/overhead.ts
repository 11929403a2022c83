/** The overhead of dispatches and submissions: a kernel of one invocation that adds one to a number, so the number counts its runs. */
import { type Device, kernel, layout, throwIfAborted } from "@dechirp/core";
import { type Measured, type MeasureOptions, repeat, secondsOf } from "./measure.ts";

const dispatches = 1000;
const submissions = 20;
const fewest = 3;

/** Measured overheads, in seconds. */
export interface Overheads {
  /** A dispatch among others in one submission, each waiting for the one before. */
  readonly dispatch: Measured;
  /** Queueing a run on the host. */
  readonly queue: Measured;
  /** From queueing one run until the host knows that it is done. */
  readonly submission: Measured;
}

/** Measures the overheads. */
export async function measureOverhead(device: Device, { seconds, signal }: MeasureOptions): Promise<Overheads> {
  const op = kernel({
    name: "count",
    ports: { count: { access: "update", layout: layout("u32", [1]) } },
    items: 1,
    wgsl: () => ({
      code: "@compute @workgroup_size(1) fn main() { store_count(0u, load_count(0u) + 1u); }",
      dispatches: [{ entry: "main", groups: [1, 1, 1] }],
    }),
    reference: ({ count }) => count.set(0, count.re(0) + 1),
  });
  using plan = await device.plan(op, signal ? { signal } : {});
  using count = device.alloc(op.ports.count.layout, "count");
  let runs = 0;
  const run = (): void => {
    plan.run({ count });
    runs += 1;
  };
  const times = { dispatch: [] as number[], queue: [] as number[], submission: [] as number[] };
  run();
  await device.ready();
  for (const start = performance.now(); times.dispatch.length < fewest || performance.now() - start < 2000 * seconds; ) {
    throwIfAborted(signal, "the experiment");
    const many = await secondsOf(device, () => repeat(dispatches, run));
    const one = await secondsOf(device, run);
    times.dispatch.push(Math.max(0, many - one) / (dispatches - 1));
    const queued = performance.now();
    repeat(dispatches, run);
    times.queue.push((performance.now() - queued) / 1000 / dispatches);
    await device.ready();
    for (let i = 0; i < submissions; i++) {
      const begun = performance.now();
      run();
      await device.ready();
      times.submission.push((performance.now() - begun) / 1000);
    }
  }
  const [counted] = (await count.read()) as Uint32Array;
  const measured = (list: readonly number[]): Measured => ({ seconds: list, amount: 1, correct: counted === runs });
  return { dispatch: measured(times.dispatch), queue: measured(times.queue), submission: measured(times.submission) };
}
