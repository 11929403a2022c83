/** The side of a worker process: makes the tasks that a runner sends, one at a time, until the runner goes or the process is told to end. */
import { type Device, isRadarError } from "@dechirp/core";
import type { JobWorkerFacts } from "./marks.ts";
import type { FromWorker, ToWorker } from "./messages.ts";
import type { JobStore } from "./store.ts";
import { readJob } from "./store-job.ts";
import { createTaskRunner, failureOf, isOfStore, type TaskRunner } from "./work.ts";

/** A channel to the runner: `process` of a child process that was started with one. */
export interface WorkerChannel {
  /** `done` hears of an error, so that it is not an event that ends the process. */
  send?(message: unknown, done?: (error: Error | null) => void): unknown;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/**
 * Serves a runner until the channel closes or `signal` fires. `openDevice` opens the device, which is disposed of at the end. Resolves when
 * the last task has ended. `factsOf` says what is known of the worker beside its device, which the runner is told and marks have. Never rejects: what goes wrong is
 * told to the runner.
 */
export async function serveTasks(
  store: JobStore,
  openDevice: () => Promise<Device>,
  channel: WorkerChannel,
  signal?: AbortSignal,
  factsOf: (device: Device) => JobWorkerFacts = () => ({}),
): Promise<void> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  channel.on("disconnect", end);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted) end();
  const tell = (message: FromWorker): void => {
    // The runner may be gone.
    if (!ended.signal.aborted || message.kind !== "progress") channel.send?.(message, () => {});
  };
  let device: Device | undefined;
  let runner: TaskRunner | undefined;
  let current: { readonly task: number; readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  try {
    const job = await readJob(store, { signal: ended.signal });
    device = await openDevice();
    const facts = factsOf(device);
    runner = createTaskRunner(job, store, device, facts);
    const { run } = runner;
    const work = async (task: number, attempt: number, stop: AbortSignal): Promise<void> => {
      let told = 0;
      const onProgress = (share: number): void => {
        if (performance.now() - told < 200) return;
        told = performance.now();
        tell({ kind: "progress", task, share });
      };
      try {
        tell({ kind: "done", task, ...(await run(task, { signal: stop, attempt, onProgress })) });
      } catch (error) {
        if (isRadarError(error, "aborted") && ended.signal.aborted) return;
        tell(isOfStore(error) ? refusalOf(error) : { kind: "failed", task, failure: failureOf(error) });
      }
    };
    channel.on("message", (message) => {
      const said = message as ToWorker;
      if (said.kind === "stop") current?.stop.abort();
      else {
        const stop = new AbortController();
        const before = current?.done;
        const done = (async () => {
          await before;
          await work(said.task, said.attempt, AbortSignal.any([stop.signal, ended.signal]));
        })();
        current = { task: said.task, stop, done };
      }
    });
    tell({ kind: "ready", device: device.info.description, ...facts });
    if (!ended.signal.aborted)
      await new Promise<void>((resolve) => ended.signal.addEventListener("abort", () => resolve(), { once: true }));
    await current?.done;
  } catch (error) {
    if (!ended.signal.aborted) tell(refusalOf(error));
  } finally {
    await runner?.[Symbol.asyncDispose]();
    device?.[Symbol.dispose]();
  }
}

/** What a worker tells that can't work at all. */
function refusalOf(error: unknown): FromWorker {
  const fields = isRadarError(error) ? Object.entries(error.fields).filter(([, value]) => typeof value === "string") : [];
  return { kind: "refused", failure: failureOf(error), fields: Object.fromEntries(fields) as Record<string, string> };
}
