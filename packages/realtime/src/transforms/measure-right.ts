/** Jobs of transforms under an executor, timed, and whether what came out is right: fast but wrong counts for nothing. */
import { RadarError, throwIfAborted } from "@dechirp/core";
import type { Executor } from "../executors/executor.ts";
import { type Measurement, type MeasureOptions, measureResponses } from "../measure.ts";
import type { TransformTask } from "./transform-task.ts";

/** Times of jobs, and whose outputs were wrong. */
export interface RightMeasurement {
  readonly measured: Measurement;
  /** Names of tasks whose output is not what float64 gives, after all jobs. */
  readonly wrong: readonly string[];
}

/** Measures `tasks`, which are those of the executor, and checks their outputs. Throws `failed` where a job fails, and as `measure` does. */
export async function measureRight(
  executor: Executor,
  tasks: readonly TransformTask[],
  options: MeasureOptions,
): Promise<RightMeasurement> {
  const { signal } = options;
  for (const one of tasks) one.fill();
  const measured = await measureResponses(executor, options);
  if (measured.overall.failed > 0) throw new RadarError("failed", `${measured.overall.failed} jobs of ${executor.kind} failed`);
  // In place, an output is the next job's input: what counts there is one more job of each, from the input again.
  const again = tasks.filter(({ inPlace }) => inPlace);
  for (const one of again) one.fill();
  await Promise.all(again.map(({ task }) => executor.submit(task.id, signal ? { signal } : {})));
  const wrong: string[] = [];
  for (const one of tasks) {
    throwIfAborted(signal, "the measurement");
    if (!(await one.right())) wrong.push(one.task.id);
  }
  return { measured, wrong };
}
