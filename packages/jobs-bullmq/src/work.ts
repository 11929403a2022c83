/**
 * Workers. A worker has one device. It takes messages of the queue for its version of dechirp and its device, one at a time, of any job. A worker of
 * another version or with another device is at another queue, so it never takes a task that it would have to refuse.
 */
import { type Device, inputError, isRadarError, messageOf, RadarError, throwIfAborted } from "@dechirp/core";
import {
  checkNotCancelled,
  dechirpVersion,
  deviceOf,
  isCancellation,
  isGivenUp,
  jobStatus,
  mayRetry,
  rangesText,
  watchStore,
  workerName,
} from "@dechirp/jobs";
import type { Job as Handed, Queue } from "bullmq";
import { controlOf, type Engine, queueName } from "./engine.ts";
import { copyLate } from "./late.ts";
import { type Message, parseMessage } from "./message.ts";
import { createServedJobs, failuresOf, givenUp, noteFailure, type Served, type ServedJobs } from "./served.ts";
import type { QueueWorkerEvent, QueueWorkerOptions, QueueWorkerResult } from "./worker.ts";

/** What BullMQ keeps of a message that has been dealt with. */
interface Answer {
  readonly seconds: number;
  readonly skipped: boolean;
}

type Why = "cancelled" | "leaving" | "done";

const usualLease = 15_000;
/** Milliseconds between two messages about progress, and between two looks of a worker that has nothing to do. */
const progressMs = 1000;
const idleMs = 1000;
/** Milliseconds after which a task that was put off is at the end of the queue. */
const backMs = 100;

/** Works until a signal fires. See `JobQueue.work`. */
export async function work(engine: Engine, options: QueueWorkerOptions): Promise<QueueWorkerResult> {
  const { signal, stop, leaseMs = usualLease, stores, idleSeconds, factsOf = () => ({}), env, onEvent = () => {} } = options;
  if (!(Number.isFinite(leaseMs) && leaseMs >= 1000)) throw inputError("leaseMs", "at least 1000", leaseMs);
  if (idleSeconds !== undefined && !(idleSeconds >= 0)) throw inputError("idleSeconds", "at least 0", idleSeconds);
  throwIfAborted(signal, "working");
  const device = await options.openDevice();
  let jobs: ServedJobs | undefined;
  const ending = new AbortController();
  try {
    const facts = factsOf(device);
    jobs = createServedJobs(device, { stores, env, facts });
    const name = queueName(dechirpVersion(), deviceOf(device));
    const tell = createTeller(engine, onEvent);
    const state: WorkerState = { made: 0, failed: 0, since: performance.now() };
    const handle = createHandler(engine, { name, jobs, device, options, tell, state });
    const control = await engine.events(controlOf(name));
    control.on(
      "stop" as never,
      (({ job, store, task }: { job?: unknown; store?: unknown; task?: unknown }) => {
        const { current } = state;
        if (!current || current.message.job !== job || current.message.store !== store) return;
        if (task === undefined) current.end("cancelled");
        else if (String(task) === String(current.message.task)) current.end("done");
      }) as never,
    );
    const worker = await engine.worker(name, handle, { leaseMs, name: workerName() });
    const running = worker.run();
    tell({ kind: "ready", queue: name, device: device.info.description, ...facts });
    const left = new Promise<void>((resolve) => {
      for (const one of [signal, stop])
        if (one?.aborted) resolve();
        else one?.addEventListener("abort", () => resolve(), { once: true, signal: ending.signal });
      watchIdle(engine, name, state, { idleSeconds, ending: ending.signal, onLeave: resolve });
    });
    const abandon = (): void => state.current?.end("leaving");
    stop?.addEventListener("abort", abandon, { once: true, signal: ending.signal });
    await Promise.race([left, running]);
    state.isLeaving = true;
    if (stop?.aborted) abandon();
    await worker.close();
    await running.catch(() => {});
    return { made: state.made, failed: state.failed };
  } finally {
    ending.abort();
    await jobs?.[Symbol.asyncDispose]();
    device[Symbol.dispose]();
    await engine[Symbol.asyncDispose]();
  }
}

