/** Jobs of transforms under an executor, timed, and whether what came out is right: fast but wrong counts for nothing. No files, no texts. */
import { RadarError, throwIfAborted } from "@dechirp/core";
import { type Executor, type Measurement, type MeasureOptions, measure } from "@dechirp/realtime";
import type { TransformTask } from "./transforms.ts";

export interface RightMeasurement {
  readonly measured: Measurement;
  /** Names of tasks whose output is not what float64 gives, after all jobs. */
  readonly wrong: readonly string[];
}

/** `tasks`: those of the executor. Throws `failed` where a job fails, and as `measure` does. */
export async function measureRight(
  executor: Executor,
  tasks: readonly TransformTask[],
  options: MeasureOptions,
): Promise<RightMeasurement> {
  const { signal } = options;
  for (const one of tasks) one.fill();
  const measured = await measure(executor, options);
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
