/** Looks at a store while something of its job is made: whether the job is cancelled, or another process has done the task. */
import type { Job } from "./document.ts";
import { isCancelled, readMark } from "./marks.ts";
import type { JobStore } from "./store.ts";

/** Milliseconds between two looks at a store: folders are near, buckets are paid by request. */
const everyMs = { folder: 500, bucket: 5000 };

/**
 * Looks at a store again and again, until the function that it returns is called: `onCancelled` hears if the job is cancelled, `onDone` if another
 * process has done `task`. Each is called at most once. A look that fails counts for nothing.
 */
export function watchStore(
  job: Job,
  store: JobStore,
  task: number | undefined,
  hear: { onCancelled(): void; onDone?(): void },
): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const look = async (): Promise<void> => {
    const cancelled = await isCancelled(store).catch(() => false);
    const isDone = !cancelled && task !== undefined && (await readMark(store, task).catch(() => undefined))?.job === job.id;
    if (isOver) return;
    if (!cancelled && !isDone) return schedule();
    isOver = true;
    if (cancelled) hear.onCancelled();
    else hear.onDone?.();
  };
  const schedule = (): void => {
    timer = setTimeout(look, store.folder === undefined ? everyMs.bucket : everyMs.folder);
    timer.unref();
  };
  schedule();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