/** What a worker is doing. */
interface WorkerState {
  made: number;
  failed: number;
  /** When it last had something to do. */
  since: number;
  isLeaving?: boolean;
  current?: { readonly message: Message; end(why: Why): void };
}

/** Tells events. What is said again and again while a server is away is told once a minute. */
function createTeller(engine: Engine, onEvent: (event: QueueWorkerEvent) => void): (event: QueueWorkerEvent) => void {
  let last = { message: "", at: Number.NEGATIVE_INFINITY };
  engine.onError = (error) => {
    const { message } = engine.errorOf(error, "the connection is disturbed");
    if (message === last.message && performance.now() - last.at < 60_000) return;
    last = { message, at: performance.now() };
    onEvent({ kind: "disturbed", message });
  };
  return onEvent;
}

/** Looks after a worker that has nothing to do: copies of late tasks, and leaving. */
function watchIdle(
  engine: Engine,
  name: string,
  state: WorkerState,
  {
    idleSeconds,
    ending,
    onLeave,
  }: { readonly idleSeconds: number | undefined; readonly ending: AbortSignal; readonly onLeave: () => void },
): void {
  let queue: Queue | undefined;
  const look = async (): Promise<void> => {
    if (ending.aborted || state.isLeaving) return;
    if (!state.current) {
      if (idleSeconds !== undefined && performance.now() - state.since > 1000 * idleSeconds) return onLeave();
      try {
        queue ??= await engine.queue(name);
        await copyLate(queue);
      } catch (error) {
        engine.onError(error);
      }
    }
    if (!ending.aborted) setTimeout(look, idleMs).unref();
  };
  setTimeout(look, idleMs).unref();
}

