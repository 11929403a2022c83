/** Plans jobs: lets the kind decide, describes the inputs, and writes the document last, so that a store with a job has all of it. */
import { type Device, inputError } from "@dechirp/core";
import { checkDevice } from "@dechirp/core/internal";
import { createJob, encodeJob, type Job, type JobInput, mostJobBytes } from "./document.ts";
import { writeImageDocuments } from "./image.ts";
import { copyInputs, describeInput, filesOf } from "./inputs.ts";
import type { JobRequest } from "./kind.ts";
import { kindOf } from "./kinds.ts";
import type { JobStore } from "./store.ts";
import { writeJob } from "./store-job.ts";
import { dechirpVersion, deviceOf } from "./work.ts";

/** Options of `planJob`. */
export interface PlanJobOptions extends JobRequest {
  /** What is made: `focus`, `backproject`, or with an image of each recording `focus-each`, `backproject-each`. */
  readonly what: string;
  /** Whether to copy the inputs into the store, so that workers need not see their paths. Default: false. */
  readonly copy?: boolean;
}

/** A job that was planned. */
export interface PlannedJob {
  readonly job: Job;
  /** The work of all tasks together. */
  readonly work?: { readonly amount: number; readonly unit: string };
  /** How the image is divided and why, a sentence each. */
  readonly notes: readonly string[];
  /** Recordings that can't be processed, a sentence each. Their tasks will fail. */
  readonly warnings: readonly string[];
}

/**
 * Plans a job for devices like `device`, and writes it into `store`. Planning the same job again changes nothing. Rejects with `input`, which
 * names the field, if something is wrong or the store has another job; with what the device and the store throw; and with `aborted`.
 */
export async function planJob(store: JobStore, device: Device, options: PlanJobOptions): Promise<PlannedJob> {
  checkDevice(device);
  const { what, copy = false, signal, onProgress, paths } = options;
  if (!(Array.isArray(paths) && paths.length > 0 && paths.every((path) => typeof path === "string" && path !== "")))
    throw inputError("paths", "a list of paths that is not empty", paths);
  if (!(Number.isSafeInteger(options.memoryBytes) && options.memoryBytes >= 1))
    throw inputError("memoryBytes", "a positive integer", options.memoryBytes);
  const kind = kindOf(what);
  onProgress?.("planning", 0);
  const { inputs: needed, work, notes = [], warnings = [], ...parts } = await kind.plan(options, device);
  let [seen, total] = [0, 0];
  for (const { path } of needed) for (const { bytes } of (await filesOf(path)).files) total += bytes * (copy ? 2 : 1);
  const onBytes = (bytes: number): void => {
    seen += bytes;
    onProgress?.("inputs", Math.min(1, seen / Math.max(1, total)));
  };
  const heard = { ...(signal && { signal }), onBytes };
  const inputs: JobInput[] = [];
  for (const { path, role } of needed) inputs.push(await describeInput(path, role, heard));
  const job = await createJob({
    dechirp: dechirpVersion(),
    what,
    inputs,
    copied: copy,
    device: deviceOf(device),
    output: { ...options.output },
    ...parts,
  });
  if (encodeJob(job).length > mostJobBytes)
    throw inputError("paths", `fewer recordings, so that the job's document has at most ${mostJobBytes} bytes`, paths.length);
  const on = signal ? { signal } : {};
  if (copy) await copyInputs(inputs, store, heard);
  if (job.image) await writeImageDocuments(job, store, "array", {}, on);
  await writeJob(store, job, on);
  return { job, ...(work && { work }), notes, warnings };
}
