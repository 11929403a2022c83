/** What a runner and its worker processes say to each other. Messages are plain data. */
import type { DoneMark, JobWorkerFacts, TaskAttempt } from "./marks.ts";

/** What a runner asks of a worker: to make a task, or to stop the one that it is making. */
export type ToWorker = { readonly kind: "run"; readonly task: number; readonly attempt: number } | { readonly kind: "stop" };

/** What a worker tells its runner. */
export type FromWorker =
  /** It has opened its device and the job. */
  | ({ readonly kind: "ready"; readonly device: string } & JobWorkerFacts)
  /** It can't work at all, such as when no device opens. `fields` are those of the error that are texts. */
  | { readonly kind: "refused"; readonly failure: TaskAttempt; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: "progress"; readonly task: number; readonly share: number }
  | { readonly kind: "done"; readonly task: number; readonly mark: DoneMark; readonly skipped: boolean }
  | { readonly kind: "failed"; readonly task: number; readonly failure: TaskAttempt };