/** Makes the function that deals with a message. */
function createHandler(
  engine: Engine,
  {
    name,
    jobs,
    device,
    options: { assemble },
    tell,
    state,
  }: {
    readonly name: string;
    readonly jobs: ServedJobs;
    readonly device: Device;
    readonly options: QueueWorkerOptions;
    readonly tell: (event: QueueWorkerEvent) => void;
    readonly state: WorkerState;
  },
): (handed: Handed, token?: string) => Promise<Answer> {
  const { DelayedError, UnrecoverableError, WaitingError } = engine.bullmq;
  const refusal = (error: RadarError): Error => new UnrecoverableError(engine.address.redact(error.message));

  /**
   * The failures of a task so far, also the deaths of workers before this one. Throws `input` if it is given up. A task with which two workers have
   * died goes to the end of the queue, so that machines that are switched off one after another do not use up its attempts.
   */
  const before = async (
    served: Served,
    handed: Handed,
    token: string | undefined,
    message: Message,
    signal: AbortSignal,
  ): Promise<number> => {
    const { task = 0, begun = 0, deaths: noted = 0 } = message;
    // What was begun has failed, or its worker has died. A worker that died before it began says nothing of the task.
    const deaths = Math.max(noted, begun - handed.attemptsMade);
    // If this worker dies in between, a death is not counted; the other way round, it would be counted twice.
    if (deaths > noted) await handed.updateData({ ...message, deaths });
    const failure = await failuresOf(served, task, { deaths, noted, worker: "unknown" }, signal);
    if (failure && isGivenUp(failure)) throw givenUp(served, failure);
    const attempts = failure?.attempts.length ?? 0;
    if (deaths > noted && attempts >= 2) {
      await handed.moveToDelayed(Date.now() + backMs, token);
      throw new DelayedError();
    }
    await handed.updateData({ ...message, begun: begun + 1, deaths });
    return attempts;
  };
  /** Makes a task. */
  const make = async (served: Served, handed: Handed, task: number, attempts: number, signal: AbortSignal): Promise<boolean> =>
    (await served.runner.run(task, { signal, attempt: attempts + 1, onProgress: progressOf(handed) })).skipped;
  /** Makes a second copy of a task, and stops the first one when it is done. */
  const copy = async (served: Served, { job, store, task = 0 }: Message, signal: AbortSignal): Promise<boolean> => {
    const { skipped } = await served.runner.run(task, { signal });
    if (!skipped) await (await engine.producer(controlOf(name))).publishEvent({ eventName: "stop", job, store, task });
    return skipped;
  };
  /** Makes the products of a job. */
  const products = async ({ job, store }: Served, handed: Handed, signal: AbortSignal): Promise<boolean> => {
    await checkNotCancelled(store, { signal });
    const { missing, failed, assembled } = await jobStatus(job, store, { signal });
    const left = [...missing, ...failed.map(({ task }) => task)].sort((a, b) => a - b);
    // Images of their own do not wait for each other.
    if (left.length > 0 && job.image)
      throw new RadarError("input", `${store.address}: tasks are not done: ${rangesText(left)}`, {
        file: store.address,
        missing: rangesText(left),
      });
    if (assembled) return true;
    await assemble?.({ job, store }, device, { signal, onProgress: progressOf(handed) });
    return !assemble;
  };
  const progressOf = (handed: Handed): ((share: number) => void) => {
    let told = 0;
    return (share) => {
      if (performance.now() - told < progressMs) return;
      told = performance.now();
      // It may be lost.
      handed.updateProgress(Math.round(1000 * share) / 1000).catch(() => {});
    };
  };

  return async (handed, token) => {
    let parsed: ReturnType<typeof parseMessage>;
    try {
      parsed = parseMessage(handed.name, handed.data);
    } catch (error) {
      state.failed++;
      const refused = error as RadarError;
      tell({ kind: "failed", error: refused, again: false });
      throw refusal(refused);
    }
    const { kind: what, message } = parsed;
    const about = { what, store: message.store, ...(message.task !== undefined && { task: message.task }) };
    const ended = new AbortController();
    let why: Why | undefined;
    const end = (reason: Why): void => {
      why ??= reason;
      ended.abort();
    };
    state.current = { message, end };
    if (state.isLeaving) end("leaving");
    const start = performance.now();
    const answer = (skipped: boolean): Answer => {
      const seconds = Math.round(performance.now() - start) / 1000;
      if (!skipped) state.made++;
      tell({ kind: "done", ...about, seconds, skipped });
      return { seconds, skipped };
    };
    let served: Served | undefined;
    let unwatch = (): void => {};
    let isRun = false;
    try {
      served = await jobs.of(message, ended.signal);
      // Tasks look at the store themselves.
      if (what === "assemble") unwatch = watchStore(served.job, served.store, undefined, { onCancelled: () => end("cancelled") });
      const { signal } = ended;
      const attempts = what === "task" ? await before(served, handed, token, message, signal) : 0;
      tell({ kind: "begun", ...about });
      isRun = true;
      return answer(
        what === "task"
          ? await make(served, handed, message.task as number, attempts, signal)
          : what === "copy"
            ? await copy(served, message, signal)
            : await products(served, handed, signal),
      );
    } catch (error) {
      if (error instanceof DelayedError) throw error;
      if (why === "done") return answer(true);
      if (why === "cancelled" || isCancellation(error)) {
        tell({ kind: "stopped", ...about, why: "cancelled" });
        throw new UnrecoverableError("the job is cancelled");
      }
      if (why === "leaving") {
        tell({ kind: "stopped", ...about, why });
        // That is no attempt.
        if (what === "task" && isRun) await handed.updateData({ ...handed.data, begun: handed.data.begun - 1 });
        await handed.moveToWait(token);
        throw new WaitingError();
      }
      const shown = isRadarError(error) ? error : new RadarError("failed", messageOf(error), { what });
      // A message that asks for what this worker can't open says nothing of the job.
      const isOver = isRun && served && what === "task" ? await noteFailure(served, message.task as number, error) : !mayRetry(error);
      const again = !isOver && what !== "copy" && handed.attemptsMade + 1 < (handed.opts.attempts ?? 1);
      state.failed++;
      tell({ kind: "failed", ...about, error: shown, again });
      throw isOver ? refusal(shown) : new Error(engine.address.redact(shown.message));
    } finally {
      unwatch();
      delete state.current;
      state.since = performance.now();
    }
  };
}
