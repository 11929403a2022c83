/**
 * Second copies of late tasks. When nothing waits, a worker that has nothing to do looks for tasks that have taken much longer than others of
 * their job, and asks the queue for a copy of each. All workers ask for it under one name, so there is one copy. Both write the same bytes.
 */
import type { Queue } from "bullmq";
import { activeMessages } from "./active.ts";

/** A copy is made of a task that has taken so many times the median. */
const lateFactor = 2;
/** Milliseconds that a task has taken before it is copied, at the least. */
const leastMilliseconds = 1000;
/** Messages about tasks that have ended from which the median is taken. */
const mostSamples = 63;

/** Puts messages about copies of late tasks into a queue. Resolves with how many tasks are late. */
export async function copyLate(queue: Queue, now = Date.now()): Promise<number> {
  const { waiting = 0, prioritized = 0 } = await queue.getJobCounts("waiting", "prioritized");
  if (waiting + prioritized > 0) return 0;
  const active = (await activeMessages(queue)).filter(({ name }) => name === "task");
  if (active.length === 0) return 0;
  const durations = new Map<string, number[]>();
  for (const { name, data, processedOn, finishedOn, returnvalue } of await queue.getCompleted(0, mostSamples)) {
    if (name !== "task" || processedOn === undefined || finishedOn === undefined || returnvalue?.skipped) continue;
    const known = durations.get(jobOf(data)) ?? [];
    known.push(finishedOn - processedOn);
    durations.set(jobOf(data), known);
  }
  let late = 0;
  for (const { id, data, processedOn } of active) {
    const usual = median(durations.get(jobOf(data)) ?? []);
    if (usual === undefined || processedOn === undefined || now - processedOn < Math.max(leastMilliseconds, lateFactor * usual)) continue;
    late++;
    const { store, job, task } = data;
    // A copy that fails says nothing of the task, which goes on.
    await queue.add("copy", { store, job, task }, { jobId: `${id}-copy`, removeOnComplete: true, removeOnFail: true });
  }
  return late;
}

const jobOf = ({ job, store }: { readonly job?: unknown; readonly store?: unknown }): string => `${job}\n${store}`;

/** The middle of some numbers. Undefined if there are none. */
const median = (values: readonly number[]): number | undefined => [...values].sort((a, b) => a - b)[values.length >> 1];
