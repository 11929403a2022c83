/** `dechirp job work`: a worker of a queue. */
import type { QueueWorkerEvent } from "@dechirp/jobs-bullmq";
import { isGpu } from "../devices.ts";
import { argumentError } from "../errors.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { assembleJob } from "../jobs/assemble.ts";
import { openClass, parseUnits } from "../jobs/open.ts";
import { neededAddress, openQueue } from "../jobs/queue.ts";
import { parsePositive } from "../options.ts";
import { factsOf } from "./job-task.ts";

/** The options as commander passes them. */
export interface JobWorkArguments {
  readonly queue?: string;
  readonly device: string;
  readonly units?: string;
  readonly stores?: string;
  readonly lease?: string;
  readonly idle?: string;
  readonly json?: boolean;
}

/** Runs `dechirp job work`. */
export async function jobWorkCommand(options: JobWorkArguments, io: Io): Promise<void> {
  const { queue: given, device: name, json } = options;
  const units = parseUnits(options.units);
  if (name !== "cpu" && !isGpu(name)) throw argumentError("--device", "cpu, gpu or a card gpu:K", name);
  const lease = options.lease === undefined ? undefined : parsePositive("--lease", options.lease);
  if (lease !== undefined && !(lease >= 1 && lease <= 3600)) throw argumentError("--lease", "seconds from 1 to 3600", options.lease);
  const idle = options.idle === undefined ? undefined : parsePositive("--idle", options.idle);
  const stores = options.stores?.split(",").map((one) => one.trim());
  if (stores?.includes("")) throw argumentError("--stores", "addresses with commas between them", options.stores);
  const address = neededAddress(given, io);
  // The first signal lets the task end, the second one ends it.
  const stop = io.linger?.() ?? io.signal;
  await using queue = await openQueue(address);
  const result = await queue.work({
    openDevice: () => openClass(name === "cpu" ? "cpu" : "gpu", { units, device: name }),
    signal: io.signal,
    stop,
    ...(lease !== undefined && { leaseMs: 1000 * lease }),
    ...(idle !== undefined && { idleSeconds: idle }),
    ...(stores && { stores }),
    env: io.env,
    factsOf: (device) => factsOf(device, name),
    assemble: (open, device, { signal, onProgress }) =>
      assembleJob(open, device, { drawing: {}, signal, onProgress: (_, share) => onProgress(share) }),
    onEvent: (event) => tell(io, json, event, queue.address),
  });
  print(io, json, { kind: "left", ...result }, () => `left the queue: ${result.made} made, ${result.failed} failed`);
}

/** Prints what a worker tells: one line, or one JSON value. */
function tell(io: Io, json: boolean | undefined, event: QueueWorkerEvent, address: string): void {
  if (json) {
    const { error, ...plain } = event as QueueWorkerEvent & { error?: { code: string; message: string } };
    return print(io, true, { ...plain, ...(error && { error: { code: error.code, message: error.message } }) }, () => "");
  }
  const say = (text: string): void => print(io, false, undefined, () => text);
  if (event.kind === "ready") return say(`at the queue ${address}: ${event.device}`);
  if (event.kind === "disturbed") return printWarnings(io, [event.message]);
  if (event.kind === "begun") return;
  const { what, task, store } = event;
  const title =
    what === "assemble" ? `products of ${store}` : what === "copy" ? `second copy of task ${task} of ${store}` : `task ${task} of ${store}`;
  if (event.kind === "done") return say(`${title}: ${event.skipped ? "done elsewhere" : `${event.seconds.toFixed(1)} s`}`);
  if (event.kind === "stopped")
    return say(`${title}: stopped, ${event.why === "cancelled" ? "the job is cancelled" : "given back to the queue"}`);
  printWarnings(io, [
    `${what === undefined ? "a message was refused" : title}: ${event.error.message}${event.again ? "; it will be tried again" : ""}`,
  ]);
}
