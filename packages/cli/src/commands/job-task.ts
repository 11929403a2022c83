/** `dechirp job task`, and the worker processes of `dechirp job run`. */
import { argumentError, blame, CommandError } from "../errors.ts";
import { type Io, print } from "../io.ts";
import { openClass, openJob, openStoreOf, parseUnits } from "../jobs/open.ts";
import { parseInteger } from "../options.ts";
import { createProgress } from "../progress.ts";

/** The options as commander passes them. */
export interface JobTaskArguments {
  readonly index?: string;
  readonly units?: string;
  readonly json?: boolean;
}

/** Variables in which systems pass the index of an element of an array job. */
const indexVariables = ["SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX"] as const;

/** Runs `dechirp job task`. */
export async function jobTaskCommand(address: string, { index, units, json }: JobTaskArguments, io: Io): Promise<void> {
  const variable = indexVariables.find((name) => io.env[name] !== undefined);
  const given = index ?? (variable && io.env[variable]);
  if (given === undefined) throw new CommandError("argument", "--index is missing: the number of the task", { option: "--index" });
  const count = parseUnits(units);
  const open = await openJob(address, io);
  const { job, store } = open;
  const task = parseInteger(index === undefined ? String(variable) : "--index", given, 0, job.tasks - 1);
  const { addFailure, createTaskRunner, failureOf } = await import("@dechirp/jobs");
  using progress = createProgress(io, `task ${task}`);
  using device = await openClass(job.device.class, count);
  const { mark, skipped } = await blame("file", undefined, async () => {
    await using runner = createTaskRunner(job, store, device);
    try {
      return await runner.run(task, { signal: io.signal, onProgress: (share) => progress.update("computing", share) });
    } catch (error) {
      // What the user has stopped is no failure.
      if (!io.signal.aborted) await addFailure(store, task, failureOf(error));
      throw error;
    }
  });
  progress[Symbol.dispose]();
  print(io, json, { ...mark, skipped }, () => (skipped ? `task ${task} was done before` : `task ${task}: ${mark.seconds.toFixed(1)} s`));
}

/** Runs a worker of `dechirp job run`. */
export async function jobWorkerCommand(address: string, { units }: JobTaskArguments, io: Io): Promise<void> {
  if (!process.send) throw argumentError("job worker", "started by dechirp job run", "a command of its own");
  const count = parseUnits(units);
  const store = await openStoreOf(address, io);
  const { readJob, serveTasks } = await import("@dechirp/jobs");
  await serveTasks(store, async () => openClass((await readJob(store)).device.class, count), process, io.signal);
  if (process.connected) process.disconnect();
}
