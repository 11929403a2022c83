/** `dechirp job run` and `dechirp job assemble`. */
import { isRadarError } from "@dechirp/core";
import { blame, CommandError } from "../errors.ts";
import { type Io, print, printWarnings } from "../io.ts";
import { assembleJob } from "../jobs/assemble.ts";
import { checkWritable, mostWorkers, type OpenJob, openClass, openJob, parseUnits } from "../jobs/open.ts";
import { failuresText, statusText } from "../jobs/text.ts";
import { devicesOf, workersOf } from "../jobs/workers.ts";
import { type DrawingArguments, drawingOf, parseInteger } from "../options.ts";
import { createProgress, type Progress } from "../progress.ts";
import { exitCodes } from "../status.ts";

/** The options as commander passes them. */
export interface JobRunArguments extends DrawingArguments {
  readonly workers?: string;
  readonly units?: string;
  /** A device, or cards with commas between them. */
  readonly device?: string;
  /** False if --no-assemble is given. */
  readonly assemble?: boolean;
  readonly json?: boolean;
}

/** Runs `dechirp job run`. */
export async function jobRunCommand(address: string, options: JobRunArguments, io: Io, finish: (status: number) => void): Promise<void> {
  const perDevice = options.workers === undefined ? 1 : parseInteger("--workers", options.workers, 1, mostWorkers);
  const units = parseUnits(options.units);
  const drawing = drawingOf(options);
  const open = await openJob(address, io);
  const { job, store } = open;
  await checkWritable(store);
  const { runJob } = await import("@dechirp/jobs");
  using progress = createProgress(io, "job run");
  const warn = (text: string): void => {
    progress.clear();
    printWarnings(io, [text]);
  };
  const devices = devicesOf(job.device.class, options.device, warn);
  const workers = workersOf(devices, perDevice, { address: store.address, units, env: io.env as NodeJS.ProcessEnv, warn });
  const start = performance.now();
  const status = await blameWorkers(() =>
    runJob(job, store, {
      workers: workers.count,
      signal: io.signal,
      start: workers.start,
      onReady: workers.onReady,
      onProgress: ({ done, tasks, current, secondsLeft }) => {
        const made = done + current.reduce((sum, { share }) => sum + share, 0);
        const left = secondsLeft === undefined ? "" : `, ${Math.ceil(secondsLeft)} s left`;
        progress.update(`task ${Math.min(done + 1, tasks)} of ${tasks}${left}`, (0.9 * made) / tasks);
      },
      onFailure: (task, { attempts }) => {
        const [last] = attempts.slice(-1);
        warn(`task ${task}, attempt ${attempts.length}: ${last.message}`);
      },
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const isComplete = status.done === job.tasks;
  const isReady = isComplete || (!job.image && status.done > 0);
  const files = isReady && options.assemble !== false ? await assembled(open, options, io, progress, drawing) : [];
  progress[Symbol.dispose]();
  const data = { store: store.address, id: job.id, ...status, missing: status.missing.length, seconds, files };
  const failures = await failuresText(status);
  print(io, options.json, data, () =>
    [statusText(open, status), ...failures, ...(files.length > 0 ? [`  ${files.join(", ")}`] : [])].join("\n"),
  );
  if (!isComplete) finish(exitCodes.incomplete);
}

/** Runs `dechirp job assemble`. */
export async function jobAssembleCommand(
  address: string,
  options: JobRunArguments,
  io: Io,
  finish: (status: number) => void,
): Promise<void> {
  const drawing = drawingOf(options);
  const open = await openJob(address, io);
  const { jobStatus, rangesText } = await import("@dechirp/jobs");
  const { done, missing, failed } = await jobStatus(open.job, open.store, { signal: io.signal });
  const isComplete = done === open.job.tasks;
  const left = rangesText([...missing, ...failed.map(({ task }) => task)].sort((a, b) => a - b));
  const text = `${open.store.address}: tasks are not done: ${left}`;
  // Images of their own do not wait for each other.
  if (!isComplete && (open.job.image || done === 0)) throw new CommandError("file", text, { file: open.store.address, missing: left });
  if (!isComplete) printWarnings(io, [text]);
  await checkWritable(open.store);
  using progress = createProgress(io, "job assemble");
  const files = await assembled(open, options, io, progress, drawing);
  progress[Symbol.dispose]();
  print(io, options.json, { store: open.store.address, id: open.job.id, files }, () => `${open.store.address}: ${files.join(", ")}`);
  if (!isComplete) finish(exitCodes.incomplete);
}

async function assembled(
  open: OpenJob,
  { units, device: name }: JobRunArguments,
  io: Io,
  progress: Progress,
  drawing: ReturnType<typeof drawingOf>,
): Promise<readonly string[]> {
  // Of several cards, the one that WebGPU offers is enough.
  const one = name?.includes(",") ? undefined : name;
  using device = await openClass(open.job.device.class, { units: parseUnits(units), device: one });
  return await assembleJob(open, device, {
    drawing,
    signal: io.signal,
    onProgress: (what, share) => progress.update(what, 0.9 + 0.1 * share),
  });
}

/** Runs `work`. An `input` error is about the job or its inputs. */
const blameWorkers = <T>(work: () => Promise<T>): Promise<T> =>
  blame("file", undefined, async () => {
    try {
      return await work();
    } catch (error) {
      // The message of a worker that refused says what it is about.
      if (isRadarError(error, "failed")) throw new CommandError("device", error.message, error.fields, error);
      throw error;
    }
  });
