/** `dechirp job status`, `missing`, `verify` and `cancel`: what is known of a job from its store. */
import { isRadarError } from "@dechirp/core";
import type { QueuedJob } from "@dechirp/jobs-bullmq";
import { blame, CommandError } from "../errors.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { type OpenJob, openJob } from "../jobs/open.ts";
import { openQueue, queueAddress } from "../jobs/queue.ts";
import { failuresText, queueText, reasonsText, statusText } from "../jobs/text.ts";
import { parseInteger } from "../options.ts";
import { createProgress } from "../progress.ts";

/** Runs `dechirp job status`. */
export async function jobStatusCommand(
  address: string,
  { queue, json }: { readonly queue?: string; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const open = await openJob(address, io);
  const { jobStatus, rangesText } = await import("@dechirp/jobs");
  const status = await blame("file", undefined, () => jobStatus(open.job, open.store, { signal: io.signal }));
  const at = queueAddress(queue, io);
  const queued = at === undefined ? undefined : await queuedJob(open, at, io);
  const { id, what, device, image } = open.job;
  const known = { store: open.store.address, id, what, device, ...(image && { image }), ...status, missing: rangesText(status.missing) };
  const failures = await failuresText(status);
  print(io, json, { ...known, ...(queued && { queue: queued }) }, () =>
    [statusText(open, status), ...(queued ? queueText(queued) : []), ...failures].join("\n"),
  );
}

/** What the queue at an address knows of a job. A queue that can't be reached is a warning: the truth is in the store. */
async function queuedJob(
  { job, store }: OpenJob,
  address: string,
  io: Io,
): Promise<(QueuedJob & { readonly address: string }) | undefined> {
  try {
    await using queue = await openQueue(address);
    return { address: queue.address, ...(await queue.status(job, store)) };
  } catch (error) {
    if (!isRadarError(error, "failed")) throw error;
    printWarnings(io, [error.message]);
    return undefined;
  }
}

/** The most indices that an array job may have, more than any engine allows. */
const mostIndices = 2 ** 31 - 1;

/** Runs `dechirp job missing`. */
export async function jobMissingCommand(
  address: string,
  { slurm, arraySize, json }: { readonly slurm?: boolean; readonly arraySize?: string; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const size = arraySize === undefined ? undefined : parseInteger("--array-size", arraySize, 1, mostIndices);
  if (size !== undefined && !slurm) throw new CommandError("argument", "--array-size needs --slurm", { option: "--array-size" });
  const { job, store } = await openJob(address, io);
  const { jobStatus, rangesText } = await import("@dechirp/jobs");
  const { missing } = await blame("file", undefined, () => jobStatus(job, store, { signal: io.signal }));
  if (!json && missing.length === 0) return;
  const arrays = size === undefined ? undefined : arraysOf(missing, size, rangesText);
  print(io, json, { missing, ...(arrays && { arrays }) }, () => {
    if (arrays) return arrays.map(({ offset, indices }) => `${offset} ${indices}`).join("\n");
    return slurm ? rangesText(missing) : missing.join("\n");
  });
}

/** Array jobs for tasks in ascending order. Indices are below `size`; a task's number is the offset plus its index. */
function arraysOf(tasks: readonly number[], size: number, rangesText: (indices: readonly number[]) => string) {
  const found = new Map<number, number[]>();
  for (const task of tasks) {
    const index = task % size;
    const indices = found.get(task - index) ?? [];
    found.set(task - index, indices);
    indices.push(index);
  }
  return [...found].map(([offset, indices]) => ({ offset, indices: rangesText(indices) }));
}

/** Runs `dechirp job verify`. Throws `file` if something is damaged. */
export async function jobVerifyCommand(
  address: string,
  { forget = false, json }: { readonly forget?: boolean; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const { job, store } = await openJob(address, io);
  const { verifyJob } = await import("@dechirp/jobs");
  using progress = createProgress(io, "job verify");
  const onProgress = (share: number): void => progress.update("reading", share);
  const { checked, damaged, forgotten } = await blame("file", undefined, () =>
    verifyJob(job, store, { signal: io.signal, forget, onProgress }),
  );
  progress[Symbol.dispose]();
  if (damaged.length > 0 && !forget) {
    const list = damaged.map(({ task, what, key }) => `task ${task}: ${key} is ${what}`).join("; ");
    throw new CommandError("file", `${store.address}: ${list}`, { file: store.address, damaged });
  }
  const reasons = await reasonsText(forgotten);
  print(io, json, { store: store.address, id: job.id, checked, damaged, ...(forget && { forgotten }) }, () => {
    const found = damaged.length === 0 ? "all as they were written" : `${damaged.length} damaged, to be made again`;
    const count = forgotten.length === 1 ? "the failures of 1 task are" : `the failures of ${forgotten.length} tasks are`;
    return [
      `${store.address}: ${checked} tasks checked, ${found}`,
      ...damaged.map(({ task, what, key }) => `  task ${task}: ${key} is ${what}`),
      ...(reasons.length > 0 ? [`  ${count} forgotten:`, ...reasons] : []),
    ].join("\n");
  });
}

/** Runs `dechirp job cancel`. */
export async function jobCancelCommand(
  address: string,
  { undo = false, queue: given, json }: { readonly undo?: boolean; readonly queue?: string; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const { job, store } = await openJob(address, io);
  const { setCancelled } = await import("@dechirp/jobs");
  await blame("write", undefined, () => setCancelled(store, !undo, { signal: io.signal }));
  const at = undo ? undefined : queueAddress(given, io);
  if (at !== undefined) {
    await using queue = await openQueue(at);
    await queue.cancel(job, store, { signal: io.signal });
  }
  print(
    io,
    json,
    { store: store.address, id: job.id, cancelled: !undo },
    () => `job ${job.id.slice(0, 12)} is ${undo ? "taken up again" : "cancelled"}`,
  );
}
