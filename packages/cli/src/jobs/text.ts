/** Texts about jobs. */
import type { JobStatus, TaskFailure } from "@dechirp/jobs";
import type { QueuedJob } from "@dechirp/jobs-bullmq";
import type { OpenJob } from "./open.ts";

/** One line about what is done of a job. */
export function statusText({ job, store }: OpenJob, { tasks, done, missing, failed, sums, cancelled, assembled }: JobStatus): string {
  const parts = [
    `${done} of ${tasks} tasks done`,
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(sums ? [`${sums.done} of ${sums.tiles} tiles summed`] : []),
    ...(cancelled ? ["cancelled"] : []),
    ...(assembled ? ["products made"] : []),
  ];
  return `job ${job.id.slice(0, 12)} in ${store.address}: ${parts.join(", ")}`;
}

/** Lines about a job in a queue: what waits, the tasks that are being made, and by whom. */
export function queueText({ address, queued, waiting, active, workers }: QueuedJob & { readonly address: string }): readonly string[] {
  const who =
    workers === 0 ? "no worker that suits the job" : workers === 1 ? "1 worker that suits the job" : `${workers} workers that suit the job`;
  const what = queued ? `${waiting} waiting, ${active.length} being made` : "the job is not in it";
  return [
    `  queue ${address}: ${what}, ${who}`,
    ...active.map(
      ({ task, share, worker, seconds }) => `    task ${task} for ${seconds.toFixed(0)} s, ${Math.round(100 * share)} %, by ${worker}`,
    ),
  ];
}

/** Lines about failures of tasks, those with one reason together. */
export async function reasonsText(failures: readonly TaskFailure[]): Promise<readonly string[]> {
  const { rangesText } = await import("@dechirp/jobs");
  const reasons = new Map<string, number[]>();
  for (const { task, attempts } of failures) {
    const count = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
    const reason = `failed after ${count}: ${attempts.at(-1)?.message ?? "the reason can't be read"}`;
    reasons.set(reason, [...(reasons.get(reason) ?? []), task]);
  }
  return [...reasons].map(([reason, tasks]) => `  task${tasks.length === 1 ? "" : "s"} ${rangesText(tasks)} ${reason}`);
}

/** Lines about the tasks that were given up, and how they may be tried again. */
export async function failuresText({ failed }: JobStatus): Promise<readonly string[]> {
  if (failed.length === 0) return [];
  return [...(await reasonsText(failed)), "  dechirp job verify --forget lets them be tried again"];
}
