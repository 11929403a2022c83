/** `dechirp job task`, and the worker processes of `dechirp job run`. */
import type { Device } from "@dechirp/core";
import type { JobWorkerFacts } from "@dechirp/jobs";
import { isCardName, ownCard } from "../cards/card.ts";
import { listCards } from "../cards/list.ts";
import { argumentError, blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { checkWritable, openClass, openJob, openStoreOf, parseUnits } from "../jobs/open.ts";
import { parseInteger } from "../options.ts";
import { createProgress } from "../progress.ts";

/** The options as commander passes them. */
export interface JobTaskArguments {
  readonly index?: string;
  /** Number that is added to the index. */
  readonly offset?: string;
  readonly units?: string;
  readonly device?: string;
  readonly json?: boolean;
}

/** Variables in which systems pass the index of an element of an array job. */
const indexVariables = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"] as const;

/** Runs `dechirp job task`. */
export async function jobTaskCommand(
  address: string,
  { index, offset, units, device: name, json }: JobTaskArguments,
  io: Io,
): Promise<void> {
  const variable = indexVariables.find((name) => io.env[name] !== undefined);
  const given = index ?? (variable && io.env[variable]);
  if (given === undefined) throw new CommandError("argument", "--index is missing: the number of the task", { option: "--index" });
  const count = parseUnits(units);
  const open = await openJob(address, io);
  const { job, store } = open;
  const first = offset === undefined ? 0 : parseInteger("--offset", offset, 0, job.tasks - 1);
  const task = first + parseInteger(index === undefined ? String(variable) : "--index", given, 0, job.tasks - 1 - first);
  await checkWritable(store);
  const { addFailure, createTaskRunner, failureOf, isOfStore } = await import("@dechirp/jobs");
  using progress = createProgress(io, `task ${task}`);
  using device = await openClass(job.device.class, { units: count, device: name });
  const { mark, skipped } = await blame("file", undefined, async () => {
    await using runner = createTaskRunner(job, store, device, factsOf(device, name));
    try {
      return await runner.run(task, { signal: io.signal, onProgress: (share) => progress.update("computing", share) });
    } catch (error) {
      // What the user has stopped is no failure of the task, and what is about the whole store neither.
      if (!io.signal.aborted && !isOfStore(error)) await addFailure(job, store, task, failureOf(error));
      throw error;
    }
  });
  progress[Symbol.dispose]();
  print(io, json, { ...mark, skipped }, () => (skipped ? `task ${task} was done before` : `task ${task}: ${mark.seconds.toFixed(1)} s`));
}

/** Which card of this machine a device is: the one with a name, or the only one. Throws `no-backend` if the process sees several. */
export function factsOf({ id, info }: Device, name: string | undefined): JobWorkerFacts {
  if (id === "cpu" || info.software) return {};
  const usable = listCards().filter(({ isUsable }) => isUsable);
  const card = name !== undefined && isCardName(name) ? ownCard(name) : usable.length === 1 ? usable[0] : undefined;
  return card ? { card: card.pci ?? card.file } : {};
}

/** Runs a worker of `dechirp job run`. `card` is the card that it must have. */
export async function jobWorkerCommand(address: string, { units, card }: JobTaskArguments & { card?: string }, io: Io): Promise<void> {
  if (!process.send) throw argumentError("job worker", "started by dechirp job run", "a command of its own");
  if (card !== undefined && !isCardName(card)) throw argumentError("--card", "gpu:K", card);
  const count = parseUnits(units);
  const store = await openStoreOf(address, io);
  const { readJob, serveTasks } = await import("@dechirp/jobs");
  const open = async (): Promise<Device> => openClass((await readJob(store)).device.class, { units: count, device: card });
  await serveTasks(store, open, process, io.signal, (device) => factsOf(device, card));
  if (process.connected) process.disconnect();
}
