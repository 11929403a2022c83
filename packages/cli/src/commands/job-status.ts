/** `dechirp job status`, `missing`, `verify` and `cancel`: what is known of a job from its store. */
import { blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { openJob } from "../jobs/open.ts";
import { failuresText, statusText } from "../jobs/text.ts";
import { createProgress } from "../progress.ts";

/** Runs `dechirp job status`. */
export async function jobStatusCommand(address: string, { json }: { readonly json?: boolean }, io: Io): Promise<void> {
  const open = await openJob(address, io);
  const { jobStatus, rangesText } = await import("@dechirp/jobs");
  const status = await blame("file", undefined, () => jobStatus(open.job, open.store, { signal: io.signal }));
  const { id, what, device, image } = open.job;
  const data = { store: open.store.address, id, what, device, ...(image && { image }), ...status, missing: rangesText(status.missing) };
  print(io, json, data, () => [statusText(open, status), ...failuresText(status)].join("\n"));
}

/** Runs `dechirp job missing`. */
export async function jobMissingCommand(
  address: string,
  { slurm, json }: { readonly slurm?: boolean; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const { job, store } = await openJob(address, io);
  const { jobStatus, rangesText } = await import("@dechirp/jobs");
  const { missing } = await blame("file", undefined, () => jobStatus(job, store, { signal: io.signal }));
  if (!json && missing.length === 0) return;
  print(io, json, { missing }, () => (slurm ? rangesText(missing) : missing.join("\n")));
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
  const { checked, damaged } = await blame("file", undefined, () => verifyJob(job, store, { signal: io.signal, forget, onProgress }));
  progress[Symbol.dispose]();
  if (damaged.length > 0 && !forget) {
    const list = damaged.map(({ task, what, key }) => `task ${task}: ${key} is ${what}`).join("; ");
    throw new CommandError("file", `${store.address}: ${list}`, { file: store.address, damaged });
  }
  print(io, json, { store: store.address, id: job.id, checked, damaged }, () => {
    const found = damaged.length === 0 ? "all as they were written" : `${damaged.length} damaged, to be made again`;
    return `${store.address}: ${checked} tasks checked, ${found}`;
  });
}

/** Runs `dechirp job cancel`. */
export async function jobCancelCommand(
  address: string,
  { undo = false, json }: { readonly undo?: boolean; readonly json?: boolean },
  io: Io,
): Promise<void> {
  const { job, store } = await openJob(address, io);
  const { setCancelled } = await import("@dechirp/jobs");
  await blame("write", undefined, () => setCancelled(store, !undo, { signal: io.signal }));
  print(
    io,
    json,
    { store: store.address, id: job.id, cancelled: !undo },
    () => `job ${job.id.slice(0, 12)} is ${undo ? "taken up again" : "cancelled"}`,
  );
}
