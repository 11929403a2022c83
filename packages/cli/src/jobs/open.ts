/** What the job commands share: opening stores and jobs, and devices of the class that a job is for. Errors are those of commands. */
import { type Device, isRadarError, open } from "@dechirp/core";
import type { Job, JobStore } from "@dechirp/jobs";
import { isGpu, openDevice } from "../devices.ts";
import { argumentError, blame, CommandError } from "../errors.ts";
import type { Io } from "../io.ts";
import { parseInteger } from "../options.ts";
import { checkOutputFolder } from "../output.ts";

/** Opens a store. Throws `argument` for an address that is none, and for credentials that the environment lacks. */
export async function openStoreOf(address: string, io: Io, option = "STORE"): Promise<JobStore> {
  const { openStore } = await import("@dechirp/jobs");
  if (address === "") throw argumentError(option, "a folder or s3://BUCKET/PREFIX", address);
  try {
    return await openStore(address, io.env);
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    throw new CommandError("argument", `${option} ${address}: ${error.message}`, { option, ...error.fields }, error);
  }
}

/** A job and its store. */
export interface OpenJob {
  readonly job: Job;
  readonly store: JobStore;
}

/** Throws `write`, which names the folder, if nothing can be written into a store, before any work. Buckets are asked when something is written. */
export async function checkWritable({ folder }: JobStore, option = "STORE", given = folder): Promise<void> {
  if (folder !== undefined) await checkOutputFolder(folder, [], [], option, given);
}

/** Opens the job of a store. Throws `file` if there is none or it is not valid. */
export async function openJob(address: string, io: Io): Promise<OpenJob> {
  const store = await openStoreOf(address, io);
  const { readJob } = await import("@dechirp/jobs");
  return { store, job: await blame("file", undefined, () => readJob(store, { signal: io.signal })) };
}

/** The most workers of a run, and cores of a worker. */
export const mostWorkers = 1024;

/** Parses --units. */
export const parseUnits = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : parseInteger("--units", text, 1, mostWorkers);

/**
 * Opens a device of the class that a job is for: `device` if it is given, such as a card `gpu:K`. A processor computes without relaxed SIMD,
 * whose last bits differ between machines. Throws `argument` if the device is of another class, and `no-backend`.
 */
export async function openClass(
  name: "cpu" | "gpu",
  { units, device = name }: { units?: number | undefined; device?: string | undefined } = {},
): Promise<Device> {
  checkClass(name, device);
  if (name === "gpu") return openDevice(device);
  const { cpu } = await import("@dechirp/fft-cpu");
  return open(cpu({ kernels: "plain", ...(units !== undefined && { workers: units }) }));
}

/** Throws `argument` unless a device is of the class that a job is for. */
export function checkClass(name: "cpu" | "gpu", device: string): void {
  if (name === "cpu" ? device !== "cpu" : !isGpu(device))
    throw argumentError("--device", name === "cpu" ? "cpu, as the job is for processors" : "gpu or gpu:K, as the job is for GPUs", device);
}
