/** The job of a store: its document, and whether the store still has it. */
import { RadarError } from "@dechirp/core";
import { encodeJob, type Job, jobKey, mostJobBytes, parseJob } from "./document.ts";
import type { JobStore, JobStoreOptions } from "./store.ts";

/** Reads the job of a store. Rejects with `input` if there is none, or if it is not valid. */
export async function readJob(store: JobStore, options: JobStoreOptions = {}): Promise<Job> {
  const bytes = await store.read(jobKey, { ...options, maxBytes: mostJobBytes });
  if (!bytes) throw new RadarError("input", `${store.address}: there is no job (${jobKey})`, { file: store.address, field: jobKey });
  return parseJob(bytes, `${store.address}/${jobKey}`);
}

/**
 * Rejects with `input`, naming `job.json`, unless a store still has a job: a store may be removed, moved or given to another job while its tasks
 * are made.
 */
export async function checkStoreOf(job: Job, store: JobStore, options: JobStoreOptions = {}): Promise<void> {
  const bytes = await store.read(jobKey, { ...options, maxBytes: mostJobBytes });
  const found = bytes && (await parseJob(bytes, jobKey).catch(() => undefined))?.id;
  if (found === job.id) return;
  const message = `${store.address}: it does not have the job ${job.id.slice(0, 12)} any more`;
  throw new RadarError("input", message, { file: store.address, field: jobKey });
}

/**
 * Writes the document of a job. A store has one job: rejects with `input` if it has another one, or marks of one whose document was removed.
 */
export async function writeJob(store: JobStore, job: Job, options: JobStoreOptions = {}): Promise<void> {
  const bytes = await store.read(jobKey, { ...options, maxBytes: mostJobBytes });
  if (bytes) {
    const { id } = await parseJob(bytes, `${store.address}/${jobKey}`);
    if (id === job.id) return;
    const message = `${store.address}: it has the job ${id.slice(0, 12)} already; a store keeps one job`;
    throw new RadarError("input", message, { file: store.address, field: "job", expected: job.id, actual: id });
  }
  for (const folder of ["done", "failed", "summed"]) {
    const [mark] = await store.list(`${folder}/`, options);
    if (mark === undefined) continue;
    const message = `${store.address}: it has marks of another job (${mark}); plan into an empty store`;
    throw new RadarError("input", message, { file: store.address, field: mark });
  }
  await store.write(jobKey, encodeJob(job), options);
}
