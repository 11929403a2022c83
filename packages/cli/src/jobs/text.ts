/** Texts about jobs. */
import type { JobStatus } from "@dechirp/jobs";
import type { OpenJob } from "./open.ts";

/** One line about what is done of a job. */
export function statusText({ job, store }: OpenJob, { tasks, done, missing, failed, cancelled, assembled }: JobStatus): string {
  const parts = [
    `${done} of ${tasks} tasks done`,
    ...(missing.length > 0 ? [`${missing.length} missing`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(cancelled ? ["cancelled"] : []),
    ...(assembled ? ["products made"] : []),
  ];
  return `job ${job.id.slice(0, 12)} in ${store.address}: ${parts.join(", ")}`;
}

/** A line for each task that was given up. */
export const failuresText = ({ failed }: JobStatus): readonly string[] =>
  failed.map(({ task, attempts }) => {
    const count = attempts.length === 1 ? "1 attempt" : `${attempts.length} attempts`;
    return `  task ${task} failed after ${count}: ${attempts.at(-1)?.message}`;
  });
