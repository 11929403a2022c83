/** Measures the jobs of transforms under an executor and checks their outputs, because the time of a wrong result means nothing. */
import { RadarError, throwIfAborted } from "@dechirp/core";
import type { Executor } from "../executors/executor.ts";
import { type Measurement, type MeasureOptions, measureResponses } from "../measure.ts";
import type { TransformTask } from "./transform-task.ts";

/** The measured times, and the tasks with wrong outputs. */
export interface VerifiedMeasurement {
  /** The measurement. */
  readonly measured: Measurement;
  /** Ids of tasks whose output after all jobs differs from the float64 reference. */
  readonly wrong: readonly string[];
}

/**
 * Measures `tasks`, which must be those of the executor, and checks their outputs. Throws `failed` if a job fails, and as
 * `measureResponses` does.
 */
export async function measureAndVerify(
  executor: Executor,
  tasks: readonly TransformTask[],
  options: MeasureOptions,
): Promise<VerifiedMeasurement> {
  const { signal } = options;
  for (const one of tasks) one.fill();
  const measured = await measureResponses(executor, options);
  if (measured.overall.failed > 0) throw new RadarError("failed", `${measured.overall.failed} jobs of ${executor.kind} failed`);
  // In-place tasks have transformed their own outputs many times. To check them, their inputs are written again and one more job runs.
  const again = tasks.filter(({ inPlace }) => inPlace);
  for (const one of again) one.fill();
  await Promise.all(again.map(({ task }) => executor.submit(task.id, signal ? { signal } : {})));
  const wrong: string[] = [];
  for (const one of tasks) {
    throwIfAborted(signal, "the measurement");
    if (!(await one.isCorrect())) wrong.push(one.task.id);
  }
  return { measured, wrong };
}
