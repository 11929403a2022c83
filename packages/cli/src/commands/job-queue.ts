/** `dechirp job submit` and `dechirp job init`. */
import { type Io, print, printWarnings } from "../io.ts";
import { openJob } from "../jobs/open.ts";
import { initQueue, neededAddress, openQueue } from "../jobs/queue.ts";
import { failuresText, statusText } from "../jobs/text.ts";
import { parseInteger } from "../options.ts";
import { createProgress } from "../progress.ts";
import { exitCodes } from "../status.ts";

/** The options as commander passes them. */
export interface JobSubmitArguments {
  readonly queue?: string;
  readonly priority?: string;
  readonly wait?: boolean;
  readonly json?: boolean;
}

/** Runs `dechirp job submit`. */
export async function jobSubmitCommand(
  address: string,
  options: JobSubmitArguments,
  io: Io,
  finish: (status: number) => void,
): Promise<void> {
  const priority = options.priority === undefined ? 0 : parseInteger("--priority", options.priority, 0, 2 ** 21 - 1);
  const at = neededAddress(options.queue, io);
  const open = await openJob(address, io);
  const { job, store } = open;
  await using queue = await openQueue(at);
  using progress = createProgress(io, "job submit");
  const submitted = await queue.submit(job, store, {
    priority,
    signal: io.signal,
    onProgress: (share) => progress.update("filling the queue", options.wait ? 0 : share),
  });
  const { added, workers } = submitted;
  progress.clear();
  if (workers === 0 && (added > 0 || submitted.status.missing.length > 0))
    printWarnings(io, [
      `no worker at the queue suits the job (dechirp ${job.dechirp}, ${deviceText(job.device)}); start one with dechirp job work`,
    ]);
  const status = options.wait
    ? await queue.wait(job, store, {
        signal: io.signal,
        onProgress: ({ done, tasks, current, workers }) => {
          const made = done + current.reduce((sum, { share }) => sum + share, 0);
          const who = workers === 1 ? "1 worker" : `${workers} workers`;
          progress.update(`${done} of ${tasks} tasks, ${who}`, made / tasks);
        },
      })
    : submitted.status;
  progress[Symbol.dispose]();
  const data = { store: store.address, id: job.id, queue: queue.address, added, workers, ...status, missing: status.missing.length };
  const failures = await failuresText(status);
  print(io, options.json, data, () =>
    options.wait
      ? [statusText(open, status), ...failures].join("\n")
      : [`job ${job.id.slice(0, 12)} in ${queue.address}: ${added} of ${job.tasks} tasks added`, ...failures].join("\n"),
  );
  if (options.wait && status.done < job.tasks) finish(exitCodes.incomplete);
}

const deviceText = ({
  class: name,
  arithmetic,
  description,
}: {
  readonly class: string;
  readonly arithmetic?: string;
  readonly description?: string;
}): string => [name, arithmetic ?? description].filter((text) => text !== undefined).join(", ");

/** Runs `dechirp job init`. */
export async function jobInitCommand({ queue, json }: { readonly queue?: string; readonly json?: boolean }, io: Io): Promise<void> {
  await initQueue(neededAddress(queue, io));
  print(io, json, { ready: true }, () => "the queue's server is ready");
}
