/**
 * The entry point `@dechirp/experiments/timing`: what measurements share. Times of runs by the device's clock, their quantiles, and rounds until
 * a device is warm.
 */
import type { Bindings, Device, Plan } from "@dechirp/core";
import { timeOnDevice } from "@dechirp/fft-gpu";

/** The time of a run, and whose clock measured it. */
export interface RunTime {
  /** Milliseconds of one run, the mean over all of them. */
  readonly milliseconds: number;
  /** `device`: the GPU's clock, which leaves out what the host does. */
  readonly clock: "device" | "host";
}

/** Times `runs` runs of a plan in one submission, after all work that was queued before. Rejects as the runs do. */
export async function timeRuns(device: Device, plan: Plan, bindings: Bindings, runs: number, units?: readonly number[]): Promise<RunTime> {
  await device.ready();
  const ends: Promise<void>[] = [];
  const start = performance.now();
  const onDevice = await timeOnDevice(device, () => {
    for (let r = 0; r < runs; r++) {
      const { done } = plan.run(bindings, units ? { units } : {});
      done.catch(() => {});
      ends.push(done);
    }
  });
  await Promise.all(ends);
  await device.ready();
  return { milliseconds: (onDevice ?? performance.now() - start) / runs, clock: onDevice === undefined ? "host" : "device" };
}

/** The q-quantile, interpolated linearly. NaN if there are no values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return at === low ? sorted[low] : sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]);
}

/** The median. NaN if there are no values. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** A round is faster if it takes this share of the best one's time. */
const faster = 0.98;

/**
 * A GPU lowers its clock while the host works and raises it over seconds (up to four on an H100). So rounds are repeated until none has
 * been faster for `still` milliseconds, or `most` milliseconds have passed. `round` returns the milliseconds that it measured.
 */
export async function warmUp(
  { still, most }: { readonly still: number; readonly most: number },
  round: () => Promise<number>,
): Promise<void> {
  let best = { milliseconds: Number.POSITIVE_INFINITY, at: performance.now() };
  for (const start = best.at; performance.now() - start < most && performance.now() - best.at < still; ) {
    const milliseconds = await round();
    if (milliseconds < faster * best.milliseconds) best = { milliseconds, at: performance.now() };
  }
}
